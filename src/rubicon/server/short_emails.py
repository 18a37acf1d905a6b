"""Writes short e-mails about games: what is asked, until when, and a link to the game."""

from __future__ import annotations

import json

from rubicon.server.emails import (
    EmailIdentity,
    EmailWriter,
    GameEmail,
    UnsubscribePath,
    WrittenEmail,
    bounced_email,
    deadline_email,
    decision_email,
    game_over_email,
    game_stopped_email,
    news_email,
    opening_email,
)
from rubicon.server.news import is_farewell
from rubicon.server.notifications import PendingEmail
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.settings import Settings
from rubicon.table.storage.database import Store


def short_emails(
    _: Store, identity: EmailIdentity, unsubscribe_path: UnsubscribePath
) -> EmailWriter:
    """The writer of a server that no other one was given to."""
    return ShortEmails(identity, unsubscribe_path)


class ShortEmails:
    """An EmailWriter; `unsubscribe_path` maps an account and its address to a signed path."""

    def __init__(self, identity: EmailIdentity, unsubscribe_path: UnsubscribePath) -> None:
        self._identity = identity
        self._unsubscribe_path = unsubscribe_path

    def write(self, pending: PendingEmail, snapshot: Snapshot, at: int) -> WrittenEmail:
        """The e-mail of a notification."""
        email = self._game_email(pending, snapshot, at)
        match pending.kind:
            case "over":
                message = game_over_email(self._identity, email)
            case "stopped":
                message = game_stopped_email(self._identity, email)
            case "opening":
                message = opening_email(self._identity, email)
            case "deadline":
                message = deadline_email(self._identity, email)
            case "bounced":
                message = bounced_email(self._identity, email, pending.body["seat"])
            case "award" | "dice" | "digest":
                texts = [event["text"] for event in pending.body["events"]]
                out = is_farewell(pending.seat, pending.body["events"])
                message = news_email(self._identity, email, texts, out=out)
            case "announce":
                message = news_email(self._identity, email, [pending.body["words"]])
            case _:
                message = decision_email(self._identity, email)
        return WrittenEmail(message=message)

    def _game_email(self, pending: PendingEmail, snapshot: Snapshot, at: int) -> GameEmail:
        return GameEmail(
            notification=pending.id,
            game=pending.game,
            title=pending.title,
            seat=pending.seat,
            name=pending.name,
            address=pending.address,
            at=at,
            unsubscribe=self._unsubscribe_path(pending.account, pending.address),
            dice_head=snapshot.witness,
            phase=snapshot.game().phase,
            deadline=snapshot.due.get(pending.seat),
            timeout_policy=Settings.read(json.loads(pending.settings)).timeout_policy,
            result=pending.body.get("result", ""),
            reason=pending.body.get("reason", ""),
        )
