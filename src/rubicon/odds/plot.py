"""Odds as bars: in a terminal, and as an SVG without scripts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from rubicon.odds.battle import Battle
from rubicon.odds.campaign import Campaign, targets_text

# Histograms: distributions as bars that fit a terminal or an SVG.

RARE = 0.0005  # rarer numbers of armies are gathered in the outermost bars


@dataclass(frozen=True, slots=True)
class Bar:
    """The chance that a number of armies lies from `low` to `high`."""

    low: int
    high: int
    chance: float

    @property
    def label(self) -> str:
        """`3`, or `3–5`."""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


def captured(battle: Battle[float] | Battle[Fraction]) -> dict[int, float]:
    """The distribution of the attackers left after a capture."""
    return {line.attack: float(line.chance) for line in battle.lines if line.defend == 0}


def held(battle: Battle[float] | Battle[Fraction]) -> dict[int, float]:
    """The distribution of the defenders left where the territory is not captured."""
    chances: dict[int, float] = {}
    for line in battle.lines:
        if line.defend:
            chances[line.defend] = chances.get(line.defend, 0.0) + float(line.chance)
    return chances


def bars(chances: Mapping[int, float], most: int) -> list[Bar]:
    """At most `most` bars over the numbers with a chance above 0, the smallest first."""
    numbers = sorted(number for number, chance in chances.items() if chance > 0)
    if not numbers:
        return []
    # Rare numbers would stretch the axis, so they join the outermost bars.
    usual = [number for number in numbers if chances[number] >= RARE] or [numbers[0], numbers[-1]]
    first, last = usual[0], usual[-1]
    width = -(-(last - first + 1) // most)  # rounded up
    edges = list(range(first, last + 1, width))
    lows = [numbers[0], *edges[1:]]
    highs = [*(edge - 1 for edge in edges[1:]), numbers[-1]]
    return [
        Bar(low, high, sum(chance for n, chance in chances.items() if low <= n <= high))
        for low, high in zip(lows, highs, strict=True)
    ]


def shared_bars(groups: Sequence[Mapping[int, float]], most: int) -> list[list[Bar]]:
    """Several distributions in at most `most` bars together; a wider one gets more of them."""
    widths = [sum(chance >= RARE for chance in group.values()) or bool(group) for group in groups]
    every = max(sum(widths), 1)
    shares = [max(1, most * width // every) for width in widths]
    return [bars(group, share) for group, share in zip(groups, shares, strict=True)]


def percent(chance: float) -> str:
    """A chance in percent; `0 %` and `100 %` only where it is exactly that."""
    if chance <= 0 or chance >= 1:
        return f"{100 * chance:.0f} %"
    for digits in (1, 2, 3, 4):
        text = f"{100 * chance:.{digits}f}"
        if 0 < float(text) < 100:
            return f"{text} %"
    return "under 0.0001 %" if chance < 0.5 else "over 99.9999 %"


# The odds as an SVG without scripts, legible on light and dark pages.

WIDTH, HEIGHT = 720, 400
MARGIN = 32
COLUMNS = 40  # the most in one histogram
FLOOR = 310  # y of the axis
TALLEST = 170
CAPTION = 196  # width
ROW = 34  # height of a territory
STYLE = """\
  .page { fill: #fbfaf7; stroke: #d8d4ca; }
  text { font-family: system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; fill: #26241f; }
  .title { font-size: 17px; font-weight: 600; }
  .large { font-size: 46px; font-weight: 700; }
  .note { font-size: 13px; fill: #66624f; }
  .small { font-size: 11px; fill: #66624f; }
  .won { fill: #1f6f8b; }
  .lost { fill: #c8622d; }
  .empty { fill: #e7e3d8; }
  .axis { stroke: #8c8775; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #1b1d20; stroke: #3a3d42; }
    text { fill: #efece4; }
    .note, .small { fill: #b3ae9f; }
    .won { fill: #5bb4d1; }
    .lost { fill: #e98a57; }
    .empty { fill: #34373b; }
    .axis { stroke: #85817a; }
  }
"""


def battle_svg(battle: Battle[float] | Battle[Fraction]) -> str:
    """The endings of a battle as columns: not captured on the left, captures on the right."""
    win = float(battle.win)
    title = f"{battle.attack:,} against {battle.defend:,}"
    parts = [
        *_heading(title, f"{battle.rule}, to {battle.stop}", win, "the territory is captured"),
        *_losses(float(battle.expected_attack_losses), float(battle.expected_defend_losses)),
        *_columns(battle),
    ]
    return _page(f"{title}: {percent(win)} to capture", HEIGHT, parts)


def campaign_svg(campaign: Campaign) -> str:
    """The chance of every territory as a bar, from top to bottom."""
    title = f"{campaign.attack:,} against {targets_text(campaign.targets)}"
    win = percent(campaign.win)
    note = f"{campaign.rule}, each to {campaign.stop}"
    parts = [
        *_heading(title, note, campaign.win, "everything is taken"),
        *_losses(campaign.expected_attack_losses, campaign.expected_defend_losses),
        *_rows(campaign),
    ]
    height = 150 + ROW * len(campaign.stages) + MARGIN // 2
    return _page(f"{title}: {win} to take everything", height, parts)


def _page(title: str, height: int, parts: Iterable[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}">'
    )
    frame = (
        f'<rect class="page" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="10"/>'
    )
    body = [f"<title>{escape(title)}</title>", f"<style>\n{STYLE}</style>", frame, *parts]
    return "\n".join([head, *body, "</svg>", ""])


def _heading(title: str, note: str, win: float, meaning: str) -> Iterable[str]:
    yield _text(MARGIN, 44, title, "title")
    yield _text(MARGIN, 65, note, "note")
    yield _text(MARGIN, 118, percent(win), "large")
    yield _text(MARGIN, 138, meaning, "note")


def _losses(attack: float, defend: float) -> Iterable[str]:
    right = WIDTH - MARGIN
    yield _text(right, 44, "expected losses", "note", "end")
    yield _text(right, 65, f"attacker {attack:.1f}", "note", "end")
    yield _text(right, 84, f"defender {defend:.1f}", "note", "end")


def _columns(battle: Battle[float] | Battle[Fraction]) -> Iterable[str]:
    """The columns with their axis and captions."""
    against, won = shared_bars([held(battle), captured(battle)], COLUMNS)
    against.reverse()
    count = len(against) + len(won)
    gap = MARGIN if against and won else 0
    width = min((WIDTH - 2 * MARGIN - gap) / count, 60.0)
    left = (WIDTH - count * width - gap) / 2
    top = max(bar.chance for bar in (*against, *won))
    middle = left + len(against) * width + gap
    yield from _group(against, left, width, top, "lost")
    yield from _group(won, middle, width, top, "won")
    near, far = _captions(left + len(against) * width / 2, middle + len(won) * width / 2)
    for bars, x, css, whose in ((against, near, "lost", "defender"), (won, far, "won", "attacker")):
        if bars:
            share = percent(sum(bar.chance for bar in bars))
            yield _text(x, FLOOR + 44, f"armies left to the {whose}", "note", "middle")
            yield _text(x, FLOOR + 66, share, f"title {css}", "middle")


def _captions(left: float, right: float) -> tuple[float, float]:
    """The x of both captions, moved so that they neither leave the page nor overlap."""
    left = min(max(left, CAPTION / 2), WIDTH - CAPTION / 2)
    right = min(max(right, CAPTION / 2), WIDTH - CAPTION / 2)
    missing = max(CAPTION - (right - left), 0)
    before = min(missing / 2, left - CAPTION / 2)
    after = min(missing - before, WIDTH - CAPTION / 2 - right)
    return left - (missing - after), right + after


def _group(bars: Sequence[Bar], left: float, width: float, top: float, css: str) -> Iterable[str]:
    if not bars:
        return
    wide = max(len(bar.label) for bar in bars) * 6.2 + 4
    # Labels are about 6.2 units a character; show only every n-th, so that they do not overlap.
    every = max(1, -(-int(wide) // max(int(width), 1)))
    for number, bar in enumerate(bars):
        x = left + number * width
        height = max(TALLEST * bar.chance / top, 0.75)  # a rare result still shows
        yield (
            f'<rect class="{css}" x="{x + 0.06 * width:.2f}" y="{FLOOR - height:.2f}" '
            f'width="{0.88 * width:.2f}" height="{height:.2f}" rx="{min(2.0, 0.2 * width):.2f}">'
            f"<title>{bar.label}: {percent(bar.chance)}</title></rect>"
        )
        if width >= 30:
            share = percent(bar.chance).removesuffix(" %")
            yield _text(x + width / 2, FLOOR - height - 5, share, "small", "middle")
        if number % every == 0:
            yield _text(x + width / 2, FLOOR + 17, bar.label, "small", "middle")
    right = left + len(bars) * width
    yield f'<line class="axis" x1="{left:.2f}" y1="{FLOOR}" x2="{right:.2f}" y2="{FLOOR}"/>'


def _rows(campaign: Campaign) -> Iterable[str]:
    """A bar for each territory, indented where the path has divided."""
    start, full = 190, WIDTH - MARGIN - 190 - 70
    depths: list[int] = []
    for number, stage in enumerate(campaign.stages):
        depth = 0 if campaign.is_path else depths[stage.source] + 1 if stage.source >= 0 else 0
        depths.append(depth)
        y = 160 + ROW * number
        defend = stage.target.defend
        armies = f"{defend:,} arm{'y' if defend == 1 else 'ies'}"
        yield _text(MARGIN + 16 * depth, y + 16, f"{number + 1}. {armies}", "note")
        yield f'<rect class="empty" x="{start}" y="{y}" width="{full}" height="22" rx="3"/>'
        wide = full * stage.taken
        yield f'<rect class="won" x="{start}" y="{y}" width="{wide:.2f}" height="22" rx="3"/>'
        yield _text(WIDTH - MARGIN, y + 16, percent(stage.taken), "note", "end")


def _text(x: float, y: float, text: str, css: str, anchor: str = "start") -> str:
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{css}" x="{x:g}" y="{y:g}"{place}>{escape(text)}</text>'
