"""What chance answers, in three forms only, each with an exact text and one integer.

`Roll` answers an attack, `Dice` gives one die to each seat that must roll, `Pick` names one of
the things still unseen. The engine never rolls: it says what is `Owed`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.rules.position import Chance

DEFENCE_BITS = 8  # room for the faces of three defence dice; those of the attack lie above
DEFENCE_MASK = (1 << DEFENCE_BITS) - 1


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
    """The thing that chance chose: a territory, card, seat, mission, objective or reward."""

    thing: str

    def __str__(self) -> str:
        return f"pick {self.thing}"


Outcome = Roll | Dice | Pick


@dataclass(frozen=True, slots=True)
class Owed:
    """What the game waits for from outside."""

    chance: Chance
    attack_dice: int = 0
    defence_dice: int = 0
    seats: tuple[str, ...] = ()  # who rolls one die each
    things: tuple[str, ...] = ()  # what may be picked, in the order of the pick's number

    @property
    def size(self) -> int:
        """How many different outcomes there are, all equally likely."""
        if self.chance == Chance.BATTLE:
            return int(6 ** (self.attack_dice + self.defence_dice))
        if self.chance == Chance.DICE:
            return int(6 ** len(self.seats))
        return len(self.things)


def _faces(faces: tuple[int, ...]) -> str:
    return " ".join(str(face) for face in faces)


def faces_code(faces: tuple[int, ...]) -> int:
    """Dice as one number: base six, the first die most significant."""
    code = 0
    for face in faces:
        code = code * 6 + face - 1
    return code


def faces_of(code: int, count: int) -> tuple[int, ...]:
    """The inverse of `faces_code` for `count` dice."""
    return tuple(code // 6 ** (count - 1 - die) % 6 + 1 for die in range(count))
