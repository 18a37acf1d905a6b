"""Passkeys are offered where browsers allow them, at the address that the operator has set."""

from __future__ import annotations

import pytest

from rubicon.server.passkeys import passkey_origin

HERE = "http://127.0.0.1:8042"


@pytest.mark.parametrize(
    ("public_url", "origin", "site"),
    [
        ("https://risk.example.org", "https://risk.example.org", "risk.example.org"),
        ("https://Risk.Example.org:443/", "https://risk.example.org", "risk.example.org"),
        ("https://risk.example.org:8443", "https://risk.example.org:8443", "risk.example.org"),
        ("http://localhost:9000/", "http://localhost:9000", "localhost"),
        ("http://risk.localhost", "http://risk.localhost", "risk.localhost"),
        ("", "http://localhost:8042", "localhost"),
    ],
)
def test_the_origin_comes_from_the_settings(public_url: str, origin: str, site: str) -> None:
    found = passkey_origin(public_url, HERE)
    assert found is not None
    assert (found.origin, found.site) == (origin, site)


@pytest.mark.parametrize(
    "public_url",
    [
        "http://risk.example.org",
        "http://localhost.example.org",
        "https://192.0.2.7",
        "https://[2001:db8::1]",
        "http://127.0.0.1:8042",
        "https://",
        "https://risk.example.org:port",
    ],
)
def test_there_are_none_where_browsers_would_refuse_them(public_url: str) -> None:
    assert passkey_origin(public_url, HERE) is None
