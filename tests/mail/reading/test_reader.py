"""Headers, envelope and kind of a message, and whether it may be answered."""

import pytest

from rubicon.mail.reading.incoming_mail import (
    HOUR,
    IncomingMail,
    MailEnvelope,
    MailKind,
    answer_address,
    within_rate,
)
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


@pytest.mark.parametrize(
    ("value", "sender"),
    [
        ("Ann <ann@example.net>", "ann@example.net"),
        ("ann@example.net (Ann)", "ann@example.net"),
        ('"ann@example.net" <eve@example.com>', "eve@example.com"),
        ('"a\\" <ann@example.net>" <eve@example.com>', "eve@example.com"),
        ("=?utf-8?q?=3Cann=40example.net=3E?= <eve@example.com>", "eve@example.com"),
        ("ann@example.net <eve@example.com>", ""),
        ("<ann@example.net> <eve@example.com>", ""),
        ("ann@example.net (<eve@example.com>)", ""),
        ("ann@example.net)<eve@example.com>", ""),
        ("undisclosed:;", ""),
        ("Ann", ""),
    ],
)
def test_a_sender_that_could_be_read_in_two_ways_is_none(value: str, sender: str) -> None:
    assert read(f"From: {value}").sender == sender


def test_raw_bytes_in_headers_are_decoded() -> None:
    for charset in ("utf-8", "latin-1"):
        raw = "From: Ann Müller <ann@example.net>\nSubject: Grüße\n\nx".encode(charset)
        mail = read_mail(raw, SETTINGS)
        assert (mail.sender_name, mail.subject) == ("Ann Müller", "Grüße")


def test_a_forwarded_report_is_no_bounce() -> None:
    report = "Content-Type: message/delivery-status\n\nX: y\n\nAction: failed\nStatus: 5.1.1\n"
    inner = f"Content-Type: multipart/report; boundary=r\n\n--r\n{report}--r--\n"
    forwarded = f"Content-Type: message/rfc822\n\nFrom: a@b.example\n{inner}"
    outer = f"--o\n\nSTATUS\n--o\n{forwarded}--o--\n"
    raw = f"From: ann@example.net\nContent-Type: multipart/mixed; boundary=o\n\n{outer}"
    assert read_mail(raw.encode(), SETTINGS).kind is MailKind.ORDERS
    assert read_mail(f"From: ann@example.net\n{inner}".encode(), SETTINGS).kind is MailKind.BOUNCE


def test_a_charset_of_html_alone_is_found() -> None:
    html = '<meta charset="windows-1251"><p>Привет</p>'.encode("cp1251")
    raw = b"From: ann@example.net\nContent-Type: text/html\n\n" + html
    assert read_mail(raw, SETTINGS).own_text == "Привет"


def test_enriched_text_loses_its_commands() -> None:
    raw = b"From: ann@example.net\nContent-Type: text/enriched\n\n<bold>att a -> b</bold>"
    assert read_mail(raw, SETTINGS).own_text == "att a -> b"


def test_a_stranger_gets_one_answer_an_hour() -> None:
    assert within_rate(None, 5)
    assert not within_rate(1_000, 1_000 + HOUR - 1)
    assert within_rate(1_000, 1_000 + HOUR)
