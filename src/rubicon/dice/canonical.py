"""Canonical JSON: one text for one value, so that it can be hashed (RFC 8785, whole numbers)."""

import json
import re
from collections.abc import Iterable
from typing import NoReturn

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]

LARGEST = 2**53 - 1  # the largest whole number that every JSON reader keeps exact
_LONG_NUMBER = re.compile("[0-9]{16}")  # as many digits as the largest has
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def canonical(value: Json) -> str:
    """The one text of a value; ValueError where it has none."""
    text = _ENCODER.encode(value)
    if not text.isascii() or _LONG_NUMBER.search(text):  # else there is nothing to find
        _check(value)
        text.encode("utf-8")  # a lone surrogate has no UTF-8
    return text


def parse(text: str) -> Json:
    """The value of a JSON text; ValueError where it is none, or has a fraction."""
    try:
        value: Json = json.loads(text, parse_float=_refuse, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value


def _check(value: Json) -> None:
    if isinstance(value, dict):
        # The order of RFC 8785 and Python's agree on ASCII, and no key of ours needs more.
        if not "".join(value).isascii():
            raise ValueError("a name outside ASCII")
        _check_all(value.values())
    elif isinstance(value, list):
        _check_all(value)
    elif isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError("a number too large")


def _check_all(values: Iterable[Json]) -> None:
    for value in values:
        if type(value) is not str:
            _check(value)


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text} is no whole number")
