"""The yardstick's player: random play that ends, the same as the C program it is measured against.

A pair of an own and an enemy territory is picked at random and rolled out with most dice, with one
chance in sixteen to stop at each step; armies go on borders in random chunks. Everything goes
through the engine's own `refusal`, `apply` and `settle`; dice are drawn as values.
"""

from typing import Annotated, Any

import numpy as np

from rubicon.rules.choices import SetValues
from rubicon.rules.layout import Cells, compiled, inlined, record_dtype
from rubicon.rules.position import NONE, TERRITORIES, Chance, Phase, Position
from rubicon.rules.procedures.attack import most_attack_dice
from rubicon.rules.procedures.cards import MOST_STARS, offered_stars, pictured, set_refusal
from rubicon.rules.procedures.codes import NUMBER_SHIFT, Kind, encode
from rubicon.rules.procedures.families import Families, families
from rubicon.rules.procedures.legality import refusal
from rubicon.rules.procedures.placing import nth_unowned, unowned
from rubicon.rules.procedures.play import apply, apply_in_place, settle, settle_in_place
from rubicon.rules.procedures.sampling import Generator, below, sample
from rubicon.rules.tables import BoardTables, Rules

STOP = 16  # one chance in so many to stop
Positions = Any  # an array of positions


class Desk:
    """What the player writes on: notes of this turn, and what was done in all games."""

    borders: Annotated[Cells, np.int16, (TERRITORIES,)]  # own territories that touch another's
    foes: Annotated[Cells, np.int32, (TERRITORIES,)]  # by own territory: neighbours of others
    rolls: Annotated[int, np.int64]
    placements: Annotated[int, np.int64]
    occupations: Annotated[int, np.int64]
    fortifications: Annotated[int, np.int64]
    trades: Annotated[int, np.int64]
    turns: Annotated[int, np.int64]
    refused: Annotated[int, np.int64]
    checked: Annotated[int, np.int64]  # 1: ask for the refusal of every action first


DESK = record_dtype(Desk)


def desk(checked: bool) -> Any:
    """An empty desk."""
    empty = np.zeros(1, DESK)[0]
    empty.checked = checked
    return empty


@compiled
def act(game: Position, rules: Rules, board: BoardTables, action: int, desk: Desk) -> None:
    """Apply an action, asking first whether it is legal where that is wanted."""
    check(game, rules, board, action, desk)
    apply(game, rules, board, action)


@inlined
def check(game: Position, rules: Rules, board: BoardTables, action: int, desk: Desk) -> None:
    """Ask for the refusal of an action and count it, where that is wanted."""
    if desk.checked != 0:
        desk.refused += int(refusal(game, rules, board, action) != 0)


@compiled
def nth_own(game: Position, board: BoardTables, owner: int, number: int) -> int:
    for t in range(board.territories):
        if game.owner[t] == owner:
            if number == 0:
                return t
            number -= 1
    return -1


@compiled
def count_foes(game: Position, board: BoardTables, desk: Desk) -> None:
    """Count the neighbours of each of the acting seat's territories that are not its own."""
    seat = game.turn
    for t in range(board.territories):
        count = 0
        if game.owner[t] == seat:
            for i in range(board.degree[t]):
                count += int(game.owner[board.neighbour[t, i]] != seat)
        desk.foes[t] = count


@compiled
def count_captured(game: Position, board: BoardTables, desk: Desk, captured: int) -> None:
    """Bring the counts up to date after the acting seat has taken a territory."""
    count = 0
    for i in range(board.degree[captured]):
        neighbour = board.neighbour[captured, i]
        count += int(game.owner[neighbour] != game.turn)
        desk.foes[neighbour] -= 1
    desk.foes[captured] = count


@compiled
def borders(game: Position, board: BoardTables, desk: Desk) -> int:
    """List the acting seat's territories that touch another's, or its first one if none does."""
    count = 0
    for t in range(board.territories):
        desk.borders[count] = t
        count += int(game.owner[t] == game.turn and desk.foes[t] > 0)
    if count == 0:
        desk.borders[0] = nth_own(game, board, game.turn, 0)
        return 1
    return count


@compiled
def place_chunks(
    game: Position, rules: Rules, board: BoardTables, rng: Generator, desk: Desk
) -> None:
    """Random chunks of all armies on random borders."""
    listed = borders(game, board, desk)
    seat = game.turn
    while game.unplaced[seat] > 0 and game.phase != Phase.OVER:
        armies = 1 + below(rng, game.unplaced[seat])
        t = desk.borders[below(rng, listed)]
        desk.placements += 1
        act(game, rules, board, encode(Kind.PLACE, t, 0, 0, armies), desk)


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
def trade_stars(game: Position, rules: Rules, board: BoardTables, desk: Desk) -> None:
    """Offer cards as far as ten stars go, and trade them."""
    for card in range(board.cards):
        if game.card[card] != game.turn:
            continue
        if offered_stars(game, board) + board.stars[card] <= MOST_STARS:
            act(game, rules, board, encode(Kind.OFFER, card, 0, 0, 0), desk)
    desk.trades += 1
    act(game, rules, board, encode(Kind.TRADE_OFFER, 0, 0, 0, 0), desk)


@compiled
def trade_sets(
    game: Position, rules: Rules, board: BoardTables, rng: Generator, desk: Desk
) -> None:
    """Sets while they are forced, and by the toss of a coin while they are not."""
    seat = game.turn
    if rules.cards_values == SetValues.STARS:
        if game.hand[seat] >= 3 and below(rng, 2) == 0:
            trade_stars(game, rules, board, desk)
        return
    while game.hand[seat] >= 5 or (
        game.phase == Phase.REINFORCE and game.hand[seat] >= 3 and below(rng, 2) == 0
    ):
        trade = find_set(game, board, rules)
        if trade < 0 or game.phase == Phase.OVER:
            return
        desk.trades += 1
        act(game, rules, board, trade, desk)


@inlined
def foes_in_reach(game: Position, desk: Desk, t: int) -> int:
    """Targets of a territory: none if it is not the acting seat's or has one army."""
    return int(desk.foes[t]) * (int(game.owner[t] == game.turn) & int(game.armies[t] > 1))


@compiled
def attack_pairs(game: Position, board: BoardTables, desk: Desk) -> int:
    """How many pairs of an own territory with two armies and an enemy neighbour there are."""
    count = 0
    for t in range(board.territories):
        count += foes_in_reach(game, desk, t)
    return count


@compiled
def nth_attack(game: Position, board: BoardTables, desk: Desk, number: int) -> tuple[int, int]:
    """Source and target of one of the pairs."""
    source = 0
    here = foes_in_reach(game, desk, source)
    while number >= here:
        number -= here
        source += 1
        here = foes_in_reach(game, desk, source)
    return source, nth_neighbour(game, board, source, number, False)


@compiled
def nth_neighbour(game: Position, board: BoardTables, source: int, number: int, own: bool) -> int:
    """One of the neighbours that are the acting seat's, or of those that are not."""
    i = 0
    while True:
        target = int(board.neighbour[source, i])
        if (game.owner[target] == game.turn) == own:
            if number == 0:
                return target
            number -= 1
        i += 1


@compiled
def roll_out(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    source: int,
    target: int,
    desk: Desk,
) -> None:
    """Roll with most dice until the target falls, the source is spent, or chance says stop."""
    while True:
        dice = most_attack_dice(game, rules, source)
        action = encode(Kind.ATTACK, source, target, 0, dice)
        check(game, rules, board, action, desk)
        apply_in_place(game, rules, board, action)
        desk.rolls += 1
        settle_in_place(game, rules, board, sample(game, rng))
        if game.phase != Phase.ATTACK or game.armies[source] < 2 or below(rng, STOP) == 0:
            return


@compiled
def occupy_at_random(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    desk: Desk,
) -> None:
    """Move a random number of armies in."""
    most = game.armies[game.attack_source] - 1
    armies = game.occupy_minimum + below(rng, most - game.occupy_minimum + 1)
    desk.occupations += 1
    act(game, rules, board, encode(Kind.OCCUPY, 0, 0, 0, armies), desk)


@compiled
def attack_step(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    desk: Desk,
) -> None:
    """Random pairs until chance says stop or there is none."""
    while game.phase in (Phase.REINFORCE, Phase.ATTACK):
        listed = 0 if below(rng, STOP) == 0 else attack_pairs(game, board, desk)
        if listed == 0:
            desk.turns += 1
            act(game, rules, board, encode(Kind.END_ATTACK, 0, 0, 0, 0), desk)
            return
        source, target = nth_attack(game, board, desk, below(rng, listed))
        roll_out(game, rules, board, rng, source, target, desk)
        if game.owner[target] == game.turn:
            count_captured(game, board, desk, target)
        if game.phase == Phase.OCCUPY:
            occupy_at_random(game, rules, board, rng, desk)
        while game.phase == Phase.TRADE:
            trade_sets(game, rules, board, rng, desk)
            place_chunks(game, rules, board, rng, desk)


@inlined
def friends_in_reach(game: Position, board: BoardTables, desk: Desk, t: int) -> int:
    """Own neighbours of a territory: none if it is not the acting seat's or has one army."""
    return (int(board.degree[t]) - int(desk.foes[t])) * (
        int(game.owner[t] == game.turn) & int(game.armies[t] > 1)
    )


@compiled
def fortify_pairs(game: Position, board: BoardTables, desk: Desk) -> int:
    """How many pairs of an own territory with two armies and an own neighbour there are."""
    count = 0
    for t in range(board.territories):
        count += friends_in_reach(game, board, desk, t)
    return count


@compiled
def nth_fortification(
    game: Position, board: BoardTables, desk: Desk, number: int
) -> tuple[int, int]:
    """Source and target of one of the pairs."""
    source = 0
    here = friends_in_reach(game, board, desk, source)
    while number >= here:
        number -= here
        source += 1
        here = friends_in_reach(game, board, desk, source)
    return source, nth_neighbour(game, board, source, number, True)


@compiled
def fortify_step(
    game: Position, rules: Rules, board: BoardTables, rng: Generator, desk: Desk
) -> None:
    """By the toss of a coin a random move between neighbours, or the end of the turn."""
    listed = fortify_pairs(game, board, desk) if below(rng, 2) == 0 else 0
    if listed == 0:
        act(game, rules, board, encode(Kind.END_TURN, 0, 0, 0, 0), desk)
        return
    source, target = nth_fortification(game, board, desk, below(rng, listed))
    armies = 1 + below(rng, game.armies[source] - 1)
    desk.fortifications += 1
    act(game, rules, board, encode(Kind.FORTIFY, source, target, 0, armies), desk)


@compiled
def setup_step(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    into: Families,
    desk: Desk,
) -> None:
    """A random claim or placement; what is rarer comes from the list of legal families."""
    seat = game.turn
    desk.placements += 1
    founded = rules.setup_capitals == 0 or game.capital[seat] != NONE
    if game.phase == Phase.CLAIM and founded:
        t = nth_unowned(game, board, below(rng, unowned(game, board)))
        act(game, rules, board, encode(Kind.CLAIM, t, 0, 0, 0), desk)
    elif game.phase == Phase.PLACE and game.neutral_left == 0:
        t = nth_own(game, board, seat, below(rng, game.territories[seat]))
        act(game, rules, board, encode(Kind.PLACE, t, 0, 0, 1), desk)
    else:
        any_family(game, rules, board, rng, into, desk)


@compiled
def any_family(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    into: Families,
    desk: Desk,
) -> None:
    """A random number of a random legal family."""
    listed = min(families(game, rules, board, game.turn, into), len(into))
    family = below(rng, listed)
    number = into[family, 1] + below(rng, into[family, 2] - into[family, 1] + 1)
    act(game, rules, board, into[family, 0] | (number << NUMBER_SHIFT), desk)


@compiled
def play_on(
    game: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    into: Families,
    desk: Desk,
    turns: int,
) -> bool:
    """Play a game until it is over (True) or so many turns have passed (False)."""
    last = desk.turns + turns
    while game.phase != Phase.OVER and desk.turns < last:
        if game.chance != Chance.NONE:
            settle(game, rules, board, sample(game, rng))
        elif game.phase == Phase.REINFORCE:
            count_foes(game, board, desk)
            trade_sets(game, rules, board, rng, desk)
            place_chunks(game, rules, board, rng, desk)
            attack_step(game, rules, board, rng, desk)
        elif game.phase == Phase.FORTIFY:
            fortify_step(game, rules, board, rng, desk)
        elif game.phase < Phase.REINFORCE:
            setup_step(game, rules, board, rng, into, desk)
        else:
            any_family(game, rules, board, rng, into, desk)
    return bool(game.phase == Phase.OVER)


@compiled
def play_games(
    games: Positions,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    into: Families,
    desk: Desk,
    number: int,
    turns: int,
) -> int:
    """Play `number` games from `games[0]` in `games[1]`; how many took more than `turns` turns."""
    unfinished = 0
    for _ in range(number):
        games[1] = games[0]
        unfinished += int(not play_on(games[1], rules, board, rng, into, desk, turns))
    return unfinished
