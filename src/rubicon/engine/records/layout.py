"""How a record is laid out: one annotated class is both the NumPy layout and the type for mypy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from struct import Struct
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    ParamSpec,
    Protocol,
    Self,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

import numpy as np
from numba import config

P = ParamSpec("P")
R = TypeVar("R")


class Cells(Protocol):
    """Whole numbers by index: what a compiled procedure asks of an array that it is given."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...


class CellArray(Protocol):
    """A one-dimensional field of a record, with the methods of a NumPy array that are in use.

    A comparison is made cell by cell, and gives cells of 0 and 1.
    """

    __hash__: ClassVar[None]  # type: ignore[assignment]

    @overload
    def __getitem__(self, index: int, /) -> int: ...
    @overload
    def __getitem__(self, index: slice | Cells | Sequence[int], /) -> CellArray: ...
    @overload
    def __setitem__(self, index: int, value: int, /) -> None: ...
    @overload
    def __setitem__(
        self, index: slice | Cells | Sequence[int], value: int | Cells | Sequence[int], /
    ) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def __array__(self) -> np.ndarray[Any, Any]: ...
    def __eq__(self, other: object, /) -> CellArray: ...  # type: ignore[override]
    def __ne__(self, other: object, /) -> CellArray: ...  # type: ignore[override]
    def __lt__(self, other: int | Cells, /) -> CellArray: ...
    def __le__(self, other: int | Cells, /) -> CellArray: ...
    def __gt__(self, other: int | Cells, /) -> CellArray: ...
    def __ge__(self, other: int | Cells, /) -> CellArray: ...
    def __and__(self, other: Cells, /) -> CellArray: ...
    def __or__(self, other: Cells, /) -> CellArray: ...
    def __invert__(self) -> CellArray: ...
    def __add__(self, other: int | Cells, /) -> CellArray: ...
    def __sub__(self, other: int | Cells, /) -> CellArray: ...
    def any(self) -> bool: ...
    def all(self) -> bool: ...
    def sum(self, *, dtype: str | None = None) -> int: ...
    def min(self) -> int: ...
    def max(self) -> int: ...
    def argmax(self) -> int: ...
    def copy(self) -> CellArray: ...
    def tolist(self) -> list[int]: ...
    def tobytes(self) -> bytes: ...


class Grid(Protocol):
    """A two-dimensional field of a record; a row of it is a one-dimensional one."""

    @overload
    def __getitem__(self, index: tuple[int, int], /) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> CellArray: ...
    def __setitem__(self, index: tuple[int, int], value: int, /) -> None: ...
    def __array__(self) -> np.ndarray[Any, Any]: ...


class RecordLayout:
    """What every record offers beside its fields: the methods of `np.record` that are in use.

    A subclass names the fields and is never made: NumPy makes the records, with `record_dtype`.
    """

    if TYPE_CHECKING:

        @property
        def dtype(self) -> np.dtype[Any]: ...
        def __getitem__(self, field: str, /) -> Any: ...
        def __setitem__(self, field: str, value: Any, /) -> None: ...
        def copy(self) -> Self: ...
        def tobytes(self) -> bytes: ...


def record_dtype(layout: type) -> np.dtype[Any]:
    """The aligned NumPy record type that the annotations of `layout` describe.

    A field is `Annotated[int, np.int8]`, `Annotated[CellArray, np.int8, shape]`, or another record.
    Wide fields come first in memory, so that nothing is padded between them.
    """
    fields: list[Any] = []
    for name, hint in get_type_hints(layout, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{layout.__name__}.{name} is not annotated with a NumPy type")
        _, *extras = get_args(hint)
        fields.append((name, *extras))
    fields.sort(key=lambda field: -np.dtype(field[1]).itemsize)
    plain = np.dtype(fields, align=True)
    return np.dtype((_record_class(layout.__name__, plain), plain))


def _record_class(name: str, plain: np.dtype[Any]) -> type[np.record]:
    """A record whose fields are properties: `np.record` looks each up anew, which is slow.

    A single number is read as a Python one: NumPy's compare with an enumeration's members a hundred
    times as slowly.

    `data` is what Numba takes a record's memory from. NumPy's own would describe all fields in the
    words of PEP 3118 at each call; the record itself is as good a buffer.
    """
    own: dict[str, Any] = {field: _field(field, plain) for field in plain.names or ()}
    own["data"] = property(lambda record: record)
    for slot in ("__getattribute__", "__setattr__", "__getitem__"):
        own[slot] = getattr(np.void, slot)
    return type(name, (np.record,), own)


def _field(name: str, plain: np.dtype[Any]) -> property:
    assert plain.fields is not None
    kind, offset = plain.fields[name][:2]

    def write(record: Any, value: Any) -> None:
        record[name] = value

    # Python's whole numbers have no 64 bits to shift out of: a word of a random generator stays
    # NumPy's, as in compiled code. A record within a record is read as a record.
    if kind.shape or kind.names or kind == np.uint64:
        return property(itemgetter(name), write)
    read_at = Struct(kind.char).unpack_from

    def number(record: Any) -> Any:
        return read_at(record, offset)[0]

    return property(number, write)


if TYPE_CHECKING:

    def compiled(function: Callable[P, R]) -> Callable[P, R]: ...

    def inlined(function: Callable[P, R]) -> Callable[P, R]: ...

    def unlocked(function: Callable[P, R]) -> Callable[P, R]: ...

elif config.DISABLE_JIT:
    np.seterr(over="ignore")  # compiled numbers wrap around without a warning, so these do, too

    def compiled(function):
        """Leave the procedure as it is: for the debugger, coverage and the case book."""
        return function

    inlined = unlocked = compiled

else:
    from rubicon.engine.compiler.jit import compile_inlined as inlined  # noqa: F401 (for others)
    from rubicon.engine.compiler.jit import compile_procedure as compiled
    from rubicon.engine.compiler.jit import compile_unlocked as unlocked  # noqa: F401
