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

STRAIGHT = types.Record | types.Integer | types.Boolean


def widened(argument: Any) -> Any:
    """The type of an argument in the one signature."""
    if isinstance(argument, types.Integer | types.IntEnumMember) and argument != types.uint64:
        return types.int64
    return argument


class Procedure(CPUDispatcher):
    """Numba's dispatcher, but for the widening, and for the way in.

    Numba looks at the type of each argument at each call, which takes records ten times as long as
    most procedures. Where all arguments are records and whole numbers there is but one signature,
    and from the first call on its machine code is called straight away.
    """

    _straight: Callable[..., Any] | None = None

    def compile(self, sig: Any) -> Any:
        arguments = tuple(widened(argument) for argument in sig)
        entry = super().compile(arguments)
        if all(isinstance(argument, STRAIGHT) for argument in arguments):
            self._straight = entry
        return entry

    def __call__(self, *arguments: Any) -> Any:
        straight = self._straight
        return super().__call__(*arguments) if straight is None else straight(*arguments)


def compile_inlined(function: Callable[..., Any]) -> Procedure:
    """`compile_procedure` for what every roll passes through: its callers contain its code."""
    return compile_procedure(function, inline=True)


def compile_unlocked(function: Callable[..., Any]) -> Procedure:
    """`compile_procedure` for what takes milliseconds: other threads go on meanwhile."""
    return compile_procedure(function, unlocked=True)


def compile_procedure(
    function: Callable[..., Any], *, inline: bool = False, unlocked: bool = False
) -> Procedure:
    """Compile `function` when it is first called, and keep the machine code on disk.

    The interpreter's lock is kept unless told otherwise: a thread that lets it go for microseconds
    waits milliseconds until it has it again.
    """
    options = {"nopython": True, "nogil": unlocked, "boundscheck": None, "forceinline": inline}
    procedure = Procedure(py_func=function, targetoptions=options)
    if kernel_cache.can_keep(function):
        with kernel_cache.in_force():
            procedure.enable_caching()
    return procedure
