"""Telling events: the difference between two positions, in the order it came about."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rubicon.rules.actions import (
    Action,
    Attack,
    Fortify,
    Occupy,
    Place,
    PlaceCapital,
    StandingOrder,
    Trade,
    code_of,
)
from rubicon.rules.choices import Announce, CardVisibility, HqReveal
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
from rubicon.rules.outcomes import Dice, Pick, Roll
from rubicon.rules.position import (
    DRAWN,
    NEUTRAL,
    NONE,
    CardPlace,
    Chance,
    Phase,
    Seat,
    copy_position,
)
from rubicon.rules.procedures.play import apply

if TYPE_CHECKING:
    from rubicon.rules.game import Game

DEALT = {
    Chance.CITY: "city",
    Chance.MINOR_OBJECTIVE: "objective",
    Chance.MAJOR_OBJECTIVE: "objective",
    Chance.NEUTRAL_TERRITORY: "neutral territory",
    Chance.TERRITORY: "territory",
    Chance.MISSION: "mission",
    Chance.STARTING_CARD: "card",
    Chance.MINOR_REWARD: "reward",
    Chance.MAJOR_REWARD: "reward",
}


def action_events(game: Game, before: Any, actor: str, action: Action) -> tuple[Event, ...]:
    """What followed from a decision; `game` stands after it, `before` is the position before."""
    events: list[Event] = [_decision(game, before, actor, action)]
    uncapped = _uncapped(game, before, action)
    if isinstance(action, Trade):
        events.append(_traded(game, before, uncapped, actor))
    if uncapped is not game.position:
        events.extend(_discarded(game, uncapped))
    events.extend(_consequences(game, before))
    return tuple(events)


def outcome_events(game: Game, before: Any, outcome: Roll | Dice | Pick) -> tuple[Event, ...]:
    """What followed from chance."""
    events: list[Event] = []
    match outcome:
        case Roll():
            events.extend(_battle(game, before, outcome))
        case Dice():
            events.append(FirstDice(_rollers(game, before), outcome))
        case Pick(thing):
            events.extend(_picked(game, before, thing))
    events.extend(_consequences(game, before))
    return tuple(events)


def _decision(game: Game, before: Any, actor: str, action: Action) -> Decided:
    sealed = before.phase == Phase.SEALED and isinstance(action, Place)
    chosen = (
        before.phase == Phase.HEADQUARTERS
        and isinstance(action, PlaceCapital)
        and game.rules.hq_reveal == HqReveal.SIMULTANEOUS
    )
    if isinstance(action, Attack) and _dice_sealed(game):
        return Decided(actor, str(action), True, str(replace(action, dice=None)))
    return Decided(actor, str(action), bool(sealed or chosen or isinstance(action, StandingOrder)))


def _dice_sealed(game: Game) -> bool:
    """Whether the attacker's number of dice is still unknown to the defender (A-29)."""
    waits = game.position.phase == Phase.DEFEND
    return bool(waits and game.rules.dice_announce == Announce.SEALED)


def _uncapped(game: Game, before: Any, action: Action) -> Any:
    """The position as it would be if `army_cap` let every army stand."""
    if not game.rules.army_cap or not isinstance(action, Place | Occupy | Fortify | Trade):
        return game.position
    rules: Any = copy(game.rules)
    rules.army_cap = 0
    position = copy_position(before)
    apply(position, rules, game.tables, code_of(action, game))
    return position


def _traded(game: Game, before: Any, uncapped: Any, actor: str) -> Traded:
    after = game.position
    seat = game.colours.index(actor)
    lain, lay = after.card.tolist(), before.card.tolist()
    cards = tuple(
        name
        for card, name in enumerate(game.cards)
        if lain[card] == CardPlace.DISCARDS != lay[card]
    )
    bonus = tuple(
        name for t, name in enumerate(game.territories) if uncapped.armies[t] > before.armies[t]
    )
    return Traded(actor, cards, int(after.unplaced[seat] - before.unplaced[seat]), bonus)


def _discarded(game: Game, uncapped: Any) -> Iterator[Event]:
    for t, name in enumerate(game.territories):
        lost = int(uncapped.armies[t]) - int(game.position.armies[t])
        if lost > 0:
            yield Discarded(name, lost)


def _battle(game: Game, before: Any, roll: Roll) -> Iterator[Event]:
    after = game.position
    source, target = int(before.attack_source), int(before.attack_target)
    attacker = game.owner_name(int(before.turn))
    defender = game.owner_name(int(before.owner[target]))
    captured = after.owner[target] != before.owner[target]
    left = 0 if captured else int(after.armies[target])
    won = int(before.armies[target]) - left
    moved = int(after.armies[target]) if captured and after.phase == Phase.OVER else 0
    lost = int(before.armies[source] - after.armies[source]) - moved
    names = game.territories
    yield Rolled(attacker, defender, names[source], names[target], roll, lost, won)
    if captured:
        yield Captured(attacker, names[target], defender)


def _rollers(game: Game, before: Any) -> tuple[str, ...]:
    return tuple(name for seat, name in enumerate(game.colours) if before.chance_seats[seat])


def _picked(game: Game, before: Any, thing: str) -> Iterator[Event]:
    chance = Chance(int(before.chance))
    public = bool(game.rules.cards_visibility == CardVisibility.PUBLIC)
    if chance == Chance.CARD:
        yield Drew(game.colours[int(before.turn)], thing)
    elif chance in DEALT:
        secret = chance == Chance.MISSION or (chance == Chance.STARTING_CARD and not public)
        yield Dealt(DEALT[chance], thing, _receiver(game, before, chance, thing), secret)


def _receiver(game: Game, before: Any, chance: Chance, thing: str) -> str:
    after = game.position
    if chance == Chance.TERRITORY:
        return game.owner_name(int(after.owner[game.territories.index(thing)]))
    if chance == Chance.NEUTRAL_TERRITORY:
        return game.owner_name(NEUTRAL)
    if chance == Chance.MISSION:
        changed = [s for s in range(game.size) if after.mission[s] != before.mission[s]]
        return game.colours[changed[0]] if changed else "the deck again"
    if chance == Chance.STARTING_CARD:
        return game.colours[int(after.card[game.cards.index(thing)])]
    if chance in (Chance.MINOR_REWARD, Chance.MAJOR_REWARD):
        laid = after.objective_reward != before.objective_reward
        return game.objectives[int(laid.argmax())]
    return "the board"


def _consequences(game: Game, before: Any) -> Iterator[Event]:
    after = game.position
    if after.first not in (before.first, NONE):
        yield Begins(game.colours[int(after.first)])
    was, now = before.status.tolist(), after.status.tolist()
    for seat in range(game.size) if was != now else ():
        if now[seat] == Seat.ELIMINATED and was[seat] == Seat.PLAYING:
            yield Eliminated(game.colours[seat], game.colours[after.turn])
    if before.eliminated != NONE and after.eliminated == NONE:
        yield from _spoils(game, before)
    if _turn_began(before, after):
        yield TurnBegan(game.colours[int(after.turn)], int(after.round_number))
        yield _award(game, after)
    if after.phase == Phase.OVER and before.phase != Phase.OVER:
        yield from _end(game)


def _spoils(game: Game, before: Any) -> Iterator[Event]:
    victim = int(before.eliminated)
    cards = tuple(n for card, n in enumerate(game.cards) if before.card[card] == victim)
    objectives = tuple(n for o, n in enumerate(game.objectives) if before.objective[o] == victim)
    secret = bool(game.rules.cards_visibility != CardVisibility.PUBLIC)
    seat, name = game.colours[int(before.turn)], game.colours[victim]
    yield SpoilsTaken(seat, name, cards, objectives, secret, len(cards))


def _turn_began(before: Any, after: Any) -> bool:
    if after.phase != Phase.REINFORCE:
        first = before.round_number == 0 and after.round_number == 1
        return bool(first and after.phase == Phase.OVER)
    passed = before.turn != after.turn or before.round_number != after.round_number
    return bool(before.phase < Phase.REINFORCE or passed)


def _award(game: Game, after: Any) -> Awarded:
    return Awarded(
        game.colours[int(after.turn)],
        int(after.award_territories),
        int(after.award_continents),
        int(after.award_capitals),
        int(after.award_rewards),
    )


def _end(game: Game) -> Iterator[Event]:
    after = game.position
    winner = int(after.winner)
    if winner == DRAWN:
        yield Won(None)
        return
    if after.mission[winner] != NONE:
        yield MissionShown(game.colours[winner], game.missions[int(after.mission[winner])])
    yield Won(game.colours[winner])
