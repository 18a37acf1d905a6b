"""The settings of a table as rows for docs and forms: type, range, defaults and meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from rubicon.table.settings import (
    DEFAULT,
    MEANINGS,
    TYPES,
    Clock,
    Settings,
    limits_of,
    values_of,
    wanted,
)

LABELS = {
    "clock": "Clock",
    "decision_time": "Time for a decision",
    "bank": "Bank",
    "bank_gain": "Bank gained each turn",
    "bank_most": "Most in the bank",
    "turn_limit": "Time for a turn",
    "timeout_policy": "When time is over",
    "substitute": "Bot that stands in",
    "void_after": "Close an idle game after",
    "absence_days": "Days of absence",
    "chat": "Chat",
    "spectators": "Spectators",
    "delay": "Delay for spectators",
    "dice": "Dice",
    "entropy_wait": "Wait for players' dice programs",
    "master": "Game master",
    "fill": "Bot for free seats",
    "lobby_time": "Close an idle table after",
}
COUNTED = ("absence_days",)  # numbers that are no seconds
_NAMES = {bool: "flag", int: "number", str: "text"}
_VALUE = re.compile(r"`(\w+)`: ")


@dataclass(frozen=True, slots=True)
class SettingChoice:
    """One value, and what it means."""

    value: str
    help: str


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting, for docs and forms.

    `values` describes them in words. `type` is `choice`, `flag`, `number` or `text`; a choice has
    `choices`, a number the range from `low` to `high`, and `seconds` where it is a time. The
    defaults are texts: `default` without a clock, `defaults` by the kind of clock.
    """

    name: str
    label: str
    values: str
    default: str
    meaning: str
    type: str
    choices: tuple[SettingChoice, ...]
    low: int | None
    high: int | None
    seconds: bool
    defaults: Mapping[str, str]


def settings_table(*, dice_server: bool = True) -> Iterator[SettingRow]:
    """Every setting in its order; with the values that need a dice server, or without them."""
    openings = {clock.value: Settings.opened({"clock": clock.value}) for clock in Clock}
    for part in fields(Settings):
        name, kind = part.name, TYPES[part.name]
        low, high = limits_of(name) if kind is int else (None, None)
        defaults = {clock: _shown(getattr(each, name)) for clock, each in openings.items()}
        yield SettingRow(
            name=name,
            label=LABELS[name],
            values=wanted(name, dice_server=dice_server),
            default=_shown(getattr(DEFAULT, name)),
            meaning=MEANINGS[name],
            type=_NAMES.get(kind, "choice"),
            choices=_choices(name, values_of(kind, dice_server=dice_server)),
            low=low,
            high=high,
            seconds=kind is int and name not in COUNTED,
            defaults=defaults,
        )


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _choices(name: str, values: tuple[str, ...]) -> tuple[SettingChoice, ...]:
    """The values with the parts of the setting's meaning that are about them."""
    parts = _VALUE.split(MEANINGS[name])
    helps = dict(zip(parts[1::2], parts[2::2], strict=True))
    return tuple(SettingChoice(value, helps[value].strip()) for value in values)
