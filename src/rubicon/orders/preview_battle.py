"""A whole battle of an attack order at once: every way in which it can end, with its chance.

The engine makes one position of each kind; the odds room carries the chances forward. What comes
of it is what following roll after roll would come to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rubicon.odds.kernel import STOP
from rubicon.odds.limits import MOST_ARMIES
from rubicon.odds.rolls import AMPLE, rolls
from rubicon.odds.rule import DiceRule
from rubicon.orders.battle_rolls import battle_rolls
from rubicon.orders.carrying import Carrying, Decision
from rubicon.orders.carrying_attack import floors, least_odds, rolled, rounds_left, wish_of
from rubicon.orders.chances import path_odds, wished
from rubicon.orders.order import AttackOrder
from rubicon.orders.plan import Progress, Step
from rubicon.orders.preview_course import Course, Courses, Endings, Ground, Payload, Starts
from rubicon.orders.preview_memory import Memory
from rubicon.rules.actions import Action, Attack, DefendWith, Occupy
from rubicon.rules.outcomes import DEFENCE_BITS, faces_code
from rubicon.rules.position import NONE, Phase, copy_position
from rubicon.rules.procedures.attack import most_defence_dice
from rubicon.rules.procedures.play import apply, settle

CODE = 32  # bits of a number of armies


class Branch(NamedTuple):
    """Positions that can follow, alike but for the armies on `front`; -1 where it is one."""

    progress: Progress
    position: Any
    front: int
    payloads: Starts  # by the armies on the front


@dataclass(frozen=True, slots=True)
class Battle:
    """An attack that is about to be rolled, to be followed to its end."""

    before: Progress
    behind: Progress  # its first roll
    order: AttackOrder
    source: int
    target: int
    owed: Any  # the position that owes the first roll
    ground: Ground

    @property
    def leg(self) -> int:
        """Where on the path it is fought."""
        return self.behind.part

    @property
    def goes_on(self) -> bool:
        """Whether the path goes on behind it."""
        return self.leg + 2 < len(self.order.path)

    @property
    def asked(self) -> bool:
        """Whether the defender chooses dice."""
        return self.ground.rule.defend_dice == "best"


@dataclass(slots=True)
class Aftermath:
    """What a battle comes to, and the armies it costs on average."""

    branches: list[Branch]
    lost: float = 0.0
    destroyed: float = 0.0


class Battles:
    """The battles of some orders."""

    def __init__(self, carrying: Carrying, memory: Memory) -> None:
        self.carrying = carrying
        self.sight = carrying.sight
        self.memory = memory
        self._courses = Courses()

    def begun(self, before: Progress, decision: Decision, position: Any) -> Battle | None:
        """The battle that a decision opens, if it can be followed to its end at once."""
        step, action, sight = self.carrying.step(decision.progress), decision.action, self.sight
        if not isinstance(action, Attack) or not isinstance(step, Step):
            return None
        order = step.order
        source, target = sight.territory(action.source), sight.territory(action.target)
        huge = max(position.armies[source], position.armies[target]) > MOST_ARMIES
        if not isinstance(order, AttackOrder) or huge or sight.rules.army_cap:
            return None
        owed = self._applied(position, action)
        asked = bool(owed.phase == Phase.DEFEND)
        if asked and sight.acts(owed):
            return None
        if asked:
            owed = self._applied(owed, DefendWith(1))
        elif owed.defence_dice != most_defence_dice(position, sight.rules, target):
            return None
        ground = self._ground(before, order, position, (source, target), asked)
        if ground.odds is not None and ground.odds.scale != 1.0:
            return None
        return Battle(before, decision.progress, order, source, target, owed, ground)

    def _ground(
        self,
        before: Progress,
        order: AttackOrder,
        position: Any,
        ends: tuple[int, int],
        asked: bool,
    ) -> Ground:
        rule = DiceRule.between(
            self.sight.game.ruleset,
            position,
            *ends,
            attack_dice=order.dice or "most",
            defend_dice="best" if asked else "most",
        )
        left, floor = floors(self.sight, position, order, before)
        least, odds = least_odds(order), None
        if least is not None:
            odds = path_odds(self.sight, position, order, before.part, left, floor)
        rounds = rounds_left(order, before)
        counted = rounds is not None and before.part + 2 < len(order.path)
        defend = int(position.armies[ends[1]])
        return Ground(rule, defend, max(left, floor or 0), least or 0, odds, rounds, counted)

    def fought(
        self,
        battle: Battle,
        position: Any,
        starts: Starts,
        rng: np.random.Generator | None = None,
    ) -> Aftermath:
        """Every ending of a battle that so many armies begin; only one, drawn, with `rng`."""
        ground = battle.ground
        plan = self._courses.plan(ground, max(starts))
        unrolled = {n: p for n, p in starts.items() if plan[n, ground.defend] == STOP}
        rolling = {n: p for n, p in starts.items() if plan[n, ground.defend] != STOP}
        after = Aftermath([])
        if unrolled:
            behind = battle.behind.behind()
            after.branches.append(Branch(behind, position, battle.source, unrolled))
        if rolling:
            if rng is None:
                course = self._courses.all_endings(ground, rolling)
            else:
                course = self._courses.one_ending(ground, rolling, rng)
            _count(after, rolling, course, ground.defend)
            after.branches += self._held(battle, course.held)
            for number, captures in course.won:
                after.branches += self._won(battle, number, captures)
        return after

    def _held(self, battle: Battle, endings: Endings) -> list[Branch]:
        """The battles that were broken off, or had no army to go on with."""
        if not len(endings.attack):
            return []
        progress = battle.behind.behind()
        ample = {battle.source: AMPLE * 9, battle.target: AMPLE * 9}
        rest = _with(battle.owed, ample)
        outcome = battle_rolls(self.sight.game.ruleset, rest)[0][0]
        settle(rest, self.sight.rules, self.sight.tables, outcome)
        return [
            Branch(progress, _with(rest, {battle.source: attack}), battle.target, payloads)
            for attack, payloads in self._gathered(battle, progress, endings).items()
        ]

    def _won(self, battle: Battle, number: int, captures: Endings) -> list[Branch]:
        """The captures; where nothing else happens with them, behind their occupations."""
        if not len(captures.attack):
            return []
        count = rolled(battle.order, battle.before.rolled + number)
        behind = battle.behind._replace(rolled=count)
        wish, left, dice = wish_of(battle.order, battle.leg), captures.attack, captures.other
        fewest = rolls(battle.ground.rule).occupy[np.minimum(left, AMPLE), dice]
        moved = wished(wish, left, fewest)
        sample = self._captured(battle, int(left[0]), int(dice[0]))
        clear = np.full(len(left), sample.phase == Phase.OCCUPY and sample.eliminated == NONE)
        if self.sight.rules.missions_in_play:
            clear[:] = False
        if isinstance(wish, int):
            clear &= moved == wish
        branches = []
        for row in np.flatnonzero(~clear).tolist():  # its occupation is for Carrying
            position = self._captured(battle, int(left[row]), int(dice[row]))
            branches.append(Branch(behind, position, -1, {0: captures.payloads[row]}))
        if clear.any():
            occupied = Endings(left - moved, moved, captures.payloads)
            occupied = Endings(*(column[clear] for column in occupied))
            branches += self._occupied(battle, behind, sample, occupied)
        return branches

    def _occupied(
        self, battle: Battle, behind: Progress, sample: Any, occupied: Endings
    ) -> list[Branch]:
        """The positions behind the occupations, by who stayed and who moved."""
        rest = self._applied(sample, Occupy(int(sample.occupy_minimum)))
        progress = behind._replace(part=battle.leg + 1)
        if not battle.goes_on:
            progress = progress.behind()
        return [
            Branch(progress, _with(rest, {battle.source: stay}), battle.target, payloads)
            for stay, payloads in self._gathered(battle, progress, occupied).items()
        ]

    def _gathered(
        self, battle: Battle, progress: Progress, endings: Endings
    ) -> dict[int, dict[int, Payload]]:
        """Payloads by the armies that matter on both territories; the others go into them."""
        caps, payloads, kept = self.memory.caps(progress), endings.payloads.copy(), []
        for t, armies in zip((battle.source, battle.target), endings[:2], strict=True):
            kept.append(np.minimum(armies, caps[t]))
            payloads[:, self.memory.slot[t] + 1] += payloads[:, 0] * (armies - kept[-1])
        codes, places = np.unique(kept[0] << CODE | kept[1], return_inverse=True)
        sums = np.zeros((len(codes), payloads.shape[1]))
        np.add.at(sums, places, payloads)
        gathered: dict[int, dict[int, Payload]] = {}
        for code, payload in zip(codes.tolist(), sums, strict=True):
            gathered.setdefault(code >> CODE, {})[code & (1 << CODE) - 1] = payload
        return gathered

    def _captured(self, battle: Battle, left: int, dice: int) -> Any:
        """The position in which the target has just fallen, with so many attackers left."""
        position = _with(battle.owed, {battle.source: left, battle.target: 1})
        position.attack_dice, position.defence_dice = dice, 1
        best = faces_code((6,) * (dice + int(position.attack_extra)))
        worst = faces_code((1,) * (1 + int(position.defence_extra)))
        settle(position, self.sight.rules, self.sight.tables, best << DEFENCE_BITS | worst)
        return position

    def _applied(self, position: Any, action: Action) -> Any:
        after = copy_position(position)
        apply(after, self.sight.rules, self.sight.tables, self.sight.code(action))
        return after


def _count(after: Aftermath, starts: Starts, course: Course, defend: int) -> None:
    """Average losses: what stood there before, less what is left."""
    endings = [course.held, *(captures for _, captures in course.won)]
    after.lost = float(sum(armies * payload[0] for armies, payload in starts.items()))
    after.lost -= sum(float(e.attack @ e.payloads[:, 0]) for e in endings)
    after.destroyed = defend * float(sum(payload[0] for payload in starts.values()))
    after.destroyed -= float(course.held.other @ course.held.payloads[:, 0])


def _with(position: Any, armies: Mapping[int, int]) -> Any:
    """The same position with other armies on some territories."""
    after = copy_position(position)
    for t, number in armies.items():
        after.armies[t] = number
    return after
