"""Previews: the exact odds of a whole order text, from what the seat may see.

Where an exact answer takes too much work, runs are sampled, and chances come with an interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.position import Phase
from rubicon.errors import RubiconError
from rubicon.odds.limits import MOST_ARMIES
from rubicon.orders.execute.program import ProgramStep
from rubicon.orders.execute.step import Note
from rubicon.orders.order_text import OrderText
from rubicon.orders.preview.explorer import Explorer, PreviewTotals, TooMuchWorkError
from rubicon.orders.syntax import AttackOrder
from rubicon.rules.game.game import Game

MOST_WORK = 5_000.0  # steps
LEAST_SAMPLE = 3_000.0  # steps that a sample may always take
RUNS = 500
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
class Preview:
    """The odds of an order text.

    `runs` is the number of sampled runs, None where everything is exact. `lost` and `destroyed`
    are average numbers of armies. `lines` has, by the number of each order that attacks, the
    chance that the seat owns its whole path at the end. `card` is the chance to earn a card.
    `notes` and `pauses` have the chance that they occur at least once.
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


def preview(
    order_text: OrderText,
    game: Game,
    colour: str,
    *,
    most_work: float = MOST_WORK,
    runs: int = RUNS,
) -> Preview:
    """The odds of orders in a game, from what one seat may see; nothing is rolled.

    Defenders who choose their dice are assumed to choose best. Unknown cards are not foreseen;
    `assumptions` says so. Work is counted in steps, never in time, so that the same question
    always has the same answer. Orders that take more than `most_work` steps are sampled with at
    most `runs` runs. RubiconError, `orders/too-large-to-preview`, where one run takes too much.
    """
    explorer = Explorer(order_text, game, colour)
    drawn = None
    try:
        totals = explorer.explore(most_work)
    except TooMuchWorkError:
        totals, drawn = _sampled(explorer, runs, most_work)
    return _summary(explorer, totals, drawn)


def _sampled(explorer: Explorer, runs: int, most_work: float) -> tuple[PreviewTotals, int]:
    try:
        return explorer.sample(runs, max(most_work, LEAST_SAMPLE))
    except TooMuchWorkError:
        raise RubiconError(
            "orders/too-large-to-preview",
            "These battles are too large for a preview.",
            f"Orders with up to {MOST_ARMIES:,} armies on a territory can be previewed.",
        ) from None


class PreviewEndings:
    """The endings as columns: a row is one ending."""

    def __init__(self, explorer: Explorer, totals: PreviewTotals, runs: int | None) -> None:
        self.seat_view = explorer.seat_view
        self.abstraction = explorer.abstraction
        self.runs = runs
        self.positions = [position for position, _ in totals.endings]
        self.payloads = np.array([payload for _, payload in totals.endings])
        owners = np.array([position.owner for position in self.positions])
        self.held = owners == self.seat_view.seat

    def share(self, holds: npt.NDArray[np.bool_] | list[bool]) -> Estimate:
        """The total chance of the endings for which `holds` is True."""
        return _interval(self.chance(holds), self.runs)

    def chance(self, holds: npt.NDArray[np.bool_] | list[bool]) -> float:
        """The same as a number."""
        return float(self.payloads[np.asarray(holds, bool), 0].sum())

    def path(self, names: tuple[str, ...]) -> Estimate:
        """The chance to own all these territories."""
        return self.share(
            self.held[:, [self.seat_view.territory(name) for name in names]].all(axis=1)
        )

    def prospect(self, name: str) -> TerritoryForecast:
        """The forecast of a territory."""
        t = self.seat_view.territory(name)
        held = self.held[:, t]
        standing = np.array([int(position.armies[t]) for position in self.positions])
        armies = float(self.payloads[held, 0] @ standing[held])
        armies += float(self.payloads[held, self.abstraction.slot[t] + 1].sum())
        chance = float(self.payloads[held, 0].sum())
        return TerritoryForecast(name, self.share(held), armies / chance if chance else 0.0)


def _summary(explorer: Explorer, totals: PreviewTotals, runs: int | None) -> Preview:
    seat_view, ends = explorer.seat_view, PreviewEndings(explorer, totals, runs)
    steps = [step for step in explorer.executor.program if isinstance(step, ProgramStep)]
    attacks = [(step.line, step.order) for step in steps if isinstance(step.order, AttackOrder)]
    named = dict.fromkeys(name for _, order in attacks for name in order.path)
    others = [c for c in seat_view.game.colours if not seat_view.is_out(explorer.start, c)]
    others = [c for c in others if c != seat_view.colour]
    fallen = [(c, ends.share([seat_view.is_out(p, c) for p in ends.positions])) for c in others]
    won = [p.phase == Phase.OVER and p.winner == seat_view.seat for p in ends.positions]
    due = ends.chance([explorer.card_due(position) for position in ends.positions])
    return Preview(
        runs=runs,
        lines=tuple((line, ends.path(order.path)) for line, order in attacks),
        prospects=tuple(ends.prospect(name) for name in named),
        lost=totals.lost,
        destroyed=totals.destroyed,
        card=_interval(due + totals.card, runs),
        eliminated=tuple((colour, chance) for colour, chance in fallen if chance.chance > 0),
        won=ends.share(won),
        notes=tuple(
            (note, _interval(chance, runs))
            for note, chance in sorted(totals.notes.items(), key=_line)
        ),
        pauses=tuple((reason, _interval(chance, runs)) for reason, chance in totals.pauses.items()),
        assumptions=tuple(sorted(totals.assumptions)),
    )


def _line(item: tuple[Note, float]) -> int:
    return item[0].line


def _interval(chance: float, runs: int | None) -> Estimate:
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
