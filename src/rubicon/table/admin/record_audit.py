"""Compares a record with the transcript of its dice: draws, orders and placements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.members import Genesis
from rubicon.dice.lines.opening import End, Opened, Sealed, Secrets
from rubicon.dice.lines.request import Answer, Request
from rubicon.dice.lines.state import Ask, Draw, PickDraw, SealedDraw, key_of
from rubicon.engine.records import Chance, Phase, Seat
from rubicon.errors import RubiconError
from rubicon.orders.execute.executor import RunningOrders
from rubicon.orders.parse.action import read_action
from rubicon.orders.parse.parser import read_orders
from rubicon.rules.actions import Action, Outcome, PendingChance, Pick, Place
from rubicon.rules.game import Entry as GameEntry
from rubicon.rules.game import Game
from rubicon.rules.notation.actions import parse_action
from rubicon.rules.record import Record, RecordLine, game_of
from rubicon.table.game.dice import ask_of, outcome_of
from rubicon.table.settings import DiceSource

# Compares the opened words of dice requests with the actions of a record.
#
# A request covers all draws until someone decides again. A player who could end an answer before
# a bad draw, and ask again as if for a further decision, would roll that draw again: so the
# orders of each request are carried out here once more, and must lead to the record's actions.


@dataclass(frozen=True, slots=True)
class OpenedRequest:
    """A request with its opened words, and whether its answer could have had more draws."""

    seat: str
    decision: int
    words: str
    has_draws_left: bool


class OrderWords:
    """Follows a record alongside the requests of its dice; each call may find what does not fit."""

    def __init__(self, requests: Sequence[OpenedRequest]) -> None:
        self._requests = requests
        self._now: OpenedRequest | None = None  # the request whose draws came last
        self._number = -1  # of that request
        self._running: RunningOrders | None = None  # its orders, where its words are orders
        self._undecided = True  # whether no one has decided anything since the last draw
        self._since: list[tuple[Game, Action]] = []  # the actions since, each with the game before

    def act(self, game: Game, action: Action) -> None:
        """Note an action that is about to be played."""
        self._since.append((game.copy(), action))
        running = self._running
        if self._undecided and running is not None and running.next(game).action == action:
            running.follow(game, action)
        else:
            self._undecided = False

    def drawn(self, number: int) -> str:
        """What is wrong with a draw of this request, as a sentence; "" where nothing is."""
        fault = "" if number == self._number else self._begin(number)
        self._undecided = True
        self._since.clear()
        return fault

    def _begin(self, number: int) -> str:
        before, request = self._now, self._requests[number]
        self._now, self._number = request, number
        if before is not None and before.has_draws_left and self._undecided:
            return (
                f"The answer to request {number - 1} ended before its orders did, and request"
                f" {number} asked again."
            )
        if before is not None and same_decision(before, request):
            return ""
        self._running = None
        if not request.seat or self._is_action(request):
            return ""
        self._running = self._orders_of(request)
        if self._running is None:
            return f"The words of request {number} do not lead to the actions of the record."
        return ""

    def _is_action(self, request: OpenedRequest) -> bool:
        """Whether the words are one action, which the record has."""
        for game, action in self._since:
            try:
                if read_action(request.words, game.ruleset.board, game.colours) == action:
                    return True
            except RubiconError:
                return False
        return False

    def _orders_of(self, request: OpenedRequest) -> RunningOrders | None:
        """The orders, after the actions of the record that they led to; None where there are none.

        The record does not say where they began: each action since the last draw may be the first.
        """
        for first in range(len(self._since)):
            game, _ = self._since[first]
            try:
                orders = read_orders(request.words, game.ruleset.board, game.colours)
                running = RunningOrders(orders, game, request.seat)
                if _leads_to(running, self._since[first:]):
                    return running
            except RubiconError:
                return None
        return None


def opened_requests(entries: Sequence[Entry]) -> list[OpenedRequest]:
    """The requests of a transcript that has ended."""
    words = End.read(Fields(entries[-1].body, "end")).orders
    found: list[OpenedRequest] = []
    for entry in entries:
        if entry.kind == Request.kind:
            request = Request.read(Fields(entry.body, "request"))
            rolls = request.rolls
            opened = OpenedRequest(request.seat, request.decision, words[request.n], False)
            found.append(opened)
        elif entry.kind == Answer.kind:
            answer = Answer.read(Fields(entry.body, "answer"))
            left = len(answer.draws) < rolls and not answer.silent
            last = found[-1]
            found[-1] = OpenedRequest(last.seat, last.decision, last.words, left)
    return found


def same_decision(one: OpenedRequest, other: OpenedRequest) -> bool:
    """Whether two requests follow from the same decision."""
    return (one.seat, one.decision) == (other.seat, other.decision)


def _leads_to(running: RunningOrders, actions: Sequence[tuple[Game, Action]]) -> bool:
    for game, action in actions:
        if game.actor_of(action) == running.colour and running.next(game).action != action:
            return False
        running.follow(game, action)
    return True


# Compares the sealed placements of a transcript with the armies that a record has placed.


class RecordedPlacements:
    """Follows a record alongside the placements of its transcript."""

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
                return f"The placement of {seat} is missing from the transcript."
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


# Every draw, and what the rules demanded.

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
