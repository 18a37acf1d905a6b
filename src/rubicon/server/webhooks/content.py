"""What a webhook is sent, and its signature."""

from __future__ import annotations

import base64
import hmac
import json
from datetime import UTC, datetime

from rubicon.server.mail.messages import one_line
from rubicon.server.webhooks.registry import KEY_PREFIX, WebhookForm
from rubicon.server.webhooks.webhook_outbox import WebhookMessage

SHOWN = ("decision", "due", "result", "reason")  # of the notification's body
MAX_DISCORD = 2000  # characters of one message
SENTENCES = {
    "decision": "it is {seat}'s turn",
    "opening": "{seat} is to open the placement",
    "deadline": "{seat}'s time is running out",
    "over": "the game is over",
    "stopped": "the game has stopped: lines of its dice are lost",
    "bounced": "e-mails to a player come back",
}


def content_of(message: WebhookMessage, url: str) -> bytes:
    """The body of the request, as JSON; `url` is the server's."""
    link = f"{url}/games/{message.game}"
    if message.form is WebhookForm.DISCORD:
        # Nobody is mentioned, whatever the title of the table says.
        silent: dict[str, object] = {"parse": []}
        told = {"content": _sentence(message, link), "allowed_mentions": silent}
        return json.dumps(told, ensure_ascii=False).encode()
    shown = {name: message.body[name] for name in SHOWN if name in message.body}
    data: dict[str, object] = {
        "game": message.game,
        "title": message.title,
        "seat": message.seat,
        "url": link,
    }
    if message.events:
        data |= {"events": list(message.events)}
    moment = datetime.fromtimestamp(message.at / 1000, UTC).isoformat(timespec="milliseconds")
    body = {"type": message.kind, "timestamp": moment, "data": data | shown}
    return json.dumps(body, ensure_ascii=False).encode()


def headers_of(message: WebhookMessage, content: bytes, at: int) -> dict[str, str]:
    """The headers of the Standard Webhooks specification; `at` in ms since 1970.

    The signature is the HMAC-SHA256 of `id.timestamp.content`, so that a request can be neither
    forged, nor changed, nor repeated later.
    """
    seconds = str(at // 1000)
    key = base64.b64decode(message.secret.removeprefix(KEY_PREFIX))
    signed = b".".join((message.id.encode(), seconds.encode(), content))
    signature = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    return {
        "Content-Type": "application/json",
        "User-Agent": "Rubicon",
        "webhook-id": message.id,
        "webhook-timestamp": seconds,
        "webhook-signature": f"v1,{signature}",
    }


def _sentence(message: WebhookMessage, link: str) -> str:
    title = one_line(message.title)
    if message.events:
        head, tail = f"**{title}**\n", f"\n<{link}>"
        lines = "\n".join(message.events)
        room = MAX_DISCORD - len(head) - len(tail)
        return head + (lines if len(lines) <= room else "…" + lines[1 - room :]) + tail
    sentence = SENTENCES.get(message.kind, "there is news").format(seat=message.seat)
    return f"**{title}**: {sentence}. <{link}>"
