"""Who plays: `me`, `me:Ann`, `greedy`, `mybot.py:MyBot`, `exec:COMMAND`, in the order of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rubicon.errors import RubiconError
from rubicon.players.bots.finding import IN_FILE, PROGRAM, is_own
from rubicon.players.registry import USUAL_LEVEL, full_name
from rubicon.suggestions import nearest

ME = "me"
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class SeatAssignment:
    """The player of one seat; `bot` is None for a person, else what `seated` takes."""

    name: str
    bot: str | None


def read_seats(text: str, bots: Sequence[str]) -> list[SeatAssignment]:
    """The seats that `me:Ann,greedy,random` asks for, each with a name of its own.

    Raises RubiconError: `play/unknown-seat`, `play/bad-name`.
    """
    seats: list[SeatAssignment] = []
    for part in text.split(","):
        seats.append(_seat(part.strip(), bots, seats))
    return seats


def _seat(part: str, bots: Sequence[str], before: Sequence[SeatAssignment]) -> SeatAssignment:
    kind, colon, name = part.partition(":")
    kind = full_name(kind.strip().lower())
    if kind != ME and part not in bots and is_own(part):
        return SeatAssignment(unlike(name_of_own(part), before, bots), part)
    if kind != ME and kind not in bots:
        hint = nearest(kind, (ME, *bots))
        raise RubiconError(
            "play/unknown-seat",
            f"Unknown player {part!r} (players: {', '.join(sorted(bots))}).",
            f"{hint} A person is {ME} or {ME}:NAME, your own bot FILE.py:CLASS or "
            "exec:COMMAND.".strip(),
        )
    if kind != ME:
        return SeatAssignment(unlike(kind, before, ()), kind)
    wanted = checked_name(name.strip()) if colon else ME
    return SeatAssignment(unlike(wanted, before, bots), None)


def name_of_own(bot: str) -> str:
    """The name at the table of a bot that is not Rubicon's: its class, or its command."""
    if bot.startswith(PROGRAM):
        program, *arguments = bot.removeprefix(PROGRAM).split() or ["program"]
        name = " ".join((Path(program).name, *arguments))
    else:
        name = bot.rpartition(IN_FILE)[2]
    printable = "".join(letter for letter in name if letter.isprintable())
    return printable[:LONGEST_NAME].strip() or "program"


def checked_name(name: str) -> str:
    """The same name, if a terminal can show it; else RubiconError `play/bad-name`."""
    if name.isprintable() and 1 <= len(name) <= LONGEST_NAME:
        return name
    raise RubiconError(
        "play/bad-name",
        f"{name[:LONGEST_NAME]!a} cannot be a player's name.",
        f"A name has 1 to {LONGEST_NAME} printable characters.",
    )


def unlike(name: str, before: Sequence[SeatAssignment], forbidden: Sequence[str]) -> str:
    """The name, with a number behind it if another seat has it or a bot is called so."""
    taken = {seat.name for seat in before}
    number = 1
    chosen = name
    while chosen in taken or _bot_in(chosen, forbidden):
        number += 1
        behind = f"-{number}" if forbidden else f" {number}"
        chosen = name[: LONGEST_NAME - len(behind)] + behind
    return chosen


def usual_seats(fewest: int, most: int, watch: bool) -> list[SeatAssignment]:
    """One person and two bots, or as near to three seats as the ruleset allows.

    With `watch`, bots only.
    """
    count = min(max(3, fewest), most)
    text = ",".join([USUAL_LEVEL if watch else ME] + [USUAL_LEVEL] * (count - 1))
    return read_seats(text, (USUAL_LEVEL,))


def seats_of_names(names: Sequence[str], bots: Sequence[str]) -> list[SeatAssignment]:
    """The seats of a saved game, from the names of its players: `greedy 2` is a bot."""
    return [SeatAssignment(name, _bot_in(name, bots)) for name in names]


def _bot_in(name: str, bots: Sequence[str]) -> str | None:
    first, _, number = name.partition(" ")
    return first if first in bots and (not number or number.isdigit()) else None
