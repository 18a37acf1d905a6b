"""The settings of a table: clock, chat, spectators, dice. They change no rule of the game.

`docs/tables.md`, the web form and the schema of the API are made from this one declaration.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, get_type_hints

from rubicon.table.errors import TableError, TableNotFound
from rubicon.wording import one_of

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR
MAX_SECONDS = 400 * DAY


class Clock(StrEnum):
    """Whether decisions have a deadline, and of which kind; see `MEANINGS`."""

    NONE = "none"
    LIVE = "live"
    DAYS = "days"


class TimeoutPolicy(StrEnum):
    """What the server does for a seat whose time is over."""

    WAIT = "wait"
    BOT = "bot"
    NEUTRAL = "neutral"


class Chat(StrEnum):
    """Which chat the table allows."""

    NONE = "none"
    CANNED = "canned"
    OPEN = "open"


class DiceSource(StrEnum):
    """Where the dice come from."""

    SEALED = "sealed"
    INDEPENDENT = "independent"
    TYPED = "typed"


class Master(StrEnum):
    """Who is the game master."""

    NONE = "none"
    HOST = "host"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one table; times in seconds. `MEANINGS` says what each is for."""

    clock: Clock = Clock.NONE
    decision_time: int = DAY
    bank: int = DAY
    bank_gain: int = 0
    bank_most: int = 3 * DAY
    turn_limit: int = 0
    timeout_policy: TimeoutPolicy = TimeoutPolicy.WAIT
    substitute: str = "medium"
    void_after: int = 60 * DAY
    absence_days: int = 42
    chat: Chat = Chat.OPEN
    spectators: bool = True
    delay: int = 0
    dice: DiceSource = DiceSource.SEALED
    entropy_wait: int = 20
    master: Master = Master.NONE
    fill: str = ""
    lobby_time: int = 14 * DAY

    def as_dict(self) -> dict[str, Any]:
        """The settings that differ from the default, as they are stored and sent."""
        return {k: v for k, v in asdict(self).items() if v != getattr(DEFAULT, k)}

    def text(self) -> str:
        """As JSON; `Settings.read(json.loads(text))` gives the same settings back."""
        return json.dumps(self.as_dict(), sort_keys=True)

    @staticmethod
    def opened(values: Mapping[str, object]) -> Settings:
        """Those of a new table: settings that are not given fit its kind of clock; as `read`."""
        clock = Settings.read(values).clock
        opened = Settings.read({**CLOCK_DEFAULTS[clock], **values})
        if "bank_most" in values or opened.bank <= opened.bank_most:
            return opened
        return replace(opened, bank_most=opened.bank)

    @staticmethod
    def read(values: Mapping[str, object]) -> Settings:
        """From JSON; TableError names the setting that is unknown or has a bad value."""
        read: dict[str, Any] = {}
        for name, value in values.items():
            if name not in TYPES:
                message = f"There is no setting {str(name)[:40]!r}."
                raise TableNotFound("settings/unknown", message, f"There are: {', '.join(TYPES)}.")
            read[name] = _value(name, value)
        return Settings(**read)


MEANINGS = {
    "clock": "`none`: no time limit. `live`: `decision_time` for each decision, then the bank; no"
    " e-mails. `days`: the same with e-mails, and with a warning before the time is over.",
    "decision_time": "Seconds for each decision.",
    "bank": "Seconds in reserve at the start, used when `decision_time` is over.",
    "bank_gain": "Seconds added to the bank at the end of each turn.",
    "bank_most": "The limit of the bank, in seconds.",
    "turn_limit": "Seconds from the first action of a turn to its end; 0 for no limit.",
    "timeout_policy": "When a player's time is over: `wait`: the others may vote for a replacement."
    " `bot`: a bot plays the seat until the player takes it back. `neutral`: the seat resigns.",
    "substitute": "The bot that plays for a player who is out of time.",
    "void_after": "Seconds without any action after which the game is closed and its"
    " secrets opened; never while a player has time left.",
    "absence_days": "The total number of days of absence that each player may announce; 0 for"
    " none.",
    "chat": "`none`: no chat. `canned`: a few set phrases. `open`: any text.",
    "spectators": "Whether other people may watch.",
    "delay": "Seconds after which spectators see an event, in games with hidden hands or missions.",
    "dice": "`sealed`: the fair dice of docs/fair-dice.md. `independent`: the same, and the"
    " independent dice server that this server names takes part in every roll. `typed`: the"
    " players roll real dice and enter what they show; cards still come from the fair dice."
    " Meanwhile the roller's clock runs; when the time is over, and for bots, the table rolls the"
    " fair dice itself and says so.",
    "entropy_wait": "Seconds that a roll waits for the programs of players who take part in the"
    " dice (docs/fair-dice.md); with 0 none of them takes part.",
    "master": "The game master (docs/play-by-mail.md). `none`: the software runs the table alone."
    " `host`: the host may give time, seat stand-ins and announce. `person`: the person whom the"
    " host names may, with a seat or without.",
    "fill": "The bot that takes all free seats at the start; if empty, the game starts only when"
    " all seats are taken.",
    "lobby_time": "Seconds after which a table is closed if its game has not begun.",
}
# Limits other than 0 and MAX_SECONDS.
MINIMUM = {"decision_time": 5, "void_after": DAY, "lobby_time": HOUR}
MAXIMUM = {"absence_days": 365, "entropy_wait": HOUR}
DEFAULT = Settings()
# What differs from the default at a new table with this clock. A stored table names what differs
# from `DEFAULT` alone, so that a change here changes no table that is open.
CLOCK_DEFAULTS: Mapping[Clock, Mapping[str, object]] = {
    Clock.NONE: {},
    Clock.LIVE: {
        "decision_time": MINUTE,
        "bank": 3 * MINUTE,
        "bank_most": 5 * MINUTE,
        "timeout_policy": "bot",
        "void_after": DAY,
        "absence_days": 0,
        "lobby_time": DAY,
    },
    Clock.DAYS: {},
}
TYPES = get_type_hints(Settings)


def limits_of(name: str) -> tuple[int, int]:
    """The smallest and the largest value of a number."""
    return MINIMUM.get(name, 0), MAXIMUM.get(name, MAX_SECONDS)


def values_of(kind: Any, *, dice_server: bool = True) -> tuple[str, ...]:
    """The values of a choice; () for another type."""
    if not (isinstance(kind, type) and issubclass(kind, StrEnum)):
        return ()
    left_out = () if dice_server else (DiceSource.INDEPENDENT,)
    return tuple(choice.value for choice in kind if choice not in left_out)


def check_dice_server(settings: Settings, *, there: bool) -> None:
    """TableError where a table wants an independent dice server and there is none."""
    if settings.dice is DiceSource.INDEPENDENT and not there:
        message = "This server uses no independent dice server: dice cannot be `independent`."
        suggestion = (
            "Choose `sealed`, or ask the operator to set RUBICON_DICE_SERVER (docs/hosting.md)."
        )
        raise TableError("settings/no-dice-server", message, suggestion)


def wanted(name: str, *, dice_server: bool = True) -> str:
    """The values of a setting in words."""
    kind = TYPES[name]
    if found := values_of(kind, dice_server=dice_server):
        return one_of(list(found))
    if kind is bool:
        return "true or false"
    least, most = limits_of(name)
    return f"a whole number from {least} to {most}" if kind is int else "a short text"


def _value(name: str, value: object) -> object:
    kind = TYPES[name]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if value in [choice.value for choice in kind]:
            return kind(value)
    elif kind is bool:
        if isinstance(value, bool):
            return value
    elif kind is int:
        whole = isinstance(value, int) and not isinstance(value, bool)
        least, most = limits_of(name)
        if whole and least <= value <= most:  # type: ignore[operator]
            return value
    elif isinstance(value, str) and len(value) <= 40:
        return value
    message = f"The setting {name} cannot be {str(value)[:40]!r}."
    raise TableError("settings/bad-value", message, f"It is {wanted(name)}.")
