"""Draw the figures of docs/strength.md from what was measured.

    python benchmarks/strength_plots.py
    python benchmarks/strength_plots.py --judged challengers/games-1

Writes `docs/images/strength.svg`: shares of games won, from `strength.json` beside this file; and
`docs/images/reliability.svg`: how often seats won that were given a chance, from the card of the
value model and from `reliability.json`. `--judged` makes that file anew, from a folder of games
between copies of the strongest bot, which `research.exploiter` plays.
"""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from research.fitting import calibration, chances_of, model_of
from research.playing import read_parts
from rubicon.players.planner.value import LEARNED

HERE = Path(__file__).parent
IMAGES = HERE.parent / "docs" / "images"
SHARES, RELIABILITY = HERE / "strength.json", HERE / "reliability.json"
STYLE = """\
  .page { fill: #fbfaf7; stroke: #d8d4ca; }
  text { font-family: system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; fill: #26241f; }
  .title { font-size: 17px; font-weight: 600; }
  .label { font-size: 13px; }
  .note { font-size: 12px; fill: #66624f; }
  .bar { fill: #1f6f8b; }
  .dot { fill: #1f6f8b; fill-opacity: 0.85; }
  .ends { stroke: #26241f; stroke-width: 1.5; fill: none; }
  .fair { stroke: #c8622d; stroke-width: 2; }
  .grid { stroke: #e7e3d8; }
  .axis { stroke: #8c8775; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #1b1d20; stroke: #3a3d42; }
    text { fill: #efece4; }
    .note { fill: #b3ae9f; }
    .bar, .dot { fill: #5bb4d1; }
    .ends { stroke: #efece4; }
    .fair { stroke: #e98a57; }
    .grid { stroke: #34373b; }
    .axis { stroke: #85817a; }
  }
"""
ROW, LEFT, WIDE = 24, 330, 320  # height of a bar's row, its left end, the width of 100 %
PANEL = 270  # the side of a reliability panel
SIZES = ("six", "five", "four", "three")
SHOWN = (
    *(f"{players}-{cards}" for cards in ("rising", "fixed") for players in SIZES),
    *("six-plus-one", "five-hunters-rising", "five-hunters-fixed"),
    *("two-player-hunter", "two-player-50-hunter"),
    *("revised", "secret-mission", "capital", "email"),
)


@dataclass(frozen=True, slots=True)
class Dot:
    """Seats that were given about the same chance."""

    said: float
    won: float
    seats: int


def svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    """A picture with a page behind it, for light and dark surroundings."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{title}">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n'
        f'<rect class="page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def text(x: float, y: float, words: str, style: str, anchor: str = "start") -> str:
    """One line of text."""
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


def label_of(found: dict[str, Any]) -> str:
    """What a match is called beside its bar."""
    return str(found["label"]).replace("`", "")


def bar(row: int, found: dict[str, Any]) -> list[str]:
    """One match: its label, the share with the ends of its interval, and the fair share."""
    top = 74 + ROW * row
    middle = top + ROW / 2 - 3
    low, share, high, fair = (
        LEFT + WIDE * found[key] for key in ("low", "win_share", "high", "fair")
    )
    words = f"{100 * found['win_share']:.0f} %, {found['games']} games"
    return [
        text(LEFT - 10, middle + 4, label_of(found), "label", "end"),
        f'<rect class="bar" x="{LEFT}" y="{top}" width="{share - LEFT:.1f}" height="{ROW - 7}"/>',
        f'<path class="ends" d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {middle - 5}v10'
        f'M{high:.1f} {middle - 5}v10"/>',
        f'<path class="fair" d="M{fair:.1f} {top - 2}v{ROW - 3}"/>',
        text(LEFT + WIDE + 12, middle + 4, words, "note"),
    ]


def shares_picture(results: Sequence[dict[str, Any]]) -> str:
    """Bars for some of the matches."""
    by_name = {one["name"]: one for one in results}
    shown = [by_name[name] for name in SHOWN if name in by_name]
    bottom = 74 + ROW * len(shown)
    parts = [
        text(24, 32, "Games that the strongest bot wins against scripted bots", "title"),
        text(24, 52, "Black: 95 % interval. Orange: the fair share.", "note"),
    ]
    for tenth in range(0, 11, 2):
        x = LEFT + WIDE * tenth / 10
        parts.append(f'<path class="grid" d="M{x} 68V{bottom}"/>')
        parts.append(text(x, bottom + 18, f"{10 * tenth} %", "note", "middle"))
    for row, one in enumerate(shown):
        parts += bar(row, one)
    return svg(790, bottom + 32, "Shares of games won by the strongest bot", parts)


def panel(left: float, title: str, dots: Sequence[Dot]) -> list[str]:
    """Chances said against shares won; the diagonal is where they are equal."""
    top, bottom = 92, 92 + PANEL
    parts = [text(left, 78, title, "label")]
    for tenth in range(0, 11, 2):
        x, y = left + PANEL * tenth / 10, bottom - PANEL * tenth / 10
        parts.append(f'<path class="grid" d="M{x} {top}V{bottom}M{left} {y}H{left + PANEL}"/>')
        parts.append(text(x, bottom + 18, f"{10 * tenth}", "note", "middle"))
        parts.append(text(left - 8, y + 4, f"{10 * tenth}", "note", "end"))
    parts.append(f'<path class="fair" d="M{left} {bottom}L{left + PANEL} {top}"/>')
    parts.append(text(left + PANEL / 2, bottom + 36, "chance that was said, %", "note", "middle"))
    for dot in dots:
        x, y = left + PANEL * dot.said, bottom - PANEL * dot.won
        note = f"{dot.said:.1%} said, {dot.won:.1%} won, {dot.seats} seats"
        parts.append(
            f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="5"><title>{note}</title></circle>'
        )
    return parts


def reliability_picture(card: dict[str, Any], judged: Sequence[Dot]) -> str:
    """Games that the fit did not see, and games between copies of the strongest bot."""
    parts = [
        text(24, 32, "Do the value model's chances come true?", "title"),
        text(24, 52, "Each dot: seats in a tenth of chances. Up: share that won, %.", "note"),
        *panel(60, "scripted bots, games the fit did not see", dots_of_card(card)),
        *panel(60 + PANEL + 70, "six of the strongest, rising cards", judged),
    ]
    return svg(2 * PANEL + 170, 420, "Reliability of the value model", parts)


def dots_of_card(card: dict[str, Any]) -> list[Dot]:
    """The calibration of a model's card, over all numbers of players."""
    lines = [line for one in card["by seats that play"].values() for line in one["calibration"]]
    found = [tuple(map(float, re.findall(r"[\d.]+", line))) for line in lines]
    dots = []
    for tenth in range(10):
        some = [one for one in found if tenth / 10 <= one[0] < (tenth + 1) / 10 + (tenth == 9)]
        seats = sum(count for _, _, count in some)
        if seats:
            said = sum(said * count for said, _, count in some) / seats
            won = sum(won * count for _, won, count in some) / seats
            dots.append(Dot(said, won, int(seats)))
    return dots


def judge(folder: Path) -> None:
    """Write how often seats won in games of a folder, by the chance that the model gave them."""
    examples = read_parts(folder)
    found = calibration(chances_of(model_of(LEARNED), examples), examples)
    RELIABILITY.write_text(json.dumps(found) + "\n", encoding="utf-8")


def main(given: Sequence[str] | None = None) -> int:
    """Draw both pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--judged", type=Path, help="a folder of games between strongest bots")
    asked = parser.parse_args(given)
    if asked.judged:
        judge(asked.judged)
    results = json.loads(SHARES.read_text(encoding="utf-8"))
    (IMAGES / "strength.svg").write_text(shares_picture(results), encoding="utf-8")
    judged = [Dot(*one) for one in json.loads(RELIABILITY.read_text(encoding="utf-8"))]
    card = json.loads((files("rubicon.players.planner") / "weights.json").read_text())
    (IMAGES / "reliability.svg").write_text(reliability_picture(card, judged), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
