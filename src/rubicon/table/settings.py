"""How a table is kept: its clock, its chat, its spectators, its dice. The rules are elsewhere.

One typed table, as with the options of the rules: the form of a page, the schema of the API and the
docs follow from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, get_type_hints

from rubicon.table.errors import TableError

HOUR = 3600


class Clock(StrEnum):
    """How time is kept."""

    NONE = "none"  # nobody is ever late
    LIVE = "live"  # seconds a duty, and a bank
    DAYS = "days"  # hours a duty, and a bank that grows with every turn


class Silence(StrEnum):
    """What happens to a seat whose time is over."""

    WAIT = "wait"  # nothing: the others may vote
    BOT = "bot"  # a bot plays in its place until the owner takes the seat back
    NEUTRAL = "neutral"  # the seat resigns


class Chat(StrEnum):
    """What may be said at the table."""

    NONE = "none"
    CANNED = "canned"  # a few set phrases
    OPEN = "open"


class DiceSource(StrEnum):
    """Who rolls."""

    SEALED = "sealed"  # the sealed chain (docs/fair-dice.md)
    TYPED = "typed"  # people roll real dice and say what fell; cards come from the chain


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one table; times in seconds."""

    clock: Clock = Clock.NONE
    duty_time: int = 24 * HOUR  # for each thing that a seat is asked
    bank: int = 24 * HOUR  # in reserve at the start
    bank_gain: int = 0  # added with every turn
    bank_most: int = 72 * HOUR
    turn_limit: int = 0  # from the first act of a turn to its end; 0 for none
    silence: Silence = Silence.WAIT
    stand_in: str = "greedy"  # the bot that plays in a silent seat's place
    chat: Chat = Chat.OPEN
    spectators: bool = True
    delay: int = 0  # seconds by which spectators see it later; where hands are hidden
    dice: DiceSource = DiceSource.SEALED

    def as_dict(self) -> dict[str, Any]:
        """As it is stored and sent: only what differs from the default."""
        return {k: v for k, v in asdict(self).items() if v != getattr(DEFAULT, k)}

    def text(self) -> str:
        """As JSON; `Settings.read(json.loads(text))` gives the same settings back."""
        return json.dumps(self.as_dict(), sort_keys=True)

    @staticmethod
    def read(values: Mapping[str, object]) -> Settings:
        """From JSON; TableError, naming what is wrong, where a value cannot be."""
        hints = get_type_hints(Settings)
        known = [field.name for field in fields(Settings)]
        read: dict[str, Any] = {}
        for name, value in values.items():
            if name not in known:
                message = f"There is no setting {str(name)[:40]!r}."
                raise TableError("settings/unknown", message, f"There are: {', '.join(known)}.")
            read[name] = _value(name, hints[name], value)
        return Settings(**read)


DEFAULT = Settings()
MOST_SECONDS = 400 * 24 * HOUR


def _value(name: str, kind: Any, value: object) -> object:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if value in [choice.value for choice in kind]:
            return kind(value)
        wanted = " or ".join(choice.value for choice in kind)
    elif kind is bool:
        if isinstance(value, bool):
            return value
        wanted = "true or false"
    elif kind is int:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SECONDS:
            return value
        wanted = f"a whole number from 0 to {MOST_SECONDS}"
    else:
        if isinstance(value, str) and len(value) <= 40:
            return value
        wanted = "a short text"
    message = f"The setting {name} cannot be {str(value)[:40]!r}."
    raise TableError("settings/bad-value", message, f"It is {wanted}.")
