"""Orders at the prompt: read, previewed, explained and carried out.

The language is that of docs/orders.md; `rubicon.orders` reads it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rubicon.cli.orders import EXAMPLE, text_of
from rubicon.cli.terminal.display.codes import without_codes
from rubicon.cli.terminal.keyboard import Keyboard
from rubicon.cli.terminal.reasons import reason, refused_leg, why_nothing
from rubicon.cli.terminal.session import Session
from rubicon.cli.warmup import warm_kernels
from rubicon.engine.records.choices import SetValues
from rubicon.engine.records.position import Phase, Standing
from rubicon.errors import RubiconError
from rubicon.odds.warmup import warm
from rubicon.orders.errors import OrderProblem
from rubicon.orders.execute.executor import Decision, OrderExecutor, Standstill
from rubicon.orders.execute.program import ProgramStep, Progress
from rubicon.orders.execute.single_step import first_action, is_single_step
from rubicon.orders.execute.step import Note, is_refusal
from rubicon.orders.explain.orders import explain
from rubicon.orders.order_text import OrderText
from rubicon.orders.parse.advice import NOT_ADJACENT
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.preview.preview import preview
from rubicon.orders.preview.render import preview_lines
from rubicon.orders.syntax import (
    AttackOrder,
    DeployOrder,
    EndKind,
    EndOrder,
    FortifyOrder,
    IfOrder,
    ObjectiveOrder,
    Order,
    TradeOrder,
)
from rubicon.rules.actions import Action, Occupy, StandingOrder
from rubicon.rules.game.game import Game
from rubicon.wording import numbered

ATTACKING = (Phase.REINFORCE, Phase.ATTACK)
LONGEST_NAME = 200  # characters of a file name
FILE_NAME = re.compile(r"(?!//)(?:\S*/\S*|[^\s;,]+\.[^\s;,.]+)")
CONDITION = re.compile(r"(?:^|;)\s*(?:if|else)\b", re.IGNORECASE)
HOW = "Write one order a line. END ends the turn with them; an empty line ends only the text."


@dataclass(slots=True)
class RunningLine:
    """Orders of one seat that are being carried out, and how far they are.

    With `leave_advance` the player is asked how many armies move into the last territory that
    an ATTACK without ADVANCE takes.
    """

    executor: OrderExecutor
    progress: Progress
    leave_advance: bool

    def asks_player(self, decision: Decision) -> bool:
        """Whether the decision is the advance that is left to the player."""
        step = self.executor.program[0] if len(self.executor.program) == 1 else None
        order = getattr(step, "order", None)
        if not self.leave_advance or not isinstance(order, AttackOrder):
            return False
        end = decision.progress.part == len(order.path) - 1
        return end and order.advance is None and isinstance(decision.action, Occupy)


class OrderRunner:
    """Carries out orders of the people at the keyboard.

    `running` has, by seat, orders that wait for another player's decision, such as a defender's
    dice, and placements that continue in the next round of the set-up.
    """

    def __init__(self, session: Session, say: Callable[[str], None]) -> None:
        self.session = session
        self.say = say
        self.running: dict[str, RunningLine] = {}
        self.last_attack: AttackOrder | None = None

    def read(self, text: str) -> OrderText:
        """The orders that a text means; its warnings are printed.

        Where the text is carried out, the rules refuse an attack across no border, and a refusal
        is said once: `preview` and `explain` warn of it. One behind IF or ELSE may never be
        tried, so it is warned of here.
        Raises OrdersError with everything that is wrong, or RubiconError `orders/empty`.
        """
        game = self.session.game
        names = dict(zip(game.names, game.colours, strict=True))
        text = without_codes(text, game.ruleset.board)
        orders = read_orders(text, game.ruleset.board, game.colours, names=names)
        refused = refused_later(orders)
        self.warn(warning for warning in orders.warnings if warning not in refused)
        if not (orders.orders or orders.requests or orders.ended or orders.warnings):
            raise RubiconError("orders/empty", "There are no orders here.", EXAMPLE)
        return orders

    def warn(self, warnings: Iterable[OrderProblem]) -> None:
        """Print what is doubtful in a text that was understood."""
        for warning in warnings:
            self.say(f"{warning.message} {warning.suggestion}".strip())

    def preview(self, orders: OrderText, colour: str) -> None:
        """Print the odds of orders; nothing is done."""
        self.warn(refused_later(orders))
        warm_kernels(warm)
        game = self.session.game
        for line in preview_lines(preview(orders, game, colour), game.ruleset.board):
            self.say(line)

    def explain(self, orders: OrderText) -> None:
        """Print in words what orders ask for; nothing is done."""
        self.warn(refused_later(orders))
        for line in explain(orders, self.session.game.ruleset):
            self.say(line)

    def run_part(self, orders: OrderText, colour: str, *, last: bool) -> bool:
        """Carry out one part of a line; False if something in it could not be done.

        A single roll, placement or move is one decision, checked before it is taken: RubiconError
        says why it is not possible. Everything else runs as an order text does. `last`: no part
        follows, so a capture may be left to the player.
        """
        if orders.ended and not orders.orders:
            self._play(self._ending(orders, colour), colour)
            return True
        for number, order in enumerate(orders.orders, 1):
            self._check_attacks_over(order)
            alone = OrderText((order,))
            if self._is_one_decision(order):
                self._remember(order)
                self._play(self._only_action(order, colour), colour)
                continue
            ask = last and number == len(orders.orders)
            if not self.run_text(alone, colour, leave_advance=ask):
                return False
        return True

    def _is_one_decision(self, order: Order) -> bool:
        """Whether an order is carried out by its first action, and checked before."""
        game = self.session.game
        match order:
            case DeployOrder(placements):
                return len(placements) == 1 and game.phase != Phase.PLACE
            case TradeOrder():
                return bool(game.rules.cards_values != SetValues.STARS)
            case EndOrder(what):
                return what is EndKind.ATTACK
            case AttackOrder():
                return is_single_step(order, game)
        return not isinstance(order, IfOrder)

    def _check_attacks_over(self, order: Order) -> None:
        """RubiconError if an order typed alone would end the attacks without saying so.

        In an order text FORTIFY and OBJECTIVE end the attacks; at the prompt that would
        surprise a player who wants to attack afterwards.
        """
        if self.session.game.phase not in ATTACKING:
            return
        if isinstance(order, FortifyOrder):
            message = "You can move armies when your attacks are over."
            raise RubiconError("play/attacks-open", message, "Type `end` first, then fortify.")
        if isinstance(order, ObjectiveOrder):
            message = "You can claim an objective when your attacks are over."
            raise RubiconError("play/attacks-open", message, "Type `end` first.")

    def _remember(self, order: Order) -> None:
        if isinstance(order, AttackOrder):
            self.last_attack = order

    def _only_action(self, order: Order, colour: str) -> Action:
        """The action of an order that is one decision; RubiconError with the best reason."""
        game = self.session.game
        try:
            return first_action(OrderText((order,)), game, colour)
        except RubiconError as error:
            raise reason(order, game, colour, error) from error

    def _ending(self, orders: OrderText, colour: str) -> Action:
        """What END alone does now: it ends the attacks, the turn or an offer."""
        game = self.session.game
        try:
            return first_action(orders, game, colour)
        except RubiconError as error:
            if game.phase in (Phase.CLAIM, Phase.OCCUPY, Phase.DEFEND):
                raise reason(EndOrder(EndKind.ATTACK), game, colour, error) from error
            raise

    def _play(self, action: Action, colour: str) -> None:
        self.session.play(action)
        if isinstance(action, StandingOrder):  # the story says nothing of it
            self.say(standing_text(action, self.session.game))
        self._show(colour)

    def run_text(self, orders: OrderText, colour: str, *, leave_advance: bool = False) -> bool:
        """Carry out a whole text; False if an order of it could not be done.

        With `leave_advance` the player is asked how many armies move into the last territory
        that an ATTACK without ADVANCE takes.
        """
        for order in orders.orders:
            self._remember(order)
        executor = OrderExecutor(orders, self.session.game, colour)
        self.running[colour] = RunningLine(executor, Progress(), leave_advance)
        before = len(self.session.game.history)
        noted = self.resume(colour)
        if not noted and colour not in self.running and len(self.session.game.history) == before:
            only = orders.orders[0] if len(orders.orders) == 1 else None
            self.say(why_nothing(only, self.session.game, colour))
            return False
        return not noted

    def resume(self, colour: str) -> bool:
        """Carry on a seat's orders until they are done or another player must decide.

        True if the orders stopped early or something could not be done.
        """
        session = self.session
        noted = False
        while (line := self.running.get(colour)) is not None:
            decision = line.executor.decide(session.game.view(colour), line.progress)
            for note in decision.notes:
                self.session.output.error(self.why(note, line.executor, colour))
            noted |= bool(decision.notes)
            if decision.action is None:
                return self._stop(colour, decision) or noted
            if line.asks_player(decision):
                del self.running[colour]
                return noted
            line.progress = decision.progress
            self._play(decision.action, colour)
            if session.advance() != colour:
                return noted
        return noted

    def _show(self, colour: str) -> None:
        """Print what happened, unless another person sits at the keyboard."""
        if not self.session.hot_seat or self.session.at_keyboard in (colour, None):
            self.session.show(colour)

    def _stop(self, colour: str, decision: Decision) -> bool:
        """End orders that take no action now, or let them wait; True if they end too early."""
        if decision.standstill in (Standstill.WAITING, Standstill.PENDING):
            return False
        del self.running[colour]
        if decision.standstill is Standstill.PAUSED:
            paused = f"The orders stop here. {decision.reason}"
            self.session.output.error(RubiconError("orders/paused", paused))
            return True
        return False

    def why(self, note: Note, executor: OrderExecutor, colour: str) -> RubiconError:
        """Why an order could not do what it says: for an attack, as the rules refuse it."""
        found = RubiconError(note.code, capitalised(note.message))
        steps = [one for one in executor.program if isinstance(one, ProgramStep)]
        attacks = [
            one.order
            for one in steps
            if one.line == note.line and isinstance(one.order, AttackOrder)
        ]
        if not is_refusal(note) or len(attacks) != 1:
            return found
        return refused_leg(attacks[0], self.session.game, colour) or found


def refused_later(orders: OrderText) -> list[OrderProblem]:
    """The warnings of attacks that are surely tried, so that the rules refuse them, too."""
    places = zip(orders.orders, orders.order_places, strict=True)
    conditional = {place[:2] for order, place in places if isinstance(order, IfOrder)}
    return [
        warning
        for warning in orders.warnings
        if warning.code == NOT_ADJACENT and (warning.line, warning.column) not in conditional
    ]


def standing_text(order: StandingOrder, game: Game) -> str:
    """What a standing order for later defences means, in words."""
    where = "your territories"
    if order.territory is not None:
        where = game.ruleset.board.territories[game.territories.index(order.territory)].name
    match order.dice:
        case Standing.NONE:
            return f"From now on you are asked for the dice that defend {where}."
        case Standing.MAXIMUM:
            dice = "as many dice as possible"
        case _:
            dice = numbered(int(order.dice), "die", "dice")
    return f"From now on {dice} will defend {where}."


def capitalised(sentence: str) -> str:
    """The sentence with a capital letter; names inside keep theirs."""
    return sentence[:1].upper() + sentence[1:]


def has_condition(line: str) -> bool:
    """Whether a line has IF or ELSE, whose orders are divided by semicolons of their own."""
    return bool(CONDITION.search(line))


def gathered(rest: str, keyboard: Keyboard, say: Callable[[str], None]) -> str:
    """The text of orders: given on the line, in a file of that name, or typed now.

    Raises RubiconError: `orders/dropped` at control-C, `orders/no-file`, `orders/no-text`.
    """
    if rest:
        return _text_in_file(rest) or rest
    say(HOW)
    lines: list[str] = []
    try:
        while (line := keyboard.read("orders> ")) != "":
            lines.append(line)
            if line.casefold().rstrip(".") == "end":
                break
    except KeyboardInterrupt:
        raise RubiconError("orders/dropped", "The orders are dropped; nothing was done.") from None
    return "\n".join(lines)


def _text_in_file(name: str) -> str | None:
    """The text in a file of that name; None if the words can only be orders."""
    file = os.path.expanduser(name)
    if len(name) > LONGEST_NAME or not (os.path.isfile(file) or FILE_NAME.fullmatch(name)):
        return None
    return text_of(file)
