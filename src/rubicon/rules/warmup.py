"""Compiling the kernel ahead of time, so that nobody waits in the middle of a game."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numba.core.config
from numba import from_dtype, types
from numba.core.event import RecordingListener, install_listener

from rubicon.rules.position import POSITION
from rubicon.rules.procedures.dice import battle_losses
from rubicon.rules.procedures.families import asides, families
from rubicon.rules.procedures.holdings import acts, change_owner
from rubicon.rules.procedures.legality import actor_of, refusal, refusal_to
from rubicon.rules.procedures.observe import observe
from rubicon.rules.procedures.play import apply, settle
from rubicon.rules.procedures.reinforce import begin_turn
from rubicon.rules.procedures.sampling import GENERATOR, below, sample
from rubicon.rules.procedures.setup import (
    mission_left,
    next_setup_step,
    objective_may_come,
    open_game,
)
from rubicon.rules.tables import BOARD_TABLES, RULES

CONFIG: Any = numba.core.config  # its switches are made at run time
Progress = Callable[[int, int, str], None]

GAME = from_dtype(POSITION)
RULES_TYPE = from_dtype(RULES)
BOARD = from_dtype(BOARD_TABLES)
NUMBER = types.int64
FAMILIES = types.Array(types.int64, 2, "C")
GENERATOR_TYPE = from_dtype(GENERATOR)

ENTRY_POINTS: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    (open_game, (GAME, RULES_TYPE, BOARD, NUMBER)),
    (change_owner, (GAME, NUMBER, NUMBER)),
    (objective_may_come, (GAME, BOARD, NUMBER, NUMBER)),
    (mission_left, (GAME, RULES_TYPE, BOARD, NUMBER)),
    (acts, (GAME, NUMBER)),
    (actor_of, (GAME, NUMBER)),
    (below, (GENERATOR_TYPE, NUMBER)),
    (sample, (GAME, GENERATOR_TYPE)),
    (battle_losses, (RULES_TYPE, *[NUMBER] * 10)),
    (observe, (GAME, RULES_TYPE, BOARD, NUMBER, GAME)),
    (begin_turn, (GAME, RULES_TYPE, BOARD, NUMBER)),
    (next_setup_step, (GAME, RULES_TYPE, BOARD)),
    (refusal, (GAME, RULES_TYPE, BOARD, NUMBER)),
    (refusal_to, (GAME, RULES_TYPE, BOARD, NUMBER, NUMBER)),
    (families, (GAME, RULES_TYPE, BOARD, NUMBER, FAMILIES)),
    (asides, (GAME, RULES_TYPE, BOARD, NUMBER, FAMILIES)),
    (settle, (GAME, RULES_TYPE, BOARD, NUMBER)),
    (apply, (GAME, RULES_TYPE, BOARD, NUMBER)),
)


@contextmanager
def compilations_heard() -> Iterator[Sequence[object]]:
    """What is compiled meanwhile, as it begins; empty as long as everything is only loaded."""
    heard = RecordingListener()
    with install_listener("numba:compile", heard):
        yield heard.buffer


def compile_all(entry_points: tuple[tuple[Any, tuple[Any, ...]], ...], progress: Progress) -> None:
    """Compile each entry point in its one signature, or load it where it is kept on disk."""
    if CONFIG.DISABLE_JIT:
        return
    for number, (procedure, signature) in enumerate(entry_points, 1):
        progress(number, len(entry_points), procedure.__name__)
        procedure.compile(signature)


def warm(progress: Progress) -> None:
    """Compile the rules; `progress` hears (number, total, name) before each entry point."""
    compile_all(ENTRY_POINTS, progress)
