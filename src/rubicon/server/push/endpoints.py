"""Which addresses a push message or a webhook may be sent to: people name them, so they are not
trusted.

Only public addresses: otherwise anybody could make the server send requests into its own network.
The name is resolved once, every address is checked, and the connection goes to a checked one, so
that a name cannot resolve to another address afterwards.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from rubicon.table.errors import TableError

HTTPS_PORT = 443
MAX_ENDPOINT = 1000  # characters
RESOLVE_TIMEOUT = 5.0  # seconds
Resolver = Callable[[str], Awaitable[str]]


class ForbiddenEndpointError(Exception):
    """An endpoint whose host is not public."""


def check_endpoint(endpoint: str) -> str:
    """The host of an endpoint; TableError `push/endpoint` unless it is https and may be public."""
    host, fault = host_or_fault(endpoint)
    if fault:
        message = f"This endpoint cannot be used: {fault}."
        hint = "Send the endpoint of the browser's subscription."
        raise TableError("push/endpoint", message, hint)
    return host


def host_or_fault(endpoint: str) -> tuple[str, str]:
    """The host of a URL, and why no request may go to it ("" where one may)."""
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port or HTTPS_PORT
    except ValueError:
        return "", "it is not a URL"
    if len(endpoint) > MAX_ENDPOINT or not (endpoint.isascii() and endpoint.isprintable()):
        return host, f"it is not a URL of at most {MAX_ENDPOINT} characters"
    if parts.scheme != "https" or port != HTTPS_PORT or parts.username is not None:
        return host, "it must begin with https:// and have no port and no password"
    if not _may_be_public(host):
        return host, "its host is not a public one"
    return host, ""


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    # An IPv6 address can carry an IPv4 address, to which a gateway would pass the request on.
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour
        if inner is not None or parsed.teredo is not None or parsed in _NAT64:
            return inner is not None and inner == parsed.ipv4_mapped and _is_global(inner)
    return _is_global(parsed)


async def public_address(host: str) -> str:
    """An address of a host; ForbiddenEndpointError if any of them is not public.

    OSError if the name cannot be resolved.
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(RESOLVE_TIMEOUT):
        found = await loop.getaddrinfo(host, HTTPS_PORT, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses or not all(map(is_public, addresses)):
        raise ForbiddenEndpointError(host)
    return addresses[0]


_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def _is_global(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _may_be_public(host: str) -> bool:
    """Whether a host is a public address, or a name that is not obviously a local one."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        last = host.rstrip(".").rpartition(".")[2]
        local = last.lower() in ("localhost", "local", "internal", "lan", "home", "arpa")
        return "." in host and not local and not last.isdigit()
    return is_public(host)
