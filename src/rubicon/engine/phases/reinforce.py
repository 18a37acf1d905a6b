"""The start of a turn: the award, and placing armies (rulebook 3.2)."""

from rubicon.engine.ownership import add_armies, continent_award
from rubicon.engine.phases.cards import offered_stars, trade_forced
from rubicon.engine.records.choices import ContinentTiming, MinimumScope, Rounding, SetValues
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NONE, Phase, Position, Seat
from rubicon.engine.records.tables import BoardTables, RewardKind, Rules
from rubicon.engine.refusal import Refusal
from rubicon.engine.rewards import has_reward, wake_rewards

TWO_TROOPS = 2


@compiled
def cities_held(position: Position, board: BoardTables, seat: int) -> int:
    count = 0
    for t in range(board.territories):
        count += int(position.city[t] != 0) & int(position.owner[t] == seat)
    return count


@compiled
def capital_counts(position: Position, rules: Rules, of: int) -> bool:
    """Whether the capital of a seat is on the board and still means something (A-46)."""
    if position.capital[of] == NONE:
        return False
    return rules.capital_dead_counts != 0 or position.status[of] == Seat.PLAYING


@compiled
def capitals_held(position: Position, rules: Rules, seat: int) -> int:
    """Capital markers on the seat's territories, its own included (S001-35)."""
    count = 0
    for other in range(position.seats):
        if capital_counts(position, rules, other):
            count += int(position.owner[position.capital[other]] == seat)
    return count


@compiled
def territory_award(position: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Territories and cities by three, with the minimum where it belongs (S001-32 to S001-34)."""
    counted = position.territories[seat]
    if rules.setup_cities > 0:
        counted += cities_held(position, board, seat)
    if rules.revised_rounding == Rounding.UP:
        counted += 2
    base = counted // 3
    if rules.reinforce_min_scope == MinimumScope.TERRITORY_PART:
        return max(base, rules.reinforce_min)
    return base


@compiled
def continents_due(position: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Continental armies of this award, by the timing in force (A-06)."""
    if rules.continent_timing == ContinentTiming.TURN_START:
        return continent_award(position, board, seat)
    if rules.continent_timing == ContinentTiming.SNAPSHOT_END_OF_OWN_TURN:
        return position.snapshot[seat]
    return 0


@compiled
def award(position: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """Fix the armies of the turn, item by item, and hand them over (rulebook 5.4, S002-14)."""
    position.award_territories = territory_award(position, rules, board, seat)
    position.award_continents = continents_due(position, rules, board, seat)
    position.award_capitals = 0
    position.award_rewards = 0
    if rules.setup_capitals != 0:
        position.award_capitals = capitals_held(position, rules, seat)
    if rules.objectives_in_play != 0:
        if has_reward(position, rules, seat, RewardKind.TWO_TROOPS):
            position.award_rewards = TWO_TROOPS
    total = position.award_territories + position.award_continents
    total += position.award_capitals + position.award_rewards
    if rules.reinforce_min_scope == MinimumScope.TURN_TOTAL and total < rules.reinforce_min:
        position.award_territories += rules.reinforce_min - total
        total = rules.reinforce_min
    position.unplaced[seat] = total


@compiled
def begin_turn(position: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """The seat's turn starts: nothing captured yet, the award received."""
    position.turn = seat
    position.phase = Phase.REINFORCE
    for t in range(board.territories):
        position.captured[t] = 0
    position.hand_at_start = position.hand[seat]
    position.sets_this_turn = 0
    position.bonus_taken = 0
    position.conquered = 0
    position.conquered_from_player = 0
    position.claimed = 0
    position.draws_due = 0
    if rules.objectives_in_play != 0:
        wake_rewards(position, seat)
    award(position, rules, board, seat)


@compiled
def refuse_place(position: Position, board: BoardTables, seat: int, t: int, armies: int) -> int:
    """Whether received armies may be put there (S001-42)."""
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    if position.owner[t] != seat:
        return Refusal.NOT_YOUR_TERRITORY
    if armies < 1:
        return Refusal.ZERO
    return Refusal.PLACE_TOO_MANY if armies > position.unplaced[seat] else Refusal.LEGAL


@compiled
def place(position: Position, rules: Rules, t: int, armies: int) -> None:
    add_armies(position, rules, t, armies)
    position.unplaced[position.owner[t]] -= armies


@compiled
def first_step_refusal(position: Position, rules: Rules, board: BoardTables) -> int:
    """What keeps the first step of the turn from ending (A-84)."""
    if position.unplaced[position.turn] > 0:
        return Refusal.ARMIES_LEFT
    if trade_forced(position, rules, board):
        return Refusal.TRADE_FORCED
    if rules.cards_values == SetValues.STARS and offered_stars(position, board) > 0:
        return Refusal.OFFER_OPEN
    return Refusal.LEGAL
