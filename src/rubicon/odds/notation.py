"""What people type: the territories of a campaign, and chances."""

import re
from collections.abc import Sequence

from rubicon.odds.target import Target, check_targets
from rubicon.rules.errors import RubiconError

LONGEST = 1_000  # characters of a list
MOST_DIGITS = 15
NUMBER = re.compile(r"\s*-?\d+\s*")
TOKEN = re.compile(r"\s*(\d+|[,()])")
CHANCE = re.compile(r"(?P<number>-?(\d{1,9}(\.\d*)?|\.\d+))\s*(?P<percent>%?)")
HOW = "Write 3,5,2 for a path, 3,5(2)(4,1) where the way divides."


def parse_targets(text: str) -> tuple[Target, ...]:
    """The targets of `3,5,2`, or of `3,5(2)(4,1)`: after 5, the ways 2 and 4,1.

    Raises RubiconError: `odds/bad-list`, and what `check_targets` raises.
    """
    tokens = _tokens(text)
    targets = _way(tokens, text)
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
    """The chance of `0.8` or `80%`, any number; RubiconError, `odds/bad-chance`, for none."""
    found = CHANCE.fullmatch(text.strip())
    if found is None:
        raise RubiconError("odds/bad-chance", f"{text[:20]!r} is no chance.", "Write 0.8, or 80%.")
    return float(found["number"]) / (100 if found["percent"] else 1)


def bad_list(text: str, how: str = HOW) -> RubiconError:
    """The refusal of a text that is no list."""
    quoted = text if len(text) <= 40 else text[:40] + "…"
    return RubiconError("odds/bad-list", f"{quoted!r} is no list of armies.", how)


def _tokens(text: str) -> list[str]:
    """The numbers and signs of a text, the last first."""
    found = TOKEN.findall(text)
    if len(text) > LONGEST or TOKEN.sub("", text).strip():
        raise bad_list(text)
    return found[::-1]


def _way(tokens: list[str], text: str) -> tuple[Target, ...]:
    """A number with what follows it, or several ways in brackets."""
    if tokens and tokens[-1] == "(":
        return _ways(tokens, text)
    if not tokens or not tokens[-1].isdecimal():
        raise bad_list(text)
    defend = _whole(tokens.pop())
    if tokens and tokens[-1] == ",":
        tokens.pop()
        return (Target(defend, _way(tokens, text)),)
    return (Target(defend, _ways(tokens, text)),)


def _ways(tokens: list[str], text: str) -> tuple[Target, ...]:
    """Ways in brackets, as many as there are."""
    ways: list[Target] = []
    while tokens and tokens[-1] == "(":
        tokens.pop()
        ways.extend(_way(tokens, text))
        if not tokens or tokens.pop() != ")":
            raise bad_list(text)
    return tuple(ways)


def _whole(word: str) -> int:
    """A number; more digits than anybody needs stand for one that is refused as too large."""
    digits = word.strip()
    return int(digits) if len(digits) <= MOST_DIGITS else int(10.0**MOST_DIGITS)
