"""Events from the difference between two positions, in the order in which they happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import overload

from rubicon.engine import records
from rubicon.engine.apply import apply
from rubicon.engine.codes import Announce, BonusDie, CardVisibility, ExtraDefenceDie, HqReveal
from rubicon.engine.legality import actor_of
from rubicon.engine.records import Position, Rules
from rubicon.rules import actions
from rubicon.rules.events import (
    Awarded,
    Begins,
    Captured,
    Dealt,
    Decided,
    Discarded,
    Drew,
    Eliminated,
    Event,
    FirstDice,
    MissionShown,
    Rolled,
    SpoilsTaken,
    Traded,
    TurnBegan,
    Won,
)
from rubicon.rules.notation.position_fields import PositionNames
from rubicon.rules.ruleset.ruleset import Ruleset

# Which dice of a roll won, for people who look at it; the losses are the engine's.


def pair_winners(rules: Rules, before: Position, roll: actions.Roll) -> tuple[str, ...]:
    """`attacker` or `defender` for each pair of dice that is compared, the highest dice first.

    `before` is the position in which the roll is pending. Ties go to the defender, and airfields
    and capitals add to the highest die (S000-08, RW1). A side may lose fewer armies than pairs:
    the last ones that must stay are not taken (A-16, A-17).
    """
    attack = _highest_first(roll.attack, int(before.attack_plus))
    defence = _highest_first(roll.defence, int(before.defence_plus))
    return tuple(
        "attacker" if mine > theirs else "defender"
        for mine, theirs in list(zip(attack, defence, strict=False))[: _compared(rules, before)]
    )


def _highest_first(faces: Sequence[int], plus: int) -> list[int]:
    best, *others = sorted(faces, reverse=True)
    return [best + plus, *others]


def _compared(rules: Rules, before: Position) -> int:
    """How many pairs of dice are compared."""
    pairs = min(int(before.attack_dice), int(before.defence_dice))
    if rules.bonus_die == BonusDie.COMPARE_EXTRA:
        pairs = min(
            int(before.attack_dice + before.attack_extra),
            int(before.defence_dice + before.defence_extra),
        )
    if rules.defend_extra_die == ExtraDefenceDie.BEST_ONLY:
        pairs = min(pairs, int(before.armies[int(before.attack_target)]))
    return pairs


DEALT = {
    records.Chance.CITY: "city",
    records.Chance.MINOR_OBJECTIVE: "objective",
    records.Chance.MAJOR_OBJECTIVE: "objective",
    records.Chance.NEUTRAL_TERRITORY: "neutral territory",
    records.Chance.TERRITORY: "territory",
    records.Chance.MISSION: "mission",
    records.Chance.STARTING_CARD: "card",
    records.Chance.MINOR_REWARD: "reward",
    records.Chance.MAJOR_REWARD: "reward",
}


@dataclass(slots=True)
class Transition:
    """One step of a game: the positions before and after it, which no later step changes."""

    ruleset: Ruleset
    names: PositionNames
    before: Position
    after: Position
    entry: actions.Action | actions.Outcome


class StepEvents(Sequence[Event]):
    """The events of one step, found when they are first read.

    The events of most steps of a search or a simulation are never read, and finding them takes
    longer than the step itself.
    """

    __slots__ = ("_found", "_transition")

    def __init__(self, transition: Transition) -> None:
        self._transition = transition
        self._found: tuple[Event, ...] | None = None

    def _events(self) -> tuple[Event, ...]:
        if self._found is None:
            self._found = step_events(self._transition)
        return self._found

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, index: int | slice) -> Event | tuple[Event, ...]:
        return self._events()[index]

    def __len__(self) -> int:
        return len(self._events())

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._events() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._events())

    def __repr__(self) -> str:
        return repr(self._events())


def step_events(transition: Transition) -> tuple[Event, ...]:
    """The events that follow from a decision or from an outcome of chance, in their order."""
    entry = transition.entry
    if isinstance(entry, actions.Outcome):
        return _outcome_events(transition, entry)
    return _action_events(transition, entry)


def _action_events(transition: Transition, action: actions.Action) -> tuple[Event, ...]:
    actor = transition.names.owner_name(
        actor_of(transition.before, actions.code_of(action, transition.names))
    )
    events: list[Event] = [_decision(transition, actor, action)]
    # A trade reads its bonus before the cap takes some of it away again.
    uncapped = _uncapped(transition, action)
    if isinstance(action, actions.Trade):
        events.append(_traded(transition, uncapped, actor))
    if uncapped is not transition.after:
        events.extend(_discarded(transition, uncapped))
    events.extend(_consequences(transition))
    return tuple(events)


def _outcome_events(transition: Transition, outcome: actions.Outcome) -> tuple[Event, ...]:
    events: list[Event] = []
    match outcome:
        case actions.Roll():
            events.extend(_battle(transition, outcome))
        case actions.Dice():
            events.append(FirstDice(_rollers(transition), outcome))
        case actions.Pick(thing):
            events.extend(_picked(transition, thing))
    events.extend(_consequences(transition))
    return tuple(events)


def _decision(transition: Transition, actor: str, action: actions.Action) -> Decided:
    phase = transition.before.phase
    sealed = phase == records.Phase.SEALED and isinstance(action, actions.Place)
    chosen = (
        phase == records.Phase.HEADQUARTERS
        and isinstance(action, actions.PlaceCapital)
        and transition.ruleset.rules.hq_reveal == HqReveal.SIMULTANEOUS
    )
    if isinstance(action, actions.Attack) and _dice_sealed(transition):
        return Decided(actor, str(action), True, str(replace(action, dice=None)))
    return Decided(
        actor, str(action), sealed or chosen or isinstance(action, actions.StandingOrder)
    )


def _dice_sealed(transition: Transition) -> bool:
    """Whether the attacker's number of dice is still unknown to the defender (A-29)."""
    waits = transition.after.phase == records.Phase.DEFEND
    return waits and transition.ruleset.rules.dice_announce == Announce.SEALED


def _uncapped(transition: Transition, action: actions.Action) -> Position:
    """The position as it would be if `army_cap` let every army stand."""
    ruleset = transition.ruleset
    if not ruleset.rules.army_cap or not isinstance(
        action, actions.Place | actions.Occupy | actions.Fortify | actions.Trade
    ):
        return transition.after
    # The engine does not remember what the cap took. The action is played once more without it,
    # and the difference is what was lost.
    rules = copy(ruleset.rules)
    rules.army_cap = 0
    position = records.copy_position(transition.before)
    apply(position, rules, ruleset.tables, actions.code_of(action, transition.names))
    return position


def _traded(transition: Transition, uncapped: Position, actor: str) -> Traded:
    before, after, names = transition.before, transition.after, transition.names
    seat = names.colours.index(actor)
    lain, lay = after.card.tolist(), before.card.tolist()
    cards = tuple(
        name
        for card, name in enumerate(names.cards)
        if lain[card] == records.CardPlace.DISCARDS != lay[card]
    )
    bonus = tuple(
        name for t, name in enumerate(names.territories) if uncapped.armies[t] > before.armies[t]
    )
    return Traded(actor, cards, int(after.unplaced[seat] - before.unplaced[seat]), bonus)


def _discarded(transition: Transition, uncapped: Position) -> Iterator[Event]:
    for t, name in enumerate(transition.names.territories):
        lost = int(uncapped.armies[t]) - int(transition.after.armies[t])
        if lost > 0:
            yield Discarded(name, lost)


def _battle(transition: Transition, roll: actions.Roll) -> Iterator[Event]:
    before, after, names = transition.before, transition.after, transition.names
    source, target = before.attack_source, before.attack_target
    attacker = names.owner_name(before.turn)
    defender = names.owner_name(before.owner[target])
    captured = after.owner[target] != before.owner[target]
    left = 0 if captured else int(after.armies[target])
    won = int(before.armies[target]) - left
    # A capture that ends the game moves the armies in at once: they are not lost.
    moved = int(after.armies[target]) if captured and after.phase == records.Phase.OVER else 0
    lost = int(before.armies[source] - after.armies[source]) - moved
    places = names.territories
    yield Rolled(
        attacker=attacker,
        defender=defender,
        source=places[source],
        target=places[target],
        roll=roll,
        attacker_lost=lost,
        defender_lost=won,
        winners=pair_winners(transition.ruleset.rules, before, roll),
        attacker_armies=int(before.armies[source]),
        defender_armies=int(before.armies[target]),
    )
    if captured:
        yield Captured(attacker, places[target], defender)


def _rollers(transition: Transition) -> tuple[str, ...]:
    rolls = transition.before.chance_seats
    return tuple(name for seat, name in enumerate(transition.names.colours) if rolls[seat])


def _picked(transition: Transition, thing: str) -> Iterator[Event]:
    chance = records.Chance(transition.before.chance)
    public = transition.ruleset.rules.cards_visibility == CardVisibility.PUBLIC
    if chance == records.Chance.CARD:
        yield Drew(transition.names.colours[transition.before.turn], thing)
    elif chance in DEALT:
        secret = chance == records.Chance.MISSION or (
            chance == records.Chance.STARTING_CARD and not public
        )
        yield Dealt(DEALT[chance], thing, _receiver(transition, chance, thing), secret)


def _receiver(transition: Transition, chance: records.Chance, thing: str) -> str:
    before, after, names = transition.before, transition.after, transition.names
    if chance == records.Chance.TERRITORY:
        return names.owner_name(after.owner[names.territories.index(thing)])
    if chance == records.Chance.NEUTRAL_TERRITORY:
        return names.owner_name(records.NEUTRAL)
    if chance == records.Chance.MISSION:
        dealt = [
            name
            for seat, name in enumerate(names.colours)
            if after.mission[seat] != before.mission[seat]
        ]
        return dealt[0] if dealt else "the deck again"
    if chance == records.Chance.STARTING_CARD:
        return names.colours[after.card[names.cards.index(thing)]]
    if chance in (records.Chance.MINOR_REWARD, records.Chance.MAJOR_REWARD):
        laid = after.objective_reward != before.objective_reward
        return names.objectives[laid.argmax()]
    return "the board"


def _consequences(transition: Transition) -> Iterator[Event]:
    """The events that may follow from a decision and from chance alike."""
    before, after, colours = transition.before, transition.after, transition.names.colours
    if after.first not in (before.first, records.NONE):
        yield Begins(colours[after.first])
    # As lists: comparing NumPy's cells one by one takes longer than everything else here.
    was, now = before.status.tolist(), after.status.tolist()
    for seat, colour in enumerate(colours) if was != now else ():
        if now[seat] == records.Seat.ELIMINATED and was[seat] == records.Seat.PLAYING:
            yield Eliminated(colour, colours[after.turn])
    if before.eliminated != records.NONE and after.eliminated == records.NONE:
        yield _spoils(transition)
    if _turn_began(before, after):
        yield TurnBegan(colours[after.turn], after.round_number)
        yield award_event(transition)
    if after.phase == records.Phase.OVER and before.phase != records.Phase.OVER:
        yield from _end(transition)


def _spoils(transition: Transition) -> SpoilsTaken:
    before, names = transition.before, transition.names
    victim = before.eliminated
    cards = tuple(n for card, n in enumerate(names.cards) if before.card[card] == victim)
    objectives = tuple(n for o, n in enumerate(names.objectives) if before.objective[o] == victim)
    return SpoilsTaken(
        seat=names.colours[before.turn],
        victim=names.colours[victim],
        cards=cards,
        objectives=objectives,
        secret=transition.ruleset.rules.cards_visibility != CardVisibility.PUBLIC,
        count=len(cards),
    )


def _turn_began(before: Position, after: Position) -> bool:
    if after.phase != records.Phase.REINFORCE:
        # A game that is over at once, in the award of its first turn, never reaches REINFORCE.
        first = before.round_number == 0 and after.round_number == 1
        return first and after.phase == records.Phase.OVER
    passed = before.turn != after.turn or before.round_number != after.round_number
    return before.phase < records.Phase.REINFORCE or passed


def award_event(transition: Transition) -> Awarded:
    """The armies that the seat to move has received for its turn."""
    after = transition.after
    return Awarded(
        transition.names.colours[after.turn],
        after.award_territories,
        after.award_continents,
        after.award_capitals,
        after.award_rewards,
    )


def _end(transition: Transition) -> Iterator[Event]:
    after, names = transition.after, transition.names
    winner = after.winner
    if winner == records.DRAWN:
        yield Won(None)
        return
    if after.mission[winner] != records.NONE:
        yield MissionShown(names.colours[winner], names.missions[after.mission[winner]])
    yield Won(names.colours[winner])
