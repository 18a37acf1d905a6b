"""Health and metrics endpoints, for the operator and their monitoring."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Controller, Request, get
from litestar.response import Response
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from rubicon.web.http.errors import WebError
from rubicon.web.http.parameters import CurrentAccount, CurrentServer

LOCAL = frozenset({"127.0.0.1", "::1"})


class OperationsController(Controller):
    """`/healthz` and `/metrics`."""

    path = "/"
    include_in_schema = False

    @get("/healthz")
    async def health(self, server: CurrentServer) -> Response[dict[str, Any]]:
        """200 if the database answers and stores orders, 503 otherwise."""
        told = await asyncio.to_thread(server.health)
        return Response(told, status_code=200 if told["ok"] else 503)

    @get("/metrics")
    async def metrics(
        self, request: Request[Any, Any, Any], me: CurrentAccount, server: CurrentServer
    ) -> Response[bytes]:
        """Metrics, for this machine or with the admin token."""
        client = request.client.host if request.client else ""
        # A proxy on this machine makes every client look local, but adds this header.
        forwarded = "x-forwarded-for" in request.headers
        if not (me is not None and me.admin) and (client not in LOCAL or forwarded):
            message = "Metrics need the admin token, or a connection from the server's machine."
            raise WebError("admin/required", message, "Send it: Authorization: Bearer …")
        text = await asyncio.to_thread(request.app.state.metrics.text)
        return Response(text, media_type=CONTENT_TYPE_LATEST)
