"""A compiled procedure: one signature, whichever widths of whole numbers it is called with.

Numba compiles a function again for every combination of argument types, and here a territory may
come as 16 bits from a record, as 64 from a loop or as a member of an enumeration. Widening them
all to 64 bits first keeps one signature a procedure, and the cold compile within its limit.
"""

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.core.registry import CPUDispatcher

from rubicon.rules import kernel_cache


def widened(argument: Any) -> Any:
    """The type of an argument in the one signature."""
    if isinstance(argument, types.Integer | types.IntEnumMember) and argument != types.uint64:
        return types.int64
    return argument


class Procedure(CPUDispatcher):
    """Numba's dispatcher, but for the widening."""

    def compile(self, sig: Any) -> Any:
        return super().compile(tuple(widened(argument) for argument in sig))


def compile_inlined(function: Callable[..., Any]) -> Procedure:
    """`compile_procedure` for what every roll passes through: its callers contain its code."""
    return compile_procedure(function, inline=True)


def compile_procedure(function: Callable[..., Any], *, inline: bool = False) -> Procedure:
    """Compile `function` when it is first called, and keep the machine code on disk."""
    options = {"nopython": True, "nogil": True, "boundscheck": None, "forceinline": inline}
    procedure = Procedure(py_func=function, targetoptions=options)
    if kernel_cache.can_keep(function):
        with kernel_cache.in_force():
            procedure.enable_caching()
    return procedure
