"""Carries out the steps of a message, and notes each in the same transaction."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, func, or_, select, update

from rubicon.engine.records import Phase
from rubicon.errors import RubiconError
from rubicon.mail.answer_outbox import ReadyAnswer, queue_answer
from rubicon.mail.authority import MailKeys, MailSeat
from rubicon.mail.inbox import StoredMessage, TakenOver, TooManyEmails, record_result
from rubicon.mail.mail_steps import SHOWN, WRONG_CODE, MailStep, MailStepResult
from rubicon.mail.one_time_codes import (
    CodeOwner,
    CodePurpose,
    CodeVerdict,
    Confirmed,
    new_code,
    store_code,
    use_code,
)
from rubicon.mail.order_lines import AccountLine, AccountWord
from rubicon.mail.reading.incoming_mail import HOUR
from rubicon.mail.writing.answers import AnswerEmails, AnswerRecipient, CodeToWrite
from rubicon.mail.writing.news_emails import HOW_TO_FOLLOW, OUT_OF_GAME
from rubicon.mail.writing.scene import LocalTime
from rubicon.orders import syntax
from rubicon.orders.execute.turn import DICE
from rubicon.orders.parse.repair import exact_orders
from rubicon.rules.actions import StandingOrder
from rubicon.server.accounts import change_preferences
from rubicon.server.delivery import proper_address
from rubicon.server.notifications import NewsWay, NotificationPreferences, timezone_named
from rubicon.server.server import Server
from rubicon.table.chat import MAX_LINE_LENGTH, say
from rubicon.table.commands.submit import Answered, Submission, accept, take_back, take_out_of_turn
from rubicon.table.commands.votes import vote
from rubicon.table.deadlines import announce_absence, take_back_seat
from rubicon.table.errors import (
    DiceUnavailable,
    NoSuchGame,
    StoreOutcomeUnknown,
    StoreUnavailable,
    TableError,
)
from rubicon.table.game.log_lines import NO_DECISION
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.lobby.people import GAME_MASTER, table_master
from rubicon.table.lobby.table_request import checked_bot
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.notifications import Change, ChangeKind, announce

# Preferences of an account that are set by a line of an e-mail, and how the answer reports them.

# What players also write for the values of `NewsWay`.
WAYS = {way.value: way for way in NewsWay} | {
    "at once": NewsWay.AT_ONCE,
    "each": NewsWay.AT_ONCE,
    "on": NewsWay.AT_ONCE,
    "daily": NewsWay.DIGEST,
    "off": NewsWay.NEVER,
    "none": NewsWay.NEVER,
}
NO_HOURS = ("off", "none", "never")
OF_ACCOUNT = "This is a setting of your account: it counts for all your games."
_TIMES = re.compile(
    r"(?:from )?(\d{1,2})(?:[:.](\d\d))?(?: ?(?:-|to|until|and) ?| )(\d{1,2})(?:[:.](\d\d))?"
)


def preferences_of(line: AccountLine) -> dict[str, Any]:
    """The preferences that a line sets; TableError where it is not understood.

    Their own check is that of the web app.
    """
    value = line.value.casefold()
    match line.word:
        case AccountWord.TIMEZONE:
            if not value:
                message = "The name of your time zone is missing."
                raise TableError("preferences/timezone", message, "Write TIMEZONE Europe/Berlin.")
            return {"timezone": timezone_named(line.value)}
        case AccountWord.NEWS:
            if value not in WAYS:
                message = f"News is sent at once, in a digest, or never, not {value[:20]!r}."
                hint = "Write NEWS AT-ONCE, NEWS DIGEST or NEWS NEVER."
                raise TableError("preferences/news", message, hint)
            return {"awards": WAYS[value], "dice_of_others": WAYS[value]}
        case AccountWord.QUIET:
            return _quiet_hours(value)


def told_preferences(word: AccountWord, now: NotificationPreferences, at: int) -> str:
    """The state of what a line has set, in sentences; `at` is in milliseconds since 1970."""
    told = {
        AccountWord.TIMEZONE: _timezone,
        AccountWord.NEWS: _news,
        AccountWord.QUIET: _quiet,
    }[word](now, LocalTime(at, now.timezone))
    return f"{told} {OF_ACCOUNT}"


def _quiet_hours(value: str) -> dict[str, Any]:
    if value in NO_HOURS:
        return {"quiet_from": "", "quiet_until": ""}
    found = _TIMES.fullmatch(value)
    if found is None:
        message = "Quiet hours need a beginning and an end."
        hint = "Write QUIET 22:00 07:00, or QUIET OFF."
        raise TableError("preferences/quiet-hours", message, hint)
    begin, end = (f"{int(h):02}:{m or '00'}" for h, m in (found.group(1, 2), found.group(3, 4)))
    return {"quiet_from": begin, "quiet_until": end}


def _timezone(now: NotificationPreferences, here: LocalTime) -> str:
    return f"Your time zone is {now.timezone}: it is {here}."


def _news(now: NotificationPreferences, here: LocalTime) -> str:
    told = {
        NewsWay.AT_ONCE: "You get news of awards and of the dice of others at once, one by one.",
        NewsWay.DIGEST: (
            "You get news of awards and of the dice of others once a day, in one e-mail a game, at "
            f"{now.digest_hour:02}:00 {here.place}."
        ),
        NewsWay.NEVER: (
            "You get no news of awards and of the dice of others. You still get what you are asked "
            "and the dice of attacks on you."
        ),
    }[now.awards]
    off = "" if now.emails else " But your account page says that you want no e-mails about games."
    return told + off


def _quiet(now: NotificationPreferences, here: LocalTime) -> str:
    if not now.quiet_from:
        return "You have no quiet hours."
    more = " For your own time, reply TIMEZONE Europe/Berlin." if now.timezone == "UTC" else ""
    return (
        f"Nothing is sent to you from {now.quiet_from} to {now.quiet_until} {here.place}, unless "
        f"your time for a decision would be over before they end.{more}"
    )


# Messages of an e-mail to other players, as lines of the table's chat.

MOST_PIECES = 5


def pieces_of(text: str) -> tuple[str, ...]:
    """A message in pieces that each fit into a line of the chat, cut between words.

    TableError `mail/long-message` where there would be too many, or none.
    """
    pieces: list[str] = []
    for line in text.strip().splitlines():
        for piece in textwrap.wrap(line, MAX_LINE_LENGTH) or [""]:
            if pieces and len(pieces[-1]) + 1 + len(piece) <= MAX_LINE_LENGTH:
                pieces[-1] += f"\n{piece}"
            else:
                pieces.append(piece)
    if not any(piece.strip() for piece in pieces):
        raise TableError("mail/empty-message", "The message is empty.", "Write it before ENDPRESS.")
    if len(pieces) > MOST_PIECES:
        most = MOST_PIECES * MAX_LINE_LENGTH
        message = f"The message has more than about {most:,} characters."
        raise TableError("mail/long-message", message, "Send it in two e-mails, or shorter.")
    return tuple(pieces)


# Steps at the table.

DEFENDS = {
    syntax.DefenceDice.MAX: "with as many dice as possible",
    syntax.DefenceDice.ONE: "with one die",
    syntax.DefenceDice.TWO: "with two dice where that is possible",
    syntax.DefenceDice.ASK: "as you choose each time: every attack waits for you",
}
STEP_SECONDS = 120.0  # for one step with all its dice
# The step can be done later: nothing has been refused.
NOT_NOW = (
    DiceUnavailable,
    StoreUnavailable,
    StoreOutcomeUnknown,
    TakenOver,
    TooManyEmails,
    NoSuchGame,
)
Result = TypeVar("Result")
TableAction = Callable[[UnitOfWork], tuple[Answered | None, MailStepResult]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPlace:
    """The message that asks for a step, its seat, and what has been carried out before."""

    message: StoredMessage
    seat: MailSeat
    results: tuple[MailStepResult, ...]


class StepRunner:
    """Carries out steps through the table, as the API does."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def run(self, step: MailStep, place: StepPlace) -> MailStepResult:
        """What came of a step; a refusal is a result too.

        One of NOT_NOW where it must be tried again later.
        """
        try:
            return self._carry_out(step, place)
        except NOT_NOW:
            raise
        except RubiconError as error:
            return self.note(place, refused(step.words, error))

    def note(self, place: StepPlace, result: MailStepResult) -> MailStepResult:
        """Remember a result that changes nothing else."""

        def job(connection: Connection) -> MailStepResult:
            record_result(connection, place.message, (*place.results, result))
            return result

        return self._wait(self._server.store.write(job))

    def _carry_out(self, step: MailStep, place: StepPlace) -> MailStepResult:
        if step.orders is not None:
            orders = step.orders
            return self._on_table(place, lambda unit: _orders(unit, orders, step, place))
        if step.defence is not None:
            defence = step.defence
            return self._on_table(place, lambda unit: _defence(unit, defence, step, place))
        if step.setting is not None:
            return self._setting(step.setting, step, place)
        if isinstance(step.request, syntax.PressRequest):
            return self._press(step.request, step, place)
        assert step.request is not None
        action = self._action(step.request, step, place)
        return self._on_table(place, action)

    def _action(self, request: syntax.Request, step: MailStep, place: StepPlace) -> TableAction:
        seat, account = place.seat.seat, place.seat.account
        match request:
            case syntax.ResignRequest():
                return lambda unit: _resign(unit, seat, step.words)
            case syntax.AbsenceRequest(first, last, named):
                bot = checked_bot(named, self._server.lobby.server_bots) if named else ""
                return lambda unit: _absence(unit, seat, (first, last, bot), step.words)
            case syntax.VoteRequest(motion):
                return lambda unit: _vote(unit, seat, motion, step.words)
            case syntax.AskRequest(syntax.Ask.UNDO):
                return lambda unit: self._undo(unit, place, step.words)
            case syntax.MasterRequest():
                return lambda unit: self._as_master(unit, seat, account, request, step.words)
            case _:
                raise TableError(
                    "mail/no-use",
                    f"{step.words} has no use in an e-mail: orders are carried out when they come.",
                    "Send the orders alone when they may be carried out.",
                )

    def _undo(
        self, unit: UnitOfWork, place: StepPlace, words: str
    ) -> tuple[Answered | None, MailStepResult]:
        seat, decisions = place.seat.seat, unit.hosted.decisions
        try:
            answered: Answered | None = take_back(unit, seat, decisions.get(seat, NO_DECISION))
        except RubiconError:
            if table_master(unit.connection, place.seat.game).account != place.seat.account:
                raise
            answered = None
            self._server.masters.perform(
                unit, place.seat.account, syntax.AskRequest(syntax.Ask.UNDO)
            )
        return answered, MailStepResult(words=words, said="The last decision is taken back.")

    def _as_master(
        self, unit: UnitOfWork, seat: str, account: str, request: syntax.MasterRequest, words: str
    ) -> tuple[Answered | None, MailStepResult]:
        master = table_master(unit.connection, unit.hosted.id)
        by_vote = request.act in (syntax.MasterAct.REPLACE, syntax.MasterAct.FORK)
        if by_vote and master.account != account:
            # What the game master does alone, the players do by votes.
            name = request.seat if request.act is syntax.MasterAct.REPLACE else request.number
            return _voted(unit, seat, f"{request.act.lower()} {name}", words)
        receipt = self._server.masters.perform(unit, account, request)
        said = "Done; the audit log has it."
        if receipt.invite:
            link = f"{self._server.identity.url}/games/{receipt.game}?invite={receipt.invite}"
            said += f" This link is for one person, who takes the seat: {link}"
        return None, MailStepResult(words=words, said=said)

    def _press(
        self, request: syntax.PressRequest, step: MailStep, place: StepPlace
    ) -> MailStepResult:
        to = {"ALL": "", "GM": GAME_MASTER}.get(request.to.upper(), request.to)
        game, seat, pieces = place.seat.game, place.seat.seat, pieces_of(request.text)
        whom = {"": "everybody", GAME_MASTER: "the game master"}.get(to, to)
        result = MailStepResult(words=step.words, said=f"Your message went to {whom}.")

        def job(connection: Connection) -> list[int]:
            lines = [say(connection, game, seat, piece, to).id for piece in pieces]
            for line in lines:
                announce(connection, Change(ChangeKind.CHAT, game, line))
            record_result(connection, place.message, (*place.results, result))
            return lines

        for line in self._wait(self._server.store.write(job, game=game)):
            self._server.chat.publish(line)
        return result

    def _setting(self, line: AccountLine, step: MailStep, place: StepPlace) -> MailStepResult:
        def job(connection: Connection) -> MailStepResult:
            changed = change_preferences(connection, place.seat.account, preferences_of(line))
            said = told_preferences(line.word, changed, now(connection))
            result = MailStepResult(words=step.words, said=said)
            record_result(connection, place.message, (*place.results, result))
            return result

        return self._wait(self._server.store.write(job))

    def _on_table(self, place: StepPlace, action: TableAction) -> MailStepResult:
        done: list[MailStepResult] = []

        def command(unit: UnitOfWork) -> Answered | None:
            answered, result = action(unit)
            record_result(unit.connection, place.message, (*place.results, result))
            done.append(result)
            return answered

        self._wait(self._server.table.change(place.seat.game, command))
        return done[-1]

    def _wait(self, future: Future[Result]) -> Result:
        return future.result(STEP_SECONDS)


def refused(words: str, error: RubiconError) -> MailStepResult:
    """A step that the table refuses."""
    return MailStepResult(words=words, said=error_text(error), refused=True, code=error.code)


def error_text(error: RubiconError) -> str:
    """An error in sentences, with its code."""
    return f"{error.message} {error.suggestion}".strip() + f" [{error.code}]"


def _orders(
    unit: UnitOfWork, orders: syntax.OrderText, step: MailStep, place: StepPlace
) -> tuple[Answered | None, MailStepResult]:
    seat = place.seat.seat
    said = ""
    if seat in unit.hosted.bots:
        take_back_seat(unit, seat)
        said = "The bot that stood in for you has stopped playing: you have your seat back. "
    submission = _of_orders(unit, place, step.decision, orders)
    answered = accept(unit, submission)
    result = MailStepResult(
        words=step.words, said=said, first=answered.first, decision=answered.decision
    )
    return answered, result


def _of_orders(
    unit: UnitOfWork, place: StepPlace, decision: int, text: syntax.OrderText
) -> Submission:
    """The submission of orders that the e-mail's parser has read: they are not parsed again."""
    orders = exact_orders(text, unit.hosted.game.ruleset.board)
    where = place.seat.game, place.seat.seat
    return Submission(*where, decision, str(orders), orders=True, parsed=orders)


def _defence(
    unit: UnitOfWork, order: syntax.DefendOrder, step: MailStep, place: StepPlace
) -> tuple[Answered | None, MailStepResult]:
    """The answer to an attack that waits for it; else a standing order (A-70)."""
    seat, decision = place.seat.seat, unit.hosted.decisions.get(place.seat.seat)
    if decision is not None and unit.hosted.game.phase == Phase.DEFEND:
        submission = _of_orders(unit, place, decision, syntax.OrderText((order,)))
        answered = accept(unit, submission)
        return answered, MailStepResult(
            words=step.words, first=answered.first, decision=answered.decision
        )
    standing = StandingOrder(seat, order.territory, DICE[order.dice])
    answered = take_out_of_turn(unit, seat, standing)
    board = unit.hosted.game.ruleset.board
    names = {territory.id: territory.name for territory in board.territories}
    where = names[order.territory] if order.territory else "all your territories"
    said = f"From now on you defend {where} {DEFENDS[order.dice]}."
    return answered, MailStepResult(words=step.words, said=said)


def _resign(unit: UnitOfWork, seat: str, words: str) -> tuple[Answered | None, MailStepResult]:
    answered = take_out_of_turn(unit, seat, f"resign {seat}")
    said = f"You have left the game. {OUT_OF_GAME} {HOW_TO_FOLLOW}"
    return answered, MailStepResult(words=words, said=said)


def _absence(
    unit: UnitOfWork, seat: str, absence: tuple[str, str, str], words: str
) -> tuple[Answered | None, MailStepResult]:
    first, last, bot = absence
    announce_absence(unit, seat, " ".join(part for part in absence if part))
    stands_in = f"the bot {bot} plays for you" if bot else "your clock is stopped"
    said = (
        f"Your absence is noted, and all players can see it: from {first} to {last} (UTC, both "
        f"days included) {stands_in}."
    )
    return None, MailStepResult(words=words, said=said)


def _vote(
    unit: UnitOfWork, seat: str, motion: syntax.Motion, words: str
) -> tuple[Answered | None, MailStepResult]:
    wanted = motion.value.lower()
    if motion is syntax.Motion.PAUSE and unit.hosted.paused:
        wanted = "resume"
    return _voted(unit, seat, wanted, words)


def _voted(
    unit: UnitOfWork, seat: str, motion: str, words: str
) -> tuple[Answered | None, MailStepResult]:
    vote(unit, seat, motion)
    waits = motion in unit.hosted.votes
    came = "It waits for the votes of others." if waits else "It has its votes, and is done."
    return None, MailStepResult(words=words, said=f"Your vote for '{motion}' is counted. {came}")


# Steps around one-time codes: one is mailed, one is used, and a new address becomes the player's.
#
# A new address needs two codes: one that proves who asks, to the registered address, and one that
# proves that the new address is read by the same person.

CODE_SENT = "code-sent"  # the result of a message that was answered by a code
MOST_CODES = 6  # an hour for one account
STEPS = 100  # more than one message can have: numbers their e-mails


@dataclass(frozen=True, slots=True)
class CodeSteps:
    """Mails and takes the codes of one server."""

    server: Server
    keys: MailKeys
    emails: AnswerEmails

    def mail_code(self, step: MailStep, place: StepPlace, snapshot: Snapshot) -> MailStepResult:
        """Mail a code for a step to the registered address."""
        assert step.purpose is not None
        wanted = Confirmed(purpose=step.purpose, text=step.text, decision=step.decision)
        try:
            if step.new_address:
                self._check_address(step.new_address, place)
            return self._mailed(wanted, step.words, place, snapshot)
        except TableError as error:
            return self._noted(place, refused(step.words, error))
        except RubiconError as error:
            if error.code != "email/address":
                raise
            return self._noted(place, refused(step.words, error))

    def use(self, code: str, words: str, place: StepPlace) -> MailStepResult:
        """What a code confirms: its `payload` is still to be carried out."""
        owner = _owner(place)

        def job(connection: Connection) -> MailStepResult:
            used = use_code(connection, owner, code, self.keys.codes, now(connection))
            result = _used(used, words)
            record_result(connection, place.message, (*place.results, result))
            return result

        return _wait(self.server.store.write(job))

    def mail_to_new_address(
        self, address: str, place: StepPlace, snapshot: Snapshot
    ) -> MailStepResult:
        """Mail the second code of a change of address, to the new one."""
        wanted = Confirmed(purpose=CodePurpose.MAILBOX, text=address, decision=-1)
        words = f"ADDRESS {address}"
        try:
            self._check_address(address, place)
            return self._mailed(wanted, words, place, snapshot, address)
        except TableError as error:
            return self._noted(place, refused(words, error))

    def change_address(self, address: str, place: StepPlace) -> MailStepResult:
        """Make a proved address that of the account."""
        words = f"ADDRESS {address}"
        said = f"Your address is {address} now: all e-mails of your account go there."
        result = MailStepResult(words=words, said=said)
        columns = schema.account.c

        def job(connection: Connection) -> MailStepResult:
            _check_free(connection, address, place.seat.account)
            own = update(schema.account).where(columns.id == place.seat.account)
            connection.execute(own.values(email=address, unreachable=None))
            record_result(connection, place.message, (*place.results, result))
            return result

        try:
            return _wait(self.server.accounts.write_and_invalidate(job))
        except TableError as error:
            if error.code != "email/taken":
                raise
            return self._noted(place, refused(words, error))

    def _mailed(
        self,
        wanted: Confirmed,
        words: str,
        place: StepPlace,
        snapshot: Snapshot,
        address: str = "",
    ) -> MailStepResult:
        owner, store = _owner(place), self.server.store
        at = store.read(now)
        store.read(partial(_check_number, seat=place.seat, at=at))
        code, stored = new_code(owner, wanted, self.keys.codes, at)
        number = place.message.id * STEPS + len(place.results)
        recipient = AnswerRecipient(game=owner.game, seat=owner.seat, message=number)
        asked = CodeToWrite(purpose=wanted.purpose, code=code, asked=words[:SHOWN], to=address)
        to = address or place.seat.address
        email = self.emails.write_code(asked, recipient, snapshot, at)
        written = ReadyAnswer(place.message.id, owner.account, to, email)
        result = MailStepResult(
            words=words, said=f"A code is on its way to {to}.", purpose=wanted.purpose.value
        )

        def job(connection: Connection) -> MailStepResult:
            store_code(connection, owner, wanted, stored)
            queue_answer(connection, written)
            record_result(connection, place.message, (*place.results, result))
            return result

        return _wait(store.write(job))

    def _check_address(self, address: str, place: StepPlace) -> None:
        proper_address(address)
        check: Callable[[Connection], None] = partial(
            _check_free, address=address, account=place.seat.account
        )
        self.server.store.read(check)

    def _noted(self, place: StepPlace, result: MailStepResult) -> MailStepResult:
        def job(connection: Connection) -> MailStepResult:
            record_result(connection, place.message, (*place.results, result))
            return result

        return _wait(self.server.store.write(job))


def _owner(place: StepPlace) -> CodeOwner:
    return CodeOwner(game=place.seat.game, seat=place.seat.seat, account=place.seat.account)


def _used(used: Confirmed | CodeVerdict, words: str) -> MailStepResult:
    if isinstance(used, Confirmed):
        return MailStepResult(
            words=words, purpose=used.purpose.value, payload=used.text, decision=used.decision
        )
    message = "This code does not fit."
    if used is CodeVerdict.LAPSED:
        message = "No such code waits: it was used, or is older than a day."
    error = TableError(WRONG_CODE, message, "Ask again for what it was for: you get a new one.")
    return refused(words, error)


def _check_number(connection: Connection, seat: MailSeat, at: int) -> None:
    """Few codes for all seats of an account: a code goes to an address that may be another's."""
    columns, seats = schema.mail_message.c, schema.seat.c
    own = (seats.game == columns.game) & (seats.colour == columns.seat)
    here = (columns.game == seat.game) & (columns.seat == seat.seat)
    mailed = (
        select(func.count())
        .select_from(schema.mail_message)
        .outerjoin(schema.seat, own)
        .where(columns.result == CODE_SENT, columns.at > at - HOUR)
        .where(or_(seats.account == seat.account, here))
    )
    if connection.execute(mailed).scalar_one() >= MOST_CODES:
        message = "Too many codes were asked for within an hour."
        raise TableError("mail/too-many-codes", message, "Use the newest, or try again later.")


def _check_free(connection: Connection, address: str, account: str) -> None:
    columns = schema.account.c
    wanted = select(columns.id).where(columns.email == address, columns.id != account)
    if connection.execute(wanted).first() is not None:
        message = "This address cannot be used for your account."
        raise TableError("email/taken", message, "Choose another one.")


def _wait(future: Future[MailStepResult]) -> MailStepResult:
    return future.result(STEP_SECONDS)
