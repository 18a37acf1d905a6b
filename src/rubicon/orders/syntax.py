"""The syntax tree of orders: frozen values, each with an exact text.

`str(order)` is the exact text of a line. `rubicon.orders.parse.parser` parses it back, and the
shorter forms that players write. Keywords are in capitals; territories, cards and objectives are
ids. `docs/orders.md` has the grammar.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

ARROW = " -> "


class SetChoice(StrEnum):
    """A trade that names no cards."""

    BEST = "BEST"  # the set that is worth most armies
    NO = "NO"  # no trade unless the rules demand one; offered cards are taken back


@dataclass(frozen=True, slots=True)
class TradeOrder:
    """Trade the named cards, or the best set, for armies; or trade none.

    `bonus` is the pictured territory that receives two armies where several could (A-85).
    """

    cards: tuple[str, ...] | SetChoice
    bonus: str | None = None

    def __str__(self) -> str:
        cards = self.cards if isinstance(self.cards, SetChoice) else ", ".join(self.cards)
        return f"TRADE {cards}" + (f" ON {self.bonus}" if self.bonus else "")


@dataclass(frozen=True, slots=True)
class DeployOrder:
    """Place armies on territories, in this order; also starting armies (S001-42).

    Each placement is (armies, territory); armies None means all that are left (REST).
    """

    placements: tuple[tuple[int | None, str], ...]

    def __str__(self) -> str:
        parts = (f"{'REST' if n is None else n} {name}" for n, name in self.placements)
        return f"DEPLOY {', '.join(parts)}"


@dataclass(frozen=True, slots=True)
class AllBut:
    """All armies that may move, less `stay` that stay behind; 0 for ALL."""

    stay: int = 0

    def __str__(self) -> str:
        return f"ALL BUT {self.stay}" if self.stay else "ALL"


class Fewest(StrEnum):
    """No more armies than the rules demand."""

    MIN = "MIN"


Armies: TypeAlias = int | AllBut | Fewest


class LeftOpen(StrEnum):
    """The order leaves a number of armies to a later decision of the seat."""

    ASK = "ASK"


class StopKind(StrEnum):
    """What ends an attack, with the meaning of its number."""

    WON = "WON"  # (no number) every territory of the path is taken
    LEFT = "LEFT"  # at most this many armies stand on the attacking territory
    ODDS = "ODDS"  # the chance, in percent, to take the rest of the path is below this
    ROUNDS = "ROUNDS"  # this many rolls were made for this order
    LOST = "LOST"  # this order has cost this many armies


@dataclass(frozen=True, slots=True)
class StopRule:
    """One reason to stop an attack."""

    kind: StopKind
    number: int = 0

    def __str__(self) -> str:
        if self.kind is StopKind.WON:
            return "WON"
        if self.kind is StopKind.ODDS:
            return f"ODDS < {self.number}%"
        return f"{self.kind} {self.number}"


@dataclass(frozen=True, slots=True)
class AttackOrder:
    """Attack along a path, territory after territory, until it is taken or a stop holds.

    `path` begins with a territory of the seat. `dice` is the most dice to roll (None: as many as
    the rules allow). `advance` is how many armies move into each captured territory (None: all
    that may, except into the last one, which the fewest enter; ASK: all that may, except into the
    last one, where the orders stop until the seat decides).
    """

    path: tuple[str, ...]
    dice: int | None = None
    stops: tuple[StopRule, ...] = ()
    advance: Armies | LeftOpen | None = None

    def __str__(self) -> str:
        dice = "" if self.dice is None else f" DICE {self.dice}"
        stops = " UNTIL " + " OR ".join(map(str, self.stops)) if self.stops else ""
        advance = "" if self.advance is None else f" ADVANCE {self.advance}"
        return f"ATTACK {ARROW.join(self.path)}{dice}{stops}{advance}"

    @property
    def onward(self) -> Armies | None:
        """How many armies move on along the path; None for all that may."""
        return None if isinstance(self.advance, LeftOpen) else self.advance


@dataclass(frozen=True, slots=True)
class AdvanceOrder:
    """Move armies into the territory just captured; the answer to a pending occupation."""

    armies: Armies

    def __str__(self) -> str:
        return f"ADVANCE {self.armies}"


@dataclass(frozen=True, slots=True)
class FortifyOrder:
    """Move armies at the end of the turn; it ends the attacks."""

    source: str
    target: str
    armies: int | AllBut

    def __str__(self) -> str:
        return f"FORTIFY {self.source}{ARROW}{self.target} {self.armies}"


@dataclass(frozen=True, slots=True)
class ManoeuvreOrder:
    """Move armies before the first attack, where a reward allows it (RW3)."""

    source: str
    target: str
    armies: int | AllBut

    def __str__(self) -> str:
        return f"MANOEUVRE {self.source}{ARROW}{self.target} {self.armies}"


class DefenceDice(StrEnum):
    """How many dice to defend with."""

    MAX = "MAX"
    ONE = "1"
    TWO = "2"
    ASK = "ASK"  # no standing order: the seat is asked each time


@dataclass(frozen=True, slots=True)
class DefendOrder:
    """How many dice to defend with: the answer to a pending attack, else a standing order.

    Rules A-29 and A-70. `territory` None means every territory of the seat.
    """

    dice: DefenceDice
    territory: str | None = None

    def __str__(self) -> str:
        return f"DEFEND {self.dice}" + (f" {self.territory}" if self.territory else "")


@dataclass(frozen=True, slots=True)
class ClaimOrder:
    """Claim the first of these territories that is still free (S004-08)."""

    territories: tuple[str, ...]

    def __str__(self) -> str:
        return f"CLAIM {', '.join(self.territories)}"


@dataclass(frozen=True, slots=True)
class CapitalOrder:
    """Choose the capital or the headquarters: the first that may be one (S001-24, A-66)."""

    territories: tuple[str, ...]

    def __str__(self) -> str:
        return f"CAPITAL {', '.join(self.territories)}"


@dataclass(frozen=True, slots=True)
class ObjectiveOrder:
    """Claim an objective (None: none this turn); an airfield reward needs a territory (RW1)."""

    objective: str | None
    airfield: str | None = None

    def __str__(self) -> str:
        airfield = f" AIRFIELD {self.airfield}" if self.airfield else ""
        return f"OBJECTIVE {self.objective or 'NO'}{airfield}"


@dataclass(frozen=True, slots=True)
class RevealOrder:
    """Show the completed mission and win, where that is a decision."""

    def __str__(self) -> str:
        return "REVEAL"


@dataclass(frozen=True, slots=True)
class DeclineOrder:
    """Claim no objective, or trade no further set after an elimination."""

    def __str__(self) -> str:
        return "DECLINE"


@dataclass(frozen=True, slots=True)
class SealOrder:
    """Say that the hidden placement of starting armies is finished (A-07)."""

    def __str__(self) -> str:
        return "SEAL"


class EndKind(StrEnum):
    ATTACK = "ATTACK"
    TURN = "TURN"


@dataclass(frozen=True, slots=True)
class EndOrder:
    """End the attacks, or the whole turn without a further fortification (S000-15, S000-18)."""

    what: EndKind

    def __str__(self) -> str:
        return f"END {self.what}"


@dataclass(frozen=True, slots=True)
class WonCondition:
    """The seat owns the territory; None: the whole path of the last attack."""

    territory: str | None = None

    def __str__(self) -> str:
        return f"WON {self.territory}" if self.territory else "WON"


@dataclass(frozen=True, slots=True)
class FailedCondition:
    """The seat does not own the territory; None: not the whole path of the last attack."""

    territory: str | None = None

    def __str__(self) -> str:
        return f"FAILED {self.territory}" if self.territory else "FAILED"


class Comparison(StrEnum):
    LESS = "<"
    AT_MOST = "<="
    EQUAL = "="
    NOT_EQUAL = "<>"
    AT_LEAST = ">="
    MORE = ">"


@dataclass(frozen=True, slots=True)
class Holds:
    """The armies on a territory, of any owner, compared with a number."""

    territory: str
    comparison: Comparison
    number: int

    def __str__(self) -> str:
        return f"{self.territory} {self.comparison} {self.number}"


@dataclass(frozen=True, slots=True)
class CardEarned:
    """A card will be drawn at the end of this turn."""

    def __str__(self) -> str:
        return "CARD"


@dataclass(frozen=True, slots=True)
class EliminatedCondition:
    """The player with the seat `colour` is out of the game."""

    colour: str

    def __str__(self) -> str:
        return f"ELIMINATED {self.colour}"


Condition: TypeAlias = WonCondition | FailedCondition | Holds | CardEarned | EliminatedCondition

SimpleOrder: TypeAlias = (
    TradeOrder
    | DeployOrder
    | AttackOrder
    | AdvanceOrder
    | FortifyOrder
    | ManoeuvreOrder
    | DefendOrder
    | ClaimOrder
    | CapitalOrder
    | ObjectiveOrder
    | DeclineOrder
    | RevealOrder
    | SealOrder
    | EndOrder
)


@dataclass(frozen=True, slots=True)
class IfOrder:
    """Orders under a condition, which is tested when the order is reached; never nested."""

    condition: Condition
    then: tuple[SimpleOrder, ...]
    otherwise: tuple[SimpleOrder, ...] = ()

    def __str__(self) -> str:
        text = f"IF {self.condition}: {_joined(self.then)}"
        return f"{text} ELSE: {_joined(self.otherwise)}" if self.otherwise else text


Order: TypeAlias = SimpleOrder | IfOrder


def _joined(orders: Iterable[SimpleOrder]) -> str:
    return "; ".join(map(str, orders))
