"""The e-mail with a link to sign in, and proper addresses."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from rubicon.errors import RubiconError
from rubicon.server.delivery import proper_address, sender_address
from rubicon.server.emails import sign_in_email
from tests.server.mail.mailing import IDENTITY

AT = 1_790_000_000_000


def arrived(message: EmailMessage) -> EmailMessage:
    """An e-mail as a mail program reads it."""
    return message_from_bytes(message.as_bytes(), policy=default)


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
