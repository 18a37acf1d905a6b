"""Previews: the exact odds of a whole order text, or of one ATTACK, from what the seat may see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubicon.engine.codes import Refusal
from rubicon.engine.records import HIDDEN, Phase, Position
from rubicon.errors import RubiconError
from rubicon.odds.outlook import Outlook, outlook
from rubicon.odds.rule import MOST_ARMIES, DiceRule, Stop
from rubicon.orders.execute.program import Note, ProgramStep, SeatView
from rubicon.orders.execute.turn import least_odds
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.preview.explorer import (
    Explorer,
    Leg,
    LegEndings,
    PreviewTotals,
    TooMuchWorkError,
    imagined,
)
from rubicon.orders.syntax import AttackOrder, OrderText, StopKind
from rubicon.rules.actions import Attack
from rubicon.rules.board.board import Board
from rubicon.rules.game import Game

# What a preview tells: chances, with an interval where runs were sampled.

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


# A preview in words, a fact a line.


def preview_lines(preview: Preview, board: Board) -> tuple[str, ...]:
    """The sentences of a preview; territories as the board spells them."""
    return tuple(_lines(preview, board))


def _lines(preview: Preview, board: Board) -> Iterator[str]:
    names = {territory.id: territory.name for territory in board.territories}
    if preview.runs is None:
        yield "Exact odds of all orders together; nothing was rolled."
    else:
        yield f"Odds from {preview.runs} sampled runs, with 95 % intervals; nothing was rolled."
    for line, chance in preview.lines:
        yield f"Order {line}: you own its whole path at the end: {chance}."
    for prospect in preview.prospects:
        yield f"{names[prospect.territory]}: {_held(prospect.held, prospect.armies)}."
    yield (
        f"Average losses: {_armies(preview.lost)} of yours, "
        f"{_armies(preview.destroyed)} of your opponents. A card: {preview.card}."
    )
    for colour, chance in preview.eliminated:
        yield f"{colour.capitalize()} is eliminated: {chance}."
    if preview.won.chance > 0:
        yield f"You win the game: {preview.won}."
    for reason, chance in preview.pauses:
        yield f"The orders stop ({chance}): {reason}"
    for note, chance in preview.notes:
        yield f"Order {note.line} ({chance}): {note.message}"
    yield from preview.assumptions


def _held(held: Estimate, armies: float) -> str:
    if held.chance == 0:
        return "never yours"
    return f"yours {held}, then with {_armies(armies)} on average"


def _armies(number: float) -> str:
    shown = f"{number:.1f}"
    return f"{shown} {'army' if shown == '1.0' else 'armies'}"


# Previews: the exact odds of a whole order text, from what the seat may see.
#
# Where an exact answer takes too much work, runs are sampled, and chances come with an interval.

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


# The odds of one ATTACK from a territory against each of its targets, as a seat sees them.

MOST_AT_ONCE = 300  # on a territory: a battle of more takes too long for an answer at once


class TargetOdds(NamedTuple):
    """A territory that can be attacked, and the odds; None where armies are too many or hidden.

    `rule` decides the dice. Defenders who choose their dice are assumed to choose best.
    """

    target: int
    armies: int
    rule: DiceRule
    outlook: Outlook | None


def target_odds(
    game: Game, colour: str, source: str, stop: str = "", *, armies: int | None = None
) -> Iterator[TargetOdds]:
    """The odds against every neighbour of `source` that has another owner, in board order.

    `stop` is what is after the path of an ATTACK: `DICE 2 UNTIL LEFT 3`. `armies` replaces
    the number of armies on `source`. Raises RubiconError: `board/unknown-territory`,
    `odds/bad-stop`, and OrdersError for a stop that cannot be read.
    """
    seat_view, position = SeatView(game, colour), game.view(colour)
    start = game.ruleset.board.index(source)
    standing = int(position.armies[start]) if armies is None else armies
    if armies is not None:
        position.armies[start] = armies
    for target in targets_of(game, position, start):
        order = _order(game, start, target, stop)
        rule = DiceRule.between(
            game.ruleset,
            position,
            start,
            target,
            attack_dice=order.dice or "most",
            defend_dice="best" if _asked(seat_view, position, start, target) else "most",
        )
        defend = int(position.armies[target])
        known = 1 < standing <= MOST_AT_ONCE and 1 <= defend <= MOST_AT_ONCE
        found = outlook(standing, (defend,), rule, stop_of(order)) if known else None
        yield TargetOdds(target, defend, rule, found)


def targets_of(game: Game, position: Position, source: int) -> list[int]:
    """The territories that a territory borders on and that another player owns, or nobody's."""
    adjacent, owner = game.tables.adjacent, position.owner
    neighbours = [n for n in range(len(game.territories)) if adjacent[source, n]]
    return [n for n in neighbours if owner[n] != owner[source]]


def stop_of(order: AttackOrder) -> Stop:
    """The stop rule of a battle that is the whole path of an order."""
    numbers = {kind: [s.number for s in order.stops if s.kind is kind] for kind in StopKind}
    odds = least_odds(order)
    return Stop(
        left=max(1, *numbers[StopKind.LEFT]) if numbers[StopKind.LEFT] else 1,
        lost=min(numbers[StopKind.LOST], default=None),
        rounds=min(numbers[StopKind.ROUNDS], default=None),
        odds=odds / 100 if odds else None,
    )


def _order(game: Game, source: int, target: int, stop: str) -> AttackOrder:
    ids = game.territories
    text = f"ATTACK {ids[source]} -> {ids[target]} {stop}"
    orders = read_orders(text, game.ruleset.board, game.colours)
    whole = len(orders.orders) == 1 and not (orders.requests or orders.ended or orders.warnings)
    order = orders.orders[0] if whole else None
    if isinstance(order, AttackOrder) and order.path == (ids[source], ids[target]):
        return order
    message = f"{stop[:60]!r} does not say how one territory is attacked."
    raise RubiconError("odds/bad-stop", message, "Write what can follow an ATTACK: UNTIL LEFT 3.")


def _asked(seat_view: SeatView, position: Position, source: int, target: int) -> bool:
    """Whether the defender would choose the dice; so too where the attack is not legal now."""
    ids = seat_view.game.territories
    if HIDDEN in (position.armies[source], position.armies[target]):
        return True
    trial = imagined(seat_view, position)
    trial.phase, trial.turn = Phase.ATTACK, position.owner[source]
    trial.unplaced[:] = 0
    action = Attack(ids[source], ids[target], 1)
    if seat_view.refusal(trial, seat_view.code(action)) != Refusal.LEGAL:
        return True
    return bool(seat_view.applied(trial, action).phase == Phase.DEFEND)
