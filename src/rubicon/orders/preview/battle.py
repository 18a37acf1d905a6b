"""A whole battle of an ATTACK as one step: every ending that later orders can distinguish,
with its chance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rubicon.engine.apply import settle
from rubicon.engine.attack import most_defence_dice
from rubicon.engine.codes import DEFENCE_BITS
from rubicon.engine.records import NONE, TERRITORIES, Phase, Position, copy_position
from rubicon.odds.distribution import STOP
from rubicon.odds.rule import AMPLE, MOST_ARMIES, DiceRule, roll_table
from rubicon.orders import syntax
from rubicon.orders.execute.executor import Decision, OrderExecutor
from rubicon.orders.execute.program import (
    ConditionalJump,
    Jump,
    Program,
    ProgramStep,
    Progress,
    SeatView,
)
from rubicon.orders.execute.stop_odds import armies_to_move, path_odds
from rubicon.orders.execute.turn import advance_of, least_odds, rolled, rounds_left, stop_levels
from rubicon.orders.preview.battle_solver import (
    BattleOutcomes,
    BattleSolver,
    BattleSpec,
    EndingColumns,
    Payload,
    Starts,
    battle_rolls,
)
from rubicon.rules.actions import Attack, DefendWith, Occupy, faces_code

# State abstraction: how many armies on each territory the later orders can distinguish.
#
# More armies than that are kept as an average, so that positions which differ in nothing else
# become one state. This keeps a preview exact and small.

ALL = np.iinfo(np.int32).max  # every number of armies is distinguished
PAIR = 2  # armies that a fortification and some missions need

Counts = npt.NDArray[np.int32]


class Abstraction:
    """For each step of a program, the number of armies on each territory that still matters."""

    def __init__(self, seat_view: SeatView, program: Program, start: Position) -> None:
        self.seat_view = seat_view
        self.program = program
        named = {name for step in program for name in _named(step)}
        self.tracked = np.array(sorted(map(seat_view.territory, named)), np.int64)
        self.slot = {int(t): at for at, t in enumerate(self.tracked)}
        # From the last step backward: each step adds the armies that its order needs.
        least = np.full(TERRITORIES, self._least(start), np.int32)
        self._caps = [least]
        for step in reversed(program):
            self._caps.append(self._before(step, self._caps[-1]))
        self._caps.reverse()
        self._known: dict[tuple[int, int, bool], tuple[Counts, Counts]] = {}

    def caps(self, progress: Progress) -> Counts:
        """By territory, the number of armies that matters from a progress on."""
        return self._both(progress)[0]

    def tracked_caps(self, progress: Progress) -> Counts:
        """The same for the tracked territories only, which the orders name."""
        return self._both(progress)[1]

    def _both(self, progress: Progress) -> tuple[Counts, Counts]:
        key = progress.at, progress.part, progress.start > 0
        if key not in self._known:
            caps = self._from(progress)
            self._known[key] = caps, caps[self.tracked]
        return self._known[key]

    def _from(self, progress: Progress) -> Counts:
        at = min(progress.at, len(self.program))
        step = self.program[at] if at < len(self.program) else None
        order = step.order if isinstance(step, ProgramStep) else None
        if not isinstance(order, syntax.AttackOrder) or not progress.part:
            return self._caps[at]
        if progress.start:  # LOST counts every army
            return np.full(TERRITORIES, ALL, np.int32)
        caps = self._caps[at + 1].copy()
        caps[[self.seat_view.territory(name) for name in order.path[progress.part :]]] = ALL
        return caps

    def _least(self, start: Position) -> int:
        """The number of armies that the rules themselves distinguish at the end of a turn."""
        rules = self.seat_view.rules
        if rules.army_cap or rules.game_round_limit:  # both count every army on the board
            return ALL
        return PAIR if rules.missions_in_play or not self._fortifiable(start) else 1

    def _fortifiable(self, start: Position) -> bool:
        """Whether a fortification is possible whatever happens on the tracked territories."""
        tables, seat = self.seat_view.tables, self.seat_view.seat
        still = set(range(len(self.seat_view.game.territories))) - set(self.slot)
        own = {t for t in still if start.owner[t] == seat}
        return any(
            start.armies[t] >= PAIR and int(tables.neighbour[t, i]) in own
            for t in own
            for i in range(int(tables.degree[t]))
        )

    def _before(self, step: ProgramStep | ConditionalJump | Jump, behind: Counts) -> Counts:
        caps = behind.copy()
        if isinstance(step, ConditionalJump) and isinstance(step.test, syntax.Holds):
            at = self.seat_view.territory(step.test.territory)
            caps[at] = max(caps[at], min(step.test.number + 1, ALL))
        elif isinstance(step, ProgramStep):
            self._order(caps, step.order)
        return caps

    def _order(self, caps: Counts, order: syntax.SimpleOrder) -> None:
        if isinstance(order, syntax.AttackOrder):
            caps[[self.seat_view.territory(name) for name in order.path]] = ALL
        elif isinstance(order, syntax.FortifyOrder | syntax.ManoeuvreOrder):
            source, target = map(self.seat_view.territory, (order.source, order.target))
            if isinstance(order.armies, syntax.AllBut):
                moved, stay = int(caps[target]), max(order.armies.stay, 1)
            else:
                moved, stay = order.armies, max(int(caps[source]), 1)
            caps[source] = max(caps[source], min(moved + stay, ALL))


def _named(step: ProgramStep | ConditionalJump | Jump) -> tuple[str, ...]:
    order = step.order if isinstance(step, ProgramStep) else None
    if isinstance(order, syntax.AttackOrder):
        return order.path
    if isinstance(order, syntax.FortifyOrder | syntax.ManoeuvreOrder):
        return order.source, order.target
    return ()


# A whole battle of an ATTACK as one step: every ending, with its chance.
#
# The engine makes one position of each kind of ending, and `rubicon.odds` computes the chances.
# The result equals that of exploring the battle roll by roll
# (tests/orders/preview/test_preview_exact).

CODE = 32  # bits of a number of armies, where two of them are packed into one integer


class Branch(NamedTuple):
    """Successor positions that differ only in the armies on `front`; -1 for a single position."""

    progress: Progress
    position: Position
    front: int
    payloads: Starts  # by the armies on the front


@dataclass(frozen=True, slots=True)
class BattlePreview:
    """A battle that is about to begin."""

    before: Progress
    behind: Progress  # after its first roll
    order: syntax.AttackOrder
    source: int
    target: int
    pending: Position  # the position in which the first roll is pending
    spec: BattleSpec

    @property
    def leg(self) -> int:
        """The leg of the path that is attacked."""
        return self.behind.part

    @property
    def goes_on(self) -> bool:
        """Whether the path goes on after the target."""
        return self.leg + 2 < len(self.order.path)

    @property
    def asked(self) -> bool:
        """Whether the defender chooses the dice."""
        return self.spec.rule.defend_dice == "best"


@dataclass(slots=True)
class BattleResult:
    """The successors of a battle, and its average losses in armies."""

    branches: list[Branch]
    lost: float = 0.0
    destroyed: float = 0.0
    # By whether the territory was taken and the attackers left, before any move in: the chance.
    endings: dict[tuple[bool, int], float] = field(default_factory=lambda: defaultdict(float))


class Battles:
    """Computes the battles of some orders."""

    def __init__(self, executor: OrderExecutor, abstraction: Abstraction) -> None:
        self.executor = executor
        self.seat_view = executor.seat_view
        self.abstraction = abstraction
        self._solver = BattleSolver()

    def begun(
        self, before: Progress, decision: Decision, position: Position
    ) -> BattlePreview | None:
        """The battle that a decision begins; None where it must be explored roll by roll."""
        step, action, seat_view = (
            self.executor.step(decision.progress),
            decision.action,
            self.seat_view,
        )
        if not isinstance(action, Attack) or not isinstance(step, ProgramStep):
            return None
        order = step.order
        source, target = seat_view.territory(action.source), seat_view.territory(action.target)
        # An army cap makes a battle depend on armies elsewhere, and MOST_ARMIES bounds the memory.
        huge = max(position.armies[source], position.armies[target]) > MOST_ARMIES
        if not isinstance(order, syntax.AttackOrder) or huge or seat_view.rules.army_cap:
            return None
        pending = self.seat_view.applied(position, action)
        asked = bool(pending.phase == Phase.DEFEND)
        if asked and seat_view.acts(pending):
            return None
        if asked:
            # Any answer: it gives the position its form, and the solver chooses the dice.
            pending = self.seat_view.applied(pending, DefendWith(1))
        elif pending.defence_dice != most_defence_dice(position, seat_view.rules, target):
            return None
        spec = self._spec(before, order, position, (source, target), asked)
        # Scaled odds change from roll to roll in other ways than the solver's table.
        if spec.odds is not None and spec.odds.scale != 1.0:
            return None
        return BattlePreview(
            before=before,
            behind=decision.progress,
            order=order,
            source=source,
            target=target,
            pending=pending,
            spec=spec,
        )

    def _spec(
        self,
        before: Progress,
        order: syntax.AttackOrder,
        position: Position,
        ends: tuple[int, int],
        asked: bool,
    ) -> BattleSpec:
        rule = DiceRule.between(
            self.seat_view.game.ruleset,
            position,
            *ends,
            attack_dice=order.dice or "most",
            defend_dice="best" if asked else "most",
        )
        left, floor = stop_levels(self.seat_view, position, order, before)
        least, odds = least_odds(order), None
        if least is not None:
            odds = path_odds(self.seat_view, position, order, before.part, left=left, floor=floor)
        rounds = rounds_left(order, before)
        counted = rounds is not None and before.part + 2 < len(order.path)
        defend = int(position.armies[ends[1]])
        return BattleSpec(
            rule=rule,
            defend=defend,
            floor=max(left, floor or 0),
            least=least or 0,
            odds=odds,
            rounds=rounds,
            counted=counted,
        )

    def fought(
        self,
        battle: BattlePreview,
        position: Position,
        starts: Starts,
        rng: np.random.Generator | None = None,
    ) -> BattleResult:
        """Every ending of a battle, by the armies that begin it; with `rng` one drawn ending."""
        spec = battle.spec
        policy = self._solver.policy(spec, max(starts))
        unrolled = {n: p for n, p in starts.items() if policy[n, spec.defend] == STOP}
        rolling = {n: p for n, p in starts.items() if policy[n, spec.defend] != STOP}
        after = BattleResult([])
        for armies, payload in unrolled.items():
            after.endings[False, armies] += float(payload[0])
        if unrolled:
            behind = battle.behind.behind()
            after.branches.append(Branch(behind, position, battle.source, unrolled))
        if rolling:
            if rng is None:
                outcomes = self._solver.all_endings(spec, rolling)
            else:
                outcomes = self._solver.one_ending(spec, rolling, rng)
            _count(after, rolling, outcomes, spec.defend)
            after.branches += self._held(battle, outcomes.held)
            for number, captures in outcomes.won:
                after.branches += self._won(battle, number, captures)
        return after

    def _held(self, battle: BattlePreview, endings: EndingColumns) -> list[Branch]:
        """The endings without a capture: a stop, or no army to spare."""
        if not len(endings.attack):
            return []
        progress = battle.behind.behind()
        # Any roll leads to the position after the battle, if no army there can be the last one.
        many = {battle.source: AMPLE * 9, battle.target: AMPLE * 9}
        rest = _with(battle.pending, many)
        outcome = battle_rolls(self.seat_view.game.ruleset, rest)[0][0]
        settle(rest, self.seat_view.rules, self.seat_view.tables, outcome)
        return [
            Branch(progress, _with(rest, {battle.source: attack}), battle.target, payloads)
            for attack, payloads in self._gathered(battle, progress, endings).items()
        ]

    def _won(self, battle: BattlePreview, number: int, captures: EndingColumns) -> list[Branch]:
        """The captures. Where a capture has no other effect, the occupation is included."""
        if not len(captures.attack):
            return []
        count = rolled(battle.order, battle.before.rolled + number)
        behind = battle.behind._replace(rolled=count)
        wanted, left, dice = advance_of(battle.order, battle.leg), captures.attack, captures.other
        fewest = roll_table(battle.spec.rule).occupy[np.minimum(left, AMPLE), dice]
        moved = (
            fewest if isinstance(wanted, syntax.LeftOpen) else armies_to_move(wanted, left, fewest)
        )
        # Phase and elimination are the same for all captures, so one position shows them. Missions
        # may depend on the armies that stay; then the executor decides every occupation.
        sample = self._captured(battle, int(left[0]), int(dice[0]))
        clear = np.full(len(left), sample.phase == Phase.OCCUPY and sample.eliminated == NONE)
        if isinstance(wanted, syntax.LeftOpen) or self.seat_view.rules.missions_in_play:
            clear[:] = False
        if isinstance(wanted, int):
            clear &= moved == wanted
        branches = []
        for row in np.flatnonzero(~clear).tolist():  # the executor decides these occupations
            position = self._captured(battle, int(left[row]), int(dice[row]))
            branches.append(Branch(behind, position, -1, {0: captures.payloads[row]}))
        if clear.any():
            occupied = EndingColumns(left - moved, moved, captures.payloads)
            occupied = EndingColumns(*(column[clear] for column in occupied))
            branches += self._occupied(battle, behind, sample, occupied)
        return branches

    def _occupied(
        self, battle: BattlePreview, behind: Progress, sample: Any, occupied: EndingColumns
    ) -> list[Branch]:
        """The positions after the occupations."""
        rest = self.seat_view.applied(sample, Occupy(int(sample.occupy_minimum)))
        progress = behind._replace(part=battle.leg + 1)
        if not battle.goes_on:
            progress = progress.behind()
        return [
            Branch(progress, _with(rest, {battle.source: stay}), battle.target, payloads)
            for stay, payloads in self._gathered(battle, progress, occupied).items()
        ]

    def _gathered(
        self, battle: BattlePreview, progress: Progress, endings: EndingColumns
    ) -> dict[int, dict[int, Payload]]:
        """Payloads by the armies that matter on both territories; more armies become averages."""
        caps, payloads, distinct = self.abstraction.caps(progress), endings.payloads.copy(), []
        for t, armies in zip((battle.source, battle.target), endings[:2], strict=True):
            distinct.append(np.minimum(armies, caps[t]))
            payloads[:, self.abstraction.slot[t] + 1] += payloads[:, 0] * (armies - distinct[-1])
        # Both numbers in one integer: np.unique on rows is much slower.
        codes, places = np.unique(distinct[0] << CODE | distinct[1], return_inverse=True)
        sums = np.zeros((len(codes), payloads.shape[1]))
        np.add.at(sums, places, payloads)
        gathered: dict[int, dict[int, Payload]] = {}
        for code, payload in zip(codes.tolist(), sums, strict=True):
            gathered.setdefault(code >> CODE, {})[code & (1 << CODE) - 1] = payload
        return gathered

    def _captured(self, battle: BattlePreview, left: int, dice: int) -> Position:
        """The position just after the capture, with so many attackers left."""
        position = _with(battle.pending, {battle.source: left, battle.target: 1})
        position.attack_dice, position.defence_dice = dice, 1
        # Sixes against ones: the engine settles the one roll that certainly captures.
        best = faces_code((6,) * (dice + int(position.attack_extra)))
        worst = faces_code((1,) * (1 + int(position.defence_extra)))
        settle(position, self.seat_view.rules, self.seat_view.tables, best << DEFENCE_BITS | worst)
        return position


def _count(after: BattleResult, starts: Starts, outcomes: BattleOutcomes, defend: int) -> None:
    """Set the average losses: the armies before, less those that are left."""
    endings = [outcomes.held, *(captures for _, captures in outcomes.won)]
    after.lost = float(sum(armies * payload[0] for armies, payload in starts.items()))
    after.lost -= sum(float(e.attack @ e.payloads[:, 0]) for e in endings)
    after.destroyed = defend * float(sum(payload[0] for payload in starts.values()))
    after.destroyed -= float(outcomes.held.other @ outcomes.held.payloads[:, 0])
    for taken, columns in [(False, outcomes.held), *((True, won) for _, won in outcomes.won)]:
        for left, chance in zip(columns.attack.tolist(), columns.payloads[:, 0], strict=True):
            after.endings[taken, left] += float(chance)


def _with(position: Position, armies: Mapping[int, int]) -> Position:
    """A copy of a position with other armies on some territories."""
    after = copy_position(position)
    for t, number in armies.items():
        after.armies[t] = number
    return after
