"""E-mail addresses in one exact form, which cannot inject headers or a second recipient."""

from __future__ import annotations

import re
from email.headerregistry import Address
from email.utils import parseaddr

from rubicon.errors import RubiconError

MAX_LENGTH = 254  # RFC 5321
_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ADDRESS = re.compile(rf"(?=.{{1,64}}@){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")


def proper_address(text: str) -> str:
    """The address in lower case; RubiconError `email/address` if it is not a valid one.

    The standard allows case-sensitive local parts, but no mail server in use tells them apart.
    """
    proper = text.strip().lower()
    if len(proper) <= MAX_LENGTH and _ADDRESS.fullmatch(proper):
        return proper
    message = f"{text[:60]!a} is not a valid e-mail address."
    hint = "Write it as ann@example.org. A domain with other letters is written xn--…"
    raise RubiconError("email/address", message, hint)


def sender_address(text: str) -> Address:
    """The From address, `Name <address>` or the address alone; RubiconError otherwise."""
    name, address = parseaddr(text)
    if not name.isprintable() or len(name) > 60:
        name, address = "", ""
    try:
        return Address(name, addr_spec=proper_address(address))
    except RubiconError as error:
        message = f"The setting mail_from is not an e-mail address: {text[:80]!a}."
        raise RubiconError(
            "serve/settings", message, "Write: Rubicon <rubicon@risk.example.org>"
        ) from error
