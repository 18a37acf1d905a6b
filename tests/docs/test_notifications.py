"""`docs/notifications.md`: its program checks real requests, and its tables are complete."""

from __future__ import annotations

import base64
import json
import re
import time
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from rubicon.rules.actions import Roll
from rubicon.rules.events import Captured, Rolled
from rubicon.rules.record import ruleset_headers
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.server.notifications import NotificationPreferences
from rubicon.server.webhooks import SENTENCES, WebhookForm, WebhookMessage, content_of, headers_of
from rubicon.table.notices import DecisionDue

PAGE = (Path(__file__).parents[2] / "docs" / "notifications.md").read_text("utf-8")
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
MESSAGE = WebhookMessage(
    rows=(7,),
    webhook=1,
    url="https://hooks.example.org/x",
    form=WebhookForm.JSON,
    secret=SECRET,
    at=1_795_464_000_000,
    game="abcdefghij",
    title="Letters from Lyon",
    seat="red",
    kind="decision",
    notice=DecisionDue(57),
    events=(),
    ruleset=json.dumps(ruleset_headers(Ruleset.load("classic"))),
    stale=False,
)
SERVER = "https://risk.example.org"


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


def test_the_program_accepts_what_the_server_sends_and_nothing_else() -> None:
    names: dict[str, Any] = {}
    exec(compile(block("python"), "docs/notifications.md", "exec"), names)
    is_genuine = names["is_genuine"]
    at = int(time.time() * 1000)
    body = content_of(MESSAGE, SERVER)
    headers = headers_of(MESSAGE, body, at)
    assert is_genuine(SECRET, headers, body)
    assert not is_genuine(SECRET, headers, body.replace(b"red", b"sea"))
    assert not is_genuine(SECRET, headers | {"webhook-id": "message-8-8"}, body)
    assert not is_genuine(SECRET, headers_of(MESSAGE, body, at - 600_000), body)


def test_the_example_is_what_is_sent() -> None:
    assert json.loads(block("json")) == json.loads(content_of(MESSAGE, SERVER))


def test_the_message_for_discord_is_what_is_sent() -> None:
    shown = block("text").rstrip("\n")
    roll = Roll((6, 5, 2), (5, 3))
    rolled = Rolled("blue", "red", "kamchatka", "alaska", roll, 0, 2)
    events = (rolled, Captured("blue", "alaska", "red"))
    message = replace(MESSAGE, form=WebhookForm.DISCORD, kind="events", notice=None, events=events)
    assert json.loads(content_of(message, SERVER))["content"] == shown


def test_every_preference_and_every_type_is_named() -> None:
    preferences = [field.name for field in fields(NotificationPreferences)]
    assert [name for name in preferences if f"`{name}`" not in PAGE] == []
    assert [kind for kind in (*SENTENCES, "events") if f"`{kind}`" not in PAGE] == []
