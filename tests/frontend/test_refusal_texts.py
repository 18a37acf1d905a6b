"""The German sentence of every refusal that a player's browser can get, by its code.

The codes are read from the sources of the packages that answer a browser: each code that stands
in a call there. So a new refusal needs a German sentence.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import rubicon
from rubicon.rules.refusals import REASONS
from tests.browser.app.built import ROOT

PACKAGE = Path(rubicon.__file__).parent
TEXTS: dict[str, list[str]] = json.loads(
    (ROOT / "frontend/src/texts/de/refusals.json").read_text("utf-8")
)
ANSWERING = (
    *("table/commands", "table/lobby", "table/game", "table/table_service.py", "table/chat.py"),
    *("table/lobby_service.py", "table/deadlines.py", "table/errors.py", "table/settings.py"),
    *("server/accounts.py", "server/passkeys.py", "server/player_pages.py", "server/push.py"),
    *("server/notifications.py", "server/email_links.py", "server/delivery.py", "server/news.py"),
    *("server/posts.py", "server/webhooks.py", "server/work.py", "table/admin/review.py"),
    *("web", "orders", "rules/actions.py", "rules/board/board.py", "rules/game.py"),
    *("rules/legal.py", "rules/situation.py", "rules/notation/words.py", "rules/options"),
    "rules/ruleset/ruleset.py",
)
# Only programs and operators can meet these: a wrong type in Python, a damaged log, a setting, the
# file of a board.
NOT_OF_A_BROWSER = re.compile(
    r"log/.*|serve/.*|game/not-a.*|.*/not-a-name|ruleset/not-o.*|orders/other-record|salt/.*"
    r"|application/.*|board/(bad-.*|missing-.*|unknown-(design.*|class))"
)
# Notes on an order text, which has its English words, are worded in English.
OF_ORDER_TEXTS = re.compile(r"orders/.*")
# The calls put the rest behind these: a territory, a continent, a card, an objective, a seat.
COMPLETED = {
    "action/unknown-": ("card", "objective"),
    "board/ambiguous-": ("territory", "continent"),
    "board/unknown-": ("territory", "continent"),
}
CODE = re.compile(r"[a-z][a-z-]*/[a-z0-9][a-z0-9-]*")


def _codes() -> Iterator[str]:
    for reason in REASONS.values():
        yield reason.code
    for name in ANSWERING:
        path = PACKAGE / name
        assert path.exists(), f"{name} has moved"
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            for call in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(call, ast.Call):
                    yield from _codes_in(call)


def _codes_in(call: ast.Call) -> Iterator[str]:
    for part in (inner for given in call.args for inner in ast.walk(given)):
        text = part.value if isinstance(part, ast.Constant) else None
        if isinstance(text, str) and CODE.fullmatch(text):
            yield from (text + end for end in COMPLETED.get(text, ("",)))


def test_every_refusal_that_a_browser_can_get_has_a_german_sentence() -> None:
    codes = {code for code in _codes() if not NOT_OF_A_BROWSER.fullmatch(code)}
    assert len(codes) > 200
    assert {code for code in codes if not OF_ORDER_TEXTS.fullmatch(code)} - set(TEXTS) == set()


def test_every_german_sentence_is_a_sentence() -> None:
    for message, suggestion in TEXTS.values():
        assert re.fullmatch(r"[A-ZÄÖÜ„].*\.", message)
        assert suggestion == "" or re.match(r"[A-ZÄÖÜ„]", suggestion)


def test_engine_refusals_are_worded_all() -> None:
    assert {reason.code for reason in REASONS.values()} <= set(TEXTS)
