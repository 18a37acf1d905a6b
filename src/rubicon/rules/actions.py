"""What players decide and what chance gives: actions and outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rubicon.engine.codes import A_SHIFT, B_SHIFT, C_SHIFT, NOWHERE, NUMBER_SHIFT, ActionKind
from rubicon.engine.records import Chance, Standing
from rubicon.errors import RubiconError, is_whole

# Actions: what a seat can decide, as frozen values with an exact text and one 64-bit integer.
#
# Territories, cards, objectives and colours are named by their ids, so that an action reads the
# same in a terminal, an e-mail, a log and a program. `str(action)` is its text;
# `rubicon.rules.notation.actions` reads it back.

MOST_ARMIES = 2**31 - 1


class ActionNames(Protocol):
    """The ids of a game in the order of the engine's numbers: its board's and its colours."""

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
    """Finish a sealed placement (A-07)."""

    seat: str

    def __str__(self) -> str:
        return f"seal {self.seat}"


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer one card for a trade in stars (S001-37)."""

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
    """Trade a set of three cards, or, without cards, the cards on offer.

    `bonus` names the territory on a card that receives two armies, if several could (A-85).
    """

    cards: tuple[str, ...] = ()
    bonus: str | None = None

    def __str__(self) -> str:
        bonus = f" on {self.bonus}" if self.bonus else ""
        return " ".join(("trade", *self.cards)) + bonus


@dataclass(frozen=True, slots=True)
class Attack:
    """One roll against an adjacent territory (A-87).

    `dice` None leaves the number to the rules, where they have a default (S002-44). `again`
    continues the same attack order: the defender keeps the dice it began with (A-70).
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
    """Claim no objective this turn, or trade no further set after an elimination."""

    def __str__(self) -> str:
        return "decline"


@dataclass(frozen=True, slots=True)
class Fortify:
    """Move armies between two territories of the seat: the fortification or a manoeuvre."""

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
    """Set the dice of later defences, for one territory or (None) for all (A-29, A-70)."""

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
    """Show the completed mission and win, where `missions.reveal` is manual."""

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
        return NOWHERE  # the number that stands for "no territory" in an action code
    try:
        return among.index(name)
    except ValueError:
        raise RubiconError(
            f"action/unknown-{what}", f"There is no {what} {name!r} in this game.", ""
        ) from None


def _armies(armies: int) -> int:
    if not is_whole(armies) or not 0 <= armies <= MOST_ARMIES:
        raise RubiconError("action/bad-number", f"{armies} is not a possible number of armies.", "")
    return armies


def _territory(names: ActionNames, name: str | None) -> int:
    return _index(names.territories, name, "territory")


def _seat(names: ActionNames, name: str) -> int:
    return _index(names.colours, name, "seat")


def _code(kind: int, a: int = 0, b: int = 0, c: int = 0, n: int = 0) -> int:
    return kind | a << A_SHIFT | b << B_SHIFT | c << C_SHIFT | n << NUMBER_SHIFT


def _trade_code(action: Trade, names: ActionNames) -> int:
    cards, bonus = action.cards, action.bonus
    if not cards:
        return _code(ActionKind.TRADE_OFFER)
    if len(cards) != 3:
        raise RubiconError(
            "action/not-three-cards", f"A set is three cards, and {len(cards)} are named.", ""
        )
    # Cards in ascending order: a set has one integer, in whatever order its cards are named.
    first, second, third = sorted(_index(names.cards, card, "card") for card in cards)
    number = 0 if bonus is None else _territory(names, bonus) + 1
    return _code(ActionKind.TRADE, first, second, third, number)


def _attack_code(action: Attack, names: ActionNames) -> int:
    source, target = _territory(names, action.source), _territory(names, action.target)
    return _code(ActionKind.ATTACK, source, target, action.again, _armies(action.dice or 0))


def _objective_code(action: ClaimObjective, names: ActionNames) -> int:
    number = _index(names.objectives, action.objective, "objective")
    return _code(ActionKind.OBJECTIVE, number, _territory(names, action.airfield))


def _fortify_code(action: Fortify, names: ActionNames) -> int:
    source, target = _territory(names, action.source), _territory(names, action.target)
    return _code(ActionKind.FORTIFY, source, target, 0, _armies(action.armies))


def _standing_code(action: StandingOrder, names: ActionNames) -> int:
    seat, territory = _seat(names, action.seat), _territory(names, action.territory)
    return _code(ActionKind.STANDING, seat, territory, 0, action.dice)


# By class, not by `match`: a simulation spends a third of its time here, and `match` asks for the
# eighteen classes one after another.
_CODES: Mapping[type, Callable[[Any, ActionNames], int]] = {
    Claim: lambda action, names: _code(ActionKind.CLAIM, _territory(names, action.territory)),
    PlaceCapital: lambda action, names: _code(
        ActionKind.CAPITAL, _territory(names, action.territory)
    ),
    Place: lambda action, names: _code(
        ActionKind.PLACE, _territory(names, action.territory), n=_armies(action.armies)
    ),
    Seal: lambda action, names: _code(ActionKind.SEAL, _seat(names, action.seat)),
    Offer: lambda action, names: _code(ActionKind.OFFER, _index(names.cards, action.card, "card")),
    Withdraw: lambda action, names: _code(ActionKind.WITHDRAW),
    Trade: _trade_code,
    Attack: _attack_code,
    DefendWith: lambda action, names: _code(ActionKind.DEFEND, n=_armies(action.dice)),
    Occupy: lambda action, names: _code(ActionKind.OCCUPY, n=_armies(action.armies)),
    EndAttack: lambda action, names: _code(ActionKind.END_ATTACK),
    ClaimObjective: _objective_code,
    Decline: lambda action, names: _code(ActionKind.DECLINE),
    Fortify: _fortify_code,
    EndTurn: lambda action, names: _code(ActionKind.END_TURN),
    StandingOrder: _standing_code,
    Resign: lambda action, names: _code(ActionKind.RESIGN, _seat(names, action.seat)),
    RevealMission: lambda action, names: _code(ActionKind.REVEAL, _seat(names, action.seat)),
}


ACTION_CLASSES = frozenset(_CODES)


def code_of(action: Action, names: ActionNames) -> int:
    """The engine's integer of an action.

    Raises RubiconError where a name is unknown in this game, TypeError for any other object.
    """
    code = _CODES.get(type(action))
    if code is None:
        raise TypeError(f"{action!r} is no action")
    return code(action, names)


def _trade(code: int, names: ActionNames) -> Trade:
    cards, number = names.cards, _n(code)
    bonus = names.territories[number - 1] if number else None
    return Trade((cards[_a(code)], cards[_b(code)], cards[_c(code)]), bonus)


def _attack(code: int, names: ActionNames) -> Attack:
    places = names.territories
    dice = _n(code) or None
    return Attack(places[_a(code)], places[_b(code)], dice, _c(code) != 0)


def _objective(code: int, names: ActionNames) -> ClaimObjective:
    return ClaimObjective(names.objectives[_a(code)], _place_or_none(_b(code), names))


def _fortify(code: int, names: ActionNames) -> Fortify:
    places = names.territories
    return Fortify(places[_a(code)], places[_b(code)], _n(code))


def _standing(code: int, names: ActionNames) -> StandingOrder:
    territory = _place_or_none(_b(code), names)
    return StandingOrder(names.colours[_a(code)], territory, Standing(_n(code)))


def _place_or_none(index: int, names: ActionNames) -> str | None:
    return None if index == NOWHERE else names.territories[index]


# The parts of an integer in Python: the compiled functions of `engine.codes` cost a call each.
def _a(code: int) -> int:
    return code >> A_SHIFT & 255


def _b(code: int) -> int:
    return code >> B_SHIFT & 255


def _c(code: int) -> int:
    return code >> C_SHIFT & 255


def _n(code: int) -> int:
    return code >> NUMBER_SHIFT & 0xFFFFFFFF


_ACTIONS: Mapping[int, Callable[[int, ActionNames], Action]] = {
    ActionKind.CLAIM: lambda code, names: Claim(names.territories[_a(code)]),
    ActionKind.CAPITAL: lambda code, names: PlaceCapital(names.territories[_a(code)]),
    ActionKind.PLACE: lambda code, names: Place(names.territories[_a(code)], _n(code)),
    ActionKind.SEAL: lambda code, names: Seal(names.colours[_a(code)]),
    ActionKind.OFFER: lambda code, names: Offer(names.cards[_a(code)]),
    ActionKind.WITHDRAW: lambda code, names: Withdraw(),
    ActionKind.TRADE: _trade,
    ActionKind.TRADE_OFFER: lambda code, names: Trade(),
    ActionKind.ATTACK: _attack,
    ActionKind.DEFEND: lambda code, names: DefendWith(_n(code)),
    ActionKind.OCCUPY: lambda code, names: Occupy(_n(code)),
    ActionKind.END_ATTACK: lambda code, names: EndAttack(),
    ActionKind.OBJECTIVE: _objective,
    ActionKind.DECLINE: lambda code, names: Decline(),
    ActionKind.FORTIFY: _fortify,
    ActionKind.END_TURN: lambda code, names: EndTurn(),
    ActionKind.STANDING: _standing,
    ActionKind.RESIGN: lambda code, names: Resign(names.colours[_a(code)]),
    ActionKind.REVEAL: lambda code, names: RevealMission(names.colours[_a(code)]),
}


def action_of(code: int, names: ActionNames) -> Action:
    """The action that an engine integer stands for; the exact inverse of `code_of`.

    Raises ValueError where the integer is of no kind, IndexError where it names nothing.
    """
    action = _ACTIONS.get(code & 31)
    if action is None:
        raise ValueError(f"{code:#x} is no action")
    return action(code, names)


# Outcomes of chance, in three forms, each with an exact text and one integer.
#
# `Roll` is the dice of an attack, `Dice` one die for each seat that must roll, `Pick` one of
# several things. The engine never rolls: its position says what is pending (`PendingChance`).


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
    return " ".join(map(str, faces))


def faces_code(faces: tuple[int, ...]) -> int:
    """Dice as one number in base six; the first die is the most significant digit."""
    code = 0
    for face in faces:
        code = code * 6 + face - 1
    return code


def faces_of(code: int, count: int) -> tuple[int, ...]:
    """The inverse of `faces_code` for `count` dice."""
    return tuple(code // 6 ** (count - 1 - die) % 6 + 1 for die in range(count))
