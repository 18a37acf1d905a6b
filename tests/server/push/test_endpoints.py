"""No push message goes into the server's own network."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from rubicon.server.posts import ForbiddenEndpointError, check_endpoint, is_public, public_address
from rubicon.table.errors import TableError


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:7f00:1::",
        "2001:0:7f00:1::",
        "not an address",
    ],
)
def test_addresses_of_own_networks_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://push.example.org:8443/x",
        "https://ann:secret@push.example.org/x",
        "https://localhost/x",
        "https://LOCALHOST./x",
        "https://printer.local/x",
        "https://db.internal/x",
        "https://router/x",
        "https://127.0.0.1/x",
        "https://127.1/x",
        "https://0x7f.1/x",
        "https://2130706433/x",
        "https://[::1]/x",
        "https://[::1/x",
        "https://push.example.org:port/x",
        "https:///x",
        "file:///etc/passwd",
        "https://push.example.org/" + "x" * 1000,
        "https://push.example.org/\nHost: other",
        "",
    ],
)
def test_endpoints_that_cannot_be_public_are_refused(endpoint: str) -> None:
    with pytest.raises(TableError) as caught:
        check_endpoint(endpoint)
    assert caught.value.code == "push/endpoint"


def test_a_public_endpoint_is_taken() -> None:
    assert check_endpoint("https://push.example.org/send/abc?d=1") == "push.example.org"
    assert check_endpoint("https://push.example.org:443/send") == "push.example.org"


def resolve(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> str:
    """The address of a host whose name resolves to these."""

    async def main() -> str:
        async def found(*_: Any, **__: Any) -> list[Any]:
            return [(None, None, 0, "", (address, 443)) for address in addresses]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", found, raising=False)
        return await public_address("push.example.org")

    return asyncio.run(main())


def test_a_name_must_resolve_to_public_addresses_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolve(monkeypatch, "8.8.8.8", "8.8.4.4") == "8.8.8.8"
    for addresses in (["8.8.8.8", "127.0.0.1"], ["10.0.0.1"], []):
        with pytest.raises(ForbiddenEndpointError):
            resolve(monkeypatch, *addresses)


@pytest.mark.parametrize("host", ["a..example.org", "a" * 64 + ".example.org"])
def test_a_host_that_can_be_no_name_is_refused_before_it_is_resolved(host: str) -> None:
    with pytest.raises(TableError):
        check_endpoint(f"https://{host}/x")
    with pytest.raises(ForbiddenEndpointError):
        asyncio.run(public_address(host))
