"""Letters as they arrive: what they say, and that nothing can be smuggled into them."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from rubicon.host.addresses import proper_address, sender_address
from rubicon.host.letters import (
    ASKED,
    Letterhead,
    Told,
    deadline_letter,
    duty_letter,
    link_letter,
    over_letter,
)
from rubicon.rules.errors import RubiconError
from rubicon.rules.position import Phase
from tests.host.posted import DAY, HEAD, HOUR, MINUTE

AT = 1_790_000_000_000
TOLD = Told(
    notice=17,
    game="abcdefghij",
    title="Friday",
    seat="red",
    name="Ann",
    email="ann@example.org",
    at=AT,
    stop="/letters/k3vk3vk3vk3vk3vk/" + "m" * 26,
    witness="57:" + "41c3" * 16,
    phase=Phase.REINFORCE,
    due=AT + 23 * HOUR,
)
LETTERS = [duty_letter, deadline_letter, over_letter]


def arrived(letter: EmailMessage) -> EmailMessage:
    """A letter as a mail program reads it."""
    return message_from_bytes(letter.as_bytes(), policy=default)


def test_a_letter_says_what_where_until_when_and_how_to_end_it() -> None:
    letter = arrived(duty_letter(HEAD, TOLD))
    text = letter.get_content()
    assert letter["Subject"] == "Your turn: Friday"
    assert letter["From"] == "Rubicon <rubicon@risk.example.org>"
    assert letter["To"] == "ann@example.org"
    assert letter["Message-ID"] == "<notice-17.abcdefghij@risk.example.org>"
    assert letter["References"] == "<game.abcdefghij@risk.example.org>"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["Date"]
    assert letter["List-Unsubscribe"] == f"<{HEAD.url}{TOLD.stop}>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    for part in (
        "Hello Ann,",
        "place your new armies, and attack",
        "Tuesday, 22 September 2026, 13:13 UTC, 23 hours from now",
        "https://risk.example.org/?game=abcdefghij",
        "abcdefghij:57:" + "41c3" * 8,
        HEAD.url + TOLD.stop,
    ):
        assert part in text
    assert not letter.is_multipart()


@pytest.mark.parametrize("write", LETTERS)
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
def test_what_people_write_stays_in_its_place(write: object, words: str) -> None:
    told = replace(TOLD, title=words, name=words, reason=words, result="blue")
    raw = write(HEAD, told).as_bytes()  # type: ignore[operator]
    letter = message_from_bytes(raw, policy=default)
    plain = duty_letter(HEAD, TOLD)
    assert set(letter.keys()) == set(plain.keys())
    assert letter["To"] == "ann@example.org"
    assert "\u202e" not in letter["Subject"]
    assert all(len(line) <= 200 for line in raw.split(b"\r\n"))
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert raw.isascii()


def test_long_links_in_headers_stay_whole() -> None:
    head = Letterhead(f"https://{'a' * 60}.example.org", HEAD.sender)
    raw = duty_letter(head, TOLD).as_bytes().decode()
    assert f"List-Unsubscribe: <{head.url}{TOLD.stop}>\r\n" in raw


def test_without_https_no_button_is_promised() -> None:
    letter = duty_letter(Letterhead("http://192.168.1.7:8042", HEAD.sender), TOLD)
    assert "List-Unsubscribe" in letter
    assert "List-Unsubscribe-Post" not in letter


def test_every_phase_that_asks_somebody_has_its_words() -> None:
    silent = {Phase.FIRST_PLAYER, Phase.DEAL, Phase.OVER}
    assert set(ASKED) == set(Phase) - silent


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (MINUTE, "a moment from now"),
        (119 * MINUTE, "119 minutes from now"),
        (47 * HOUR, "47 hours from now"),
        (3 * DAY + HOUR, "3 days from now"),
    ],
)
def test_how_long_it_is(left: int, said: str) -> None:
    assert said in duty_letter(HEAD, replace(TOLD, due=AT + left)).get_content()


def test_where_nobody_is_late_there_is_no_deadline() -> None:
    assert "There is no deadline." in duty_letter(HEAD, replace(TOLD, due=None)).get_content()


@pytest.mark.parametrize(
    ("result", "subject"),
    [
        ("red", "You have won: Friday"),
        ("blue", "Blue has won: Friday"),
        ("draw", "A draw: Friday"),
        ("void", "Closed: Friday"),
    ],
)
def test_how_it_ended(result: str, subject: str) -> None:
    letter = over_letter(HEAD, replace(TOLD, result=result, reason="nobody came for too long"))
    assert letter["Subject"] == subject
    assert "(nobody came for too long)" in letter.get_content()


def test_a_link_goes_to_a_stranger_without_a_word_of_whoever_asked() -> None:
    token = "k" * 26
    letter = arrived(link_letter(HEAD, "ann@example.org", token, AT, known=False))
    assert f"{HEAD.url}/link/{token}" in letter.get_content()
    headers = "".join(str(value) for value in letter.values())
    assert token[:5] not in headers
    assert "List-Unsubscribe" not in letter


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
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(RubiconError) as caught:
        proper_address(text)
    assert caught.value.code == "email/address"


def test_whom_letters_come_from() -> None:
    assert str(sender_address("risk@example.org")) == "risk@example.org"
    named = sender_address("Die Würfel <risk@example.org>")
    assert (named.display_name, named.addr_spec) == ("Die Würfel", "risk@example.org")
    assert "\n" not in str(sender_address("A\nB <risk@example.org>"))
    for bad in ("", "risk", "Risk <risk>"):
        with pytest.raises(RubiconError) as caught:
            sender_address(bad)
        assert caught.value.code == "serve/settings"
