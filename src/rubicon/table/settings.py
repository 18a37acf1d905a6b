"""How a table is kept: its clock, its chat, its spectators, its dice. The rules are elsewhere.

One typed table, as with the options of the rules: `docs/tables.md`, the form of a page and the
schema of the API follow from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, get_type_hints

from rubicon.table.errors import TableError

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR
MOST_SECONDS = 400 * DAY


class Clock(StrEnum):
    """How time is kept."""

    NONE = "none"
    LIVE = "live"
    DAYS = "days"


class Silence(StrEnum):
    """What happens to a seat whose time is over."""

    WAIT = "wait"
    BOT = "bot"
    NEUTRAL = "neutral"


class Chat(StrEnum):
    """What may be said at the table."""

    NONE = "none"
    CANNED = "canned"
    OPEN = "open"


class DiceSource(StrEnum):
    """Who rolls."""

    SEALED = "sealed"
    TYPED = "typed"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one table; times in seconds. `MEANINGS` says what each is for."""

    clock: Clock = Clock.NONE
    duty_time: int = DAY
    bank: int = DAY
    bank_gain: int = 0
    bank_most: int = 3 * DAY
    turn_limit: int = 0
    silence: Silence = Silence.WAIT
    stand_in: str = "greedy"
    void_after: int = 60 * DAY
    absence_days: int = 42
    chat: Chat = Chat.OPEN
    spectators: bool = True
    delay: int = 0
    dice: DiceSource = DiceSource.SEALED
    entropy_wait: int = 5
    fill: str = ""
    lobby_time: int = 14 * DAY

    def as_dict(self) -> dict[str, Any]:
        """As it is stored and sent: only what differs from the default."""
        return {k: v for k, v in asdict(self).items() if v != getattr(DEFAULT, k)}

    def text(self) -> str:
        """As JSON; `Settings.read(json.loads(text))` gives the same settings back."""
        return json.dumps(self.as_dict(), sort_keys=True)

    @staticmethod
    def read(values: Mapping[str, object]) -> Settings:
        """From JSON; TableError, naming what is wrong, where a value cannot be."""
        read: dict[str, Any] = {}
        for name, value in values.items():
            if name not in _HINTS:
                message = f"There is no setting {str(name)[:40]!r}."
                raise TableError("settings/unknown", message, f"There are: {', '.join(_HINTS)}.")
            read[name] = _value(name, value)
        return Settings(**read)


MEANINGS = {
    "clock": "`none`: nobody is ever late. `live`: `duty_time` for each thing asked, then the"
    " bank. `days`: the same, with a bank that grows with every turn, and a warning in time.",
    "duty_time": "Seconds for each thing that a seat is asked.",
    "bank": "Seconds in reserve at the start; used when those of the duty are over.",
    "bank_gain": "Seconds that come to the bank with every turn that ends.",
    "bank_most": "Seconds that the bank never exceeds.",
    "turn_limit": "Seconds from the first act of a turn to its end, so that nobody holds it open;"
    " 0 for no limit.",
    "silence": "What follows when time is over. `wait`: nothing, but the others may vote. `bot`: a"
    " bot plays in the seat's place until the owner takes it back. `neutral`: the seat resigns.",
    "stand_in": "The bot that plays in a silent seat's place.",
    "void_after": "Seconds without an entry after which the game is closed, its seeds opened.",
    "absence_days": "Days that a seat may announce to be away, in all.",
    "chat": "`none`: nothing is said. `canned`: a few set phrases. `open`: anything.",
    "spectators": "Whether those who do not play may watch.",
    "delay": "Seconds by which spectators see it later, where hands or missions are hidden.",
    "dice": "`sealed`: the sealed chain of docs/fair-dice.md. `typed`: people roll real dice and"
    " say what they showed; cards still come from the chain.",
    "entropy_wait": "Seconds that a roll waits for the links of those whose own programs have a"
    " hand in the dice (docs/fair-dice.md); 0 takes none.",
    "fill": "The bot that takes the seats that are still open at the start; empty: they must be"
    " taken first.",
    "lobby_time": "Seconds after which a table whose game has not begun is closed.",
}
LEAST = {"duty_time": 5, "void_after": DAY, "lobby_time": HOUR}  # of the numbers that cannot be 0
MOST = {"entropy_wait": HOUR}
DEFAULT = Settings()
_HINTS = get_type_hints(Settings)


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting, for docs and forms: its name, values, default and meaning."""

    name: str
    values: str
    default: str
    meaning: str


def settings_table() -> Iterator[SettingRow]:
    """Every setting in its order."""
    for part in fields(Settings):
        default = getattr(DEFAULT, part.name)
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        yield SettingRow(part.name, _wanted(part.name), shown, MEANINGS[part.name])


def _wanted(name: str) -> str:
    kind = _HINTS[name]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return " or ".join(choice.value for choice in kind)
    if kind is bool:
        return "true or false"
    least = LEAST.get(name, 0)
    most = MOST.get(name, MOST_SECONDS)
    return f"a whole number from {least} to {most}" if kind is int else "a short text"


def _value(name: str, value: object) -> object:
    kind = _HINTS[name]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if value in [choice.value for choice in kind]:
            return kind(value)
    elif kind is bool:
        if isinstance(value, bool):
            return value
    elif kind is int:
        whole = isinstance(value, int) and not isinstance(value, bool)
        least, most = LEAST.get(name, 0), MOST.get(name, MOST_SECONDS)
        if whole and least <= value <= most:  # type: ignore[operator]
            return value
    elif isinstance(value, str) and len(value) <= 40:
        return value
    message = f"The setting {name} cannot be {str(value)[:40]!r}."
    raise TableError("settings/bad-value", message, f"It is {_wanted(name)}.")
