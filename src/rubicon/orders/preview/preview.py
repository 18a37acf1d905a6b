"""Previews: the exact odds of a whole order text, from what the seat may see.

Where an exact answer takes too much work, runs are sampled, and chances come with an interval.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.position import Phase, Position
from rubicon.errors import RubiconError
from rubicon.odds.limits import MOST_ARMIES
from rubicon.orders.execute.program import ProgramStep
from rubicon.orders.execute.seat_view import SeatView
from rubicon.orders.execute.step import Note
from rubicon.orders.order_text import OrderText
from rubicon.orders.preview.explorer import (
    Explorer,
    Leg,
    LegEndings,
    PreviewTotals,
    TooMuchWorkError,
)
from rubicon.orders.preview.forecast import (
    Estimate,
    LegEnding,
    LegForecast,
    Preview,
    TerritoryForecast,
    interval,
)
from rubicon.orders.syntax import AttackOrder
from rubicon.rules.game.game import Game

MOST_WORK = 5_000.0  # steps
LEAST_SAMPLE = 3_000.0  # steps that a sample may always take
RUNS = 500


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
        self.owners = np.array([position.owner for position in self.positions])
        self.held = np.equal(self.owners, self.seat_view.seat)

    def share(self, holds: npt.NDArray[np.bool_] | list[bool]) -> Estimate:
        """The total chance of the endings for which `holds` is True."""
        return interval(self.chance(holds), self.runs)

    def chance(self, holds: npt.NDArray[np.bool_] | list[bool]) -> float:
        """The same as a number."""
        return float(self.payloads[np.asarray(holds, bool), 0].sum())

    def path(self, names: tuple[str, ...]) -> Estimate:
        """The chance to own all these territories."""
        places = [self.seat_view.territory(name) for name in names]
        return self.share(np.asarray(self.held[:, places].all(axis=1), bool))

    def prospect(self, name: str) -> TerritoryForecast:
        """The forecast of a territory."""
        t = self.seat_view.territory(name)
        held = self.held[:, t]
        standing = np.array([int(position.armies[t]) for position in self.positions])
        armies = float(self.payloads[held, 0] @ standing[held])
        if t in self.abstraction.slot:  # of others every army is in the positions
            armies += float(self.payloads[held, self.abstraction.slot[t] + 1].sum())
        chance = float(self.payloads[held, 0].sum())
        return TerritoryForecast(name, self.share(held), armies / chance if chance else 0.0)

    def changed(self, start: Position) -> list[str]:
        """The territories that have another owner or other armies at some end than now."""
        armies = np.array([position.armies for position in self.positions])
        differs = (armies != start.armies).any(axis=0) | (self.owners != start.owner).any(axis=0)
        differs[self.abstraction.tracked] |= self.payloads[:, 1:].any(axis=0)
        names = self.seat_view.game.territories
        return [name for name, changed in zip(names, differs, strict=False) if changed]

    def continents(self) -> Iterator[tuple[str, Estimate]]:
        """The continents that the seat may own, with the chance."""
        for continent in self.seat_view.game.ruleset.board.continents:
            owned = np.asarray(self.held[:, list(continent.territories)].all(axis=1), bool)
            if owned.any():
                yield continent.id, self.share(owned)


def _leg(seat_view: SeatView, leg: Leg, endings: LegEndings, runs: int | None) -> LegForecast:
    names = seat_view.game.territories
    found = [LegEnding(left, taken, chance) for (taken, left), chance in endings.items()]
    return LegForecast(
        line=leg.line,
        source=names[leg.source],
        target=names[leg.target],
        reached=interval(sum(one.chance for one in found), runs),
        taken=interval(sum(one.chance for one in found if one.taken), runs),
        endings=tuple(sorted(found, key=lambda one: (-one.armies, not one.taken))),
    )


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
        card=interval(due + totals.card, runs),
        eliminated=tuple((colour, chance) for colour, chance in fallen if chance.chance > 0),
        won=ends.share(won),
        notes=tuple(
            (note, interval(chance, runs))
            for note, chance in sorted(totals.notes.items(), key=_line)
        ),
        pauses=tuple((reason, interval(chance, runs)) for reason, chance in totals.pauses.items()),
        assumptions=tuple(sorted(totals.assumptions)),
        legs=tuple(
            _leg(seat_view, leg, endings, runs) for leg, endings in sorted(totals.legs.items())
        ),
        territories=tuple(ends.prospect(name) for name in ends.changed(explorer.start)),
        continents=tuple(ends.continents()),
    )


def _line(item: tuple[Note, float]) -> int:
    return item[0].line
