"""How a record is laid out: one annotated class is both the NumPy layout and the type for mypy."""

from collections.abc import Callable, Iterator
from operator import itemgetter
from struct import Struct
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ParamSpec,
    Protocol,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
from numba import config

P = ParamSpec("P")
R = TypeVar("R")


class Cells(Protocol):
    """A one-dimensional field of a record: whole numbers, read and written by index."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...


class Grid(Protocol):
    """A two-dimensional field of a record."""

    def __getitem__(self, index: tuple[int, int], /) -> int: ...
    def __setitem__(self, index: tuple[int, int], value: int, /) -> None: ...


def record_dtype(layout: type) -> np.dtype[Any]:
    """The aligned NumPy record type that the annotations of `layout` describe.

    A field is `Annotated[int, np.int8]` or `Annotated[Cells, np.int8, shape]`. Wide fields come
    first in memory, so that nothing is padded between them.
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

    if kind.shape:
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

    def compiled(function):
        """Leave the procedure as it is: for the debugger, coverage and the case book."""
        return function

    inlined = unlocked = compiled

else:
    from rubicon.rules.procedure import compile_inlined as inlined  # noqa: F401 (for others)
    from rubicon.rules.procedure import compile_procedure as compiled
    from rubicon.rules.procedure import compile_unlocked as unlocked  # noqa: F401
