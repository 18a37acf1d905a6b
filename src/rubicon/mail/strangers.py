"""Messages that are no player's: of mail servers, programs and strangers."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, func, select

from rubicon.errors import RubiconError
from rubicon.mail import authority, join_requests
from rubicon.mail.answer_outbox import ReadyAnswer, queue_answer
from rubicon.mail.inbox import Finished, StoredMessage, answered_since, finish
from rubicon.mail.reading.bounces import BounceSeverity
from rubicon.mail.reading.incoming_mail import HOUR, IncomingMail, answer_address
from rubicon.mail.tokens import message_id, reply_address
from rubicon.mail.writing.answers import AnswerEmails, IncomingIds
from rubicon.mail.writing.document import EmailContent
from rubicon.mail.writing.layout import REPLIED, Posting, message_of
from rubicon.mail.writing.post import ReplyWay
from rubicon.server.accounts import Account, account_of_address
from rubicon.server.delivery import mark_dead, mark_reachable, proper_address
from rubicon.server.emails import WrittenEmail
from rubicon.server.server import Server
from rubicon.table.errors import TableError
from rubicon.table.lobby.listing import show_table
from rubicon.table.lobby.seats import leave
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now

# Returned messages, and those of programs and strangers.

RETURNED = "returned"
MOST_RETURNED = 30  # answers to strangers in an hour: this server is no tool to flood others
FINISH_SECONDS = 60.0
# A sender whose address is not proved may be someone else, who would get our answer.
FORGED = ("dmarc", "spf", "dkim")


class ReturnedMail:
    """Ends such messages, of one server."""

    def __init__(self, server: Server, keys: authority.MailKeys, emails: AnswerEmails) -> None:
        self._server = server
        self._keys = keys
        self._emails = emails

    def bounced(
        self, message: StoredMessage, mail: IncomingMail, seat: authority.MailSeat | None
    ) -> str:
        """A report that an e-mail was not delivered; never answered.

        It counts only with a token of ours, for the address that the e-mail went to.
        """
        report = mail.bounce
        if report is not None and seat is not None and report.severity is BounceSeverity.HARD:
            named = report.recipient
            if seat.address and (not named or authority.same_mailbox(named, seat.address)):
                mark_dead(self._server.table, seat.account, seat.address)
        return self.put_aside(message, "bounce")

    def put_aside(self, message: StoredMessage, result: str) -> str:
        """End a message without an answer."""
        done = Finished(result=result)
        self._server.store.write(partial(finish, number=message.id, finished=done)).result(
            FINISH_SECONDS
        )
        return result

    def to_stranger(self, message: StoredMessage, mail: IncomingMail) -> str:
        """Return a message that belongs to no game, to each sender once an hour."""
        to = answer_address(mail)
        forged = any(mail.authentication.failed(method) for method in FORGED)
        store = self._server.store
        sender = self._keys.sender(to or "")
        if to is None or forged or not store.read(partial(_may_return, sender=sender)):
            return self.put_aside(message, "unknown")
        email = self._emails.write_returned(
            to, incoming_ids(mail), message.id, message.at, store.read(now)
        )
        answer = ReadyAnswer(message.id, "", to, email)

        def job(connection: Connection) -> str:
            # Again, as another message of the sender may have been answered meanwhile.
            may = _may_return(connection, sender)
            result = RETURNED if may else "unknown"
            finish(connection, message.id, Finished(result=result, sender=sender))
            if may:
                queue_answer(connection, answer)
            return result

        return store.write(job).result(FINISH_SECONDS)


def incoming_ids(mail: IncomingMail) -> IncomingIds:
    """The ids that an answer refers to, as far as they can be in a header."""
    references = tuple(filter(None, map(_bracketed, mail.references)))
    return IncomingIds(_bracketed(mail.message_id), references)


def _bracketed(identifier: str) -> str:
    plain = identifier.strip("<>")
    proper = plain.isascii() and plain.isprintable() and not set(plain) & set(" <>")
    return f"<{plain}>" if plain and proper else ""


def _may_return(connection: Connection, sender: str) -> bool:
    columns = schema.mail_message.c
    since = now(connection) - HOUR
    lately = select(func.count()).where(columns.result == RETURNED, columns.at > since)
    if connection.execute(lately).scalar_one() >= MOST_RETURNED:
        return False
    own = lately.where(columns.sender == sender)
    return int(connection.execute(own).scalar_one()) == 0


# Seats strangers who write to an invite: each is asked first, by an e-mail to their own address.
#
# Every message is ended in one transaction with its answer. What is done before that can be done
# twice without harm: an account is found again by its address, and a seat that someone has is
# given to them again.

MOST_ANSWERED = 10  # messages of one request within an hour
Result = TypeVar("Result")
ASKED, JOINED, TOO_MANY, UNKNOWN = "asked", "joined", "too-many", "unknown"


class JoinByMail:
    """Answers the messages of one server that belong to invites."""

    def __init__(self, server: Server, keys: authority.MailKeys, reply: ReplyWay) -> None:
        self._server = server
        self._keys = keys
        self._reply = reply

    def take(self, message: StoredMessage, mail: IncomingMail) -> str | None:
        """Carry out a message to an invite, or of someone who was asked; how it ended.

        None where it is neither. One of `step_runner.NOT_NOW` where it must be tried again.
        """
        store = self._server.store
        at = store.read(now)
        known = store.read(
            lambda c: join_requests.find_request(c, self._reply.keys, mail.tokens, at),
        )
        if known is not None:
            return self._answer(message, mail, *known)
        table = store.read(partial(join_requests.find_table, found=mail.tokens))
        if table is not None:
            return self._ask(message, mail, table, at)
        return None

    def _ask(
        self, message: StoredMessage, mail: IncomingMail, table: join_requests.InvitedTable, at: int
    ) -> str:
        """Ask a stranger, by an e-mail to them alone, whether it was them."""
        address = _address_of(mail)
        forged = any(mail.authentication.failed(method) for method in FORGED)
        if not address or forged:
            return self._end(message, Finished(result=UNKNOWN))
        request = join_requests.JoinRequest(
            game=table.game,
            invite=table.invite,
            address=address,
            name=join_requests.proposed_name(mail.sender_name, address),
            message=message.id,
        )
        token = self._reply.keys.token(request.scope)
        place = join_requests.JoinPlace(site=self._server.url, game=table.game, token=token)
        content = join_requests.asked_email(place, table, request.name)
        answer = self._written(message, mail, request, token, content, at)

        def job(connection: Connection) -> str:
            if not join_requests.may_ask(connection, table.game, address, at):
                finish(connection, message.id, Finished(result=TOO_MANY))
                return TOO_MANY
            join_requests.store_request(connection, request, token, at)
            finish(connection, message.id, Finished(result=ASKED))
            queue_answer(connection, answer)
            return ASKED

        return _done(self._server.store.write(job))

    def _answer(
        self,
        message: StoredMessage,
        mail: IncomingMail,
        request: join_requests.JoinRequest,
        token: str,
    ) -> str:
        """Carry out the wish of someone who was asked, and answer them."""
        at = self._server.store.read(now)
        alignment = authority.sender_alignment(mail, request.address)
        if alignment in (authority.SenderAlignment.OTHER, authority.SenderAlignment.FORGED):
            return self._end(message, Finished(result=UNKNOWN))
        lately = partial(
            answered_since,
            game=request.game,
            seat=join_requests.JOINING,
            sender=message.sender,
            at=at - HOUR,
        )
        if self._server.store.read(lately) >= MOST_ANSWERED:
            return self._end(message, Finished(result=TOO_MANY))
        place = join_requests.JoinPlace(site=self._server.url, game=request.game, token=token)
        wish = join_requests.read_wish(mail.own_text)
        if wish is None:
            unclear, colours = join_requests.names_colour(mail.own_text), self._colours(request)
            content = join_requests.unclear_email(
                place, request.name, colours, unclear_colour=unclear
            )
        else:
            content = self._email(request, wish, place)
        answer = self._written(message, mail, request, token, content, at)
        ended = Finished(result=JOINED, game=request.game, seat=join_requests.JOINING)
        return self._end(message, ended, answer)

    def _email(
        self,
        request: join_requests.JoinRequest,
        wish: join_requests.JoinWish,
        place: join_requests.JoinPlace,
    ) -> EmailContent:
        """Carry out a wish; the content that says how it went."""
        name = wish.name or request.name
        try:
            if wish.verb is join_requests.JoinVerb.LEAVE:
                self._leave(request)
                return join_requests.left_email(place)
            account = self._account(request.address, name)
            colour = self._seat(request, account, name, wish.colour)
        except TableError as error:
            return join_requests.refused_email(place, error, wish, name, self._colours(request))
        shown = partial(show_table, game=request.game, account=account.id)
        table = self._server.store.read(shown)
        colours = self._colours(request)
        return join_requests.seated_email(
            place, table, colour, colours, unclear_colour=wish.unclear_colour
        )

    def _seat(
        self, request: join_requests.JoinRequest, account: Account, name: str, colour: str
    ) -> str:
        """Take a seat, in the wanted colour if there is one; its colour."""
        lobby = self._server.lobby
        if not colour:
            return _done(lobby.join(request.game, account.id, name, invite=request.invite))
        return _done(lobby.join_in_colour(request.game, account.id, name, colour, request.invite))

    def _colours(self, request: join_requests.JoinRequest) -> tuple[str, ...]:
        """The colours that can be chosen; none once the game has begun."""
        return self._server.store.read(partial(join_requests.choosable_colours, game=request.game))

    def _account(self, address: str, name: str) -> Account:
        """The account of a proved address; a new one where there is none."""
        accounts = self._server.accounts

        def job(connection: Connection) -> Account:
            account = accounts.of_address(connection, address, name)
            mark_reachable(connection, account.id, address)
            return account

        return _done(self._server.store.write(job))

    def _leave(self, request: join_requests.JoinRequest) -> None:
        """Give the seat of an address back, if it has one."""
        find = partial(account_of_address, address=request.address)
        account = self._server.store.read(find)
        if account is not None:
            _done(self._server.lobby.change(request.game, leave, account))

    def _end(
        self, message: StoredMessage, finished: Finished, answer: ReadyAnswer | None = None
    ) -> str:
        def job(connection: Connection) -> None:
            finish(connection, message.id, finished)
            if answer is not None:
                queue_answer(connection, answer)

        _done(self._server.store.write(job))
        return finished.result

    def _written(
        self,
        message: StoredMessage,
        mail: IncomingMail,
        request: join_requests.JoinRequest,
        token: str,
        content: EmailContent,
        at: int,
    ) -> ReadyAnswer:
        identity, ids = self._server.identity, incoming_ids(mail)
        posting = Posting(
            address=request.address,
            at=at,
            message_id=message_id(token, message.id, identity.sender.domain),
            reply_to=reply_address(self._reply.address, token),
            references=ids.thread,
            in_reply_to=ids.message_id,
            automatic=REPLIED,
        )
        email = WrittenEmail(message=message_of(identity, content, posting))
        return ReadyAnswer(message.id, "", request.address, email)


def _done(future: Future[Result]) -> Result:
    return future.result(FINISH_SECONDS)


def _address_of(mail: IncomingMail) -> str:
    """Where a stranger can be asked; "" where they cannot."""
    try:
        return proper_address(answer_address(mail) or "")
    except RubiconError:
        return ""
