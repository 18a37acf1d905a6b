"""The prompt: reads lines, and carries out commands and orders."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from rubicon.cli.orders import EXAMPLE, text_of
from rubicon.cli.terminal.board import without_codes
from rubicon.cli.terminal.choices import (
    obvious,
    order_for,
    order_forms,
    reason,
    refused_leg,
    why_nothing,
)
from rubicon.cli.terminal.commands import COMMANDS, ORDERS, Commands, whole_word
from rubicon.cli.terminal.console import AskAgain, Keyboard, Pipe
from rubicon.cli.terminal.session import Session
from rubicon.cli.warmup import warm_kernels
from rubicon.engine.codes import SetValues
from rubicon.engine.records import Phase, Standing
from rubicon.errors import RubiconError
from rubicon.odds.warmup import warm
from rubicon.orders import syntax
from rubicon.orders.errors import OrderProblem, OrdersError
from rubicon.orders.execute.executor import (
    Decision,
    OrderExecutor,
    Standstill,
    first_action,
    is_single_step,
)
from rubicon.orders.execute.program import Note, ProgramStep, Progress, is_refusal
from rubicon.orders.explain import explain
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.parse.repair import NOT_ADJACENT
from rubicon.orders.preview.preview import preview, preview_lines
from rubicon.rules.actions import Action, DefendWith, Occupy, Outcome, StandingOrder
from rubicon.rules.game import Game
from rubicon.wording import nearest, numbered

# Orders at the prompt: read, previewed, explained and carried out.
#
# The language is that of docs/orders.md; `rubicon.orders` reads it.

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
        if not self.leave_advance or not isinstance(order, syntax.AttackOrder):
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
        self.last_attack: syntax.AttackOrder | None = None

    def read(self, text: str) -> syntax.OrderText:
        """The orders that a text means; its warnings are printed.

        Where the text is carried out, the rules refuse an attack across no border, and a refusal
        is said once: `preview` and `explain` warn of it. One after IF or ELSE may never be
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

    def preview(self, orders: syntax.OrderText, colour: str) -> None:
        """Print the odds of orders; nothing is done."""
        self.warn(refused_later(orders))
        warm_kernels(warm)
        game = self.session.game
        for line in preview_lines(preview(orders, game, colour), game.ruleset.board):
            self.say(line)

    def explain(self, orders: syntax.OrderText) -> None:
        """Print in words what orders ask for; nothing is done."""
        self.warn(refused_later(orders))
        for line in explain(orders, self.session.game.ruleset):
            self.say(line)

    def run_part(self, orders: syntax.OrderText, colour: str, *, last: bool) -> bool:
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
            alone = syntax.OrderText((order,))
            if self._is_one_decision(order):
                self._remember(order)
                self._play(self._only_action(order, colour), colour)
                continue
            ask = last and number == len(orders.orders)
            if not self.run_text(alone, colour, leave_advance=ask):
                return False
        return True

    def _is_one_decision(self, order: syntax.Order) -> bool:
        """Whether an order is carried out by its first action, and checked before."""
        game = self.session.game
        match order:
            case syntax.DeployOrder(placements):
                return len(placements) == 1 and game.phase != Phase.PLACE
            case syntax.TradeOrder():
                return bool(game.rules.cards_values != SetValues.STARS)
            case syntax.EndOrder(what):
                return what is syntax.EndKind.ATTACK
            case syntax.AttackOrder():
                return is_single_step(order, game)
        return not isinstance(order, syntax.IfOrder)

    def _check_attacks_over(self, order: syntax.Order) -> None:
        """RubiconError if an order typed alone would end the attacks without saying so.

        In an order text FORTIFY and OBJECTIVE end the attacks; at the prompt that would
        surprise a player who wants to attack afterwards.
        """
        if self.session.game.phase not in ATTACKING:
            return
        if isinstance(order, syntax.FortifyOrder):
            message = "You can move armies when your attacks are over."
            raise RubiconError("play/attacks-open", message, "Type `end` first, then fortify.")
        if isinstance(order, syntax.ObjectiveOrder):
            message = "You can claim an objective when your attacks are over."
            raise RubiconError("play/attacks-open", message, "Type `end` first.")

    def _remember(self, order: syntax.Order) -> None:
        if isinstance(order, syntax.AttackOrder):
            self.last_attack = order

    def _only_action(self, order: syntax.Order, colour: str) -> Action:
        """The action of an order that is one decision; RubiconError with the best reason."""
        game = self.session.game
        try:
            return first_action(syntax.OrderText((order,)), game, colour)
        except RubiconError as error:
            raise reason(order, game, colour, error) from error

    def _ending(self, orders: syntax.OrderText, colour: str) -> Action:
        """What END alone does now: it ends the attacks, the turn or an offer."""
        game = self.session.game
        try:
            return first_action(orders, game, colour)
        except RubiconError as error:
            if game.phase in (Phase.CLAIM, Phase.OCCUPY, Phase.DEFEND):
                raise reason(syntax.EndOrder(syntax.EndKind.ATTACK), game, colour, error) from error
            raise

    def _play(self, action: Action, colour: str) -> None:
        self.session.play(action)
        if isinstance(action, StandingOrder):  # the story says nothing of it
            self.say(standing_text(action, self.session.game))
        self._show(colour)

    def run_text(
        self, orders: syntax.OrderText, colour: str, *, leave_advance: bool = False
    ) -> bool:
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
            if one.line == note.line and isinstance(one.order, syntax.AttackOrder)
        ]
        if not is_refusal(note) or len(attacks) != 1:
            return found
        return refused_leg(attacks[0], self.session.game, colour) or found


def refused_later(orders: syntax.OrderText) -> list[OrderProblem]:
    """The warnings of attacks that are surely tried, so that the rules refuse them, too."""
    places = zip(orders.orders, orders.order_places, strict=True)
    conditional = {place[:2] for order, place in places if isinstance(order, syntax.IfOrder)}
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


# The prompt: a line is read, understood as a whole, then carried out part by part.

Step: TypeAlias = Callable[[bool], bool]  # takes whether it is the last part; False: stop here

TEXT_WORDS = ("orders", "preview", "explain")  # the rest of the line is an order text
ANSWER_VERBS = {Phase.OCCUPY: "advance", Phase.DEFEND: "defend"}
UNREADABLE_MARK = "// ???"  # before the lines of a corrected text that were not understood


class CommandLoop:
    """Asks the people at the keyboard until the game is over or a person leaves."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.keyboard: Keyboard = Pipe()
        self.commands = Commands(session)
        self.runner = OrderRunner(session, self.commands.say)
        self.being_read = ""  # the part of a line that an OrdersError is about
        self.terminal_only: dict[str, Callable[[str], None]] = {
            "again": self.again,
            "borders": self.commands.borders,
            "map": self.map,
            "save": self.commands.save,
            "quit": self.commands.quit,
        }

    @property
    def colour(self) -> str:
        """The seat of the person who is asked."""
        return self.commands.colour

    def run(self, keyboard: Keyboard) -> None:
        """Play until the game is over; raises Quit, EOFError or KeyboardInterrupt before that."""
        session = self.session
        self.keyboard = self.commands.keyboard = keyboard
        while (colour := session.advance()) is not None:
            self.commands.colour = colour
            if colour in self.runner.running:
                self.runner.resume(colour)
                continue
            session.ready(colour, keyboard)
            session.suggest(colour)
            keyboard.recalls = session.sits(colour)
            with suppress(AskAgain):
                self.obey(keyboard.read(session.prompt(colour)))
        session.show(session.watcher)

    def obey(self, line: str) -> None:
        """Carry out a line; if any part of it cannot be understood, nothing is done."""
        word, _, rest = line.partition(" ")
        try:
            if not line:
                self.enter()
            elif whole_word(word) == "say":  # its text may have semicolons
                self.commands.say_to_others(rest.strip())
            elif whole_word(word) in TEXT_WORDS:
                self.order_text(whole_word(word), rest.strip())
            else:
                self.run_parts(self.parts_of(line))
        except OrdersError as error:
            self.explain_unreadable(error, line)
        except RubiconError as error:
            self.explain(error)

    def parts_of(self, line: str) -> list[tuple[str, Step]]:
        """The parts of a line between semicolons, each with what carries it out.

        Raises OrdersError before anything is done.
        """
        texts = [line] if has_condition(line) else line.split(";")
        return [(text.strip(), self.step(text.strip())) for text in texts if text.strip()]

    def step(self, text: str) -> Step:
        """What carries out one part of a line."""
        text = self.answered(text)
        word, _, rest = text.partition(" ")
        word = whole_word(word)
        command = self.terminal_only.get(word)
        if command is not None:
            return self.as_step(command, rest.strip())
        self.being_read = text
        orders = self.runner.read(f"{word} {rest}".strip())
        if has_condition(text):
            return lambda _: self.runner.run_text(orders, self.colour)
        return lambda last: self.carry_out(orders, last)

    def answered(self, text: str) -> str:
        """A bare number answers the question that waits: `5` is `advance 5`, or `defend 5`."""
        verb = ANSWER_VERBS.get(self.session.game.phase)
        return f"{verb} {text}" if verb and text.isascii() and text.isdecimal() else text

    @staticmethod
    def as_step(command: Callable[[str], None], rest: str) -> Step:
        """A command as a part of a line."""

        def run(_: bool) -> bool:
            command(rest)
            return True

        return run

    def carry_out(self, orders: syntax.OrderText, last: bool) -> bool:
        """Grant the requests and carry out the orders of one part."""
        for request in orders.requests:
            self.commands.grant(request)
        return self.runner.run_part(orders, self.colour, last=last)

    def run_parts(self, parts: list[tuple[str, Step]]) -> None:
        """Carry out the parts of a line until one fails or another player is to move."""
        for number, (_, step) in enumerate(parts, 1):
            rest = [text for text, _ in parts[number:]]
            try:
                done = step(not rest)
            except RubiconError as error:
                self.explain(error)
                done = False
            if not rest:
                return
            if not done:
                self.commands.say(f"Not done: {'; '.join(rest)}")
                return
            if why := self.interruption():
                self.commands.say(f"Not done ({why}): {'; '.join(rest)}")
                return

    def interruption(self) -> str:
        """Why the rest of a line must wait: another player has moved, or is to move; else "".

        Dice of a defence, and an advance without a choice, belong to the attack.
        """
        known = len(self.session.game.history)
        mover = self.session.advance()
        if mover is None:
            return "the game is over"
        if mover != self.colour:
            return f"{mover} is to move"
        answers = self.session.game.history[known:]
        moved = any(not isinstance(entry, Outcome | DefendWith | Occupy) for entry in answers)
        return "other players have moved since" if moved else ""

    def order_text(self, word: str, rest: str) -> None:
        """Preview, explain or carry out a whole text."""
        self.being_read = ""
        orders = self.runner.read(gathered(rest, self.keyboard, self.commands.say))
        if word == "preview" or syntax.AskRequest(syntax.Ask.PREVIEW) in orders.requests:
            self.runner.preview(orders, self.colour)
        elif word == "explain":
            self.runner.explain(orders)
        else:
            for request in orders.requests:
                self.commands.grant(request)
            if orders.orders or orders.ended:
                self.runner.run_text(orders, self.colour)

    def enter(self) -> None:
        """Enter alone: the proposed order, or a look at the board."""
        action = obvious(self.session.game, self.colour)
        if action is None:
            self.session.draw(self.colour)
            return
        self.commands.say(order_for(action))
        self.session.play(action)
        self.session.show(self.colour)

    def map(self, name: str) -> None:
        """Draw the board, or describe one place on it; codes of the map are names, too."""
        self.commands.map(without_codes(name, self.session.game.ruleset.board))

    def again(self, _: str) -> None:
        """Repeat the last attack."""
        last = self.runner.last_attack
        if last is None or self.session.game.phase != Phase.ATTACK:
            raise RubiconError("play/no-attack", "There is no attack to repeat.")
        self.runner.run_part(syntax.OrderText((last,)), self.colour, last=True)

    def explain(self, error: RubiconError) -> None:
        """Print why something is not done."""
        self.session.output.error(error)

    def explain_unreadable(self, error: OrdersError, line: str) -> None:
        """Print every problem of a line or text, and the text as far as it was understood.

        At a terminal the line, or its correction, comes back at the next prompt.
        """
        for problem in error.problems:
            suggestion = self.suggestion(problem) or problem.suggestion
            where = "" if len(error.problems) == 1 else f"Line {problem.line}: "
            shown = RubiconError(problem.code, where + problem.message, suggestion)
            self.session.output.error(shown)
        for warning in error.warnings:
            self.commands.say(f"{warning.message} {warning.suggestion}".strip())
        if len(line.split(";")) > 1 or "\n" in error.corrected.strip():
            self.commands.say("Nothing was done.")
        corrected = error.corrected.strip()
        self.keyboard.draft = line if " " in line else ""  # one word is typed again as fast
        if corrected and UNREADABLE_MARK not in corrected:
            meant = "; ".join(corrected.splitlines())
            self.commands.say(f"Perhaps you meant: {meant}")
            self.keyboard.draft = self.keyboard.draft and meant
        elif len(corrected.splitlines()) > 1:
            self.commands.say("As far as it was understood:")
            for corrected_line in corrected.splitlines():
                self.commands.say(f"  {corrected_line}")

    def suggestion(self, problem: OrderProblem) -> str:
        """How a part of the line that begins with no word of the prompt could begin; else ""."""
        if problem.code != "orders/unknown-order" or not self.being_read:
            return ""
        word = nearest(self.being_read.split()[0], (*COMMANDS, *ORDERS))
        return word or self.territory_suggestion(self.being_read)

    def territory_suggestion(self, text: str) -> str:
        """What to write around a territory that was typed without a verb; "" for other words."""
        words = text.split()
        names = [word for word in words if not word.isdecimal()]
        board = self.session.game.ruleset.board
        try:
            territory = board.territories[board.index(" ".join(names))]
        except RubiconError as error:
            return error.suggestion if len(names) < len(words) else ""  # a number next to a name
        forms = order_forms(self.session.game, self.colour)
        return f"{territory.name} is a territory. Write: {forms[0]}" if forms else ""

    def words(self) -> Iterator[str]:
        """The words that Tab completes."""
        yield from COMMANDS
        yield from ORDERS
        yield from self.session.game.territories
