"""Whether a value that came from outside has the type that a program expects of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

LARGEST = 2**63  # of a number: every program can compute with those below


def has_type(value: object, wanted: Any) -> bool:
    """Whether a value has a type: of plain values, unions, lists, tuples and dicts.

    A TypedDict may have further keys. A bool is no number.
    """
    if wanted is Any:
        return True
    if wanted in (None, NoneType):
        return value is None
    if wanted is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST
    if is_typeddict(wanted):
        return isinstance(value, dict) and _has_fields(value, wanted)
    parts = get_args(wanted)
    return _holds(value, wanted, parts) if parts else isinstance(value, wanted)


def _holds(value: Any, wanted: Any, parts: tuple[Any, ...]) -> bool:
    """The same for a type with parts, such as `list[str]` or `str | None`."""
    kind = get_origin(wanted)
    if kind in (Union, UnionType):
        return any(has_type(value, part) for part in parts)
    if not isinstance(value, kind):
        return False
    if kind is dict:
        key, item = parts
        return all(has_type(k, key) and has_type(v, item) for k, v in value.items())
    return all(has_type(item, parts[0]) for item in value)  # `tuple[int, ...]`, `list[int]`


def _has_fields(found: Mapping[str, Any], wanted: Any) -> bool:
    hints = _hints(wanted)
    return all(name in found and has_type(found[name], kind) for name, kind in hints.items())


@cache
def _hints(wanted: Any) -> Mapping[str, Any]:
    return get_type_hints(wanted)
