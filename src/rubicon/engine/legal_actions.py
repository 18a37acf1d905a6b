"""The legal actions of a seat, as ranges: an action and the lowest and highest of its number.

A range is three integers: the action with n = 0, the lowest n, the highest n. Ranges are not
expanded here, so a list stays short however many armies there are.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.engine import cards, codes, records
from rubicon.engine.attack import most_attack_dice, most_defence_dice, target_refusal
from rubicon.engine.legality import refuse_reveal
from rubicon.engine.ownership import acts, has_reward
from rubicon.engine.placement import refuse_claim, refuse_two_and_one
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.engine.turn import brings_airfield, first_step_refusal, fortify_reaches, objective_met

ROOM = 16_384  # ranges in a buffer: enough for all but the largest hands (`Legal` makes more)
RangeBuffer = npt.NDArray[np.int64]


def range_buffer(room: int = ROOM) -> Any:
    """Room for `room` ranges: int64, shape (room, 3)."""
    return np.zeros((room, 3), np.int64)


@compiled
def add(into: RangeBuffer, count: int, action: int, low: int, high: int) -> int:
    """Append a range unless it is empty; return the new count, which goes on beyond the room."""
    if low > high:
        return count
    if count < len(into):
        into[count, 0] = action
        into[count, 1] = low
        into[count, 2] = high
    return count + 1


@compiled
def add_plain(into: RangeBuffer, count: int, kind: int) -> int:
    return add(into, count, codes.encode(kind, 0, 0, 0, 0), 0, 0)


@compiled
def ranges(
    position: Position, rules: Rules, board: BoardTables, seat: int, into: RangeBuffer
) -> int:
    """List the decisions that a seat may take now; return the number of ranges (0: not its move).

    Ranges beyond the room of `into` are counted and not written.
    """
    if not acts(position, seat):
        return 0
    phase = position.phase
    if phase == records.Phase.CLAIM:
        return claims(position, rules, board, into)
    if phase == records.Phase.PLACE:
        return first_placements(position, rules, board, into)
    if phase == records.Phase.SEALED:
        return sealed_placements(position, board, seat, into)
    if phase == records.Phase.HEADQUARTERS:
        return headquarters(position, board, into)
    if phase == records.Phase.REINFORCE:
        return first_step(position, rules, board, into)
    if phase == records.Phase.ATTACK:
        count = attacks(position, rules, board, into, 0)
        return add_plain(into, count, codes.ActionKind.END_ATTACK)
    if phase == records.Phase.DEFEND:
        most = most_defence_dice(position, rules, position.attack_target)
        return add(into, 0, codes.encode(codes.ActionKind.DEFEND, 0, 0, 0, 0), 1, most)
    if phase == records.Phase.OCCUPY:
        most = position.armies[position.attack_source] - 1
        return add(
            into,
            0,
            codes.encode(codes.ActionKind.OCCUPY, 0, 0, 0, 0),
            position.occupy_minimum,
            most,
        )
    if phase == records.Phase.TRADE:
        return spoils_step(position, rules, board, into)
    if phase == records.Phase.OBJECTIVE:
        return objective_claims(position, rules, board, into)
    if phase == records.Phase.FORTIFY:
        count = moves(position, rules, board, into, 0)
        return add_plain(into, count, codes.ActionKind.END_TURN)
    return placements(position, board, seat, into, 0)


@compiled
def decisions(position: Position, rules: Rules, board: BoardTables, into: RangeBuffer) -> int:
    """List the decisions of every seat that has one pending; return the number of ranges.

    Ranges beyond the room of `into` are counted and not written.
    """
    count = 0
    for seat in range(position.seats):
        # A slice beyond the end is empty, so that ranges without room are counted all the same.
        count += ranges(position, rules, board, seat, into[count:])
    return count


@compiled
def claims(position: Position, rules: Rules, board: BoardTables, into: RangeBuffer) -> int:
    count = 0
    capital = rules.setup_capitals != 0 and position.capital[position.turn] == records.NONE
    kind = codes.ActionKind.CAPITAL if capital else codes.ActionKind.CLAIM
    for t in range(board.territories):
        if refuse_claim(position, rules, board, t, capital) == 0:
            count = add(into, count, codes.encode(kind, t, 0, 0, 0), 0, 0)
    return count


@compiled
def headquarters(position: Position, board: BoardTables, into: RangeBuffer) -> int:
    count = 0
    for t in range(board.territories):
        if position.owner[t] == position.turn:
            count = add(into, count, codes.encode(codes.ActionKind.CAPITAL, t, 0, 0, 0), 0, 0)
    return count


@compiled
def first_placements(
    position: Position, rules: Rules, board: BoardTables, into: RangeBuffer
) -> int:
    """Starting armies, one at a time or two own and one neutral."""
    count = 0
    two_and_one = rules.setup_place == codes.Placing.TWO_OWN_ONE_NEUTRAL
    for t in range(board.territories):
        action = codes.encode(codes.ActionKind.PLACE, t, 0, 0, 0)
        if two_and_one:
            most = (
                position.neutral_left if position.owner[t] == records.NEUTRAL else position.own_left
            )
            if refuse_two_and_one(position, t, 1) == 0:
                count = add(into, count, action, 1, most)
        elif position.owner[t] == position.turn:
            count = add(into, count, action, 1, 1)
    return count


@compiled
def sealed_placements(position: Position, board: BoardTables, seat: int, into: RangeBuffer) -> int:
    if position.unplaced[seat] == 0:
        return add(into, 0, codes.encode(codes.ActionKind.SEAL, seat, 0, 0, 0), 0, 0)
    return placements(position, board, seat, into, 0)


@compiled
def placements(
    position: Position, board: BoardTables, seat: int, into: RangeBuffer, count: int
) -> int:
    """Any number of the unplaced armies, on any own territory."""
    if position.unplaced[seat] == 0:
        return count
    for t in range(board.territories):
        if position.owner[t] == seat:
            action = codes.encode(codes.ActionKind.PLACE, t, 0, 0, 0)
            count = add(into, count, action, 1, position.unplaced[seat])
    return count


@compiled
def first_step(position: Position, rules: Rules, board: BoardTables, into: RangeBuffer) -> int:
    """Trades and placements in any order, and what ends the step where it may end (A-84)."""
    count = placements(position, board, position.turn, into, 0)
    count = trades(position, rules, board, into, count)
    if first_step_refusal(position, rules, board) != 0:
        return count
    if rules.objectives_in_play != 0:
        if has_reward(position, rules, position.turn, records.RewardKind.STARTING_MANOEUVRE):
            count = moves(position, rules, board, into, count)
    count = attacks(position, rules, board, into, count)
    return add_plain(into, count, codes.ActionKind.END_ATTACK)


@compiled
def spoils_step(position: Position, rules: Rules, board: BoardTables, into: RangeBuffer) -> int:
    """Sets traded after an elimination, and their armies (A-22)."""
    count = placements(position, board, position.turn, into, 0)
    count = trades(position, rules, board, into, count)
    if (
        rules.elim_trade == codes.EliminationTrade.OPTIONAL
        and position.unplaced[position.turn] == 0
    ):
        count = add_plain(into, count, codes.ActionKind.DECLINE)
    return count


@compiled
def trades(
    position: Position, rules: Rules, board: BoardTables, into: RangeBuffer, count: int
) -> int:
    """Every set in the hand, or the steps of a trade in stars."""
    if rules.cards_values == codes.SetValues.STARS:
        return star_trades(position, rules, board, into, count)
    seat = position.turn
    if position.hand[seat] < 3 or cards.trading_refusal(position, rules, board) != 0:
        return count
    for a in range(board.cards):
        if position.card[a] != seat:
            continue
        for b in range(a + 1, board.cards):
            if position.card[b] != seat:
                continue
            for c in range(b + 1, board.cards):
                if position.card[c] == seat and cards.set_refusal(rules, board, a, b, c) == 0:
                    count = set_trades(position, rules, board, into, count, a, b, c)
    return count


@compiled
def set_trades(
    position: Position,
    rules: Rules,
    board: BoardTables,
    into: RangeBuffer,
    count: int,
    a: int,
    b: int,
    c: int,
) -> int:
    """One trade, or one for each territory that the bonus may go to (A-85)."""
    action = codes.encode(codes.ActionKind.TRADE, a, b, c, 0)
    if cards.bonus_choices(position, rules, board, a, b, c) < 2:
        return add(into, count, action, 0, 0)
    for card in (int(a), int(b), int(c)):  # Numba wants one type in a tuple that is looped over
        if cards.pictured(position, board, card, position.turn) != 0:
            count = add(into, count, action, card + 1, card + 1)
    return count


@compiled
def star_trades(
    position: Position, rules: Rules, board: BoardTables, into: RangeBuffer, count: int
) -> int:
    """Cards to lay down, and what is laid down to trade or take back."""
    if cards.stars_refusal(position, rules) != 0:
        return count
    stars = cards.offered_stars(position, board)
    for card in range(board.cards):
        if position.card[card] == position.turn and stars + board.stars[card] <= cards.MOST_STARS:
            count = add(into, count, codes.encode(codes.ActionKind.OFFER, card, 0, 0, 0), 0, 0)
    if stars > 0:
        count = add_plain(into, count, codes.ActionKind.WITHDRAW)
    if stars > 1:
        count = add_plain(into, count, codes.ActionKind.TRADE_OFFER)
    return count


@compiled
def attacks(
    position: Position, rules: Rules, board: BoardTables, into: RangeBuffer, count: int
) -> int:
    """Every border to attack across, with each number of dice."""
    for source in range(board.territories):
        if position.owner[source] != position.turn or position.armies[source] < 2:
            continue
        dice = most_attack_dice(position, rules, source)
        for i in range(board.degree[source]):
            target = board.neighbour[source, i]
            if target_refusal(position, rules, target) == 0:
                action = codes.encode(codes.ActionKind.ATTACK, source, target, 0, 0)
                count = add(into, count, action, 1, dice)
    return attack_again(position, rules, into, count)


@compiled
def attack_again(position: Position, rules: Rules, into: RangeBuffer, count: int) -> int:
    """The same attack order going on, where standing orders answer attacks (A-70)."""
    source = position.order_source
    if rules.dice_announce != codes.Announce.STANDING_ORDER or source == records.NONE:
        return count
    if position.armies[source] < 2:
        return count
    action = codes.encode(codes.ActionKind.ATTACK, source, position.order_target, 1, 0)
    return add(into, count, action, 1, most_attack_dice(position, rules, source))


@compiled
def moves(
    position: Position, rules: Rules, board: BoardTables, into: RangeBuffer, count: int
) -> int:
    """Every move of armies that the reach of fortification allows."""
    reached = np.zeros(records.TERRITORIES, np.int8)
    for source in range(board.territories):
        if position.owner[source] != position.turn or position.armies[source] < 2:
            continue
        fortify_reaches(position, rules, board, source, reached)
        for target in range(board.territories):
            if reached[target] != 0 and target != source:
                action = codes.encode(codes.ActionKind.FORTIFY, source, target, 0, 0)
                count = add(into, count, action, 1, position.armies[source] - 1)
    return count


@compiled
def objective_claims(
    position: Position, rules: Rules, board: BoardTables, into: RangeBuffer
) -> int:
    """Face-up objectives that are met, with every place for an airfield; or none."""
    count = 0
    for objective in range(records.OBJECTIVES):
        if position.objective[objective] != records.ObjectivePlace.FACE_UP:
            continue
        if not objective_met(position, rules, board, objective):
            continue
        if not brings_airfield(position, rules, objective):
            action = codes.encode(codes.ActionKind.OBJECTIVE, objective, codes.NOWHERE, 0, 0)
            count = add(into, count, action, 0, 0)
            continue
        for t in range(board.territories):
            if position.owner[t] == position.turn:
                action = codes.encode(codes.ActionKind.OBJECTIVE, objective, t, 0, 0)
                count = add(into, count, action, 0, 0)
    return add_plain(into, count, codes.ActionKind.DECLINE)


@compiled
def out_of_turn(
    position: Position, rules: Rules, board: BoardTables, seat: int, into: RangeBuffer
) -> int:
    """List a seat's actions out of turn: standing orders, resigning, a mission shown."""
    if position.phase == records.Phase.OVER or position.status[seat] != records.Seat.PLAYING:
        return 0
    everywhere = codes.encode(codes.ActionKind.STANDING, seat, codes.NOWHERE, 0, 0)
    count = add(into, 0, everywhere, records.Standing.NONE, records.Standing.MAXIMUM)
    for t in range(board.territories):
        if position.owner[t] == seat:
            action = codes.encode(codes.ActionKind.STANDING, seat, t, 0, 0)
            count = add(into, count, action, records.Standing.NONE, records.Standing.MAXIMUM)
    if position.chance != 0:
        return count
    count = add(into, count, codes.encode(codes.ActionKind.RESIGN, seat, 0, 0, 0), 0, 0)
    if refuse_reveal(position, rules, board, seat) == 0:
        count = add(into, count, codes.encode(codes.ActionKind.REVEAL, seat, 0, 0, 0), 0, 0)
    return count
