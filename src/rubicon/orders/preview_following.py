"""Following orders through everything that can come of them, or through as many runs as drawn.

Orders are carried out by `Carrying` itself on every position that they lead to, equal positions
taken together, whole battles at once. Nothing is rolled.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from rubicon.odds.kernel import SHIFT
from rubicon.odds.limits import MOST_ARMIES
from rubicon.odds.rule import DiceRule
from rubicon.orders.battle_rolls import battle_rolls
from rubicon.orders.carrying import Carrying, Decision, Spoils, Standstill
from rubicon.orders.carrying_attack import ATTACKING, least_odds
from rubicon.orders.chances import MOST_CELLS
from rubicon.orders.imagining import imagined
from rubicon.orders.move import Note
from rubicon.orders.order import AllBut, AttackOrder, FortifyOrder, ManoeuvreOrder, StopKind
from rubicon.orders.plan import Fork, Progress, Step
from rubicon.orders.preview_battle import Battle, Battles, Branch
from rubicon.orders.preview_course import Ground, Payload, Starts, best_plan
from rubicon.orders.preview_memory import Memory
from rubicon.orders.sheet import Sheet
from rubicon.rules.actions import Action, DefendWith, Fortify
from rubicon.rules.game import Game
from rubicon.rules.position import Chance, Phase, copy_position
from rubicon.rules.procedures.play import apply, settle

NOTHING, BATTLE, DEFEND = int(Chance.NONE), int(Chance.BATTLE), int(Phase.DEFEND)
UNSETTLED = (DEFEND, int(Phase.OCCUPY))
CELLS = 2_500  # pairs of armies that are reckoned as fast as one step is taken
ROLLS = 50  # that are drawn as fast as one step is taken
ENDINGS = 6  # of a battle that are written down as fast as one step is taken
STEPS = 4  # of a plan that are passed over as fast as one is taken
DRAWN = "What is drawn is not foreseen; the orders go on without it."
DEFENCE = "Defenders roll the dice that serve them best."
LARGE = 500  # armies; a defender's best answer is looked for among so many
SEED = 1  # the same runs are drawn each time


class TooMuchWorkError(Exception):
    """An answer would take too long."""


@dataclass
class Tally:
    """What the branches come to, each by its chance."""

    lost: float = 0.0
    destroyed: float = 0.0
    notes: dict[Note, float] = field(default_factory=lambda: defaultdict(float))
    pauses: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    endings: list[tuple[Any, Payload]] = field(default_factory=list)
    assumptions: set[str] = field(default_factory=set)

    def shared(self, runs: int) -> Tally:
        """The same on average, of so many runs."""
        return Tally(
            self.lost / runs,
            self.destroyed / runs,
            {note: chance / runs for note, chance in self.notes.items()},
            {reason: chance / runs for reason, chance in self.pauses.items()},
            [(position, payload / runs) for position, payload in self.endings],
            self.assumptions,
        )


class State(NamedTuple):
    """A position, how far the orders are in it, and what they have said about this line."""

    progress: Progress
    said: frozenset[Note]
    position: Any
    payload: Payload


Reached = tuple[frozenset[Note], Branch]
Key = tuple[Progress, frozenset[Note], bytes, int]


class Unfollowed:
    """Positions that are still to be followed, alike but for the armies on a front."""

    def __init__(self, position: Any) -> None:
        self.position = position
        self.payloads: dict[int, Payload] = {}

    def add(self, armies: int, payload: Payload) -> None:
        """Take in the same position, or one with other armies on the front."""
        known = self.payloads.get(armies)
        self.payloads[armies] = payload if known is None else known + payload


class Following:
    """Orders, and the position from which they are followed."""

    def __init__(self, sheet: Sheet, game: Game, colour: str, spoils: Spoils) -> None:
        seen = Game.from_position(game.ruleset, game.view(colour), names=game.names)
        self.carrying = Carrying(sheet, seen, colour, spoils=spoils)
        self.sight = self.carrying.sight
        self.start = imagined(self.sight, seen.position)
        self.memory = Memory(self.sight, self.carrying.plan, self.start)
        self.battles = Battles(self.carrying, self.memory)
        self.tally = Tally()
        self._work = 0.0
        self._most = 0.0
        self._rng: np.random.Generator | None = None
        self._prices = self._priced()

    def explore(self, most_work: float) -> Tally:
        """Follow everything that can happen, earlier orders first."""
        self._begin(most_work)
        waiting: dict[Key, Unfollowed] = {}
        order: list[tuple[Any, int, Key]] = []
        ticket = count()
        reached: Iterable[Reached] = [
            (frozenset(), Branch(Progress(), copy_position(self.start), -1, {0: self._whole(1.0)}))
        ]
        while True:
            for said, branch in reached:
                for key, position, armies, payload in self._keyed(said, branch):
                    if key not in waiting:
                        waiting[key] = Unfollowed(position)
                        rank = key[0].at, key[0].part, -int(position.armies.sum())
                        heapq.heappush(order, (rank, next(ticket), key))
                    waiting[key].add(armies, payload)
            if not order:
                return self.tally
            _, _, key = heapq.heappop(order)
            reached = self._followed(key, waiting.pop(key))

    def sample(self, runs: int, most_work: float) -> tuple[Tally, int]:
        """Follow branches drawn at random, always the same ones; and how many they were."""
        self._begin(most_work)
        self._rng = rng = np.random.default_rng(SEED)
        done = 0
        while done < runs and self._work < most_work:
            state: State | None = State(Progress(), frozenset(), self.start, self._whole(1.0))
            while state is not None:
                state = self._drawn(state, rng)
                if self._work > 2 * most_work:
                    raise TooMuchWorkError
            done += 1
        return self.tally.shared(done), done

    def _begin(self, most_work: float) -> None:
        self.tally = Tally()
        self._work, self._most, self._rng = 0.0, most_work, None

    def _whole(self, chance: float) -> Payload:
        payload = np.zeros(len(self.memory.tracked) + 1)
        payload[0] = chance
        return payload

    def _followed(self, key: Key, found: Unfollowed) -> Iterator[Reached]:
        """What follows from positions that are alike but for a front."""
        if self._work > self._most:
            raise TooMuchWorkError
        progress, said, _, front = key
        if front >= 0:
            most = max(found.payloads)
            position = self._with(found.position, front, most)
            decision = self.carrying.decide(position, progress)
            battle = self.battles.begun(_before(progress, decision), decision, position)
            self._work += 1.0
            if battle is not None and battle.source == front and battle.before == progress:
                for branch in self._fought(battle, position, found.payloads):
                    yield said, branch
                return
        for armies, payload in found.payloads.items():
            position = self._with(found.position, front, armies)
            yield from self._step(State(progress, said, position, payload))

    def _drawn(self, state: State, rng: np.random.Generator) -> State | None:
        """One of the states that follow; None at an end."""
        choices = [
            (said, branch, armies)
            for said, branch in self._step(state)
            for armies in branch.payloads
        ]
        if not choices:
            return None
        weights = np.array([branch.payloads[armies][0] for _, branch, armies in choices])
        said, branch, armies = choices[int(rng.choice(len(choices), p=weights / weights.sum()))]
        payload = branch.payloads[armies]
        payload = payload * (state.payload[0] / payload[0])
        position = self._with(branch.position, branch.front, armies)
        return State(branch.progress, said, position, payload)

    def _step(self, state: State) -> Iterator[Reached]:
        """What one step leads to: nothing at an end, which is written into the tally."""
        progress, said, position, payload = state
        self._work += 1.0
        if position.chance == BATTLE:
            for branch in self._rolled(progress, position, payload):
                yield said, branch
        elif position.chance != NOTHING:
            after = self._settled(position, 0)
            if self.sight.acts(after) and after.round_number == self.carrying.round:
                self.tally.assumptions.add(DRAWN)
            yield said, Branch(progress, after, -1, {0: payload})
        elif position.phase == DEFEND and not self.sight.acts(position):
            self.tally.assumptions.add(DEFENCE)
            yield said, Branch(progress, self._defended(position), -1, {0: payload})
        else:
            yield from self._decided(state)

    def _decided(self, state: State) -> Iterator[Reached]:
        progress, said, position, payload = state
        decision = self.carrying.decide(position, progress)
        self._work += float(self._prices[progress.at : decision.progress.at + 1].sum())
        said = self._note(said, decision, float(payload[0]))
        if decision.action is None:
            self.tally.endings.append((position, payload))
            return
        before = _before(progress, decision)
        battle = self.battles.begun(before, decision, position)
        if battle is None:
            after = self._applied(position, decision.action)
            payload = self._moved(decision.action, decision, payload)
            yield said, Branch(decision.progress, after, -1, {0: payload})
        elif before != progress and self._may_meet(before, decision):
            yield said, Branch(before, position, -1, {0: payload})
        else:
            armies = int(position.armies[battle.source])
            for branch in self._fought(battle, position, {armies: payload}):
                yield said, branch

    def _fought(self, battle: Battle, position: Any, payloads: Starts) -> list[Branch]:
        """The endings of a battle, its losses counted."""
        self._work += self._price(battle.ground, payloads)
        after = self.battles.fought(battle, position, payloads, self._rng)
        self._work += sum(len(branch.payloads) for branch in after.branches) / ENDINGS
        self.tally.lost += after.lost
        self.tally.destroyed += after.destroyed
        if battle.asked:
            self.tally.assumptions.add(DEFENCE)
        return after.branches

    def _may_meet(self, before: Progress, decision: Decision) -> bool:
        """Whether others may come to the same front; or LOST is still to be counted from here."""
        return self._rng is None or before.start != decision.progress.start

    def _price(self, ground: Ground, payloads: Starts) -> float:
        """How much work it is to carry the chances of a battle to its end, or to roll one."""
        most = max(payloads)
        tables = 3.0 if self._rng is None else 0.5
        if self._rng is not None:
            return 2.0 + most * ground.defend * tables / CELLS + (most + ground.defend) / ROLLS
        tables += np.count_nonzero(np.sum(list(payloads.values()), axis=0))
        if ground.counted:
            tables += (ground.rounds or 0) / 4
        return 2.0 + most * ground.defend * tables / CELLS

    def _rolled(self, progress: Progress, position: Any, payload: Payload) -> Iterator[Branch]:
        own, all_ = self.sight.own_armies(position), int(position.armies.sum())
        rolls = battle_rolls(self.sight.game.ruleset, position)
        if self._rng is not None:
            at = int(self._rng.choice(len(rolls), p=[chance for _, chance in rolls]))
            rolls = ((rolls[at][0], 1.0),)
        for outcome, chance in rolls:
            after = self._settled(position, outcome)
            lost = own - self.sight.own_armies(after)
            weight = float(payload[0]) * chance
            self.tally.lost += weight * lost
            self.tally.destroyed += weight * (all_ - int(after.armies.sum()) - lost)
            yield Branch(progress, after, -1, {0: payload * chance})

    def _keyed(
        self, said: frozenset[Note], branch: Branch
    ) -> Iterator[tuple[Key, Any, int, Payload]]:
        """Where the positions of a branch belong, and the armies that they differ in."""
        progress = branch.progress
        if progress.at > self.carrying.asked:
            progress = progress._replace(attack=-1)
        line = self._line(progress)
        said = frozenset(note for note in said if note.line == line)
        front = self._front(progress, branch.position)
        if front >= 0 and front == branch.front:
            template = self._with(branch.position, front, 0)
            beyond = self._forgotten(progress, template)
            key = progress, said, template.tobytes(), front
            for armies, payload in branch.payloads.items():
                yield key, template, armies, _burdened(payload, beyond)
            return
        for armies, payload in branch.payloads.items():
            position = self._with(branch.position, branch.front, armies)
            beyond = self._forgotten(progress, position)
            standing = int(position.armies[front]) if front >= 0 else 0
            if front >= 0:
                position.armies[front] = 0
            key = progress, said, position.tobytes(), front
            yield key, position, standing, _burdened(payload, beyond)

    def _front(self, progress: Progress, position: Any) -> int:
        """The territory whose armies alone decide how a battle begins; -1 where there is none."""
        step = self.carrying.step(progress)
        if not isinstance(step, Step) or not isinstance(step.order, AttackOrder):
            return -1
        if position.chance != NOTHING or position.phase not in ATTACKING:
            return -1
        lost = any(stop.kind is StopKind.LOST for stop in step.order.stops)
        if (lost and not progress.start) or progress.part + 1 >= len(step.order.path):
            return -1
        front = self.sight.territory(step.order.path[progress.part])
        return front if position.owner[front] == self.sight.seat else -1

    def _forgotten(self, progress: Progress, position: Any) -> Payload | None:
        """Take from a position the armies that nothing can tell apart any more."""
        if position.chance != NOTHING or position.phase in UNSETTLED:
            return None
        every = position.armies
        armies = every[self.memory.tracked]
        kept = np.minimum(armies, self.memory.tracked_caps(progress))
        found: Payload = (armies - kept).astype(np.float64)
        if not found.any():
            return None
        every[self.memory.tracked] = kept
        return found

    def _moved(self, action: Action, decision: Decision, payload: Payload) -> Payload:
        """The armies beyond memory move with the others where all of them do."""
        step = self.carrying.step(Progress(decision.progress.at - 1))
        order = step.order if isinstance(step, Step) else None
        if not isinstance(action, Fortify) or not isinstance(order, FortifyOrder | ManoeuvreOrder):
            return payload
        if not isinstance(order.armies, AllBut):
            return payload
        source, target = (
            self.memory.slot[self.sight.territory(name)] + 1
            for name in (order.source, order.target)
        )
        after = payload.copy()
        after[target] += after[source]
        after[source] = 0.0
        return after

    def _line(self, progress: Progress) -> int:
        step = self.carrying.step(progress)
        return step.line if isinstance(step, Step | Fork) else 0

    def _note(self, said: frozenset[Note], decision: Decision, chance: float) -> frozenset[Note]:
        """Count what was said, once a run; what has been said so far."""
        for note in dict.fromkeys(decision.notes):
            if note not in said:
                self.tally.notes[note] += chance
        if decision.standstill is Standstill.PAUSED:
            self.tally.pauses[decision.reason] += chance
        return said.union(decision.notes)

    def _priced(self) -> Any:
        """How much work it is to pass over each step of the plan."""
        own = self.sight.own_armies(self.start) + self.sight.unplaced(self.start)
        prices = []
        for step in self.carrying.plan:
            price = 1 / STEPS
            order = step.order if isinstance(step, Step) else None
            if isinstance(order, AttackOrder):
                price += len(order.path) / (4 * STEPS)
                if least_odds(order) is not None:
                    most = min(own, MOST_ARMIES)
                    defend = sum(self.sight.armies(self.start, t) for t in order.path[1:])
                    lost = any(stop.kind is StopKind.LOST for stop in order.stops)
                    again = order.advance if lost and isinstance(order.advance, int) else 1
                    cells = most * defend * again
                    price += min(cells, MOST_CELLS) / CELLS
            prices.append(price)
        return np.array(prices)

    def _settled(self, position: Any, outcome: int) -> Any:
        after = copy_position(position)
        settle(after, self.sight.rules, self.sight.tables, outcome)
        return after

    def _applied(self, position: Any, action: Action) -> Any:
        after = copy_position(position)
        apply(after, self.sight.rules, self.sight.tables, self.sight.code(action))
        return after

    def _defended(self, position: Any) -> Any:
        """The answer to an attack that is worst for it."""
        source, target = int(position.attack_source), int(position.attack_target)
        rule = DiceRule.between(
            self.sight.game.ruleset,
            position,
            source,
            target,
            attack_dice=int(position.attack_dice),
            defend_dice="best",
        )
        attack, defend = int(position.armies[source]), int(position.armies[target])
        scale = max(1.0, max(attack, defend) / LARGE)  # so many fight like fewer
        attack, defend = max(2, int(attack / scale)), max(1, int(defend / scale))
        reply = int(best_plan(rule, attack, defend)[attack, defend]) % SHIFT
        return self._applied(position, DefendWith(reply))

    @staticmethod
    def _with(position: Any, t: int, armies: int) -> Any:
        """A copy with other armies on a territory; the position itself where that is -1."""
        if t < 0:
            return position
        after = copy_position(position)
        after.armies[t] = armies
        return after


def _before(progress: Progress, decision: Decision) -> Progress:
    """How far the orders are in front of the roll that they decide on."""
    then = decision.progress
    if then.at != progress.at:  # not begun: LOST counts from what is left when armies are forgotten
        return then._replace(rolled=0, start=0)
    if (then.part, then.start) == (progress.part, progress.start):
        return progress
    return then._replace(rolled=max(0, then.rolled - 1))


def _burdened(payload: Payload, beyond: Payload | None) -> Payload:
    """A payload with the armies that a position has lost to it."""
    if beyond is None:
        return payload
    after = payload.copy()
    after[1:] += payload[0] * beyond
    return after
