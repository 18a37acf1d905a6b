"""Which results of the mail server prove that a player wrote an e-mail."""

import pytest

from rubicon.mail.authority import SenderAlignment, aligned, same_mailbox, sender_alignment
from rubicon.mail.reading.incoming_mail import IncomingMail, MailKind, read_authentication

SERVER = "mx.risk.example.org"


def alignment(results: str, sender: str = "ann@example.net") -> SenderAlignment:
    """The alignment of a message with these results of the trusted server."""
    header = ("Authentication-Results", f"{SERVER}; {results}")
    report = read_authentication([header] if results else [], [SERVER])
    mail = IncomingMail(kind=MailKind.ORDERS, sender=sender, authentication=report)
    return sender_alignment(mail, "Ann@Example.net")


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ("dmarc=pass header.from=example.net", SenderAlignment.PROVED),
        ("dmarc=pass header.from=evil.example", SenderAlignment.LIKELY),
        ("dmarc=pass", SenderAlignment.LIKELY),
        ("dkim=pass header.d=example.net", SenderAlignment.PROVED),
        ("dkim=pass header.i=@mail.example.net", SenderAlignment.PROVED),
        ("spf=pass smtp.mailfrom=ann@bounce.example.net", SenderAlignment.PROVED),
        ("spf=fail smtp.mailfrom=x@y.example; dkim=pass header.d=example.net", "proved"),
        ("", SenderAlignment.LIKELY),
        ("spf=none; dkim=none; dmarc=none", SenderAlignment.LIKELY),
        ("spf=temperror; dkim=neutral", SenderAlignment.LIKELY),
        # A proof for another domain proves nothing about this one.
        ("dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=eve@evil.example", "likely"),
        ("dkim=pass header.d=notexample.net", SenderAlignment.LIKELY),
        ("dkim=pass header.d=net", SenderAlignment.LIKELY),
        ("dmarc=fail header.from=example.net", SenderAlignment.FORGED),
        ("spf=softfail smtp.mailfrom=ann@example.net; dkim=none", SenderAlignment.FORGED),
        ("dmarc=fail; dkim=pass header.d=example.net", SenderAlignment.FORGED),
    ],
)
def test_alignment_by_results(results: str, expected: SenderAlignment) -> None:
    assert alignment(results) == expected


def test_another_address_is_never_the_player() -> None:
    assert (
        alignment("dmarc=pass header.from=example.com", "eve@example.com") is SenderAlignment.OTHER
    )
    assert alignment("dmarc=pass", "") is SenderAlignment.OTHER


def test_a_seat_without_an_address_has_no_sender() -> None:
    mail = IncomingMail(kind=MailKind.ORDERS, sender="")
    assert sender_alignment(mail, "") is SenderAlignment.OTHER


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("ann@example.net", True),
        ("ANN+risk@example.net", True),
        ("ann@sub.example.net", False),
        ("ann@example.net.evil.example", False),
        ("", False),
    ],
)
def test_same_mailbox(address: str, same: bool) -> None:
    assert same_mailbox(address, "ann@example.net") == same


def test_international_domains_are_compared_as_they_are_sent() -> None:
    assert same_mailbox("ann@müller.example", "ann@xn--mller-kva.example")
    assert not aligned("", "example.net")
