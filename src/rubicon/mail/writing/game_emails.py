"""Writes the e-mails about games: an `EmailWriter` for the mailer."""

from __future__ import annotations

import json
from functools import partial

from sqlalchemy import Connection

from rubicon.mail.identity.tokens import TokenScope
from rubicon.mail.writing.forms import form_of
from rubicon.mail.writing.happenings import TurnTold, facts_of, last_turn_of, luck_in, turns_told
from rubicon.mail.writing.layout.envelope import MOST_PICTURE
from rubicon.mail.writing.maps.map_picture import Stand, map_picture
from rubicon.mail.writing.master_emails import (
    late_email,
    master_begins_email,
    to_master_email,
)
from rubicon.mail.writing.news_emails import news_email
from rubicon.mail.writing.notices import (
    announcement_email,
    bounced_email,
    opening_email,
    over_email,
    reminder_email,
    stopped_email,
)
from rubicon.mail.writing.panels.messages_panel import messages_panel, messages_since
from rubicon.mail.writing.post import NO_DECISION, NO_TOKEN, Post, ReplyToken, ReplyWay
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.scenes import scene_of
from rubicon.mail.writing.turn_email import turn_email
from rubicon.server.mail.email_writer import EmailWriter, UnsubscribePath, WrittenEmail
from rubicon.server.mail.messages import EmailIdentity
from rubicon.server.mail.outbox import PendingEmail
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.service.chat import line_text
from rubicon.table.storage.database import Store


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
        self._post = Post(identity, unsubscribe_path, reply)

    def write(self, pending: PendingEmail, snapshot: Snapshot, at: int) -> WrittenEmail:
        """The e-mail of a notification."""
        site = self._post.identity.url
        scene = self._store.read(partial(scene_of, pending, snapshot, at, site))
        token = self._token(pending, snapshot)
        plain = self._post.plain(token)
        match pending.kind:
            case "decision":
                return self._decision(pending, scene, token)
            case "deadline":
                form = form_of(scene)
                answering = self._post.answering(scene, form.lines, token)
                content = reminder_email(scene, form, answering)
                return self._post.written(pending, scene, content, token, form=form)
            case "award" | "dice" | "digest":
                told = self._store.read(partial(_told, pending))
                content = news_email(scene, pending.kind, told, plain)
                return self._post.written(pending, scene, content, token)
            case "announce":
                content = announcement_email(scene, pending.body["words"], plain)
                return self._post.written(pending, scene, content, token)
            case "bounced":
                content = bounced_email(scene, pending.body["seat"], plain)
                return self._post.written(pending, scene, content, token)
            case "late":
                content = late_email(scene, pending.body["seat"], plain)
                return self._post.written(pending, scene, content, token)
            case "to-master":
                read = partial(line_text, game=pending.game, line=pending.body["line"])
                content = to_master_email(scene, *self._store.read(read), plain)
                return self._post.written(pending, scene, content, token)
            case "master-begins":
                content = master_begins_email(scene, plain)
                return self._post.written(pending, scene, content, token)
            case "over":
                luck = self._store.read(partial(luck_in, game=pending.game))
                content = over_email(scene, pending.body, luck)
            case "stopped":
                content = stopped_email(scene)
            case _:
                content = opening_email(scene)
        return self._post.written(pending, scene, content, NO_TOKEN)

    def _decision(self, pending: PendingEmail, scene: Scene, token: ReplyToken) -> WrittenEmail:
        form = form_of(scene)
        told = self._store.read(partial(_since_last_turn, pending, scene))
        preferences = pending.preferences
        picture = map_of(scene) if preferences.picture and not preferences.text_only else b""
        answering = self._post.answering(scene, form.lines, token)
        said = self._store.read(partial(messages_since, game=pending.game, seat=pending.seat))
        messages = messages_panel(scene, said)
        content = turn_email(scene, form, told, answering, messages, picture=bool(picture))
        return self._post.written(pending, scene, content, token, form=form, picture=picture)

    def _token(self, pending: PendingEmail, snapshot: Snapshot) -> ReplyToken:
        decision = snapshot.decisions.get(pending.seat, NO_DECISION)
        return self._post.token(
            TokenScope(
                game=pending.game, seat=pending.seat, decision=decision, notification=pending.id
            )
        )


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


def _since_last_turn(pending: PendingEmail, scene: Scene, connection: Connection) -> list[TurnTold]:
    """What happened since the recipient's last turn, and in the present one so far."""
    game, seat, last = pending.game, pending.seat, pending.head
    if scene.round and scene.view.turn == scene.game.seat(seat):
        last = last_turn_of(connection, game, seat, last + 1)  # where the present turn began
    begun = last_turn_of(connection, game, seat, last)
    told = turns_told(facts_of(connection, game, seat, begun, pending.head))
    # The turn that began there is the recipient's own, and known.
    return [turn for turn in told if turn.seat != seat or turn.round == scene.round]


def _told(pending: PendingEmail, connection: Connection) -> list[TurnTold]:
    """The events of news by turns, with the numbers of their rolls."""
    body = pending.body
    first, last = int(body["first_index"]), int(body["last_index"])
    wanted = {_key(event) for event in body["events"]}
    facts = facts_of(connection, pending.game, pending.seat, first, last)
    return turns_told(f for f in facts if f.get("event") == "turn_began" or _key(f) in wanted)


def _key(fact: object) -> str:
    """A fact without the number that was added to it."""
    assert isinstance(fact, dict)
    plain = {name: value for name, value in fact.items() if name != "roll_number"}
    return json.dumps(plain, sort_keys=True)
