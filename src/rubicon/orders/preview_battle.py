"""A whole battle of an attack order at once: every way in which it can end, with its chance.

The engine makes one position of each kind; the odds room carries the chances forward. What comes
of it is what following roll after roll would come to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rubicon.odds.fight import DICE, Plan, fight, outlook, plan_of
from rubicon.odds.kernel import STOP, fight_on
from rubicon.odds.limits import MOST_ARMIES
from rubicon.odds.rolls import AMPLE, Chances, Numbers, rolls
from rubicon.odds.rule import DiceRule
from rubicon.odds.stop import TO_THE_END, Stop
from rubicon.orders.battle_rolls import battle_rolls
from rubicon.orders.carrying import Carrying, Decision
from rubicon.orders.carrying_attack import floors, least_odds, rolled, rounds_left, wish_of
from rubicon.orders.chances import PathOdds, path_odds, wished
from rubicon.orders.order import Armies, AttackOrder
from rubicon.orders.plan import Progress, Step
from rubicon.orders.preview_memory import Memory
from rubicon.rules.actions import Action, Attack, DefendWith, Occupy
from rubicon.rules.outcomes import DEFENCE_BITS, faces_code
from rubicon.rules.position import NONE, Phase, copy_position
from rubicon.rules.procedures.attack import most_defence_dice
from rubicon.rules.procedures.play import apply, settle

Payload = npt.NDArray[np.float64]  # the chance, then the armies beyond memory, each times it
ROOM = 32  # plans are made a little larger than needed, so that other battles find them too
KEPT = 128  # battles, of so many
SMALL = 40_000  # pairs of armies each


class Branch(NamedTuple):
    """Positions that can follow, alike but for the armies on `front`; -1 where it is one."""

    progress: Progress
    position: Any
    front: int
    payloads: Mapping[int, Payload]  # by the armies on the front


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


class Ground(NamedTuple):
    """Everything that the chances of a battle depend on, beside the armies that begin it."""

    rule: DiceRule
    defend: int
    floor: int
    least: int  # percent, of `odds`
    odds: PathOdds | None
    rounds: int | None
    counted: bool  # roll by roll: the path goes on, and so does the counting


@dataclass(slots=True)
class Endings:
    """What a battle comes to, and the armies it costs on average."""

    branches: list[Branch]
    lost: float
    destroyed: float


@dataclass(frozen=True, slots=True)
class Course:
    """The chances of a battle's endings: captures by the number of rolls, where that counts."""

    won: tuple[tuple[int, Chances], ...]  # [armies left, attack dice]
    held: Chances  # [attackers, defenders]

    def times(self, factor: float) -> Course:
        """The same, so much less likely."""
        return Course(tuple((n, won * factor) for n, won in self.won), self.held * factor)


class Battles:
    """The battles of some orders."""

    def __init__(self, carrying: Carrying, memory: Memory) -> None:
        self.carrying = carrying
        self.sight = carrying.sight
        self.memory = memory
        self._kept: dict[tuple[Ground, int], Course] = {}

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

    def fought(self, battle: Battle, position: Any, starts: Mapping[int, Payload]) -> Endings:
        """Every ending of a battle that so many armies begin, by their chances."""
        plan = _plan(battle.ground, max(starts))
        defend = battle.ground.defend
        unrolled = {n: p for n, p in starts.items() if plan[n, defend] == STOP}
        rolling = {n: p for n, p in starts.items() if plan[n, defend] != STOP}
        endings = Endings([], 0.0, 0.0)
        if unrolled:
            behind = battle.behind.behind()
            endings.branches.append(Branch(behind, position, battle.source, unrolled))
        if rolling:
            size = len(next(iter(rolling.values())))
            courses = self._courses(battle.ground, plan, rolling, size)
            self._count(endings, rolling, courses[0], defend)
            endings.branches += self._held(battle, courses, size)
            endings.branches += self._won(battle, courses, size)
        return endings

    def _courses(
        self, ground: Ground, plan: Plan, starts: Mapping[int, Payload], size: int
    ) -> dict[int, Course]:
        """The battle's course for each part of the payload that is not nothing."""
        parts = [c for c in range(size) if any(payload[c] for payload in starts.values())]
        if len(starts) == 1:
            ((armies, payload),) = starts.items()
            alone = self._alone(ground, plan, armies)
            return {c: alone.times(float(payload[c])) for c in parts}
        courses = {}
        for c in parts:
            begins = np.zeros(len(plan))
            for armies, payload in starts.items():
                begins[armies] = payload[c]
            courses[c] = _course(ground, plan, begins)
        return courses

    def _alone(self, ground: Ground, plan: Plan, armies: int) -> Course:
        """The course of one battle, remembered while it is small."""
        known = self._kept.get((ground, armies))
        if known is None:
            begins = np.zeros(armies + 1)
            begins[armies] = 1.0
            known = _course(ground, plan, begins)
            if plan.size <= SMALL and len(self._kept) < KEPT:
                self._kept[ground, armies] = known
        return known

    @staticmethod
    def _count(endings: Endings, starts: Mapping[int, Payload], course: Course, d: int) -> None:
        begun = sum(armies * payload[0] for armies, payload in starts.items())
        chance = sum(payload[0] for payload in starts.values())
        left = float(course.held.sum(axis=1) @ np.arange(course.held.shape[0]))
        left += sum(float(won.sum(axis=1) @ np.arange(len(won))) for _, won in course.won)
        endings.lost = float(begun) - left
        standing = float(course.held.sum(axis=0) @ np.arange(course.held.shape[1]))
        endings.destroyed = float(chance) * d - standing

    def _held(self, battle: Battle, courses: Mapping[int, Course], size: int) -> list[Branch]:
        """The battles that were broken off, or had no army to go on with."""
        if not courses[0].held.any():
            return []
        progress = battle.behind.behind()
        rest = self._settled(battle.owed, {battle.source: AMPLE * 9, battle.target: AMPLE * 9})
        caps = self.memory.caps(progress)
        ends = (battle.source, battle.target)
        found: dict[tuple[int, int], Payload] = {}
        for c, course in courses.items():
            _fold(found, course.held, (int(caps[ends[0]]), int(caps[ends[1]])), c, size)
        held = courses[0].held
        for axis, end in enumerate(ends):
            beyond = np.maximum(np.arange(held.shape[axis]) - float(caps[end]), 0.0)
            if end in self.memory.slot and beyond.any():
                excess = held * (beyond[:, None] if axis == 0 else beyond)
                part = self.memory.slot[end] + 1
                _fold(found, excess, (int(caps[ends[0]]), int(caps[ends[1]])), part, size)
        return [
            Branch(progress, _with(rest, dict(zip(ends, armies, strict=True))), -1, {0: payload})
            for armies, payload in found.items()
        ]

    def _won(self, battle: Battle, courses: Mapping[int, Course], size: int) -> list[Branch]:
        """The captures; where nothing else happens with them, behind their occupations."""
        branches: list[Branch] = []
        sample = self._captured(battle, len(courses[0].held), 1)
        plain = sample.phase == Phase.OCCUPY and sample.eliminated == NONE
        plain = plain and not self.sight.rules.missions_in_play
        rest = self._applied(sample, Occupy(int(sample.occupy_minimum))) if plain else None
        wish = wish_of(battle.order, battle.leg)
        for at, (number, won) in enumerate(courses[0].won):
            if not won.any():
                continue
            behind = battle.behind._replace(
                rolled=rolled(battle.order, battle.before.rolled + number)
            )
            captures = _captures(battle.ground.rule, won, wish)
            payloads = np.zeros((len(captures.left), size))
            for c, course in courses.items():
                payloads[:, c] = course.won[at][1][captures.left, captures.dice]
            clear = captures.moved == wish if isinstance(wish, int) else captures.moved > 0
            clear &= plain
            for row in np.flatnonzero(~clear).tolist():  # the occupation is for Carrying
                left, dice = int(captures.left[row]), int(captures.dice[row])
                position = self._captured(battle, left, dice)
                branches.append(Branch(behind, position, -1, {0: payloads[row]}))
            if clear.any():
                stay = (captures.left - captures.moved)[clear]
                moved = captures.moved[clear]
                branches += self._occupied(battle, behind, rest, stay, moved, payloads[clear])
        return branches

    def _occupied(
        self,
        battle: Battle,
        behind: Progress,
        rest: Any,
        stay: Numbers,
        moved: Numbers,
        payloads: Payload,
    ) -> list[Branch]:
        """The positions behind the occupations, by who stayed and who moved."""
        progress = behind._replace(part=battle.leg + 1)
        if not battle.goes_on:
            progress = progress.behind()
        caps = self.memory.caps(progress)
        kept = []
        for end, armies in ((battle.source, stay), (battle.target, moved)):
            kept.append(np.minimum(armies, caps[end]))
            payloads[:, self.memory.slot[end] + 1] += payloads[:, 0] * (armies - kept[-1])
        codes, places = np.unique(kept[0] << 32 | kept[1], return_inverse=True)
        sums = np.zeros((len(codes), payloads.shape[1]))
        np.add.at(sums, places, payloads)
        gathered: dict[int, dict[int, Payload]] = {}
        for code, payload in zip(codes.tolist(), sums, strict=True):
            gathered.setdefault(code >> 32, {})[code & 0xFFFFFFFF] = payload
        return [
            Branch(progress, _with(rest, {battle.source: armies}), battle.target, those)
            for armies, those in gathered.items()
        ]

    def _captured(self, battle: Battle, left: int, dice: int) -> Any:
        """The position in which the target has just fallen, with so many attackers left."""
        position = _with(battle.owed, {battle.source: left, battle.target: 1})
        position.attack_dice, position.defence_dice = dice, 1
        best = faces_code((6,) * (dice + int(position.attack_extra)))
        worst = faces_code((1,) * (1 + int(position.defence_extra)))
        settle(position, self.sight.rules, self.sight.tables, best << DEFENCE_BITS | worst)
        return position

    def _settled(self, owed: Any, armies: Mapping[int, int]) -> Any:
        position = _with(owed, armies)
        outcome = battle_rolls(self.sight.game.ruleset, position)[0][0]
        settle(position, self.sight.rules, self.sight.tables, outcome)
        return position

    def _applied(self, position: Any, action: Action) -> Any:
        after = copy_position(position)
        apply(after, self.sight.rules, self.sight.tables, self.sight.code(action))
        return after


def best_plan(rule: DiceRule, most: int, defend: int) -> Plan:
    """The dice of both sides where the defender gives the answers that are worst for the attack.

    It holds for at least `most` against `defend` armies.
    """
    return _best_plan(rule, (most // ROOM + 1) * ROOM, (defend // ROOM + 1) * ROOM)


@lru_cache(maxsize=32)
def _best_plan(rule: DiceRule, most: int, defend: int) -> Plan:
    return outlook(most, defend, rule).plan


def _plan(ground: Ground, most: int) -> Plan:
    """The dice of both sides, and where the attack stops."""
    rule, defend = ground.rule, ground.defend
    plan: Plan = plan_of(most, defend, rule, TO_THE_END)
    if rule.defend_dice == "best":
        plan = best_plan(rule, most, defend)[: most + 1, : defend + 1].copy()
    plan[: ground.floor + 1] = STOP
    if ground.odds is not None:
        chances = ground.odds.table(most, defend)[: most + 1, : defend + 1]
        plan[chances * 100 < ground.least] = STOP
    return plan


def _course(ground: Ground, plan: Plan, begins: Chances) -> Course:
    """How a battle goes."""
    most, defend = plan.shape[0] - 1, ground.defend
    if not ground.counted:
        fought = fight(begins, defend, ground.rule, Stop(rounds=ground.rounds), plan)
        return Course(((1 if ground.rounds is None else ground.rounds, fought.won),), fought.held)
    table = rolls(ground.rule)
    reach = np.zeros(plan.shape)
    reach[:, defend] = begins
    span = np.full((most + 1, 2), defend, np.int64)
    captures = []
    for number in range(1, min(ground.rounds or 0, most + defend) + 1):
        won = np.zeros((most + 1, DICE))
        fight_on(table.chances, table.losses, plan, reach, won, 1, span)
        if won.any():
            captures.append((number, won))
    return Course(tuple(captures), reach)


def _fold(
    found: dict[tuple[int, int], Payload],
    held: Chances,
    caps: tuple[int, int],
    part: int,
    size: int,
) -> None:
    """Add up by the armies that matter."""
    rows, columns = np.nonzero(held)
    attackers, defenders = np.minimum(rows, caps[0]), np.minimum(columns, caps[1])
    width = held.shape[1]
    sums = np.bincount(attackers * width + defenders, held[rows, columns])
    for code in np.flatnonzero(sums).tolist():
        key = code // width, code % width
        if key not in found:
            found[key] = np.zeros(size)
        found[key][part] += sums[code]


class Captures(NamedTuple):
    """Captures as columns: the armies left, the dice of the last roll, the armies that move in."""

    left: Numbers
    dice: Numbers
    moved: Numbers


def _captures(rule: DiceRule, won: Chances, wish: Armies) -> Captures:
    left, dice = np.nonzero(won)
    fewest = rolls(rule).occupy[np.minimum(left, AMPLE), dice]
    pairs = zip(left.tolist(), fewest.tolist(), strict=True)
    return Captures(left, dice, np.array([wished(wish, *pair) for pair in pairs], np.int64))


def _with(position: Any, armies: Mapping[int, int]) -> Any:
    """The same position with other armies on some territories."""
    after = copy_position(position)
    for t, number in armies.items():
        after.armies[t] = number
    return after
