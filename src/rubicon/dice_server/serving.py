"""The HTTP application of a dice server, and how it is served."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import math
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, TypeVar

import uvicorn
from litestar import Litestar, Request, Response, get, post
from litestar.config.cors import CORSConfig
from litestar.exceptions import HTTPException

from rubicon.dice.crypto import FORMAT, LARGEST, REQUIRED_LENGTH, SIGNATURE_SIZE, parse, public_key
from rubicon.dice.dice_server import LinkQuestion
from rubicon.dice.errors import BadEntry, DiceError
from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.request import GivenLink
from rubicon.dice_server.games import DiceServerSettings, DiceStore, OpenedGames, private_key_of
from rubicon.errors import RubiconError, SignInRequired, TooMany, Unavailable
from rubicon.web.http.connections import (
    RateLimiter,
    bounded_connections,
    client_address,
    listen,
    url_of,
)

# The requests, and the errors as responses.

MAX_BODY = 262_144  # bytes: a question with the keys of MOST_KEYS chains
MINUTE = 60  # seconds
BURST = 1 / 6  # share of a minute's requests that may come at once
SEE = "The interface is described in docs/hosting.md."
AnyRequest = Request[Any, Any, Any]
log = logging.getLogger(__name__)
Result = TypeVar("Result")


class DiceServerApplication:
    """The endpoints, and what one address may ask of them."""

    def __init__(self, games: OpenedGames, settings: DiceServerSettings) -> None:
        self._games = games
        self._settings = settings
        per_minute = settings.requests_per_minute
        self._limit = RateLimiter(
            "requests_per_minute", per_minute, MINUTE, burst=per_minute * BURST
        )

    def asgi(self) -> Litestar:
        """The application, with a limit of requests for each address."""
        return Litestar(
            route_handlers=[*self._public(), *self._of_tables()],
            before_request=self._count,
            cors_config=CORSConfig(allow_origins=["*"]),  # anyone's page may check a log
            exception_handlers={
                RubiconError: handle_error,
                HTTPException: handle_http_exception,
                Exception: handle_internal_error,
            },
            request_max_body_size=MAX_BODY,
            openapi_config=None,
            logging_config=None,
        )

    def _public(self) -> list[Any]:
        games, timeout = self._games, self._settings.request_timeout

        @get("/healthz")
        async def health() -> dict[str, bool]:
            """That it runs."""
            return {"ok": True}

        @get("/v1/key")
        async def key() -> dict[str, str]:
            """The public key."""
            return {"format": FORMAT, "key": games.key.hex()}

        @get("/v1/games/{game:str}/log")
        async def public_log(game: str, after: int = -1) -> dict[str, Any]:
            """The public log after a request."""
            if not -1 <= after < REQUIRED_LENGTH:
                raise DiceError("dice/after", "There is no such request.", "Leave `after` out.")
            return (await bounded(timeout, games.log, game, after)).form()

        @post("/v1/games/{game:str}/hand-in", status_code=200)
        async def hand_in(game: str, request: AnyRequest) -> dict[str, Any]:
            """A client's link, with the table's receipt."""
            fields = Fields(await self._body(request), "body")
            name, n = fields.text("id"), fields.whole("n", 0, LARGEST)
            head, receipt = fields.hash("head"), fields.hash("receipt", SIGNATURE_SIZE)
            given = GivenLink(fields.hash("link"), fields.hash("sig", SIGNATURE_SIZE))
            fields.end()
            await bounded(timeout, games.hand_in, game, name, n, head, given, receipt)
            return {"game": game, "n": n}

        return [health, key, public_log, hand_in]

    def _of_tables(self) -> list[Any]:
        games, timeout = self._games, self._settings.request_timeout

        @post("/v1/games/{game:str}", status_code=200)
        async def open_game(game: str, request: AnyRequest) -> dict[str, Any]:
            """The deposit of a game."""
            return (await bounded(timeout, games.open, game, self._owner(request))).form()

        @post("/v1/games/{game:str}/link", status_code=200)
        async def link(game: str, request: AnyRequest) -> dict[str, Any]:
            """The link for a request."""
            owner = self._owner(request)
            question = LinkQuestion.read_alone(await self._body(request), "body", game=game)
            return (await bounded(timeout, games.link, question, owner)).form()

        return [open_game, link]

    async def _count(self, request: AnyRequest) -> Response[dict[str, Any]] | None:
        wait = self._limit.take(client_address(request.scope))
        if not wait:
            return None
        seconds = math.ceil(wait)
        error = TooMany("dice/rate-limited", "Too many requests.", f"Wait {seconds} s.")
        return Response(
            error.as_dict(), status_code=error.status, headers={"Retry-After": str(seconds)}
        )

    async def _body(self, request: AnyRequest) -> Any:
        content = await request.body()  # the connection bounds its time
        try:
            return parse(content.decode())
        except ValueError as error:
            raise BadEntry("not-json", "The request is not JSON.") from error

    def _owner(self, request: AnyRequest) -> str:
        """The name of the table whose token this is; the address where no tokens are needed."""
        if not self._settings.tokens:
            return client_address(request.scope)
        sent = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
        for name, token in self._settings.tokens.items():
            if hmac.compare_digest(sent, token.encode()):
                return name
        message = "This dice server needs the token of a table that it knows."
        raise SignInRequired("dice/token", message, "Ask its operator: RUBICON_DICE_SERVER_TOKEN")


async def bounded(timeout: float, work: Callable[..., Result], *arguments: object) -> Result:
    """Work in a thread, waited for so many seconds; what it has begun is finished all the same."""
    try:
        async with asyncio.timeout(timeout):
            return await asyncio.to_thread(work, *arguments)
    except TimeoutError as error:
        message = "The dice server is too busy."
        raise Unavailable("dice/timeout", message, "Ask again: nothing is done twice.") from error


def handle_error(_: AnyRequest, error: RubiconError) -> Response[dict[str, Any]]:
    """The response to a refusal."""
    if error.status >= HTTPStatus.CONFLICT:
        log.warning("request refused", extra={"code": error.code})
    return Response(error.as_dict(), status_code=error.status)


def handle_http_exception(_: AnyRequest, error: HTTPException) -> Response[dict[str, Any]]:
    """The response to a request that matches no route, or is too large."""
    body: Mapping[str, Any] = {
        "code": f"http/{error.status_code}",
        "message": str(error.detail)[:200],
        "suggestion": SEE,
    }
    return Response(dict(body), status_code=error.status_code)


def handle_internal_error(_: AnyRequest, error: Exception) -> Response[dict[str, Any]]:
    """The response to a defect: it is logged, and its details are not sent."""
    log.error("request failed", exc_info=error)
    body = {"code": "http/500", "message": "The dice server made an error.", "suggestion": ""}
    return Response(body, status_code=500)


# Runs a dice server on a socket until a signal stops it.

MAX_CONNECTIONS = 800  # in all; most systems allow 1,024 open files
SHUTDOWN_SECONDS = 5


class DiceHttpServer(uvicorn.Server):
    """Uvicorn, which leaves signals to `serve` and ends with status 0."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield


def serve(settings: DiceServerSettings, ready: Callable[[str, bytes], None]) -> None:
    """Serve until SIGTERM or control-C; `ready` is called with the URL and the public key."""
    with contextlib.closing(listen(settings.address, settings.port)) as listening:
        private_key = private_key_of(settings.key_file)
        store = DiceStore(settings.store, public_key(private_key))
        games = OpenedGames(store, private_key, settings)
        try:
            ready(url_of(listening), games.key)
            asyncio.run(_serve(_server(games, settings), listening))
        finally:
            store.close()
        log.info("clean shutdown")


def _server(games: OpenedGames, settings: DiceServerSettings) -> DiceHttpServer:
    connections = bounded_connections(
        timeout=settings.request_timeout,
        per_address=settings.connections_per_address,
        max_connections=MAX_CONNECTIONS,
        proxy=settings.trusted_proxy,
    )
    config = uvicorn.Config(
        DiceServerApplication(games, settings).asgi(),
        http=connections,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        proxy_headers=bool(settings.trusted_proxy),
        forwarded_allow_ips=settings.trusted_proxy or None,
    )
    return DiceHttpServer(config)


async def _serve(server: DiceHttpServer, listening: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.handle_exit, number, None)
    await server.serve(sockets=[listening])
