"""Errors that a user may meet, and checks of arguments where a caller passes them in."""

from __future__ import annotations

import os
from collections.abc import Collection
from numbers import Integral
from typing import Any, ClassVar

from rubicon.wording import quoted

# The base class of every error that a user may meet.


class RubiconError(Exception):
    """A request that cannot be carried out, and why.

    `code` is stable and meant for programs (`board/unknown-neighbour`); `message` is a sentence for
    people that says what is wrong; `suggestion` says what to do instead, or is "".

    `status` is that of an HTTP response. `retry`: the same request may succeed in a moment.
    """

    status: ClassVar[int] = 400
    retry: ClassVar[bool] = False

    def __init__(self, code: str, message: str, suggestion: str = "") -> None:
        self.code = code
        self.message = message
        self.suggestion = suggestion
        super().__init__(f"{message} {suggestion}".strip())

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, which would call a subclass with the sentence alone."""
        return _restored, (type(self), self.args, self.__dict__)

    def as_dict(self) -> dict[str, object]:
        """The error as programs get it."""
        return {"code": self.code, "message": self.message, "suggestion": self.suggestion}


class NotFound(RubiconError):
    """What is named does not exist, or is not visible to the client."""

    status = 404


class SignInRequired(RubiconError):
    """The client is not known: it sent no token, or one that is not valid."""

    status = 401


class NotAllowed(RubiconError):
    """Others may do this, the client may not."""

    status = 403


class TooMany(RubiconError):
    """Too many requests, connections or streams of one client."""

    status = 429


class Unavailable(RubiconError):
    """Something that the server needs does not answer, or has too much to do."""

    status = 503
    retry = True


def _restored(kind: type[RubiconError], args: tuple[Any, ...], fields: dict[str, Any]) -> Any:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(fields)
    return error


# Checks of arguments where a caller passes them in, before they cause an error deep inside.

_PLAIN = (str, bytes, int, float, list, tuple, dict, type(None))


class WrongType(RubiconError):
    """An argument of the wrong type; the message names the given value and what is accepted."""

    def __init__(self, code: str, given: object, taken: str, suggestion: str) -> None:
        super().__init__(code, f"{shown(given)} is not {taken}.", suggestion)


def shown(given: object) -> str:
    """A plain value as Python writes it, at most 40 characters; of other values the type."""
    if type(given) in _PLAIN:
        return quoted(given, 40)
    return f"A {type(given).__module__}.{type(given).__qualname__}"


def is_whole(given: object) -> bool:
    """Whether a value is an integer of Python or NumPy; True and False are not."""
    return isinstance(given, Integral) and not isinstance(given, bool)


def are_texts(given: object) -> bool:
    """Whether a value is a collection of texts; a single text is not."""
    if isinstance(given, str) or not isinstance(given, Collection):
        return False
    return all(isinstance(text, str) for text in given)


def is_path(given: object) -> bool:
    """Whether a value is a text or a path."""
    return isinstance(given, str | os.PathLike)
