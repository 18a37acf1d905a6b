"""Push messages: the devices of an account that get them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

from litestar import Controller, delete, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from rubicon.server.push.subscriptions import (
    KnownDevice,
    PushDevice,
    devices_of,
    subscribe,
    unsubscribe,
)
from rubicon.server.server import Server
from rubicon.table.errors import TableError
from rubicon.web.api.requests import MAX_NUMBER, Body, ShortText
from rubicon.web.http.auth import require_account
from rubicon.web.http.parameters import CurrentAccount, CurrentServer

DeviceNumber = Annotated[int | None, QueryParameter(ge=0, le=MAX_NUMBER)]


class PushKeys(Body):
    """The keys of a device, as its browser gives them (base64url)."""

    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=30)]


class SubscribePush(Body):
    """A subscription: `PushSubscription.toJSON()` without its time, and a name for the device."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    keys: PushKeys
    label: ShortText = ""


class PushController(Controller):
    """The devices to which this server sends push messages."""

    path = "/api/v1/me/push"
    tags = ("accounts",)

    @get("/", summary="List my devices with push messages")
    async def devices(self, me: CurrentAccount, server: CurrentServer) -> list[KnownDevice]:
        """Their numbers and labels, the oldest first."""
        read = partial(devices_of, account=require_account(me).id)
        return await asyncio.to_thread(server.store.read, read)

    @post("/", summary="Send push messages to this device")
    async def subscribe(
        self, me: CurrentAccount, data: JSONBody[SubscribePush], server: CurrentServer
    ) -> dict[str, int]:
        """For the same events as e-mails. Returns the device's number. Repeating it has no further
        effect; an eleventh device replaces the oldest."""
        account = require_account(me)
        _check_offered(server)
        device = PushDevice(
            endpoint=data.endpoint,
            p256dh=data.keys.p256dh,
            auth=data.keys.auth,
            label=data.label,
        )
        stored = server.store.write(partial(subscribe, account=account.id, device=device))
        return {"device": await asyncio.wrap_future(stored)}

    @delete("/", summary="Send no more push messages", status_code=200)
    async def unsubscribe(
        self, me: CurrentAccount, server: CurrentServer, device: DeviceNumber = None
    ) -> dict[str, bool]:
        """To the device with this number, or to all of mine."""
        account = require_account(me)
        done = server.store.write(partial(unsubscribe, account=account.id, device=device))
        await asyncio.wrap_future(done)
        return {"removed": True}


def _check_offered(server: Server) -> None:
    if server.push_key is None:
        message = "This server sends no push messages."
        raise TableError("push/off", message, "Its operator can set RUBICON_WEB_PUSH=true.")
