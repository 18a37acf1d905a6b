"""Letters through the doors of a real server, with a mail server beside it: links, pages, turns."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import cast

import pytest

from rubicon.client import Client, Refusal
from rubicon.web.app import LETTERS_AN_HOUR
from rubicon.web.limits import Limiter
from tests.host.test_sender import Sink, mail_server
from tests.web.conftest import Server, start, stop

SOON = 30


class House:
    """A server that sends letters to a sink."""

    def __init__(self, server: Server, sink: Sink) -> None:
        self.server = server
        self.sink = sink

    def letters(self, to: str) -> list[EmailMessage]:
        """What has come for somebody."""
        found = [e for e in list(self.sink.envelopes) if to in e.rcpt_tos]
        raw = [cast(bytes, envelope.content) for envelope in found]
        return [message_from_bytes(one, policy=default) for one in raw]

    def letter(self, to: str, number: int = 0) -> EmailMessage:
        """Wait for a letter to somebody."""
        for _ in range(SOON * 20):
            if len(found := self.letters(to)) > number:
                return found[number]
            time.sleep(0.05)
        raise AssertionError(f"no letter came to {to}")

    def link(self, to: str, number: int = 0) -> str:
        """The path of the link in a letter."""
        return self.path(self.letter(to, number), "link")

    def path(self, letter: EmailMessage, kind: str) -> str:
        """A path of the house that stands in a letter."""
        found = re.search(rf"{re.escape(self.server.url)}(/{kind}/\S+)", letter.get_content())
        assert found is not None
        return found[1]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    sink = Sink()
    with mail_server(sink) as mail:
        server = start(
            tmp_path_factory.mktemp("letters"),
            RUBICON_MAIL_SERVER=f"smtp://127.0.0.1:{mail.port}",
            RUBICON_MAIL_FROM="Rubicon <rubicon@risk.example.org>",
            RUBICON_LETTERS_AFTER="1",
        )
        yield House(server, sink)
        assert stop(server) == 0


def test_an_account_is_kept_by_the_button_and_not_by_looking(house: House) -> None:
    with house.server.client("<b>Ann") as ann, house.server.http() as browser:
        ann.keep("ann@example.org")
        path = house.link("ann@example.org")
        for _ in range(3):  # mail scanners look
            page = browser.get(path)
            assert page.status_code == 200
            assert "set-cookie" not in page.headers
            assert "no-store" in page.headers["cache-control"]
            assert "form-action 'self'" in page.headers["content-security-policy"]
            assert "&lt;b&gt;Ann" in page.text
            assert "<b>Ann" not in page.text.replace("<b>&lt;b&gt;Ann", "")
        assert ann.me()["email"] is None
        here = {"origin": house.server.url}
        pressed = browser.post(path, headers=here)
        assert pressed.status_code == 200
        cookie = pressed.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "Secure" not in cookie
        assert browser.get("/api/v1/me").json()["email"] == "ann@example.org"
        assert ann.me()["email"] == "ann@example.org"
        again = browser.post(path, headers=here)
        assert again.status_code == 404
        assert "was used already" in again.text
        assert browser.get(path).status_code == 404


def test_another_site_signs_nobody_in(house: House) -> None:
    with house.server.client("Bob") as bob, house.server.http() as browser:
        bob.keep("bob@example.org")
        path = house.link("bob@example.org")
        for there in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {}):
            refused = browser.post(path, headers=there)
            assert refused.status_code == 403
            assert "set-cookie" not in refused.headers
        own = browser.post(path, headers={"sec-fetch-site": "same-origin"})
        assert own.status_code == 200


def test_from_another_browser_a_known_address_is_enough(house: House) -> None:
    with house.server.client("Cid") as cid, Client(house.server.url) as nobody:
        cid.keep("cid@example.org")
        cid.use_link(house.server.url + house.link("cid@example.org"))
        nobody.ask_link("cid@example.org")
        nobody.ask_link("unknown@example.org")
        letter = house.letter("cid@example.org", 1)
        assert letter["Subject"] == "Sign in at Rubicon"
        known = nobody.use_link(house.path(letter, "link")).me()
        assert (known["name"], known["email"]) == ("Cid", "cid@example.org")
        assert house.letters("unknown@example.org") == []


def test_whether_an_address_is_known_cannot_be_told(house: House) -> None:
    with house.server.client("Dot") as dot, house.server.http() as http:
        dot.keep("dot@example.org")
        dot.use_link(house.link("dot@example.org"))
        answers = [
            http.post("/api/v1/link", json={"email": email})
            for email in ("dot@example.org", "other@example.org") * 4
        ]
        assert len({(answer.status_code, answer.text) for answer in answers}) == 1
        assert answers[0].status_code == 202
        with pytest.raises(Refusal) as refused:
            dot.keep("no address")
        assert (refused.value.status, refused.value.code) == (400, "email/address")
    with Client(house.server.url) as nobody, pytest.raises(Refusal) as refused:
        nobody.keep("dot@example.org")
    assert refused.value.code == "account/needed"


def test_who_is_asked_hears_of_it_and_can_end_that_from_the_letter(house: House) -> None:
    with house.server.client("Eve") as eve, house.server.http() as mail_program:
        eve.keep("eve@example.org")
        eve.use_link(house.link("eve@example.org"))
        bots = {1: "greedy", 2: "greedy"}
        opened = eve.open_table(board="skerries", seats=3, title="Sunday", bots=bots)
        game = opened["game"]
        eve.start(game)
        turn = eve.wait(game)
        assert turn is not None
        letter = house.letter("eve@example.org", 1)
        assert letter["Subject"] == "Your turn: Sunday"
        seq, head = turn.game["witness"].split(":")
        assert f"{game}:{seq}:{head[:32]}" in letter.get_content()
        stop_path = house.path(letter, "letters")
        assert letter["List-Unsubscribe"] == f"<{house.server.url}{stop_path}>"
        assert "No more letters" in mail_program.get(stop_path).text
        assert eve.me()["letters"] is True
        one_click = mail_program.post(stop_path, data={"List-Unsubscribe": "One-Click"})
        assert one_click.status_code == 200
        assert eve.me()["letters"] is False
        assert eve.change(letters=True)["letters"] is True
        assert eve.change(name="Eva")["name"] == "Eva"
        assert mail_program.post(f"{stop_path}x").status_code == 404
        assert mail_program.get("/letters/nobody/none").status_code == 404
        assert house.letters("eve@example.org")[2:] == []


def test_one_client_lets_so_many_letters_be_sent() -> None:
    at = [0.0]
    limiter = Limiter(LETTERS_AN_HOUR, 3600, clock=lambda: at[0])
    hour = 0
    for _ in range(3600):
        hour += not limiter.wait("203.0.113.9")
        at[0] += 1.0
    assert LETTERS_AN_HOUR <= hour <= 2 * LETTERS_AN_HOUR == 10
    assert not limiter.wait("203.0.113.10")


def test_letters_that_are_asked_for_too_often_are_refused(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    behind = {"RUBICON_REQUESTS_PER_MINUTE": "6000", "RUBICON_TRUSTED_PROXY": "127.0.0.1"}
    server = start(tmp_path_factory.mktemp("often"), **behind)
    try:
        with server.http() as http:
            https = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9"}
            made = http.post("/api/v1/guest", json={"name": "Ann"}, headers=https)
            assert "Secure" in made.headers["set-cookie"]
            told = [
                http.post("/api/v1/link", json={"email": f"p{number}@example.org"})
                for number in range(LETTERS_AN_HOUR + 1)
            ]
        assert [answer.status_code for answer in told] == [202] * LETTERS_AN_HOUR + [429]
        assert told[-1].json()["code"] == "link/too-often"
    finally:
        assert stop(server) == 0
