"""Facts: what has happened, told from the position before, the position after and the entry.

Events are told for people and programs; nothing is decided by them. Those that hold a secret
say so through `seen_by`, which gives what another seat may know of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rubicon.rules.outcomes import Dice, Roll


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision was taken; the text is the action's own.

    Of a secret one the others see `shown`, or nothing.
    """

    seat: str
    action: str
    secret: bool = False
    shown: str | None = None

    def __str__(self) -> str:
        return f"{self.seat}: {self.action}"


@dataclass(frozen=True, slots=True)
class FirstDice:
    """The dice that decide who begins."""

    seats: tuple[str, ...]
    dice: Dice

    def __str__(self) -> str:
        rolls = zip(self.seats, self.dice.faces, strict=True)
        return "first dice: " + ", ".join(f"{seat} {face}" for seat, face in rolls)


@dataclass(frozen=True, slots=True)
class Begins:
    """The seat that places first, or takes turn 1."""

    seat: str

    def __str__(self) -> str:
        return f"{self.seat} begins"


@dataclass(frozen=True, slots=True)
class Dealt:
    """Something of the set-up came to its place; `what` is secret for missions and cards."""

    what: str
    thing: str | None
    to: str
    secret: bool = False

    def __str__(self) -> str:
        return f"{self.what} {self.thing or 'face down'} to {self.to}"


@dataclass(frozen=True, slots=True)
class Rolled:
    """One roll and what it cost both sides (S002-11)."""

    attacker: str
    defender: str
    source: str
    target: str
    roll: Roll
    attacker_lost: int
    defender_lost: int

    def __str__(self) -> str:
        return (
            f"{self.attacker} {self.source} -> {self.target} {self.defender}: {self.roll}; "
            f"{self.attacker} loses {self.attacker_lost}, {self.defender} {self.defender_lost}"
        )


@dataclass(frozen=True, slots=True)
class Captured:
    """A territory was taken."""

    seat: str
    territory: str
    before: str

    def __str__(self) -> str:
        return f"{self.seat} captures {self.territory} from {self.before}"


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A seat lost its last army (S000-20)."""

    seat: str
    by: str

    def __str__(self) -> str:
        return f"{self.seat} is eliminated by {self.by}"


@dataclass(frozen=True, slots=True)
class SpoilsTaken:
    """The victor took an eliminated seat's cards, and objectives where there are any."""

    seat: str
    victim: str
    cards: tuple[str, ...]
    objectives: tuple[str, ...]
    secret: bool = False
    count: int = 0

    def __str__(self) -> str:
        cards = " ".join(self.cards) if self.cards else str(self.count)
        objectives = f", objectives {' '.join(self.objectives)}" if self.objectives else ""
        return f"{self.seat} takes cards of {self.victim}: {cards}{objectives}"


@dataclass(frozen=True, slots=True)
class Drew:
    """A card was drawn; None where the seat that looks may not know it."""

    seat: str
    card: str | None

    def __str__(self) -> str:
        return f"{self.seat} draws {self.card or 'a card'}"


@dataclass(frozen=True, slots=True)
class Traded:
    """Cards were turned in for armies; `bonus` lists pictured territories that got theirs."""

    seat: str
    cards: tuple[str, ...]
    armies: int
    bonus: tuple[str, ...]

    def __str__(self) -> str:
        bonus = f" and 2 on {' and '.join(self.bonus)}" if self.bonus else ""
        return f"{self.seat} trades {' '.join(self.cards)} for {self.armies} armies{bonus}"


@dataclass(frozen=True, slots=True)
class Awarded:
    """The armies of a turn, item by item (S002-14, rulebook 5.4)."""

    seat: str
    territories: int
    continents: int
    capitals: int
    rewards: int

    @property
    def total(self) -> int:
        return self.territories + self.continents + self.capitals + self.rewards

    def __str__(self) -> str:
        items = [f"territories {self.territories}", f"continents {self.continents}"]
        items += [f"capitals {self.capitals}"] if self.capitals else []
        items += [f"rewards {self.rewards}"] if self.rewards else []
        return f"{self.seat} receives {self.total} armies: {', '.join(items)}"


@dataclass(frozen=True, slots=True)
class Discarded:
    """Armies above the cap were lost (`army_cap`)."""

    territory: str
    armies: int

    def __str__(self) -> str:
        return f"{self.armies} armies above the cap are lost on {self.territory}"


@dataclass(frozen=True, slots=True)
class TurnBegan:
    seat: str
    round: int

    def __str__(self) -> str:
        return f"round {self.round}: {self.seat} to move"


@dataclass(frozen=True, slots=True)
class MissionShown:
    seat: str
    mission: str

    def __str__(self) -> str:
        return f"{self.seat} shows mission {self.mission}"


@dataclass(frozen=True, slots=True)
class Won:
    """The game is over; seat None means that nobody won."""

    seat: str | None

    def __str__(self) -> str:
        return f"{self.seat} wins" if self.seat else "the game is drawn"


Event = (
    Decided
    | FirstDice
    | Begins
    | Dealt
    | Rolled
    | Captured
    | Eliminated
    | SpoilsTaken
    | Drew
    | Traded
    | Awarded
    | Discarded
    | TurnBegan
    | MissionShown
    | Won
)


def seen_by(event: Event, seat: str | None, *, public_hands: bool) -> Event | None:
    """What a seat may know of an event (None: a spectator); None where it may know nothing."""
    match event:
        case Decided(owner, _, True, shown) if owner != seat:
            return None if shown is None else Decided(owner, shown)
        case Drew(owner, _) if owner != seat and not public_hands:
            return replace(event, card=None)
        case Dealt("mission", _, owner, True) if owner != seat:
            return replace(event, thing=None)
        case Dealt("card", _, owner, True) if owner != seat and not public_hands:
            return replace(event, thing=None)
        case SpoilsTaken(owner, victim, _, _, True) if seat not in (owner, victim):
            return replace(event, cards=(), secret=False)
        case _:
            return event
