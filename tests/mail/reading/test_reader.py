"""Headers, envelope and kind of a message, and whether it may be answered."""

import pytest

from rubicon.mail.reading.answers import HOUR, answer_address, within_rate
from rubicon.mail.reading.incoming_mail import IncomingMail, MailEnvelope, MailKind
from rubicon.mail.reading.reader import ReadingSettings, read_mail

SETTINGS = ReadingSettings(addresses=frozenset({"play@risk.example.org"}))
BODY = "\r\n\r\nSTATUS\r\n"


def read(headers: str, envelope: MailEnvelope | None = None) -> IncomingMail:
    """A message with these headers."""
    return read_mail((headers.replace("\n", "\r\n") + BODY).encode(), SETTINGS, envelope)


def test_headers_are_decoded_and_normalized() -> None:
    mail = read(
        "From: =?utf-8?q?Ann_M=C3=BCller?= <Ann@Example.NET>\nTo: Play@Risk.example.org\n"
        "Cc: Otto <otto@example.com>\nSubject: =?iso-8859-1?q?Gr=FC=DFe?=\n =?utf-8?b?4oaS?=\n"
        "Message-ID: <A.b@c.example>\nReferences: <r1@x.example>\n <r2@x.example>\n"
        "Date: Sun, 22 Nov 2026 21:31:02 +0100"
    )
    assert (mail.sender, mail.sender_name) == ("ann@example.net", "Ann Müller")
    assert mail.recipients == ("play@risk.example.org", "otto@example.com")
    assert mail.subject == "Grüße→"
    assert (mail.message_id, mail.references) == ("A.b@c.example", ("r1@x.example", "r2@x.example"))
    assert mail.date == 1795379462000
    assert mail.kind is MailKind.ORDERS


def test_the_envelope_goes_before_the_return_path() -> None:
    headers = "Return-Path: <>\nFrom: ann@example.net"
    assert read(headers).kind is MailKind.AUTO_REPLY
    envelope = MailEnvelope("<ann@example.net>", ("PLAY+x@risk.example.org",))
    mail = read(headers, envelope)
    assert mail.kind is MailKind.ORDERS
    assert mail.envelope.sender == "ann@example.net"
    assert mail.recipients == ("play+x@risk.example.org",)


@pytest.mark.parametrize(
    ("headers", "address"),
    [
        ("From: ann@example.net", "ann@example.net"),
        ("From: ann@example.net\nReply-To: victim@example.com", "ann@example.net"),
        ("From: ann@example.net\nReturn-Path: <>", None),
        ("From: ann@example.net\nAuto-Submitted: auto-replied", None),
        ("From: ann@example.net\nList-Id: <a.example>", None),
        ("From: noreply@example.net", None),
        ("From: play+abc@risk.example.org", None),
        ("From: a@b.example, c@d.example", None),
        ("Subject: nobody", None),
    ],
)
def test_who_may_be_answered(headers: str, address: str | None) -> None:
    assert answer_address(read(headers)) == address


def test_a_stranger_gets_one_answer_an_hour() -> None:
    assert within_rate(None, 5)
    assert not within_rate(1_000, 1_000 + HOUR - 1)
    assert within_rate(1_000, 1_000 + HOUR)


def test_the_fingerprint_tells_orders_apart() -> None:
    first, second = (
        read_mail(f"From: ann@example.net\n\nDEPLOY {armies} alaska".encode(), SETTINGS)
        for armies in (3, 4)
    )
    assert first.fingerprint != second.fingerprint
