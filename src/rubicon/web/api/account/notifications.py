"""What an account is told, when, and in which form."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, TypedDict

from litestar import Controller, get, patch
from litestar.params import JSONBody
from msgspec import UNSET, Meta, UnsetType, structs
from sqlalchemy import Connection, select

from rubicon.server.accounts.accounts import change_preferences
from rubicon.server.accounts.notification_preferences import (
    NewsWay,
    NotificationPreferences,
    timezones,
)
from rubicon.table.service.chat import account_settings
from rubicon.table.storage import schema
from rubicon.web.api.requests import Body
from rubicon.web.http.auth import require_account
from rubicon.web.http.parameters import CurrentAccount, CurrentServer

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
    """What an account is told by e-mail, push message and webhook."""

    path = "/api/v1/me/notifications"
    tags = ("accounts",)

    @get("/", summary="Get what I am told, and when")
    async def notifications(self, me: CurrentAccount, server: CurrentServer) -> NotificationsView:
        """A guest has preferences too; they count as soon as the account has an address."""
        read = partial(_view, account=require_account(me).id)
        return await asyncio.to_thread(server.store.read, read)

    @patch("/", summary="Change what I am told, and when")
    async def update(
        self,
        me: CurrentAccount,
        data: JSONBody[UpdateNotifications],
        server: CurrentServer,
    ) -> NotificationsView:
        """Whatever is chosen here: of what you are asked, and of attacks on you, you are told at
        once. Quiet hours put it off, unless your time would be over before they end."""
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
