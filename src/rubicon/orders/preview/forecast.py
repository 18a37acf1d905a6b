"""What a preview tells: chances, with an interval where runs were sampled."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from rubicon.orders.execute.step import Note

SURE = 1.959963984540054  # standard deviations of a two-sided 95 % interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A chance with its 95 % interval (Wilson); both ends equal the chance where it is exact."""

    chance: float
    low: float
    high: float

    def __str__(self) -> str:
        if self.low == self.high:
            return _percent(self.chance)
        return f"about {_percent(self.chance)} ({_percent(self.low)} to {_percent(self.high)})"


@dataclass(frozen=True, slots=True)
class TerritoryForecast:
    """A territory that the orders name: the chance to own it at the end, and its armies then."""

    territory: str
    held: Estimate
    armies: float  # on average, where the seat owns it


@dataclass(frozen=True, slots=True)
class LegEnding:
    """An ending of a battle: the attackers left, before any move in, and the chance."""

    armies: int
    taken: bool
    chance: float


@dataclass(frozen=True, slots=True)
class LegForecast:
    """One attack of an order's path: the chance to come to it, and to take its target.

    `endings` add up to `reached`, most armies first. `line` is the order's number.
    """

    line: int
    source: str
    target: str
    reached: Estimate
    taken: Estimate
    endings: tuple[LegEnding, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """The odds of an order text.

    `runs` is the number of sampled runs, None where everything is exact. `lost` and `destroyed`
    are average numbers of armies. `lines` has, by the number of each order that attacks, the
    chance that the seat owns its whole path at the end. `legs` has each attack on its own; battles
    that must be explored roll by roll are not in it. `territories` are all that the orders may
    change, `continents` those that the seat may own at the end. `card` is the chance to earn a
    card. `notes` and `pauses` have the chance that they occur at least once.
    """

    runs: int | None
    lines: tuple[tuple[int, Estimate], ...]
    prospects: tuple[TerritoryForecast, ...]
    lost: float
    destroyed: float
    card: Estimate
    eliminated: tuple[tuple[str, Estimate], ...]
    won: Estimate
    notes: tuple[tuple[Note, Estimate], ...]
    pauses: tuple[tuple[str, Estimate], ...]
    assumptions: tuple[str, ...]
    legs: tuple[LegForecast, ...]
    territories: tuple[TerritoryForecast, ...]
    continents: tuple[tuple[str, Estimate], ...]


def interval(chance: float, runs: int | None) -> Estimate:
    """An exact chance, or Wilson's interval of a share of `runs` runs."""
    chance = min(1.0, max(0.0, chance))
    if runs is None:
        return Estimate(chance, chance, chance)
    # Wilson's interval stays inside 0 to 1 and is good for shares near 0 and 1, where the usual
    # normal interval is empty.
    spread = SURE * sqrt(chance * (1 - chance) / runs + SURE**2 / (4 * runs**2))
    centre = chance + SURE**2 / (2 * runs)
    scale = 1 + SURE**2 / runs
    return Estimate(
        chance, max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
    )


def _percent(chance: float) -> str:
    """A chance in percent; `0%` and `100%` only where it is exactly that."""
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    if 1 - chance < 1e-12:
        return "100%"
    return f"{min(max(100 * chance, 0.1), 99.9):.1f}%"
