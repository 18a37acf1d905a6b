"""Where tokens stand in our e-mails, and how they are found after mail programs changed them."""

from email.headerregistry import Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.mail.tokens import (
    ALPHABET,
    TOKEN_LENGTH,
    FoundToken,
    TokenPlace,
    body_line,
    find_tokens,
    message_id,
    reply_address,
)

TOKEN = "k4wq7ntm2vxh5rjpzc3byd6fga"
BASE = Address("Rubicon", "play", "risk.example.org")
tokens = st.text(ALPHABET, min_size=TOKEN_LENGTH, max_size=TOKEN_LENGTH)


def found(*recipients: str, ids: tuple[str, ...] = (), text: str = "") -> list[FoundToken]:
    """The tokens, at most eight."""
    return list(find_tokens(recipients, ids, text, limit=8))


@given(tokens)
def test_each_place_gives_the_token_back(token: str) -> None:
    address = reply_address(BASE, token).addr_spec
    assert found(address) == [(token, TokenPlace.RECIPIENT)]
    identifier = message_id(token, 3, "risk.example.org").strip("<>")
    assert found(ids=(identifier,)) == [(token, TokenPlace.REFERENCE)]
    assert found(text=f"Hello\n\n{body_line(token)}\n\n-- \nx") == [(token, TokenPlace.BODY)]


@pytest.mark.parametrize(
    "text",
    [
        f"Token: {TOKEN.upper()}",
        f"token:{TOKEN}",
        f"*Token:* {TOKEN}",
        f"Token:\n{TOKEN}",
        f"> Token:\n> {TOKEN[:13]}\n> {TOKEN[13:]}",
        f"Token: {TOKEN[:10]}=\n{TOKEN[10:]}",
        f"Token: {TOKEN[:5]}\u200b{TOKEN[5:]}",
        "Token: " + " ".join(TOKEN[at : at + 4] for at in range(0, 26, 4)) + ".",
        f"From: Rubicon <play+{TOKEN}@risk.example.org>",
        f"<mailto:play%2B{TOKEN.upper()}%40risk.example.org>",
    ],
)
def test_a_token_in_the_text_survives_mail_programs(text: str) -> None:
    assert found(text=text) == [(TOKEN, TokenPlace.BODY)]


@pytest.mark.parametrize(
    "address",
    [f"play+{TOKEN}@x", f"PLAY+{TOKEN.upper()}@x", f"play-{TOKEN}@x", f"bounce+{TOKEN}=ann=y.z@x"],
)
def test_a_token_in_an_address(address: str) -> None:
    assert found(address) == [(TOKEN, TokenPlace.RECIPIENT)]


@pytest.mark.parametrize(
    "text",
    [
        "Token:",
        f"Token: {TOKEN}a",
        f"Token: {TOKEN[:-1]}",
        "Token: is what you need to answer me 1",
    ],
)
def test_other_text_is_no_token(text: str) -> None:
    assert found(text=text) == []


def test_the_surest_place_of_a_token_counts_and_the_number_is_bounded() -> None:
    others = [f"play+{sign * 26}@x" for sign in "abcdefghijkl"]
    both = found(f"play+{TOKEN}@x", ids=(f"{TOKEN}.1@x",), text=body_line(TOKEN))
    assert both == [(TOKEN, TokenPlace.RECIPIENT)]
    assert len(found(*others)) == 8
