"""Webhooks: URLs to which an account's notifications are sent."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, TypedDict

from litestar import Controller, delete, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from rubicon.server.server import Server
from rubicon.server.webhooks.registry import (
    KnownWebhook,
    NewWebhook,
    WebhookForm,
    add_webhook,
    remove_webhook,
    webhooks_of,
)
from rubicon.table.errors import TableError
from rubicon.web.api.requests import MAX_NUMBER, Body, ShortText
from rubicon.web.http.auth import require_account
from rubicon.web.http.parameters import CurrentAccount, CurrentServer

WebhookNumber = Annotated[int, QueryParameter(ge=0, le=MAX_NUMBER)]


class AddWebhook(Body):
    """A URL (https, a public host), what it is sent (`json` or `discord`), and a name for it."""

    url: Annotated[str, Meta(max_length=1000)]
    form: WebhookForm = WebhookForm.JSON
    label: ShortText = ""


class AddedWebhook(TypedDict):
    """The number of a new webhook, and the secret of its signatures, shown only this once."""

    id: int
    secret: str


class WebhooksController(Controller):
    """The webhooks of the signed-in account."""

    path = "/api/v1/me/webhooks"
    tags = ("accounts",)

    @get("/", summary="List my webhooks")
    async def webhooks(self, me: CurrentAccount, server: CurrentServer) -> list[KnownWebhook]:
        """Their numbers, hosts and labels, the oldest first. The rest of the URL may be a secret,
        and is not shown."""
        read = partial(webhooks_of, account=require_account(me).id)
        return await asyncio.to_thread(server.store.read, read)

    @post("/", summary="Send my notifications to a URL")
    async def add(
        self, me: CurrentAccount, data: JSONBody[AddWebhook], server: CurrentServer
    ) -> AddedWebhook:
        """For the same events as e-mails, signed as the Standard Webhooks specification says:
        docs/notifications.md. At most five."""
        account = require_account(me)
        _check_offered(server)
        wanted = NewWebhook(url=data.url, form=data.form, label=data.label)
        stored = server.store.write(partial(add_webhook, account=account.id, wanted=wanted))
        number, secret = await asyncio.wrap_future(stored)
        return {"id": number, "secret": secret}

    @delete("/", summary="Send nothing more to a URL", status_code=200)
    async def remove(
        self, me: CurrentAccount, webhook: WebhookNumber, server: CurrentServer
    ) -> dict[str, bool]:
        """`webhook/unknown` if there is no such webhook of mine."""
        account = require_account(me)
        job = partial(remove_webhook, account=account.id, webhook=webhook)
        await asyncio.wrap_future(server.store.write(job))
        return {"removed": True}


def _check_offered(server: Server) -> None:
    if not server.settings.webhooks:
        message = "This server sends nothing to webhooks."
        raise TableError("webhook/off", message, "Its operator can set RUBICON_WEBHOOKS=true.")
