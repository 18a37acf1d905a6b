"""Why a bot wants an action: what its plan aims at, and with what chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rubicon.engine.records import NEUTRAL, TERRITORIES, Position
from rubicon.players.memory import Memory
from rubicon.rules import actions
from rubicon.rules.board.board import Board
from rubicon.rules.game import Game
from rubicon.telling.storyteller import Storyteller

Kind = Literal[
    "wins", "eliminates", "takes_continent", "breaks_continent", "takes", "guards", "trades",
    "moves", "defends", "stops",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reason:
    """What a plan aims at: ids of a territory or a continent, a colour, and the plan's chance.

    `seat` is the victim of `eliminates`, the holder of the continent of `breaks_continent`, or the
    owner of the territory of `takes`. The chance, 0 to 1, is None where nothing is risked.
    """

    kind: Kind
    territory: str | None = None
    continent: str | None = None
    seat: str | None = None
    chance: float | None = None


def reason_of(
    game: Game, view: Position, seat: int, action: actions.Action, mind: Memory
) -> Reason | None:
    """The reason for an action of a scripted bot or of the planner, from its memory then.

    None for an action that speaks for itself, such as the claim of an objective.
    """
    match action:
        case actions.Claim(territory=place) | actions.PlaceCapital(territory=place):
            return Reason("takes", place)
        case actions.Place(territory=place):
            return _plan_of(game, view, seat, mind, None) or Reason("guards", place)
        case actions.Attack(target=target):
            return _plan_of(game, view, seat, mind, target) or Reason("takes", target)
        case actions.Trade():
            return Reason("trades")
        case actions.Occupy():
            return Reason("moves", game.territories[int(view.attack_target)])
        case actions.Fortify(target=target):
            return Reason("guards", target)
        case actions.DefendWith():
            return Reason("defends", game.territories[int(view.attack_target)])
        case actions.EndAttack() | actions.EndTurn():
            return Reason("stops")
    return None


def _plan_of(
    game: Game, view: Position, seat: int, mind: Memory, target: str | None
) -> Reason | None:
    """The aim of the plan in a memory; None where it has none."""
    count = len(game.territories)
    wanted = [t for t in range(count) if mind.wanted[t] and int(view.owner[t]) != seat]
    if not wanted or mind.work.best_score <= 0.0:
        return None
    chance = float(min(1.0, max(0.0, mind.work.best_chance)))
    if mind.victim > 0:
        return Reason("eliminates", seat=game.colours[mind.victim - 1], chance=chance)
    for continent in sorted(game.ruleset.board.continents, key=lambda one: -one.bonus):
        foreign = [t for t in continent.territories if int(view.owner[t]) != seat]
        if foreign and continent.bonus and set(foreign) <= set(wanted):
            return Reason("takes_continent", continent=continent.id, chance=chance)
        holder = sole_owner(view, continent.territories)
        if holder is not None and holder != seat and set(foreign) & set(wanted):
            colour = game.colours[holder]
            return Reason("breaks_continent", continent=continent.id, seat=colour, chance=chance)
    place = wanted[0] if target is None else game.territories.index(target)
    owner = game.owner_name(int(view.owner[place]))
    return Reason("takes", game.territories[place], seat=owner, chance=chance)


def sole_owner(position: Position, territories: tuple[int, ...]) -> int | None:
    """The seat that holds all of these territories, if one does."""
    owners = {int(position.owner[:TERRITORIES][t]) for t in territories}
    owner = owners.pop()
    return owner if not owners and 0 <= owner < NEUTRAL else None


def place_names(board: Board) -> dict[str, str]:
    """The names of territories and continents by id."""
    names = {place.id: place.name for place in board.territories}
    return names | {continent.id: continent.name for continent in board.continents}


def reason_sentence(reason: Reason, teller: Storyteller) -> str:
    """A reason in words: `breaks blue's Africa, 71 %`."""
    place = reason.territory or reason.continent
    words = teller.aim(reason.kind, place=place, seat=reason.seat)
    if reason.chance is None:
        return words
    return f"{words}, {100 * min(0.99, reason.chance):.0f} %"
