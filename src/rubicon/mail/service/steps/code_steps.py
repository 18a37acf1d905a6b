"""Steps around one-time codes: one is mailed, one is used, and a new address becomes the player's.

A new address needs two codes: one that proves who asks, to the registered address, and one that
proves that the new address is read by the same person.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection, func, or_, select, update

from rubicon.errors import RubiconError
from rubicon.mail.identity.one_time_code import CodePurpose, CodeVerdict
from rubicon.mail.reading.answers import HOUR
from rubicon.mail.service.answer_outbox import ReadyAnswer, queue_answer
from rubicon.mail.service.inbox import record_result
from rubicon.mail.service.issued_tokens import MailSeat
from rubicon.mail.service.mail_keys import MailKeys
from rubicon.mail.service.steps.confirmations import (
    CodeOwner,
    Confirmed,
    new_code,
    store_code,
    use_code,
)
from rubicon.mail.service.steps.mail_step import SHOWN, MailStep, MailStepResult
from rubicon.mail.service.steps.step_runner import STEP_SECONDS, StepPlace, refused
from rubicon.mail.writing.answers import AnswerEmails, AnswerRecipient, CodeToWrite
from rubicon.server.mail.email_address import proper_address
from rubicon.server.server import Server
from rubicon.table.errors import TableError
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.storage import schema
from rubicon.table.storage.clock import now

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
    error = TableError("mail/code", message, "Ask again for what it was for: you get a new one.")
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
