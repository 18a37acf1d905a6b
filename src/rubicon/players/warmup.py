"""The kernels of the bots."""

from numba import from_dtype, types

from rubicon.engine import warmup
from rubicon.engine.compiler.kernel import Kernel
from rubicon.players.characters import TRAITS
from rubicon.players.memory import MEMORY
from rubicon.players.player import choose
from rubicon.players.review.judging import judge_moments, play_alternatives, propose
from rubicon.players.scripted.battle_odds import chance_of, defence_rolls
from rubicon.players.scripted.turn import sets_rise

GAMES = types.Array(warmup.POSITION_TYPE, 1, "C")
MEMORY_TYPE = from_dtype(MEMORY)
MEMORIES = types.Array(MEMORY_TYPE, 1, "C")
POLICIES = types.Array(types.int64, 1, "C")
PROPOSERS_TYPE = types.Array(from_dtype(TRAITS), 1, "C")
NUMBERS = types.Array(types.float64, 2, "C")
DECIDING = (
    warmup.POSITION_TYPE,
    warmup.RULES_TYPE,
    warmup.BOARD,
    warmup.NUMBER,
    warmup.GENERATOR_TYPE,
)  # a seat that decides

BOTS_KERNEL = Kernel(
    "bots",
    (
        (
            choose,
            (
                warmup.NUMBER,
                warmup.POSITION_TYPE,
                warmup.RULES_TYPE,
                warmup.BOARD,
                warmup.NUMBER,
                MEMORY_TYPE,
                warmup.RANGES,
                warmup.GENERATOR_TYPE,
            ),
        ),
        (sets_rise, (warmup.RULES_TYPE,)),
        (defence_rolls, (warmup.RULES_TYPE, warmup.NUMBER)),
        (chance_of, (warmup.NUMBER, warmup.NUMBER, warmup.NUMBER)),
        (judge_moments, (GAMES, warmup.RULES_TYPE, warmup.BOARD, POLICIES, NUMBERS)),
        (propose, (*DECIDING, PROPOSERS_TYPE, MEMORIES, POLICIES)),
        (play_alternatives, (*DECIDING, PROPOSERS_TYPE, MEMORIES, POLICIES, NUMBERS)),
    ),
    __name__,
)
KERNELS = (BOTS_KERNEL,)


def warm_to_play() -> None:
    """Load what a game at a terminal calls, or compile it."""
    warmup.load_all((warmup.RULES_KERNEL, BOTS_KERNEL))


def warm() -> None:
    """Load the rules and the bots, or compile them."""
    warmup.load_all((warmup.RULES_KERNEL, *KERNELS))
