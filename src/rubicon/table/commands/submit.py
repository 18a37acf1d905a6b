"""Submissions: what a seat sends, how it is checked and accepted, and its receipt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection

from rubicon.dice.lines.request import SignedOrder
from rubicon.dice.lines.state import Participant
from rubicon.errors import RubiconError
from rubicon.orders.parse.action import read_action
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.syntax import OrderText
from rubicon.rules.actions import (
    Action,
    Fortify,
    Offer,
    Outcome,
    Pick,
    Resign,
    RevealMission,
    StandingOrder,
)
from rubicon.rules.notation.actions import parse_outcome
from rubicon.table.commands.advance import FollowOrders, check_may_place
from rubicon.table.errors import DiceUnavailable, Stale, TableError, TextTooLong
from rubicon.table.game import log_lines
from rubicon.table.game.hosted_game import BY_CHANCE, HostedGame
from rubicon.table.game.log_lines import NO_DECISION, LineKind, Lines, LogLine, NewLine, said
from rubicon.table.game.requests import check_requests
from rubicon.table.game.snapshot import check_undo
from rubicon.table.game.unit_of_work import Command, UnitOfWork
from rubicon.table.storage import event_log

# What a seat submits, and its receipt: what became of it, as the log says.

MAX_TEXT_LENGTH = 65_536


@dataclass(frozen=True, slots=True)
class Submission:
    """An answer to a decision: a text of orders, or one action (docs/notation.md)."""

    game: str
    seat: str
    decision: int
    text: str
    orders: bool = False  # a text of orders; else one action
    signed: SignedOrder | None = None  # by the seat's client, over the text
    by_bot: bool = False  # that the server runs
    parsed: OrderText | None = None  # what parsing the text of orders gives, where it is known


@dataclass(frozen=True, slots=True)
class Answered:
    """The accepted submission of a seat; its lines begin at log index `first`."""

    seat: str
    decision: int = NO_DECISION
    first: int = 0
    orders: bool = False


class Status(StrEnum):
    """How far a submission has come."""

    DONE = "done"  # completed; `notes` lists what could not be carried out
    PAUSED = "paused"  # a decision is pending that the orders leave open
    WAITING = "waiting"  # another seat decides first
    DICE = "dice"  # the dice are pending


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of a submission: the lines `first` to `last`, and the seat's pending decision.

    A repeated submission gets the same lines; `status` and `decision` are those of the moment.
    """

    game: str
    seat: str
    answered: int  # the decision that was answered; -1 for none
    first: int
    last: int
    status: Status
    decision: int | None  # the seat's pending decision
    reason: str = ""  # why orders stopped
    notes: tuple[str, ...] = ()  # what of the orders could not be done
    warnings: tuple[str, ...] = ()  # lines of their text that are not carried out


def receipt_of(connection: Connection, hosted: HostedGame, answered: Answered | None) -> Receipt:
    """How an act stands now; of no act, how the game does."""
    if answered is None:
        answered = Answered("", NO_DECISION, hosted.head + 1)
    report = None
    warnings: tuple[str, ...] = ()
    if answered.orders:
        line = event_log.report_of(connection, hosted.id, answered.seat, answered.decision)
        if line is None:  # the orders are still running
            warnings = hosted.warnings.get(answered.seat, ())
            last, status = hosted.head, Status.DONE if hosted.at_rest else Status.WAITING
        else:
            report = said(line, log_lines.OrdersReport)
            warnings = report.warnings
            last, status = line.index, Status(report.status)
    else:
        last, status = _last_of(connection, hosted, answered.first), Status.DONE
    if hosted.requested is not None and report is None:
        status = Status.DICE
    return Receipt(
        game=hosted.id,
        seat=answered.seat,
        answered=answered.decision,
        first=answered.first,
        last=last,
        status=status,
        decision=hosted.decisions.get(answered.seat),
        reason="" if report is None else report.reason,
        notes=() if report is None else report.notes,
        warnings=warnings,
    )


def _last_of(connection: Connection, hosted: HostedGame, first: int) -> int:
    """The last line that chance alone added to a decision."""
    if hosted.last_decision is None or hosted.last_decision.index == first or first > hosted.head:
        return max(first, hosted.chance_index) if first <= hosted.head else hosted.head
    last = first
    for line in event_log.lines_of(connection, hosted.id, first):
        if line.kind is LineKind.ACTION:
            break
        last = line.index if line.kind in BY_CHANCE else last
    return last


# The signatures of players' clients under their decisions.


def signature_lines(
    state: HostedGame, seat: str, decision: int, words: str, signed: SignedOrder | None
) -> Lines:
    """The line of a client's signature of the decision or vote that the next line holds, if any.

    What answers no decision is signed with the decision 0. TableError where it is not the signature
    of a client of this seat under these words.
    """
    if signed is None:
        return ()
    participant = own_participant(state, seat, signed.id)
    genesis = state.transcript.state.genesis
    if not signed.fits(participant.key, genesis, max(decision, 0), words):
        message = "The signature does not fit this decision and these words."
        raise TableError("dice/wrong-signature", message, "Sign the words that you send.")
    if signed.head not in state.transcript.state.recent:
        message = "The head under the signature is too old, or of no line of this game's dice."
        raise TableError("dice/stale-head", message, "Read the transcript, and sign again.")
    says = log_lines.Signed(words, signed.id, signed.head.hex(), signed.sig.hex())
    return (NewLine(says, seat, decision),)


def own_participant(hosted: HostedGame, seat: str, name: str) -> Participant:
    """The participant with this id; TableError where it is none of the seat's."""
    participant = hosted.transcript.state.participants.get(name)
    if participant is None or participant.seat != seat:
        message = f"{name[:40]!r} is no participant of {seat}."
        raise TableError("dice/not-yours", message, "Deposit a chain first.")
    return participant


# Accepting what a seat submits: checked whole, then added to the unit of work.

INVALID = re.compile(r"[\x00\ud800-\udfff]")  # PostgreSQL stores no NUL, UTF-8 no surrogates
OUT_OF_TURN = Resign | StandingOrder | RevealMission


def accept(unit: UnitOfWork, submission: Submission) -> Answered:
    """Accept orders or an action for a decision; a repeated submission is not done again."""
    hosted, seat, text = unit.hosted, submission.seat, submission.text.strip()
    decision = submission.decision
    # Before any other check: a repeated submission gets its receipt even when the game is over.
    if hosted.decisions.get(seat) != decision:
        return _earlier(unit, submission, text)
    check_open(hosted)
    if not submission.by_bot:
        check_may_place(hosted, seat)
    check_text(text)
    board, colours = hosted.game.ruleset.board, hosted.game.colours
    command: Command
    if submission.orders:
        orders = submission.parsed or read_orders(text, board, colours)
        check_orders(orders)
        command = SendOrders(seat, decision, log_lines.Orders(text, orders), submission.signed)
    else:
        command = Act(seat, decision, read_action(text, board, colours), text, submission.signed)
    # Not the line of its signature before it: a repeat finds this one (`_earlier`).
    return Answered(seat, decision, unit.perform(command)[-1].index, submission.orders)


@dataclass(frozen=True, slots=True)
class SendOrders:
    """A seat answers its decision by a text of orders."""

    seat: str
    decision: int
    orders: log_lines.Orders
    signed: SignedOrder | None = None

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The orders, after the report of those that they replace."""
        check_open(state)
        check_decision(state, self.seat, self.decision)
        state.counts.check(self.seat)
        words = self.orders.words
        return (
            *replaced_orders(state, self.seat),
            *signature_lines(state, self.seat, self.decision, words, self.signed),
            NewLine(self.orders, self.seat, self.decision),
        )


@dataclass(frozen=True, slots=True)
class Act:
    """A seat answers its decision by one action; `words` are what it has signed, if it did."""

    seat: str
    decision: int
    action: Action
    words: str = ""
    signed: SignedOrder | None = None

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The action, after the report of the orders that it replaces."""
        check_open(state)
        check_decision(state, self.seat, self.decision)
        check_allowed_to(state, self.seat, self.action)
        # A bot would be stuck; it never repeats itself without an end.
        by_bot = self.seat in state.bots or self.seat in state.server_bots
        if isinstance(self.action, Offer | Fortify) and not by_bot:
            state.counts.check(self.seat)
        return (
            *replaced_orders(state, self.seat),
            *signature_lines(state, self.seat, self.decision, self.words, self.signed),
            NewLine(log_lines.Acted(self.action), self.seat, self.decision, checked=True),
        )


def take_out_of_turn(unit: UnitOfWork, seat: str, given: Action | str) -> Answered:
    """Accept an out-of-turn action: a standing order, a resignation, or a revealed mission."""
    hosted = unit.hosted
    check_open(hosted)
    answered = Answered(seat, NO_DECISION, hosted.head + 1)
    if isinstance(given, str):
        check_text(given)
        given = read_action(given, hosted.game.ruleset.board, hosted.game.colours)
    unit.perform(OutOfTurn(seat, given))
    return answered


@dataclass(frozen=True, slots=True)
class OutOfTurn:
    """An action that answers no decision."""

    seat: str
    action: Action

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The action; () for a standing order that is in force already."""
        check_open(state)
        if not isinstance(self.action, OUT_OF_TURN):
            message = f"'{self.action}' is not an out-of-turn action."
            hint = "Submit it for your pending decision."
            raise TableError("out-of-turn/not-one", message, hint)
        check_allowed_to(state, self.seat, self.action)
        if isinstance(self.action, StandingOrder) and _in_force(state, self.action):
            return ()
        if not isinstance(self.action, Resign):
            state.counts.check(self.seat)
        return (NewLine(log_lines.Acted(self.action), self.seat, checked=True),)


def take_back(unit: UnitOfWork, seat: str, decision: int) -> Answered:
    """Undo the seat's own last action, if it revealed nothing."""
    command = TakeBack(seat, decision)
    lines = unit.perform(command)
    return Answered(seat, decision, lines[0].index)


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A seat takes its own last action back."""

    seat: str
    decision: int

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The undo, after the report of the orders that it replaces."""
        check_open(state)
        check_decision(state, self.seat, self.decision)
        due = check_undo(state, self.seat)
        if due is not None and due <= at:
            message = "The time of the earlier decision is over: it cannot be taken back."
            raise TableError("undo/out-of-time", message, "Decide what is pending now.")
        undone = log_lines.Undone(state.undoable[-1])
        return (
            *replaced_orders(state, self.seat),
            NewLine(undone, self.seat, self.decision),
        )


def take_typed(unit: UnitOfWork, seat: str, index: int, text: str) -> Answered:
    """Enter the result of real dice, which were asked for at a log index."""
    hosted = unit.hosted
    check_goes_on(hosted)
    if hosted.ending is not None or not hosted.awaits_typed or hosted.head != index:
        message = f"No dice are pending at log index {index}."
        raise TableError("dice/not-waited-for", message, "Look at the game again.")
    check_roller(hosted, seat)
    answered = Answered(seat, NO_DECISION, hosted.head + 1)
    unit.perform(EnterDice(seat, parse_outcome(text[:200])))
    return answered


def check_roller(state: HostedGame, seat: str) -> None:
    """TableError where another seat rolls the pending dice; any may roll the first of all."""
    thrower = state.roller
    if thrower and seat != thrower:
        raise TableError("dice/not-yours", f"{thrower} rolls these dice, not {seat}.", "")


@dataclass(frozen=True, slots=True)
class EnterDice:
    """The seat that rolls real dice says what they show."""

    seat: str
    outcome: Outcome

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The outcome; BadOutcome where it does not fit."""
        check_roller(state, self.seat)
        if isinstance(self.outcome, Pick):
            message = "Dice are pending, not a pick."
            raise TableError("dice/not-dice", message, "Write: 6 5 3 v 2 1")
        state.game.copy().settle(self.outcome)  # on a copy: it only shows whether it fits
        return (NewLine(log_lines.Settled(self.outcome), self.seat),)


def check_allowed_to(state: HostedGame, seat: str, action: Action) -> None:
    """Refused where the rules do not allow an action to a seat now."""
    refused = state.game.refusal(action, seat=seat)  # depends only on what the seat can see
    if refused is not None:
        raise refused


def _in_force(hosted: HostedGame, action: StandingOrder) -> bool:
    """Whether a standing order changes nothing."""
    after = hosted.game.copy()
    after.play(action)
    return after.position.tobytes() == hosted.game.position.tobytes()


def check_orders(text: OrderText) -> None:
    """TableError where a text has no orders, or a request that forbids them: nothing is done.

    Accepting a text without orders would use up the decision.
    """
    if text.orders or text.ended:
        check_requests(text)
        return
    asked = ", ".join(map(str, text.requests)) or "nothing"
    message = f"The text contains no orders; its requests are: {asked}."
    hint = "docs/orders.md lists the orders; ask the API for the game, its facts and previews."
    raise TableError("orders/none", message, hint)


def check_open(hosted: HostedGame) -> None:
    """TableError where the game takes no actions: it is over, forked, or waits for dice."""
    if hosted.ending is not None:
        message = f"The game is over: {hosted.ending.result} {hosted.ending.reason}".strip() + "."
        raise TableError("game/over", message, "A rematch begins a new one.")
    check_goes_on(hosted)
    if hosted.awaits_typed:
        message = "The dice are pending."
        raise TableError("dice/waited-for", message, "Enter what they show first.")
    if hosted.requested is not None or not hosted.has_genesis:
        raise DiceUnavailable("a request is pending")


def check_not_forked(hosted: HostedGame) -> None:
    """TableError where another game replaces this one."""
    if hosted.forked:
        message = f"This game continues as {hosted.forked}, from an earlier position."
        raise TableError("game/forked", message, "Play there.")


def check_goes_on(hosted: HostedGame) -> None:
    """TableError where another game replaces this one, or has to: it has lost dice lines."""
    check_not_forked(hosted)
    if hosted.lost_lines is not None:
        raise lines_lost(hosted.lost_lines)


def lines_lost(line: LogLine) -> TableError:
    """The error of a game that has stopped; `line` is the line of the log that says so."""
    lost = said(line, log_lines.LostLines).first
    message = (
        f"The game has stopped: line {lost} of its dice was shown to players, and is no longer "
        "stored. Nothing is rolled twice."
    )
    hint = f"It goes on as another game: vote for 'fork {line.index - 1}', or ask the operator."
    return TableError("dice/lines-lost", message, hint)


def check_decision(hosted: HostedGame, seat: str, decision: int) -> None:
    """Stale where this is not the seat's pending decision."""
    asked = hosted.decisions.get(seat)
    if asked != decision:
        raise Stale(decision, asked)


def check_text(text: str) -> None:
    """TableError for texts that are too long, or that no database stores."""
    if len(text) > MAX_TEXT_LENGTH:
        message = f"The text has {len(text):,} characters; at most {MAX_TEXT_LENGTH:,} are allowed."
        raise TextTooLong("text/too-long", message, "Send less at once.")
    if INVALID.search(text):
        message = "The text holds an invalid character: NUL, or half of a surrogate pair."
        raise TableError("text/no-character", message, "Write it again as plain text.")


def replaced_orders(state: HostedGame, seat: str) -> Lines:
    """The report of running orders that a later decision of the seat replaces, if there are any."""
    if seat not in state.running:
        return ()
    return FollowOrders(seat, "replaced by a later decision").decide(state, 0)


def _earlier(unit: UnitOfWork, submission: Submission, text: str) -> Answered:
    """The accepted answer to an earlier decision; Stale for another text, or where it was undone.

    The log is the store of receipts: a client that got no response repeats its submission, and
    gets the same lines.
    """
    hosted, seat = unit.hosted, submission.seat
    line = event_log.first_answer(unit.connection, hosted.id, seat, submission.decision)
    if line is not None:
        if submission.orders:
            same = line.kind is LineKind.ORDERS and line.text == text
        else:
            same = line.kind is LineKind.ACTION and line.text == _exact(hosted, text)
        if same and not event_log.is_undone(unit.connection, hosted.id, seat, submission.decision):
            return Answered(seat, submission.decision, line.index, submission.orders)
    check_open(hosted)
    raise Stale(submission.decision, hosted.decisions.get(seat))


def _exact(hosted: HostedGame, text: str) -> str:
    try:
        return str(
            read_action(text[:MAX_TEXT_LENGTH], hosted.game.ruleset.board, hosted.game.colours)
        )
    except RubiconError:
        return ""
