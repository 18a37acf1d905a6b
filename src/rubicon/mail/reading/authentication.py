"""What the local mail server found out about the sender: Authentication-Results (RFC 8601).

Everybody can write such a header. It counts only if it names a trusted server and stands above
what other servers wrote, that is, above the second Received header: the local server adds its own
on top. For each method the topmost statement counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

MOST_RESULTS = 40
_RESULT = re.compile(r"([a-z0-9-]{1,20})\s*(?:/\s*\d+\s*)?=\s*([a-z]{1,20})\b", re.IGNORECASE)
_PROPERTY = re.compile(
    r"(smtp|header|body|policy)\s*\.\s*([a-z0-9-]{1,30})\s*=\s*(?:\"([^\"]{0,300})\"|([^\s;\"]{1,300}))",
    re.IGNORECASE,
)


class AuthenticationResult(NamedTuple):
    """One method (spf, dkim, dmarc), its result in lower case, and its properties."""

    method: str
    result: str
    properties: tuple[tuple[str, str], ...] = ()

    def value(self, name: str) -> str:
        """The value of a property like `header.d`, in lower case; "" where it is missing."""
        return next((value for key, value in self.properties if key == name), "")


@dataclass(frozen=True, slots=True)
class AuthenticationReport:
    """The results of the trusted server; empty where it wrote none."""

    results: tuple[AuthenticationResult, ...] = ()

    def passed(self, method: str) -> tuple[AuthenticationResult, ...]:
        """The results of a method that are `pass`."""
        return tuple(r for r in self.results if r.method == method and r.result == "pass")

    def failed(self, method: str) -> bool:
        """Whether the method is reported, and no result of it is `pass`."""
        found = [r for r in self.results if r.method == method]
        return bool(found) and not self.passed(method)


def read_authentication(
    headers: Iterable[tuple[str, str]], trusted: Iterable[str], own_received: int = 1
) -> AuthenticationReport:
    """The report of the trusted servers (their authserv-ids) from all headers in their order.

    `own_received` is the number of Received headers that the local servers add.
    """
    servers = {server.lower() for server in trusted}
    found: list[AuthenticationResult] = []
    received = 0
    for name, value in headers:
        lower = name.lower()
        if lower == "received":
            received += 1
            if received > own_received:
                break
        elif lower == "authentication-results" and servers:
            known = {result.method for result in found}
            found += [r for r in _results(value, servers) if r.method not in known]
    return AuthenticationReport(tuple(found[:MOST_RESULTS]))


def _results(value: str, servers: set[str]) -> Iterator[AuthenticationResult]:
    server, *statements = _without_comments(" ".join(value.split())).split(";")
    words = server.split()
    if not words or words[0].lower().strip('"') not in servers:
        return
    for statement in statements[:MOST_RESULTS]:
        found = _RESULT.match(statement.strip())
        if found:
            properties = tuple(
                (f"{kind}.{name}".lower(), (quoted or plain).lower())
                for kind, name, quoted, plain in _PROPERTY.findall(statement)
            )
            yield AuthenticationResult(found[1].lower(), found[2].lower(), properties)


def _without_comments(text: str) -> str:
    """The text without its comments in parentheses, which may contain each other.

    Inside a quoted string a parenthesis is no comment. An open comment reaches to the end.
    """
    kept: list[str] = []
    depth = 0
    quoted = escaped = False
    for sign in text:
        if escaped:
            escaped = False
        elif sign == "\\":
            escaped = True
            continue
        elif sign == '"' and not depth:
            quoted = not quoted
        elif sign == "(" and not quoted:
            depth += 1
            continue
        elif sign == ")" and depth and not quoted:
            depth -= 1
            continue
        if not depth:
            # A semicolon in a quoted string ends no statement.
            kept.append(" " if quoted and sign == ";" else sign)
    return "".join(kept)
