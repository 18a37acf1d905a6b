"""A message as it arrives: its headers, and that names cannot add any."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from rubicon.mail.writing.document import EmailContent, Panel, Paragraph
from rubicon.mail.writing.layout import Posting, message_of
from rubicon.server.delivery import sender_address
from rubicon.server.emails import EmailIdentity

IDENTITY = EmailIdentity(
    url="https://risk.example.org",
    sender=sender_address("Rubicon <rubicon@risk.example.org>"),
)
CONTENT = EmailContent(
    subject="Your turn in Friday",
    news="Your turn, Ann",
    greeting="Hello Ann,",
    panels=(Panel((Paragraph("Place your armies."),)),),
)
POSTING = Posting(
    address="ann@example.org",
    at=1_790_000_000_000,
    message_id="<notification-17.abcdefghij@risk.example.org>",
    references=("<game.abcdefghij@risk.example.org>",),
    unsubscribe=f"{IDENTITY.url}/unsubscribe/k3vk3vk3vk3vk3vk/{'m' * 26}",
    text_only=True,
)


def arrived(message: EmailMessage) -> EmailMessage:
    """An e-mail as a mail program reads it."""
    return message_from_bytes(message.as_bytes(), policy=default)


def test_an_email_says_what_it_is_and_how_to_stop_it() -> None:
    message = arrived(message_of(IDENTITY, CONTENT, POSTING))
    assert message["From"] == "Rubicon <rubicon@risk.example.org>"
    assert message["To"] == "ann@example.org"
    assert message["Message-ID"] == POSTING.message_id
    assert message["References"] == "<game.abcdefghij@risk.example.org>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Date"] == "Mon, 21 Sep 2026 14:13:20 +0000"
    assert message["List-Unsubscribe"] == f"<{POSTING.unsubscribe}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert not message.is_multipart()


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
def test_names_and_titles_cannot_inject_headers(words: str) -> None:
    content = replace(CONTENT, subject=words, greeting=words, panels=(Panel((Paragraph(words),)),))
    raw = message_of(IDENTITY, content, POSTING).as_bytes()
    message = message_from_bytes(raw, policy=default)
    assert set(message.keys()) == set(message_of(IDENTITY, CONTENT, POSTING).keys())
    assert message["To"] == "ann@example.org"
    assert "\u202e" not in message["Subject"]
    assert all(len(line) <= 200 for line in raw.split(b"\r\n"))
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert raw.isascii()


def test_long_links_in_headers_stay_whole() -> None:
    link = f"https://{'a' * 60}.example.org/unsubscribe/{'m' * 60}"
    raw = message_of(IDENTITY, CONTENT, replace(POSTING, unsubscribe=link)).as_bytes().decode()
    assert f"List-Unsubscribe: <{link}>\r\n" in raw


def test_one_click_unsubscribing_is_offered_over_https_only() -> None:
    link = "http://192.168.1.7:8042/unsubscribe/x"
    message = message_of(IDENTITY, CONTENT, replace(POSTING, unsubscribe=link))
    assert "List-Unsubscribe" in message
    assert "List-Unsubscribe-Post" not in message
