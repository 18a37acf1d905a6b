"""By plain http on an address that is not this machine's own: what needs https is not there.

Such a page is no secure context: no Web Crypto, no locks, no clipboard.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.clicking import play
from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor
from tests.browser.app.person import Person
from tests.browser.chromium import PLAIN_HOST
from tests.web.conftest import ServerProcess


@pytest.fixture
def plain_url(app_server: ServerProcess) -> str:
    """The server's address, as another machine of the network would name it."""
    return f"http://{PLAIN_HOST}:{urlsplit(app_server.url).port}"


def test_a_game_is_played(
    visitor: Visitor,
    guest: Guest,
    open_game: OpenGame,
    plain_url: str,
    app_server: ServerProcess,
    full: bool,
) -> None:
    ann = guest("Ann")
    page = visitor(ann).page
    page.context.add_cookies([{"name": "rubicon", "value": ann.token, "url": plain_url}])
    person = Person(page, plain_url, asks_at=app_server.url)
    person.open_game(open_game(ann, bots=2, options=DEALT).id)
    assert page.evaluate("[isSecureContext, crypto.subtle === undefined]") == [False, True]
    expect(
        page.get_by_text(words.DICE_IN).first
    ).to_be_visible()  # the browser takes part in the dice
    last = 20 if full else 1
    play(person, until=lambda state: state["round"] > last or state["result"] is not None)
    assert person.state()["index"] > 0


def test_a_stranger_comes_to_a_game(visitor: Visitor, plain_url: str) -> None:
    person = Person(visitor().page, plain_url)
    person.play_now()
    expect(person.page).to_have_title(words.YOUR_TURN)
