"""Compiling the recursions ahead of time."""

from typing import Any

from numba import types

from rubicon.odds.kernel import fight_on, follow, look_ahead
from rubicon.odds.rolls import count_rolls
from rubicon.odds.table import chance_to_win
from rubicon.rules.procedures.attack import capture
from rubicon.rules.warmup import BOARD, GAME, NUMBER, RULES_TYPE, Progress, compile_all

CHANCES = types.Array(types.float64, 2, "C")
TABLE = types.Array(types.float64, 2, "C", readonly=True)
NUMBERS = types.Array(types.int64, 2, "C")
LOSSES = types.Array(types.int64, 3, "C")
COUNTS = types.Array(types.int64, 6, "C")
PLAN = types.Array(types.int8, 2, "C")

ENTRY_POINTS: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    (count_rolls, (GAME, RULES_TYPE, *[NUMBER] * 4, COUNTS)),
    (capture, (GAME, RULES_TYPE, BOARD, NUMBER, NUMBER)),
    (look_ahead, (CHANCES, LOSSES, NUMBERS, NUMBERS, CHANCES, NUMBER, CHANCES, PLAN)),
    (follow, (CHANCES, LOSSES, PLAN, CHANCES, CHANCES)),
    (fight_on, (CHANCES, LOSSES, PLAN, CHANCES, CHANCES, NUMBER, NUMBERS)),
    (chance_to_win, (TABLE, NUMBER, NUMBER)),
)


def warm(progress: Progress) -> None:
    """Compile them; `progress` hears (number, total, name) before each."""
    compile_all(ENTRY_POINTS, progress)
