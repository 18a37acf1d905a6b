"""What orders may come to: exact odds of the whole plan, from what the seat may see.

Where an exact answer would be too much work, a sample of runs is drawn, and the interval stated.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.odds.limits import MOST_ARMIES
from rubicon.orders.carrying import Spoils
from rubicon.orders.move import Note
from rubicon.orders.order import AttackOrder
from rubicon.orders.plan import Step
from rubicon.orders.preview_following import Following, Tally, TooMuchWorkError
from rubicon.orders.sheet import Sheet
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.position import Phase
from rubicon.rules.procedures.cards import card_earned

MOST_WORK = 5_000.0  # steps
LEAST_SAMPLE = 3_000.0  # steps that a sample may take in any case
RUNS = 500
SURE = 1.959963984540054  # standard deviations on either side of 95 of 100


@dataclass(frozen=True, slots=True)
class Estimate:
    """A chance; where it was sampled, with the interval that holds it 95 times of 100 (Wilson)."""

    chance: float
    low: float
    high: float

    def __str__(self) -> str:
        if self.low == self.high:
            return _percent(self.chance)
        return f"about {_percent(self.chance)} ({_percent(self.low)} to {_percent(self.high)})"


@dataclass(frozen=True, slots=True)
class Prospect:
    """A territory that the orders name: the chance to hold it at the end, and its armies then."""

    territory: str
    held: Estimate
    armies: float  # on average, where it is held


@dataclass(frozen=True, slots=True)
class Preview:
    """What may become of orders.

    `runs` is None where everything is exact. Losses are averages, in armies. `lines` has, by the
    number of an order that attacks, the chance that its whole path is held at the end, whatever
    other lines do; `notes` the chance that something is noted at least once.
    """

    runs: int | None
    lines: tuple[tuple[int, Estimate], ...]
    prospects: tuple[Prospect, ...]
    lost: float
    destroyed: float
    card: Estimate
    eliminated: tuple[tuple[str, Estimate], ...]
    won: Estimate
    notes: tuple[tuple[Note, Estimate], ...]
    pauses: tuple[tuple[str, Estimate], ...]
    assumptions: tuple[str, ...]


def preview(
    sheet: Sheet,
    game: Game,
    colour: str,
    *,
    spoils: Spoils = Spoils.PAUSE,
    most_work: float = MOST_WORK,
    runs: int = RUNS,
) -> Preview:
    """The odds of orders from where a game stands, seen by one seat; nothing is rolled.

    A defender who is asked gives the answer that is worst for the attack; cards that nobody has
    seen are passed over, and said so. Work is counted in steps, never in time, so that the same
    question has the same answer: what takes more than `most_work` exactly is drawn, at most
    `runs` times. RubiconError, `orders/too-large-to-preview`, where not one run can be followed.
    """
    following = Following(sheet, game, colour, spoils)
    drawn = None
    try:
        tally = following.explore(most_work)
    except TooMuchWorkError:
        tally, drawn = _sampled(following, runs, most_work)
    return _summary(following, tally, drawn)


def _sampled(following: Following, runs: int, most_work: float) -> tuple[Tally, int]:
    try:
        return following.sample(runs, max(most_work, LEAST_SAMPLE))
    except TooMuchWorkError:
        raise RubiconError(
            "orders/too-large-to-preview",
            "These battles are too large to be reckoned ahead.",
            f"Orders with up to {MOST_ARMIES:,} armies on a territory can be previewed.",
        ) from None


class Endings:
    """Where the orders end, as columns: a row is an ending."""

    def __init__(self, following: Following, tally: Tally, runs: int | None) -> None:
        self.sight = following.sight
        self.memory = following.memory
        self.runs = runs
        self.positions = [position for position, _ in tally.endings]
        self.payloads = np.array([payload for _, payload in tally.endings])
        owners = np.array([position.owner for position in self.positions])
        self.held = owners == self.sight.seat

    def share(self, holds: npt.NDArray[np.bool_] | list[bool]) -> Estimate:
        """The chance of the endings for which something holds."""
        return _interval(float(self.payloads[np.asarray(holds), 0].sum()), self.runs)

    def path(self, names: tuple[str, ...]) -> Estimate:
        """The chance to hold all of some territories."""
        return self.share(self.held[:, [self.sight.territory(name) for name in names]].all(axis=1))

    def prospect(self, name: str) -> Prospect:
        """What becomes of a territory."""
        t = self.sight.territory(name)
        held = self.held[:, t]
        standing = np.array([int(position.armies[t]) for position in self.positions])
        armies = float(self.payloads[held, 0] @ standing[held])
        armies += float(self.payloads[held, self.memory.slot[t] + 1].sum())
        chance = float(self.payloads[held, 0].sum())
        return Prospect(name, self.share(held), armies / chance if chance else 0.0)


def _summary(following: Following, tally: Tally, runs: int | None) -> Preview:
    sight, ends = following.sight, Endings(following, tally, runs)
    steps = [step for step in following.carrying.plan if isinstance(step, Step)]
    attacks = [(step.line, step.order) for step in steps if isinstance(step.order, AttackOrder)]
    named = dict.fromkeys(name for _, order in attacks for name in order.path)
    others = [c for c in sight.game.colours if not sight.is_out(following.start, c)]
    others = [c for c in others if c != sight.colour]
    fallen = [(c, ends.share([sight.is_out(p, c) for p in ends.positions])) for c in others]
    won = [p.phase == Phase.OVER and p.winner == sight.seat for p in ends.positions]
    return Preview(
        runs,
        tuple((line, ends.path(order.path)) for line, order in attacks),
        tuple(ends.prospect(name) for name in named),
        tally.lost,
        tally.destroyed,
        ends.share([_earned(following, p) for p in ends.positions]),
        tuple((colour, chance) for colour, chance in fallen if chance.chance > 0),
        ends.share(won),
        tuple(
            (note, _interval(chance, runs))
            for note, chance in sorted(tally.notes.items(), key=_line)
        ),
        tuple((reason, _interval(chance, runs)) for reason, chance in tally.pauses.items()),
        tuple(sorted(tally.assumptions)),
    )


def _line(item: tuple[Note, float]) -> int:
    return item[0].line


def _earned(following: Following, position: Any) -> bool:
    """Whether this turn brings a card; at an end behind the turn, whether it has brought one."""
    sight = following.sight
    if position.turn == sight.seat and position.round_number == following.carrying.round:
        return bool(card_earned(position, sight.rules))
    return bool(position.hand[sight.seat] > following.start.hand[sight.seat])


def _interval(chance: float, runs: int | None) -> Estimate:
    """Exact, or Wilson's interval of a share of so many runs."""
    chance = min(1.0, max(0.0, chance))
    if runs is None:
        return Estimate(chance, chance, chance)
    spread = SURE * sqrt(chance * (1 - chance) / runs + SURE**2 / (4 * runs**2))
    centre = chance + SURE**2 / (2 * runs)
    scale = 1 + SURE**2 / runs
    return Estimate(
        chance, max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
    )


def _percent(chance: float) -> str:
    """A chance in percent; never 0 or 100 where it is not quite so."""
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    if 1 - chance < 1e-12:
        return "100%"
    return f"{min(max(100 * chance, 0.1), 99.9):.1f}%"
