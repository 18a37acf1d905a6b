"""Histograms: distributions as bars that fit a terminal or an SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rubicon.odds.battle import Battle

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
