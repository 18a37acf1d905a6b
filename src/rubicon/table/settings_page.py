"""Generates `docs/tables.md` from the declarations of the table settings and of motions."""

from __future__ import annotations

from collections.abc import Iterator

from rubicon.table.commands.advance import MAX_LOG_LINES
from rubicon.table.commands.fork import MOST_FORKS, MOST_MOTIONS
from rubicon.table.commands.motions import RULES
from rubicon.table.game.line_counts import MAX_CHANGES, MAX_CHANGES_PER_GAME
from rubicon.table.settings_form import SettingRow, settings_table

HEAD = """# Settings of a table

When you open a table you choose a ruleset, whose options are in [options.md](options.md), and the
settings below. They change no rule: they say how much time there is, what happens when it runs
out, who may watch and chat, and where the dice come from. Some defaults depend on the clock.

You have `decision_time` for each decision, and after that the time in your bank. At the end of
each turn `bank_gain` is added to the bank. Your clock stops while the game is paused and while the
dice cannot be reached. If your time ran out while the server was down, you have ten more minutes
after it is back.

| setting | values | default | meaning |
| --- | --- | --- | --- |
"""

VOTES = """
## Votes

Players vote on motions. A motion is carried when the voters that it needs are for it:

| motion | votes needed | of | condition | what it does |
| --- | --- | --- | --- | --- |
"""

TAIL = f"""
A vote belongs to a person. You keep your vote while you are away and while a bot plays for you: no
bot votes, and nobody can end, pause or fork the game without you. Seats of bots have no vote, nor
has a seat whose owner has erased their account. With two people left, nothing that ends or rewinds
the game passes without both.

You can withdraw a vote until the motion is carried. A resignation can carry a motion, because fewer
votes are needed. Votes for a replacement end when the player decides. After a fork the old game
accepts no more actions; hands and missions stay hidden, and its secrets, hands and missions are
revealed when the new game is over. A seat can be for {MOST_MOTIONS} forks at once, and a game can
be forked {MOST_FORKS} times, one fork behind the other; then they are refused with
`fork/too-many-votes` and `fork/too-many`. A game that has lost dice in a restore
[stops](fair-dice.md#when-the-server-was-restored-from-a-backup): then only `fork INDEX` and `draw`
can be voted for, and the operator can fork it too.

## Changing your mind

Votes, standing orders, undone actions, announced absences, cards offered and armies moved again do
not advance the game, and do not count towards the {MAX_LOG_LINES:,} lines after which a game is
closed. Each seat has {MAX_CHANGES} of them until dice are rolled or the turn passes on, and
{MAX_CHANGES_PER_GAME:,} in a game; then they are refused with `game/too-many-changes`. What changes
nothing is not stored and not counted, such as a vote that you have given already.

None of them gives you more time. After an undo your time runs on as if you had not made the
decision, and an undo is refused with `undo/out-of-time` where that time is over. All armies that
you move at the end of a turn, and all cards that you offer at once, share the time of one decision.

## Absences

`2026-12-24 2026-12-31` says that you are away on these days, the last one included, counted in
UTC: your time does not run, and afterwards you have the time that was left. With a bot behind it,
`2026-12-24 2026-12-31 greedy`, that bot plays for you. An absence has at most 21 days. You can end
it sooner. An absence in one game does not change any other game.

## When a bot plays for you

It makes your decisions, with your standing orders in force, until you take the seat back; that ends
an absence too. You then have the time that was left when the bot took over. Where your time for a
decision was over, the bot makes that decision first.

## When a player erases their account

The seat has no owner any more and no vote. By `timeout_policy`, `bot`: the bot plays it to the end.
`neutral`: the seat resigns. `wait`: the others may vote for a replacement at once, and the bot
plays if no person is left who could vote. A table in the lobby passes to the next person who sits
at it, or is closed.
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
