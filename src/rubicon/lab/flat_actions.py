"""Legal decisions as numbers of the fixed list that `flat_layout` describes."""

from typing import Annotated

import numpy as np

from rubicon.engine.legal_actions import RangeBuffer
from rubicon.engine.legality import refuse_reveal
from rubicon.engine.phases.attack import MOST_ATTACK_DICE, MOST_DEFENCE_DICE
from rubicon.engine.records.action_codes import (
    NOWHERE,
    NUMBER_SHIFT,
    ActionKind,
    a_of,
    b_of,
    c_of,
    encode,
    kind_of,
)
from rubicon.engine.records.layout import (
    CellArray,
    Grid,
    RecordLayout,
    compiled,
    record_dtype,
    unlocked,
)
from rubicon.engine.records.position import NONE, TERRITORIES, Position
from rubicon.engine.records.tables import BoardTables, Design, Rules
from rubicon.lab.listing import listed
from rubicon.lab.records import Games, Mask, ProgressArray, Whole

KINDS = len(ActionKind)
QUARTERS = (0, 1, 2, 4)  # of the way from the lowest to the highest number
DESIGNS = len(Design)


class FlatTables(RecordLayout):
    """Where each kind of decision begins in the list, and how its parts are numbered."""

    border: Annotated[Grid, np.int16, (TERRITORIES, TERRITORIES)]  # number of a border, or NONE
    design_set: Annotated[CellArray, np.int16, (DESIGNS**3,)]  # number of three designs
    start: Annotated[CellArray, np.int32, (KINDS,)]  # NONE where the ruleset lacks the kind
    again: Annotated[int, np.int32]  # where attacks that continue the same order begin
    pairs: Annotated[int, np.int32]  # 1: armies fortify between any two territories


FLAT_TABLES = record_dtype(FlatTables)


@compiled
def first_slot(board: BoardTables, flat: FlatTables, action: int) -> int:
    """The first number in the list of a range of actions; NONE where the list lacks it."""
    kind, a, b, c = kind_of(action), a_of(action), b_of(action), c_of(action)
    start = flat.start[kind]
    if start == NONE:
        return NONE
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
        return step + 1 if low <= step + 1 <= high else NONE
    if width_of(kind) == 1:
        return low
    number = low + (high - low) * QUARTERS[step] // 4
    if step > 0 and number == low + (high - low) * QUARTERS[step - 1] // 4:
        return NONE
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


@unlocked
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
            if slot == NONE:
                continue
            for step in range(width_of(kind)):
                if amount(kind, buffer[i, 1], buffer[i, 2], step) != NONE:
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
        if slot != NONE and slot <= at < slot + width_of(kind):
            number = amount(kind, buffer[i, 1], buffer[i, 2], at - slot)
            if number != NONE:
                return int(buffer[i, 0] | number << NUMBER_SHIFT)
    return NONE


@unlocked
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
