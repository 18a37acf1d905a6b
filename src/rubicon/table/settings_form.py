"""The settings of a table as a form for programs, and as a page of the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from rubicon.table.commands.advance import MAX_LOG_LINES
from rubicon.table.commands.votes import MOST_FORKS, MOST_MOTIONS, RULES
from rubicon.table.game.limits import MAX_CHANGES, MAX_CHANGES_PER_GAME
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

# The settings of a table as rows for docs and forms: type, range, defaults and meaning.

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


# Generates `docs/tables.md` from the declarations of the table settings and of motions.

HEAD = """# Settings of a table

When you open a table, you choose a ruleset, whose options are in [options.md](options.md), and the
settings below. The settings do not change the rules: they decide how much time you have, what
happens when it runs out, who may watch and chat, and where the dice come from. Some defaults depend
on the clock.

You have `decision_time` for each decision, and then the time in your bank. At the end of each turn,
`bank_gain` is added to the bank. Your clock stops while the game is paused and while the dice are
not available. If your time runs out while the server is down, you get ten more minutes once it is
back.

| setting | values | default | meaning |
| --- | --- | --- | --- |
"""

VOTES = """
## Votes

Players vote on motions. A motion passes when enough of these voters support it:

| motion | votes needed | of | condition | what it does |
| --- | --- | --- | --- | --- |
"""

TAIL = f"""
A vote belongs to a person. You keep your vote while you are away and while a bot plays for you: no
bot votes, and no one can end, pause or fork the game without you. Seats of bots have no vote, nor
has a seat whose owner has erased their account. With two people left, nothing that ends or rewinds
the game passes without both.

You can withdraw a vote until the motion passes. A resignation can make a motion pass, because it
then needs fewer votes. Votes for a replacement end when the player decides. After a fork the old
game accepts no further actions; its secrets, hands and missions stay hidden until the new game is
over. A seat can vote for {MOST_MOTIONS} forks at a time, and a game can be forked {MOST_FORKS}
times in a row; beyond that the server answers `fork/too-many-votes` and `fork/too-many`. A game
that has lost dice in a restore [stops](fair-dice.md#when-the-server-was-restored-from-a-backup):
then you can vote only for `fork INDEX` and `draw`, and the operator can fork it too.

## Changing your mind

Votes, standing orders, undone actions, announced absences, cards offered and armies moved again do
not advance the game, and do not count towards the {MAX_LOG_LINES:,} lines after which a game is
closed. Each seat may make {MAX_CHANGES} of them before dice are rolled or the turn passes, and
{MAX_CHANGES_PER_GAME:,} in a game; beyond that the server answers `game/too-many-changes`. A
request that changes nothing, such as a vote that you have already given, is neither stored nor
counted.

None of them gives you more time. After an undo your time runs on as if you had not made the
decision; if that time is over, the undo is refused with `undo/out-of-time`. All armies that you
move at the end of a turn, and all cards that you offer together, share the time of one decision.

## Absences

`2026-12-24 2026-12-31` says that you are away on these days, including the last one, in UTC. Your
clock stops, and afterwards you have the time that was left. If you add a bot, as in `2026-12-24
2026-12-31 greedy`, that bot plays for you. An absence lasts at most 21 days, and you can end it
early. It applies to this game only.

## When a bot plays for you

The bot makes your decisions, and your standing orders stay in force, until you take the seat back;
that also ends an absence. You then have the time that was left when the bot took over. If your time
for a decision was over, the bot makes that decision first.

## When a player erases their account

The seat no longer has an owner or a vote. What happens depends on `timeout_policy`. `bot`: the bot
plays it to the end. `neutral`: the seat resigns. `wait`: the others may vote for a replacement
immediately, and the bot plays if no person is left who could vote. A table in the lobby passes to
the next person seated there, or is closed.
"""


def settings_page() -> str:
    """The whole page."""
    return HEAD + "".join(_rows()) + VOTES + "".join(_motions()) + TAIL


def _rows() -> Iterator[str]:
    for row in settings_table():
        yield f"| `{row.name}` | {row.values} | {_defaults(row)} | {row.meaning} |\n"


def _defaults(row: SettingRow) -> str:
    """The default, and those of the clocks for which it is another one."""
    others = [
        f"{clock}: `{text}`"
        for clock, text in row.defaults.items()
        if text not in (row.default, clock)
    ]
    return ", ".join([f"`{row.default}`", *others])


def _motions() -> Iterator[str]:
    for rule in RULES:
        cells = (f"`{rule.shown}`", rule.threshold, rule.of, rule.condition, rule.effect)
        yield f"| {' | '.join(cells)} |\n"
