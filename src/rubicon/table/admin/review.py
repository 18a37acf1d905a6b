"""A finished game, moment by moment: everything is open, as in its record."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from sqlalchemy import Connection

from rubicon.engine.records import Position
from rubicon.rules.actions import Outcome
from rubicon.rules.event_diff import Transition, step_events
from rubicon.rules.events import Decided, Event, event_name
from rubicon.rules.game import Game
from rubicon.rules.notation.json_format import action_to_json
from rubicon.rules.record import game_of
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.game.log_lines import Acted, Beginning, LineKind, LogLine, Settled, said
from rubicon.table.storage.event_log import lines_of
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller


@dataclass(frozen=True, slots=True)
class Moment:
    """One decision, or one outcome of chance, that was not undone.

    `index` is its log index, `at` its time in milliseconds since 1970. `mover` is the seat that
    decided, or whose turn it was. `kind` is that of the action (`attack`), or of the first event
    of the outcome (`rolled`).
    """

    index: int
    at: int
    round: int
    turn: str | None
    mover: str | None
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class GameReview:
    """A game with its whole history, and the log line of each entry of it.

    `ending` is the result and the reason, as the log has it.
    """

    game: Game
    lines: tuple[LogLine, ...]
    ending: str

    def moments(self, after: int, limit: int) -> tuple[Moment, ...]:
        """The moments after a log index, at most so many."""
        first = bisect_right(self.lines, after, key=lambda line: line.index)
        return tuple(map(self._moment, range(first, min(first + limit, len(self.lines)))))

    def number_at(self, index: int) -> int:
        """How many entries of the history there are up to a log index."""
        return bisect_right(self.lines, index, key=lambda line: line.index)

    def position_after(self, number: int) -> Position:
        """The position after so many entries of the history."""
        positions = self.game.positions
        return positions[number] if number < len(positions) else self.game.position

    def _moment(self, number: int) -> Moment:
        game, line = self.game, self.lines[number]
        before, after = game.positions[number], self.position_after(number + 1)
        entry = game.history[number]
        events = step_events(Transition(game.ruleset, game.ids, before, after, entry))
        acting = game.owner_name(int(before.turn)) if before.first >= 0 else None
        decided = next((event.seat for event in events if isinstance(event, Decided)), None)
        if isinstance(entry, Outcome):
            kind = event_name(events[0]) if events else "settled"
        else:
            kind = action_to_json(entry)["action"]
        return Moment(
            index=line.index,
            at=line.at,
            round=int(after.round_number),
            turn=acting,
            mover=decided or acting,
            kind=kind,
            text=self._text(events),
        )

    def _text(self, events: tuple[Event, ...]) -> str:
        board = self.game.ruleset.board.territories
        teller = Storyteller(Names(places={territory.id: territory.name for territory in board}))
        return "; ".join(map(teller.sentence, events))


def reviewed(connection: Connection, game: str) -> GameReview:
    """The review of a finished game.

    NoSuchGame, or TableError `review/not-yet`: until the end it would reveal hidden information.
    """
    lines = lines_of(connection, game)
    if not lines:
        raise NoSuchGame(game)
    if lines[-1].kind is not LineKind.END:
        message = "The game is not over, and its moments would reveal hidden information."
        raise TableError("review/not-yet", message, "Ask again when the game is over.")
    played = game_of(said(lines[0], Beginning).record)
    entries: list[LogLine] = []
    for line in lines:
        match line.kind:
            case LineKind.ACTION:
                played.play(said(line, Acted, played).action)
                entries.append(line)
            case LineKind.OUTCOME:
                played.settle(said(line, Settled).outcome)
                entries.append(line)
            case LineKind.UNDO:
                played.undo(line.seat)
                entries.pop()
    return GameReview(played, tuple(entries), lines[-1].text)
