"""Outcomes of chance, in three forms, each with an exact text and one integer.

`Roll` is the dice of an attack, `Dice` one die for each seat that must roll, `Pick` one of several
things. The engine never rolls: its position says what is pending (`PendingChance`).
"""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.engine.records.position import Chance


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice of one roll in the order they fell, bonus dice included."""

    attack: tuple[int, ...]
    defence: tuple[int, ...]

    def __str__(self) -> str:
        return f"{_faces(self.attack)} v {_faces(self.defence)}"


@dataclass(frozen=True, slots=True)
class Dice:
    """One die for each seat that must roll, in seat order."""

    faces: tuple[int, ...]

    def __str__(self) -> str:
        return f"dice {_faces(self.faces)}"


@dataclass(frozen=True, slots=True)
class Pick:
    """The thing that was picked: a territory, card, seat, mission, objective or reward."""

    thing: str

    def __str__(self) -> str:
        return f"pick {self.thing}"


Outcome = Roll | Dice | Pick


@dataclass(frozen=True, slots=True)
class PendingChance:
    """The outcome that a game waits for: its kind, and what it must look like."""

    chance: Chance
    attack_dice: int = 0
    defence_dice: int = 0
    seats: tuple[str, ...] = ()  # each rolls one die
    things: tuple[str, ...] = ()  # to pick from, in the order of their numbers

    @property
    def size(self) -> int:
        """The number of different outcomes, all equally likely."""
        if self.chance == Chance.BATTLE:
            return int(6 ** (self.attack_dice + self.defence_dice))
        if self.chance == Chance.DICE:
            return int(6 ** len(self.seats))
        return len(self.things)


def _faces(faces: tuple[int, ...]) -> str:
    return " ".join(str(face) for face in faces)


def faces_code(faces: tuple[int, ...]) -> int:
    """Dice as one number in base six; the first die is the most significant digit."""
    code = 0
    for face in faces:
        code = code * 6 + face - 1
    return code


def faces_of(code: int, count: int) -> tuple[int, ...]:
    """The inverse of `faces_code` for `count` dice."""
    return tuple(code // 6 ** (count - 1 - die) % 6 + 1 for die in range(count))
