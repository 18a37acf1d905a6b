"""A stamp of a procedure: equal stamps mean equal machine code.

Numba sees of a function its bytecode, the constants in it and the globals that it reads; of a
procedure that it calls, the same again. The stamp is a hash of exactly that. So it changes with a
constant in another module or with a procedure that is called indirectly, and it does not change
with docstrings, comments, annotations or the position of the code in its file.
"""

import builtins
import dis
import hashlib
from collections.abc import Callable, Iterator
from enum import Enum, EnumMeta
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types

PACKAGE_NAME = __name__.partition(".")[0]
PLAIN = bool | int | float | complex | str | bytes | None
# Everything but opcodes and constants that decides what a code object does. Local names do not:
# bytecode knows locals by number, and callers know parameters by the signature below.
CODE_FIELDS = (
    "co_argcount",
    "co_posonlyargcount",
    "co_kwonlyargcount",
    "co_flags",
    "co_names",
    "co_freevars",
    "co_cellvars",
)


class UnknownGlobalError(TypeError):
    """A procedure reads a global of a kind whose changes the stamp cannot see."""


class Stamps:
    """Computes stamps, each procedure's once: most are called by many others."""

    def __init__(self) -> None:
        self._known: dict[FunctionType, bytes] = {}

    def of(self, function: Callable[..., Any]) -> bytes:
        """The stamp of a Python function; UnknownGlobalError if it reads what is not supported."""
        assert isinstance(function, FunctionType)
        if function not in self._known:
            # A procedure that calls itself, directly or not, finds its name in place of its stamp.
            self._known[function] = function.__qualname__.encode()
            self._known[function] = _digest(*self._parts(function))
        return self._known[function]

    def _parts(self, function: FunctionType) -> Iterator[object]:
        code = function.__code__
        yield function.__module__, function.__qualname__
        yield code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        yield from self._code(code)
        yield self._value(function.__defaults__)
        for cell in function.__closure__ or ():
            yield self._value(cell.cell_contents)
        for name in sorted(_names(code)):
            if name in function.__globals__:
                yield name, self._global(function.__globals__[name], code)
            elif hasattr(builtins, name):
                yield name

    def _code(self, code: CodeType) -> Iterator[object]:
        """Opcodes, each constant in the place where it is loaded, so that no docstring counts."""
        for field in CODE_FIELDS:
            yield getattr(code, field)
        extended = 0
        words = code.co_code
        for opcode, low in zip(words[::2], words[1::2], strict=True):
            argument = extended << 8 | low
            extended = argument if opcode == dis.EXTENDED_ARG else 0
            yield opcode
            yield self._constant(code.co_consts[argument]) if opcode in dis.hasconst else low
        yield getattr(code, "co_exceptiontable", b"")

    def _constant(self, constant: object) -> object:
        if isinstance(constant, CodeType):
            return _digest(*self._code(constant))
        return self._value(constant)

    def _global(self, value: object, code: CodeType) -> object:
        """A module counts with those of its attributes that the code may read."""
        if not isinstance(value, ModuleType):
            return self._value(value)
        if value.__name__.partition(".")[0] != PACKAGE_NAME:
            return value.__name__
        read = sorted(name for name in _names(code) if hasattr(value, name))
        return value.__name__, [(name, self._global(getattr(value, name), code)) for name in read]

    def _value(self, value: object) -> object:
        """Something with a `repr` that is equal in two processes if and only if `value` is."""
        if isinstance(value, Enum):
            return self._value(type(value)), value.name
        if isinstance(value, PLAIN):
            return type(value).__name__, value
        if isinstance(value, EnumMeta):
            return value.__qualname__, [(name, member.value) for name, member in _members(value)]
        if isinstance(value, tuple | list):
            return type(value).__name__, [self._value(part) for part in value]
        if isinstance(value, frozenset):
            return "frozenset", sorted(repr(self._value(part)) for part in value)
        if isinstance(value, np.ndarray | np.generic):
            array = np.asarray(value)
            return repr(array.dtype), array.shape, hashlib.sha256(array.tobytes()).digest()
        if isinstance(value, np.dtype):
            return repr(value)
        if isinstance(value, type | BuiltinFunctionType | np.ufunc):
            return getattr(value, "__module__", ""), value.__name__
        if isinstance(value, types.ExternalFunction):
            return value.symbol, repr(value.sig)
        return self._callable(value)

    def _callable(self, value: object) -> object:
        """A compiled procedure, or a Python function that Numba translates in its own way."""
        function = getattr(value, "py_func", value)
        if not isinstance(function, FunctionType):
            raise UnknownGlobalError(
                f"a procedure reads {value!r}; only numbers, texts, tuples, enumerations, NumPy "
                "arrays and other procedures can be compiled into one"
            )
        ours = function.__module__.partition(".")[0] == PACKAGE_NAME
        # Procedures of users' own bots change as ours do; what NumPy and Numba bring does not.
        if not ours and function is value:
            return function.__module__, function.__qualname__
        return self.of(function), sorted(getattr(value, "targetoptions", {}).items())


def called_by(function: FunctionType, kind: type) -> list[Any]:
    """The objects of a kind, such as procedures, that a function names."""
    names = _names(function.__code__)
    values = [value for name, value in function.__globals__.items() if name in names]
    values += [
        getattr(value, name)
        for value in values
        if isinstance(value, ModuleType)
        for name in names
        if hasattr(value, name)
    ]
    values += [cell.cell_contents for cell in function.__closure__ or ()]
    parts = [part for value in values if isinstance(value, tuple) for part in value]
    return [value for value in [*values, *parts] if isinstance(value, kind)]


def _names(code: CodeType) -> set[str]:
    """Every name of a global or an attribute in a code object and in those within it."""
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)


def _members(enumeration: EnumMeta) -> list[tuple[str, Any]]:
    return sorted(enumeration.__members__.items())


def _digest(*parts: object) -> bytes:
    total = hashlib.sha256()
    for part in parts:
        total.update(repr(part).encode())
        total.update(b"\n")
    return total.digest()
