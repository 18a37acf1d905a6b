"""The host sees where somebody without a browser asks for a seat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.built import built_app
from tests.browser.app.conftest import person_at
from tests.browser.conftest import NewPage
from tests.browser.faults import Faults
from tests.browser.screen import PHONE
from tests.ports import free_port
from tests.web.conftest import ServerProcess, start, stop

ADDRESS = re.compile(r"^play\+[A-Z2-7]{26}@risk\.example\.org$")


@pytest.fixture
def mail_server(tmp_path: Path) -> Iterator[ServerProcess]:
    built_app()
    receive = {"RUBICON_MAIL_RECEIVE": f"lmtp://127.0.0.1:{free_port()}"}
    started = start(tmp_path, RUBICON_MAIL_FROM="Rubicon <play@risk.example.org>", **receive)
    yield started
    assert stop(started) == 0


@pytest.mark.parametrize("access", ["link", "private"])
def test_the_lobby_shows_the_address(
    mail_server: ServerProcess, new_page: NewPage, faults: Faults, access: str
) -> None:
    faults.expect("400.*/games/")  # the page asks whether the game has begun
    with mail_server.client("Ann") as ann:
        game = ann.open_table(ruleset="classic", seats=3, access=access)["game"]
        links = ann.invite_links(game)
        person = person_at(new_page, faults, mail_server.url, ann, PHONE)
        person.page.goto(f"{mail_server.url}/games/{game}")
        expect(person.page.get_by_text(words.BY_EMAIL)).to_be_visible()
        shown = [box.input_value() for box in person.page.get_by_role("textbox").all()]
        addresses = [value for value in shown if ADDRESS.match(value)]
        assert addresses == [links["email"]] or addresses == list(links["seat_emails"].values())
        assert len(addresses) == (1 if access == "link" else 2)
