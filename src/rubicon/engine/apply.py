"""How a position changes: `apply` a legal action, `settle` a pending chance event.

Neither checks anything: `legality.refusal` must have returned 0, and an outcome must fit.
"""

from rubicon.engine.ownership import clear_pending
from rubicon.engine.phases.attack import (
    attack,
    defend,
    go_on_trading,
    occupy,
    settle_battle,
)
from rubicon.engine.phases.cards import draw, offer, trade, trade_offer, withdraw
from rubicon.engine.phases.fortify import move, spend_manoeuvre
from rubicon.engine.phases.objectives import claim_objective
from rubicon.engine.phases.placement import (
    choose_headquarters,
    claim,
    go_on_sealing,
    place_first,
    settle_starting_card,
)
from rubicon.engine.phases.reinforce import place
from rubicon.engine.phases.resignation import resign
from rubicon.engine.phases.setup import (
    settle_city,
    settle_dice,
    settle_first,
    settle_mission,
    settle_neutral_territory,
    settle_objective,
    settle_reward,
    settle_territory,
)
from rubicon.engine.phases.turn import (
    after_draw,
    end_attack,
    end_turn,
    enter_fortify,
    go_on_fortifying,
    pass_turn,
)
from rubicon.engine.phases.victory import end_game, mission_test, turn_end_test, win_test
from rubicon.engine.records.action_codes import NOWHERE, ActionKind, a_of, b_of, c_of, kind_of, n_of
from rubicon.engine.records.layout import compiled, inlined
from rubicon.engine.records.position import Chance, Phase, Position
from rubicon.engine.records.tables import BoardTables, Rules


@compiled
def apply(position: Position, rules: Rules, board: BoardTables, action: int) -> None:
    """Carry out a legal action; a chance event that follows from it is left pending."""
    apply_in_place(position, rules, board, action)


@compiled
def settle(position: Position, rules: Rules, board: BoardTables, outcome: int) -> None:
    """Resolve the pending chance event; `outcome` is dice or the number of a pick."""
    settle_in_place(position, rules, board, outcome)


@inlined
def apply_in_place(position: Position, rules: Rules, board: BoardTables, action: int) -> None:
    """`apply` as part of its caller's code: for loops in which the kind of action is known."""
    kind = kind_of(action)
    a, b, n = a_of(action), b_of(action), n_of(action)
    # The kinds are tested in the order of how often they are played.
    if kind == ActionKind.ATTACK:
        attack(position, rules, board, a, b, n, c_of(action))
    elif kind == ActionKind.OCCUPY:
        occupy(position, rules, board, n)
    elif kind == ActionKind.PLACE:
        apply_place(position, rules, board, a, n)
    elif kind == ActionKind.END_ATTACK:
        end_attack(position, rules, board)
    elif kind == ActionKind.FORTIFY:
        apply_fortify(position, rules, board, a, b, n)
    elif kind == ActionKind.END_TURN:
        end_turn(position, rules, board)
    elif kind == ActionKind.DEFEND:
        defend(position, n)
    elif kind == ActionKind.TRADE:
        trade(position, rules, board, a, b, c_of(action), n)
        after_placement(position, rules, board)
    elif kind == ActionKind.CLAIM:
        claim(position, rules, board, a)
    else:
        apply_rare(position, rules, board, kind, a, b, n)


@compiled
def apply_rare(
    position: Position, rules: Rules, board: BoardTables, kind: int, a: int, b: int, n: int
) -> None:
    """The actions of single presets, and those out of turn."""
    if kind == ActionKind.CAPITAL:
        apply_capital(position, rules, board, a)
    elif kind == ActionKind.SEAL:
        position.sealed[a] = 1
        go_on_sealing(position, rules, board)
    elif kind == ActionKind.OFFER:
        offer(position, a)
    elif kind == ActionKind.WITHDRAW:
        withdraw(position, board)
    elif kind == ActionKind.TRADE_OFFER:
        trade_offer(position, board)
    elif kind == ActionKind.OBJECTIVE:
        claim_objective(position, rules, a, b)
        if not win_test(position, rules, board, position.turn):
            enter_fortify(position, rules, board)
    elif kind == ActionKind.DECLINE:
        apply_decline(position, rules, board)
    elif kind == ActionKind.STANDING:
        apply_standing(position, a, b, n)
    elif kind == ActionKind.RESIGN:
        resign(position, rules, board, a)
    elif kind == ActionKind.REVEAL:
        end_game(position, rules, board, a)


@compiled
def apply_place(position: Position, rules: Rules, board: BoardTables, t: int, armies: int) -> None:
    """Place armies in any phase that has placements, and go on when the last ones stand."""
    if position.phase == Phase.PLACE:
        place_first(position, rules, board, t, armies)
        return
    place(position, rules, t, armies)
    if position.phase == Phase.SEALED:
        return
    after_placement(position, rules, board)
    if position.phase == Phase.CONTINENTS and position.unplaced[position.turn] == 0:
        if not turn_end_test(position, rules, board, position.turn):
            pass_turn(position, rules, board)


@compiled
def after_placement(position: Position, rules: Rules, board: BoardTables) -> None:
    """After a placement: test the missions, and end a trade in mid-turn that is complete."""
    if not mission_test(position, rules, board, position.turn):
        go_on_trading(position, rules, board)


@compiled
def apply_capital(position: Position, rules: Rules, board: BoardTables, t: int) -> None:
    if position.phase == Phase.HEADQUARTERS:
        choose_headquarters(position, rules, board, t)
    else:
        position.capital[position.turn] = t
        claim(position, rules, board, t)


@compiled
def apply_decline(position: Position, rules: Rules, board: BoardTables) -> None:
    if position.phase == Phase.TRADE:
        position.phase = Phase.ATTACK
    else:
        enter_fortify(position, rules, board)


@compiled
def apply_standing(position: Position, seat: int, t: int, standing: int) -> None:
    if t == NOWHERE:
        position.standing_all[seat] = standing
    else:
        position.standing[t] = standing


@compiled
def apply_fortify(
    position: Position, rules: Rules, board: BoardTables, source: int, target: int, armies: int
) -> None:
    move(position, rules, source, target, armies)
    spend_manoeuvre(position, rules)
    if mission_test(position, rules, board, position.turn):
        return
    if position.phase == Phase.FORTIFY:
        go_on_fortifying(position, rules, board)


@inlined
def settle_in_place(position: Position, rules: Rules, board: BoardTables, outcome: int) -> None:
    """`settle` as part of its caller's code."""
    if position.chance == Chance.BATTLE:
        settle_battle(position, rules, board, outcome)
    elif position.chance == Chance.CARD:
        clear_pending(position)
        draw(position, board, outcome, position.turn)
        after_draw(position, rules, board)
    elif position.chance == Chance.DICE:
        settle_dice(position, rules, board, outcome)
    else:
        settle_deal(position, rules, board, outcome)


@compiled
def settle_deal(position: Position, rules: Rules, board: BoardTables, number: int) -> None:
    """Resolve one pick of the set-up."""
    chance = position.chance
    clear_pending(position)
    if chance == Chance.TERRITORY:
        settle_territory(position, rules, board, number)
    elif chance == Chance.FIRST_SEAT:
        settle_first(position, rules, board, number)
    elif chance == Chance.CITY:
        settle_city(position, rules, board, number)
    elif chance == Chance.MINOR_OBJECTIVE:
        settle_objective(position, rules, board, number, 0)
    elif chance == Chance.MAJOR_OBJECTIVE:
        settle_objective(position, rules, board, number, 1)
    elif chance == Chance.MINOR_REWARD:
        settle_reward(position, rules, board, number, 0)
    elif chance == Chance.MAJOR_REWARD:
        settle_reward(position, rules, board, number, 1)
    elif chance == Chance.NEUTRAL_TERRITORY:
        settle_neutral_territory(position, rules, board, number)
    elif chance == Chance.MISSION:
        settle_mission(position, rules, board, number)
    elif chance == Chance.STARTING_CARD:
        settle_starting_card(position, rules, board, number)
