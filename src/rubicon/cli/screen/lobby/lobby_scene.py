"""What the screen of a server shows at one moment."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rubicon.cli.hosted.listing import Listing
from rubicon.cli.screen.lobby.lobby_news import Room
from rubicon.cli.screen.themes import Theme
from rubicon.client.answer_types import FoundAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyScene:
    """The tables, or the table `room` that is waited at (`waiting`), and the prompt.

    `selected` counts the tables from 0. `trouble`: the server does not answer as it should, what
    is shown is of the time `seen`.
    """

    theme: Theme
    server: str
    name: str
    listing: Listing
    room: Room | None
    waiting: bool
    selected: int
    typed: str
    cursor: int
    busy: bool
    trouble: str
    away: bool
    seen: float
    now: float

    @property
    def chosen(self) -> FoundAnswer | None:
        """The table that Enter opens; None in a waiting room, and where there is none."""
        tables = self.listing.tables
        return tables[self.selected] if not self.waiting and self.selected < len(tables) else None

    @property
    def may_start(self) -> bool:
        """Whether Enter starts the game: the host may where all seats are taken."""
        if self.room is None or not self.room.table["you_host"]:
            return False
        return not any(seat["free"] for seat in self.room.table["seats"])

    @property
    def may_seat_bots(self) -> bool:
        """Whether the host may put bots on free seats."""
        hosts = self.room is not None and self.room.table["you_host"]
        return hosts and not self.may_start

    @property
    def time_seen(self) -> str:
        """The time of day of what is shown."""
        return time.strftime("%H:%M", time.localtime(self.seen))


def opens(table: FoundAnswer) -> str:
    """What Enter does with a table, in one word."""
    if table["your_seat"] is not None:
        return "open"
    return "join" if table["state"] == "lobby" else "watch"
