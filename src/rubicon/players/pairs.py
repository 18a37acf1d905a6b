"""The yardstick's player: random play that ends, the same as the C program it is measured against.

A pair of an own and an enemy territory is picked at random and rolled out with most dice, with one
chance in sixteen to stop at each step; armies go on borders in random chunks. Everything goes
through the engine's own `refusal`, `apply` and `settle`; dice are drawn as values.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.rules.choices import SetValues
from rubicon.rules.layout import compiled, inlined
from rubicon.rules.position import Chance, Phase, Position
from rubicon.rules.procedures.attack import most_attack_dice
from rubicon.rules.procedures.cards import MOST_STARS, offered_stars, pictured, set_refusal
from rubicon.rules.procedures.codes import Kind, encode
from rubicon.rules.procedures.families import Families, families
from rubicon.rules.procedures.legality import refusal
from rubicon.rules.procedures.placing import nth_unowned, unowned
from rubicon.rules.procedures.play import apply, apply_in_place, settle, settle_in_place
from rubicon.rules.procedures.sampling import Generator, below, sample
from rubicon.rules.tables import BoardTables, Rules

STOP = 16  # one chance in so many to stop
ROLLS, PLACEMENTS, OCCUPATIONS, FORTIFICATIONS, TRADES, TURNS, REFUSED = range(7)
COUNTERS = 7
Counts = npt.NDArray[np.int64]
Positions = Any  # an array of positions


@compiled
def act(game: Position, rules: Rules, board: BoardTables, action: int, counts: Counts) -> None:
    """Apply an action, asking first whether it is legal where that is wanted."""
    check(game, rules, board, action, counts)
    apply(game, rules, board, action)


@inlined
def check(game: Position, rules: Rules, board: BoardTables, action: int, counts: Counts) -> None:
    """Ask for the refusal of an action and count it, unless `counts[REFUSED]` is negative."""
    if counts[REFUSED] >= 0:
        counts[REFUSED] += int(refusal(game, rules, board, action) != 0)


@compiled
def nth_own(game: Position, board: BoardTables, owner: int, number: int) -> int:
    for t in range(board.territories):
        if game.owner[t] == owner:
            if number == 0:
                return t
            number -= 1
    return -1


@compiled
def borders(game: Position, board: BoardTables, into: Families) -> int:
    """List the acting seat's territories that touch another's, or its first one if none does."""
    seat = game.turn
    count = 0
    for t in range(board.territories):
        if game.owner[t] != seat:
            continue
        for i in range(board.degree[t]):
            if game.owner[board.neighbour[t, i]] != seat:
                into[count, 0] = t
                count += 1
                break
    if count == 0:
        into[0, 0] = nth_own(game, board, seat, 0)
        return 1
    return count


@compiled
def place_chunks(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    into: Families,
    counts: Counts,
) -> None:
    """Random chunks of all armies on random borders."""
    listed = borders(game, board, into)
    seat = game.turn
    while game.unplaced[seat] > 0 and game.phase != Phase.OVER:
        armies = 1 + below(rng, game.unplaced[seat])
        t = into[below(rng, listed), 0]
        counts[PLACEMENTS] += 1
        act(game, rules, board, encode(Kind.PLACE, t, 0, 0, armies), counts)


@compiled
def find_set(game: Position, board: BoardTables, rules: Rules) -> int:
    """The first set in the hand as a trade, with its bonus on the first pictured territory."""
    seat = game.turn
    for a in range(board.cards):
        if game.card[a] != seat:
            continue
        for b in range(a + 1, board.cards):
            if game.card[b] != seat:
                continue
            for c in range(b + 1, board.cards):
                if game.card[c] == seat and set_refusal(rules, board, a, b, c) == 0:
                    return encode(Kind.TRADE, a, b, c, bonus(game, rules, board, a, b, c))
    return -1


@compiled
def bonus(game: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int) -> int:
    """The territory to name for the bonus + 1, 0 where none is due."""
    if rules.cards_territory_bonus == 0 or game.bonus_taken != 0:
        return 0
    for card in (a, b, c):
        if pictured(game, board, card, game.turn) != 0:
            return card + 1
    return 0


@compiled
def trade_stars(game: Position, rules: Rules, board: BoardTables, counts: Counts) -> None:
    """Offer cards as far as ten stars go, and trade them."""
    for card in range(board.cards):
        fits = offered_stars(game, board) + board.stars[card] <= MOST_STARS
        if fits and game.card[card] == game.turn:
            act(game, rules, board, encode(Kind.OFFER, card, 0, 0, 0), counts)
    counts[TRADES] += 1
    act(game, rules, board, encode(Kind.TRADE_OFFER, 0, 0, 0, 0), counts)


@compiled
def trade_sets(
    game: Position, rules: Rules, board: BoardTables, rng: Generator, counts: Counts
) -> None:
    """Sets while they are forced, and by the toss of a coin while they are not."""
    seat = game.turn
    if rules.cards_values == SetValues.STARS:
        if game.hand[seat] >= 3 and below(rng, 2) == 0:
            trade_stars(game, rules, board, counts)
        return
    while game.hand[seat] >= 5 or (
        game.phase == Phase.REINFORCE and game.hand[seat] >= 3 and below(rng, 2) == 0
    ):
        trade = find_set(game, board, rules)
        if trade < 0 or game.phase == Phase.OVER:
            return
        counts[TRADES] += 1
        act(game, rules, board, trade, counts)


@compiled
def attack_pairs(game: Position, board: BoardTables, into: Families) -> int:
    """List every pair of an own territory with two armies and an enemy neighbour, in one number."""
    seat = game.turn
    count = 0
    for source in range(board.territories):
        if game.owner[source] != seat or game.armies[source] < 2:
            continue
        for i in range(board.degree[source]):
            target = int(board.neighbour[source, i])
            into[count, 0] = (source << 8) | target
            count += int(game.owner[target] != seat)
    return count


@compiled
def roll_out(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    source: int,
    target: int,
    counts: Counts,
) -> None:
    """Roll with most dice until the target falls, the source is spent, or chance says stop."""
    while True:
        dice = most_attack_dice(game, rules, source)
        action = encode(Kind.ATTACK, source, target, 0, dice)
        check(game, rules, board, action, counts)
        apply_in_place(game, rules, board, action)
        counts[ROLLS] += 1
        settle_in_place(game, rules, board, sample(game, rng))
        if game.phase != Phase.ATTACK or game.armies[source] < 2 or below(rng, STOP) == 0:
            return


@compiled
def occupy_at_random(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    counts: Counts,
) -> None:
    """Move a random number of armies in."""
    most = game.armies[game.attack_source] - 1
    armies = game.occupy_minimum + below(rng, most - game.occupy_minimum + 1)
    counts[OCCUPATIONS] += 1
    act(game, rules, board, encode(Kind.OCCUPY, 0, 0, 0, armies), counts)


@compiled
def attack_step(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    into: Families,
    counts: Counts,
) -> None:
    """Random pairs until chance says stop or there is none."""
    while game.phase in (Phase.REINFORCE, Phase.ATTACK):
        listed = 0 if below(rng, STOP) == 0 else attack_pairs(game, board, into)
        if listed == 0:
            counts[TURNS] += 1
            act(game, rules, board, encode(Kind.END_ATTACK, 0, 0, 0, 0), counts)
            return
        pair = below(rng, listed)
        source, target = into[pair, 0] >> 8, into[pair, 0] & 255
        roll_out(game, rules, board, rng, source, target, counts)
        if game.phase == Phase.OCCUPY:
            occupy_at_random(game, rules, board, rng, counts)
        while game.phase == Phase.TRADE:
            trade_sets(game, rules, board, rng, counts)
            place_chunks(game, rules, board, rng, into, counts)


@compiled
def fortify_pairs(game: Position, board: BoardTables, into: Families) -> int:
    """List every pair of an own territory with two armies and an own neighbour, in one number."""
    seat = game.turn
    count = 0
    for source in range(board.territories):
        if game.owner[source] != seat or game.armies[source] < 2:
            continue
        for i in range(board.degree[source]):
            target = int(board.neighbour[source, i])
            into[count, 0] = (source << 8) | target
            count += int(game.owner[target] == seat)
    return count


@compiled
def fortify_step(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    into: Families,
    counts: Counts,
) -> None:
    """By the toss of a coin a random move between neighbours, or the end of the turn."""
    listed = fortify_pairs(game, board, into) if below(rng, 2) == 0 else 0
    if listed == 0:
        act(game, rules, board, encode(Kind.END_TURN, 0, 0, 0, 0), counts)
        return
    pair = below(rng, listed)
    source, target = into[pair, 0] >> 8, into[pair, 0] & 255
    armies = 1 + below(rng, game.armies[source] - 1)
    counts[FORTIFICATIONS] += 1
    act(game, rules, board, encode(Kind.FORTIFY, source, target, 0, armies), counts)


@compiled
def setup_step(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    into: Families,
    counts: Counts,
) -> None:
    """A random claim or placement; what is rarer comes from the list of legal families."""
    seat = game.turn
    counts[PLACEMENTS] += 1
    if game.phase == Phase.CLAIM and rules.setup_capitals == 0:
        t = nth_unowned(game, board, below(rng, unowned(game, board)))
        act(game, rules, board, encode(Kind.CLAIM, t, 0, 0, 0), counts)
    elif game.phase == Phase.PLACE and game.neutral_left == 0:
        t = nth_own(game, board, seat, below(rng, game.territories[seat]))
        act(game, rules, board, encode(Kind.PLACE, t, 0, 0, 1), counts)
    else:
        any_family(game, rules, board, rng, into, counts)


@compiled
def any_family(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    into: Families,
    counts: Counts,
) -> None:
    """A random number of a random legal family."""
    listed = families(game, rules, board, game.turn, into)
    family = below(rng, listed)
    number = into[family, 1] + below(rng, into[family, 2] - into[family, 1] + 1)
    act(game, rules, board, into[family, 0] | (number << 29), counts)


@compiled
def play_on(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    into: Families,
    counts: Counts,
    turns: int,
) -> bool:
    """Play a game until it is over (True) or so many turns have passed (False)."""
    last = counts[TURNS] + turns
    while game.phase != Phase.OVER and counts[TURNS] < last:
        if game.chance != Chance.NONE:
            settle(game, rules, board, sample(game, rng))
        elif game.phase == Phase.REINFORCE:
            trade_sets(game, rules, board, rng, counts)
            place_chunks(game, rules, board, rng, into, counts)
            attack_step(game, rules, board, rng, into, counts)
        elif game.phase == Phase.FORTIFY:
            fortify_step(game, rules, board, rng, into, counts)
        elif game.phase < Phase.REINFORCE:
            setup_step(game, rules, board, rng, into, counts)
        else:
            any_family(game, rules, board, rng, into, counts)
    return bool(game.phase == Phase.OVER)


@compiled
def play_games(
    games: Positions,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    into: Families,
    counts: Counts,
    number: int,
    turns: int,
) -> int:
    """Play `number` games from `games[0]` in `games[1]`; how many took more than `turns` turns."""
    unfinished = 0
    for _ in range(number):
        games[1] = games[0]
        unfinished += int(not play_on(games[1], rules, board, rng, into, counts, turns))
    return unfinished
