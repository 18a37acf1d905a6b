"""Who sits where: `me`, `me:Ann`, `greedy`, by the order of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rubicon.rules.errors import RubiconError

ME = "me"
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat as it was asked for; `bot` is None for a person."""

    name: str
    bot: str | None


def read_seats(text: str, bots: Sequence[str]) -> list[Chair]:
    """The chairs that `me:Ann,greedy,random` asks for; people and bots get names of their own."""
    chairs: list[Chair] = []
    for part in text.split(","):
        chairs.append(_chair(part.strip(), bots, chairs))
    return chairs


def _chair(part: str, bots: Sequence[str], before: Sequence[Chair]) -> Chair:
    kind, colon, name = part.partition(":")
    kind = kind.strip().lower()
    if kind != ME and kind not in bots:
        raise RubiconError(
            "play/unknown-seat",
            f"{part!r} is nobody who could sit down.",
            f"A seat is one of: {', '.join((ME, f'{ME}:NAME', *bots))}.",
        )
    if kind != ME:
        return Chair(unlike(kind, before, ()), kind)
    wanted = proper(name.strip()) if colon else ME
    return Chair(unlike(wanted, before, bots), None)


def proper(name: str) -> str:
    """A person's name, if a terminal can show it and a record can hold it."""
    if name.isprintable() and 1 <= len(name) <= LONGEST_NAME:
        return name
    raise RubiconError(
        "play/bad-name",
        f"{name[:LONGEST_NAME]!a} is no name for a person.",
        f"A name has 1 to {LONGEST_NAME} characters, all of which can be printed.",
    )


def unlike(name: str, before: Sequence[Chair], forbidden: Sequence[str]) -> str:
    """The name with a number behind it where another seat is, or a bot might be, called so."""
    taken = {chair.name for chair in before}
    number = 1
    chosen = name
    while chosen in taken or _bot_in(chosen, forbidden):
        number += 1
        behind = f"-{number}" if forbidden else f" {number}"
        chosen = name[: LONGEST_NAME - len(behind)] + behind
    return chosen


def usual_seats(fewest: int, most: int, watch: bool) -> list[Chair]:
    """Three seats, or as near to three as the ruleset allows: one person, unless we only watch."""
    count = min(max(3, fewest), most)
    text = ",".join(["greedy" if watch else ME] + ["greedy"] * (count - 1))
    return read_seats(text, ("greedy",))


def chairs_of(names: Sequence[str], bots: Sequence[str]) -> list[Chair]:
    """The chairs of a kept game, from the names of its players: `greedy 2` is a bot."""
    return [Chair(name, _bot_in(name, bots)) for name in names]


def _bot_in(name: str, bots: Sequence[str]) -> str | None:
    first, _, number = name.partition(" ")
    return first if first in bots and (not number or number.isdigit()) else None
