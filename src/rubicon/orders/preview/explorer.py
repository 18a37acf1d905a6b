"""Explores every branch of some orders, or a sample of runs, as a seat sees the game."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from rubicon.engine import records
from rubicon.engine.apply import settle
from rubicon.engine.attack import most_attack_dice
from rubicon.engine.cards import card_earned
from rubicon.engine.codes import DrawTime
from rubicon.engine.records import Position
from rubicon.odds.distribution import SHIFT
from rubicon.odds.rule import MOST_ARMIES, DiceRule
from rubicon.orders import syntax
from rubicon.orders.execute.executor import Decision, OrderExecutor, Standstill
from rubicon.orders.execute.program import ConditionalJump, Note, ProgramStep, Progress, SeatView
from rubicon.orders.execute.stop_odds import MOST_CELLS
from rubicon.orders.execute.turn import ATTACKING, is_no_attack, least_odds
from rubicon.orders.preview.battle import Abstraction, BattlePreview, Battles, Branch
from rubicon.orders.preview.battle_solver import (
    BattleSpec,
    Payload,
    Starts,
    battle_rolls,
    best_policy,
)
from rubicon.rules.actions import Action, DefendWith, Fortify
from rubicon.rules.game import Game

# Completes a seat's view so that the engine can play on in it.


def imagined(seat_view: SeatView, view: Position) -> Position:
    """A position that agrees with a view.

    Unknown cards are dealt in board order; no preview depends on them. Unknown standing orders
    become ASK, so that the explorer chooses the defence that is worst for the attack.
    """
    position = records.copy_position(view)
    _deal_cards(seat_view, position)
    for seat in range(int(position.seats)):
        if position.standing_all[seat] == records.HIDDEN:
            position.standing_all[seat] = records.Standing.NONE
    for t in range(len(seat_view.game.territories)):
        if position.standing[t] == records.HIDDEN and position.owner[t] != records.NEUTRAL:
            position.standing[t] = records.Standing.NONE
    if position.order_standing == records.HIDDEN:
        position.order_standing = records.Standing.NONE
    if (
        position.attack_dice == records.HIDDEN
    ):  # sealed dice: assume the most, as attackers mostly roll
        source = int(position.attack_source)
        position.attack_dice = most_attack_dice(position, seat_view.rules, source)
    return position


def _deal_cards(seat_view: SeatView, position: Position) -> None:
    """Deal the hidden cards to the hands by their sizes, and the rest to the pile."""
    cards = range(len(seat_view.game.cards))
    unknown = [card for card in cards if position.card[card] == records.HIDDEN]
    for seat in range(int(position.seats)):
        known = sum(int(position.card[card] == seat) for card in cards)
        for _ in range(int(position.hand[seat]) - known):
            if unknown:
                position.card[unknown.pop(0)] = seat
    for card in unknown:
        position.card[card] = records.CardPlace.PILE


# Explores every branch of some orders, or a sample of runs.
#
# `OrderExecutor` executes the orders on every position that they lead to. Equal positions are
# merged and whole battles are one step, so that an ordinary turn takes milliseconds. Nothing is
# rolled.

NOTHING, BATTLE, CARD = (
    int(records.Chance.NONE),
    int(records.Chance.BATTLE),
    int(records.Chance.CARD),
)
DEFEND = int(records.Phase.DEFEND)
AFTER_ATTACKS = (int(records.Phase.OBJECTIVE), int(records.Phase.FORTIFY))
UNSETTLED = (DEFEND, int(records.Phase.OCCUPY))
# Work is counted in steps of the executor; so much of other work takes as long as one step.
CELLS = 2_500  # pairs of armies whose chances are computed
ROLLS = 50  # rolls that are drawn
ENDINGS = 6  # endings of a battle that become states
STEPS = 4  # steps of a program that are passed without an action
DRAWS_UNKNOWN = "Cards still to be drawn are unknown; the orders continue without them."
BEST_DEFENCE = "Defenders are assumed to roll the number of dice that is best for them."
LARGE = 500  # armies; larger battles are scaled down to find the defender's best answer
SEED = 1  # fixed, so that the same question has the same answer


class TooMuchWorkError(Exception):
    """The answer takes more work than allowed."""


class Leg(NamedTuple):
    """One attack of an order's path: the order's number, its place in the path, both ends."""

    line: int
    part: int
    source: int
    target: int


LegEndings = dict[tuple[bool, int], float]  # by whether it was taken, and the attackers left


@dataclass
class PreviewTotals:
    """The results of all branches, weighted by their chances."""

    lost: float = 0.0
    destroyed: float = 0.0
    card: float = 0.0  # the chance to draw a card; endings before the draw are added later
    notes: dict[Note, float] = field(default_factory=lambda: defaultdict(float))
    pauses: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    endings: list[tuple[Any, Payload]] = field(default_factory=list)
    assumptions: set[str] = field(default_factory=set)
    legs: dict[Leg, LegEndings] = field(default_factory=dict)

    def averaged(self, runs: int) -> PreviewTotals:
        """The average of sampled runs, each of which counted with chance 1."""
        return PreviewTotals(
            lost=self.lost / runs,
            destroyed=self.destroyed / runs,
            card=self.card / runs,
            notes={note: chance / runs for note, chance in self.notes.items()},
            pauses={reason: chance / runs for reason, chance in self.pauses.items()},
            endings=[(position, payload / runs) for position, payload in self.endings],
            assumptions=self.assumptions,
            legs={
                leg: {key: chance / runs for key, chance in endings.items()}
                for leg, endings in self.legs.items()
            },
        )


class ExplorerState(NamedTuple):
    """A position with the progress, and the notes that this order has made so far."""

    progress: Progress
    noted: frozenset[Note]
    position: Position
    payload: Payload


Successor = tuple[frozenset[Note], Branch]
StateKey = tuple[Progress, frozenset[Note], bytes, int]


class StateGroup:
    """States to explore that differ only in the armies on one territory, the front."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.payloads: dict[int, Payload] = {}

    def add(self, armies: int, payload: Payload) -> None:
        """Add the state with so many armies on the front."""
        known = self.payloads.get(armies)
        self.payloads[armies] = payload if known is None else known + payload


class Explorer:
    """Orders, and the position from which they are explored."""

    def __init__(self, order_text: syntax.OrderText, game: Game, colour: str) -> None:
        seen = Game.from_position(game.ruleset, game.view(colour), names=game.names)
        self.executor = OrderExecutor(order_text, seen, colour)
        self.seat_view = self.executor.seat_view
        self.start = imagined(self.seat_view, seen.position)
        self.abstraction = Abstraction(self.seat_view, self.executor.program, self.start)
        self.battles = Battles(self.executor, self.abstraction)
        self.totals = PreviewTotals()
        self._work = 0.0
        self._most = 0.0
        self._rng: np.random.Generator | None = None
        self._prices = self._priced()

    def explore(self, most_work: float) -> PreviewTotals:
        """Explore every branch. Earlier orders come first, so that equal states meet and merge."""
        self._begin(most_work)
        waiting: dict[StateKey, StateGroup] = {}
        order: list[tuple[Any, int, StateKey]] = []
        ticket = count()  # breaks ties in the heap, since keys cannot be compared
        successors: Iterable[Successor] = [
            (
                frozenset(),
                Branch(Progress(), records.copy_position(self.start), -1, {0: self._whole(1.0)}),
            )
        ]
        while True:
            for noted, branch in successors:
                for key, position, armies, payload in self._keyed(noted, branch):
                    if key not in waiting:
                        waiting[key] = StateGroup(position)
                        # Every roll costs armies, so among states of one step those with most
                        # armies come first: no state is explored before all that lead to it.
                        rank = key[0].at, key[0].part, -int(position.armies.sum())
                        heapq.heappush(order, (rank, next(ticket), key))
                    waiting[key].add(armies, payload)
            if not order:
                return self.totals
            _, _, key = heapq.heappop(order)
            successors = self._explored(key, waiting.pop(key))

    def sample(self, runs: int, most_work: float) -> tuple[PreviewTotals, int]:
        """Explore randomly drawn runs, always the same ones; and how many they were."""
        self._begin(most_work)
        self._rng = rng = np.random.default_rng(SEED)
        done = 0
        while done < runs and self._work < most_work:
            state: ExplorerState | None = ExplorerState(
                Progress(), frozenset(), self.start, self._whole(1.0)
            )
            while state is not None:
                state = self._drawn(state, rng)
                if self._work > 2 * most_work:
                    raise TooMuchWorkError
            done += 1
        return self.totals.averaged(done), done

    def _begin(self, most_work: float) -> None:
        self.totals = PreviewTotals()
        self._work, self._most, self._rng = 0.0, most_work, None

    def _whole(self, chance: float) -> Payload:
        payload = np.zeros(len(self.abstraction.tracked) + 1)
        payload[0] = chance
        return payload

    def _explored(self, key: StateKey, found: StateGroup) -> Iterator[Successor]:
        """The successors of a group of states, as one battle where the group begins one."""
        if self._work > self._most:
            raise TooMuchWorkError
        progress, noted, _, front = key
        if front >= 0:
            # The executor decides for the largest number of armies on the front. If it begins a
            # battle there, the solver decides for the smaller numbers: they attack or stop.
            most = max(found.payloads)
            position = self._with(found.position, front, most)
            decision = self.executor.decide(position, progress)
            battle = self.battles.begun(_before(progress, decision), decision, position)
            self._work += 1.0
            if battle is not None and battle.source == front and battle.before == progress:
                for branch in self._fought(battle, position, found.payloads):
                    yield noted, branch
                return
        for armies, payload in found.payloads.items():
            position = self._with(found.position, front, armies)
            yield from self._step(ExplorerState(progress, noted, position, payload))

    def _drawn(self, state: ExplorerState, rng: np.random.Generator) -> ExplorerState | None:
        """A random successor of a state, drawn by its chance; None at an end."""
        choices = [
            (noted, branch, armies)
            for noted, branch in self._step(state)
            for armies in branch.payloads
        ]
        if not choices:
            return None
        weights = np.array([branch.payloads[armies][0] for _, branch, armies in choices])
        noted, branch, armies = choices[int(rng.choice(len(choices), p=weights / weights.sum()))]
        payload = branch.payloads[armies]
        # A drawn branch is certain: it gets the whole chance of the state.
        payload = payload * (state.payload[0] / payload[0])
        position = self._with(branch.position, branch.front, armies)
        return ExplorerState(branch.progress, noted, position, payload)

    def _step(self, state: ExplorerState) -> Iterator[Successor]:
        """The successors of a state; none at an end, which is added to the totals."""
        progress, noted, position, payload = state
        self._work += 1.0
        if position.chance == BATTLE:
            for branch in self._rolled(progress, position, payload):
                yield noted, branch
        elif position.chance != NOTHING:
            # Cards are counted where they are drawn. To compare hands before and after the turn
            # would be wrong: the text may trade a set, and an elimination brings cards.
            if position.chance == CARD and position.draws_due == 0 and self.in_turn(position):
                self.totals.card += float(payload[0])
            after = self._settled(position, 0)
            if self.seat_view.acts(after) and after.round_number == self.executor.round:
                self.totals.assumptions.add(DRAWS_UNKNOWN)
            yield noted, Branch(progress, after, -1, {0: payload})
        elif position.phase == DEFEND and not self.seat_view.acts(position):
            self.totals.assumptions.add(BEST_DEFENCE)
            yield noted, Branch(progress, self._defended(position), -1, {0: payload})
        else:
            yield from self._decided(state)

    def _decided(self, state: ExplorerState) -> Iterator[Successor]:
        progress, noted, position, payload = state
        decision = self.executor.decide(position, progress)
        self._work += float(self._prices[progress.at : decision.progress.at + 1].sum())
        noted = self._note(noted, decision, float(payload[0]))
        if decision.action is None:
            self.totals.endings.append((position, payload))
            return
        # Passing steps without an action may have changed the progress. States that differ only
        # in the armies on the front meet at the progress before the first roll.
        before = _before(progress, decision)
        battle = self.battles.begun(before, decision, position)
        if battle is None:
            after = self.seat_view.applied(position, decision.action)
            payload = self._moved(decision.action, decision, payload)
            yield noted, Branch(decision.progress, after, -1, {0: payload})
        elif before != progress and self._may_meet(before, decision):
            yield noted, Branch(before, position, -1, {0: payload})
        else:
            armies = int(position.armies[battle.source])
            for branch in self._fought(battle, position, {armies: payload}):
                yield noted, branch

    def _fought(self, battle: BattlePreview, position: Position, payloads: Starts) -> list[Branch]:
        """The endings of a battle; its losses are added to the totals."""
        self._work += self._price(battle.spec, payloads)
        after = self.battles.fought(battle, position, payloads, self._rng)
        self._work += sum(len(branch.payloads) for branch in after.branches) / ENDINGS
        self.totals.lost += after.lost
        self.totals.destroyed += after.destroyed
        leg = Leg(self._line(battle.before), battle.leg, battle.source, battle.target)
        endings = self.totals.legs.setdefault(leg, {})
        for key, chance in after.endings.items():
            endings[key] = endings.get(key, 0.0) + chance
        if battle.asked:
            self.totals.assumptions.add(BEST_DEFENCE)
        return after.branches

    def _may_meet(self, before: Progress, decision: Decision) -> bool:
        """Whether other states may join before the battle, or LOST begins to count with it."""
        return self._rng is None or before.start != decision.progress.start

    def in_turn(self, position: Position) -> bool:
        """Whether a position belongs to the turn for which the orders are."""
        same_round = position.round_number == self.executor.round
        return bool(same_round and position.turn == self.seat_view.seat)

    def card_due(self, position: Position) -> bool:
        """Whether captures have earned a card that is not drawn yet, within the turn."""
        rules = self.seat_view.rules
        at_end = rules.cards_draw_time == DrawTime.END_OF_TURN
        if not self.in_turn(position) or (position.phase in AFTER_ATTACKS and not at_end):
            return False
        return bool(card_earned(position, rules))

    def _price(self, spec: BattleSpec, payloads: Starts) -> float:
        """The work, in steps, of computing a battle to its end, or of rolling one."""
        most = max(payloads)
        tables = 3.0 if self._rng is None else 0.5
        if self._rng is not None:
            return 2.0 + most * spec.defend * tables / CELLS + (most + spec.defend) / ROLLS
        tables += np.count_nonzero(np.sum(list(payloads.values()), axis=0))
        if spec.counted:
            tables += (spec.rounds or 0) / 4
        return 2.0 + most * spec.defend * tables / CELLS

    def _rolled(self, progress: Progress, position: Position, payload: Payload) -> Iterator[Branch]:
        own, all_ = self.seat_view.own_armies(position), int(position.armies.sum())
        # Only battles that cannot be solved as a whole come here, roll by roll.
        rolls = battle_rolls(self.seat_view.game.ruleset, position)
        if self._rng is not None:
            at = int(self._rng.choice(len(rolls), p=[chance for _, chance in rolls]))
            rolls = ((rolls[at][0], 1.0),)
        for outcome, chance in rolls:
            after = self._settled(position, outcome)
            lost = own - self.seat_view.own_armies(after)
            weight = float(payload[0]) * chance
            self.totals.lost += weight * lost
            self.totals.destroyed += weight * (all_ - int(after.armies.sum()) - lost)
            yield Branch(progress, after, -1, {0: payload * chance})

    def _keyed(
        self, noted: frozenset[Note], branch: Branch
    ) -> Iterator[tuple[StateKey, Any, int, Payload]]:
        """The group that each state of a branch belongs to, and its armies on the front."""
        progress = branch.progress
        # After the last IF that asks for it, the last attack makes no difference any more.
        if progress.at > self.executor.asked:
            progress = progress._replace(attack=-1)
        # Each note counts once a run. Notes of earlier orders cannot come again, so forgetting
        # them lets states merge.
        line = self._line(progress)
        noted = frozenset(note for note in noted if note.line == line)
        front = self._front(progress, branch.position)
        if front >= 0 and front == branch.front:
            template = self._with(branch.position, front, 0)
            removed = self._forgotten(progress, template)
            key = progress, noted, template.tobytes(), front
            for armies, payload in branch.payloads.items():
                yield key, template, armies, _with_removed(payload, removed)
            return
        for armies, payload in branch.payloads.items():
            position = self._with(branch.position, branch.front, armies)
            removed = self._forgotten(progress, position)
            standing = int(position.armies[front]) if front >= 0 else 0
            if front >= 0:
                position.armies[front] = 0
            key = progress, noted, position.tobytes(), front
            yield key, position, standing, _with_removed(payload, removed)

    def _front(self, progress: Progress, position: Position) -> int:
        """The territory whose armies alone decide how the next battle begins; -1 for none."""
        step = self.executor.step(progress)
        if not isinstance(step, ProgramStep) or not isinstance(step.order, syntax.AttackOrder):
            return -1
        if position.chance != NOTHING or position.phase not in ATTACKING:
            return -1
        # LOST that has not begun to count depends on armies elsewhere too.
        lost = any(stop.kind is syntax.StopKind.LOST for stop in step.order.stops)
        if (lost and not progress.start) or progress.part + 1 >= len(step.order.path):
            return -1
        front = self.seat_view.territory(step.order.path[progress.part])
        return front if position.owner[front] == self.seat_view.seat else -1

    def _forgotten(self, progress: Progress, position: Position) -> Payload | None:
        """Remove the armies that no later order can distinguish; they go on as averages.

        The result is how many were removed from each tracked territory; None for none.
        """
        # In the middle of a battle or an occupation the engine itself needs every army.
        if position.chance != NOTHING or position.phase in UNSETTLED:
            return None
        every = position.armies
        armies = np.asarray(every[self.abstraction.tracked])
        distinct = np.minimum(armies, self.abstraction.tracked_caps(progress))
        found: Payload = (armies - distinct).astype(np.float64)
        if not found.any():
            return None
        every[self.abstraction.tracked] = distinct
        return found

    def _moved(self, action: Action, decision: Decision, payload: Payload) -> Payload:
        """The payload after a move; armies kept as averages move too where the order moves all."""
        step = self.executor.step(Progress(decision.progress.at - 1))
        order = step.order if isinstance(step, ProgramStep) else None
        if not isinstance(action, Fortify) or not isinstance(
            order, syntax.FortifyOrder | syntax.ManoeuvreOrder
        ):
            return payload
        if not isinstance(order.armies, syntax.AllBut):
            return payload
        source, target = (
            self.abstraction.slot[self.seat_view.territory(name)] + 1
            for name in (order.source, order.target)
        )
        after = payload.copy()
        after[target] += after[source]
        after[source] = 0.0
        return after

    def _line(self, progress: Progress) -> int:
        step = self.executor.step(progress)
        return step.line if isinstance(step, ProgramStep | ConditionalJump) else 0

    def _note(self, noted: frozenset[Note], decision: Decision, chance: float) -> frozenset[Note]:
        """Count each note once in a run; the notes that the run has made so far."""
        # The chance of each path already says how often an attack never rolls.
        notes = [note for note in decision.notes if not is_no_attack(note)]
        for note in dict.fromkeys(notes):
            if note not in noted:
                self.totals.notes[note] += chance
        if decision.standstill is Standstill.PAUSED:
            self.totals.pauses[decision.reason] += chance
        return noted.union(notes)

    def _priced(self) -> Payload:
        """The work, in steps, of passing each step of the program."""
        own = self.seat_view.own_armies(self.start) + self.seat_view.unplaced(self.start)
        prices = []
        for step in self.executor.program:
            price = 1 / STEPS
            order = step.order if isinstance(step, ProgramStep) else None
            if isinstance(order, syntax.AttackOrder):
                price += len(order.path) / (4 * STEPS)
                if least_odds(order) is not None:
                    most = min(own, MOST_ARMIES)
                    defend = sum(self.seat_view.armies(self.start, t) for t in order.path[1:])
                    lost = any(stop.kind is syntax.StopKind.LOST for stop in order.stops)
                    again = order.advance if lost and isinstance(order.advance, int) else 1
                    cells = most * defend * again
                    price += min(cells, MOST_CELLS) / CELLS
            prices.append(price)
        return np.array(prices)

    def _settled(self, position: Position, outcome: int) -> Position:
        after = records.copy_position(position)
        settle(after, self.seat_view.rules, self.seat_view.tables, outcome)
        return after

    def _defended(self, position: Position) -> Position:
        """The position after the defence that is worst for the attack."""
        source, target = int(position.attack_source), int(position.attack_target)
        rule = DiceRule.between(
            self.seat_view.game.ruleset,
            position,
            source,
            target,
            attack_dice=int(position.attack_dice),
            defend_dice="best",
        )
        attack, defend = int(position.armies[source]), int(position.armies[target])
        scale = max(1.0, max(attack, defend) / LARGE)
        attack, defend = max(2, int(attack / scale)), max(1, int(defend / scale))
        reply = int(best_policy(rule, attack, defend)[attack, defend]) % SHIFT
        return self.seat_view.applied(position, DefendWith(reply))

    @staticmethod
    def _with(position: Position, t: int, armies: int) -> Position:
        """A copy with other armies on territory `t`; the position itself where `t` is -1."""
        if t < 0:
            return position
        after = records.copy_position(position)
        after.armies[t] = armies
        return after


def _before(progress: Progress, decision: Decision) -> Progress:
    """The progress just before the roll that a decision begins with."""
    then = decision.progress
    if then.at != progress.at:  # not begun: LOST counts from the armies that are left at the start
        return then._replace(rolled=0, start=0)
    if (then.part, then.start) == (progress.part, progress.start):
        return progress
    return then._replace(rolled=max(0, then.rolled - 1))


def _with_removed(payload: Payload, removed: Payload | None) -> Payload:
    """A payload with the armies that were removed from its position."""
    if removed is None:
        return payload
    after = payload.copy()
    after[1:] += payload[0] * removed
    return after
