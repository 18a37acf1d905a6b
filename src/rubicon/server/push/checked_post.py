"""One POST request to a checked address: for push messages and webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

import httpx

from rubicon.server.push.endpoints import Resolver

TIMEOUT = 10.0  # seconds for each step of one request


def checked_client(transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    """A client without redirects and without the proxies of the environment.

    Otherwise the checked address would not be the one that is connected to.
    """
    return httpx.AsyncClient(
        transport=transport, timeout=TIMEOUT, trust_env=False, follow_redirects=False
    )


async def checked_post(
    http: httpx.AsyncClient,
    resolve: Resolver,
    url: str,
    content: bytes,
    headers: Mapping[str, str],
) -> httpx.Response:
    """The head of the answer; ForbiddenEndpointError, OSError or httpx.HTTPError."""
    host = urlsplit(url).hostname or ""
    address = await resolve(host)
    request = http.build_request(
        "POST",
        httpx.URL(url).copy_with(host=address),
        content=content,
        headers={"Host": host, **headers},
        extensions={"sni_hostname": host},
    )
    # As a stream that is not read: the other side could answer without an end.
    response = await http.send(request, stream=True)
    await response.aclose()
    return response
