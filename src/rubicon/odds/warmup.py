"""The kernel of the odds: the recursions of battles."""

from numba import types

from rubicon.engine.compiler.kernel import Kernel
from rubicon.engine.warmup import NUMBER, POSITION_TYPE, RULES_KERNEL, RULES_TYPE, load_all
from rubicon.odds.battle import chance_to_win
from rubicon.odds.distribution import evaluate_policy, propagate, row_of, solve_backward
from rubicon.odds.rule import count_rolls

CHANCES = types.Array(types.float64, 2, "C")
TABLE = types.Array(types.float64, 2, "C", readonly=True)
NUMBERS = types.Array(types.int64, 2, "C")
LOSSES = types.Array(types.int64, 3, "C")
COUNTS = types.Array(types.int64, 6, "C")
POLICY = types.Array(types.int8, 2, "C")

ODDS_KERNEL = Kernel(
    "odds",
    (
        (count_rolls, (POSITION_TYPE, RULES_TYPE, *[NUMBER] * 4, COUNTS)),
        (solve_backward, (CHANCES, LOSSES, NUMBERS, NUMBERS, CHANCES, NUMBER, CHANCES, POLICY)),
        (evaluate_policy, (CHANCES, LOSSES, POLICY, CHANCES, CHANCES)),
        (propagate, (CHANCES, LOSSES, POLICY, CHANCES, CHANCES, NUMBER, NUMBERS)),
        (row_of, (NUMBER, NUMBER, NUMBER, NUMBER)),
        (chance_to_win, (TABLE, NUMBER, NUMBER)),
    ),
    __name__,
)
KERNELS = (ODDS_KERNEL,)


def warm() -> None:
    """Load the odds and the rules that they are counted by, or compile them."""
    load_all((RULES_KERNEL, ODDS_KERNEL))
