"""Explains orders in plain English, with the defaults of what an order leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rubicon.orders.explain.requests import request_sentence
from rubicon.orders.order_text import OrderText
from rubicon.orders.syntax import (
    AdvanceOrder,
    AllBut,
    Armies,
    AttackOrder,
    CapitalOrder,
    CardEarned,
    ClaimOrder,
    Comparison,
    Condition,
    DeclineOrder,
    DefenceDice,
    DefendOrder,
    DeployOrder,
    EliminatedCondition,
    EndKind,
    EndOrder,
    FailedCondition,
    Fewest,
    FortifyOrder,
    Holds,
    IfOrder,
    LeftOpen,
    ManoeuvreOrder,
    ObjectiveOrder,
    Order,
    RevealOrder,
    SealOrder,
    SetChoice,
    SimpleOrder,
    StopKind,
    StopRule,
    TradeOrder,
    WonCondition,
)
from rubicon.rules.board.board import Board
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.wording import one_of

NESTED = "    "
TURN_ENDS = "Then your turn ends, without anything else that is still possible."
AFTER_ATTACKS = (
    "your turn stays open for what can follow the attacks, and ends where nothing can follow."
)
AFTER_MOVE = (
    "your turn ends with this move if it is made and no other can follow; otherwise it stays open."
)
COMPARED: Mapping[Comparison, str] = {
    Comparison.LESS: "fewer than {}",
    Comparison.AT_MOST: "at most {}",
    Comparison.EQUAL: "exactly {}",
    Comparison.NOT_EQUAL: "any number but {}",
    Comparison.AT_LEAST: "at least {}",
    Comparison.MORE: "more than {}",
}


def explain(order_text: OrderText, where: Board | Ruleset) -> tuple[str, ...]:
    """The orders and requests as sentences, a line each; `where` is the board that names them."""
    board = where if isinstance(where, Board) else where.board
    return tuple(Explainer(board).lines(order_text))


def explain_each(order_text: OrderText, board: Board) -> tuple[tuple[str, ...], ...]:
    """The lines of `explain` for each order, without those for requests and the end."""
    explainer, orders = Explainer(board), enumerate(order_text.orders, 1)
    return tuple(tuple(explainer.order_lines(number, order)) for number, order in orders)


class Explainer:
    """Explains orders on one board."""

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
            DeclineOrder: self.decline,
            RevealOrder: self.reveal,
            SealOrder: self.seal,
            EndOrder: self.end,
        }

    def lines(self, order_text: OrderText) -> Iterator[str]:
        """The sentences of requests and orders, and of the end of the text."""
        yield from map(request_sentence, order_text.requests)
        for number, order in enumerate(order_text.orders, 1):
            yield from self.order_lines(number, order)
        if order_text.ended:
            yield TURN_ENDS
        elif order_text.orders:
            yield from left_open(order_text.orders[-1])

    def order_lines(self, number: int, order: Order) -> Iterator[str]:
        """The sentences of an order, behind its number."""
        if isinstance(order, IfOrder):
            yield from self.conditional(number, order)
        else:
            yield from indented(f"{number}. ", self.sentence(order))

    def sentence(self, order: SimpleOrder) -> str:
        """The sentences of an order without a condition, separated by line ends."""
        return self.sentences[type(order)](order)

    def conditional(self, number: int, order: IfOrder) -> Iterator[str]:
        """A condition, with the orders under it indented."""
        yield f"{number}. If {self.condition(order.condition)}:"
        for simple in order.then:
            yield from indented(NESTED, self.sentence(simple))
        if order.otherwise:
            yield f"{' ' * len(str(number))}  Otherwise:"
        for simple in order.otherwise:
            yield from indented(NESTED, self.sentence(simple))

    def condition(self, condition: Condition) -> str:
        """A condition in words."""
        match condition:
            case WonCondition(None):
                return "you own the whole path of the last attack by then"
            case FailedCondition(None):
                return "you do not own the whole path of the last attack by then"
            case WonCondition(territory):
                return f"you own {self.name(territory)} by then"
            case FailedCondition(territory):
                return f"you do not own {self.name(territory)} by then"
            case Holds(territory, comparison, number):
                many = COMPARED[comparison].format(armies_of(number))
                return f"{many} stand on {self.name(territory)}, whether you own it or not"
            case CardEarned():
                return "this turn has earned a card"
            case EliminatedCondition(colour):
                return f"{colour.capitalize()} is out of the game"

    def name(self, territory: str | None) -> str:
        """The name of a territory or a card as the board spells it."""
        return self.names.get(territory or "", territory or "")

    def listing(self, territories: tuple[str, ...]) -> str:
        """`Alaska, Brazil and Peru`."""
        return and_then([self.name(territory) for territory in territories])

    def trade(self, order: TradeOrder) -> str:
        """The named cards, the best set, or none; and where the two extra armies go."""
        bonus = f" The armies for a pictured territory go to {self.name(order.bonus)}."
        bonus = bonus if order.bonus else ""
        if order.cards is SetChoice.BEST:
            return f"Trade in the best set of cards, if you have one.{bonus}"
        if order.cards is SetChoice.NO:
            return f"Trade in no cards, unless the rules demand it.{bonus}"
        return f"Trade in the cards {self.listing(tuple(order.cards))}.{bonus}"

    def deploy(self, order: DeployOrder) -> str:
        """The placements in their order."""
        puts = [
            f"{'all armies that are left' if number is None else armies_of(number)} "
            f"on {self.name(territory)}"
            for number, territory in order.placements
        ]
        return f"Put {', then '.join(puts)}."

    def attack(self, order: AttackOrder) -> str:
        """ATTACK: the path, what stops it, and how many armies move in."""
        source, *targets = order.path
        targets_text = ", then ".join(self.name(target) for target in targets)
        dice = "as many dice as the rules allow" if order.dice is None else dice_of(order.dice)
        parts = [f"Attack {targets_text} from {self.name(source)}, roll after roll, with {dice}."]
        parts.append(f"It stops when {self.stops(order)}.")
        parts.append(f"{self.moving_in(order)}.")
        return "\n".join(parts)

    def stops(self, order: AttackOrder) -> str:
        """All stops of an attack, with those that always hold."""
        one = len(order.path) == 2
        taken = f"{self.name(order.path[1])} is taken" if one else "all of these are taken"
        # UNTIL WON says what always holds; two stops may read alike, so each is named once.
        others = [self.stop(stop, order) for stop in order.stops if stop.kind is not StopKind.WON]
        last = "no army is free to attack (one must stay)"
        return one_of([taken, *dict.fromkeys(others), last])

    def stop(self, stop: StopRule, order: AttackOrder) -> str:
        """A stop of an attack, as a part of a sentence."""
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
        """How many armies move into captured territories."""
        last = self.name(order.path[-1])
        if isinstance(order.advance, LeftOpen):
            onward = "All armies but the one that must stay move on along the path; "
            asked = f"you decide how many armies move into {last}"
            return onward + asked if len(order.path) > 2 else f"{asked[0].upper()}{asked[1:]}"
        if order.advance is not None:
            where = f"into {last}" if len(order.path) == 2 else "into each captured territory"
            moved = moved_in(order.advance)
            return f"{moved} {'moves' if order.advance == 1 else 'move'} {where}"
        if len(order.path) == 2:
            return f"As few armies as the rules allow move into {last}"
        return (
            "All armies but the one that must stay move on along the path, "
            f"and as few as the rules allow into {last}"
        )

    def advance(self, order: AdvanceOrder) -> str:
        """How many armies enter the captured territory."""
        moved = moved_in(order.armies)
        return f"Into the territory just captured: {moved[0].lower()}{moved[1:]}."

    def fortify(self, order: FortifyOrder) -> str:
        """The end of the attacks, and the move."""
        return f"End the attacks, then move {self.move(order)}."

    def manoeuvre(self, order: ManoeuvreOrder) -> str:
        """The move before the first attack."""
        return f"Before the first attack, if a reward allows it, move {self.move(order)}."

    def move(self, order: FortifyOrder | ManoeuvreOrder) -> str:
        """The armies and both ends of a move."""
        ends = f"from {self.name(order.source)} to {self.name(order.target)}"
        if isinstance(order.armies, int):
            return f"{armies_of(order.armies)} {ends}"
        return f"all armies but {staying(order.armies)} {ends}"

    def defend(self, order: DefendOrder) -> str:
        """The number of dice, and whether it answers an attack or stands for later ones."""
        where = self.name(order.territory) if order.territory else "all of your territories"
        match order.dice:
            case DefenceDice.ASK:
                return f"Ask you each time with how many dice to defend {where}."
            case DefenceDice.MAX:
                dice = "as many dice as the rules allow"
            case _:
                dice = dice_of(int(order.dice))
        return f"Defend {where} with {dice}: now if an attack is pending, otherwise from now on."

    def claim(self, order: ClaimOrder) -> str:
        """The territories in the order in which they are tried."""
        if len(order.territories) == 1:
            return f"Claim {self.name(order.territories[0])}, if it is free."
        return f"Claim the first of these that is free: {self._in_turn(order.territories)}."

    def capital(self, order: CapitalOrder) -> str:
        """The territories in the order in which they are tried."""
        if len(order.territories) == 1:
            return f"Make {self.name(order.territories[0])} your capital or headquarters."
        first = self._in_turn(order.territories)
        return f"Make the first of these that may be one your capital or headquarters: {first}."

    def _in_turn(self, territories: tuple[str, ...]) -> str:
        return ", ".join(self.name(territory) for territory in territories)

    def objective(self, order: ObjectiveOrder) -> str:
        """The objective with its text, and the territory of its airfield."""
        if order.objective is None:
            return "End the attacks and claim no objective this turn."
        text = self.objectives.get(order.objective, "").rstrip(".")
        what = f"{order.objective} ({text})" if text else order.objective
        airfield = f"; its airfield goes to {self.name(order.airfield)}"
        return (
            f"End the attacks and claim objective {what}, if it is met"
            f"{airfield if order.airfield else ''}."
        )

    def decline(self, order: DeclineOrder) -> str:
        """What is declined depends on the decision that is pending."""
        return "Claim no objective, or trade no further set of cards."

    def seal(self, order: SealOrder) -> str:
        """The end of a hidden placement."""
        return "Finish your hidden placement."

    def reveal(self, order: RevealOrder) -> str:
        """The mission that is shown, if it is completed."""
        return "Show your mission, if it is completed, and win."

    def end(self, order: EndOrder) -> str:
        """What ends: the attacks or the turn."""
        if order.what is EndKind.ATTACK:
            return "End the attacks of this turn."
        return "End the turn, and move no more armies."


def left_open(last: Order) -> Iterator[str]:
    """What happens to the turn where the text has no END."""
    match last:
        case EndOrder(EndKind.TURN):
            return
        case EndOrder(EndKind.ATTACK):
            yield f"There is no END: {AFTER_ATTACKS}"
        case FortifyOrder():
            yield f"There is no END: {AFTER_MOVE}"
        case _:
            yield "There is no END: your turn stays open where these orders leave it open."


def indented(first: str, text: str) -> Iterator[str]:
    """The lines of a text behind `first`, all indented to its length."""
    for number, line in enumerate(text.split("\n")):
        yield (" " * len(first) if number else first) + line


def armies_of(number: int) -> str:
    """`1 army`, `3 armies`."""
    return f"{number} {'army' if number == 1 else 'armies'}"


def dice_of(number: int) -> str:
    """How many dice, as a limit."""
    return "one die" if number == 1 else f"at most {number} dice"


def staying(all_but: AllBut) -> str:
    """The number of armies that stay; at least one does."""
    if all_but.stay <= 1:
        return "the one that must stay"
    return f"{all_but.stay}"


def moved_in(armies: Armies) -> str:
    """The armies that move into a captured territory, at the beginning of a sentence."""
    if isinstance(armies, Fewest):
        return "As few armies as the rules allow"
    if isinstance(armies, AllBut):
        return f"All armies but {staying(armies)}"
    return f"{armies_of(armies)} (or the nearest number that the rules allow)"


def and_then(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
