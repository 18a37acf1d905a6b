"""What a seat may do, as families: an action and the range of its number.

A family is three integers: the action with n = 0, the lowest n, the highest n. Nothing is
expanded here, so a list stays short however many armies there are.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.rules.choices import (
    Announce,
    EliminationTrade,
    Placing,
    SetValues,
)
from rubicon.rules.layout import compiled
from rubicon.rules.position import (
    NEUTRAL,
    NONE,
    OBJECTIVES,
    TERRITORIES,
    ObjectivePlace,
    Phase,
    Position,
    Seat,
    Standing,
)
from rubicon.rules.procedures.attack import most_attack_dice, most_defence_dice
from rubicon.rules.procedures.cards import (
    MOST_STARS,
    bonus_choices,
    offered_stars,
    pictured,
    set_refusal,
    stars_refusal,
    trading_refusal,
)
from rubicon.rules.procedures.codes import NOWHERE, Kind, encode
from rubicon.rules.procedures.fortify import fortify_reaches
from rubicon.rules.procedures.holdings import acts
from rubicon.rules.procedures.legality import refuse_reveal
from rubicon.rules.procedures.objectives import brings_airfield, objective_met
from rubicon.rules.procedures.placing import refuse_claim, refuse_two_and_one
from rubicon.rules.procedures.reinforce import first_step_refusal
from rubicon.rules.procedures.rewards import has_reward
from rubicon.rules.tables import BoardTables, RewardKind, Rules

ROOM = 16_384  # families in a buffer: enough for all but the largest hands (`Legal` makes more)
Families = npt.NDArray[np.int64]


def family_buffer(room: int = ROOM) -> Any:
    """Room for families, in which bots may write: int64, shape (room, 3)."""
    return np.zeros((room, 3), np.int64)


@compiled
def add(into: Families, count: int, action: int, low: int, high: int) -> int:
    """Append a family if its range is not empty; the new count, which goes on beyond the room."""
    if low > high:
        return count
    if count < len(into):
        into[count, 0] = action
        into[count, 1] = low
        into[count, 2] = high
    return count + 1


@compiled
def add_plain(into: Families, count: int, kind: int) -> int:
    return add(into, count, encode(kind, 0, 0, 0, 0), 0, 0)


@compiled
def families(game: Position, rules: Rules, board: BoardTables, seat: int, into: Families) -> int:
    """List what the seat may decide now; how many families there are (0 where it owes nothing).

    Those that `into` has no room for are counted and not written.
    """
    if not acts(game, seat):
        return 0
    phase = game.phase
    if phase == Phase.CLAIM:
        return claims(game, rules, board, into)
    if phase == Phase.PLACE:
        return first_placements(game, rules, board, into)
    if phase == Phase.SEALED:
        return sealed_placements(game, board, seat, into)
    if phase == Phase.HEADQUARTERS:
        return headquarters(game, board, into)
    if phase == Phase.REINFORCE:
        return first_step(game, rules, board, into)
    if phase == Phase.ATTACK:
        count = attacks(game, rules, board, into, 0)
        return add_plain(into, count, Kind.END_ATTACK)
    if phase == Phase.DEFEND:
        most = most_defence_dice(game, rules, game.attack_target)
        return add(into, 0, encode(Kind.DEFEND, 0, 0, 0, 0), 1, most)
    if phase == Phase.OCCUPY:
        most = game.armies[game.attack_source] - 1
        return add(into, 0, encode(Kind.OCCUPY, 0, 0, 0, 0), game.occupy_minimum, most)
    if phase == Phase.TRADE:
        return spoils_step(game, rules, board, into)
    if phase == Phase.OBJECTIVE:
        return objective_claims(game, rules, board, into)
    if phase == Phase.FORTIFY:
        count = moves(game, rules, board, into, 0)
        return add_plain(into, count, Kind.END_TURN)
    return placements(game, board, seat, into, 0)


@compiled
def claims(game: Position, rules: Rules, board: BoardTables, into: Families) -> int:
    count = 0
    capital = rules.setup_capitals != 0 and game.capital[game.turn] == NONE
    kind = Kind.CAPITAL if capital else Kind.CLAIM
    for t in range(board.territories):
        if refuse_claim(game, rules, board, t, capital) == 0:
            count = add(into, count, encode(kind, t, 0, 0, 0), 0, 0)
    return count


@compiled
def headquarters(game: Position, board: BoardTables, into: Families) -> int:
    count = 0
    for t in range(board.territories):
        if game.owner[t] == game.turn:
            count = add(into, count, encode(Kind.CAPITAL, t, 0, 0, 0), 0, 0)
    return count


@compiled
def first_placements(game: Position, rules: Rules, board: BoardTables, into: Families) -> int:
    """Starting armies, one at a time or two own and one neutral."""
    count = 0
    two_and_one = rules.setup_place == Placing.TWO_OWN_ONE_NEUTRAL
    for t in range(board.territories):
        action = encode(Kind.PLACE, t, 0, 0, 0)
        if two_and_one:
            most = game.neutral_left if game.owner[t] == NEUTRAL else game.own_left
            if refuse_two_and_one(game, t, 1) == 0:
                count = add(into, count, action, 1, most)
        elif game.owner[t] == game.turn:
            count = add(into, count, action, 1, 1)
    return count


@compiled
def sealed_placements(game: Position, board: BoardTables, seat: int, into: Families) -> int:
    if game.unplaced[seat] == 0:
        return add(into, 0, encode(Kind.SEAL, seat, 0, 0, 0), 0, 0)
    return placements(game, board, seat, into, 0)


@compiled
def placements(game: Position, board: BoardTables, seat: int, into: Families, count: int) -> int:
    """All armies that wait, on any own territory."""
    if game.unplaced[seat] == 0:
        return count
    for t in range(board.territories):
        if game.owner[t] == seat:
            action = encode(Kind.PLACE, t, 0, 0, 0)
            count = add(into, count, action, 1, game.unplaced[seat])
    return count


@compiled
def first_step(game: Position, rules: Rules, board: BoardTables, into: Families) -> int:
    """Trades and placements in any order; what ends the step once nothing keeps it (A-84)."""
    count = placements(game, board, game.turn, into, 0)
    count = trades(game, rules, board, into, count)
    if first_step_refusal(game, rules, board) != 0:
        return count
    if rules.objectives_in_play != 0:
        if has_reward(game, rules, game.turn, RewardKind.STARTING_MANOEUVRE):
            count = moves(game, rules, board, into, count)
    count = attacks(game, rules, board, into, count)
    return add_plain(into, count, Kind.END_ATTACK)


@compiled
def spoils_step(game: Position, rules: Rules, board: BoardTables, into: Families) -> int:
    """Sets traded after an elimination, and their armies (A-22)."""
    count = placements(game, board, game.turn, into, 0)
    count = trades(game, rules, board, into, count)
    if rules.elim_trade == EliminationTrade.OPTIONAL and game.unplaced[game.turn] == 0:
        count = add_plain(into, count, Kind.DECLINE)
    return count


@compiled
def trades(game: Position, rules: Rules, board: BoardTables, into: Families, count: int) -> int:
    """Every set in the hand, or the steps of a trade in stars."""
    if rules.cards_values == SetValues.STARS:
        return star_trades(game, rules, board, into, count)
    seat = game.turn
    if game.hand[seat] < 3 or trading_refusal(game, rules, board) != 0:
        return count
    for a in range(board.cards):
        if game.card[a] != seat:
            continue
        for b in range(a + 1, board.cards):
            if game.card[b] != seat:
                continue
            for c in range(b + 1, board.cards):
                if game.card[c] == seat and set_refusal(rules, board, a, b, c) == 0:
                    count = set_trades(game, rules, board, into, count, a, b, c)
    return count


@compiled
def set_trades(
    game: Position,
    rules: Rules,
    board: BoardTables,
    into: Families,
    count: int,
    a: int,
    b: int,
    c: int,
) -> int:
    """One trade, or one for each territory that the bonus may go to (A-85)."""
    action = encode(Kind.TRADE, a, b, c, 0)
    if bonus_choices(game, rules, board, a, b, c) < 2:
        return add(into, count, action, 0, 0)
    for card in (int(a), int(b), int(c)):
        if pictured(game, board, card, game.turn) != 0:
            count = add(into, count, action, card + 1, card + 1)
    return count


@compiled
def star_trades(
    game: Position, rules: Rules, board: BoardTables, into: Families, count: int
) -> int:
    """Cards to lay down, and what is laid down to trade or take back."""
    if stars_refusal(game, rules) != 0:
        return count
    stars = offered_stars(game, board)
    for card in range(board.cards):
        if game.card[card] == game.turn and stars + board.stars[card] <= MOST_STARS:
            count = add(into, count, encode(Kind.OFFER, card, 0, 0, 0), 0, 0)
    if stars > 0:
        count = add_plain(into, count, Kind.WITHDRAW)
    if stars > 1:
        count = add_plain(into, count, Kind.TRADE_OFFER)
    return count


@compiled
def attacks(game: Position, rules: Rules, board: BoardTables, into: Families, count: int) -> int:
    """Every border to attack across, with each number of dice."""
    for source in range(board.territories):
        if game.owner[source] != game.turn or game.armies[source] < 2:
            continue
        dice = most_attack_dice(game, rules, source)
        for i in range(board.degree[source]):
            target = board.neighbour[source, i]
            if game.owner[target] != game.turn:
                action = encode(Kind.ATTACK, source, target, 0, 0)
                count = add(into, count, action, 1, dice)
    return attack_again(game, rules, into, count)


@compiled
def attack_again(game: Position, rules: Rules, into: Families, count: int) -> int:
    """The same attack order going on, where standing orders answer attacks (A-70)."""
    source = game.order_source
    if rules.dice_announce != Announce.STANDING_ORDER or source == NONE:
        return count
    if game.armies[source] < 2:
        return count
    action = encode(Kind.ATTACK, source, game.order_target, 1, 0)
    return add(into, count, action, 1, most_attack_dice(game, rules, source))


@compiled
def moves(game: Position, rules: Rules, board: BoardTables, into: Families, count: int) -> int:
    """Every move of armies that the reach of fortification allows."""
    reached = np.zeros(TERRITORIES, np.int8)
    for source in range(board.territories):
        if game.owner[source] != game.turn or game.armies[source] < 2:
            continue
        fortify_reaches(game, rules, board, source, reached)
        for target in range(board.territories):
            if reached[target] != 0 and target != source:
                action = encode(Kind.FORTIFY, source, target, 0, 0)
                count = add(into, count, action, 1, game.armies[source] - 1)
    return count


@compiled
def objective_claims(game: Position, rules: Rules, board: BoardTables, into: Families) -> int:
    """Face-up objectives that are met, with every place for an airfield; or none."""
    count = 0
    for objective in range(OBJECTIVES):
        if game.objective[objective] != ObjectivePlace.FACE_UP:
            continue
        if not objective_met(game, rules, board, objective):
            continue
        if not brings_airfield(game, rules, objective):
            action = encode(Kind.OBJECTIVE, objective, NOWHERE, 0, 0)
            count = add(into, count, action, 0, 0)
            continue
        for t in range(board.territories):
            if game.owner[t] == game.turn:
                action = encode(Kind.OBJECTIVE, objective, t, 0, 0)
                count = add(into, count, action, 0, 0)
    return add_plain(into, count, Kind.DECLINE)


@compiled
def asides(game: Position, rules: Rules, board: BoardTables, seat: int, into: Families) -> int:
    """What a seat may do though nothing is owed by it: standing orders, leaving, a mission."""
    if game.phase == Phase.OVER or game.status[seat] != Seat.PLAYING:
        return 0
    everywhere = encode(Kind.STANDING, seat, NOWHERE, 0, 0)
    count = add(into, 0, everywhere, Standing.NONE, Standing.MAXIMUM)
    for t in range(board.territories):
        if game.owner[t] == seat:
            action = encode(Kind.STANDING, seat, t, 0, 0)
            count = add(into, count, action, Standing.NONE, Standing.MAXIMUM)
    if game.chance != 0:
        return count
    count = add(into, count, encode(Kind.RESIGN, seat, 0, 0, 0), 0, 0)
    if refuse_reveal(game, rules, board, seat) == 0:
        count = add(into, count, encode(Kind.REVEAL, seat, 0, 0, 0), 0, 0)
    return count
