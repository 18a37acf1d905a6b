"""When a scripted bot trades its cards."""

from rubicon.engine.phases.cards import holds_set, next_set_value, trade_forced, trading_refusal
from rubicon.engine.records.choices import SetValues
from rubicon.engine.records.layout import compiled, inlined
from rubicon.engine.records.position import Phase, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.greedy_cards import NO_ACTION, best_set, star_choice
from rubicon.players.memory import Memory
from rubicon.players.scripted.plans import best_plan
from rubicon.players.scripted.survey import survey

DECISIVE = 12.0  # the score that armies of a set must add to a plan, as for an elimination


@inlined
def sets_rise(rules: Rules) -> bool:
    """Whether each set of cards brings more than the one before."""
    return rules.cards_values in (SetValues.ESCALATING, SetValues.PLUS_ONE)


@compiled
def trade_choice(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> int:
    """The trade to make now, or NO_ACTION."""
    if rules.cards_values == SetValues.STARS:
        return star_choice(view, rules, board, seat)
    if view.hand[seat] < 3 or trading_refusal(view, rules, board) != 0:
        return NO_ACTION
    if not holds_set(view, rules, board, seat):
        return NO_ACTION
    if trade_forced(view, rules, board) or pays_now(view, rules, board, seat, memory):
        return best_set(view, rules, board, seat)
    return NO_ACTION


@compiled
def pays_now(view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory) -> bool:
    """Whether a set is worth as much now as later, or decides something now."""
    if not sets_rise(rules) or view.phase == Phase.TRADE:
        return True
    if view.hand[seat] >= memory.traits.patience:
        return True
    survey(view, rules, board, seat, memory)
    if memory.work.closing != 0:
        return True
    unplaced = view.unplaced[seat]
    without = best_plan(view, rules, board, seat, memory, unplaced)
    more = unplaced + next_set_value(view, rules, seat)
    return best_plan(view, rules, board, seat, memory, more) > without + DECISIVE
