"""Parses the territories of a campaign, and chances, as they are typed."""

import re
from collections.abc import Sequence

from rubicon.errors import RubiconError
from rubicon.odds.target import Target, check_targets

LONGEST = 1_000  # characters of a list
MOST_DIGITS = 15
NUMBER = re.compile(r"\s*-?\d+\s*")
TOKEN = re.compile(r"\s*(\d+|[,()])")
CHANCE = re.compile(r"(?P<number>-?(\d{1,9}(\.\d*)?|\.\d+))\s*(?P<percent>%?)")
HOW = "Write 3,5,2 for a path, or 3,5(2)(4,1) where the path divides."


def parse_targets(text: str) -> tuple[Target, ...]:
    """The targets of `3,5,2`, or of `3,5(2)(4,1)`, where the path divides behind 5 into 2 and 4,1.

    Raises RubiconError: `odds/bad-list`, and what `check_targets` raises.
    """
    tokens = _tokens(text)
    targets = _path(tokens, text)
    if tokens:
        raise bad_list(text)
    check_targets(targets)
    return targets


def targets_text(targets: Sequence[Target]) -> str:
    """The inverse of `parse_targets`."""
    if len(targets) == 1:
        then = targets[0].then
        comma = "," if len(then) == 1 else ""
        return f"{targets[0].defend}{comma}{targets_text(then)}"
    return "".join(f"({targets_text([target])})" for target in targets)


def parse_numbers(text: str) -> tuple[int, ...]:
    """The numbers of `1,2`; RubiconError, `odds/bad-list`."""
    words = text.split(",")
    if len(text) > LONGEST or not all(NUMBER.fullmatch(word) for word in words):
        raise bad_list(text, "Write whole numbers with commas between them: 1,2.")
    return tuple(_whole(word) for word in words)


def parse_chance(text: str) -> float:
    """The number of `0.8` or `80%`, also beyond 0 to 1; RubiconError, `odds/bad-chance`."""
    found = CHANCE.fullmatch(text.strip())
    if found is None:
        raise RubiconError("odds/bad-chance", f"{text[:20]!r} is no number.", "Write 0.8, or 80%.")
    return float(found["number"]) / (100 if found["percent"] else 1)


def bad_list(text: str, how: str = HOW) -> RubiconError:
    """The error for a text that is no list."""
    quoted = text if len(text) <= 40 else text[:40] + "…"
    return RubiconError("odds/bad-list", f"{quoted!r} is no list of armies.", how)


def _tokens(text: str) -> list[str]:
    """The tokens of a text in reverse, so that pop() takes the next one."""
    found = TOKEN.findall(text)
    if len(text) > LONGEST or TOKEN.sub("", text).strip():
        raise bad_list(text)
    return found[::-1]


def _path(tokens: list[str], text: str) -> tuple[Target, ...]:
    """A number and the targets behind it, or several paths in brackets."""
    if tokens and tokens[-1] == "(":
        return _branches(tokens, text)
    if not tokens or not tokens[-1].isdecimal():
        raise bad_list(text)
    defend = _whole(tokens.pop())
    if tokens and tokens[-1] == ",":
        tokens.pop()
        return (Target(defend, _path(tokens, text)),)
    return (Target(defend, _branches(tokens, text)),)


def _branches(tokens: list[str], text: str) -> tuple[Target, ...]:
    """All paths in brackets from here on."""
    branches: list[Target] = []
    while tokens and tokens[-1] == "(":
        tokens.pop()
        branches.extend(_path(tokens, text))
        if not tokens or tokens.pop() != ")":
            raise bad_list(text)
    return tuple(branches)


def _whole(word: str) -> int:
    """The number of a word; one with too many digits becomes one that is too large anyway."""
    digits = word.strip()
    # int() takes quadratic time, so a number of thousands of digits is not even converted.
    return int(digits) if len(digits) <= MOST_DIGITS else int(10.0**MOST_DIGITS)
