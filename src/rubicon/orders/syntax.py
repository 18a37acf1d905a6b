"""What a player may send: orders, requests to the table, and both as one text; frozen
values with exact texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from rubicon.orders.errors import OrderProblem

# The syntax tree of orders: frozen values, each with an exact text.
#
# `str(order)` is the exact text of a line. `rubicon.orders.parse.parser` parses it back, and the
# shorter forms that players write. Keywords are in capitals; territories, cards and objectives
# are ids. `docs/orders.md` has the grammar.

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
    LEFT = "LEFT"  # at most this many armies are on the attacking territory
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


# Requests to the table or its game master alongside the orders: frozen values with exact texts.
#
# Requests answer no decision and never change the board; each interface carries them out.

CONFIRM = " CONFIRM"


class Ask(StrEnum):
    """Requests of one word."""

    STATUS = "STATUS"
    MAP = "MAP"
    LEGAL = "LEGAL"  # list the possible decisions
    HAND = "HAND"  # the seat's cards, mission and rewards
    RULES = "RULES"
    PREVIEW = "PREVIEW"  # compute the odds of this text, and do nothing
    CLEAR = "CLEAR"  # delete orders that wait
    WAIT = "WAIT"  # keep the turn open although the orders are in
    UNDO = "UNDO"


ABOUT_TERRITORIES = (Ask.MAP, Ask.LEGAL)  # these may name a territory


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A request of one word; MAP and LEGAL may name a territory."""

    ask: Ask
    territory: str | None = None

    def __str__(self) -> str:
        return f"{self.ask} {self.territory}" if self.territory else str(self.ask)


@dataclass(frozen=True, slots=True)
class HistoryRequest:
    """The last `entries` events; None: those since the seat's last turn."""

    entries: int | None = None

    def __str__(self) -> str:
        return "HISTORY" if self.entries is None else f"HISTORY {self.entries}"


@dataclass(frozen=True, slots=True)
class HelpRequest:
    """Help about orders, or about one word."""

    word: str | None = None

    def __str__(self) -> str:
        return f"HELP {self.word}" if self.word else "HELP"


@dataclass(frozen=True, slots=True)
class AbsenceRequest:
    """The player is away from the first to the last day (`2026-12-24`); a bot may play."""

    first: str
    last: str
    bot: str | None = None

    def __str__(self) -> str:
        return f"ABSENCE {self.first} {self.last}" + (f" BOT {self.bot}" if self.bot else "")


class Motion(StrEnum):
    """What players can vote for."""

    DRAW = "DRAW"
    PAUSE = "PAUSE"
    EXTEND = "EXTEND"


@dataclass(frozen=True, slots=True)
class VoteRequest:
    """A vote for a motion; a vote for a draw counts only with CONFIRM."""

    motion: Motion
    confirmed: bool = False

    def __str__(self) -> str:
        return f"VOTE {self.motion}" + (CONFIRM if self.confirmed else "")


@dataclass(frozen=True, slots=True)
class ResignRequest:
    """Leave the game; counts only with CONFIRM."""

    confirmed: bool = False

    def __str__(self) -> str:
        return "RESIGN" + (CONFIRM if self.confirmed else "")


@dataclass(frozen=True, slots=True)
class ConfirmRequest:
    """The one-time code that confirms an earlier request."""

    code: str

    def __str__(self) -> str:
        return f"CONFIRM {self.code}"


@dataclass(frozen=True, slots=True)
class PressRequest:
    """A message to a seat's colour, to ALL or to GM; `text` keeps its lines."""

    to: str
    text: str

    def __str__(self) -> str:
        head = f"PRESS TO {self.to}"
        return "\n".join([head, self.text, "ENDPRESS"] if self.text else [head, "ENDPRESS"])


class MasterAct(StrEnum):
    """Requests of the game master only."""

    PROCESS = "PROCESS"  # apply the timeout policy to missing players now
    FORK = "FORK"  # start a new game from a log index of this one
    EXTEND = "EXTEND"  # add hours to the deadline
    REPLACE = "REPLACE"  # free a seat for another player
    BOT = "BOT"  # let a bot play a seat
    ANNOUNCE = "ANNOUNCE"  # send a message to all players


@dataclass(frozen=True, slots=True)
class MasterRequest:
    """A request of the game master; the act decides which of the fields are set.

    FORK has `number` (a log index), EXTEND `number` (hours), REPLACE `seat`, BOT `seat` and
    `words` (the bot), ANNOUNCE `words`. REPLACE and FORK count only with CONFIRM.
    """

    act: MasterAct
    seat: str | None = None
    number: int | None = None
    words: str | None = None
    confirmed: bool = False

    def __str__(self) -> str:
        number = None if self.number is None else str(self.number)
        if self.act is MasterAct.EXTEND:
            number = f"{number} HOURS"
        parts = (str(self.act), self.seat, number, self.words)
        text = " ".join(part for part in parts if part is not None)
        return text + (CONFIRM if self.confirmed else "")


Request: TypeAlias = (
    AskRequest
    | HistoryRequest
    | HelpRequest
    | AbsenceRequest
    | VoteRequest
    | ResignRequest
    | ConfirmRequest
    | PressRequest
    | MasterRequest
)


# A parsed order text: everything that a player sends at once.


@dataclass(frozen=True, slots=True)
class OrderText:
    """The orders of a turn and the requests alongside them, each in the order of the text.

    `ended` is True where the text ends with END: the turn ends after the last order, and the
    parser ignores what follows END. `request_places` has the line and the column of each request,
    counted from 1; `order_places` those of each order, and how many characters it has.
    Two texts with the same orders are equal whatever their `warnings` and places.
    """

    orders: tuple[Order, ...] = ()
    requests: tuple[Request, ...] = ()
    ended: bool = False
    warnings: tuple[OrderProblem, ...] = field(default=(), compare=False)
    request_places: tuple[tuple[int, int], ...] = field(default=(), compare=False, kw_only=True)
    order_places: tuple[tuple[int, int, int], ...] = field(default=(), compare=False, kw_only=True)

    def __str__(self) -> str:
        """The exact text, an order a line, requests first; parsing it gives an equal value."""
        lines = [*map(str, self.requests), *map(str, self.orders)]
        return "\n".join([*lines, "END"] if self.ended else lines)

    def simple(self) -> tuple[SimpleOrder, ...]:
        """All orders without their conditions, those after IF and ELSE included."""
        found: list[SimpleOrder] = []
        for order in self.orders:
            if isinstance(order, IfOrder):
                found += (*order.then, *order.otherwise)
            else:
                found.append(order)
        return tuple(found)
