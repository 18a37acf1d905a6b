"""What a match leaves: its results as one HTML file, and its games as records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

import numpy as np

from rubicon.errors import RubiconError
from rubicon.lab.arena.blocks import Block
from rubicon.lab.arena.match import Match, Noted, StepwiseGame, play_stepwise
from rubicon.lab.arena.statistics import PlayerResult, player_results
from rubicon.rules.record import Record

# The games of a match as records, which `rubicon replay` reads.


def played_again(
    match: Match, blocks: Iterable[Block], noted: Noted | None = None
) -> Iterator[tuple[str, StepwiseGame]]:
    """The games of blocks, played again with every action checked, and their names.

    A game is named by the seed of its block and the rotation of the seats. `noted` is told of each
    decision. Raises RubiconError: `arena/not-repeated` where a game goes another way, as a player
    may that is no bot of ours.
    """
    for block in blocks:
        for rotation, result in enumerate(block.games):
            seed = match.seed + block.number
            again = play_stepwise(match, seed, rotation, noted)
            if (again.result.ranks, again.result.decisions) != (result.ranks, result.decisions):
                raise RubiconError(
                    "arena/not-repeated",
                    f"The game with seed {seed}, rotation {rotation}, goes another way when it is "
                    "played again.",
                    "Its players take chances of their own; records need players that do not.",
                )
            yield f"{seed}-{rotation}", again


def save_records(match: Match, blocks: Iterable[Block], folder: Path) -> list[Path]:
    """Save each game of blocks as a record, in a file with its name; raises `played_again`'s."""
    folder.mkdir(parents=True, exist_ok=True)
    saved = []
    for name, again in played_again(match, blocks):
        path = folder / f"{name}.risk"
        path.write_text(Record.of(again.game).text(), encoding="utf-8")
        saved.append(path)
    return saved


# The results of a match as one HTML file: plots as inline SVG, nothing from the network.

LABEL, BAR, NOTE, ROW = 150, 420, 220, 26  # widths and height of a row, in pixels
BINS = 12
STYLE = """\
body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;
color:#222;background:#fff}
table{border-collapse:collapse}td,th{padding:.2rem .7rem;text-align:right}
td:first-child,th:first-child{text-align:left}tr+tr{border-top:1px solid #ccc}
svg{width:100%;height:auto}svg text{font:13px system-ui,sans-serif;fill:currentColor}
.bar{fill:#3a6ea5}.line{stroke:currentColor;stroke-width:2}.fair{stroke:#b5541c;stroke-dasharray:4}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1d20}.bar{fill:#5b8fc6}
.fair{stroke:#e0905c}}
"""
Bar = tuple[str, float, str]  # label, value, note
Whisker = tuple[float, float]


def report(match: Match, blocks: Sequence[Block]) -> str:
    """The page of a match of which at least one block is played."""
    found = player_results(match, blocks)
    games = [game for block in blocks for game in block.games]
    fair = 1 / len(match.players)
    shares = [(one.name, one.win_share, _percents(one)) for one in found]
    seats = [
        (f"{one.name}, seat {seat}", share, f"{share:.1%}")
        for one in found
        for seat, share in enumerate(one.seat_shares, 1)
    ]
    times = [
        (one.name, one.mean_decision_ms, f"{one.mean_decision_ms:.3f} ms, at worst "
         f"{one.worst_decision_ms:.1f} ms")
        for one in found
    ]  # fmt: skip
    sections = (
        ("Share of games won", bars(shares, fair, [(one.low, one.high) for one in found])),
        ("By seat", bars(seats, fair)),
        ("Time of a decision", bars(times)),
        ("Rounds of a game", bars(lengths([game.rounds for game in games]))),
    )
    title = f"{len(games):,} games of {escape(match.preset)}"
    about = escape(
        f"Players: {', '.join(match.players)}. Seeds from {match.seed}. {_options(match)}"
    )
    body = "".join(f"<h2>{name}</h2>{plot}" for name, plot in sections)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{STYLE}</style><h1>{title}</h1><p>{about}</p>{table(found)}{body}</html>\n"
    )


def table(found: Sequence[PlayerResult]) -> str:
    """The figures of all players."""
    headings = ("player", "wins", "95 % interval", "mean rank", "unfinished", "rating")
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    rows = [
        (escape(one.name), f"{one.win_share:.1%}", f"{one.low:.1%} to {one.high:.1%}",
         f"{one.mean_rank:.2f}", f"{one.unfinished:.1%}",
         f"{one.rating:.0f} ({one.rating_low:.0f} to {one.rating_high:.0f})")
        for one in found
    ]  # fmt: skip
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def bars(rows: Sequence[Bar], fair: float | None = None, whiskers: Sequence[Whisker] = ()) -> str:
    """Horizontal bars; `fair` is a dashed line, `whiskers` are the ends of intervals."""
    ends = [high for _, high in whiskers]
    most = max([*(value for _, value, _ in rows), *ends, fair or 0.0]) or 1.0
    width, height = LABEL + BAR + NOTE, ROW * len(rows)
    parts = []
    for number, (label, value, note) in enumerate(rows):
        top, middle = ROW * number + 4, ROW * number + ROW / 2
        parts.append(
            f'<text x="{LABEL - 8}" y="{middle + 5}" text-anchor="end">{escape(label)}</text>'
            f'<rect class="bar" x="{LABEL}" y="{top}" width="{BAR * value / most:.1f}" '
            f'height="{ROW - 8}"/>'
            f'<text x="{LABEL + BAR + 8}" y="{middle + 5}">{escape(note)}</text>'
        )
    for number, (low, high) in enumerate(whiskers):
        middle, left, right = (
            ROW * number + ROW / 2,
            LABEL + BAR * low / most,
            LABEL + BAR * high / most,
        )
        parts.append(
            f'<path class="line" d="M{left:.1f} {middle}H{right:.1f}'
            f'M{left:.1f} {middle - 5}v10M{right:.1f} {middle - 5}v10"/>'
        )
    if fair is not None:
        parts.append(f'<path class="fair" d="M{LABEL + BAR * fair / most:.1f} 0v{height}"/>')
    return f'<svg viewBox="0 0 {width} {height}" role="img">{"".join(parts)}</svg>'


def lengths(rounds: Sequence[int]) -> list[Bar]:
    """How many games lasted how many rounds."""
    edges = np.unique(np.linspace(min(rounds), max(rounds) + 1, BINS + 1).astype(int))
    counts, _ = np.histogram(rounds, edges)
    spans = zip(edges[:-1], edges[1:] - 1, counts, strict=True)
    return [
        (f"{low} to {high}" if low < high else str(low), float(count), str(count))
        for low, high, count in spans
    ]


def _percents(one: PlayerResult) -> str:
    return f"{one.win_share:.1%} ({one.low:.1%} to {one.high:.1%})"


def _options(match: Match) -> str:
    return ", ".join(f"{name}={value}" for name, value in match.options)
