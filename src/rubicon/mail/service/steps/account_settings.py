"""Preferences of an account that are set by a line of an e-mail, and how the answer tells them."""

from __future__ import annotations

import re
from typing import Any

from rubicon.mail.commands.account_lines import AccountLine, AccountWord
from rubicon.mail.writing.times import LocalTime
from rubicon.server.accounts.notification_preferences import (
    NewsWay,
    NotificationPreferences,
    timezone_named,
)
from rubicon.table.errors import TableError

# What players also write for the values of `NewsWay`.
WAYS = {way.value: way for way in NewsWay} | {
    "at once": NewsWay.AT_ONCE,
    "each": NewsWay.AT_ONCE,
    "on": NewsWay.AT_ONCE,
    "daily": NewsWay.DIGEST,
    "off": NewsWay.NEVER,
    "none": NewsWay.NEVER,
}
NO_HOURS = ("off", "none", "never")
OF_ACCOUNT = "This is a setting of your account: it counts for all your games."
_TIMES = re.compile(
    r"(?:from )?(\d{1,2})(?:[:.](\d\d))?(?: ?(?:-|to|until|and) ?| )(\d{1,2})(?:[:.](\d\d))?"
)


def preferences_of(line: AccountLine) -> dict[str, Any]:
    """The preferences that a line sets; TableError where it is not understood.

    Their own check is that of the web app.
    """
    value = line.value.casefold()
    match line.word:
        case AccountWord.TIMEZONE:
            if not value:
                message = "The name of your time zone is missing."
                raise TableError("preferences/timezone", message, "Write TIMEZONE Europe/Berlin.")
            return {"timezone": timezone_named(line.value)}
        case AccountWord.NEWS:
            if value not in WAYS:
                message = f"News is sent at once, in a digest, or never, not {value[:20]!r}."
                hint = "Write NEWS AT-ONCE, NEWS DIGEST or NEWS NEVER."
                raise TableError("preferences/news", message, hint)
            return {"awards": WAYS[value], "dice_of_others": WAYS[value]}
        case AccountWord.QUIET:
            return _quiet_hours(value)


def told_preferences(word: AccountWord, now: NotificationPreferences, at: int) -> str:
    """The state of what a line has set, in sentences; `at` is in milliseconds since 1970."""
    told = {
        AccountWord.TIMEZONE: _timezone,
        AccountWord.NEWS: _news,
        AccountWord.QUIET: _quiet,
    }[word](now, LocalTime(at, now.timezone))
    return f"{told} {OF_ACCOUNT}"


def _quiet_hours(value: str) -> dict[str, Any]:
    if value in NO_HOURS:
        return {"quiet_from": "", "quiet_until": ""}
    found = _TIMES.fullmatch(value)
    if found is None:
        message = "Quiet hours need a beginning and an end."
        hint = "Write QUIET 22:00 07:00, or QUIET OFF."
        raise TableError("preferences/quiet-hours", message, hint)
    begin, end = (f"{int(h):02}:{m or '00'}" for h, m in (found.group(1, 2), found.group(3, 4)))
    return {"quiet_from": begin, "quiet_until": end}


def _timezone(now: NotificationPreferences, here: LocalTime) -> str:
    return f"Your time zone is {now.timezone}: it is {here}."


def _news(now: NotificationPreferences, here: LocalTime) -> str:
    told = {
        NewsWay.AT_ONCE: "You get news of awards and of the dice of others at once, one by one.",
        NewsWay.DIGEST: (
            "You get news of awards and of the dice of others once a day, in one e-mail a game, at "
            f"{now.digest_hour:02}:00 {here.place}."
        ),
        NewsWay.NEVER: (
            "You get no news of awards and of the dice of others. You still get what you are asked "
            "and the dice of attacks on you."
        ),
    }[now.awards]
    off = "" if now.emails else " But your account page says that you want no e-mails about games."
    return told + off


def _quiet(now: NotificationPreferences, here: LocalTime) -> str:
    if not now.quiet_from:
        return "You have no quiet hours."
    more = " For your own time, reply TIMEZONE Europe/Berlin." if now.timezone == "UTC" else ""
    return (
        f"Nothing is sent to you from {now.quiet_from} to {now.quiet_until} {here.place}, unless "
        f"your time for a decision would be over before they end.{more}"
    )
