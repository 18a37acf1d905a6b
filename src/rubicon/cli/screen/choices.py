"""What a seat may do now, by kind, so that keys and mouse can offer it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rubicon.cli.terminal.display.choices import obvious, order_for, order_forms, ranges_of
from rubicon.engine.records.position import Phase
from rubicon.rules.actions import (
    Attack,
    Claim,
    DefendWith,
    EndAttack,
    EndTurn,
    Fortify,
    Occupy,
    Place,
    PlaceCapital,
    Trade,
)
from rubicon.rules.game.game import Game


@dataclass(slots=True)
class Choices:
    """The legal actions of a seat; territories are indices.

    `attacks` and `moves` have the targets of each source, moves with the most armies; `places`
    the most armies on each territory; `claims` what may be claimed, by `claim_verb`. `numbers`
    are the least and the most of a question that a number answers, by `number_verb`.
    """

    attacks: dict[int, list[int]] = field(default_factory=dict)
    moves: dict[int, dict[int, int]] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    claims: list[int] = field(default_factory=list)
    claim_verb: str = "claim"
    numbers: tuple[int, int] | None = None
    number_verb: str = ""
    end: str = ""
    trades: bool = False
    only: str = ""  # the order that Enter gives where there is no choice
    forms: tuple[str, ...] = ()

    def sources(self) -> list[int]:
        """The territories that may be selected."""
        found = [*self.attacks, *self.moves, *self.places, *self.claims]
        return list(dict.fromkeys(found))

    def targets(self, source: int | None) -> list[int]:
        """The territories that a selected one may act on."""
        if source is None:
            return []
        return [*self.attacks.get(source, ()), *self.moves.get(source, ())]


def choices_of(game: Game, colour: str) -> Choices:
    """What a seat may do now."""
    found = Choices(forms=tuple(order_forms(game, colour)))
    index = {name: t for t, name in enumerate(game.territories)}
    for one in ranges_of(game, colour):
        match one.lowest, one.highest:
            case Attack(source, target), _:
                targets = found.attacks.setdefault(index[source], [])
                if index[target] not in targets:
                    targets.append(index[target])
            case Fortify(source, target, _), Fortify(_, _, most):
                found.moves.setdefault(index[source], {})[index[target]] = most
            case Place(territory, _), Place(_, most):
                found.places[index[territory]] = most
            case Claim(territory), _:
                found.claims.append(index[territory])
            case PlaceCapital(territory), _:
                found.claims.append(index[territory])
                found.claim_verb = "capital"
            case Occupy(low), Occupy(high):
                found.numbers, found.number_verb = (low, high), "advance"
            case DefendWith(low), DefendWith(high):
                found.numbers, found.number_verb = (low, high), "defend"
            case (EndAttack() | EndTurn()) as end, _:
                found.end = str(end)
            case Trade(), _:
                found.trades = True
    found.only = _only(game, colour, found)
    return found


def _only(game: Game, colour: str, found: Choices) -> str:
    """The order that needs no choice; without territories to choose from, the first that is."""
    if (action := obvious(game, colour)) is not None:
        return order_for(action)
    if found.trades and game.phase != Phase.REINFORCE:
        return "trade best"
    if found.sources() or found.numbers:
        return ""
    if found.end:
        return found.end
    ranges = ranges_of(game, colour)
    return order_for(ranges[0].lowest) if ranges else ""
