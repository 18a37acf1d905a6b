"""What an account is notified of, and where: preferences, devices with push, webhooks."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, TypedDict

from litestar import Controller, delete, get, patch, post
from litestar.params import JSONBody, QueryParameter
from msgspec import UNSET, Meta, UnsetType, structs
from sqlalchemy import Connection, select

from rubicon.server.accounts import change_preferences
from rubicon.server.notifications import NewsWay, NotificationPreferences, timezones
from rubicon.server.push import KnownDevice, PushDevice, devices_of, subscribe, unsubscribe
from rubicon.server.server import Server
from rubicon.server.webhooks import (
    KnownWebhook,
    NewWebhook,
    WebhookForm,
    add_webhook,
    remove_webhook,
    webhooks_of,
)
from rubicon.table.chat import account_settings
from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.web.api.bodies import MAX_NUMBER, Body, ShortText
from rubicon.web.http.auth import CurrentAccount, CurrentServer, require_account

# Preferences.

TimeOfDay = Annotated[str, Meta(max_length=5)]


class UpdateNotifications(Body):
    """Preferences to change; those that are left out stay as they are.

    `awards`, `dice_of_others`: at-once, digest or never. `timezone`: an IANA name, such as
    Europe/Paris. `quiet_from`, `quiet_until`: local times such as 22:30, both empty for none.
    `digest_hour`: the local hour of the daily digest.
    """

    emails: bool | UnsetType = UNSET
    text_only: bool | UnsetType = UNSET
    picture: bool | UnsetType = UNSET
    awards: NewsWay | UnsetType = UNSET
    dice_of_others: NewsWay | UnsetType = UNSET
    timezone: Annotated[str, Meta(max_length=64)] | UnsetType = UNSET
    quiet_from: TimeOfDay | UnsetType = UNSET
    quiet_until: TimeOfDay | UnsetType = UNSET
    digest_hour: Annotated[int, Meta(ge=0, le=23)] | UnsetType = UNSET


class NotificationsView(TypedDict):
    """The preferences, and since when the address refuses e-mails (ms since 1970, null: never)."""

    emails: bool
    text_only: bool
    picture: bool
    awards: NewsWay
    dice_of_others: NewsWay
    timezone: str
    quiet_from: str
    quiet_until: str
    digest_hour: int
    unreachable: int | None


class NotificationsController(Controller):
    """What an account is notified of by e-mail, push message and webhook."""

    path = "/api/v1/me/notifications"
    tags = ("accounts",)

    @get("/", summary="Get what I am notified of, and when")
    async def notifications(self, me: CurrentAccount, server: CurrentServer) -> NotificationsView:
        """A guest has preferences too; they count as soon as the account has an address."""
        read = partial(_view, account=require_account(me).id)
        return await asyncio.to_thread(server.store.read, read)

    @patch("/", summary="Change what I am notified of, and when")
    async def update(
        self,
        me: CurrentAccount,
        data: JSONBody[UpdateNotifications],
        server: CurrentServer,
    ) -> NotificationsView:
        """Whatever is chosen here: of what you are asked, and of attacks on you, the notification
        comes at once. Quiet hours put it off, unless your time would be over before they end."""
        account = require_account(me).id
        given = {name: v for name, v in structs.asdict(data).items() if v is not UNSET}

        def job(connection: Connection) -> NotificationsView:
            change_preferences(connection, account, given)
            return _view(connection, account)

        return await asyncio.wrap_future(server.store.write(job))

    @get("/timezones", summary="List the time zones that can be chosen")
    async def timezones(self) -> list[str]:
        """Their IANA names."""
        return sorted(timezones())


def _view(connection: Connection, account: str) -> NotificationsView:
    columns = schema.account.c
    wanted = select(columns.unreachable).where(columns.id == account)
    preferences = NotificationPreferences.read(account_settings(connection, account))
    return {
        "emails": preferences.emails,
        "text_only": preferences.text_only,
        "picture": preferences.picture,
        "awards": preferences.awards,
        "dice_of_others": preferences.dice_of_others,
        "timezone": preferences.timezone,
        "quiet_from": preferences.quiet_from,
        "quiet_until": preferences.quiet_until,
        "digest_hour": preferences.digest_hour,
        "unreachable": connection.execute(wanted).scalar_one(),
    }


# Push messages: the devices of an account that get them.

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
        _check_push_offered(server)
        device = PushDevice(
            endpoint=data.endpoint,
            p256dh=data.keys.p256dh,
            auth=data.keys.auth,
            label=data.label,
        )
        stored = server.store.write(partial(subscribe, account=account.id, device=device))
        return {"device": await asyncio.wrap_future(stored)}

    @delete("/", summary="Stop sending push messages", status_code=200)
    async def unsubscribe(
        self, me: CurrentAccount, server: CurrentServer, device: DeviceNumber = None
    ) -> dict[str, bool]:
        """To the device with this number, or to all of mine."""
        account = require_account(me)
        done = server.store.write(partial(unsubscribe, account=account.id, device=device))
        await asyncio.wrap_future(done)
        return {"removed": True}


def _check_push_offered(server: Server) -> None:
    if server.push_key is None:
        message = "This server sends no push messages."
        raise TableError("push/off", message, "Its operator can set RUBICON_WEB_PUSH=true.")


# Webhooks: URLs to which an account's notifications are sent.

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
        _check_webhooks_offered(server)
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


def _check_webhooks_offered(server: Server) -> None:
    if not server.settings.webhooks:
        message = "This server sends nothing to webhooks."
        raise TableError("webhook/off", message, "Its operator can set RUBICON_WEBHOOKS=true.")
