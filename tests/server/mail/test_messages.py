"""E-mails as they arrive: their contents, and that names cannot inject headers."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from rubicon.engine.records import Phase
from rubicon.errors import RubiconError
from rubicon.server.delivery import proper_address, sender_address
from rubicon.server.emails import (
    TASKS,
    EmailIdentity,
    GameEmail,
    deadline_email,
    decision_email,
    game_over_email,
    game_stopped_email,
    opening_email,
    sign_in_email,
)
from tests.server.mail.mailing import DAY, HOUR, IDENTITY, MINUTE

AT = 1_790_000_000_000
GAME_EMAIL = GameEmail(
    notification=17,
    game="abcdefghij",
    title="Friday",
    seat="red",
    name="Ann",
    address="ann@example.org",
    at=AT,
    unsubscribe="/unsubscribe/k3vk3vk3vk3vk3vk/" + "m" * 26,
    dice_head="57:" + "41c3" * 16,
    phase=Phase.REINFORCE,
    deadline=AT + 23 * HOUR,
)
EMAIL_FUNCTIONS = [
    decision_email,
    opening_email,
    deadline_email,
    game_stopped_email,
    game_over_email,
]


def arrived(message: EmailMessage) -> EmailMessage:
    """An e-mail as a mail program reads it."""
    return message_from_bytes(message.as_bytes(), policy=default)


def test_an_email_has_the_task_the_deadline_and_the_unsubscribe_link() -> None:
    message = arrived(decision_email(IDENTITY, GAME_EMAIL))
    text = message.get_content()
    assert message["Subject"] == "Your turn: Friday"
    assert message["From"] == "Rubicon <rubicon@risk.example.org>"
    assert message["To"] == "ann@example.org"
    assert message["Message-ID"] == "<notification-17.abcdefghij@risk.example.org>"
    assert message["References"] == "<game.abcdefghij@risk.example.org>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Date"]
    assert message["List-Unsubscribe"] == f"<{IDENTITY.url}{GAME_EMAIL.unsubscribe}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    for part in (
        "Hello Ann,",
        "place your new armies, then attack",
        "Tuesday, 22 September 2026, 13:13 UTC (23 hours from now)",
        "https://risk.example.org/api/v1/games/abcdefghij/",
        "abcdefghij:57:" + "41c3" * 8,
        IDENTITY.url + GAME_EMAIL.unsubscribe,
    ):
        assert part in text
    assert not message.is_multipart()


@pytest.mark.parametrize("write", EMAIL_FUNCTIONS)
@pytest.mark.parametrize(
    "words",
    [
        "x\r\nBcc: eve@example.org\r\n\r\nhello",
        "a\n.\nb",
        "\u202egnitsal",
        "é" * 60,
        "🎲" * 60,
        "=?utf-8?q?Bcc:?=",
        "",
    ],
)
def test_names_and_titles_cannot_inject_headers(write: object, words: str) -> None:
    told = replace(GAME_EMAIL, title=words, name=words, reason=words, result="blue")
    raw = write(IDENTITY, told).as_bytes()  # type: ignore[operator]
    message = message_from_bytes(raw, policy=default)
    plain = decision_email(IDENTITY, GAME_EMAIL)
    assert set(message.keys()) == set(plain.keys())
    assert message["To"] == "ann@example.org"
    assert "\u202e" not in message["Subject"]
    assert all(len(line) <= 200 for line in raw.split(b"\r\n"))
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert raw.isascii()


def test_long_links_in_headers_stay_whole() -> None:
    head = EmailIdentity(url=f"https://{'a' * 60}.example.org", sender=IDENTITY.sender)
    raw = decision_email(head, GAME_EMAIL).as_bytes().decode()
    assert f"List-Unsubscribe: <{head.url}{GAME_EMAIL.unsubscribe}>\r\n" in raw


def test_one_click_unsubscribing_is_offered_over_https_only() -> None:
    message = decision_email(
        EmailIdentity(url="http://192.168.1.7:8042", sender=IDENTITY.sender), GAME_EMAIL
    )
    assert "List-Unsubscribe" in message
    assert "List-Unsubscribe-Post" not in message


def test_every_phase_with_decisions_has_a_task() -> None:
    silent = {Phase.FIRST_PLAYER, Phase.DEAL, Phase.OVER}
    assert set(TASKS) == set(Phase) - silent


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (MINUTE, "less than two minutes from now"),
        (119 * MINUTE, "119 minutes from now"),
        (47 * HOUR, "47 hours from now"),
        (3 * DAY + HOUR, "3 days from now"),
    ],
)
def test_the_time_left_is_in_words(left: int, said: str) -> None:
    assert said in decision_email(IDENTITY, replace(GAME_EMAIL, deadline=AT + left)).get_content()


def test_without_a_clock_there_is_no_deadline() -> None:
    assert (
        "There is no deadline."
        in decision_email(IDENTITY, replace(GAME_EMAIL, deadline=None)).get_content()
    )


@pytest.mark.parametrize(
    ("result", "subject"),
    [
        ("red", "You won: Friday"),
        ("blue", "Blue won: Friday"),
        ("draw", "Draw: Friday"),
        ("void", "Closed: Friday"),
    ],
)
def test_the_subject_has_the_result(result: str, subject: str) -> None:
    message = game_over_email(
        IDENTITY, replace(GAME_EMAIL, result=result, reason="no action for too long")
    )
    assert message["Subject"] == subject
    assert "(no action for too long)" in message.get_content()


def test_a_sign_in_email_quotes_nothing_of_the_requester() -> None:
    token = "k" * 26
    message = arrived(sign_in_email(IDENTITY, "ann@example.org", token, AT, known=False))
    assert f"{IDENTITY.url}/sign-in/{token}" in message.get_content()
    headers = "".join(str(value) for value in message.values())
    assert token[:5] not in headers
    assert "List-Unsubscribe" not in message


@pytest.mark.parametrize(
    ("text", "proper"),
    [
        (" Ann.Example+risk@Example.ORG ", "ann.example+risk@example.org"),
        ("ann@localhost", "ann@localhost"),
        ("a@xn--bcher-kva.example", "a@xn--bcher-kva.example"),
    ],
)
def test_addresses_have_one_form(text: str, proper: str) -> None:
    assert proper_address(text) == proper


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ann",
        "@example.org",
        "ann@",
        "ann@@example.org",
        "ann@exa mple.org",
        "ann@example.org\nBcc: eve@example.org",
        "ann@example.org, eve@example.org",
        "Ann <ann@example.org>",
        '"a b"@example.org',
        "ann.@example.org",
        "änn@example.org",
        "ann@bücher.example",
        "ann@-example.org",
        f"{'a' * 65}@example.org",
        f"ann@{'a.' * 130}org",
        "ann@example.org>",
        "ann@[127.0.0.1]",
    ],
)
def test_malformed_addresses_are_refused(text: str) -> None:
    with pytest.raises(RubiconError) as caught:
        proper_address(text)
    assert caught.value.code == "email/address"


def test_sender_addresses() -> None:
    assert str(sender_address("risk@example.org")) == "risk@example.org"
    named = sender_address("Die Würfel <risk@example.org>")
    assert (named.display_name, named.addr_spec) == ("Die Würfel", "risk@example.org")
    assert "\n" not in str(sender_address("A\nB <risk@example.org>"))
    for bad in ("", "risk", "Risk <risk>"):
        with pytest.raises(RubiconError) as caught:
            sender_address(bad)
        assert caught.value.code == "serve/settings"
