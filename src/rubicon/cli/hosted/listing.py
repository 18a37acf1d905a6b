"""The tables on a server as a person chooses among them: own games, and tables with free seats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rubicon.cli.hosted.lobby import GAME_ID
from rubicon.client.answer_types import ClockAnswer, FoundAnswer
from rubicon.client.answers import answer_field
from rubicon.wording import numbered

if TYPE_CHECKING:
    from rubicon.client import Client

MOST = 50  # tables of each kind
A_MOVE = " a move"
UNITS = ((86400, "day"), (3600, "hour"), (60, "min"), (1, "s"))


@dataclass(frozen=True, slots=True)
class Listing:
    """Own tables, those that wait for the person first, and open tables of others.

    Of each only the newest are listed; `mine_count` and `free_count` say how many there are.
    """

    mine: list[FoundAnswer] = field(default_factory=list)
    free: list[FoundAnswer] = field(default_factory=list)
    mine_count: int = 0
    free_count: int = 0

    @property
    def tables(self) -> list[FoundAnswer]:
        """All of them, in the order of their numbers."""
        return [*self.mine, *self.free]


def listing_of(client: Client) -> Listing:
    """The tables of now."""
    running, running_count = _found(client, "mine", "running")
    waiting, waiting_count = _found(client, "mine", "lobby")
    mine = [*running, *waiting]
    mine.sort(key=lambda table: not table["needs_you"])
    free, free_count = _found(client, "open", "lobby")
    return Listing(mine, free, running_count + waiting_count, free_count)


def heading(title: str, shown: int, count: int) -> str:
    """The heading of a list: it says so where there are more tables than are shown."""
    return f"{title} (the {shown} newest of {count})" if count > shown else title


def _found(client: Client, which: str, state: str) -> tuple[list[FoundAnswer], int]:
    """The newest tables of a kind, and how many there are; own tables are no open ones."""
    page = client.search_tables(which, state=state, limit=MOST, others=which == "open")
    found = answer_field(page, "tables", list[FoundAnswer])
    shown = [table for table in found[:MOST] if GAME_ID.fullmatch(table["id"])]
    return shown, answer_field(page, "count", int)


def free_seats(table: FoundAnswer) -> int:
    """How many seats are free."""
    return sum(seat["free"] for seat in table["seats"])


def people_of(table: FoundAnswer) -> str:
    """Who sits at a table, the host first; bots are counted."""
    seats = sorted(table["seats"], key=lambda seat: not seat["host"])
    people = [seat["name"] for seat in seats if seat["name"] and seat["bot"] is None]
    bots = sum(seat["bot"] is not None for seat in seats)
    return ", ".join([*people, *([numbered(bots, "bot")] if bots else [])])


def progress_of(table: FoundAnswer) -> str:
    """The round of a game, `set-up` before the first; "" for a table that has not started."""
    if table["state"] == "lobby" or table["game"] is None:
        return ""
    return f"round {table['game']['round']}" if table["game"]["round"] else "set-up"


def waits_for(table: FoundAnswer) -> str:
    """For whom a table waits, in a few words."""
    game = table["game"]
    if table["state"] == "lobby":
        free = free_seats(table)
        return f"{numbered(free, 'seat')} free" if free else "may start"
    if game is None:
        return ""
    if game["paused"]:
        return "paused"
    if table["needs_you"]:
        phase = game["phase"].replace("_", " ")
        return f"you are asked: {phase}" if phase == "defend" else f"your turn, {phase}"
    names = {seat["colour"]: seat["name"] for seat in table["seats"]}
    moving = [names.get(move["colour"], move["colour"]) for move in game["moving"]]
    return f"{moving[0]} is to move" if len(moving) == 1 else "others are to move"


def seconds_left(table: FoundAnswer, now: float) -> int | None:
    """The seconds until the clock of a seat that must decide runs out, the own seat's first."""
    if table["game"] is None:
        return None
    moves = sorted(table["game"]["moving"], key=lambda move: move["colour"] != table["your_seat"])
    until = next((move["until"] for move in moves if move["until"] is not None), None)
    return None if until is None else max(0, int(until / 1000 - now))


def pace_of(clock: ClockAnswer) -> str:
    """The time for a decision, `2 days a move`, or that there is no clock."""
    seconds = clock["decision_time"]
    if clock["kind"] == "none" or seconds <= 0:
        return "no clock"
    size, name = next(unit for unit in UNITS if seconds % unit[0] == 0)
    number = seconds // size
    plural = "s" if number > 1 and name in ("day", "hour") else ""
    return f"{number} {name}{plural}{A_MOVE}"
