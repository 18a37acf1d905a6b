"""Compares the sealed placements of a transcript with the armies that a record has placed."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.placement import Opened, Sealed
from rubicon.dice.lines.reading import Fields
from rubicon.engine.records.position import Phase, Seat
from rubicon.errors import RubiconError
from rubicon.rules.actions import Action, Place
from rubicon.rules.game.game import Game
from rubicon.rules.notation.actions import parse_action


class RecordedPlacements:
    """Follows a record beside the placements of its transcript."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        # By seat: the opened text; None where there is none, as the transcript shows.
        self._texts: dict[str, str | None] = {}
        self._out: list[str] = []  # seats that have sealed nothing, as if out of the game
        for entry in entries:
            if entry.kind == Sealed.kind:
                sealed = Sealed.read(Fields(entry.body, "sealed"))
                self._texts[sealed.seat] = None
                self._out += [] if sealed.hash else [sealed.seat]
            elif entry.kind == Opened.kind:
                opened = Opened.read(Fields(entry.body, "opened"))
                self._texts[opened.seat] = opened.text
        self._placed: dict[str, list[Action]] = {}
        self._placing = False

    def act(self, game: Game, action: Action) -> None:
        """Note an action that is about to be played."""
        self._placing = game.phase == Phase.SEALED
        if self._placing:
            placed = self._placed.setdefault(game.actor_of(action), [])
            placed += [action] if isinstance(action, Place) else []

    def fault(self, game: Game) -> str:
        """What is wrong when the last placement is in, as a sentence; "" where nothing is."""
        if not self._placing or game.phase == Phase.SEALED or game.over:
            return ""
        for seat in self._out:
            if game.position.status[game.colours.index(seat)] == Seat.PLAYING:
                return f"{seat} plays, and has sealed no placement, as if it were out of the game."
        for seat, placed in self._placed.items():
            if seat not in self._texts:
                return f"The placement of {seat} stands nowhere in the transcript."
            text = self._texts[seat]
            if text is None:
                continue
            if placed != _actions(game, text):
                return f"{seat} has placed something else than was sealed for it."
        return ""


def _actions(game: Game, text: str) -> list[Action] | None:
    """The actions of an opened text; None where it has something else."""
    board, colours = game.ruleset.board, game.colours
    try:
        return [parse_action(line, board, colours) for line in text.split("\n") if line]
    except RubiconError:
        return None
