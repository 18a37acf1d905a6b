"""Values of the wrong kind: refused where they are handed in, not by a failure deep inside."""

from __future__ import annotations

import os
from collections.abc import Collection
from numbers import Integral

from rubicon.rules.board_parts import quoted
from rubicon.rules.errors import RubiconError

_PLAIN = (str, bytes, int, float, list, tuple, dict, type(None))


class WrongKind(RubiconError):
    """Something else was given than is taken."""

    def __init__(self, code: str, given: object, taken: str, suggestion: str) -> None:
        super().__init__(code, f"{shown(given)} is not {taken}.", suggestion)


def shown(given: object) -> str:
    """A plain value as it is written, and what kind of thing anything else is."""
    if type(given) in _PLAIN:
        return quoted(given, 40)
    return f"A {type(given).__module__}.{type(given).__qualname__}"


def is_whole(given: object) -> bool:
    """Whether it is a whole number, of Python or of NumPy; True and False are none."""
    return isinstance(given, Integral) and not isinstance(given, bool)


def are_texts(given: object) -> bool:
    """Whether it is a list, or the like, of texts; a single text is not."""
    if isinstance(given, str) or not isinstance(given, Collection):
        return False
    return all(isinstance(text, str) for text in given)


def is_path(given: object) -> bool:
    """Whether it is a text or a path."""
    return isinstance(given, str | os.PathLike)
