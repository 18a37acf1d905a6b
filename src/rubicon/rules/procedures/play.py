"""The trusted door: `apply` a legal action, `settle` what is owed from outside."""

from rubicon.rules.layout import compiled, inlined
from rubicon.rules.position import Chance, Phase, Position
from rubicon.rules.procedures.attack import (
    attack,
    defend,
    go_on_trading,
    occupy,
    settle_battle,
)
from rubicon.rules.procedures.cards import draw, offer, trade, trade_offer, withdraw
from rubicon.rules.procedures.codes import NOWHERE, Kind, a_of, b_of, c_of, kind_of, n_of
from rubicon.rules.procedures.fortify import move, spend_manoeuvre
from rubicon.rules.procedures.holdings import owe_nothing
from rubicon.rules.procedures.objectives import claim_objective
from rubicon.rules.procedures.placing import (
    choose_headquarters,
    claim,
    go_on_sealing,
    place_first,
    settle_starting_card,
)
from rubicon.rules.procedures.reinforce import place
from rubicon.rules.procedures.resignation import resign
from rubicon.rules.procedures.setup import (
    settle_city,
    settle_dice,
    settle_first,
    settle_mission,
    settle_neutral_territory,
    settle_objective,
    settle_reward,
    settle_territory,
)
from rubicon.rules.procedures.turn import (
    after_draw,
    end_attack,
    end_turn,
    enter_fortify,
    go_on_fortifying,
    pass_turn,
)
from rubicon.rules.procedures.victory import end_game, mission_test, turn_end_test, win_test
from rubicon.rules.tables import BoardTables, Rules


@compiled
def apply(game: Position, rules: Rules, board: BoardTables, action: int) -> None:
    """Carry out a legal action. What it owes to chance is left in the position."""
    apply_in_place(game, rules, board, action)


@compiled
def settle(game: Position, rules: Rules, board: BoardTables, outcome: int) -> None:
    """Resolve what is owed: `outcome` is dice or the number of a pick (`outcomes.py`)."""
    settle_in_place(game, rules, board, outcome)


@inlined
def apply_in_place(game: Position, rules: Rules, board: BoardTables, action: int) -> None:
    """`apply` as part of its caller's code: for loops in which the kind of action is known."""
    kind = kind_of(action)
    a, b, n = a_of(action), b_of(action), n_of(action)
    if kind == Kind.ATTACK:
        attack(game, rules, board, a, b, n, c_of(action))
    elif kind == Kind.OCCUPY:
        occupy(game, rules, board, n)
    elif kind == Kind.PLACE:
        apply_place(game, rules, board, a, n)
    elif kind == Kind.END_ATTACK:
        end_attack(game, rules, board)
    elif kind == Kind.FORTIFY:
        apply_fortify(game, rules, board, a, b, n)
    elif kind == Kind.END_TURN:
        end_turn(game, rules, board)
    elif kind == Kind.DEFEND:
        defend(game, n)
    elif kind == Kind.TRADE:
        trade(game, rules, board, a, b, c_of(action), n)
        after_placement(game, rules, board)
    elif kind == Kind.CLAIM:
        claim(game, rules, board, a)
    else:
        apply_rare(game, rules, board, kind, a, b, n)


@compiled
def apply_rare(
    game: Position, rules: Rules, board: BoardTables, kind: int, a: int, b: int, n: int
) -> None:
    """The actions of single presets, and those that answer no duty."""
    if kind == Kind.CAPITAL:
        apply_capital(game, rules, board, a)
    elif kind == Kind.SEAL:
        game.sealed[a] = 1
        go_on_sealing(game, rules, board)
    elif kind == Kind.OFFER:
        offer(game, a)
    elif kind == Kind.WITHDRAW:
        withdraw(game, board)
    elif kind == Kind.TRADE_OFFER:
        trade_offer(game, board)
    elif kind == Kind.OBJECTIVE:
        claim_objective(game, rules, a, b)
        if not win_test(game, rules, board, game.turn):
            enter_fortify(game, rules, board)
    elif kind == Kind.DECLINE:
        apply_decline(game, rules, board)
    elif kind == Kind.STANDING:
        apply_standing(game, a, b, n)
    elif kind == Kind.RESIGN:
        resign(game, rules, board, a)
    elif kind == Kind.REVEAL:
        end_game(game, rules, board, a)


@compiled
def apply_place(game: Position, rules: Rules, board: BoardTables, t: int, armies: int) -> None:
    """Put armies down in whichever phase it is, and go on where they were the last."""
    if game.phase == Phase.PLACE:
        place_first(game, rules, board, t, armies)
        return
    place(game, rules, t, armies)
    if game.phase == Phase.SEALED:
        return
    after_placement(game, rules, board)
    if game.phase == Phase.CONTINENTS and game.unplaced[game.turn] == 0:
        if not turn_end_test(game, rules, board, game.turn):
            pass_turn(game, rules, board)


@compiled
def after_placement(game: Position, rules: Rules, board: BoardTables) -> None:
    """New armies stand: a mission may be complete, a trade in mid-turn may be over."""
    if not mission_test(game, rules, board, game.turn):
        go_on_trading(game, rules, board)


@compiled
def apply_capital(game: Position, rules: Rules, board: BoardTables, t: int) -> None:
    if game.phase == Phase.HEADQUARTERS:
        choose_headquarters(game, rules, board, t)
    else:
        game.capital[game.turn] = t
        claim(game, rules, board, t)


@compiled
def apply_decline(game: Position, rules: Rules, board: BoardTables) -> None:
    if game.phase == Phase.TRADE:
        game.phase = Phase.ATTACK
    else:
        enter_fortify(game, rules, board)


@compiled
def apply_standing(game: Position, seat: int, t: int, standing: int) -> None:
    if t == NOWHERE:
        game.standing_all[seat] = standing
    else:
        game.standing[t] = standing


@compiled
def apply_fortify(
    game: Position, rules: Rules, board: BoardTables, source: int, target: int, armies: int
) -> None:
    move(game, rules, source, target, armies)
    spend_manoeuvre(game, rules)
    if mission_test(game, rules, board, game.turn):
        return
    if game.phase == Phase.FORTIFY:
        go_on_fortifying(game, rules, board)


@inlined
def settle_in_place(game: Position, rules: Rules, board: BoardTables, outcome: int) -> None:
    """`settle` as part of its caller's code."""
    if game.chance == Chance.BATTLE:
        settle_battle(game, rules, board, outcome)
    elif game.chance == Chance.CARD:
        owe_nothing(game)
        draw(game, board, outcome, game.turn)
        after_draw(game, rules, board)
    elif game.chance == Chance.DICE:
        settle_dice(game, rules, board, outcome)
    else:
        settle_deal(game, rules, board, outcome)


@compiled
def settle_deal(game: Position, rules: Rules, board: BoardTables, number: int) -> None:
    """Resolve one pick of the set-up."""
    chance = game.chance
    owe_nothing(game)
    if chance == Chance.TERRITORY:
        settle_territory(game, rules, board, number)
    elif chance == Chance.FIRST_SEAT:
        settle_first(game, rules, board, number)
    elif chance == Chance.CITY:
        settle_city(game, rules, board, number)
    elif chance == Chance.MINOR_OBJECTIVE:
        settle_objective(game, rules, board, number, 0)
    elif chance == Chance.MAJOR_OBJECTIVE:
        settle_objective(game, rules, board, number, 1)
    elif chance == Chance.MINOR_REWARD:
        settle_reward(game, rules, board, number, 0)
    elif chance == Chance.MAJOR_REWARD:
        settle_reward(game, rules, board, number, 1)
    elif chance == Chance.NEUTRAL_TERRITORY:
        settle_neutral_territory(game, rules, board, number)
    elif chance == Chance.MISSION:
        settle_mission(game, rules, board, number)
    elif chance == Chance.STARTING_CARD:
        settle_starting_card(game, rules, board, number)
