"""HTTP calls with retries, which never do anything twice."""

from __future__ import annotations

import socket
import time
from collections.abc import Generator, Mapping
from contextlib import suppress
from typing import Any

import httpx

from rubicon.client import answers

TIMEOUT = 60.0  # seconds for one response; a stream sends something every 20
MAX_ATTEMPTS = 5
# These name a decision or a request by its id, so the server recognises what comes twice.
REPEATABLE = ("/submit", "/dice/deposit", "/dice/link", "/dice/sealed", "/dice/opened")
MAX_RETRY_AFTER = 10.0  # seconds; if the server asks for a longer wait, the caller decides


class ApiSession:
    """A connection to one server; `transport` replaces the network, for proxies and tests.

    `attempts` is how often a request is sent while the server does not answer, or is busy.
    """

    def __init__(self, url: str, transport: httpx.BaseTransport | None = None) -> None:
        base_url = f"{url.rstrip('/')}/api/v1"
        self.http = httpx.Client(base_url=base_url, timeout=TIMEOUT, transport=transport)
        self._transport, self._url = transport, url
        self._streaming: httpx.Response | None = None
        self.attempts = MAX_ATTEMPTS
        self.calls = 0  # requests so far

    @property
    def token(self) -> str:
        """The bearer token, "" for none."""
        return str(self.http.headers.get("authorization", "")).removeprefix("Bearer ")

    @token.setter
    def token(self, token: str) -> None:
        self.http.headers["authorization"] = f"Bearer {token}"

    @property
    def timeout(self) -> float:
        """Seconds without a byte after which a server counts as one that does not answer."""
        return float(self.http.timeout.read or TIMEOUT)

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self.http.timeout = httpx.Timeout(seconds)

    def again(self) -> ApiSession:
        """Another connection of the same account."""
        session = ApiSession(self._url, self._transport)
        if self.token:
            session.token = self.token
        return session

    def close(self) -> None:
        """Close the connection."""
        self.http.close()

    def get(self, path: str, **parameters: Any) -> Any:
        """The JSON of a GET request."""
        return answers.read_json(self.call("GET", path, params=parameters).content)

    def post(self, path: str, **body: Any) -> Any:
        """The JSON of a POST request."""
        return answers.read_json(self.call("POST", path, json=body).content)

    def post_order(self, path: str, **body: Any) -> Any:
        """The same, asking for what the seat sees next as well."""
        answer = self.call("POST", path, json=body, params={"next": "true"})
        return answers.read_json(answer.content)

    def patch(self, path: str, **body: Any) -> Any:
        """The JSON of a PATCH request."""
        return answers.read_json(self.call("PATCH", path, json=body).content)

    def call(self, method: str, path: str, *, once: bool = False, **more: Any) -> httpx.Response:
        """A successful response; repeats a request that had no effect while the server is away.

        ApiError otherwise; its code is `database/outcome-unknown` or `http/outcome-unknown` if the
        request may or may not have had its effect. `once`: whatever happens, it is not repeated.
        """
        self.calls += 1
        repeatable = method == "GET" or path.endswith(REPEATABLE)
        repeatable = repeatable and not once
        attempt = self.attempts - 1 if once else 0
        while True:
            try:
                with self.http.stream(method, path, **more) as opened:
                    response = answers.whole(opened)
                if response.is_success:
                    return response
                last = attempt == self.attempts - 1
                delay = _retry_delay(response, last=last, repeatable=repeatable)
            except httpx.TransportError as error:
                sent = not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
                if sent and not repeatable:
                    raise _outcome_unknown(method, path) from error
                delay = self._reconnect_delay(attempt)
            time.sleep(delay)
            attempt += 1

    def stream(
        self,
        path: str,
        parameters: Mapping[str, Any],
        *,
        opened: bool = False,
        pulses: bool = False,
    ) -> Generator[answers.Json, None, None]:
        """The events of a stream, until the server ends it or the connection breaks.

        With `opened` an event of the kind `opened` comes first: from then on nothing is missed.
        With `pulses` an event of the kind `pulse` comes every 20 seconds while there is no other.
        """
        for attempt in range(self.attempts):
            try:
                with self.http.stream("GET", path, params=parameters) as response:
                    if response.is_success:
                        self._streaming = response
                        if opened:
                            yield {"kind": "opened"}
                        yield from answers.read_events(
                            answers.lines_of(response.iter_bytes()), pulses=pulses
                        )
                        return
                    last = attempt == self.attempts - 1
                    delay = _retry_delay(answers.whole(response), last=last, repeatable=True)
            except httpx.ConnectError:
                delay = self._reconnect_delay(attempt)
            except (httpx.TransportError, httpx.DecodingError):
                return
            time.sleep(delay)

    def hang_up(self) -> None:
        """End the stream that another thread reads."""
        response, self._streaming = self._streaming, None
        if response is None:
            return
        network = response.extensions.get("network_stream")
        connection = network.get_extra_info("socket") if network is not None else None
        if connection is None:
            response.stream.close()  # type: ignore[union-attr]  # a transport without a socket
            return
        with suppress(OSError):  # closing it would not wake a thread that waits for data
            connection.shutdown(socket.SHUT_RDWR)

    def _reconnect_delay(self, attempt: int) -> float:
        """Seconds until the next attempt to connect: the server may be starting."""
        if attempt < self.attempts - 1:
            return attempt + 1.0
        message = f"No response from {self.http.base_url}."
        suggestion = "Check that `rubicon serve` is running, and the address that it prints."
        body = {"code": "http/no-response", "message": message, "suggestion": suggestion}
        raise answers.ApiError(0, body)


def _outcome_unknown(method: str, path: str) -> answers.ApiError:
    message = f"The connection broke during {method} {path}, which may or may not be done."
    suggestion = "Check the current state before you repeat it."
    body = {"code": "http/outcome-unknown", "message": message, "suggestion": suggestion}
    return answers.ApiError(0, body)


def _retry_delay(response: httpx.Response, *, last: bool, repeatable: bool) -> float:
    """Seconds until a refused request may be repeated; ApiError if it should not be."""
    error = answers.error_of(response)
    delay = answers.wait_wanted(response)
    temporary = response.status_code in (429, 503)
    safe = repeatable or error.code != "database/outcome-unknown"
    if temporary and safe and not last and delay <= MAX_RETRY_AFTER:
        return delay
    raise error
