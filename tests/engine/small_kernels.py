"""Two small kernels with a procedure in common, which worker processes can import."""

from numba import types

from rubicon.engine.compiler.jit import compile_procedure
from rubicon.engine.compiler.kernel import Kernel

NUMBER = types.int64


def shared(x: int) -> int:
    """Called by both."""
    return min(x, 40) + 2


SHARED = compile_procedure(shared)


def first(x: int) -> int:
    """Of the first kernel."""
    return int(SHARED(x)) * 10


def second(x: int) -> int:
    """Of the second kernel."""
    return int(SHARED(x)) - 1


FIRST, SECOND = compile_procedure(first), compile_procedure(second)
KERNELS = (
    Kernel("small-first", ((FIRST, (NUMBER,)),), __name__),
    Kernel("small-second", ((SECOND, (NUMBER,)), (SHARED, (NUMBER,))), __name__),
)
