"""What people type, and what is done about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rubicon.cli.terminal.choices import choice_lines, obvious
from rubicon.cli.terminal.keeping import named_file
from rubicon.cli.terminal.ordering import (
    WORDS,
    Ordering,
    command_of,
    error_lines,
    gathered,
    is_order,
)
from rubicon.cli.terminal.prompting import Keyboard, Pipe
from rubicon.cli.terminal.session import Session
from rubicon.cli.terminal.shorthand import understand
from rubicon.cli.terminal.status import hand_lines
from rubicon.cli.terminal.verbs import ACTIONS, COMMANDS, help_lines, whole_command
from rubicon.orders.problems import OrdersError
from rubicon.orders.request import Ask, AskRequest, Request, ResignRequest
from rubicon.rules.actions import Action, Claim, Resign
from rubicon.rules.errors import RubiconError
from rubicon.rules.position import Phase
from rubicon.rules.suggestions import nearest

LOG_LINES = 20


def lines_wanted(count: str) -> int:
    """How many lines of the log are asked for."""
    if not count:
        return LOG_LINES
    if count.isascii() and count.isdecimal() and count.strip("0"):
        return int(count.lstrip("0")[:6])
    raise RubiconError(
        "play/bad-number",
        f"{count[:40]!r} is no number of lines.",
        f"`log` shows the last {LOG_LINES}, `log 5` the last five.",
    )


class Leave(Exception):
    """Somebody leaves the game."""


class Conversation:
    """Asks the people at the keyboard until the game is over or somebody leaves."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.keyboard: Keyboard = Pipe()
        self.colour = ""
        self.first_word = ""
        self.meant: Action | None = None
        self.ordering = Ordering(session, self.say)
        self.commands: dict[str, Callable[[str], None]] = {
            "map": self.map,
            "legal": self.legal,
            "hand": self.hand,
            "again": self.again,
            "undo": self.undo,
            "log": self.log,
            "rules": self.rules,
            "save": self.save,
            "help": self.help,
            "quit": self.quit,
        }

    def run(self, keyboard: Keyboard) -> None:
        """Play until the game is over."""
        self.keyboard = keyboard
        while (colour := self.session.go_on()) is not None:
            self.colour = colour
            if colour in self.ordering.under_way:
                self.ordering.go_on(colour)
                continue
            self.session.ready(colour, self.keyboard)
            self.session.suggest(colour)
            self.obey(self.keyboard.read(self.session.prompt(colour)))
        self.session.show(self.session.watcher)

    def obey(self, line: str) -> None:
        """Do what a line says, one part after the other, as far as it can be done."""
        word, _, rest = line.partition(" ")
        if word.lower() in WORDS or is_order(line):
            self.take_orders(*((word.lower(), rest) if word.lower() in WORDS else ("orders", line)))
            return
        parts = [part.strip() for part in line.split(";") if part.strip()] or [""]
        for number, part in enumerate(parts):
            try:
                self.do(part)
            except RubiconError as error:
                self.explain(error, parts[number + 1 :])
                return
            if parts[number + 1 :] and self.session.go_on() != self.colour:
                self.explain_rest(parts[number + 1 :])
                return

    def take_orders(self, word: str, rest: str) -> None:
        """Look ahead at orders, explain them, or carry them out."""
        try:
            text = gathered(rest.strip(), self.keyboard, self.say)
            if word == "preview":
                self.ordering.preview(text, self.colour)
            elif word == "explain":
                self.ordering.explain(text, self.colour)
            else:
                sheet = self.ordering.read(text, self.colour)
                for request in sheet.requests:
                    self.grant(request)
                self.ordering.begin(sheet, self.colour)
                self.ordering.go_on(self.colour)
        except OrdersError as error:
            for line in error_lines(error):
                self.say(line)
        except RubiconError as error:
            self.explain(error, [])

    def grant(self, request: Request) -> None:
        """Do what orders ask for beside the game, as far as a terminal can."""
        if request == AskRequest(Ask.PREVIEW):
            return  # the orders themselves are looked ahead at
        if request == ResignRequest(confirmed=True):
            self.session.play(Resign(self.colour))
        elif command := command_of(request):
            self.do(command)
        else:
            self.say(f"{str(request).splitlines()[0]}: not needed at a terminal.")

    def do(self, part: str) -> None:
        """Do one thing: nothing, a command, or an action of the game."""
        if not part:
            self.nothing()
            return
        word, _, rest = part.partition(" ")
        self.first_word = word
        command = self.commands.get(whole_command(word))
        if command is not None:
            command(rest.strip())
            return
        self.meant = understand(part, self.session.game, self.colour)
        self.session.play(self.meant)
        self.session.show(self.colour)

    def nothing(self) -> None:
        """Enter alone: the one thing there is to do, or a look at the board."""
        action = obvious(self.session.game, self.colour)
        if action is None:
            self.session.draw(self.colour)
            return
        self.say(str(action))
        self.session.play(action)
        self.session.show(self.colour)

    def say(self, text: str) -> None:
        """Print a sentence."""
        self.session.paint.prose(text)

    def explain(self, error: RubiconError, rest: list[str]) -> None:
        """Say why something is not done, and what was left undone because of it."""
        self.say(f"[{error.code}] {error.message}")
        if suggestion := self.suggestion(error):
            self.say(f"  {suggestion}")
        self.explain_rest(rest)

    def suggestion(self, error: RubiconError) -> str:
        """What would do instead."""
        if error.code == "text/unknown-verb":
            return nearest(self.first_word, (*COMMANDS, *ACTIONS)) or "`help` lists all words."
        if error.code == "claim/capital-first" and isinstance(self.meant, Claim):
            return f"Write: capital {self.meant.territory}"
        return error.suggestion

    def explain_rest(self, rest: list[str]) -> None:
        """Say which parts of a line were not looked at."""
        if rest:
            self.say(f"Not done: {'; '.join(rest)}")

    def map(self, name: str) -> None:
        """Draw the board, or list the neighbours of a territory."""
        if not name:
            self.session.draw(self.colour)
            return
        game = self.session.game
        view = game.view(self.colour)
        board = game.ruleset.board
        t = board.index(name)
        self.say(f"{board.territories[t].name} ({self.held(view, t)}) borders on:")
        for i in range(int(game.tables.degree[t])):
            other = int(game.tables.neighbour[t, i])
            self.say(f"  {board.territories[other].name} ({self.held(view, other)})")

    def held(self, view: Any, t: int) -> str:
        """Who holds a territory, with how many armies."""
        owner = self.session.game.owner_name(int(view.owner[t]))
        armies = int(view.armies[t])
        return f"{owner} {armies if armies >= 0 else '?'}"

    def legal(self, name: str) -> None:
        """List what may be done."""
        game = self.session.game
        territory = None
        if name:
            territory = game.territories[game.ruleset.board.index(name)]
        for line in choice_lines(game, self.colour, self.session.paint.marks, territory):
            self.session.paint.line(line)

    def hand(self, _: str) -> None:
        """Show what only this seat may see; between people it is wiped away again."""
        game = self.session.game
        self.session.seat(self.colour, self.keyboard)
        for line in hand_lines(game, game.view(self.colour), game.seat(self.colour)):
            self.say(line)
        if self.session.hot_seat:
            self.keyboard.read("Press Enter to hide this ")
            self.session.clear(self.keyboard)
            self.session.drawn = ()  # the board was wiped away with it

    def again(self, _: str) -> None:
        """Roll the last attack again, with as many dice as there may be."""
        last = self.session.last_roll
        if last is None or self.session.game.phase != Phase.ATTACK:
            raise RubiconError("play/no-attack", "There is no attack to repeat.", "")
        source_and_target = str(last).partition(" dice")[0].removesuffix(" again")
        self.do(source_and_target)

    def undo(self, _: str) -> None:
        """Take the last decision back."""
        action = self.session.game.undo(self.colour)
        self.session.drawn = ()
        self.say(f"Taken back: {action}")

    def log(self, count: str) -> None:
        """The last lines of what has happened."""
        wanted = lines_wanted(count)
        self.session.seat(self.colour, self.keyboard)
        for line in self.session.log_of(self.colour)[-wanted:]:
            self.session.paint.line(line)

    def rules(self, _: str) -> None:
        """Show the rulebook, page by page at a terminal."""
        from rubicon.rules.rulebook import rulebook

        text = rulebook(self.session.game.ruleset)
        if self.keyboard.interactive:
            import click

            click.echo_via_pager(text)
        else:
            print(text)

    def save(self, name: str) -> None:
        """Write the game, to another file if one is named."""
        if name:
            self.session.save_as(named_file(name))
        else:
            self.session.save()
        self.session.paint.line(f"Saved: {self.session.where()}")

    def help(self, word: str) -> None:
        """Explain the words."""
        for line in help_lines(word):
            self.session.paint.prose(line, "      ")

    def quit(self, _: str) -> None:
        """Leave."""
        raise Leave

    def words(self) -> Iterator[str]:
        """What may be completed at the keyboard."""
        yield from COMMANDS
        yield from ACTIONS
        yield from self.session.game.territories
