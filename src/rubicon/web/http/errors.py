"""Every error as a response of one shape: code, message, suggestion, and an HTTP status."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import Send
from sqlalchemy.exc import DataError

from rubicon.errors import RubiconError

# What logs and metrics may say of a request: its method, its route's template, and the game.

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
UNMATCHED = "unmatched"
_GAME = re.compile(r"[a-z0-9]{1,16}")


def route_of(scope: Mapping[str, Any]) -> str:
    """The route's template, such as `/games/{game}/legal`; never the path that a client sent."""
    return str(scope.get("path_template") or UNMATCHED)


def method_of(scope: Mapping[str, Any]) -> str:
    """The method; OTHER if it is not a standard one, so that clients cannot invent labels."""
    method = str(scope.get("method", ""))
    return method if method in METHODS else "OTHER"


def log_context(scope: Mapping[str, Any]) -> dict[str, str]:
    """Method and route, and the game's id if it looks like one."""
    context = {"method": method_of(scope), "route": route_of(scope)}
    game = scope.get("path_params", {}).get("game")
    if isinstance(game, str) and _GAME.fullmatch(game):
        context["game"] = game
    return context


log = logging.getLogger(__name__)
AnyRequest = Request[Any, Any, Any]
ErrorResponse = Response[Mapping[str, object]]
RETRY_SOON = {"Retry-After": "1"}
SEE_API = "The API is described at /api/v1, and for programs at /api/v1/schema/openapi.json."


class WebError(RubiconError):
    """An error of the HTTP interface itself."""


class MethodNotAllowed(RubiconError):
    """The path does not support this method."""

    status = 405


def handle_error(_: AnyRequest, error: RubiconError) -> ErrorResponse:
    """The response to an error of the rules, the table or this interface."""
    headers = RETRY_SOON if error.retry else {}
    return Response(error.as_dict(), status_code=error.status, headers=headers)


def handle_http_exception(request: AnyRequest, error: HTTPException) -> ErrorResponse:
    """The response to a request that matches no route, or not its route's schema."""
    # Parts of the request come back in the message, so each of them is cut short.
    detail = str(error.detail)[:300]
    extra = getattr(error, "extra", None)
    if isinstance(extra, list) and extra:
        detail = " ".join(map(_field_error, extra[:5]))
    body = {
        "code": f"http/{error.status_code}",
        "message": f"{request.method} {request.url.path[:100]}: {detail}",
        "suggestion": SEE_API,
    }
    return Response(body, status_code=error.status_code, headers=dict(error.headers or {}))


def _field_error(part: dict[str, Any]) -> str:
    """What is wrong with one field of a body."""
    key, detail = str(part.get("key", "data"))[:60], str(part.get("message", ""))[:100]
    return f"{detail}." if key == "data" else f"{key}: {detail}."


def handle_data_error(_: AnyRequest, error: DataError) -> ErrorResponse:
    """The response to a value that the database cannot store: PostgreSQL refuses NUL characters."""
    body = {
        "code": "request/invalid-characters",
        "message": "The request contains characters that cannot be stored.",
        "suggestion": "Remove control characters.",
    }
    return Response(body, status_code=400)


def handle_unreadable(_: AnyRequest, error: Exception) -> ErrorResponse:
    """The response to JSON that is nested too deeply, and to bytes that are not UTF-8."""
    problem = "is nested too deeply" if isinstance(error, RecursionError) else "is not valid UTF-8"
    body = {
        "code": "request/unreadable",
        "message": f"The request {problem}.",
        "suggestion": SEE_API,
    }
    return Response(body, status_code=400)


def handle_internal_error(request: AnyRequest, error: Exception) -> ErrorResponse:
    """The response to a defect of the server: it is logged, and its details are not sent."""
    log.error("request failed", extra=log_context(request.scope), exc_info=error)
    body = {
        "code": "http/500",
        "message": "The server made an error. Nothing that was acknowledged is lost.",
        "suggestion": "Look at the game, then repeat your request if necessary.",
    }
    return Response(body, status_code=500)


HANDLERS: dict[int | type[Exception], Any] = {
    RubiconError: handle_error,
    HTTPException: handle_http_exception,
    DataError: handle_data_error,
    RecursionError: handle_unreadable,
    UnicodeDecodeError: handle_unreadable,
    Exception: handle_internal_error,
}


async def send_error(
    send: Send, error: RubiconError, headers: Mapping[str, str] | None = None
) -> None:
    """Send an error from ASGI code, which has no response objects."""
    all_headers = {"content-type": "application/json"} | dict(headers or {})
    encoded = [(name.encode(), value.encode()) for name, value in all_headers.items()]
    start: Any = {"type": "http.response.start", "status": error.status, "headers": encoded}
    await send(start)
    body = json.dumps(error.as_dict()).encode()
    await send({"type": "http.response.body", "body": body, "more_body": False})
