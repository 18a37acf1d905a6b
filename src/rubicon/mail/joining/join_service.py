"""Seats strangers who write to an invite: each is asked first, by an e-mail to their own address.

Every message is ended in one transaction with its answer. What is done before that can be done
twice without harm: an account is found again by its address, and a seat that somebody has is
given to them again.
"""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection

from rubicon.errors import RubiconError
from rubicon.mail.identity.alignment import SenderAlignment, sender_alignment
from rubicon.mail.identity.token_places import message_id, reply_address
from rubicon.mail.joining.join_emails import (
    JoinPlace,
    asked_email,
    left_email,
    refused_email,
    seated_email,
    unclear_email,
)
from rubicon.mail.joining.join_requests import (
    JOINING,
    InvitedTable,
    JoinRequest,
    choosable_colours,
    find_request,
    find_table,
    may_ask,
    store_request,
)
from rubicon.mail.joining.join_words import (
    JoinVerb,
    JoinWish,
    names_colour,
    proposed_name,
    read_wish,
)
from rubicon.mail.reading.answers import HOUR, answer_address
from rubicon.mail.reading.incoming_mail import IncomingMail
from rubicon.mail.service.answer_outbox import ReadyAnswer, queue_answer
from rubicon.mail.service.inbox import Finished, StoredMessage, answered_since, finish
from rubicon.mail.service.mail_keys import MailKeys
from rubicon.mail.service.returned_mail import FINISH_SECONDS, FORGED, incoming_ids
from rubicon.mail.writing.layout.document import EmailContent
from rubicon.mail.writing.layout.envelope import REPLIED, Posting, message_of
from rubicon.mail.writing.post import ReplyWay
from rubicon.server.accounts.accounts import Account, account_of_address
from rubicon.server.mail.email_address import proper_address
from rubicon.server.mail.email_writer import WrittenEmail
from rubicon.server.mail.unreachable import mark_reachable
from rubicon.server.server import Server
from rubicon.table.errors import TableError
from rubicon.table.lobby.listing import show_table
from rubicon.table.storage.clock import now

MOST_ANSWERED = 10  # messages of one request within an hour
Result = TypeVar("Result")
ASKED, JOINED, TOO_MANY, UNKNOWN = "asked", "joined", "too-many", "unknown"


class JoinByMail:
    """Answers the messages of one server that belong to invites."""

    def __init__(self, server: Server, keys: MailKeys, reply: ReplyWay) -> None:
        self._server = server
        self._keys = keys
        self._reply = reply

    def take(self, message: StoredMessage, mail: IncomingMail) -> str | None:
        """Carry out a message to an invite, or of somebody who was asked; how it ended.

        None where it is neither. One of `step_runner.NOT_NOW` where it must be tried again.
        """
        store = self._server.store
        at = store.read(now)
        known = store.read(
            lambda c: find_request(c, self._reply.keys, mail.tokens, at),
        )
        if known is not None:
            return self._answer(message, mail, *known)
        table = store.read(partial(find_table, found=mail.tokens))
        if table is not None:
            return self._ask(message, mail, table, at)
        return None

    def _ask(self, message: StoredMessage, mail: IncomingMail, table: InvitedTable, at: int) -> str:
        """Ask a stranger, by an e-mail to them alone, whether it was them."""
        address = _address_of(mail)
        forged = any(mail.authentication.failed(method) for method in FORGED)
        if not address or forged:
            return self._end(message, Finished(result=UNKNOWN))
        request = JoinRequest(
            game=table.game,
            invite=table.invite,
            address=address,
            name=proposed_name(mail.sender_name, address),
            message=message.id,
        )
        token = self._reply.keys.token(request.scope)
        place = JoinPlace(site=self._server.url, game=table.game, token=token)
        content = asked_email(place, table, request.name)
        answer = self._written(message, mail, request, token, content, at)

        def job(connection: Connection) -> str:
            if not may_ask(connection, table.game, address, at):
                finish(connection, message.id, Finished(result=TOO_MANY))
                return TOO_MANY
            store_request(connection, request, token, at)
            finish(connection, message.id, Finished(result=ASKED))
            queue_answer(connection, answer)
            return ASKED

        return _done(self._server.store.write(job))

    def _answer(
        self, message: StoredMessage, mail: IncomingMail, request: JoinRequest, token: str
    ) -> str:
        """Do what somebody who was asked wants, and tell them."""
        at = self._server.store.read(now)
        alignment = sender_alignment(mail, request.address)
        if alignment in (SenderAlignment.OTHER, SenderAlignment.FORGED):
            return self._end(message, Finished(result=UNKNOWN))
        lately = partial(
            answered_since,
            game=request.game,
            seat=JOINING,
            sender=message.sender,
            at=at - HOUR,
        )
        if self._server.store.read(lately) >= MOST_ANSWERED:
            return self._end(message, Finished(result=TOO_MANY))
        place = JoinPlace(site=self._server.url, game=request.game, token=token)
        wish = read_wish(mail.own_text)
        if wish is None:
            unclear, colours = names_colour(mail.own_text), self._colours(request)
            content = unclear_email(place, request.name, colours, unclear_colour=unclear)
        else:
            content = self._email(request, wish, place)
        answer = self._written(message, mail, request, token, content, at)
        ended = Finished(result=JOINED, game=request.game, seat=JOINING)
        return self._end(message, ended, answer)

    def _email(self, request: JoinRequest, wish: JoinWish, place: JoinPlace) -> EmailContent:
        """Carry out a wish; the content that tells how it went."""
        name = wish.name or request.name
        try:
            if wish.verb is JoinVerb.LEAVE:
                self._leave(request)
                return left_email(place)
            account = self._account(request.address, name)
            colour = self._seat(request, account, name, wish.colour)
        except TableError as error:
            return refused_email(place, error, wish, name, self._colours(request))
        shown = partial(show_table, game=request.game, account=account.id)
        table = self._server.store.read(shown)
        colours = self._colours(request)
        return seated_email(place, table, colour, colours, unclear_colour=wish.unclear_colour)

    def _seat(self, request: JoinRequest, account: Account, name: str, colour: str) -> str:
        """Take a seat, in the wanted colour if there is one; its colour."""
        lobby = self._server.lobby
        if not colour:
            return _done(lobby.join(request.game, account.id, name, invite=request.invite))
        return _done(lobby.join_in_colour(request.game, account.id, name, colour, request.invite))

    def _colours(self, request: JoinRequest) -> tuple[str, ...]:
        """The colours that can be chosen; none once the game has begun."""
        return self._server.store.read(partial(choosable_colours, game=request.game))

    def _account(self, address: str, name: str) -> Account:
        """The account of a proved address; a new one where there is none."""
        accounts = self._server.accounts

        def job(connection: Connection) -> Account:
            account = accounts.of_address(connection, address, name)
            mark_reachable(connection, account.id, address)
            return account

        return _done(self._server.store.write(job))

    def _leave(self, request: JoinRequest) -> None:
        """Give the seat of an address back, if it has one."""
        find = partial(account_of_address, address=request.address)
        account = self._server.store.read(find)
        if account is not None:
            _done(self._server.lobby.leave(request.game, account))

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
        request: JoinRequest,
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
