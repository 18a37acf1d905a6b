"""Carries out actions and outcomes that are legal."""

from rubicon.engine import ownership, placement, records, setup, victory
from rubicon.engine.attack import (
    attack,
    defend,
    defend_by_order,
    go_on_trading,
    occupy,
    pass_spoils,
    settle_battle,
    standing_for,
)
from rubicon.engine.cards import draw, offer, trade, trade_offer, withdraw
from rubicon.engine.codes import NOWHERE, ActionKind, Refusal, a_of, b_of, c_of, kind_of, n_of
from rubicon.engine.records import BoardTables, Position, Rules, compiled, inlined
from rubicon.engine.turn import (
    after_draw,
    claim_objective,
    end_attack,
    end_turn,
    enter_fortify,
    go_on_fortifying,
    move,
    pass_objectives,
    pass_turn,
    place,
    spend_manoeuvre,
)

# Leaving a game, at any time and at once.


@compiled
def refuse_resign(position: Position, seat: int) -> int:
    if seat >= position.seats or position.status[seat] != records.Seat.PLAYING:
        return Refusal.NOT_PLAYING
    return Refusal.LEGAL


@compiled
def leave_board(position: Position, board: BoardTables, seat: int) -> None:
    """Territories turn neutral or rebel with their armies; cards go to the discard pile."""
    for t in range(board.territories):
        if position.owner[t] == seat:
            ownership.change_owner(position, t, records.NEUTRAL)
            if position.order_target == t:
                victory.forget_order(position)
    for card in range(board.cards):
        if position.card[card] == seat:
            position.card[card] = records.CardPlace.DISCARDS
            position.discards += 1
    position.hand[seat] = 0
    position.unplaced[seat] = 0
    position.sealed[seat] = 0
    position.snapshot[seat] = 0
    position.standing_all[seat] = records.Standing.NONE


@compiled
def resign(position: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """The seat leaves; the last one that stays wins at once under every preset (A-88).

    Where the last one leaves too (`neutral.must_fall`: its opponents are eliminated and rebels
    still are), the game ends without a winner.
    """
    mine = position.turn == seat
    # The captured territory is occupied and the spoils are taken before the seat leaves, so that
    # cards and armies go where they would have gone, and none is left between two places.
    if mine:
        victory.finish_pending(position, rules, board)
        if position.eliminated != records.NONE:
            pass_spoils(position, rules, board)
    leave_board(position, board, seat)
    position.status[seat] = records.Seat.RESIGNED
    victory.put_away(position, rules, board, seat, records.NONE)
    pass_objectives(position, seat, records.ObjectivePlace.BOX)
    ownership.lose_rewards(position, seat)
    staying = ownership.playing_seats(position)
    if staying < 2:
        winner = ownership.next_playing(position, seat) if staying == 1 else records.DRAWN
        victory.end_game(position, rules, board, winner)
        return
    go_on_without(position, rules, board, seat, mine)
    if position.phase >= records.Phase.REINFORCE and position.phase != records.Phase.OVER:
        victory.mission_test(position, rules, board, position.turn)


@compiled
def go_on_without(
    position: Position, rules: Rules, board: BoardTables, seat: int, mine: bool
) -> None:
    """The next seat goes on, in the set-up or in the game."""
    if position.phase == records.Phase.SEALED:
        placement.go_on_sealing(position, rules, board)
    elif position.phase == records.Phase.DEFEND and not mine:
        defend_without(position, rules)
    elif not mine:
        return
    elif position.phase == records.Phase.CLAIM:
        placement.go_on_claiming(position, rules, board, seat)
    elif position.phase == records.Phase.PLACE:
        position.own_left = 0
        position.neutral_left = 0
        placement.go_on_placing(position, rules, board, seat)
    elif position.phase == records.Phase.HEADQUARTERS:
        placement.go_on_choosing(position, rules, board)
    else:
        victory.clear_attack(position)
        victory.clear_turn(position)
        pass_turn(position, rules, board)


@compiled
def defend_without(position: Position, rules: Rules) -> None:
    """Armies whose owner left before choosing dice defend by the rule for neutral armies."""
    target = position.attack_target
    if position.owner[target] != records.NEUTRAL:
        return
    position.defence_extra = 0
    position.defence_plus = 0
    standing = standing_for(position, rules, target)
    if standing != records.Standing.NONE:
        defend_by_order(position, rules, target, standing)


# How a position changes: `apply` a legal action, `settle` a pending chance event.
#
# Neither checks anything: `legality.refusal` must have returned 0, and an outcome must fit.


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
        placement.claim(position, rules, board, a)
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
        placement.go_on_sealing(position, rules, board)
    elif kind == ActionKind.OFFER:
        offer(position, a)
    elif kind == ActionKind.WITHDRAW:
        withdraw(position, board)
    elif kind == ActionKind.TRADE_OFFER:
        trade_offer(position, board)
    elif kind == ActionKind.OBJECTIVE:
        claim_objective(position, rules, a, b)
        if not victory.win_test(position, rules, board, position.turn):
            enter_fortify(position, rules, board)
    elif kind == ActionKind.DECLINE:
        apply_decline(position, rules, board)
    elif kind == ActionKind.STANDING:
        apply_standing(position, a, b, n)
    elif kind == ActionKind.RESIGN:
        resign(position, rules, board, a)
    elif kind == ActionKind.REVEAL:
        victory.end_game(position, rules, board, a)


@compiled
def apply_place(position: Position, rules: Rules, board: BoardTables, t: int, armies: int) -> None:
    """Place armies in any phase that has placements, and go on when the last ones stand."""
    if position.phase == records.Phase.PLACE:
        placement.place_first(position, rules, board, t, armies)
        return
    place(position, rules, t, armies)
    if position.phase == records.Phase.SEALED:
        return
    after_placement(position, rules, board)
    if position.phase == records.Phase.CONTINENTS and position.unplaced[position.turn] == 0:
        if not victory.turn_end_test(position, rules, board, position.turn):
            pass_turn(position, rules, board)


@compiled
def after_placement(position: Position, rules: Rules, board: BoardTables) -> None:
    """After a placement: test the missions, and end a trade in mid-turn that is complete."""
    if not victory.mission_test(position, rules, board, position.turn):
        go_on_trading(position, rules, board)


@compiled
def apply_capital(position: Position, rules: Rules, board: BoardTables, t: int) -> None:
    if position.phase == records.Phase.HEADQUARTERS:
        placement.choose_headquarters(position, rules, board, t)
    else:
        position.capital[position.turn] = t
        placement.claim(position, rules, board, t)


@compiled
def apply_decline(position: Position, rules: Rules, board: BoardTables) -> None:
    if position.phase == records.Phase.TRADE:
        position.phase = records.Phase.ATTACK
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
    if victory.mission_test(position, rules, board, position.turn):
        return
    if position.phase == records.Phase.FORTIFY:
        go_on_fortifying(position, rules, board)


@inlined
def settle_in_place(position: Position, rules: Rules, board: BoardTables, outcome: int) -> None:
    """`settle` as part of its caller's code."""
    if position.chance == records.Chance.BATTLE:
        settle_battle(position, rules, board, outcome)
    elif position.chance == records.Chance.CARD:
        ownership.clear_pending(position)
        draw(position, board, outcome, position.turn)
        after_draw(position, rules, board)
    elif position.chance == records.Chance.DICE:
        setup.settle_dice(position, rules, board, outcome)
    else:
        settle_deal(position, rules, board, outcome)


@compiled
def settle_deal(position: Position, rules: Rules, board: BoardTables, number: int) -> None:
    """Resolve one pick of the set-up."""
    chance = position.chance
    ownership.clear_pending(position)
    if chance == records.Chance.TERRITORY:
        setup.settle_territory(position, rules, board, number)
    elif chance == records.Chance.FIRST_SEAT:
        setup.settle_first(position, rules, board, number)
    elif chance == records.Chance.CITY:
        setup.settle_city(position, rules, board, number)
    elif chance == records.Chance.MINOR_OBJECTIVE:
        setup.settle_objective(position, rules, board, number, 0)
    elif chance == records.Chance.MAJOR_OBJECTIVE:
        setup.settle_objective(position, rules, board, number, 1)
    elif chance == records.Chance.MINOR_REWARD:
        setup.settle_reward(position, rules, board, number, 0)
    elif chance == records.Chance.MAJOR_REWARD:
        setup.settle_reward(position, rules, board, number, 1)
    elif chance == records.Chance.NEUTRAL_TERRITORY:
        setup.settle_neutral_territory(position, rules, board, number)
    elif chance == records.Chance.MISSION:
        setup.settle_mission(position, rules, board, number)
    elif chance == records.Chance.STARTING_CARD:
        placement.settle_starting_card(position, rules, board, number)
