"""One shape for every error: the engine's code, a sentence, what would do, and an HTTP status."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import Send
from sqlalchemy.exc import DataError

from rubicon.dice.errors import DiceError
from rubicon.orders.problems import OrdersError
from rubicon.rules.errors import RubiconError
from rubicon.rules.refusals import Refused
from rubicon.table.errors import DiceAway, NoSuchGame, Stale, StoreAway, StoreUnsure
from rubicon.web.context import context_of

log = logging.getLogger(__name__)
SOON = {"Retry-After": "1"}
SEE = "What there is, and what it takes: /api/v1; for programs: /api/v1/schema/openapi.json."
STATUS = {
    "account/needed": 401,
    "admin/needed": 403,
    "seat/needed": 403,
    "seat/not-yours": 403,
    "request/foreign": 403,
    "table/not-host": 403,
    "lobby/not-host": 403,
    "lobby/invite": 403,
    "lobby/kicked": 403,
    "request/too-often": 429,
    "request/too-many-streams": 429,
    "link/too-often": 429,
    "request/too-large": 413,
    "text/too-long": 413,
}


class WebError(RubiconError):
    """Something that the door itself refuses."""


def shape(error: RubiconError) -> dict[str, Any]:
    """An error as programs get it."""
    told: dict[str, Any] = error.as_dict()
    if isinstance(error, Stale):
        told["duty"] = error.duty
    if isinstance(error, OrdersError):
        told["problems"] = [asdict(problem) for problem in error.problems]
        told["corrected"] = error.corrected
    return told


def refusal_bytes(
    status: int,
    code: str,
    message: str,
    suggestion: str,
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """A whole answer in the common shape, for a connection that is closed behind it."""
    told = {"code": code, "message": message, "suggestion": suggestion}
    body = json.dumps(told).encode()
    more = {"content-type": "application/json", "connection": "close"} | dict(headers or {})
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in more.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def status_of(error: RubiconError) -> int:
    """The HTTP status of an error."""
    match error:
        case NoSuchGame():
            return 404
        case Stale():
            return 409
        case StoreAway() | DiceAway():
            return 503
        case Refused():
            return 422
        case _ if error.code.endswith(("/unknown", "/unknown-preset", "/unknown-board")):
            return 404
        case _:
            return STATUS.get(error.code, 400)


def refused(_: Request[Any, Any, Any], error: RubiconError | DiceError) -> Response[dict[str, Any]]:
    """The answer to what was refused."""
    status = status_of(error)
    headers = SOON if status == 503 and not isinstance(error, StoreUnsure) else {}
    return Response(shape(error), status_code=status, headers=headers)


async def refuse(send: Send, error: RubiconError, headers: Mapping[str, str] | None = None) -> None:
    """The same answer where no handler is near."""
    told = {"content-type": "application/json"} | dict(headers or {})
    head = [(name.encode(), value.encode()) for name, value in told.items()]
    start: Any = {"type": "http.response.start", "status": status_of(error), "headers": head}
    await send(start)
    body = json.dumps(shape(error)).encode()
    await send({"type": "http.response.body", "body": body, "more_body": False})


def misunderstood(
    request: Request[Any, Any, Any], error: HTTPException
) -> Response[dict[str, Any]]:
    """The answer to a request that fits no route, or not its route's form."""
    said = str(error.detail)[:300]
    extra = getattr(error, "extra", None)
    if isinstance(extra, list) and extra:
        said = " ".join(map(_part, extra[:5]))
    told = {
        "code": f"http/{error.status_code}",
        "message": f"{request.method} {request.url.path[:100]}: {said}",
        "suggestion": SEE,
    }
    return Response(told, status_code=error.status_code, headers=dict(error.headers or {}))


def _part(part: dict[str, Any]) -> str:
    """What is wrong with a form, and in which of its fields."""
    key, said = str(part.get("key", "data"))[:60], str(part.get("message", ""))[:100]
    return f"{said}." if key == "data" else f"{key}: {said}."


def unstorable(_: Request[Any, Any, Any], error: DataError) -> Response[dict[str, Any]]:
    """The answer to what a database cannot hold: PostgreSQL knows no zero character."""
    told = {
        "code": "request/unstorable",
        "message": "Something in the request cannot be stored, or looked up.",
        "suggestion": "Leave control characters out.",
    }
    return Response(told, status_code=400)


def unreadable(_: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    """The answer to lists in lists in lists, and to bytes that are no text."""
    deep = isinstance(error, RecursionError)
    told = {
        "code": "request/unreadable",
        "message": f"What was sent {'is nested too deeply' if deep else 'is no UTF-8'}.",
        "suggestion": SEE,
    }
    return Response(told, status_code=400)


def unforeseen(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    """The answer to our own mistakes: they are logged, never shown."""
    log.error("a request failed", extra=context_of(request.scope), exc_info=error)
    told = {
        "code": "http/500",
        "message": "Something went wrong on our side; nothing that was acknowledged is lost.",
        "suggestion": "Look at the game again, then repeat what you asked.",
    }
    return Response(told, status_code=500)
