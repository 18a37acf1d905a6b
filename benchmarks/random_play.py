"""The benchmark's random play, by the policy of the C program that the engine is measured against.

A pair of an own and a foreign territory is picked at random and attacked with most dice until it
falls, with one chance in sixteen to stop at each roll; armies go on borders in random chunks.
Every step goes through the engine's own `refusal`, `apply` and `settle`. The play is legal under
every ruleset, and games end under all of them.
"""

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from rubicon.engine import cards, records, warmup
from rubicon.engine.apply import apply, apply_in_place, settle, settle_in_place
from rubicon.engine.attack import in_truce, most_attack_dice
from rubicon.engine.chance import Generator, below, sample
from rubicon.engine.codes import NUMBER_SHIFT, ActionKind, SetValues, encode
from rubicon.engine.compiler.kernel import Kernel
from rubicon.engine.legal_actions import RangeBuffer, ranges
from rubicon.engine.legality import refusal
from rubicon.engine.ownership import first_to_act
from rubicon.engine.placement import nth_unowned, unowned
from rubicon.engine.records import BoardTables, Position, Rules, compiled, inlined

STOP_ONE_IN = 16  # an attack, or the attacks of a turn, stop with this chance at each step
Positions = npt.NDArray[Any]  # records of dtype POSITION


class BenchmarkState(records.RecordLayout):
    """Scratch arrays of the current turn, and counters over all games.

    A record, because the engine counts references to arrays, which takes longer than a roll.
    """

    borders: Annotated[
        records.CellArray, np.int16, (records.TERRITORIES,)
    ]  # own, with a foreign neighbour
    foreign: Annotated[
        records.CellArray, np.int32, (records.TERRITORIES,)
    ]  # of an own territory: its foreign neighbours
    rolls: Annotated[int, np.int64]
    placements: Annotated[int, np.int64]
    occupations: Annotated[int, np.int64]
    fortifications: Annotated[int, np.int64]
    trades: Annotated[int, np.int64]
    turns: Annotated[int, np.int64]
    refused: Annotated[int, np.int64]
    checked: Annotated[int, np.int64]  # 1: compute the refusal of every action first


BENCHMARK_STATE = records.record_dtype(BenchmarkState)


def benchmark_state(checked: bool) -> BenchmarkState:
    """A state with all counters at 0; `checked` counts refused actions before applying them."""
    empty: BenchmarkState = np.zeros(1, BENCHMARK_STATE)[0]
    empty.checked = checked
    return empty


@compiled
def checked_apply(
    position: Position, rules: Rules, board: BoardTables, action: int, state: BenchmarkState
) -> None:
    """Apply an action, after its refusal was computed where `state.checked` says so."""
    check(position, rules, board, action, state)
    apply(position, rules, board, action)


@inlined
def check(
    position: Position, rules: Rules, board: BoardTables, action: int, state: BenchmarkState
) -> None:
    """Count an action that is refused, where `state.checked` says so."""
    if state.checked != 0:
        state.refused += int(refusal(position, rules, board, action) != 0)


@compiled
def nth_own(position: Position, board: BoardTables, owner: int, number: int) -> int:
    for t in range(board.territories):
        if position.owner[t] == owner:
            if number == 0:
                return t
            number -= 1
    return -1


@compiled
def count_foreign_neighbours(position: Position, board: BoardTables, state: BenchmarkState) -> None:
    """Count the neighbours of each of the acting seat's territories that are not its own."""
    seat = position.turn
    for t in range(board.territories):
        count = 0
        if position.owner[t] == seat:
            for i in range(board.degree[t]):
                count += int(position.owner[board.neighbour[t, i]] != seat)
        state.foreign[t] = count


@compiled
def count_captured(
    position: Position, board: BoardTables, state: BenchmarkState, captured: int
) -> None:
    """Bring the counts up to date after the acting seat has taken a territory."""
    count = 0
    for i in range(board.degree[captured]):
        neighbour = board.neighbour[captured, i]
        count += int(position.owner[neighbour] != position.turn)
        state.foreign[neighbour] -= 1
    state.foreign[captured] = count


@compiled
def list_borders(position: Position, board: BoardTables, state: BenchmarkState) -> int:
    """List the acting seat's territories that touch another's, or its first one if none does."""
    count = 0
    for t in range(board.territories):
        state.borders[count] = t
        count += int(position.owner[t] == position.turn and state.foreign[t] > 0)
    if count == 0:
        state.borders[0] = nth_own(position, board, position.turn, 0)
        return 1
    return count


@compiled
def place_chunks(
    position: Position, rules: Rules, board: BoardTables, rng: Generator, state: BenchmarkState
) -> None:
    """Random chunks of all armies on random borders."""
    listed = list_borders(position, board, state)
    seat = position.turn
    while position.unplaced[seat] > 0 and position.phase != records.Phase.OVER:
        armies = 1 + below(rng, position.unplaced[seat])
        t = state.borders[below(rng, listed)]
        state.placements += 1
        checked_apply(position, rules, board, encode(ActionKind.PLACE, t, 0, 0, armies), state)


@compiled
def find_set(position: Position, board: BoardTables, rules: Rules) -> int:
    """The first set in the hand as a trade, with its bonus on the first pictured territory."""
    seat = position.turn
    for a in range(board.cards):
        if position.card[a] != seat:
            continue
        for b in range(a + 1, board.cards):
            if position.card[b] != seat:
                continue
            for c in range(b + 1, board.cards):
                if position.card[c] == seat and cards.set_refusal(rules, board, a, b, c) == 0:
                    return encode(ActionKind.TRADE, a, b, c, bonus(position, rules, board, a, b, c))
    return -1


@compiled
def bonus(position: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int) -> int:
    """The territory to name for the bonus + 1, 0 where there is no choice (A-85)."""
    if cards.bonus_choices(position, rules, board, a, b, c) < 2:
        return 0
    for card in (a, b, c):
        if cards.pictured(position, board, card, position.turn) != 0:
            return card + 1
    return 0


@compiled
def trade_stars(
    position: Position, rules: Rules, board: BoardTables, state: BenchmarkState
) -> None:
    """Offer cards as far as ten stars go, and trade them."""
    for card in range(board.cards):
        if position.card[card] != position.turn:
            continue
        if cards.offered_stars(position, board) + board.stars[card] <= cards.MOST_STARS:
            checked_apply(position, rules, board, encode(ActionKind.OFFER, card, 0, 0, 0), state)
    state.trades += 1
    checked_apply(position, rules, board, encode(ActionKind.TRADE_OFFER, 0, 0, 0, 0), state)


@compiled
def trade_sets(
    position: Position, rules: Rules, board: BoardTables, rng: Generator, state: BenchmarkState
) -> None:
    """Sets while they are forced, and by the toss of a coin while they are not.

    `hand >= 3` comes first: it is one comparison, and false in most turns.
    """
    seat = position.turn
    if rules.cards_values == SetValues.STARS:
        if position.hand[seat] >= 3 and below(rng, 2) == 0:
            trade_stars(position, rules, board, state)
        return
    while position.hand[seat] >= 3 and (
        cards.trade_forced(position, rules, board)
        or (position.phase == records.Phase.REINFORCE and below(rng, 2) == 0)
    ):
        if (
            position.phase == records.Phase.OVER
            or cards.trading_refusal(position, rules, board) != 0
        ):
            return
        trade = find_set(position, board, rules)
        if trade < 0:
            return
        state.trades += 1
        checked_apply(position, rules, board, trade, state)


@inlined
def targets_in_reach(position: Position, state: BenchmarkState, t: int) -> int:
    """Targets of a territory: none if it is not the acting seat's or has one army."""
    return int(state.foreign[t]) * (
        int(position.owner[t] == position.turn) & int(position.armies[t] > 1)
    )


@compiled
def attack_pairs(position: Position, board: BoardTables, state: BenchmarkState) -> int:
    """How many pairs of an own territory with two armies and an enemy neighbour there are."""
    count = 0
    for t in range(board.territories):
        count += targets_in_reach(position, state, t)
    return count


@compiled
def nth_attack(
    position: Position, board: BoardTables, state: BenchmarkState, number: int
) -> tuple[int, int]:
    """Source and target of one of the pairs."""
    source = 0
    here = targets_in_reach(position, state, source)
    while number >= here:
        number -= here
        source += 1
        here = targets_in_reach(position, state, source)
    return source, nth_neighbour(position, board, source, number, False)


@compiled
def nth_neighbour(
    position: Position, board: BoardTables, source: int, number: int, own: bool
) -> int:
    """One of the neighbours that are the acting seat's, or of those that are not."""
    i = 0
    while True:
        target = int(board.neighbour[source, i])
        if (position.owner[target] == position.turn) == own:
            if number == 0:
                return target
            number -= 1
        i += 1


@compiled
def attack_until_stopped(
    position: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    source: int,
    target: int,
    state: BenchmarkState,
) -> None:
    """Roll with most dice until the target falls, the source is spent, or chance says stop."""
    while True:
        dice = most_attack_dice(position, rules, source)
        action = encode(ActionKind.ATTACK, source, target, 0, dice)
        check(position, rules, board, action, state)
        apply_in_place(position, rules, board, action)
        state.rolls += 1
        settle_in_place(position, rules, board, sample(position, rng))
        if (
            position.phase != records.Phase.ATTACK
            or position.armies[source] < 2
            or below(rng, STOP_ONE_IN) == 0
        ):
            return


@compiled
def occupy_at_random(
    position: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    state: BenchmarkState,
) -> None:
    """Move a random number of armies in."""
    most = position.armies[position.attack_source] - 1
    armies = position.occupy_minimum + below(rng, most - position.occupy_minimum + 1)
    state.occupations += 1
    checked_apply(position, rules, board, encode(ActionKind.OCCUPY, 0, 0, 0, armies), state)


@compiled
def attack_step(
    position: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    buffer: RangeBuffer,
    state: BenchmarkState,
) -> None:
    """Random pairs until chance says stop or there is none; none at all during a truce."""
    while position.phase in (records.Phase.REINFORCE, records.Phase.ATTACK):
        stops = below(rng, STOP_ONE_IN) == 0 or in_truce(position, rules)
        listed = 0 if stops else attack_pairs(position, board, state)
        if listed == 0:
            state.turns += 1
            checked_apply(position, rules, board, encode(ActionKind.END_ATTACK, 0, 0, 0, 0), state)
            return
        source, target = nth_attack(position, board, state, below(rng, listed))
        attack_until_stopped(position, rules, board, rng, source, target, state)
        if position.owner[target] == position.turn:
            count_captured(position, board, state, target)
        if position.phase == records.Phase.OCCUPY:
            occupy_at_random(position, rules, board, rng, state)
        while position.phase == records.Phase.TRADE:
            trade_sets(position, rules, board, rng, state)
            place_chunks(position, rules, board, rng, state)
            if (
                position.phase == records.Phase.TRADE
            ):  # a trade that is not forced: `decline` ends it
                any_decision(position, rules, board, rng, buffer, state)


@inlined
def destinations_in_reach(
    position: Position, board: BoardTables, state: BenchmarkState, t: int
) -> int:
    """Own neighbours of a territory: none if it is not the acting seat's or has one army."""
    return (int(board.degree[t]) - int(state.foreign[t])) * (
        int(position.owner[t] == position.turn) & int(position.armies[t] > 1)
    )


@compiled
def fortify_pairs(position: Position, board: BoardTables, state: BenchmarkState) -> int:
    """How many pairs of an own territory with two armies and an own neighbour there are."""
    count = 0
    for t in range(board.territories):
        count += destinations_in_reach(position, board, state, t)
    return count


@compiled
def nth_fortification(
    position: Position, board: BoardTables, state: BenchmarkState, number: int
) -> tuple[int, int]:
    """Source and target of one of the pairs."""
    source = 0
    here = destinations_in_reach(position, board, state, source)
    while number >= here:
        number -= here
        source += 1
        here = destinations_in_reach(position, board, state, source)
    return source, nth_neighbour(position, board, source, number, True)


@compiled
def fortify_step(
    position: Position, rules: Rules, board: BoardTables, rng: Generator, state: BenchmarkState
) -> None:
    """By the toss of a coin a random move between neighbours, or the end of the turn."""
    listed = fortify_pairs(position, board, state) if below(rng, 2) == 0 else 0
    if listed == 0:
        checked_apply(position, rules, board, encode(ActionKind.END_TURN, 0, 0, 0, 0), state)
        return
    source, target = nth_fortification(position, board, state, below(rng, listed))
    armies = 1 + below(rng, position.armies[source] - 1)
    state.fortifications += 1
    checked_apply(
        position, rules, board, encode(ActionKind.FORTIFY, source, target, 0, armies), state
    )


@compiled
def setup_step(
    position: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    buffer: RangeBuffer,
    state: BenchmarkState,
) -> None:
    """A random claim or placement; what is rarer comes from the list of legal ranges."""
    seat = position.turn
    state.placements += 1
    founded = rules.setup_capitals == 0 or position.capital[seat] != records.NONE
    if position.phase == records.Phase.CLAIM and founded:
        t = nth_unowned(position, board, below(rng, unowned(position, board)))
        checked_apply(position, rules, board, encode(ActionKind.CLAIM, t, 0, 0, 0), state)
    elif position.phase == records.Phase.PLACE and position.neutral_left == 0:
        t = nth_own(position, board, seat, below(rng, position.territories[seat]))
        checked_apply(position, rules, board, encode(ActionKind.PLACE, t, 0, 0, 1), state)
    else:
        any_decision(position, rules, board, rng, buffer, state)


@compiled
def any_decision(
    position: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    buffer: RangeBuffer,
    state: BenchmarkState,
) -> None:
    """A random number of a random legal range, of the first seat with a pending decision.

    That need not be the seat whose turn it is: sealed placements are open to all seats at once.
    """
    seat = first_to_act(position)
    listed = min(ranges(position, rules, board, seat, buffer), len(buffer))
    action_range = below(rng, listed)
    number = buffer[action_range, 1] + below(
        rng, buffer[action_range, 2] - buffer[action_range, 1] + 1
    )
    checked_apply(position, rules, board, buffer[action_range, 0] | (number << NUMBER_SHIFT), state)


@compiled
def play_on(
    position: Position,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    buffer: RangeBuffer,
    state: BenchmarkState,
    turns: int,
) -> bool:
    """Play a game until it is over (True) or `turns` turns have passed (False)."""
    last = state.turns + turns
    while position.phase != records.Phase.OVER and state.turns < last:
        if position.chance != records.Chance.NONE:
            settle(position, rules, board, sample(position, rng))
        elif position.phase == records.Phase.REINFORCE:
            count_foreign_neighbours(position, board, state)
            trade_sets(position, rules, board, rng, state)
            place_chunks(position, rules, board, rng, state)
            attack_step(position, rules, board, rng, buffer, state)
        elif position.phase == records.Phase.FORTIFY:
            fortify_step(position, rules, board, rng, state)
        elif position.phase < records.Phase.REINFORCE:
            setup_step(position, rules, board, rng, buffer, state)
        else:
            any_decision(position, rules, board, rng, buffer, state)
    return bool(position.phase == records.Phase.OVER)


@compiled
def play_games(
    games: Positions,
    rules: Rules,
    board: BoardTables,
    rng: Generator,
    buffer: RangeBuffer,
    state: BenchmarkState,
    number: int,
    turns: int,
) -> int:
    """Play `number` games from `games[0]` in `games[1]`; return how many `turns` cut off."""
    unfinished = 0
    for _ in range(number):
        games[1] = games[0]
        unfinished += int(not play_on(games[1], rules, board, rng, buffer, state, turns))
    return unfinished


KERNEL = Kernel(
    "bench",
    (
        (
            play_games,
            (
                types.Array(warmup.POSITION_TYPE, 1, "C"),
                warmup.RULES_TYPE,
                warmup.BOARD,
                warmup.GENERATOR_TYPE,
                warmup.RANGES,
                from_dtype(BENCHMARK_STATE),
                warmup.NUMBER,
                warmup.NUMBER,
            ),
        ),
    ),
)


def warm() -> None:
    """Load the rules and this play, or compile them."""
    warmup.load_all((warmup.RULES_KERNEL, KERNEL))
