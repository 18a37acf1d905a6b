"""The sealed placements of a hosted game, as its log tells of them (docs/fair-dice.md)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rubicon.rules.actions import Action, Place
from rubicon.table.storage.event_log import LogLine


@dataclass(slots=True)
class Placements:
    """Who has sealed its placement, and who has opened it; `seats` are all of the game."""

    seats: Sequence[str]
    sealers: dict[str, str] = field(default_factory=dict)  # by seat: a client, or "" for the server
    owed: list[str] = field(default_factory=list)  # seats with a hash that is not opened
    failed: set[str] = field(default_factory=set)  # whose client did not open: a bot places
    _placed: dict[str, list[str]] = field(default_factory=dict)  # actions while all is sealed

    @property
    def all_in(self) -> bool:
        """Whether every seat has sealed."""
        return len(self.sealers) == len(self.seats)

    @property
    def unfinished(self) -> bool:
        """Whether a seat has sealed, and not all have opened."""
        return bool(self.sealers) and (not self.all_in or bool(self.owed))

    @property
    def withheld(self) -> tuple[str, ...]:
        """The seats whose client has sealed and not opened: they decide nothing."""
        return tuple(seat for seat in self.owed if self.sealers[seat])

    @property
    def wanted(self) -> tuple[str, ...]:
        """The seats whose client is to open now."""
        return self.withheld if self.all_in else ()

    def text(self, seat: str) -> str:
        """The actions with which a seat has placed at the server, one a line."""
        return "\n".join(self._placed.get(seat, ()))

    def place(self, seat: str, action: Action) -> None:
        """Note an action of the phase of sealed placements."""
        if isinstance(action, Place):
            self._placed.setdefault(seat, []).append(str(action))

    def take_back(self, seat: str, action: Action) -> None:
        """Note that a seat's last action was undone."""
        if isinstance(action, Place) and self._placed.get(seat):
            self._placed[seat].pop()

    def seal(self, line: LogLine) -> None:
        """Apply a line SEALED."""
        body: dict[str, Any] = json.loads(line.text)
        signed = body["signed"]
        self.sealers[line.seat] = "" if signed is None else str(signed["id"])
        if body["hash"] is not None:
            self.owed.append(line.seat)

    def open(self, line: LogLine) -> None:
        """Apply a line OPENED."""
        self.owed.remove(line.seat)
        if json.loads(line.text)["text"] is None:
            self.failed.add(line.seat)
