"""The prompt: a line is read, understood as a whole, then carried out part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeAlias

from rubicon.cli.terminal.commands import Commands
from rubicon.cli.terminal.display.choices import obvious, order_for, order_forms
from rubicon.cli.terminal.display.codes import without_codes
from rubicon.cli.terminal.help import COMMANDS, ORDERS, whole_word
from rubicon.cli.terminal.keyboard import AskAgain, Keyboard, Pipe
from rubicon.cli.terminal.order_lines import OrderRunner, gathered, has_condition
from rubicon.cli.terminal.session import Session
from rubicon.engine.records.position import Phase
from rubicon.errors import RubiconError
from rubicon.orders.errors import OrderProblem, OrdersError
from rubicon.orders.order_text import OrderText
from rubicon.orders.requests import Ask, AskRequest
from rubicon.rules.actions import DefendWith, Occupy
from rubicon.rules.outcomes import Outcome
from rubicon.suggestions import nearest

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

    def carry_out(self, orders: OrderText, last: bool) -> bool:
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
        if word == "preview" or AskRequest(Ask.PREVIEW) in orders.requests:
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
        """Draw the board, or tell of one place of it; codes of the map are names, too."""
        self.commands.map(without_codes(name, self.session.game.ruleset.board))

    def again(self, _: str) -> None:
        """Repeat the last attack."""
        last = self.runner.last_attack
        if last is None or self.session.game.phase != Phase.ATTACK:
            raise RubiconError("play/no-attack", "There is no attack to repeat.")
        self.runner.run_part(OrderText((last,)), self.colour, last=True)

    def explain(self, error: RubiconError) -> None:
        """Print why something is not done."""
        self.session.output.error(error)

    def explain_unreadable(self, error: OrdersError, line: str) -> None:
        """Print every problem of a line or text, and the text as far as it was understood.

        At a terminal the line, or its correction, stands at the next prompt.
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
            return error.suggestion if len(names) < len(words) else ""  # a number beside a name
        forms = order_forms(self.session.game, self.colour)
        return f"{territory.name} is a territory. Write: {forms[0]}" if forms else ""

    def words(self) -> Iterator[str]:
        """The words that Tab completes."""
        yield from COMMANDS
        yield from ORDERS
        yield from self.session.game.territories
