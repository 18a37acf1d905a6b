"""Carries out one message: whose it is, what it asks for, its steps, and the one answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from rubicon.mail.commands.account_lines import split_account_lines
from rubicon.mail.commands.mail_commands import MailCommands, MailQuestion, read_commands
from rubicon.mail.commands.order_reader import OrderReader
from rubicon.mail.identity.alignment import SenderAlignment, sender_alignment
from rubicon.mail.identity.authority import MailAct, MailVerdict, acts_of, judge
from rubicon.mail.identity.one_time_code import CodePurpose
from rubicon.mail.joining.join_service import JoinByMail
from rubicon.mail.reading.answers import HOUR, answer_address
from rubicon.mail.reading.incoming_mail import IncomingMail, MailKind
from rubicon.mail.reading.reader import ReadingSettings, read_mail
from rubicon.mail.service.answer_outbox import ReadyAnswer, queue_answer
from rubicon.mail.service.answers_told import (
    answer_of_results,
    not_of_master_answer,
    question_answer,
    repeated,
    stale_answer,
    too_large_answer,
    too_late_answer,
    too_many_steps_answer,
)
from rubicon.mail.service.inbox import (
    Finished,
    StoredMessage,
    TooManyEmails,
    answered_since,
    earlier_answer,
    finish,
    questions_since,
)
from rubicon.mail.service.inquiries import Inquiries
from rubicon.mail.service.issued_tokens import MailSeat, find_seat
from rubicon.mail.service.mail_answer import MailAnswer, corrected_answer
from rubicon.mail.service.mail_keys import MailKeys
from rubicon.mail.service.others_words import has_words_of_others
from rubicon.mail.service.returned_mail import FINISH_SECONDS, ReturnedMail, incoming_ids
from rubicon.mail.service.steps.code_steps import CODE_SENT, CodeSteps
from rubicon.mail.service.steps.mail_step import (
    MOST_STEPS,
    MailStep,
    MailStepResult,
    is_masters,
    steps_of,
    with_codes,
)
from rubicon.mail.service.steps.step_runner import StepPlace, StepRunner
from rubicon.mail.writing.answers import AnswerEmails, AnswerRecipient
from rubicon.mail.writing.scenes import pending_of, scene_of, seats_of
from rubicon.orders.order_text import OrderText
from rubicon.orders.requests import ConfirmRequest
from rubicon.server.mail.messages import DAY, MINUTE
from rubicon.server.mail.unreachable import mark_reachable
from rubicon.server.server import Server
from rubicon.server.work_process import WorkProcess
from rubicon.table.errors import DiceUnavailable, NoSuchGame
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.game.submission import Answered, Receipt, Status
from rubicon.table.lobby.masters import GAME_MASTER
from rubicon.table.storage.clock import now

DOUBTFUL = (SenderAlignment.OTHER, SenderAlignment.FORGED)
MOST_OF_SEAT = 60  # messages an hour: the rest waits
MOST_QUESTIONS = 10  # of these without an order: they may be the answers of a program to ours
MOST_DOUBTFUL = 3  # that are not known to be the player's: fewer than the codes of an hour
DICE_PATIENCE = MINUTE  # in which the answer waits for dice that are late


@dataclass(frozen=True, slots=True, kw_only=True)
class MailRequest:
    """A message of a seat, and what it asks for."""

    message: StoredMessage
    mail: IncomingMail
    seat: MailSeat
    commands: MailCommands
    acts: frozenset[MailAct]
    doubtful: bool


class MessageWork:
    """Carries out messages of one server; `settings` say which addresses are the server's own."""

    def __init__(
        self,
        server: Server,
        keys: MailKeys,
        emails: AnswerEmails,
        settings: ReadingSettings,
        joining: JoinByMail,
    ) -> None:
        self._server = server
        self._keys = keys
        self._emails = emails
        self._settings = settings
        self._joining = joining
        self._previews = WorkProcess()
        self._inquiries = Inquiries(server.store, self._previews)
        self._runner = StepRunner(server)
        self._codes = CodeSteps(server, keys, emails)
        self._returned = ReturnedMail(server, keys, emails)

    def close(self) -> None:
        """Stop what computes previews."""
        self._previews.close()

    def now(self) -> int:
        """The database's time, in milliseconds since 1970."""
        return self._server.store.read(now)

    def give_up(self, message: StoredMessage) -> None:
        """End a message that cannot be carried out because of a fault of this program."""
        self._returned.put_aside(message, "failed")

    def carry_out(self, message: StoredMessage) -> str:
        """Carry a message out to its end, or go on with it; how it ended.

        Everything that is done is noted in the transaction that does it. One of
        `step_runner.NOT_NOW` where the message must be tried again later.
        """
        mail = read_mail(message.raw, self._settings, message.envelope)
        seat = self._server.store.read(partial(self._seat, mail=mail))
        if mail.kind is MailKind.BOUNCE:
            return self._returned.bounced(message, mail, seat)
        if answer_address(mail) is None:
            return self._returned.put_aside(message, mail.kind.value)
        snapshot = self._snapshot(seat)
        if seat is None or snapshot is None or not seat.address:
            joined = self._joining.take(message, mail)
            return self._returned.to_stranger(message, mail) if joined is None else joined
        doubtful = sender_alignment(mail, seat.address) in DOUBTFUL
        if not self._may_write(message, seat, doubtful=doubtful):
            return self._returned.put_aside(message, "too-many")
        request = self._request(message, mail, seat, snapshot, doubtful=doubtful)
        answer = None if message.results else self._without_steps(request, snapshot)
        if answer is None:
            answer = self._with_steps(request, snapshot)
        return self._end(request, answer)

    def _may_write(self, message: StoredMessage, seat: MailSeat, *, doubtful: bool) -> bool:
        """Whether a message is taken; TooManyEmails where it must wait.

        What is not known to be the player's is put aside, so that nobody who has got hold of one
        e-mail makes the player wait, or floods them with answers.
        """
        if message.results:
            return True
        since, sender = self.now() - HOUR, self._sender(message, doubtful=doubtful)
        counted = partial(answered_since, game=seat.game, seat=seat.seat, sender=sender, at=since)
        lately = self._server.store.read(counted)
        if doubtful:
            return lately < MOST_DOUBTFUL
        if lately >= MOST_OF_SEAT:
            raise TooManyEmails
        return True

    def _check_questions(self, request: MailRequest) -> None:
        """TooManyEmails where a seat has written often without an order."""
        seat, since = request.seat, self.now() - HOUR
        counted = partial(questions_since, game=seat.game, seat=seat.seat, at=since)
        if self._server.store.read(counted) >= MOST_QUESTIONS:
            raise TooManyEmails

    def _sender(self, message: StoredMessage, *, doubtful: bool) -> str:
        """Who counts as the sender of a message: all who may be anybody are one."""
        return self._keys.sender("") if doubtful else message.sender

    def _seat(self, connection: Connection, mail: IncomingMail) -> MailSeat | None:
        return find_seat(connection, self._keys.tokens, mail.tokens)

    def _snapshot(self, seat: MailSeat | None) -> Snapshot | None:
        if seat is None:
            return None
        try:
            return self._server.table.snapshot(seat.game)
        except NoSuchGame:
            return None

    def _request(
        self,
        message: StoredMessage,
        mail: IncomingMail,
        seat: MailSeat,
        snapshot: Snapshot,
        *,
        doubtful: bool,
    ) -> MailRequest:
        commands = read_commands(mail, self._reader(snapshot, seat.seat), seat.form)
        if self._server.store.read(partial(has_words_of_others, seat=seat, commands=commands)):
            commands = MailCommands(question=MailQuestion.WORDS_OF_OTHERS)
        acts = acts_of(commands.orders) if commands.orders is not None else frozenset()
        if commands.new_address:
            acts |= {MailAct.FINAL}
        if commands.settings:
            acts |= {MailAct.STANDING}
        return MailRequest(
            message=message,
            mail=mail,
            seat=seat,
            commands=commands,
            acts=acts,
            doubtful=doubtful,
        )

    def _reader(self, snapshot: Snapshot, you: str) -> OrderReader:
        seats = self._server.store.read(lambda c: seats_of(c, snapshot, you))
        names = {name: colour for colour, name in seats.names.items() if name != colour}
        return OrderReader(snapshot.ruleset.board, snapshot.game().colours, names)

    def _without_steps(self, request: MailRequest, snapshot: Snapshot) -> MailAnswer | None:
        """The answer to a message of which nothing is carried out; None for others."""
        message, seat, commands = request.message, request.seat, request.commands
        if request.mail.kind is MailKind.TOO_LARGE:
            return too_large_answer()
        if commands.mistakes is not None:
            return corrected_answer(commands.mistakes, commands.text)
        if commands.question is not None:
            self._check_questions(request)
            return question_answer(commands)
        if len(self._steps(request)) > MOST_STEPS:
            return too_many_steps_answer(MOST_STEPS)
        if seat.seat == GAME_MASTER and not is_masters(request.acts, self._steps(request)):
            return not_of_master_answer()
        before = self._before(request)
        if before is not None:
            return repeated(before)
        at = self.now()
        pending = snapshot.decisions.get(seat.seat)
        alignment = sender_alignment(request.mail, seat.address)
        verdicts = {
            judge(act, seat.token, alignment, pending=pending, now=at) for act in request.acts
        }
        if MailVerdict.STALE in verdicts:
            return stale_answer(snapshot, seat.seat, expired=at >= seat.token.expires_at)
        return too_late_answer() if at - message.at > DAY else None

    def _before(self, request: MailRequest) -> MailAnswer | None:
        """What was answered when the player asked for the same with the same decision's e-mail.

        A question is answered anew. What is no order may be asked for again after an hour.
        """
        if request.doubtful or request.acts <= {MailAct.INQUIRY, MailAct.CONFIRM}:
            return None
        scope, digest = request.seat.token.scope, request.commands.fingerprint
        found = self._server.store.read(
            lambda c: earlier_answer(c, scope.game, scope.seat, scope.decision, digest)
        )
        if found is None:
            return None
        answer, at = found
        ordered = MailAct.ORDERS in request.acts
        return answer if ordered or request.message.at - at <= HOUR else None

    def _with_steps(self, request: MailRequest, snapshot: Snapshot) -> MailAnswer:
        results = self._results(request, snapshot)
        receipt = self._receipt(request, results)
        after = self._server.table.snapshot(request.seat.game)
        text = request.commands.orders
        sections: tuple[tuple[str, tuple[str, ...]], ...] = ()
        if text is not None and text.requests:
            sections = self._sections(request, after, text)
        return answer_of_results(results, receipt, sections, request.commands)

    def _sections(
        self, request: MailRequest, snapshot: Snapshot, text: OrderText
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        site, at = self._server.identity.url, self.now()

        def read(connection: Connection) -> tuple[tuple[str, tuple[str, ...]], ...]:
            game, seat = request.seat.game, request.seat.seat
            pending = pending_of(connection, game, seat, request.message.id, at)
            scene = scene_of(pending, snapshot, at, site, connection)
            return self._inquiries.sections(text, scene)

        return self._server.store.read(read)

    def _steps(self, request: MailRequest) -> tuple[MailStep, ...]:
        commands, decision = request.commands, request.seat.token.scope.decision
        return steps_of(commands.orders, commands.new_address, decision, commands.settings)

    def _results(self, request: MailRequest, snapshot: Snapshot) -> tuple[MailStepResult, ...]:
        """Carry out the steps that are not carried out yet; the results of all."""
        message, seat = request.message, request.seat
        steps = list(with_codes(self._steps(request), doubtful=request.doubtful))
        results: list[MailStepResult] = []
        while len(results) < len(steps):
            step = steps[len(results)]
            place = StepPlace(message=message, seat=seat, results=tuple(results))
            known = message.results[len(results) : len(results) + 1]
            results += known or (self._carry_out(step, place, snapshot),)
            if results[-1].payload:
                steps += self._confirmed(results[-1], snapshot, seat)
        return tuple(results)

    def _carry_out(self, step: MailStep, place: StepPlace, snapshot: Snapshot) -> MailStepResult:
        if step.purpose is CodePurpose.MAILBOX:
            return self._codes.mail_to_new_address(step.new_address, place, snapshot)
        if step.purpose is not None:
            return self._codes.mail_code(step, place, snapshot)
        if step.new_address:
            return self._codes.change_address(step.new_address, place)
        if isinstance(step.request, ConfirmRequest):
            return self._codes.use(step.request.code, step.words, place)
        return self._runner.run(step, place)

    def _confirmed(
        self, result: MailStepResult, snapshot: Snapshot, seat: MailSeat
    ) -> tuple[MailStep, ...]:
        """The steps that a one-time code has confirmed."""
        match CodePurpose(result.purpose):
            case CodePurpose.ADDRESS:
                wanted = MailStep(
                    act=MailAct.FINAL, new_address=result.payload, purpose=CodePurpose.MAILBOX
                )
                return (wanted,)
            case CodePurpose.MAILBOX:
                return (MailStep(act=MailAct.FINAL, new_address=result.payload),)
            case _:
                settings, others = split_account_lines(result.payload)
                text = self._reader(snapshot, seat.seat).read(others)
                return steps_of(text, "", result.decision, settings)

    def _receipt(self, request: MailRequest, results: tuple[MailStepResult, ...]) -> Receipt | None:
        """How the orders stand now; DiceUnavailable while their dice are late by a little."""
        ordered = next((result for result in results if result.first >= 0), None)
        if ordered is None:
            return None
        seat = request.seat
        answered = Answered(seat.seat, ordered.decision, ordered.first, orders=True)
        try:
            receipt = self._server.table.change(seat.game, lambda unit: answered).result(
                FINISH_SECONDS
            )
        except DiceUnavailable:
            if self.now() - request.message.at <= DICE_PATIENCE:
                raise
            return _waiting(seat, ordered)
        if receipt.status is Status.DICE and self.now() - request.message.at <= DICE_PATIENCE:
            raise DiceUnavailable("the orders wait for them")
        return receipt

    def _end(self, request: MailRequest, answer: MailAnswer) -> str:
        """Queue the answer and end the message, in one transaction."""
        message, mail, seat = request.message, request.mail, request.seat
        snapshot = self._server.table.snapshot(seat.game)
        ordered = MailAct.ORDERS in request.acts or MailAct.STANDING in request.acts
        finished = Finished(
            result=answer.kind,
            game=seat.game,
            seat=seat.seat,
            decision=seat.token.scope.decision,
            orders=request.commands.fingerprint if ordered else "",
            sender=self._sender(message, doubtful=request.doubtful),
            answer=answer if answer.kind in ("done", "noted") else None,
        )
        recipient = AnswerRecipient(
            game=seat.game, seat=seat.seat, message=message.id, subject=mail.subject
        )
        ids = incoming_ids(mail)
        written = None
        if answer.kind != CODE_SENT:  # the code is the answer
            lines = (answer.first, answer.last)
            at = self.now()
            email = self._emails.write_answer(answer, recipient, ids, snapshot, at, lines=lines)
            written = ReadyAnswer(message.id, seat.account, seat.address, email)

        def job(connection: Connection) -> None:
            finish(connection, message.id, finished)
            if not request.doubtful:  # it answers an e-mail of ours, so those arrive
                mark_reachable(connection, seat.account, seat.address)
            if written is not None:
                queue_answer(connection, written)

        self._server.store.write(job).result(FINISH_SECONDS)
        return answer.kind


def _waiting(seat: MailSeat, ordered: MailStepResult) -> Receipt:
    """The receipt of orders whose dice nobody can give now."""
    return Receipt(
        game=seat.game,
        seat=seat.seat,
        answered=ordered.decision,
        first=ordered.first,
        last=ordered.first,
        status=Status.DICE,
        decision=None,
    )
