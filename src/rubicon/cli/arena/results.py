"""What `rubicon arena` prints: tables, sentences, JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rubicon.wording import numbered

if TYPE_CHECKING:
    from rich.table import Table

    from rubicon.lab.arena.blocks import Block
    from rubicon.lab.arena.contest import Contest
    from rubicon.lab.arena.match import Match
    from rubicon.lab.arena.ratings import Rating

ENOUGH_BLOCKS = 20  # below, a bootstrap interval is much too narrow
VERDICTS = {
    False: {
        "H1": "{new} wins more than its fair share",
        "H0": "{new} does not win that much more than its fair share",
    },
    True: {
        "H1": "{new} wins more than {old}",
        "H0": "{new} does not win that much more than {old}",
    },
}


def results_table(match: Match, blocks: Sequence[Block], about: str = "") -> Table:
    """The results so far, as a table; `about` says which of several it is."""
    from rubicon.lab.arena.statistics import player_results

    games = sum(len(block.games) for block in blocks)
    headings = ("wins % (95 %)", "rating", "rank", "cut off %", "ms", "worst ms")
    played = f"{numbered(games, 'game')} in {numbered(len(blocks), 'block')}"
    table = _table(f"{played}, {about}" if about else played, headings)
    for one in player_results(match, blocks):
        table.add_row(
            one.name,
            f"{100 * one.win_share:.1f} ({100 * one.low:.1f} to {100 * one.high:.1f})",
            f"{one.rating:.0f} ± {(one.rating_high - one.rating_low) / 2:.0f}",
            f"{one.mean_rank:.2f}",
            f"{100 * one.unfinished:.1f}",
            f"{one.mean_decision_ms:.3f}",
            f"{one.worst_decision_ms:.1f}",
        )
    return table


def ratings_table(rated: Sequence[Rating]) -> Table:
    """Ratings over several matches, as a table."""
    table = _table("Ratings", ("rating", "95 % interval", "games"))
    for one in rated:
        interval = f"{one.low:.0f} to {one.high:.0f}"
        table.add_row(one.name, f"{one.rating:.0f}", interval, f"{one.games:,}")
    return table


def _table(title: str, headings: Sequence[str]) -> Table:
    from rich.table import Table

    # Without lines, so that it has room in 80 columns.
    table = Table(title=title, box=None, padding=(0, 2, 0, 0), title_justify="left")
    # A long name goes on in the next line: cut off, two bots of one file would look alike.
    table.add_column("player", min_width=10, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def results_json(contest: Contest) -> Any:
    """A list of the players' results; of two versions, an object."""
    from rubicon.lab.arena.statistics import interval, player_results

    played = zip(contest.matches, contest.blocks, strict=True)
    found = [[asdict(one) for one in player_results(*each)] for each in played]
    if len(found) == 1:
        return found[0]
    mean, low, high = (round(one, 4) for one in interval(contest.shares()))
    return {
        "blocks": len(contest.shares()),
        "difference": mean,
        "low": low,
        "high": high,
        "verdict": contest.verdict() or None,
        "new": found[0],
        "old": found[1],
    }


def doubt_line(contest: Contest) -> str:
    """What a reader of few blocks should know; "" where there are enough."""
    blocks = min(map(len, contest.blocks))
    if blocks >= ENOUGH_BLOCKS:
        return ""
    few = numbered(blocks, "block")
    return f"Played: {few}. Below {ENOUGH_BLOCKS} the intervals are much too narrow."


def verdict_lines(contest: Contest) -> list[str]:
    """What the sequential test says, in sentences; none without a test."""
    from rubicon.lab.arena.statistics import interval

    test, paired = contest.test, len(contest.matches) == 2
    if test is None:
        return []
    new, old = contest.matches[0].players[0], contest.matches[-1].players[0]
    says = VERDICTS[paired].get(contest.verdict(), "undecided; more blocks are needed")
    about = f"gain {test.gain:g}, alpha {test.alpha:g}, beta {test.beta:g}"
    if not paired:
        about = f"fair {test.fair:.3f}, {about}"
    lines = [f"SPRT: {says.format(new=new, old=old)} ({about})."]
    if paired:
        mean, low, high = (100 * one for one in interval(contest.shares()))
        lines.insert(
            0,
            f"{new} less {old}: {mean:+.1f} % of the games won ({low:+.1f} to {high:+.1f}), "
            f"in {numbered(len(contest.shares()), 'block')} of each.",
        )
    return lines
