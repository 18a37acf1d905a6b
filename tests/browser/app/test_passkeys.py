"""A passkey in a real browser, with an authenticator that says yes by itself."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import words
from tests.browser.app.conftest import Guest, Visitor
from tests.browser.app.person import Person
from tests.browser.chromium import PLAIN_HOST
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.web.conftest import ServerProcess

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def url_at(server: ServerProcess, host: str) -> str:
    """The server's address under another name of this machine."""
    return f"http://{host}:{urlsplit(server.url).port}"


def add_authenticator(page: Page) -> None:
    """Give a page a device that makes and gives passkeys."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})


@pytest.fixture
def local_url(app_server: ServerProcess) -> str:
    """The address at which a server without a public one offers passkeys."""
    return url_at(app_server, "localhost")


@pytest.mark.parametrize("screen", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.full)])
def test_a_passkey_comes_back_to_the_same_account(
    visitor: Visitor, guest: Guest, local_url: str, screen: Screen
) -> None:
    ann = guest("Ann")
    account = ann.me()["account"]
    page = visitor(screen=screen).page
    page.context.add_cookies([{"name": "rubicon", "value": ann.token, "url": local_url}])
    person = Person(page, local_url, touch=screen.phone)
    add_authenticator(page)
    person.visit("/account")
    expect(page.get_by_text(words.NO_PASSKEY)).to_be_visible()
    page.get_by_role("textbox", name=words.PASSKEY_NAME).fill("My device")
    person.press(words.ADD_PASSKEY)
    listed = page.get_by_role("listitem").filter(has_text="My device")
    expect(listed).to_contain_text("not used yet")
    person.press(words.SIGN_OUT)  # nothing is asked: there is a way back
    expect(page.get_by_role("heading", name=words.NOBODY)).to_be_visible()
    assert person.ask("/session")["account"] is None
    person.press(words.SIGN_IN_WITH_PASSKEY)
    expect(listed).to_contain_text("last used")
    assert person.ask("/me")["account"] == account
    person.press("Remove My device")
    person.press(re.compile(f"^{words.REMOVE}$"))
    expect(page.get_by_text(words.NO_PASSKEY)).to_be_visible()
    assert person.ask("/me/passkeys") == []


def test_a_browser_without_a_passkey_is_told_so(visitor: Visitor, local_url: str) -> None:
    person = Person(visitor().page, local_url)
    add_authenticator(person.page)
    person.visit("/account")
    person.press(words.SIGN_IN_WITH_PASSKEY)
    expect(person.page.get_by_role("alert")).to_contain_text("Nothing was chosen")
    assert person.ask("/session")["account"] is None


@pytest.mark.parametrize("host", [PLAIN_HOST, "127.0.0.1"])
def test_where_browsers_allow_none_there_is_no_button(
    visitor: Visitor, guest: Guest, app_server: ServerProcess, host: str
) -> None:
    url, ann = url_at(app_server, host), guest("Ann")
    stranger = Person(visitor().page, url).visit("/account")
    expect(stranger.get_by_role("heading", name=words.NOBODY)).to_be_visible()
    expect(stranger.get_by_role("button", name=words.SIGN_IN_WITH_PASSKEY)).to_have_count(0)
    page = visitor().page
    page.context.add_cookies([{"name": "rubicon", "value": ann.token, "url": url}])
    Person(page, url).visit("/account")
    expect(page.get_by_role("button", name=words.SIGN_OUT)).to_be_visible()
    expect(page.get_by_role("heading", name=words.PASSKEYS)).to_have_count(0)
