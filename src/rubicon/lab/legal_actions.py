"""The legal decisions of many games: as a padded array, as ranges, as numbers of a fixed list."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from typing import Annotated

import numpy as np
import numpy.typing as npt

from rubicon.engine import records
from rubicon.engine.attack import MOST_ATTACK_DICE, MOST_DEFENCE_DICE
from rubicon.engine.chance import below
from rubicon.engine.codes import (
    A_SHIFT,
    B_SHIFT,
    C_SHIFT,
    NOWHERE,
    NUMBER_SHIFT,
    ActionKind,
    FortifyReach,
    a_of,
    b_of,
    c_of,
    encode,
    kind_of,
)
from rubicon.engine.legal_actions import RangeBuffer, out_of_turn, ranges
from rubicon.engine.legality import refuse_reveal
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.lab.stepping import Games, Generators, Mask, ProgressArray, Whole
from rubicon.rules.ruleset.ruleset import Ruleset

# One padded array of all games, and random decisions from it.

Rows = npt.NDArray[np.int32]  # shape (games, room, 6): kind, a, b, c, lowest, highest


@compiled
def listed(
    position: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    buffer: RangeBuffer,
    aside: int,
) -> int:
    """Fill `buffer` with the ranges of a seat, those out of turn if `aside` is 1; their number.

    Ranges beyond the room of `buffer` are counted and not written.
    """
    if seat == records.NONE:
        return 0
    count = ranges(position, rules, board, seat, buffer)
    if aside != 0:
        count += out_of_turn(position, rules, board, seat, buffer[count:])
    return count


@compiled
def write_rows(buffer: RangeBuffer, count: int, before: int, rows: Rows, number: int) -> None:
    """Write the ranges of one game, and -1 over those that it had before."""
    for i in range(count):
        action = buffer[i, 0]
        rows[number, i, 0] = kind_of(action)
        rows[number, i, 1] = a_of(action)
        rows[number, i, 2] = b_of(action)
        rows[number, i, 3] = c_of(action)
        rows[number, i, 4] = buffer[i, 1]
        rows[number, i, 5] = buffer[i, 2]
    for i in range(count, before):
        for column in range(6):
            rows[number, i, column] = records.NONE


@records.unlocked
def list_ranges(
    games: Games,
    progress: ProgressArray,
    rules: Rules,
    board: BoardTables,
    buffer: RangeBuffer,
    aside: int,
    rows: Rows,
    counts: Whole,
) -> int:
    """List the legal ranges of the deciding seat in every game; return the most that one has.

    `counts` has the number of rows that are written in each game, before and after. Where the
    result exceeds the room of `rows` or `buffer`, the lists are not complete.
    """
    most = 0
    for number in range(len(progress)):
        count = listed(games[number], rules, board, progress[number].seat, buffer, aside)
        most = max(most, count)
        written = min(count, len(buffer), rows.shape[1])
        write_rows(buffer, written, counts[number], rows, number)
        counts[number] = written
    return most


@records.unlocked
def draw_actions(
    games: Games,
    progress: ProgressArray,
    picks: Generators,
    rules: Rules,
    board: BoardTables,
    buffer: RangeBuffer,
    actions: Whole,
) -> None:
    """A random decision for every game: each range equally likely, then each of its numbers."""
    for number in range(len(progress)):
        count = listed(games[number], rules, board, progress[number].seat, buffer, 0)
        count = min(count, len(buffer))
        if count == 0:
            continue
        i = below(picks[number], count)
        low, high = buffer[i, 1], buffer[i, 2]
        actions[number] = (
            buffer[i, 0] | (low + below(picks[number], high - low + 1)) << NUMBER_SHIFT
        )


# The legal decisions of a batch, as ranges of actions that differ in one number only.


@dataclass(frozen=True, slots=True)
class LegalRanges:
    """The legal decisions of every game, as ranges.

    `rows` has shape (games, most, 6), int32: kind, a, b, c, lowest and highest number, as
    `rubicon.engine.codes` explains; -1 after the last range of a game. `counts` has the
    number of ranges of each game. Both are written anew by the next `Batch.legal`.
    """

    rows: Rows
    counts: Whole

    @property
    def mask(self) -> Mask:
        """Which ranges there are: shape (games, most)."""
        present: Mask = np.arange(self.rows.shape[1]) < self.counts[:, None]
        return present

    def actions(self, chosen: npt.ArrayLike, numbers: npt.ArrayLike) -> Whole:
        """The actions for `Batch.step`: of each game the index of a range, and a number in it."""
        index = np.asarray(chosen, np.int64)
        rows = self.rows[np.arange(len(self.rows)), index].astype(np.int64)
        codes = rows[:, 0] | rows[:, 1] << A_SHIFT | rows[:, 2] << B_SHIFT | rows[:, 3] << C_SHIFT
        actions: Whole = codes | np.asarray(numbers, np.int64) << NUMBER_SHIFT
        return actions


# Legal decisions as numbers of a fixed list: `FlatActions` below describes it.

KINDS = len(ActionKind)
QUARTERS = (0, 1, 2, 4)  # of the way from the lowest to the highest number
DESIGNS = len(records.Design)


class FlatTables(records.RecordLayout):
    """Where each kind of decision begins in the list, and how its parts are numbered."""

    border: Annotated[
        records.Grid, np.int16, (records.TERRITORIES, records.TERRITORIES)
    ]  # number of a border, or NONE
    design_set: Annotated[records.CellArray, np.int16, (DESIGNS**3,)]  # number of three designs
    start: Annotated[records.CellArray, np.int32, (KINDS,)]  # NONE where the ruleset lacks the kind
    again: Annotated[int, np.int32]  # where attacks that continue the same order begin
    pairs: Annotated[int, np.int32]  # 1: armies fortify between any two territories


FLAT_TABLES = records.record_dtype(FlatTables)


@compiled
def first_slot(board: BoardTables, flat: FlatTables, action: int) -> int:
    """The first number in the list of a range of actions; NONE where the list lacks it."""
    kind, a, b, c = kind_of(action), a_of(action), b_of(action), c_of(action)
    start = flat.start[kind]
    if start == records.NONE:
        return records.NONE
    if kind == ActionKind.ATTACK:
        if c != 0:
            return flat.again
        return start + int(flat.border[a, b]) * MOST_ATTACK_DICE
    if kind == ActionKind.PLACE:
        return start + a * len(QUARTERS)
    if kind == ActionKind.FORTIFY:
        pair = a * board.territories + b if flat.pairs != 0 else int(flat.border[a, b])
        return start + pair * len(QUARTERS)
    if kind == ActionKind.TRADE:
        first, second, third = int(board.design[a]), int(board.design[b]), int(board.design[c])
        return start + flat.design_set[(first * DESIGNS + second) * DESIGNS + third]
    if kind == ActionKind.OBJECTIVE:
        return start + a * (board.territories + 1) + (0 if b == NOWHERE else b + 1)
    if kind in (ActionKind.CLAIM, ActionKind.CAPITAL, ActionKind.OFFER):
        return start + a
    return start


@compiled
def width_of(kind: int) -> int:
    """How many numbers of the list the actions of one range share."""
    if kind == ActionKind.ATTACK:
        return MOST_ATTACK_DICE
    if kind == ActionKind.DEFEND:
        return MOST_DEFENCE_DICE
    if kind in (ActionKind.PLACE, ActionKind.OCCUPY, ActionKind.FORTIFY):
        return len(QUARTERS)
    return 1


@compiled
def amount(kind: int, low: int, high: int, step: int) -> int:
    """The number of dice or armies that a step of a range means; NONE where it means none.

    An amount that is the same as a smaller step is left out, so that no action is there twice.
    """
    if kind in (ActionKind.ATTACK, ActionKind.DEFEND):
        return step + 1 if low <= step + 1 <= high else records.NONE
    if width_of(kind) == 1:
        return low
    number = low + (high - low) * QUARTERS[step] // 4
    if step > 0 and number == low + (high - low) * QUARTERS[step - 1] // 4:
        return records.NONE
    return number


@compiled
def flat_ranges(
    position: Position, rules: Rules, board: BoardTables, seat: int, buffer: RangeBuffer
) -> int:
    """The decisions of a seat, and the showing of a mission that would win; how many ranges."""
    count = min(listed(position, rules, board, seat, buffer, 0), len(buffer) - 1)
    if count > 0 and refuse_reveal(position, rules, board, seat) == 0:
        buffer[count, 0] = encode(ActionKind.REVEAL, seat, 0, 0, 0)
        buffer[count, 1] = 0
        buffer[count, 2] = 0
        count += 1
    return count


@records.unlocked
def flat_masks(
    games: Games,
    progress: ProgressArray,
    rules: Rules,
    board: BoardTables,
    flat: FlatTables,
    buffer: RangeBuffer,
    masks: Mask,
) -> None:
    """Mark the numbers of the list that the deciding seat of every game may choose."""
    for number in range(len(progress)):
        mask = masks[number]
        mask[:] = False
        count = flat_ranges(games[number], rules, board, progress[number].seat, buffer)
        for i in range(count):
            kind = kind_of(buffer[i, 0])
            slot = first_slot(board, flat, buffer[i, 0])
            if slot == records.NONE:
                continue
            for step in range(width_of(kind)):
                if amount(kind, buffer[i, 1], buffer[i, 2], step) != records.NONE:
                    mask[slot + step] = True


@compiled
def action_at(
    board: BoardTables, flat: FlatTables, buffer: RangeBuffer, count: int, at: int
) -> int:
    """The action that a number of the list means among these ranges; NONE where it means none.

    Of several sets of the same designs it is the first.
    """
    for i in range(count):
        kind = kind_of(buffer[i, 0])
        slot = first_slot(board, flat, buffer[i, 0])
        if slot != records.NONE and slot <= at < slot + width_of(kind):
            number = amount(kind, buffer[i, 1], buffer[i, 2], at - slot)
            if number != records.NONE:
                return int(buffer[i, 0] | number << NUMBER_SHIFT)
    return records.NONE


@records.unlocked
def flat_codes(
    games: Games,
    progress: ProgressArray,
    rules: Rules,
    board: BoardTables,
    flat: FlatTables,
    buffer: RangeBuffer,
    actions: Whole,
) -> None:
    """Put the action that each number of the list means in its place; NONE where it means none."""
    for number in range(len(progress)):
        count = flat_ranges(games[number], rules, board, progress[number].seat, buffer)
        actions[number] = action_at(board, flat, buffer, count, actions[number])


# Every decision as one number of a fixed list, for programs that want a flat, masked choice.
#
# The list depends on the board and on three facts of the ruleset: whether armies fortify beyond
# neighbours, and whether there are objectives or missions. Numbers of armies come in four
# amounts, and a set of cards is named by its designs, so a flat choice says less than a range and
# a number.

AMOUNTS = ("lowest", "quarter", "half", "highest")


@dataclass(frozen=True, slots=True)
class FlatActions:
    """The list of flat choices of a ruleset: its length, the name of each, and its tables."""

    size: int
    names: tuple[str, ...]
    tables: FlatTables

    @classmethod
    def of(cls, ruleset: Ruleset) -> "FlatActions":
        """The list for a ruleset on its board."""
        tables: FlatTables = np.zeros(1, FLAT_TABLES)[0]
        np.asarray(tables.border)[:] = records.NONE
        borders = [(int(a), int(b)) for a, b in np.argwhere(np.asarray(ruleset.tables.adjacent))]
        for number, (a, b) in enumerate(borders):
            tables.border[a, b] = number
        for number, designs in enumerate(combinations_with_replacement(range(DESIGNS), 3)):
            for a, b, c in permutations(designs):
                tables.design_set[(a * DESIGNS + b) * DESIGNS + c] = number
        tables.pairs = int(ruleset.rules.fortify_reach != FortifyReach.ADJACENT)
        names: list[str] = []
        for kind, block in _blocks(ruleset, borders):
            tables.start[kind] = len(names) if block else records.NONE
            names += block
            if kind == ActionKind.ATTACK:
                tables.again = len(names) - MOST_ATTACK_DICE
        return cls(len(names), tuple(names), tables)


def _blocks(
    ruleset: Ruleset, borders: list[tuple[int, int]]
) -> Iterator[tuple[ActionKind, list[str]]]:
    """The kinds of decisions in the order of the list, with the names of their numbers."""
    places = [territory.id for territory in ruleset.board.territories]
    pairs = [f"{places[a]} -> {places[b]}" for a, b in borders]
    moves = pairs
    if ruleset.rules.fortify_reach != FortifyReach.ADJACENT:
        moves = [f"{a} -> {b}" for a in places for b in places]
    attack_dice = [f"dice {dice + 1}" for dice in range(MOST_ATTACK_DICE)]
    sets = combinations_with_replacement([design.name.lower() for design in records.Design], 3)
    objectives = [objective.id for objective in ruleset.board.objectives]
    objectives += [
        f"objective {number + 1}" for number in range(len(objectives), records.OBJECTIVES)
    ]
    airfields = ["", *(f" airfield {place}" for place in places)]
    claims = [f"objective {one}{place}" for one in objectives for place in airfields]
    yield ActionKind.CLAIM, [f"claim {place}" for place in places]
    yield ActionKind.CAPITAL, [f"capital {place}" for place in places]
    yield ActionKind.PLACE, [f"place {place} {much}" for place in places for much in AMOUNTS]
    yield ActionKind.SEAL, ["seal"]
    yield ActionKind.OFFER, [f"offer card {card}" for card in range(int(ruleset.tables.cards))]
    yield ActionKind.WITHDRAW, ["withdraw"]
    yield ActionKind.TRADE, [f"trade {' '.join(designs)}" for designs in sets]
    yield ActionKind.TRADE_OFFER, ["trade"]
    ordered = [f"attack {pair} {dice}" for pair in (*pairs, "again") for dice in attack_dice]
    yield ActionKind.ATTACK, ordered
    yield ActionKind.DEFEND, [f"defend {dice + 1}" for dice in range(MOST_DEFENCE_DICE)]
    yield ActionKind.OCCUPY, [f"occupy {much}" for much in AMOUNTS]
    yield ActionKind.END_ATTACK, ["end attack"]
    yield ActionKind.OBJECTIVE, claims if ruleset.rules.objectives_in_play else []
    yield ActionKind.DECLINE, ["decline"]
    yield ActionKind.FORTIFY, [f"fortify {pair} {much}" for pair in moves for much in AMOUNTS]
    yield ActionKind.END_TURN, ["end turn"]
    yield ActionKind.STANDING, []
    yield ActionKind.RESIGN, []
    yield ActionKind.REVEAL, ["reveal"] if ruleset.rules.missions_in_play else []
