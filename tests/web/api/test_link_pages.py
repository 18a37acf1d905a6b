"""E-mails of a whole server, to a mail server beside it: sign-in links, pages, notifications."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import cast

import pytest

from rubicon.client import ApiError
from rubicon.web.app import SIGN_IN_EMAILS_PER_HOUR
from rubicon.web.http.connections import RateLimiter
from tests.server.mail.test_transport import Sink, mail_server
from tests.waiting import until
from tests.web.conftest import RunningServer, in_process, start, stop


def plain_text(email: EmailMessage) -> str:
    """The text that a mail program without HTML shows."""
    body = email.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


class MailingServer:
    """A server in this process, and the mailbox that all its e-mails go to."""

    def __init__(self, server: RunningServer, sink: Sink) -> None:
        self.server = server
        self.sink = sink

    def emails(self, to: str) -> list[EmailMessage]:
        """The e-mails to an address."""
        found = [e for e in list(self.sink.envelopes) if to in e.rcpt_tos]
        raw = [cast(bytes, envelope.content) for envelope in found]
        return [message_from_bytes(one, policy=default) for one in raw]

    def email(self, to: str, number: int = 0) -> EmailMessage:
        """Wait for an e-mail to an address, by default the first one."""
        until(lambda: len(self.emails(to)) > number)
        return self.emails(to)[number]

    def link(self, to: str, number: int = 0) -> str:
        """The path of the sign-in link in an e-mail."""
        return self.path(self.email(to, number), "sign-in")

    def path(self, email: EmailMessage, kind: str) -> str:
        """The path of a link in an e-mail."""
        found = re.search(rf"{re.escape(self.server.url)}(/{kind}/\S+)", plain_text(email))
        assert found is not None
        return found[1]


@pytest.fixture(scope="module")
def mailing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MailingServer]:
    sink = Sink()
    folder = tmp_path_factory.mktemp("emails")
    with (
        mail_server(sink) as mail,
        in_process(
            folder,
            mail_server=f"smtp://127.0.0.1:{mail.port}",
            mail_from="Rubicon <rubicon@risk.example.org>",
            email_delay_seconds=1,
        ) as server,
    ):
        yield MailingServer(server, sink)


def test_an_account_is_saved_by_the_button_and_not_by_opening_the_page(
    mailing: MailingServer,
) -> None:
    with mailing.server.client("<b>Ann") as ann, mailing.server.http() as browser:
        ann.save_account("ann@example.org")
        path = mailing.link("ann@example.org")
        for _ in range(3):  # mail scanners look
            page = browser.get(path)
            assert page.status_code == 200
            assert "set-cookie" not in page.headers
            assert "no-store" in page.headers["cache-control"]
            assert "form-action 'self'" in page.headers["content-security-policy"]
            assert "&lt;b&gt;Ann" in page.text
            assert "<b>Ann" not in page.text.replace("<b>&lt;b&gt;Ann", "")
        assert ann.me()["email"] is None
        here = {"origin": mailing.server.url}
        pressed = browser.post(path, headers=here)
        assert pressed.status_code == 200
        cookie = pressed.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "Secure" not in cookie
        assert browser.get("/api/v1/me").json()["email"] == "ann@example.org"
        assert ann.me()["email"] == "ann@example.org"
        again = browser.post(path, headers=here)
        assert again.status_code == 404
        assert "has been used already" in again.text
        assert browser.get(path).status_code == 404


def test_a_page_of_another_site_cannot_use_a_link(mailing: MailingServer) -> None:
    with mailing.server.client("Bob") as bob, mailing.server.http() as browser:
        bob.save_account("bob@example.org")
        path = mailing.link("bob@example.org")
        for there in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {}):
            refused = browser.post(path, headers=there)
            assert refused.status_code == 403
            assert "set-cookie" not in refused.headers
        own = browser.post(path, headers={"sec-fetch-site": "same-origin"})
        assert own.status_code == 200


def test_a_known_address_gets_a_sign_in_link(mailing: MailingServer) -> None:
    with mailing.server.client("Cid") as cid, mailing.server.connect() as nobody:
        cid.save_account("cid@example.org")
        cid.sign_in(mailing.server.url + mailing.link("cid@example.org"))
        nobody.request_sign_in("cid@example.org")
        nobody.request_sign_in("unknown@example.org")
        email = mailing.email("cid@example.org", 1)
        assert email["Subject"] == "Sign in to Rubicon"
        known = nobody.sign_in(mailing.path(email, "sign-in")).me()
        assert (known["name"], known["email"]) == ("Cid", "cid@example.org")
        assert mailing.emails("unknown@example.org") == []


def test_the_answer_does_not_tell_whether_an_address_is_known(mailing: MailingServer) -> None:
    with mailing.server.client("Dot") as dot, mailing.server.http() as http:
        dot.save_account("dot@example.org")
        dot.sign_in(mailing.link("dot@example.org"))
        answers = [
            http.post("/api/v1/magic-link", json={"email": email})
            for email in ("dot@example.org", "other@example.org") * 4
        ]
        assert len({(answer.status_code, answer.text) for answer in answers}) == 1
        assert answers[0].status_code == 202
        with pytest.raises(ApiError) as refused:
            dot.save_account("no address")
        assert (refused.value.status, refused.value.code) == (400, "email/address")
    with mailing.server.connect() as nobody, pytest.raises(ApiError) as refused:
        nobody.save_account("dot@example.org")
    assert refused.value.code == "account/required"


def test_a_pending_decision_sends_an_email_with_a_link_to_unsubscribe(
    mailing: MailingServer,
) -> None:
    with mailing.server.client("Eve") as eve, mailing.server.http() as mail_program:
        eve.save_account("eve@example.org")
        eve.sign_in(mailing.link("eve@example.org"))
        bots = {1: "greedy", 2: "greedy"}
        opened = eve.open_table(board="skerries", seats=3, title="Sunday", bots=bots)
        game = opened["game"]
        eve.start(game)
        turn = eve.wait(game)
        assert turn is not None
        email = mailing.email("eve@example.org", 1)
        assert email["Subject"] == "Your turn in Sunday"
        seq, head = turn.game["witness"].split(":")
        assert f"{game}:{seq}:{head[:32]}" in plain_text(email)
        assert mailing.path(email, "games") == f"/games/{game}"
        stop_path = email["List-Unsubscribe"].strip("<>").removeprefix(mailing.server.url)
        assert "Stop e-mails" in mail_program.get(stop_path).text
        assert eve.me()["emails"] is True
        one_click = mail_program.post(stop_path, data={"List-Unsubscribe": "One-Click"})
        assert one_click.status_code == 200
        assert eve.me()["emails"] is False
        assert eve.change(emails=True)["emails"] is True
        assert eve.change(name="Eva")["name"] == "Eva"
        assert mail_program.post(f"{stop_path}x").status_code == 404
        assert mail_program.get("/unsubscribe/nobody/none").status_code == 404
        assert mailing.emails("eve@example.org")[2:] == []


def test_one_address_can_ask_for_ten_emails_in_the_first_hour() -> None:
    at = [0.0]
    limiter = RateLimiter("test", SIGN_IN_EMAILS_PER_HOUR, 3600, timer=lambda: at[0])
    hour = 0
    for _ in range(3600):
        hour += not limiter.take("203.0.113.9")
        at[0] += 1.0
    assert SIGN_IN_EMAILS_PER_HOUR <= hour <= 2 * SIGN_IN_EMAILS_PER_HOUR == 10
    assert not limiter.take("203.0.113.10")


def test_too_many_requests_for_emails_are_refused(
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
                http.post("/api/v1/magic-link", json={"email": f"p{number}@example.org"})
                for number in range(SIGN_IN_EMAILS_PER_HOUR + 1)
            ]
        assert [answer.status_code for answer in told] == [202] * SIGN_IN_EMAILS_PER_HOUR + [429]
        assert told[-1].json()["code"] == "link/rate-limited"
    finally:
        assert stop(server) == 0
