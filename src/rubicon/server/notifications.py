"""Notifications of games: what an account wants to be sent, and what waits for its recipient."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, time, timedelta, tzinfo
from difflib import get_close_matches
from enum import StrEnum
from functools import cache, partial
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    exists,
    func,
    not_,
    or_,
    select,
)

from rubicon.server.unreadable import Unreadable, read_message
from rubicon.table.errors import TableError
from rubicon.table.game.log_lines import ANSWERS
from rubicon.table.lobby.people import GAME_MASTER
from rubicon.table.notices import EMAIL_PENDING, EVENTS, Fact, Notice, read_notice
from rubicon.table.storage import schema
from rubicon.wording import LONGEST, nearest

# What an account wants to be notified of, when, and in which form. Stored as JSON in its settings.

_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
HOURS = range(24)
CITY_LIKENESS = 0.75  # from 0 to 1: names of cities are short


class NewsWay(StrEnum):
    """How news of one sort is sent."""

    AT_ONCE = "at-once"
    DIGEST = "digest"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationPreferences:
    """The preferences of an account; times of day are local, as HH:MM.

    Attacks on its own seats are always reported immediately: see `quiet_end` for the only delay.
    """

    emails: bool = True
    text_only: bool = False  # no HTML part
    picture: bool = True  # of the map
    awards: NewsWay = NewsWay.AT_ONCE  # of the other players
    dice_of_others: NewsWay = NewsWay.DIGEST
    timezone: str = "UTC"  # IANA name
    quiet_from: str = ""  # "" for no quiet hours
    quiet_until: str = ""
    digest_hour: int = 8

    @staticmethod
    def read(settings: Mapping[str, Any]) -> NotificationPreferences:
        """From the settings of an account; what is not known there has its default."""
        names = {field.name for field in fields(NotificationPreferences)}
        known = {name: value for name, value in settings.items() if name in names}
        for name in ("awards", "dice_of_others"):
            if name in known:
                known[name] = NewsWay(known[name])
        return NotificationPreferences(**known)

    def as_dict(self) -> dict[str, Any]:
        """All preferences, as they are stored and sent."""
        return asdict(self)

    def check(self) -> None:
        """TableError where a time zone, a time or an hour is none."""
        if self.timezone not in timezones():
            hint = _near_timezones(self.timezone) or "Write it as Europe/Paris."
            message = f"There is no time zone {self.timezone[:40]!r}."
            raise TableError("preferences/timezone", message, hint)
        if bool(self.quiet_from) != bool(self.quiet_until):
            message = "Quiet hours need a beginning and an end."
            raise TableError("preferences/quiet-hours", message, "Send both, or both empty.")
        for moment in filter(None, (self.quiet_from, self.quiet_until)):
            if not _TIME.fullmatch(moment):
                message = f"{moment[:20]!r} is not a time of day."
                raise TableError("preferences/quiet-hours", message, "Write it as 22:30.")
        if self.digest_hour not in HOURS:
            message = f"The hour of the digest cannot be {self.digest_hour}."
            raise TableError("preferences/digest-hour", message, "It is from 0 to 23.")

    def quiet_end(self, at: int) -> int | None:
        """When the quiet hours end that a moment lies in; None outside them (ms since 1970)."""
        if not self.quiet_from or self.quiet_from == self.quiet_until:
            return None
        begin, end = time.fromisoformat(self.quiet_from), time.fromisoformat(self.quiet_until)
        local = self._local(at)
        clock = local.time().replace(tzinfo=None)
        # Quiet hours may pass midnight.
        quiet = begin <= clock < end if begin < end else clock >= begin or clock < end
        return self._next(local, end) if quiet else None

    def next_digest(self, at: int) -> int:
        """When the next daily digest after a moment is due (ms since 1970)."""
        return self._next(self._local(at), time(self.digest_hour))

    def _local(self, at: int) -> datetime:
        return datetime.fromtimestamp(at / 1000, UTC).astimezone(_zone(self.timezone))

    def _next(self, local: datetime, wanted: time) -> int:
        """The next moment with this time of day; on a day that skips it, the moment after."""
        days = 0 if local.time().replace(tzinfo=None) < wanted else 1
        moment = datetime.combine(local.date() + timedelta(days=days), wanted, local.tzinfo)
        return int(moment.timestamp() * 1000)


@cache
def timezones() -> frozenset[str]:
    """The names of the time zones that this machine knows."""
    return frozenset(available_timezones()) | {"UTC"}


def timezone_named(words: str) -> str:
    """The time zone of a name in any letter case, with spaces for `_`; else the words again."""
    wanted = words.strip().replace(" ", "_").casefold()
    return next((name for name in timezones() if name.casefold() == wanted), words)


def _near_timezones(name: str) -> str:
    """`Did you mean 'Europe/Berlin'?`, by the whole name, or by that of the city alone."""
    cities: dict[str, str] = {}
    for zone in sorted(timezones()):
        cities[zone.rpartition("/")[2].casefold()] = zone
    asked = name.strip().replace(" ", "_").rpartition("/")[2].casefold()
    if asked in cities:
        return f"Did you mean {cities[asked]!r}?"
    if near := nearest(name, sorted(timezones())):
        return near
    close = get_close_matches(asked[:LONGEST], list(cities), 1, CITY_LIKENESS)
    return f"Did you mean {cities[close[0]]!r}?" if close else ""


def _zone(name: str) -> tzinfo:
    """A time zone; UTC where another machine that shares the database knew more of them."""
    return UTC if name == "UTC" or name not in timezones() else ZoneInfo(name)


# Notifications that wait to be sent by e-mail, and what their e-mails need.
#
# `rubicon.table.notices` says what `notification.sent` means. Times are milliseconds
# since 1970.

_HAS_DEVICE = exists().where(schema.push_subscription.c.account == schema.account.c.id)
_HAS_WEBHOOK = exists().where(schema.webhook.c.account == schema.account.c.id)
HAS_EMAIL = and_(schema.account.c.email.is_not(None), schema.account.c.unreachable.is_(None))
_REACHABLE = or_(HAS_EMAIL, _HAS_DEVICE, _HAS_WEBHOOK)
# Whether the seat of a notification has decided since.
ANSWERED = exists().where(
    schema.log.c.game == schema.notification.c.game,
    schema.log.c.log_index > schema.notification.c.log_index,
    schema.log.c.seat == schema.notification.c.seat,
    schema.log.c.decision >= 0,
    schema.log.c.kind.in_([kind.value for kind in ANSWERS]),
)
_STALE = ANSWERED.label("stale")


DEFAULT_PREFERENCES = NotificationPreferences()


@dataclass(frozen=True, slots=True)
class News:
    """The facts of news as its seat may know them, and the lines of the log that they are of."""

    facts: tuple[Fact, ...]
    first_index: int
    last_index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingEmail:
    """A notification that waits to be sent, and its recipient.

    News has the kinds `award`, `dice` and `digest`, and an `id` below 0.
    """

    id: int
    game: str
    seat: str
    kind: str
    body: Notice | News | None  # None for an e-mail that answers no notification
    at: int
    title: str
    settings: str  # of the table, as JSON
    head: int  # the last index of the game's log
    account: str
    name: str
    address: str
    wanted: bool  # the recipient has an address, wants e-mails, and has not decided yet
    # The recipient has a device or a webhook that was not sent it yet, and has not decided yet.
    elsewhere: bool = False
    log_index: int = -1  # of the game when it happened
    preferences: NotificationPreferences = DEFAULT_PREFERENCES

    @property
    def rows(self) -> tuple[int, ...]:
        """Its row of `notification`, where it is no news."""
        return (self.id,)


def find_unneeded(connection: Connection, at: int, delay: int, limit: int) -> list[int]:
    """The ids of new notifications to no one who can be reached, or that were answered since.

    Most notifications are of this kind, so they are found without loading what an e-mail needs.
    """
    notification = schema.notification.c
    unneeded = or_(not_(_recipient().where(_REACHABLE).exists()), ANSWERED)
    wanted = select(notification.id).where(schema.WAITING, *_new(at, delay), unneeded)
    wanted = wanted.where(notification.kind != EVENTS)
    return list(connection.execute(wanted.order_by(notification.at).limit(limit)).scalars())


def find_due(
    connection: Connection, at: int, delay: int, limit: int
) -> list[PendingEmail | Unreadable]:
    """New notifications that are `delay` milliseconds old, and failed ones due for a retry."""
    notification = schema.notification.c
    new = (*_new(at, delay), _REACHABLE, not_(ANSWERED))
    retries = (notification.sent < EMAIL_PENDING, notification.sent >= -at)
    return [
        read_message((row.id,), row.at, _fields(row), partial(_pending, row))
        for condition in (new, retries)
        for row in connection.execute(_with_details(*condition).limit(limit))
    ]


def _new(at: int, delay: int) -> tuple[ColumnElement[bool], ...]:
    return schema.notification.c.sent == EMAIL_PENDING, schema.notification.c.at <= at - delay


def _recipient() -> Select[Any]:
    """The account that a notification is for."""
    notification, seat, account = schema.notification.c, schema.seat.c, schema.account.c
    here = and_(seat.game == notification.game, seat.colour == notification.seat)
    owner = select(seat.account).where(here).correlate(schema.notification).scalar_subquery()
    named = select(schema.game.c.master).where(schema.game.c.id == notification.game)
    master = named.correlate(schema.notification).scalar_subquery()
    own = account.id == case((notification.seat == GAME_MASTER, master), else_=owner)
    return select(account.id).where(own).correlate(schema.notification)


def _with_details(*condition: ColumnElement[bool]) -> Select[Any]:
    """Notifications with everything that their e-mails need."""
    notification, seat, account, game = (
        table.c for table in (schema.notification, schema.seat, schema.account, schema.game)
    )
    sat = and_(seat.game == notification.game, seat.colour == notification.seat)
    owner = case((notification.seat == GAME_MASTER, game.master), else_=seat.account)
    return (
        select(schema.notification, game.title, game.head, game.settings.label("table_settings"))
        .add_columns(func.coalesce(seat.name, account.name).label("name"))
        .add_columns(account.id.label("account"), account.email, account.settings)
        .add_columns(_STALE, _HAS_DEVICE.label("device"), _HAS_WEBHOOK.label("webhook"))
        .add_columns(account.unreachable)
        .join(schema.game, game.id == notification.game)
        .outerjoin(schema.seat, sat)
        .outerjoin(schema.account, account.id == owner)
        .where(schema.WAITING, notification.kind != EVENTS, *condition)
        .order_by(notification.sent, notification.at)
    )


def _fields(row: Any) -> dict[str, object]:
    """What the log says of a notification that cannot be read."""
    return {"notification": row.id, "game": row.game, "kind": row.kind}


def _pending(row: Any) -> PendingEmail:
    preferences = NotificationPreferences.read(json.loads(row.settings or "{}"))
    return PendingEmail(
        id=row.id,
        game=row.game,
        seat=row.seat,
        kind=row.kind,
        body=read_notice(row.kind, row.body),
        at=row.at,
        title=row.title,
        settings=row.table_settings,
        head=row.head,
        account=row.account or "",
        name=row.name or "",
        address=row.email or "",
        wanted=bool(row.email and row.unreachable is None and not row.stale and preferences.emails),
        elsewhere=bool(row.device or row.webhook) and row.pushed is None and not row.stale,
        log_index=row.log_index,
        preferences=preferences,
    )
