"""What happened to each person since that person's last turn: what all may know, in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubicon.cli.terminal.display.status import named
from rubicon.rules.actions import Resign
from rubicon.rules.events import Captured, Decided, Eliminated, Event, TurnBegan
from rubicon.wording import listed, numbered

if TYPE_CHECKING:
    from rubicon.rules.game.game import Game

MOST = 4  # facts
MOST_NAMES = 3  # of territories in one fact
HEADING = "Since your last turn:"
NOTHING = "You lost no territory."
MORE = "The log has more."


class SinceTurn:
    """Collects events, as a spectator sees them, and gives them to the next person as lines."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.at_turn = ""
        self.had_turn: set[str] = set()  # whose last turn was seen here
        self.lost: dict[str, dict[str, list[str]]] = {}  # territories by loser and winner
        self.out: dict[str, list[str]] = {}  # facts about seats that left the game, by reader

    def add(self, event: Event) -> None:
        """Take up one event that a spectator may see."""
        match event:
            case TurnBegan(seat) if seat != self.at_turn:
                if self.at_turn:
                    self._turn_ended(self.at_turn)
                self.at_turn = seat
            case Captured(seat, territory, before):
                taken = self.lost.setdefault(before, {}).setdefault(seat, [])
                taken += [territory] if territory not in taken else []
            case Eliminated(seat, by):
                fact = f"{self._named(seat)} is out, eliminated by {self._named(by)}."
                self._tell_out(fact, seat, by)
            case Decided(seat, action) if action == str(Resign(seat)):
                self._tell_out(f"{self._named(seat)} has resigned.", seat)

    def _tell_out(self, fact: str, *known_to: str) -> None:
        """Tell all seats but some, which know it, that a seat is out of the game."""
        for reader in self.game.colours:
            if reader not in known_to:
                self.out.setdefault(reader, []).append(fact)

    def _turn_ended(self, seat: str) -> None:
        self.had_turn.add(seat)
        self.lost.pop(seat, None)
        self.out.pop(seat, None)

    def lines(self, reader: str) -> list[str]:
        """The lines for a seat; none before its first turn where nothing has happened to it."""
        lost = sorted(self.lost.get(reader, {}).items(), key=lambda pair: -len(pair[1]))
        facts = [self._taken(seat, names) for seat, names in lost]
        facts += self.out.get(reader, [])
        if len(facts) > MOST:
            facts[MOST - 1 :] = [MORE]
        if reader not in self.had_turn:
            return facts
        return [HEADING, *facts, *([NOTHING] if not lost else [])]

    def _taken(self, seat: str, territories: list[str]) -> str:
        board = self.game.ruleset.board
        names = [board.territories[board.index(one)].name for one in territories]
        if len(names) > MOST_NAMES + 1:
            more = numbered(len(names) - MOST_NAMES, "other territory", "other territories")
            names[MOST_NAMES:] = [more]
        return f"{self._named(seat)} took {listed(names)} from you."

    def _named(self, colour: str) -> str:
        if colour not in self.game.colours:  # the neutral armies
            return colour
        return named(self.game, self.game.seat(colour))
