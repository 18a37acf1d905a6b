"""The numbers and names of a refusal: "Too many dice (4 asked, 3 allowed)."

The engine answers with a number only. What is added here comes from the position that the asking
seat may see, so that a refusal tells a player nothing that the board does not show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from rubicon.engine.attack import most_attack_dice, most_defence_dice
from rubicon.engine.cards import offered_stars
from rubicon.engine.codes import Refusal
from rubicon.engine.ownership import defending_seat
from rubicon.engine.records import NEUTRAL, ObjectivePlace, Phase, Position
from rubicon.rules import actions
from rubicon.rules.notation.position_fields import PositionNames
from rubicon.rules.refusals import REASONS, Refused
from rubicon.rules.ruleset.ruleset import Ruleset

# What is wrong and what to do; "" leaves the general words of `REASONS`.
Words: TypeAlias = tuple[str, str]
GENERAL: Words = ("", "")
MOST_LISTED = 8  # names in a hint
NOW: Mapping[Phase, str] = {
    Phase.CLAIM: "Claim a territory now: `claim TERRITORY`.",
    Phase.PLACE: "Place your starting armies now: `deploy N TERRITORY`.",
    Phase.SEALED: "Place your armies, then seal them: `deploy N TERRITORY`, `seal`.",
    Phase.HEADQUARTERS: "Choose your headquarters now: `capital TERRITORY`.",
    Phase.REINFORCE: "Attack first, or end your attacks: type `end attack`.",
    Phase.ATTACK: "End your attacks first: type `end attack`.",
    Phase.TRADE: "Trade a set, or type `decline`.",
    Phase.FORTIFY: "Move armies (`fortify FROM -> TO N`), or type `end turn`.",
    Phase.CONTINENTS: "Place the armies of your continents now: `deploy N TERRITORY`.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedAction:
    """A refused action and what the asking seat sees; `seat` is -1 where no seat is meant."""

    action: actions.Action
    seat: int
    view: Position
    ruleset: Ruleset
    names: PositionNames

    def title(self, territory: str) -> str:
        """The name of a territory for people."""
        return self.ruleset.board.territories[self.number(territory)].name

    def number(self, territory: str) -> int:
        """The index of a territory."""
        return self.names.territories.index(territory)

    def armies(self, territory: str) -> int:
        """The armies on a territory; -1 where they are hidden."""
        return self.view.armies[self.number(territory)]

    def owner(self, territory: str) -> int:
        """The owner's index."""
        return self.view.owner[self.number(territory)]

    def neighbours(self, territory: str, *, own: bool) -> list[str]:
        """The names of the adjacent territories that are the seat's own, or that are not."""
        t, tables = self.number(territory), self.ruleset.tables
        near = [tables.neighbour[t, place] for place in range(tables.degree[t])]
        ids = [self.names.territories[other] for other in near]
        return [self.title(name) for name in ids if (self.owner(name) == self.seat) == own]


def refused(
    refusal: Refusal,
    action: actions.Action,
    *,
    seat: int,
    view: Position,
    ruleset: Ruleset,
    names: PositionNames,
) -> Refused:
    """The error for an action that the rules refuse, with the details that `view` shows."""
    asked = RefusedAction(action=action, seat=seat, view=view, ruleset=ruleset, names=names)
    find = _DETAILS.get(refusal)
    sentence, hint = find(asked) if find else GENERAL
    return Refused(refusal, str(action), sentence, hint)


def _listed(names: list[str]) -> str:
    shown = names[:MOST_LISTED]
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return ", ".join(shown) + more


def _armies(number: int) -> str:
    return f"{number} army" if number == 1 else f"{number} armies"


def _asked_and_allowed(what: str, asked: int, allowed: int) -> str:
    return f"{what} ({asked} asked, {allowed} allowed)."


# Phases and turns


def _wrong_phase(asked: RefusedAction) -> Words:
    view, action = asked.view, asked.action
    phase = Phase(view.phase)
    waiting = view.unplaced[asked.seat] if asked.seat >= 0 else 0
    if phase == Phase.REINFORCE and waiting > 0:
        return f"You have {_armies(waiting)} to place first.", "Write `deploy N TERRITORY`."
    if phase in (Phase.ATTACK, Phase.FORTIFY) and isinstance(action, actions.Place):
        return "Your armies for this turn are on the board already.", NOW[phase]
    if phase == Phase.ATTACK and isinstance(
        action, actions.Fortify | actions.EndTurn | actions.ClaimObjective
    ):
        what = {
            actions.Fortify: "move armies",
            actions.EndTurn: "end your turn",
            actions.ClaimObjective: "claim",
        }
        return f"You cannot {what[type(action)]} while you are attacking.", NOW[phase]
    if phase == Phase.FORTIFY and isinstance(action, actions.Attack):
        return "Your attacks of this turn are over.", NOW[phase]
    name = phase.name.lower().replace("_", " ")
    return f"That is not possible in the phase `{name}`.", NOW.get(phase, "")


def _not_your_turn(asked: RefusedAction) -> Words:
    view = asked.view
    if view.phase == Phase.DEFEND and (defender := int(defending_seat(view))) >= 0:
        return f"{_colour(asked, defender)} chooses dice now.", ""
    if view.first >= 0 and view.phase != Phase.SEALED and view.turn != asked.seat:
        return f"It is {asked.names.owner_name(view.turn)}'s turn.", ""
    return GENERAL


def _colour(asked: RefusedAction, owner: int) -> str:
    return asked.names.owner_name(owner).capitalize()


def _not_playing(asked: RefusedAction) -> Words:
    seat = getattr(asked.action, "seat", "")
    return (f"{seat.capitalize()} is out of the game.", "") if seat else GENERAL


def _occupation_pending(asked: RefusedAction) -> Words:
    view = asked.view
    most = view.armies[view.attack_source] - 1
    target = asked.title(asked.names.territories[view.attack_target])
    hint = f"Say how many armies move in, {view.occupy_minimum} to {most}: `advance N`."
    if most <= view.occupy_minimum:
        hint = f"Write `occupy {view.occupy_minimum}`."
    return f"You must occupy {target} first.", hint


def _defence_pending(asked: RefusedAction) -> Words:
    defender = int(defending_seat(asked.view))
    if defender < 0 or defender == NEUTRAL:
        return GENERAL
    return f"{_colour(asked, defender)} chooses the dice of the defence first.", ""


# Territories and armies


def _not_yours(asked: RefusedAction) -> Words:
    for territory in _own_territories(asked.action):
        owner = asked.owner(territory)
        if owner != asked.seat:
            who = "nobody" if owner < 0 else asked.names.owner_name(owner)
            return f"{asked.title(territory)} is not yours: it belongs to {who}.", ""
    return GENERAL


def _own_territories(action: actions.Action) -> list[str]:
    """The territories that an action needs to be the seat's own."""
    match action:
        case actions.Attack(source):
            return [source]
        case actions.Fortify(source, target):
            return [source, target]
        case actions.Place(territory) | actions.PlaceCapital(territory):
            return [territory]
        case actions.StandingOrder(_, territory) | actions.ClaimObjective(_, territory) if (
            territory is not None
        ):
            return [territory]
    return []


def _taken(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.Claim | actions.PlaceCapital):
        return GENERAL
    territory = asked.action.territory
    owner = asked.names.owner_name(asked.owner(territory))
    return f"{asked.title(territory)} is taken by {owner}.", ""


def _capital_first(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.Claim):
        return GENERAL
    return "", f"Write `capital {asked.action.territory}`."


def _too_many_to_place(asked: RefusedAction) -> Words:
    # Another seat's unplaced armies are hidden (-1) in a sealed placement: then no number is named.
    left = asked.view.unplaced[asked.seat] if asked.seat >= 0 else -1
    if not isinstance(asked.action, actions.Place) or left < 0:
        return GENERAL
    what = f"Not enough armies left to place ({asked.action.armies} asked, {left} left)."
    return what, f"Place {left} at most." if left else ""


def _armies_left(asked: RefusedAction) -> Words:
    left = asked.view.unplaced[asked.seat] if asked.seat >= 0 else 0
    return (f"You have {_armies(left)} left to place.", "") if left > 0 else GENERAL


# Cards


def _forced(asked: RefusedAction) -> Words:
    held = asked.view.hand[asked.seat] if asked.seat >= 0 else 0
    return (f"You hold {held} cards: you must trade a set first.", "") if held > 0 else GENERAL


def _not_held(asked: RefusedAction) -> Words:
    match asked.action:
        case actions.Trade(cards):
            named = cards
        case actions.Offer(card):
            named = (card,)
        case _:
            return GENERAL
    missing = [card for card in named if not _holds(asked, card)]
    if not missing:
        return "The same card is named twice.", "Name three different cards."
    return f"You do not hold {_listed(missing)}.", f"Your cards: {_listed(_hand(asked)) or 'none'}."


def _holds(asked: RefusedAction, card: str) -> bool:
    return asked.view.card[asked.names.cards.index(card)] == asked.seat


def _hand(asked: RefusedAction) -> list[str]:
    return [card for card in asked.names.cards if _holds(asked, card)]


def _bonus(asked: RefusedAction) -> Words:
    """The territories of the seat's own among the cards, for the two armies."""
    cards = asked.action.cards if isinstance(asked.action, actions.Trade) else ()
    shown = [card for card in cards if card in asked.names.territories]
    own = [card for card in shown if asked.owner(card) == asked.seat]
    if not own:
        return "", "Leave out `on TERRITORY`."
    return "", f"Add one of these: {', '.join(f'`on {card}`' for card in own)}."


def _few_stars(asked: RefusedAction) -> Words:
    stars = int(offered_stars(asked.view, asked.ruleset.tables))
    return f"A trade needs at least two stars; {stars} on offer.", ""


# Attacks


def _attackable(asked: RefusedAction, source: str) -> str:
    near = asked.neighbours(source, own=False)
    if not near:
        return f"All neighbours of {asked.title(source)} are yours."
    return f"From {asked.title(source)} you can attack {_listed(near)}."


def _own_target(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.Attack):
        return GENERAL
    source, target = asked.action.source, asked.action.target
    return f"{asked.title(target)} is your own territory.", _attackable(asked, source)


def _not_adjacent(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.Attack):
        return GENERAL
    source, target = asked.action.source, asked.action.target
    what = f"{asked.title(source)} and {asked.title(target)} share no border."
    return what, _attackable(asked, source)


def _too_few_armies(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.Attack):
        return GENERAL
    source = asked.action.source
    count = _armies(asked.armies(source))
    return f"{asked.title(source)} has only {count}; an attack needs at least 2.", ""


def _too_many_dice(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.Attack) or asked.action.dice is None:
        return GENERAL
    source = asked.number(asked.action.source)
    allowed = int(most_attack_dice(asked.view, asked.ruleset.rules, source))
    # Three dice are the most that any number of armies may roll.
    what = "Too few armies for that many dice" if allowed < 3 else "Too many dice"
    return _asked_and_allowed(what, asked.action.dice, allowed), f"Write `dice {allowed}`."


def _dice_unstated(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.Attack):
        return GENERAL
    source = asked.number(asked.action.source)
    allowed = int(most_attack_dice(asked.view, asked.ruleset.rules, source))
    return "", f"Add `dice {allowed}`, or fewer." if allowed > 1 else "Add `dice 1`."


def _defence_dice(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.DefendWith):
        return GENERAL
    view = asked.view
    allowed = int(most_defence_dice(view, asked.ruleset.rules, view.attack_target))
    if asked.action.dice < 1:
        return "A defence takes at least one die.", "Write `defend 1`."
    what = "Too few armies for that many dice" if allowed < 2 else "Too many dice"
    return _asked_and_allowed(what, asked.action.dice, allowed), f"Write `defend {allowed}`."


def _occupy(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.Occupy):
        return GENERAL
    view, armies = asked.view, asked.action.armies
    least, most = view.occupy_minimum, view.armies[view.attack_source] - 1
    source = asked.title(asked.names.territories[view.attack_source])
    # One army stays behind, and at least the dice of the last roll move in (S000-11, S000-13).
    if armies < least:
        reason = "as many as dice were rolled"
        return f"Too few armies move in ({armies} asked, at least {least}: {reason}).", ""
    return f"Too many armies move in ({armies} asked, {most} allowed): one stays on {source}.", ""


# Objectives


def _not_face_up(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.ClaimObjective):
        return GENERAL
    places = zip(asked.names.objectives, asked.view.objective, strict=False)
    face_up = [name for name, place in places if place == ObjectivePlace.FACE_UP]
    hint = f"Face up: {', '.join(face_up)}." if face_up else ""
    return f"The objective {asked.action.objective} is not face up.", hint


def _taken_objective(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.ClaimObjective):
        return GENERAL
    name = asked.action.objective
    place = asked.view.objective[asked.names.objectives.index(name)]
    if not 0 <= place < len(asked.names.colours):
        return GENERAL
    return f"The objective {name} belongs to {asked.names.colours[place]}.", ""


# Moves


def _no_border(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.Fortify):
        return GENERAL
    source, target = asked.title(asked.action.source), asked.title(asked.action.target)
    near = asked.neighbours(asked.action.source, own=True)
    hint = f"No territory next to {source} is yours."
    if near:
        hint = f"From {source} you can move armies to {_listed(near)}."
    return f"{source} and {target} share no border.", hint


def _not_connected(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.Fortify):
        return GENERAL
    source, target = asked.title(asked.action.source), asked.title(asked.action.target)
    return f"No chain of your territories connects {source} with {target}.", ""


def _leave_one(asked: RefusedAction) -> Words:
    if not isinstance(asked.action, actions.Fortify):
        return GENERAL
    source, armies = asked.title(asked.action.source), asked.action.armies
    most = asked.armies(asked.action.source) - 1
    if most < 1:
        return f"{source} has only 1 army, and that must stay.", ""
    return f"One army must stay on {source} ({armies} asked, {most} allowed).", ""


_DETAILS: dict[Refusal, Callable[[RefusedAction], Words]] = {
    Refusal.WRONG_PHASE: _wrong_phase,
    Refusal.NOT_YOUR_TURN: _not_your_turn,
    Refusal.NOT_PLAYING: _not_playing,
    Refusal.OCCUPATION_PENDING: _occupation_pending,
    Refusal.DEFENCE_PENDING: _defence_pending,
    Refusal.NOT_YOUR_TERRITORY: _not_yours,
    Refusal.CLAIM_TAKEN: _taken,
    Refusal.CAPITAL_FIRST: _capital_first,
    Refusal.PLACE_TOO_MANY: _too_many_to_place,
    Refusal.ARMIES_LEFT: _armies_left,
    Refusal.TRADE_FORCED: _forced,
    Refusal.CARD_NOT_HELD: _not_held,
    Refusal.BONUS_UNNAMED: _bonus,
    Refusal.BONUS_NOT_PICTURED: _bonus,
    Refusal.TOO_FEW_STARS: _few_stars,
    Refusal.OWN_TERRITORY: _own_target,
    Refusal.NOT_ADJACENT: _not_adjacent,
    Refusal.TOO_FEW_ARMIES: _too_few_armies,
    Refusal.TOO_MANY_DICE: _too_many_dice,
    Refusal.DICE_UNSTATED: _dice_unstated,
    Refusal.DEFENCE_DICE: _defence_dice,
    Refusal.OCCUPY_TOO_FEW: _occupy,
    Refusal.OCCUPY_TOO_MANY: _occupy,
    Refusal.OBJECTIVE_NOT_FACE_UP: _not_face_up,
    Refusal.OBJECTIVE_TAKEN: _taken_objective,
    Refusal.FORTIFY_NOT_ADJACENT: _no_border,
    Refusal.NOT_CONNECTED: _not_connected,
    Refusal.LEAVE_ONE: _leave_one,
}
assert _DETAILS.keys() <= REASONS.keys()
