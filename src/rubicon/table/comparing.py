"""A record laid beside the transcript of its dice: every die and every pick, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from rubicon.dice.asks import Battle, KeyOnly, Sealed, SeatDice, SecretPick
from rubicon.dice.asks import Pick as PickAsked
from rubicon.dice.bodies import Opened, Request, Reveal
from rubicon.dice.chain import Chain
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Entry, Game
from rubicon.rules.outcomes import Outcome, Owed, Pick
from rubicon.rules.position import Chance
from rubicon.rules.record import Record
from rubicon.rules.record_headers import game_of
from rubicon.rules.record_lines import Line
from rubicon.table.chance import SETUP_ORDER, outcome_of
from rubicon.table.settings import DiceSource

DICE = "Dice"  # the header that says who rolled


@dataclass(frozen=True, slots=True)
class Difference:
    """The first line of a record that its transcript does not bear out."""

    line: int  # of the record's file; 0 for none of them
    code: str
    message: str
    expected: str = ""  # by the transcript
    found: str = ""  # in the record

    def as_dict(self) -> dict[str, str | int]:
        """As programs get it."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Compared:
    """How many outcomes of a record are the transcript's, and the first that is not."""

    outcomes: int = 0
    sealed: int = 0  # secret picks that cannot be compared before the seeds are open
    typed: int = 0  # real dice, which nobody can check
    difference: Difference | None = None

    def as_dict(self) -> dict[str, object]:
        """As programs get it."""
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        return told | {"difference": self.difference and self.difference.as_dict()}


def compare(record: Record, chain: Chain) -> Compared:
    """Lay a record beside the chain of its dice, which must be in order by itself.

    RecordError where the record breaks the rules.
    """
    comparing = _Comparing(record, chain)
    difference = comparing.run()
    return Compared(comparing.outcomes, comparing.sealed, comparing.typed, difference)


class _Different(Exception):
    def __init__(
        self, line: int, code: str, message: str, expected: object = "", found: object = ""
    ) -> None:
        self.difference = Difference(line, f"record/{code}", message, str(expected), str(found))
        super().__init__(message)


class _Comparing:
    def __init__(self, record: Record, chain: Chain) -> None:
        self._record = record
        self._chain = chain
        self._asked: Iterator[Request] = iter(
            [entry.body for entry in chain if isinstance(entry.body, Request)]
        )
        reveals = [entry.body for entry in chain if isinstance(entry.body, Reveal)]
        self._reveal = reveals[0] if reveals else None
        self._opened: dict[bytes, Opened] = {
            opened.rid: opened for reveal in reveals for opened in reveal.opened
        }
        self._typed = record.headers.get(DICE) == DiceSource.TYPED.value
        self._decision: Line | None = None  # the last one
        self.outcomes = self.sealed = self.typed = 0

    def run(self) -> Difference | None:
        """The first difference."""
        game = game_of(self._record.headers)
        _check_seats(game, self._chain)
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

    def _line(self, game: Game, line: Line, entry: Entry) -> None:
        if isinstance(entry, Outcome):
            if game.owed is not None:
                self._outcome(line, game.owed, entry)
            game.settle(entry)
        else:
            self._decision = line
            game.play(entry)

    def _outcome(self, line: Line, owed: Owed, outcome: Outcome) -> None:
        if self._typed and owed.chance in (Chance.BATTLE, Chance.DICE):
            self.typed += 1
            return
        request = next(self._asked, None)
        if request is None:
            message = "The transcript has no request for this."
            raise _Different(line.number, "no-request", message, "the end", outcome)
        self._compare_request(line, owed, request)
        self._compare_outcome(line, owed, request, outcome)

    def _compare_request(self, line: Line, owed: Owed, request: Request) -> None:
        """Whether the dice were asked for what the game owed, and for the order that led to it."""
        wanted, found = self._wanted(owed, request), self._found(request)
        if wanted != found:
            message = "The dice were asked for something else than the game owed."
            raise _Different(line.number, "other-request", message, found, wanted)
        before = self._decision
        seat = before.seat if before is not None else ""
        if seat and seat != request.seat:
            message = "The dice were asked for another seat's decision."
            raise _Different(line.number, "other-seat", message, request.seat, seat)
        opened = self._opened.get(request.rid)
        words = SETUP_ORDER if before is None else str(before.entry)
        if opened is not None and opened.order != words:
            message = "The dice were asked for another order."
            raise _Different(line.number, "other-order", message, opened.order, words)

    def _wanted(self, owed: Owed, request: Request) -> str:
        if owed.chance == Chance.BATTLE:
            return f"{owed.attack_dice} dice against {owed.defence_dice}"
        if owed.chance == Chance.DICE:
            return f"dice of {' '.join(owed.seats)}"
        secret = isinstance(request.ask, SecretPick) and request.rid not in self._opened
        return f"one of {len(owed.things)}" if secret else f"one of {' '.join(owed.things)}"

    def _found(self, request: Request) -> str:
        match request.ask:
            case Battle(attack, defence):
                return f"{attack} dice against {defence}"
            case SeatDice(seats):
                return f"dice of {' '.join(seats)}"
            case PickAsked(things):
                return f"one of {' '.join(things)}"
            case SecretPick(of=of):
                opened = self._opened.get(request.rid)
                return f"one of {of}" if opened is None else f"one of {' '.join(opened.things)}"
            case _:
                return "a batch of rolls"

    def _compare_outcome(self, line: Line, owed: Owed, request: Request, outcome: Outcome) -> None:
        answer = self._chain.answer(request.rid)
        if answer is None:
            message = "The transcript has no answer yet to this request."
            raise _Different(line.number, "no-answer", message, "the end", outcome)
        if isinstance(answer.gives, Sealed | KeyOnly) and self._reveal is None:
            self.sealed += 1
            return
        table = self._reveal.table if self._reveal is not None else b""
        given = outcome_of(self._chain, table, request.rid, owed)
        if given != outcome:
            what = "pick" if isinstance(outcome, Pick) else "dice"
            message = f"The transcript has another {what}."
            raise _Different(line.number, "other-outcome", message, given, outcome)
        self.outcomes += 1

    def _rest(self) -> None:
        """A record may stop before its transcript does, but not where the game is over."""
        left = [request for request in self._asked if self._chain.answer(request.rid) is not None]
        if left and self._reveal is not None:
            message = f"The transcript has {len(left):,} answers more than the record."
            raise _Different(0, "cut", message, f"a request at entry {left[0].entry}", "the end")


def _check_seats(game: Game, chain: Chain) -> None:
    seats = chain.state.begun.seats
    if tuple(seats) != game.colours:
        message = "The record and the transcript are of two games: their seats differ."
        found = f"Record: {', '.join(game.colours)}. Transcript: {', '.join(seats)}."
        raise RubiconError("record/other-game", message, found)
