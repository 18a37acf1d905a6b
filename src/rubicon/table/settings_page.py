"""Generates `docs/tables.md` from the declaration of the table settings."""

from __future__ import annotations

from collections.abc import Iterator

from rubicon.table.settings import settings_table

HEAD = """# Settings of a table

When you open a table you choose a ruleset, whose options are in [options.md](options.md), and the
settings below. They change no rule: they say how much time there is, what happens when it runs
out, who may watch and chat, and where the dice come from.

You have `decision_time` for each decision, and after that the time in your bank. At the end of
each turn `bank_gain` is added to the bank. Your clock stops while the game is paused and while the
dice cannot be reached. If your time ran out while the server was down, you have ten more minutes
after it is back.

| setting | values | default | meaning |
| --- | --- | --- | --- |
"""

TAIL = """
## Votes

Every player who is still in the game has a vote; seats of bots have none. A motion is carried when
all votes are for it:

- `draw` ends the game without a winner;
- `pause` and `resume` stop the clocks and start them again;
- `extend` gives each player with a pending decision another `decision_time`, if a clock runs;
- `replace COLOUR` lets a bot play for another player, for example one who no longer answers, if
  `timeout_policy` is `wait`;
- `fork INDEX` starts a new game from an earlier log index, with the same seats and new dice.

You can withdraw a vote until the motion is carried. A resignation can carry a motion, because fewer
votes are needed. A fork needs the votes of all people, also of those who are out of the game; hands
and missions stay hidden. The old game accepts no more actions; its seeds, hands and missions are
revealed when the new game is over.

## Absences

`2026-12-24 2026-12-31` says that you are away on these days, the last one included, counted in
UTC: your time does not run. With a bot behind it, `2026-12-24 2026-12-31 greedy`, that bot plays
for you. An absence has at most 21 days. You can end it sooner. An absence in one game does not
change any other game.

## When a bot plays for you

It makes your decisions, with your standing orders in force, until you take the seat back. You can
do so at any time; your `decision_time` then starts again.
"""


def settings_page() -> str:
    """The whole page."""
    return HEAD + "".join(_rows()) + TAIL


def _rows() -> Iterator[str]:
    for row in settings_table():
        yield f"| `{row.name}` | {row.values} | `{row.default}` | {row.meaning} |\n"
