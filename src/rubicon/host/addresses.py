"""E-mail addresses: one exact form for each, in which nothing can be smuggled into a letter."""

from __future__ import annotations

import re
from email.headerregistry import Address
from email.utils import parseaddr

from rubicon.rules.errors import RubiconError

LONGEST = 254
_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ADDRESS = re.compile(rf"(?=.{{1,64}}@){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")


def proper_address(text: str) -> str:
    """An address in small letters; RubiconError `email/address` where it is none.

    No server of today tells addresses apart by the case of their letters.
    """
    proper = text.strip().lower()
    if len(proper) <= LONGEST and _ADDRESS.fullmatch(proper):
        return proper
    message = f"{text[:60]!a} is no e-mail address."
    hint = "Write it as ann@example.org, with plain letters; a domain with others as xn--…"
    raise RubiconError("email/address", message, hint)


def sender_address(text: str) -> Address:
    """Whom letters come from, `Name <address>` or the address alone; RubiconError otherwise."""
    name, address = parseaddr(text)
    if not name.isprintable() or len(name) > 60:
        name, address = "", ""
    try:
        return Address(name, addr_spec=proper_address(address))
    except RubiconError as error:
        message = f"The setting mail_from cannot be {text[:80]!a}."
        raise RubiconError(
            "serve/settings", message, "Write: Rubicon <rubicon@risk.example.org>"
        ) from error
