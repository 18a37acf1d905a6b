"""The kernels of the bots, and of the benchmark's player."""

from numba import from_dtype, types

from rubicon.engine.compiler.kernel import Kernel
from rubicon.engine.warmup import (
    BOARD,
    GENERATOR_TYPE,
    NUMBER,
    POSITION_TYPE,
    RANGES,
    RULES_KERNEL,
    RULES_TYPE,
    load_all,
)
from rubicon.players.arena import choose, play_out
from rubicon.players.benchmark_play import BENCHMARK_STATE, play_games
from rubicon.players.memory import MEMORY
from rubicon.players.review.comparing import play_alternatives, propose
from rubicon.players.review.judging import judge_moments
from rubicon.players.scripted.battle_odds import chance_of, defence_rolls
from rubicon.players.scripted.cards import sets_rise
from rubicon.players.scripted.traits import TRAITS

GAMES = types.Array(POSITION_TYPE, 1, "C")
STATE = from_dtype(BENCHMARK_STATE)
MEMORY_TYPE = from_dtype(MEMORY)
MEMORIES = types.Array(MEMORY_TYPE, 1, "C")
POLICIES = types.Array(types.int64, 1, "C")
PROPOSERS_TYPE = types.Array(from_dtype(TRAITS), 1, "C")
NUMBERS = types.Array(types.float64, 2, "C")
DECIDING = (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER, GENERATOR_TYPE)  # a seat that decides

BOTS_KERNEL = Kernel(
    "bots",
    (
        (
            choose,
            (
                NUMBER,
                POSITION_TYPE,
                RULES_TYPE,
                BOARD,
                NUMBER,
                MEMORY_TYPE,
                RANGES,
                GENERATOR_TYPE,
            ),
        ),
        (sets_rise, (RULES_TYPE,)),
        (defence_rolls, (RULES_TYPE, NUMBER)),
        (chance_of, (NUMBER, NUMBER, NUMBER)),
        (judge_moments, (GAMES, RULES_TYPE, BOARD, POLICIES, NUMBERS)),
        (propose, (*DECIDING, PROPOSERS_TYPE, MEMORIES, POLICIES)),
        (play_alternatives, (*DECIDING, PROPOSERS_TYPE, MEMORIES, POLICIES, NUMBERS)),
    ),
)
ARENA_KERNEL = Kernel(
    "arena",
    (
        (
            play_out,
            (
                GAMES,
                RULES_TYPE,
                BOARD,
                POLICIES,
                MEMORIES,
                RANGES,
                GENERATOR_TYPE,
                NUMBER,
            ),
        ),
    ),
)
BENCH_KERNEL = Kernel(
    "bench",
    (
        (
            play_games,
            (
                GAMES,
                RULES_TYPE,
                BOARD,
                GENERATOR_TYPE,
                RANGES,
                STATE,
                NUMBER,
                NUMBER,
            ),
        ),
    ),
)
KERNELS = (BOTS_KERNEL, ARENA_KERNEL, BENCH_KERNEL)


def warm_for_benchmark() -> None:
    """Load what the benchmark calls, or compile it."""
    load_all((RULES_KERNEL, BENCH_KERNEL))


def warm_to_play() -> None:
    """Load what a game at a terminal calls, or compile it."""
    load_all((RULES_KERNEL, BOTS_KERNEL))


def warm() -> None:
    """Load the rules, the bots and the benchmark's player, or compile them."""
    load_all((RULES_KERNEL, *KERNELS))
