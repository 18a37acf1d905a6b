"""Where passkeys work: the server's own public address, never one that a client names.

A browser ties a passkey to the name of a site (WebAuthn: *RP id*) and signs the page's origin.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

DEFAULT_PORTS = {"https": 443, "http": 80}
LOCALHOST = "localhost"


@dataclass(frozen=True, slots=True)
class PasskeyOrigin:
    """The `origin` of the server's pages (https://risk.example.org), and its name `site`."""

    origin: str
    site: str


def passkey_origin(public_url: str, listening_url: str) -> PasskeyOrigin | None:
    """The origin at which a server offers passkeys; None where browsers would refuse them.

    `public_url` is the setting. Without it, passkeys work at http://localhost with the port of
    `listening_url`: the Host header of a request is the client's choice, and is not asked.
    """
    if not public_url:
        return _localhost(urlsplit(listening_url))
    url = urlsplit(public_url)
    try:
        name, port = url.hostname or "", url.port
    except ValueError:  # a port that is no number
        return None
    secure = url.scheme == "https" or is_localhost(name)
    if not name or not secure or _is_address(name):
        return None
    return PasskeyOrigin(_origin(url.scheme, name, port), name)


def is_localhost(name: str) -> bool:
    """Whether browsers trust a name without https: it never leaves the machine."""
    return name == LOCALHOST or name.endswith(f".{LOCALHOST}")


def _localhost(listening: SplitResult) -> PasskeyOrigin:
    return PasskeyOrigin(_origin("http", LOCALHOST, listening.port), LOCALHOST)


def _origin(scheme: str, name: str, port: int | None) -> str:
    shown = "" if port in (None, DEFAULT_PORTS[scheme]) else f":{port}"
    return f"{scheme}://{name}{shown}"


def _is_address(name: str) -> bool:
    """Whether it is an IP address: browsers tie passkeys to names only."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
