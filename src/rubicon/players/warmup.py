"""Compiling the rules and the bots ahead of time."""

from typing import Any

from numba import from_dtype, types

from rubicon.players.arena import choose, play_out
from rubicon.players.pairs import DESK, play_games
from rubicon.rules.warmup import (
    BOARD,
    ENTRY_POINTS,
    FAMILIES,
    GAME,
    GENERATOR_TYPE,
    NUMBER,
    RULES_TYPE,
    Progress,
    compile_all,
)

GAMES = types.Array(GAME, 1, "C")
POLICIES = types.Array(types.int64, 1, "C")

TO_PLAY: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    *ENTRY_POINTS,
    (choose, (NUMBER, GAME, RULES_TYPE, BOARD, NUMBER, FAMILIES, GENERATOR_TYPE)),
)
ARENA: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    (play_out, (GAMES, RULES_TYPE, BOARD, POLICIES, FAMILIES, GENERATOR_TYPE, NUMBER)),
)
YARDSTICK: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    (
        play_games,
        (GAMES, RULES_TYPE, BOARD, GENERATOR_TYPE, FAMILIES, from_dtype(DESK), NUMBER, NUMBER),
    ),
)


def warm_to_measure(progress: Progress) -> None:
    """Compile what the yardstick needs."""
    compile_all(ENTRY_POINTS + YARDSTICK, progress)


def warm(progress: Progress) -> None:
    """Compile the rules and the bots, saying (number, total, name) before each entry point."""
    compile_all(TO_PLAY + ARENA, progress)


def warm_to_play(progress: Progress) -> None:
    """Compile what a game at a terminal needs."""
    compile_all(TO_PLAY, progress)
