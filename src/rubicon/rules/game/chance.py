"""The chance event that is pending in a position, and the integers of its outcomes."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.engine.phases.setup import mission_left, objective_may_come
from rubicon.engine.records.action_codes import DEFENCE_BITS, DEFENCE_MASK
from rubicon.engine.records.layout import CellArray
from rubicon.engine.records.position import (
    MAJOR_REWARDS,
    MISSIONS,
    NONE,
    OBJECTIVES,
    CardPlace,
    Chance,
    Position,
    RewardPlace,
)
from rubicon.errors import RubiconError
from rubicon.rules.notation.position_fields import PositionNames
from rubicon.rules.outcomes import Dice, Outcome, PendingChance, Pick, Roll, faces_code, faces_of
from rubicon.rules.ruleset.ruleset import Ruleset


class BadOutcome(RubiconError):
    """An outcome that does not fit the pending chance event; the game is unchanged."""


def pending_chance(
    position: Position, ruleset: Ruleset, names: PositionNames
) -> PendingChance | None:
    """The pending chance event; None where a decision is pending or the game is over."""
    chance = Chance(position.chance)
    if chance == Chance.NONE:
        return None
    if chance == Chance.BATTLE:
        attack = position.attack_dice + position.attack_extra
        return PendingChance(chance, attack, position.defence_dice + position.defence_extra)
    if chance == Chance.DICE:
        seats = tuple(c for s, c in enumerate(names.colours) if position.chance_seats[s])
        return PendingChance(chance, seats=seats)
    return PendingChance(chance, things=tuple(_things(position, ruleset, names, chance)))


def _things(
    position: Position, ruleset: Ruleset, names: PositionNames, chance: Chance
) -> Sequence[str]:
    """The things that may be picked, in the order of their numbers."""
    rules, tables = ruleset.rules, ruleset.tables
    match chance:
        case Chance.FIRST_SEAT:
            return names.colours
        case Chance.CITY:
            return _where(names.territories, position.city, 0)
        case Chance.TERRITORY | Chance.NEUTRAL_TERRITORY:
            return _where(names.territories, position.owner, NONE)
        case Chance.CARD | Chance.STARTING_CARD:
            return _where(names.cards, position.card, CardPlace.PILE)
        case Chance.MISSION:
            left = range(MISSIONS)
            return [names.missions[m] for m in left if mission_left(position, rules, tables, m)]
        case Chance.MINOR_OBJECTIVE | Chance.MAJOR_OBJECTIVE:
            major = int(chance == Chance.MAJOR_OBJECTIVE)
            return [
                names.objectives[o]
                for o in range(OBJECTIVES)
                if objective_may_come(position, tables, o, major)
            ]
        case _:
            first = MAJOR_REWARDS * int(chance == Chance.MAJOR_REWARD)
            box = RewardPlace.BOX
            return [
                names.rewards[i]
                for i in range(first, first + MAJOR_REWARDS)
                if position.reward[i] == box
            ]


def _where(names: Sequence[str], cells: CellArray, value: int) -> list[str]:
    """The names of the cells that hold a value (from a list: NumPy is slow cell by cell)."""
    return [name for name, cell in zip(names, cells.tolist(), strict=False) if cell == value]


def outcome_of(pending: PendingChance, code: int) -> Outcome:
    """The outcome that an engine integer stands for, as an answer to `pending`."""
    if pending.chance == Chance.BATTLE:
        attack = faces_of(code >> DEFENCE_BITS, pending.attack_dice)
        return Roll(attack, faces_of(code & DEFENCE_MASK, pending.defence_dice))
    if pending.chance == Chance.DICE:
        return Dice(faces_of(code, len(pending.seats)))
    return Pick(pending.things[code])


def code_of_outcome(pending: PendingChance | None, outcome: Outcome) -> int:
    """The engine integer of an outcome; BadOutcome where it does not answer `pending`."""
    if pending is None:
        raise BadOutcome(
            "outcome/nothing-pending",
            f"{str(outcome)!r}: no dice and no draw are pending.",
            "Play a decision: game.legal lists them.",
        )
    match outcome:
        case Roll(attack, defence) if pending.chance == Chance.BATTLE:
            _check_faces(outcome, attack, pending.attack_dice, "attack dice")
            _check_faces(outcome, defence, pending.defence_dice, "defence dice")
            return faces_code(attack) << DEFENCE_BITS | faces_code(defence)
        case Dice(faces) if pending.chance == Chance.DICE:
            _check_faces(outcome, faces, len(pending.seats), "dice, one a seat")
            return faces_code(faces)
        case Pick(thing) if pending.things:
            return _pick_code(pending, thing)
        case _:
            kind = pending.chance.name.lower().replace("_", " ")
            raise BadOutcome(
                "outcome/wrong-kind",
                f"{str(outcome)!r} is no outcome of the pending {kind}.",
                "game.pending says what is needed.",
            )


def _check_faces(outcome: Outcome, faces: tuple[int, ...], count: int, what: str) -> None:
    if len(faces) != count or not all(1 <= face <= 6 for face in faces):
        raise BadOutcome(
            "outcome/dice", f"{str(outcome)!r}: {count} {what} are needed, each from 1 to 6.", ""
        )


def _pick_code(pending: PendingChance, thing: str) -> int:
    if thing not in pending.things:
        raise BadOutcome(
            "outcome/not-there",
            f"{thing!r} cannot be picked now.",
            f"Pick one of: {', '.join(pending.things)}.",
        )
    return pending.things.index(thing)
