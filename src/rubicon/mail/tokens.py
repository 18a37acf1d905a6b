"""Reply tokens: proof that the sender read an e-mail of one seat, and where our e-mails
carry them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.headerregistry import Address
from enum import StrEnum
from typing import NamedTuple

# Reply tokens: proof that the sender read an e-mail that went to one seat about one decision.
#
# A token is 130 bits of an HMAC over what it is for, so a retry of an e-mail writes the same
# token, and the next e-mail another. The database keeps a digest only: a copy of it plays no
# orders.

TOKEN_LENGTH = 26  # letters of base32, 5 bits each
KEY_BYTES = 32
ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenScope:
    """What a token is for; `notification` is the e-mail that carries it."""

    game: str
    seat: str
    decision: int
    notification: int


@dataclass(frozen=True, slots=True)
class TokenKeys:
    """The secret keys, each of at least 32 bytes; `earlier` ones still verify after a rotation."""

    current: bytes
    earlier: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        if any(len(key) < KEY_BYTES for key in (self.current, *self.earlier)):
            raise ValueError(f"A key of reply tokens has at least {KEY_BYTES} bytes.")

    def token(self, scope: TokenScope) -> str:
        """The token of an e-mail, in lower case."""
        return _derived(self.current, scope)

    def verify(self, token: str, scope: TokenScope) -> bool:
        """Whether a token is for `scope`; takes the same time wherever they differ."""
        sent = token.lower().encode("ascii", "replace")
        keys = (self.current, *self.earlier)
        # All keys are tried, so the time does not reveal which one fits.
        fits = [hmac.compare_digest(_derived(key, scope).encode(), sent) for key in keys]
        return any(fits)


def _derived(key: bytes, scope: TokenScope) -> str:
    # A list in JSON: no two different scopes have the same text.
    named = ["reply-token", scope.game, scope.seat, scope.decision, scope.notification]
    digest = hmac.digest(key, json.dumps(named).encode(), "sha256")
    return base64.b32encode(digest).decode().lower()[:TOKEN_LENGTH]


def token_digest(token: str) -> str:
    """What a database keeps of a token, to find its scope again."""
    return hashlib.sha256(b"reply-token:" + token.lower().encode("utf-8", "replace")).hexdigest()


def is_reply_token(text: str) -> bool:
    """Whether a text has the shape of a token, in lower or upper case."""
    return len(text) == TOKEN_LENGTH and set(text.lower()) <= set(ALPHABET)


# Where our e-mails have a reply token, and how it is found again in an answer.
#
# It is in three places, because each of them may get lost: mail servers drop what is
# after the plus of an address, web mailers drop References, people delete the quotation.

LABEL = "Token:"
_SHAPE = re.compile(rf"(?<![a-z0-9])[a-z2-7]{{{TOKEN_LENGTH}}}(?![a-z0-9])", re.IGNORECASE)
# What may separate a token from the rest of a local part: also `=`, of encoded envelope senders.
_TAG = re.compile(rf"[+=_.-]([a-z2-7]{{{TOKEN_LENGTH}}})(?=$|[@=._-])", re.IGNORECASE)
_LABEL = re.compile(r"\btoken\b", re.IGNORECASE)
# After the label: programs wrap the line, quote its second half, and set it in bold.
_BETWEEN = frozenset(" \t\n>|*_:=\xa0\u200b\u200c\u200d\u2060\ufeff\u00ad-")
_SEARCHED = 120  # characters after the label


class TokenPlace(StrEnum):
    """Where a token was found, the most trustworthy place first."""

    RECIPIENT = "recipient"  # the address after the plus
    REFERENCE = "reference"  # In-Reply-To, References
    BODY = "body"


class FoundToken(NamedTuple):
    """A text of the shape of a token, in lower case, and where it is."""

    token: str
    place: TokenPlace


def reply_address(base: Address, token: str) -> Address:
    """The Reply-To address: `play+TOKEN@domain` (RFC 5233)."""
    return Address(base.display_name, f"{base.username}+{token.upper()}", base.domain)


def message_id(token: str, number: int, domain: str) -> str:
    """A Message-ID with brackets; `number` counts the messages with this token.

    In lower case: some programs change the letters of the ids that they refer to.
    """
    return f"<{token.lower()}.{number}@{domain}>"


def body_line(token: str) -> str:
    """The line of the text. It is above the signature, which programs leave out of replies."""
    return f"{LABEL} {token.upper()}"


def find_tokens(
    recipients: Iterable[str], message_ids: Iterable[str], text: str, *, limit: int
) -> tuple[FoundToken, ...]:
    """All different tokens, at most `limit`; the first place of each counts."""
    found: dict[str, TokenPlace] = {}
    for token, place in _candidates(recipients, message_ids, text):
        found.setdefault(token.lower(), place)
        if len(found) >= limit:
            break
    return tuple(FoundToken(token, place) for token, place in found.items())


def _candidates(
    recipients: Iterable[str], message_ids: Iterable[str], text: str
) -> Iterator[tuple[str, TokenPlace]]:
    for address in recipients:
        for token in _TAG.findall(address.rpartition("@")[0]):
            yield token, TokenPlace.RECIPIENT
    for identifier in message_ids:
        for token in _SHAPE.findall(identifier.partition("@")[0]):
            yield token, TokenPlace.REFERENCE
    for token in _in_text(text):
        yield token, TokenPlace.BODY


def _in_text(text: str) -> Iterator[str]:
    """Tokens after the label, then those in addresses of a quoted header or link."""
    for label in _LABEL.finditer(text):
        token = _gathered(text[label.end() : label.end() + _SEARCHED])
        if is_reply_token(token):
            yield token
    for found in re.finditer(rf"(?:\+|%2b)([a-z2-7]{{{TOKEN_LENGTH}}})(?=@|%40)", text, re.I):
        yield found[1]


def _gathered(text: str) -> str:
    """The first 26 letters of base32, however they are spaced; "" if another sign intervenes."""
    letters: list[str] = []
    for at, sign in enumerate(text):
        if sign in _BETWEEN:
            continue
        if not is_base32(sign):
            return ""
        letters.append(sign)
        if len(letters) == TOKEN_LENGTH:
            after = text[at + 1 : at + 2]
            return "" if is_base32(after) else "".join(letters)
    return ""


def is_base32(sign: str) -> bool:
    """Whether a single character is one of those that tokens consist of."""
    return len(sign) == 1 and sign.isascii() and (sign.isalpha() or sign in "234567")
