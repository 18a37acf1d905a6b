"""Compares a record with the transcript of its dice: every die and every pick."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from rubicon.dice.asks import BattleRequest, KeyOnly, PickRequest, Sealed, SeatDice, SecretPick
from rubicon.dice.bodies import OpenedRequest, Request, Reveal
from rubicon.dice.chain import Chain
from rubicon.engine.records.position import Chance
from rubicon.errors import RubiconError
from rubicon.rules.game.game import Entry, Game
from rubicon.rules.outcomes import Outcome, PendingChance, Pick
from rubicon.rules.record.headers import game_of
from rubicon.rules.record.lines import RecordLine
from rubicon.rules.record.record import Record
from rubicon.table.game.dice_requests import SETUP_ORDER, outcome_of
from rubicon.table.settings import DiceSource

DICE = "Dice"  # the header that says who rolled


@dataclass(frozen=True, slots=True)
class Difference:
    """The first line of a record that contradicts its transcript."""

    line: int  # of the record's file; 0 where it is no single line
    code: str
    message: str
    expected: str = ""  # by the transcript
    found: str = ""  # in the record

    def as_dict(self) -> dict[str, str | int]:
        """As programs get it."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Compared:
    """How many outcomes of a record match its transcript, and the first difference."""

    outcomes: int = 0
    sealed: int = 0  # secret picks, which can be compared only when the seeds are revealed
    typed: int = 0  # real dice, which cannot be verified
    difference: Difference | None = None

    def as_dict(self) -> dict[str, object]:
        """As programs get it."""
        shown = {field.name: getattr(self, field.name) for field in fields(self)}
        return shown | {"difference": self.difference and self.difference.as_dict()}


def compare(record: Record, chain: Chain) -> Compared:
    """Compare a record with its dice chain, which must have been verified before.

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
            [dice_entry.body for dice_entry in chain if isinstance(dice_entry.body, Request)]
        )
        reveals = [dice_entry.body for dice_entry in chain if isinstance(dice_entry.body, Reveal)]
        self._reveal = reveals[0] if reveals else None
        self._opened: dict[bytes, OpenedRequest] = {
            opened.rid: opened for reveal in reveals for opened in reveal.opened
        }
        self._typed = record.headers.get(DICE) == DiceSource.TYPED.value
        self._decision: RecordLine | None = None  # the last one
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

    def _line(self, game: Game, line: RecordLine, entry: Entry) -> None:
        if isinstance(entry, Outcome):
            if game.pending is not None:
                self._outcome(line, game.pending, entry)
            game.settle(entry)
        else:
            self._decision = line
            game.play(entry)

    def _outcome(self, line: RecordLine, pending: PendingChance, outcome: Outcome) -> None:
        if self._typed and pending.chance in (Chance.BATTLE, Chance.DICE):
            self.typed += 1
            return
        request = next(self._asked, None)
        if request is None:
            message = "The transcript has no request for this outcome."
            raise _Different(line.number, "no-request", message, "the end", outcome)
        self._compare_request(line, pending, request)
        self._compare_outcome(line, pending, request, outcome)

    def _compare_request(self, line: RecordLine, pending: PendingChance, request: Request) -> None:
        """Check that a request matches the pending chance, and the action that led to it."""
        wanted, found = self._wanted(pending, request), self._found(request)
        if wanted != found:
            message = "The request does not match the pending chance."
            raise _Different(line.number, "other-request", message, found, wanted)
        before = self._decision
        seat = before.seat if before is not None else ""
        if seat and seat != request.seat:
            message = "The request is for the decision of another seat."
            raise _Different(line.number, "other-seat", message, request.seat, seat)
        opened = self._opened.get(request.rid)
        words = SETUP_ORDER if before is None else str(before.entry)
        if opened is not None and opened.order != words:
            message = "The request is for another action."
            raise _Different(line.number, "other-order", message, opened.order, words)

    def _wanted(self, pending: PendingChance, request: Request) -> str:
        if pending.chance == Chance.BATTLE:
            return f"{pending.attack_dice} dice against {pending.defence_dice}"
        if pending.chance == Chance.DICE:
            return f"dice of {' '.join(pending.seats)}"
        secret = isinstance(request.ask, SecretPick) and request.rid not in self._opened
        return f"one of {len(pending.things)}" if secret else f"one of {' '.join(pending.things)}"

    def _found(self, request: Request) -> str:
        match request.ask:
            case BattleRequest(attack, defence):
                return f"{attack} dice against {defence}"
            case SeatDice(seats):
                return f"dice of {' '.join(seats)}"
            case PickRequest(things):
                return f"one of {' '.join(things)}"
            case SecretPick(of=of):
                opened = self._opened.get(request.rid)
                return f"one of {of}" if opened is None else f"one of {' '.join(opened.things)}"
            case _:
                return "a batch of rolls"

    def _compare_outcome(
        self, line: RecordLine, pending: PendingChance, request: Request, outcome: Outcome
    ) -> None:
        answer = self._chain.answer(request.rid)
        if answer is None:
            message = "The transcript has no answer yet to this request."
            raise _Different(line.number, "no-answer", message, "the end", outcome)
        if isinstance(answer.gives, Sealed | KeyOnly) and self._reveal is None:
            self.sealed += 1
            return
        table = self._reveal.table if self._reveal is not None else b""
        given = outcome_of(self._chain, table, request.rid, pending)
        if given != outcome:
            what = "pick" if isinstance(outcome, Pick) else "dice"
            message = f"The transcript has another {what}."
            raise _Different(line.number, "other-outcome", message, given, outcome)
        self.outcomes += 1

    def _rest(self) -> None:
        """Check that a finished game has no more answers; a record may end before its game."""
        left = [request for request in self._asked if self._chain.answer(request.rid) is not None]
        if left and self._reveal is not None:
            message = f"The transcript has {len(left):,} more answers than the record."
            expected = f"a request at log index {left[0].entry}"
            raise _Different(0, "cut", message, expected, "the end")


def _check_seats(game: Game, chain: Chain) -> None:
    seats = chain.state.begun.seats
    if tuple(seats) != game.colours:
        message = "The record and the transcript belong to different games: their seats differ."
        found = f"Record: {', '.join(game.colours)}. Transcript: {', '.join(seats)}."
        raise RubiconError("record/other-game", message, found)
