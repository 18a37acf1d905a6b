"""Writes the e-mails about games: an `EmailWriter` for the mailer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from email.headerregistry import Address
from functools import partial
from urllib.parse import quote

from sqlalchemy import Connection

from rubicon.mail.commands.filled_form import SentForm
from rubicon.mail.identity.token_places import body_line, message_id, reply_address
from rubicon.mail.identity.tokens import TokenKeys, TokenScope
from rubicon.mail.writing.forms import Form, form_of
from rubicon.mail.writing.happenings import TurnTold, facts_of, last_turn_of, turns_told
from rubicon.mail.writing.layout.calendar_entry import calendar_entry
from rubicon.mail.writing.layout.document import Letter
from rubicon.mail.writing.layout.envelope import MARK, MOST_PICTURE, Posting, message_of, root_id
from rubicon.mail.writing.maps.map_picture import Stand, map_picture
from rubicon.mail.writing.news_letters import news_letter
from rubicon.mail.writing.notices import (
    bounced_letter,
    opening_letter,
    over_letter,
    reminder_letter,
    stopped_letter,
)
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.scenes import scene_of
from rubicon.mail.writing.turn_letter import Answering, turn_letter, turn_subject
from rubicon.server.mail.email_writer import EmailWriter, UnsubscribePath, WrittenEmail, nothing
from rubicon.server.mail.messages import EmailIdentity
from rubicon.server.mail.outbox import PendingEmail
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.storage.database import Store

MOST_MAILTO = 1_900  # characters: programs cut longer links
TOKEN_LIFETIME = 90 * 24 * 3600 * 1000  # milliseconds; the decision ends its use for orders
NO_DECISION = -1
# Stores a token: the token, its scope, the form, when it was issued and when it expires.
TokenRecorder = Callable[[Connection, str, TokenScope, SentForm | None, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyWay:
    """How players answer by e-mail: the address that takes their mail, and the keys of tokens."""

    address: Address
    keys: TokenKeys
    record: TokenRecorder


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """The token of one e-mail; "" where this server takes no answers."""

    token: str = ""
    scope: TokenScope | None = None


class GameEmails:
    """An EmailWriter; without a `reply` way, e-mails have no form and no token."""

    def __init__(
        self,
        store: Store,
        identity: EmailIdentity,
        unsubscribe_path: UnsubscribePath,
        *,
        reply: ReplyWay | None = None,
    ) -> None:
        self._store = store
        self._identity = identity
        self._unsubscribe_path = unsubscribe_path
        self._reply = reply

    def write(self, pending: PendingEmail, snapshot: Snapshot, at: int) -> WrittenEmail:
        """The e-mail of a notification."""
        scene = self._store.read(partial(scene_of, pending, snapshot, at, self._identity.url))
        token = self._token(pending, snapshot)
        match pending.kind:
            case "decision":
                return self._decision(pending, scene, token)
            case "deadline":
                form = form_of(scene)
                letter = reminder_letter(scene, form, self._answering(scene, form, token))
                return self._posted(pending, scene, letter, token, form=form)
            case "award" | "dice" | "digest":
                events = self._told(pending)
                letter = news_letter(scene, pending.kind, events, self._plain(token))
                return self._posted(pending, scene, letter, token)
            case "over":
                return self._posted(pending, scene, over_letter(scene, pending.body), ReplyToken())
            case "stopped":
                return self._posted(pending, scene, stopped_letter(scene), ReplyToken())
            case "bounced":
                letter = bounced_letter(scene, pending.body["seat"], self._plain(token))
                return self._posted(pending, scene, letter, token)
            case _:
                return self._posted(pending, scene, opening_letter(scene), ReplyToken())

    def _decision(self, pending: PendingEmail, scene: Scene, token: ReplyToken) -> WrittenEmail:
        form = form_of(scene)
        told = self._since_last_turn(pending, scene)
        preferences = pending.preferences
        picture = map_of(scene) if preferences.picture and not preferences.text_only else b""
        answering = self._answering(scene, form, token)
        letter = turn_letter(scene, form, told, answering, picture=bool(picture))
        return self._posted(pending, scene, letter, token, form=form, picture=picture)

    def _since_last_turn(self, pending: PendingEmail, scene: Scene) -> list[TurnTold]:
        game, seat, head = pending.game, pending.seat, pending.head

        def read(connection: Connection) -> list[TurnTold]:
            last = head
            if scene.round and scene.view.turn == scene.game.seat(seat):
                last = last_turn_of(connection, game, seat, head + 1)  # the present turn
            begun = last_turn_of(connection, game, seat, last)
            told = turns_told(facts_of(connection, game, seat, begun, head))
            # The turn that began there is the recipient's own, and known.
            return [t for t in told if t.seat != seat or t.round == scene.round]

        return self._store.read(read)

    def _told(self, pending: PendingEmail) -> list[TurnTold]:
        """The events of news, with the numbers of their rolls."""
        body = pending.body
        first, last = int(body["first_index"]), int(body["last_index"])
        wanted = {json.dumps(event, sort_keys=True) for event in body["events"]}

        def read(connection: Connection) -> list[TurnTold]:
            facts = facts_of(connection, pending.game, pending.seat, first, last)
            own = [f for f in facts if f.get("event") == "turn_began" or _key(f) in wanted]
            return turns_told(own)

        return self._store.read(read)

    def _token(self, pending: PendingEmail, snapshot: Snapshot) -> ReplyToken:
        if self._reply is None or not pending.seat:
            return ReplyToken()
        decision = snapshot.decisions.get(pending.seat, NO_DECISION)
        scope = TokenScope(
            game=pending.game, seat=pending.seat, decision=decision, notification=pending.id
        )
        return ReplyToken(self._reply.keys.token(scope), scope)

    def _plain(self, token: ReplyToken) -> Answering:
        if not token.token:
            return Answering()
        return Answering(mark=MARK, token_line=body_line(token.token))

    def _answering(self, scene: Scene, form: Form, token: ReplyToken) -> Answering:
        if self._reply is None or not token.token:
            return Answering()
        to = reply_address(self._reply.address, token.token).addr_spec
        subject = quote(f"Re: {turn_subject(scene)}")
        link = f"mailto:{to}?subject={subject}&body={quote(chr(10).join(form.lines))}"
        return replace(self._plain(token), mailto=link if len(link) <= MOST_MAILTO else "")

    def _posted(
        self,
        pending: PendingEmail,
        scene: Scene,
        letter: Letter,
        token: ReplyToken,
        *,
        form: Form | None = None,
        picture: bytes = b"",
    ) -> WrittenEmail:
        """The message of a letter, and the token to store with it."""
        identity, domain = self._identity, self._identity.sender.domain
        identifier = f"<notification-{pending.id}.{pending.game}@{domain}>"
        reply_to = None
        record: Callable[[Connection], None] = nothing
        if self._reply is not None and token.scope is not None:
            identifier = message_id(token.token, 1, domain)
            reply_to = reply_address(self._reply.address, token.token)
            sent = None if form is None else SentForm(form.lines)
            expires = scene.at + TOKEN_LIFETIME
            record = partial(
                _record, self._reply.record, token.token, token.scope, sent, (scene.at, expires)
            )
        due = scene.deadline
        entry = ""
        if form is not None and due is not None:
            summary = f"Your turn in {scene.table_name}"
            uid = f"{pending.game}.{pending.seat}.{pending.body.get('decision', 0)}@{domain}"
            entry = calendar_entry(uid, summary, scene.url, due.at, scene.at)
        posting = Posting(
            address=pending.address,
            at=scene.at,
            message_id=identifier,
            reply_to=reply_to,
            references=(root_id(identity, pending.game),),
            unsubscribe=identity.url + self._unsubscribe_path(pending.account, pending.address),
            list_id=f"{pending.game}.{domain}",
            text_only=pending.preferences.text_only,
            picture=picture,
            calendar=entry,
        )
        return WrittenEmail(message=message_of(identity, letter, posting), record=record)


def game_emails(
    store: Store, identity: EmailIdentity, unsubscribe_path: UnsubscribePath
) -> EmailWriter:
    """The writer of a server that takes no answers by e-mail."""
    return GameEmails(store, identity, unsubscribe_path)


def map_of(scene: Scene) -> bytes:
    """The picture of the map; b"" where it would be too large for an e-mail."""
    stands = [Stand(scene.owner(t), scene.armies(t)) for t in range(len(scene.board.territories))]
    made = map_picture(scene.board, stands)
    return made if len(made) <= MOST_PICTURE else b""


def _record(
    recorder: TokenRecorder,
    token: str,
    scope: TokenScope,
    form: SentForm | None,
    times: tuple[int, int],
    connection: Connection,
) -> None:
    recorder(connection, token, scope, form, *times)


def _key(fact: object) -> str:
    """A fact without the number that was added to it."""
    assert isinstance(fact, dict)
    plain = {name: value for name, value in fact.items() if name != "roll_number"}
    return json.dumps(plain, sort_keys=True)
