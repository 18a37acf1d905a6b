"""Explains orders and requests in plain English, with the defaults of what an order leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rubicon.orders import syntax
from rubicon.rules.board.board import Board
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.wording import numbered, one_of

# Explains requests in plain English.

ASKED: Mapping[syntax.Ask, str] = {
    syntax.Ask.STATUS: "You ask for the state of the game.",
    syntax.Ask.MAP: "You ask for the map.",
    syntax.Ask.LEGAL: "You ask what you can do now.",
    syntax.Ask.HAND: "You ask for your cards, your mission and your rewards.",
    syntax.Ask.RULES: "You ask for the rules of this game.",
    syntax.Ask.PREVIEW: "You ask for the odds of these orders; none of them is carried out.",
    syntax.Ask.CLEAR: "You delete your orders that wait.",
    syntax.Ask.WAIT: "Your turn stays open although your orders are in.",
    syntax.Ask.UNDO: "You take back your last decision, if no die or hidden card came since.",
}
MOTIONS: Mapping[syntax.Motion, str] = {
    syntax.Motion.DRAW: "You vote for a draw",
    syntax.Motion.PAUSE: "You vote for a pause",
    syntax.Motion.EXTEND: "You vote for a later deadline",
}
UNCONFIRMED = ", but only if CONFIRM follows"


def request_sentence(request: syntax.Request) -> str:
    """A request in a sentence."""
    match request:
        case syntax.AskRequest(syntax.Ask.MAP, str(territory)):
            return f"You ask for the neighbours of {territory}."
        case syntax.AskRequest(syntax.Ask.LEGAL, str(territory)):
            return f"You ask what you can do with {territory}."
        case syntax.AskRequest(ask):
            return ASKED[ask]
        case syntax.HistoryRequest(None):
            return "You ask for the events since your last turn."
        case syntax.HistoryRequest(entries):
            return f"You ask for the last {numbered(entries or 0, 'entry', 'entries')} of the log."
        case syntax.HelpRequest(word):
            return f"You ask for help{f' about {word}' if word else ''}."
        case syntax.AbsenceRequest(first, last, bot):
            plays = f"; the bot {bot} plays for you meanwhile" if bot else ""
            return f"You are away from {first} to {last}{plays}."
        case syntax.VoteRequest(motion, confirmed):
            lacks = motion is syntax.Motion.DRAW and not confirmed
            return f"{MOTIONS[motion]}{UNCONFIRMED if lacks else ''}."
        case syntax.ResignRequest(confirmed):
            return f"You resign and leave the game{'' if confirmed else UNCONFIRMED}."
        case syntax.ConfirmRequest(code):
            return f"You confirm an earlier request with the code {code}."
        case syntax.PressRequest(to, text):
            whom = {"ALL": "all players", "GM": "the game master"}.get(to, to.capitalize())
            return f"You send {whom} a message of {numbered(len(text.split()), 'word', 'words')}."
        case syntax.MasterRequest():
            return _master(request)


def _master(request: syntax.MasterRequest) -> str:
    lacks = "" if request.confirmed else UNCONFIRMED
    seat = (request.seat or "").capitalize()
    match request.act:
        case syntax.MasterAct.PROCESS:
            return "As game master: the game goes on without the missing players."
        case syntax.MasterAct.FORK:
            return f"As game master: a new game begins at log index {request.number}{lacks}."
        case syntax.MasterAct.EXTEND:
            hours = numbered(request.number or 0, "hour", "hours")
            return f"As game master: the deadline is {hours} later."
        case syntax.MasterAct.REPLACE:
            return f"As game master: {seat}'s seat is free for another player{lacks}."
        case syntax.MasterAct.BOT:
            return f"As game master: the bot {request.words} plays for {seat}."
        case syntax.MasterAct.ANNOUNCE:
            return f"As game master: you announce to all players: {request.words}"


# Orders.

NESTED = "    "
TURN_ENDS = "Then your turn ends, without anything else that is still possible."
AFTER_ATTACKS = (
    "your turn stays open for what can follow the attacks, and ends where nothing can follow."
)
AFTER_MOVE = (
    "your turn ends with this move if it is made and no other can follow; otherwise it stays open."
)
COMPARED: Mapping[syntax.Comparison, str] = {
    syntax.Comparison.LESS: "fewer than {}",
    syntax.Comparison.AT_MOST: "at most {}",
    syntax.Comparison.EQUAL: "exactly {}",
    syntax.Comparison.NOT_EQUAL: "any number but {}",
    syntax.Comparison.AT_LEAST: "at least {}",
    syntax.Comparison.MORE: "more than {}",
}


def explain(order_text: syntax.OrderText, where: Board | Ruleset) -> tuple[str, ...]:
    """The orders and requests as sentences, a line each; `where` is the board that names them."""
    board = where if isinstance(where, Board) else where.board
    return tuple(Explainer(board).lines(order_text))


def explain_each(order_text: syntax.OrderText, board: Board) -> tuple[tuple[str, ...], ...]:
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
            syntax.TradeOrder: self.trade,
            syntax.DeployOrder: self.deploy,
            syntax.AttackOrder: self.attack,
            syntax.AdvanceOrder: self.advance,
            syntax.FortifyOrder: self.fortify,
            syntax.ManoeuvreOrder: self.manoeuvre,
            syntax.DefendOrder: self.defend,
            syntax.ClaimOrder: self.claim,
            syntax.CapitalOrder: self.capital,
            syntax.ObjectiveOrder: self.objective,
            syntax.DeclineOrder: self.decline,
            syntax.RevealOrder: self.reveal,
            syntax.SealOrder: self.seal,
            syntax.EndOrder: self.end,
        }

    def lines(self, order_text: syntax.OrderText) -> Iterator[str]:
        """The sentences of requests and orders, and of the end of the text."""
        yield from map(request_sentence, order_text.requests)
        for number, order in enumerate(order_text.orders, 1):
            yield from self.order_lines(number, order)
        if order_text.ended:
            yield TURN_ENDS
        elif order_text.orders:
            yield from left_open(order_text.orders[-1])

    def order_lines(self, number: int, order: syntax.Order) -> Iterator[str]:
        """The sentences of an order, after its number."""
        if isinstance(order, syntax.IfOrder):
            yield from self.conditional(number, order)
        else:
            yield from indented(f"{number}. ", self.sentence(order))

    def sentence(self, order: syntax.SimpleOrder) -> str:
        """The sentences of an order without a condition, separated by line ends."""
        return self.sentences[type(order)](order)

    def conditional(self, number: int, order: syntax.IfOrder) -> Iterator[str]:
        """A condition, with the orders under it indented."""
        yield f"{number}. If {self.condition(order.condition)}:"
        for simple in order.then:
            yield from indented(NESTED, self.sentence(simple))
        if order.otherwise:
            yield f"{' ' * len(str(number))}  Otherwise:"
        for simple in order.otherwise:
            yield from indented(NESTED, self.sentence(simple))

    def condition(self, condition: syntax.Condition) -> str:
        """A condition in words."""
        match condition:
            case syntax.WonCondition(None):
                return "you own the whole path of the last attack by then"
            case syntax.FailedCondition(None):
                return "you do not own the whole path of the last attack by then"
            case syntax.WonCondition(territory):
                return f"you own {self.name(territory)} by then"
            case syntax.FailedCondition(territory):
                return f"you do not own {self.name(territory)} by then"
            case syntax.Holds(territory, comparison, number):
                many = COMPARED[comparison].format(armies_of(number))
                return f"{many} are on {self.name(territory)}, whether you own it or not"
            case syntax.CardEarned():
                return "this turn has earned a card"
            case syntax.EliminatedCondition(colour):
                return f"{colour.capitalize()} is out of the game"

    def name(self, territory: str | None) -> str:
        """The name of a territory or a card as the board spells it."""
        return self.names.get(territory or "", territory or "")

    def listing(self, territories: tuple[str, ...]) -> str:
        """`Alaska, Brazil and Peru`."""
        return and_then([self.name(territory) for territory in territories])

    def trade(self, order: syntax.TradeOrder) -> str:
        """The named cards, the best set, or none; and where the two extra armies go."""
        bonus = f" The armies for a pictured territory go to {self.name(order.bonus)}."
        bonus = bonus if order.bonus else ""
        if order.cards is syntax.SetChoice.BEST:
            return f"Trade in the best set of cards, if you have one.{bonus}"
        if order.cards is syntax.SetChoice.NO:
            return f"Trade in no cards, unless the rules demand it.{bonus}"
        return f"Trade in the cards {self.listing(tuple(order.cards))}.{bonus}"

    def deploy(self, order: syntax.DeployOrder) -> str:
        """The placements in their order."""
        puts = [
            f"{'all armies that are left' if number is None else armies_of(number)} "
            f"on {self.name(territory)}"
            for number, territory in order.placements
        ]
        return f"Put {', then '.join(puts)}."

    def attack(self, order: syntax.AttackOrder) -> str:
        """ATTACK: the path, what stops it, and how many armies move in."""
        source, *targets = order.path
        targets_text = ", then ".join(self.name(target) for target in targets)
        dice = "as many dice as the rules allow" if order.dice is None else dice_of(order.dice)
        parts = [f"Attack {targets_text} from {self.name(source)}, roll after roll, with {dice}."]
        parts.append(f"It stops when {self.stops(order)}.")
        parts.append(f"{self.moving_in(order)}.")
        return "\n".join(parts)

    def stops(self, order: syntax.AttackOrder) -> str:
        """All stops of an attack, with those that always hold."""
        one = len(order.path) == 2
        taken = f"{self.name(order.path[1])} is taken" if one else "all of these are taken"
        # UNTIL WON says what always holds; two stops may read alike, so each is named once.
        others = [
            self.stop(stop, order) for stop in order.stops if stop.kind is not syntax.StopKind.WON
        ]
        last = "no army is free to attack (one must stay)"
        return one_of([taken, *dict.fromkeys(others), last])

    def stop(self, stop: syntax.StopRule, order: syntax.AttackOrder) -> str:
        """A stop of an attack, as a part of a sentence."""
        one = len(order.path) == 2
        source = self.name(order.path[0]) if one else "the territory that attacks at the time"
        match stop.kind:
            case syntax.StopKind.LEFT:
                return f"at most {armies_of(stop.number)} are left on {source}"
            case syntax.StopKind.ODDS:
                what = self.name(order.path[1]) if one else "the rest"
                return f"the chance to take {what} falls below {stop.number}%"
            case syntax.StopKind.ROUNDS:
                rolls = "one roll was" if stop.number == 1 else f"{stop.number} rolls were"
                return f"{rolls} thrown for this order"
            case _:
                return f"this order has cost {armies_of(stop.number)} of yours"

    def moving_in(self, order: syntax.AttackOrder) -> str:
        """How many armies move into captured territories."""
        last = self.name(order.path[-1])
        if isinstance(order.advance, syntax.LeftOpen):
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

    def advance(self, order: syntax.AdvanceOrder) -> str:
        """How many armies enter the captured territory."""
        moved = moved_in(order.armies)
        return f"Into the territory just captured: {moved[0].lower()}{moved[1:]}."

    def fortify(self, order: syntax.FortifyOrder) -> str:
        """The end of the attacks, and the move."""
        return f"End the attacks, then move {self.move(order)}."

    def manoeuvre(self, order: syntax.ManoeuvreOrder) -> str:
        """The move before the first attack."""
        return f"Before the first attack, if a reward allows it, move {self.move(order)}."

    def move(self, order: syntax.FortifyOrder | syntax.ManoeuvreOrder) -> str:
        """The armies and both ends of a move."""
        ends = f"from {self.name(order.source)} to {self.name(order.target)}"
        if isinstance(order.armies, int):
            return f"{armies_of(order.armies)} {ends}"
        return f"all armies but {staying(order.armies)} {ends}"

    def defend(self, order: syntax.DefendOrder) -> str:
        """The number of dice, and whether it answers an attack or stands for later ones."""
        where = self.name(order.territory) if order.territory else "all of your territories"
        match order.dice:
            case syntax.DefenceDice.ASK:
                return f"Ask you each time with how many dice to defend {where}."
            case syntax.DefenceDice.MAX:
                dice = "as many dice as the rules allow"
            case _:
                dice = dice_of(int(order.dice))
        return f"Defend {where} with {dice}: now if an attack is pending, otherwise from now on."

    def claim(self, order: syntax.ClaimOrder) -> str:
        """The territories in the order in which they are tried."""
        if len(order.territories) == 1:
            return f"Claim {self.name(order.territories[0])}, if it is free."
        return f"Claim the first of these that is free: {self._in_turn(order.territories)}."

    def capital(self, order: syntax.CapitalOrder) -> str:
        """The territories in the order in which they are tried."""
        if len(order.territories) == 1:
            return f"Make {self.name(order.territories[0])} your capital or headquarters."
        first = self._in_turn(order.territories)
        return f"Make the first of these that may be one your capital or headquarters: {first}."

    def _in_turn(self, territories: tuple[str, ...]) -> str:
        return ", ".join(self.name(territory) for territory in territories)

    def objective(self, order: syntax.ObjectiveOrder) -> str:
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

    def decline(self, order: syntax.DeclineOrder) -> str:
        """What is declined depends on the decision that is pending."""
        return "Claim no objective, or trade no further set of cards."

    def seal(self, order: syntax.SealOrder) -> str:
        """The end of a hidden placement."""
        return "Finish your hidden placement."

    def reveal(self, order: syntax.RevealOrder) -> str:
        """The mission that is shown, if it is completed."""
        return "Show your mission, if it is completed, and win."

    def end(self, order: syntax.EndOrder) -> str:
        """What ends: the attacks or the turn."""
        if order.what is syntax.EndKind.ATTACK:
            return "End the attacks of this turn."
        return "End the turn without moving further armies."


def left_open(last: syntax.Order) -> Iterator[str]:
    """What happens to the turn where the text has no END."""
    match last:
        case syntax.EndOrder(syntax.EndKind.TURN):
            return
        case syntax.EndOrder(syntax.EndKind.ATTACK):
            yield f"There is no END: {AFTER_ATTACKS}"
        case syntax.FortifyOrder():
            yield f"There is no END: {AFTER_MOVE}"
        case _:
            yield "There is no END: your turn stays open where these orders leave it open."


def indented(first: str, text: str) -> Iterator[str]:
    """The lines of a text after `first`, all indented to its length."""
    for number, line in enumerate(text.split("\n")):
        yield (" " * len(first) if number else first) + line


def armies_of(number: int) -> str:
    """`1 army`, `3 armies`."""
    return f"{number} {'army' if number == 1 else 'armies'}"


def dice_of(number: int) -> str:
    """How many dice, as a limit."""
    return "one die" if number == 1 else f"at most {number} dice"


def staying(all_but: syntax.AllBut) -> str:
    """The number of armies that stay; at least one does."""
    if all_but.stay <= 1:
        return "the one that must stay"
    return f"{all_but.stay}"


def moved_in(armies: syntax.Armies) -> str:
    """The armies that move into a captured territory, at the beginning of a sentence."""
    if isinstance(armies, syntax.Fewest):
        return "As few armies as the rules allow"
    if isinstance(armies, syntax.AllBut):
        return f"All armies but {staying(armies)}"
    return f"{armies_of(armies)} (or the nearest number that the rules allow)"


def and_then(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
