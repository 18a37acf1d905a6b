"""What a seat decides: frozen values with an exact text form and one 64-bit integer each.

Territories, cards, objectives and colours are named by their ids, so that an action reads the
same in a terminal, a letter, a log and a program. `str(action)` is its text;
`rubicon.rules.text.actions` reads it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rubicon.rules.errors import RubiconError
from rubicon.rules.kinds import is_whole
from rubicon.rules.position import Standing
from rubicon.rules.procedures import codes
from rubicon.rules.procedures.codes import A_SHIFT, B_SHIFT, C_SHIFT, NOWHERE, NUMBER_SHIFT, Kind

MOST_ARMIES = 2**31 - 1


class Names(Protocol):
    """What turns ids into the kernel's numbers and back: a board and the colours of a game."""

    @property
    def territories(self) -> Sequence[str]: ...
    @property
    def cards(self) -> Sequence[str]: ...
    @property
    def objectives(self) -> Sequence[str]: ...
    @property
    def colours(self) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True)
class Claim:
    """Put one army on an unoccupied territory (S004-08)."""

    territory: str

    def __str__(self) -> str:
        return f"claim {self.territory}"


@dataclass(frozen=True, slots=True)
class PlaceCapital:
    """Found the capital (S001-24), or choose the headquarters (A-66)."""

    territory: str

    def __str__(self) -> str:
        return f"capital {self.territory}"


@dataclass(frozen=True, slots=True)
class Place:
    """Put received armies on a territory (S001-42)."""

    territory: str
    armies: int

    def __str__(self) -> str:
        return f"place {self.territory} {self.armies}"


@dataclass(frozen=True, slots=True)
class Seal:
    """Say that a sealed placement is finished (A-07)."""

    seat: str

    def __str__(self) -> str:
        return f"seal {self.seat}"


@dataclass(frozen=True, slots=True)
class Offer:
    """Lay down one card for a trade in stars (S001-37)."""

    card: str

    def __str__(self) -> str:
        return f"offer {self.card}"


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take the offered cards back."""

    def __str__(self) -> str:
        return "withdraw"


@dataclass(frozen=True, slots=True)
class Trade:
    """Trade a set of three cards, or, without cards, what was offered.

    `bonus` names the pictured territory that receives two armies where several could (A-85).
    """

    cards: tuple[str, ...] = ()
    bonus: str | None = None

    def __str__(self) -> str:
        bonus = f" on {self.bonus}" if self.bonus else ""
        return " ".join(("trade", *self.cards)) + bonus


@dataclass(frozen=True, slots=True)
class Attack:
    """One roll against an adjacent territory (A-87).

    `dice` None leaves the number unstated, where the rules give a default (S002-44). `again`
    goes on with the same attack order, so that the defender's dice stay those it began with (A-70).
    """

    source: str
    target: str
    dice: int | None = None
    again: bool = False

    def __str__(self) -> str:
        dice = "" if self.dice is None else f" dice {self.dice}"
        return f"attack {self.source} -> {self.target}{dice}{' again' if self.again else ''}"


@dataclass(frozen=True, slots=True)
class DefendWith:
    """The defender's number of dice (S004-19)."""

    dice: int

    def __str__(self) -> str:
        return f"defend {self.dice}"


@dataclass(frozen=True, slots=True)
class Occupy:
    """Move armies into the captured territory (S000-10)."""

    armies: int

    def __str__(self) -> str:
        return f"occupy {self.armies}"


@dataclass(frozen=True, slots=True)
class EndAttack:
    """Stop attacking (S000-15)."""

    def __str__(self) -> str:
        return "end attack"


@dataclass(frozen=True, slots=True)
class ClaimObjective:
    """Claim a face-up objective and its reward (S001-49); an airfield needs a territory (RW1)."""

    objective: str
    airfield: str | None = None

    def __str__(self) -> str:
        airfield = f" airfield {self.airfield}" if self.airfield else ""
        return f"objective {self.objective}{airfield}"


@dataclass(frozen=True, slots=True)
class Decline:
    """Claim no objective this turn; or trade no further set after an elimination."""

    def __str__(self) -> str:
        return "decline"


@dataclass(frozen=True, slots=True)
class Fortify:
    """Move armies between two of one's own territories: the fortification or a manoeuvre."""

    source: str
    target: str
    armies: int

    def __str__(self) -> str:
        return f"fortify {self.source} -> {self.target} {self.armies}"


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the turn without a further fortification (S000-18)."""

    def __str__(self) -> str:
        return "end turn"


@dataclass(frozen=True, slots=True)
class StandingOrder:
    """Say beforehand how many dice to defend with, for one territory or for all (A-29, A-70)."""

    seat: str
    territory: str | None
    dice: Standing

    def __str__(self) -> str:
        return f"standing {self.seat} {self.territory or 'all'} {STANDING_TEXTS[self.dice]}"


@dataclass(frozen=True, slots=True)
class Resign:
    """Leave the game (A-88)."""

    seat: str

    def __str__(self) -> str:
        return f"resign {self.seat}"


@dataclass(frozen=True, slots=True)
class RevealMission:
    """Show one's completed mission and win, where `missions.reveal` is manual."""

    seat: str

    def __str__(self) -> str:
        return f"reveal {self.seat}"


Action = (
    Claim
    | PlaceCapital
    | Place
    | Seal
    | Offer
    | Withdraw
    | Trade
    | Attack
    | DefendWith
    | Occupy
    | EndAttack
    | ClaimObjective
    | Decline
    | Fortify
    | EndTurn
    | StandingOrder
    | Resign
    | RevealMission
)

STANDING_TEXTS = {
    Standing.NONE: "none",
    Standing.ONE: "1",
    Standing.TWO: "2",
    Standing.MAXIMUM: "max",
}


def _index(among: Sequence[str], name: str | None, what: str) -> int:
    if name is None:
        return NOWHERE
    try:
        return among.index(name)
    except ValueError:
        raise RubiconError(
            f"action/unknown-{what}", f"{name!r} is no {what} of this game.", ""
        ) from None


def _armies(armies: int) -> int:
    if not is_whole(armies) or not 0 <= armies <= MOST_ARMIES:
        raise RubiconError("action/bad-number", f"{armies} is no number of armies.", "")
    return armies


def code_of(action: Action, names: Names) -> int:
    """The kernel's integer of an action; RubiconError where a name is unknown in this game."""
    kind, a, b, c, n = _parts(action, names)
    return int(kind) | a << A_SHIFT | b << B_SHIFT | c << C_SHIFT | n << NUMBER_SHIFT


def _parts(action: Action, names: Names) -> tuple[Kind, int, int, int, int]:
    def at(name: str | None) -> int:
        return _index(names.territories, name, "territory")

    def seat(name: str) -> int:
        return _index(names.colours, name, "seat")

    match action:
        case Claim(territory):
            return Kind.CLAIM, at(territory), 0, 0, 0
        case PlaceCapital(territory):
            return Kind.CAPITAL, at(territory), 0, 0, 0
        case Place(territory, armies):
            return Kind.PLACE, at(territory), 0, 0, _armies(armies)
        case Seal(name):
            return Kind.SEAL, seat(name), 0, 0, 0
        case Offer(card):
            return Kind.OFFER, _index(names.cards, card, "card"), 0, 0, 0
        case Trade(cards, bonus):
            return _trade_parts(cards, bonus, names)
        case Attack(source, target, dice, again):
            return Kind.ATTACK, at(source), at(target), int(again), _armies(dice or 0)
        case DefendWith(dice):
            return Kind.DEFEND, 0, 0, 0, _armies(dice)
        case Occupy(armies):
            return Kind.OCCUPY, 0, 0, 0, _armies(armies)
        case ClaimObjective(objective, airfield):
            number = _index(names.objectives, objective, "objective")
            return Kind.OBJECTIVE, number, at(airfield), 0, 0
        case Fortify(source, target, armies):
            return Kind.FORTIFY, at(source), at(target), 0, _armies(armies)
        case StandingOrder(name, territory, dice):
            return Kind.STANDING, seat(name), at(territory), 0, int(dice)
        case Resign(name):
            return Kind.RESIGN, seat(name), 0, 0, 0
        case RevealMission(name):
            return Kind.REVEAL, seat(name), 0, 0, 0
        case Withdraw() | EndAttack() | Decline() | EndTurn():
            return _PLAIN[type(action)], 0, 0, 0, 0


def _trade_parts(
    cards: tuple[str, ...], bonus: str | None, names: Names
) -> tuple[Kind, int, int, int, int]:
    if not cards:
        return Kind.TRADE_OFFER, 0, 0, 0, 0
    if len(cards) != 3:
        raise RubiconError(
            "action/not-three-cards", f"A set is three cards; {len(cards)} were named.", ""
        )
    first, second, third = sorted(_index(names.cards, card, "card") for card in cards)
    number = 0 if bonus is None else _index(names.territories, bonus, "territory") + 1
    return Kind.TRADE, first, second, third, number


_PLAIN = {
    Withdraw: Kind.WITHDRAW,
    EndAttack: Kind.END_ATTACK,
    Decline: Kind.DECLINE,
    EndTurn: Kind.END_TURN,
}


def action_of(code: int, names: Names) -> Action:
    """The value of a kernel integer; the exact inverse of `code_of`."""
    kind = Kind(code & 31)
    a, b, c, n = codes.a_of(code), codes.b_of(code), codes.c_of(code), codes.n_of(code)

    def at(index: int) -> str:
        return names.territories[index]

    def at_or_none(index: int) -> str | None:
        return None if index == NOWHERE else names.territories[index]

    match kind:
        case Kind.CLAIM:
            return Claim(at(a))
        case Kind.CAPITAL:
            return PlaceCapital(at(a))
        case Kind.PLACE:
            return Place(at(a), n)
        case Kind.SEAL:
            return Seal(names.colours[a])
        case Kind.OFFER:
            return Offer(names.cards[a])
        case Kind.WITHDRAW:
            return Withdraw()
        case Kind.TRADE:
            cards = (names.cards[a], names.cards[b], names.cards[c])
            return Trade(cards, at(n - 1) if n else None)
        case Kind.TRADE_OFFER:
            return Trade()
        case Kind.ATTACK:
            return Attack(at(a), at(b), n or None, bool(c))
        case Kind.DEFEND:
            return DefendWith(n)
        case Kind.OCCUPY:
            return Occupy(n)
        case Kind.END_ATTACK:
            return EndAttack()
        case Kind.OBJECTIVE:
            return ClaimObjective(names.objectives[a], at_or_none(b))
        case Kind.DECLINE:
            return Decline()
        case Kind.FORTIFY:
            return Fortify(at(a), at(b), n)
        case Kind.END_TURN:
            return EndTurn()
        case Kind.STANDING:
            return StandingOrder(names.colours[a], at_or_none(b), Standing(n))
        case Kind.RESIGN:
            return Resign(names.colours[a])
        case Kind.REVEAL:
            return RevealMission(names.colours[a])
