"""Compares a record with the transcript of its dice: every draw, and what the rules demanded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

from rubicon.dice.lines.draw import Ask, Draw, PickDraw, SealedDraw
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.genesis import Genesis
from rubicon.dice.lines.opening import End, Secrets
from rubicon.dice.lines.reading import Fields
from rubicon.dice.lines.request import Answer
from rubicon.dice.lines.state import key_of
from rubicon.engine.records.position import Chance
from rubicon.errors import RubiconError
from rubicon.rules.game.game import Entry as GameEntry
from rubicon.rules.game.game import Game
from rubicon.rules.outcomes import Outcome, PendingChance, Pick
from rubicon.rules.record.headers import game_of
from rubicon.rules.record.lines import RecordLine
from rubicon.rules.record.record import Record
from rubicon.table.admin.order_words import OrderWords, opened_requests
from rubicon.table.admin.recorded_placements import RecordedPlacements
from rubicon.table.game.chance import ask_of, outcome_of
from rubicon.table.settings import DiceSource

DICE = "Dice"  # the header that says who rolled


@dataclass(frozen=True, slots=True)
class Difference:
    """The first line of a record that contradicts its transcript."""

    line: int  # of the record's file; 0 where it is no single line
    code: str
    message: str
    expected: str = ""  # by the rules and the transcript
    found: str = ""

    def as_dict(self) -> dict[str, str | int]:
        """As programs get it."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Compared:
    """How many outcomes of a record match its transcript, and the first difference."""

    outcomes: int = 0
    sealed: int = 0  # secret picks, which can be compared only when the secrets are open
    typed: int = 0  # real dice, which cannot be checked
    difference: Difference | None = None

    def as_dict(self) -> dict[str, object]:
        """As programs get it."""
        shown = {field.name: getattr(self, field.name) for field in fields(self)}
        return shown | {"difference": self.difference and self.difference.as_dict()}


def compare(record: Record, entries: Iterable[Entry]) -> Compared:
    """Compare a record with the lines of a transcript, which must have been verified before.

    RecordError where the record breaks the rules.
    """
    comparing = _Comparing(record, list(entries))
    difference = comparing.run()
    return Compared(comparing.outcomes, comparing.sealed, comparing.typed, difference)


class _Different(Exception):
    def __init__(
        self, line: int, code: str, message: str, expected: object = "", found: object = ""
    ) -> None:
        self.difference = Difference(line, f"record/{code}", message, str(expected), str(found))
        super().__init__(message)


class _Comparing:
    def __init__(self, record: Record, entries: list[Entry]) -> None:
        self._record = record
        self._seats = Genesis.read(Fields(entries[0].body, "genesis")).seats
        self._draws = list(draws_of(entries))
        self._draws.reverse()  # the next one is the last
        self._secrets: Secrets | None = None
        if entries[-1].kind == End.kind:
            end = End.read(Fields(entries[-1].body, "end"))
            self._secrets = Secrets(end.seed, entries[0].head)
        opened = opened_requests(entries) if self._secrets is not None else None
        self._words = None if opened is None else OrderWords(opened)
        self._placements = RecordedPlacements(entries)
        self._typed = record.headers.get(DICE) == DiceSource.TYPED.value
        self.outcomes = self.sealed = self.typed = 0

    def run(self) -> Difference | None:
        """The first difference."""
        game = game_of(self._record.headers)
        _check_seats(game, self._seats)
        try:
            for line in self._record.lines:
                if line.entry is not None:
                    self._line(game, line, line.entry)
            self._rest()
        except _Different as different:
            return different.difference
        except RubiconError:
            self._record.replay()  # says at which line the rules are broken
            raise
        self._record.verify()
        return None

    def _line(self, game: Game, line: RecordLine, entry: GameEntry) -> None:
        if isinstance(entry, Outcome):
            if game.pending is not None:
                self._outcome(game, line, game.pending, entry)
            game.settle(entry)
        else:
            if self._words is not None:
                self._words.act(game, entry)
            self._placements.act(game, entry)
            game.play(entry)
            fault = self._placements.fault(game)
            if fault:
                raise _Different(line.number, "other-placement", fault)

    def _outcome(
        self, game: Game, line: RecordLine, pending: PendingChance, outcome: Outcome
    ) -> None:
        if self._typed and pending.chance in (Chance.BATTLE, Chance.DICE):
            self._typed_or_drawn(game, pending, outcome)
            return
        found = self._draws.pop() if self._draws else None
        if found is None:
            message = "The transcript has no draw for this outcome."
            raise _Different(line.number, "no-draw", message, "the end", outcome)
        wanted: Ask = ask_of(game, pending)
        if found.draw.ask != wanted:
            message = f"Request {found.n} asked for something that the rules did not ask for."
            raise _Different(
                line.number, "other-request", message, wanted.form(), found.draw.ask.form()
            )
        fault = "" if self._words is None else self._words.drawn(found.n)
        if fault:
            raise _Different(line.number, "other-order", fault)
        expected = self._expected(found, pending)
        if expected is None:
            self.sealed += 1
        elif expected != outcome:
            message = "The transcript has another draw."
            raise _Different(line.number, "other-outcome", message, expected, outcome)
        else:
            self.outcomes += 1

    def _typed_or_drawn(self, game: Game, pending: PendingChance, outcome: Outcome) -> None:
        """Dice that a person may have entered; the table has rolled some of them itself.

        A record does not say which. Each draw of the transcript must be found in its order, and the
        first outcome that is equal to it may stand for it: then the others have one each too.
        """
        found = self._draws[-1] if self._draws else None
        asked = found is not None and found.draw.ask == ask_of(game, pending)
        if found is not None and asked and self._expected(found, pending) == outcome:
            self._draws.pop()
            self.outcomes += 1
        else:
            self.typed += 1

    def _expected(self, found: NumberedDraw, pending: PendingChance) -> Outcome | None:
        """The outcome that a draw means; None for a secret pick that is still sealed.

        The draw says which place was picked; which thing lies there, the rules say.
        """
        draw = found.draw
        if isinstance(draw, PickDraw):
            return Pick(pending.things[draw.index])
        if not isinstance(draw, SealedDraw):
            return outcome_of(draw, None)
        if self._secrets is None:
            return None
        index = self._secrets.pick(found.key, found.n, found.number, draw.of)
        return Pick(pending.things[index])

    def _rest(self) -> None:
        """Check that a finished game has no more draws; a record may end before its game."""
        left = self._draws[::-1]
        if left and self._secrets is not None:
            message = f"The transcript has {len(left):,} more draws than the record."
            expected = f"a draw of request {left[0].n}"
            raise _Different(0, "cut", message, expected, "the end")


class NumberedDraw(NamedTuple):
    """A draw with the number of its request and the request's key."""

    n: int
    key: bytes
    number: int
    draw: Draw


def draws_of(entries: Sequence[Entry]) -> Iterator[NumberedDraw]:
    """Every draw of a transcript."""
    genesis = entries[0].head
    for entry in entries:
        if entry.kind == Answer.kind:
            answer = Answer.read(Fields(entry.body, "answer"))
            key = key_of(genesis, answer.n, answer.bare)
            for number, draw in enumerate(answer.draws):
                yield NumberedDraw(answer.n, key, number, draw)


def _check_seats(game: Game, seats: Iterable[str]) -> None:
    if tuple(seats) != game.colours:
        message = "The record and the transcript belong to different games: their seats differ."
        found = f"Record: {', '.join(game.colours)}. Transcript: {', '.join(seats)}."
        raise RubiconError("record/other-game", message, found)
