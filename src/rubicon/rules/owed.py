"""What chance owes in a position, and the integers of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rubicon.rules.errors import RubiconError
from rubicon.rules.outcomes import (
    DEFENCE_BITS,
    DEFENCE_MASK,
    Dice,
    Outcome,
    Owed,
    Pick,
    Roll,
    faces_code,
    faces_of,
)
from rubicon.rules.position import (
    MAJOR_REWARDS,
    MISSIONS,
    NONE,
    OBJECTIVES,
    CardPlace,
    Chance,
    RewardPlace,
)
from rubicon.rules.procedures.setup import mission_left, objective_may_come

if TYPE_CHECKING:
    from rubicon.rules.game import Game


class BadOutcome(RubiconError):
    """An answer of chance that does not fit what is owed; the game is as it was."""


def owed_by(game: Game) -> Owed | None:
    """What the position waits for from outside; None where a decision is owed or it is over."""
    position = game.position
    chance = Chance(int(position.chance))
    if chance == Chance.NONE:
        return None
    if chance == Chance.BATTLE:
        attack = int(position.attack_dice + position.attack_extra)
        return Owed(chance, attack, int(position.defence_dice + position.defence_extra))
    if chance == Chance.DICE:
        seats = tuple(c for s, c in enumerate(game.colours) if position.chance_seats[s])
        return Owed(chance, seats=seats)
    return Owed(chance, things=tuple(_things(game, position, chance)))


def _things(game: Game, position: Any, chance: Chance) -> list[str]:
    """The things that may be picked, in the order of their numbers."""
    match chance:
        case Chance.FIRST_SEAT:
            return list(game.colours)
        case Chance.CITY:
            return _where(game.territories, position.city, 0)
        case Chance.TERRITORY | Chance.NEUTRAL_TERRITORY:
            return _where(game.territories, position.owner, NONE)
        case Chance.CARD | Chance.STARTING_CARD:
            return _where(game.cards, position.card, CardPlace.PILE)
        case Chance.MISSION:
            left = range(MISSIONS)
            return [
                game.missions[m] for m in left if mission_left(position, game.rules, game.tables, m)
            ]
        case Chance.MINOR_OBJECTIVE | Chance.MAJOR_OBJECTIVE:
            major = int(chance == Chance.MAJOR_OBJECTIVE)
            return [
                game.objectives[o]
                for o in range(OBJECTIVES)
                if objective_may_come(position, game.tables, o, major)
            ]
        case _:
            first = MAJOR_REWARDS * int(chance == Chance.MAJOR_REWARD)
            box = RewardPlace.BOX
            return [
                game.rewards[i]
                for i in range(first, first + MAJOR_REWARDS)
                if position.reward[i] == box
            ]


def _where(names: Sequence[str], cells: Any, value: int) -> list[str]:
    """The names of the cells that hold a value (as lists: NumPy compares one by one slowly)."""
    return [name for name, cell in zip(names, cells.tolist(), strict=False) if cell == value]


def outcome_of(game: Game, code: int) -> Outcome:
    """The outcome of a kernel integer in this position."""
    owed = game.owed
    assert owed is not None
    if owed.chance == Chance.BATTLE:
        attack = faces_of(code >> DEFENCE_BITS, owed.attack_dice)
        return Roll(attack, faces_of(code & DEFENCE_MASK, owed.defence_dice))
    if owed.chance == Chance.DICE:
        return Dice(faces_of(code, len(owed.seats)))
    return Pick(owed.things[code])


def code_of_outcome(game: Game, outcome: Outcome) -> int:
    """The kernel integer of an outcome; BadOutcome where it is not what is owed."""
    owed = game.owed
    if owed is None:
        raise BadOutcome("outcome/nothing-owed", f"{str(outcome)!r}: chance owes nothing now.", "")
    match outcome:
        case Roll(attack, defence) if owed.chance == Chance.BATTLE:
            _check_faces(outcome, attack, owed.attack_dice, "attack dice")
            _check_faces(outcome, defence, owed.defence_dice, "defence dice")
            return faces_code(attack) << DEFENCE_BITS | faces_code(defence)
        case Dice(faces) if owed.chance == Chance.DICE:
            _check_faces(outcome, faces, len(owed.seats), "dice, one a seat")
            return faces_code(faces)
        case Pick(thing) if owed.things:
            return _pick_code(owed, thing)
        case _:
            kind = owed.chance.name.lower().replace("_", " ")
            raise BadOutcome(
                "outcome/wrong-kind", f"{str(outcome)!r} does not answer what is owed: {kind}.", ""
            )


def _check_faces(outcome: Outcome, faces: tuple[int, ...], count: int, what: str) -> None:
    if len(faces) != count or not all(1 <= face <= 6 for face in faces):
        raise BadOutcome(
            "outcome/dice", f"{str(outcome)!r}: {count} {what} are owed, each from 1 to 6.", ""
        )


def _pick_code(owed: Owed, thing: str) -> int:
    if thing not in owed.things:
        raise BadOutcome(
            "outcome/not-there",
            f"{thing!r} is not among what may be picked.",
            f"It is one of: {', '.join(owed.things)}.",
        )
    return owed.things.index(thing)
