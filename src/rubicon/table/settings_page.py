"""`docs/tables.md`: the settings of a table, written from the one table of them."""

from __future__ import annotations

from collections.abc import Iterator

from rubicon.table.settings import settings_table

HEAD = """# How a table is kept

A table chooses a ruleset, whose options are in [options.md](options.md), and these settings,
which change no rule: time, silence, chat, spectators, and who rolls the dice. Times are in
seconds.

A seat is asked for one thing at a time, its duty. Its time is that of the duty and then its
bank; the bank pays for what was too long, and grows with every turn that ends where `bank_gain`
says so. Nobody is late while the game is paused, while the dice are away, or while the host
cannot be reached: whose time ran out in the meantime has ten minutes from the host's return.

| setting | values | default | meaning |
| --- | --- | --- | --- |
"""

TAIL = """
## What people agree

A motion is carried when every seat that a person plays, and that is still in the game, is for
it: `draw`, `pause` and `resume`, where a clock runs `extend` (once more the time of a duty for
whoever is asked), and, where silence is to `wait`, `replace COLOUR`, which lets a bot play for
somebody who does not come. A vote can be withdrawn until then; a resignation may carry it.

`fork ENTRY` goes on from an earlier entry of the log, as a new game with the same seats and dice of
its own. It takes the votes of all people, also of those who are out of the game; hands and
missions stay as hidden as they were. The game that was left takes nothing more, and is opened
when the other one is over.

## Absences

`2026-12-24 2026-12-31` says that a seat is away on these days, the last one included, counted in
UTC: its time does not run. With a bot behind it, `2026-12-24 2026-12-31 greedy`, that bot plays
meanwhile. At most 21 days at once. The owner may come back sooner; what is done in one game ends
no absence in another.

## When a bot stands in

It plays what the seat is asked, bound by the seat's standing orders, until the owner takes the
seat back, at any moment; then the time of the duty begins anew.
"""


def settings_page() -> str:
    """The whole page."""
    return HEAD + "".join(_rows()) + TAIL


def _rows() -> Iterator[str]:
    for row in settings_table():
        yield f"| `{row.name}` | {row.values} | `{row.default}` | {row.meaning} |\n"
