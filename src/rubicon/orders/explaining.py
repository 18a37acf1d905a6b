"""Orders in plain English: what each line will do, and what stands where nothing was said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rubicon.orders.explaining_requests import request_sentence
from rubicon.orders.order import (
    AdvanceOrder,
    AllBut,
    Armies,
    AttackOrder,
    CapitalOrder,
    CardEarned,
    ClaimOrder,
    Comparison,
    Condition,
    DefenceDice,
    DefendOrder,
    DeployOrder,
    Eliminated,
    Ending,
    EndOrder,
    Failed,
    Fewest,
    FortifyOrder,
    Holds,
    IfOrder,
    ManoeuvreOrder,
    ObjectiveOrder,
    Order,
    RevealOrder,
    SetChoice,
    SimpleOrder,
    Stop,
    StopKind,
    TradeOrder,
    Won,
)
from rubicon.orders.sheet import Sheet
from rubicon.rules.board import Board
from rubicon.rules.board_parts import one_of
from rubicon.rules.ruleset import Ruleset

NESTED = "    "
AFTER_ATTACKS = (
    "your turn stays open for what may follow the attacks, and ends by itself where nothing can."
)
AFTER_MOVE = (
    "your turn ends with this move if it is made and no other may follow; else it stays open."
)
COMPARED: Mapping[Comparison, str] = {
    Comparison.LESS: "fewer than {}",
    Comparison.AT_MOST: "at most {}",
    Comparison.EQUAL: "exactly {}",
    Comparison.NOT_EQUAL: "any number but {}",
    Comparison.AT_LEAST: "at least {}",
    Comparison.MORE: "more than {}",
}


def explain(sheet: Sheet, where: Board | Ruleset) -> tuple[str, ...]:
    """What a sheet asks for, a sentence a line, the orders numbered; `where` spells the names."""
    board = where if isinstance(where, Board) else where.board
    return tuple(Explaining(board).lines(sheet))


class Explaining:
    """The words for orders on one board."""

    def __init__(self, board: Board) -> None:
        self.names = {territory.id: territory.name for territory in board.territories}
        self.names |= {"wild1": "the first wild card", "wild2": "the second wild card"}
        self.objectives = {objective.id: objective.text for objective in board.objectives}
        self.sentences: Mapping[type, Callable[[Any], str]] = {
            TradeOrder: self.trade,
            DeployOrder: self.deploy,
            AttackOrder: self.attack,
            AdvanceOrder: self.advance,
            FortifyOrder: self.fortify,
            ManoeuvreOrder: self.manoeuvre,
            DefendOrder: self.defend,
            ClaimOrder: self.claim,
            CapitalOrder: self.capital,
            ObjectiveOrder: self.objective,
            RevealOrder: self.reveal,
            EndOrder: self.end,
        }

    def lines(self, sheet: Sheet) -> Iterator[str]:
        """Requests, orders, and how the text ends."""
        yield from map(request_sentence, sheet.requests)
        for number, order in enumerate(sheet.orders, 1):
            if isinstance(order, IfOrder):
                yield from self.conditional(number, order)
            else:
                yield from indented(f"{number}. ", self.sentence(order))
        if sheet.ended:
            yield "Then your turn ends: whatever else it might bring is passed over."
        elif sheet.orders:
            yield from left_open(sheet.orders[-1])

    def sentence(self, order: SimpleOrder) -> str:
        """An order without a condition; several sentences have a line each."""
        return self.sentences[type(order)](order)

    def conditional(self, number: int, order: IfOrder) -> Iterator[str]:
        """A condition, and what depends on it, set in."""
        yield f"{number}. If {self.condition(order.condition)}:"
        for simple in order.then:
            yield from indented(NESTED, self.sentence(simple))
        if order.otherwise:
            yield f"{' ' * len(str(number))}  Otherwise:"
        for simple in order.otherwise:
            yield from indented(NESTED, self.sentence(simple))

    def condition(self, condition: Condition) -> str:
        """What is asked when the line is reached."""
        match condition:
            case Won(None):
                return "all that the last attack carried out goes for is yours by then"
            case Failed(None):
                return "not all that the last attack carried out goes for is yours by then"
            case Won(territory):
                return f"{self.name(territory)} is yours by then"
            case Failed(territory):
                return f"{self.name(territory)} is not yours by then"
            case Holds(territory, comparison, number):
                many = COMPARED[comparison].format(armies_of(number))
                return f"{many} stand on {self.name(territory)}, whoever owns it"
            case CardEarned():
                return "this turn has earned a card"
            case Eliminated(colour):
                return f"{colour.capitalize()} is out of the game"

    def name(self, territory: str | None) -> str:
        """A territory as the board spells it; a card likewise."""
        return self.names.get(territory or "", territory or "")

    def listing(self, territories: tuple[str, ...]) -> str:
        """`Alaska, Brazil and Peru`."""
        return and_then([self.name(territory) for territory in territories])

    def trade(self, order: TradeOrder) -> str:
        """TRADE."""
        bonus = f" Where a pictured territory receives armies, it is {self.name(order.bonus)}."
        bonus = bonus if order.bonus else ""
        if order.cards is SetChoice.BEST:
            return f"Trade in the set of cards that brings most, if there is one.{bonus}"
        if order.cards is SetChoice.NO:
            return f"Trade in no cards, unless the rules demand it.{bonus}"
        return f"Trade in the cards {self.listing(tuple(order.cards))}.{bonus}"

    def deploy(self, order: DeployOrder) -> str:
        """DEPLOY."""
        puts = [
            f"{'all armies that are left' if number is None else armies_of(number)} "
            f"on {self.name(territory)}"
            for number, territory in order.placements
        ]
        return f"Put {', then '.join(puts)}."

    def attack(self, order: AttackOrder) -> str:
        """ATTACK: the path, what stops it, and who moves in."""
        source, *targets = order.path
        way = ", then ".join(self.name(target) for target in targets)
        dice = "as many dice as the rules allow" if order.dice is None else dice_of(order.dice)
        parts = [f"Attack {way} from {self.name(source)}, roll after roll, with {dice}."]
        parts.append(f"It stops when {self.stops(order)}.")
        parts.append(f"{self.moving_in(order)}.")
        return "\n".join(parts)

    def stops(self, order: AttackOrder) -> str:
        """Everything that ends an attack."""
        one = len(order.path) == 2
        taken = f"{self.name(order.path[1])} is taken" if one else "all of these are taken"
        others = [self.stop(stop, order) for stop in order.stops if stop.kind is not StopKind.WON]
        last = "no army is free to attack (one always stays)"
        return one_of([taken, *dict.fromkeys(others), last])

    def stop(self, stop: Stop, order: AttackOrder) -> str:
        """One reason to stop."""
        one = len(order.path) == 2
        source = self.name(order.path[0]) if one else "the territory that attacks at the time"
        match stop.kind:
            case StopKind.LEFT:
                return f"at most {armies_of(stop.number)} are left on {source}"
            case StopKind.ODDS:
                what = self.name(order.path[1]) if one else "the rest"
                return f"the chance to take {what} falls below {stop.number}%"
            case StopKind.ROUNDS:
                rolls = "one roll was" if stop.number == 1 else f"{stop.number} rolls were"
                return f"{rolls} thrown for this order"
            case _:
                return f"this order has cost {armies_of(stop.number)} of yours"

    def moving_in(self, order: AttackOrder) -> str:
        """How many armies move into what is captured."""
        last = self.name(order.path[-1])
        if order.advance is not None:
            where = f"into {last}" if len(order.path) == 2 else "into each captured territory"
            moved = moved_in(order.advance)
            return f"{moved} {'moves' if order.advance == 1 else 'move'} {where}"
        if len(order.path) == 2:
            return f"As few armies as the rules allow move into {last}"
        return (
            "All armies but the one that must stay move on along the way, "
            f"and as few as the rules allow into {last}"
        )

    def advance(self, order: AdvanceOrder) -> str:
        """ADVANCE."""
        moved = moved_in(order.armies)
        return f"Into the territory just captured: {moved[0].lower()}{moved[1:]}."

    def fortify(self, order: FortifyOrder) -> str:
        """FORTIFY."""
        return f"End the attacks, then move {self.move(order)}."

    def manoeuvre(self, order: ManoeuvreOrder) -> str:
        """MANOEUVRE."""
        return f"Before the first attack, if a reward allows it, move {self.move(order)}."

    def move(self, order: FortifyOrder | ManoeuvreOrder) -> str:
        """Armies and ways of a move."""
        ends = f"from {self.name(order.source)} to {self.name(order.target)}"
        if isinstance(order.armies, int):
            return f"{armies_of(order.armies)} {ends}"
        return f"all armies but {staying(order.armies)} {ends}"

    def defend(self, order: DefendOrder) -> str:
        """DEFEND."""
        where = self.name(order.territory) if order.territory else "all of your territories"
        match order.dice:
            case DefenceDice.ASK:
                return f"Ask you each time with how many dice to defend {where}."
            case DefenceDice.MAX:
                dice = "as many dice as the rules allow"
            case _:
                dice = dice_of(int(order.dice))
        return f"Defend {where} with {dice}: now if an attack waits for it, else from now on."

    def claim(self, order: ClaimOrder) -> str:
        """CLAIM."""
        if len(order.territories) == 1:
            return f"Claim {self.name(order.territories[0])}, if it is free."
        return f"Claim the first of these that is free: {self._in_turn(order.territories)}."

    def capital(self, order: CapitalOrder) -> str:
        """CAPITAL."""
        if len(order.territories) == 1:
            return f"Make {self.name(order.territories[0])} your capital or headquarters."
        first = self._in_turn(order.territories)
        return f"Make the first of these that may be one your capital or headquarters: {first}."

    def _in_turn(self, territories: tuple[str, ...]) -> str:
        return ", ".join(self.name(territory) for territory in territories)

    def objective(self, order: ObjectiveOrder) -> str:
        """OBJECTIVE."""
        if order.objective is None:
            return "End the attacks and claim no objective this turn."
        text = self.objectives.get(order.objective, "").rstrip(".")
        what = f"{order.objective} ({text})" if text else order.objective
        airfield = f"; an airfield it brings is put on {self.name(order.airfield)}"
        return (
            f"End the attacks and claim objective {what}, if it is met"
            f"{airfield if order.airfield else ''}."
        )

    def reveal(self, order: RevealOrder) -> str:
        """REVEAL."""
        return "Show your mission, if it is completed, and win."

    def end(self, order: EndOrder) -> str:
        """END ATTACK and END TURN."""
        if order.what is Ending.ATTACK:
            return "End the attacks of this turn."
        return "End the turn, and move no more armies."


def left_open(last: Order) -> Iterator[str]:
    """What becomes of the turn without an END."""
    match last:
        case EndOrder(Ending.TURN):
            return
        case EndOrder(Ending.ATTACK):
            yield f"There is no END: {AFTER_ATTACKS}"
        case FortifyOrder():
            yield f"There is no END: {AFTER_MOVE}"
        case _:
            yield "There is no END: whatever these orders leave open stays open."


def indented(first: str, text: str) -> Iterator[str]:
    """The lines of a text behind `first`, set in as far as it is long."""
    for number, line in enumerate(text.split("\n")):
        yield (" " * len(first) if number else first) + line


def armies_of(number: int) -> str:
    """`1 army`, `3 armies`."""
    return f"{number} {'army' if number == 1 else 'armies'}"


def dice_of(number: int) -> str:
    """How many dice, as a limit."""
    return "one die" if number == 1 else f"at most {number} dice"


def staying(all_but: AllBut) -> str:
    """Who stays behind; one army always does."""
    if all_but.stay <= 1:
        return "the one that must stay"
    return f"{all_but.stay}"


def moved_in(armies: Armies) -> str:
    """Who moves into a captured territory, to begin a sentence."""
    if isinstance(armies, Fewest):
        return "As few armies as the rules allow"
    if isinstance(armies, AllBut):
        return f"All armies but {staying(armies)}"
    return f"{armies_of(armies)} (or as near to that as the rules allow)"


def and_then(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
