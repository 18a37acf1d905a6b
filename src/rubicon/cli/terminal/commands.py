"""The words of the prompt that are not orders of a turn, and the help for all of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from rubicon.cli.terminal.choices import choice_lines
from rubicon.cli.terminal.console import Keyboard, Pipe
from rubicon.cli.terminal.narration import apart
from rubicon.cli.terminal.saves import named_file
from rubicon.cli.terminal.session import Session
from rubicon.cli.terminal.status import (
    border_sentences,
    continent_sentences,
    hand_lines,
    names_of,
)
from rubicon.engine.records import NONE, Position
from rubicon.errors import RubiconError
from rubicon.orders.syntax import Request, ResignRequest
from rubicon.rules.actions import Resign
from rubicon.rules.board.board import Board
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller

# What `help` says: every word of the prompt in one or two sentences.

ORDERS = {
    "claim": "claim TERRITORY: put your first army on an empty territory.",
    "capital": "capital TERRITORY: found your capital, or choose your headquarters.",
    "deploy": (
        "deploy 3 TERRITORY, 2 TERRITORY: put armies on territories. `alaska 3` is enough; "
        "`deploy alaska` puts all that are left there."
    ),
    "seal": "seal: finish your hidden placement.",
    "trade": (
        "trade best: trade the set of cards that brings most. Or name the cards: "
        "trade alaska, brazil, wild1 on brazil. `on` says which pictured territory of yours "
        "gets the two extra armies."
    ),
    "attack": (
        "attack FROM > TO: roll once, with as many dice as possible. `dice 2` rolls fewer; "
        "`until won`, `until left 3` and `until odds < 60%` go on rolling; "
        "`attack alaska > kamchatka > japan` goes on along a path."
    ),
    "advance": "advance 3: move 3 armies into the captured territory; `advance` alone moves all.",
    "end": "end: end the attacks, or the turn. In full: `end attack`, `end turn`.",
    "fortify": (
        "fortify FROM > TO 3: move armies at the end of your turn; without a number, all but one."
    ),
    "defend": (
        "defend 2: roll 2 dice against the attack that waits. At any other time it is a standing "
        "order for later attacks: `defend max`, `defend 1 alaska`, `defend ask`."
    ),
    "objective": "objective OB07: claim an objective. `airfield TERRITORY` places an airfield.",
    "decline": "decline: claim no objective, or trade no further set.",
    "reveal": "reveal: show your completed mission and win, where the rules ask for it.",
    "resign": "resign confirm: leave the game for good.",
}

COMMANDS = {
    "map": "map [NAME]: draw the board, or list a territory's neighbours, or a continent.",
    "borders": "borders: your territories with the enemies next to them.",
    "legal": "legal [TERRITORY]: list what is possible now, or what involves one territory.",
    "hand": "hand: show your cards, your mission and your rewards.",
    "again": "again, or !: repeat your last attack.",
    "orders": (
        "orders [TEXT | FILE]: a whole turn at once, with conditions. Without a text, the lines "
        "that follow are read up to END or an empty line."
    ),
    "preview": "preview [TEXT | FILE]: the odds of orders; nothing is done.",
    "explain": "explain [TEXT | FILE]: orders in plain words; nothing is done.",
    "undo": "undo: take your last decision back; not past dice, cards or the end of a turn.",
    "log": "log [N]: show the last lines of the game again.",
    "rules": "rules: read the rulebook of this game.",
    "say": "say TEXT: a chat line to all at a server's table; `say blue: TEXT` to one seat.",
    "save": "save [FILE]: save the game, or save it in another file from now on.",
    "help": "help [WORD]: this list, or one word of it.",
    "quit": "quit: save and leave; `rubicon play --resume` continues the game.",
}

SHORTEST_MENTION = 3  # letters of a word that is looked for inside the texts

ALIASES = {
    "m": "map",
    "l": "legal",
    "moves": "legal",
    "cards": "hand",
    "!": "again",
    "u": "undo",
    "h": "help",
    "?": "help",
    "q": "quit",
    "exit": "quit",
}

NOTE = (
    "Words and names may be cut short (`dep ala 3`), `;` separates orders on one line, and Enter "
    "alone gives the order that the line above the prompt proposes. All orders: docs/orders.md."
)


def whole_word(word: str) -> str:
    """The command that an alias stands for; any other word in lower case."""
    word = word.lower()
    return ALIASES.get(word, word)


def help_lines(word: str) -> list[str]:
    """The list of all words, those that begin with `word`, or those whose help mentions it."""
    everything = ORDERS | COMMANDS
    if not word:
        orders = [f"  {text}" for text in brief(ORDERS)]
        commands = [f"  {text}" for text in brief(COMMANDS)]
        return ["Orders:", *orders, "Commands:", *commands, NOTE]
    word = whole_word(word)
    found = [text for name, text in everything.items() if name.startswith(word)]
    if not found and len(word) >= SHORTEST_MENTION:
        found = [text for text in everything.values() if word in re.findall(r"\w+", text.lower())]
    return found or [f"There is no word {word!r}. `help` lists all words."]


def brief(texts: dict[str, str]) -> list[str]:
    """The first sentence of each help text."""
    return [text.split(". ")[0].split("; ")[0].rstrip(".") + "." for text in texts.values()]


# The words: looking, saving, leaving.

LOG_LINES = 20


class Quit(Exception):
    """A person leaves the game."""


def continent_of(board: Board, name: str) -> int | None:
    """The continent that a name means, where it means no territory; None for other names."""
    try:
        board.index(name)
    except RubiconError as error:
        if error.code != "board/unknown-territory":
            return None
        with suppress(RubiconError):
            return board.continent_index(name)
    return None


class Commands:
    """Carries out commands for the person at the keyboard; `colour` is that person's seat."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.keyboard: Keyboard = Pipe()
        self.colour = ""
        self.by_request: dict[str, Callable[[str], None]] = {
            "status": self.map,
            "map": self.map,
            "legal": self.legal,
            "hand": self.hand,
            "undo": self.undo,
            "history": self.log,
            "rules": self.rules,
            "help": self.help,
        }

    def say(self, text: str) -> None:
        """Print sentences."""
        self.session.output.prose(text)

    def grant(self, request: Request) -> None:
        """Carry out a request of the order language, as far as a terminal game has a use for it."""
        if isinstance(request, ResignRequest):
            self.resign(request)
            return
        word, _, rest = str(request).splitlines()[0].lower().partition(" ")
        command = self.by_request.get(word)
        if command is None:
            self.say(f"{word.upper()} has no use in a terminal game; nothing was done.")
        else:
            command(rest)

    def resign(self, request: ResignRequest) -> None:
        """Leave the game for good. Without CONFIRM the parser's warning says what to write."""
        if request.confirmed:
            self.session.seat(self.colour, self.keyboard)  # no one resigns for another person
            self.session.play(Resign(self.colour))
            self.session.show(self.colour)

    def map(self, name: str) -> None:
        """Draw the board, or list the neighbours of a territory."""
        if not name:
            self.show_map()
            return
        game = self.session.game
        view = game.view(self.colour)
        board = game.ruleset.board
        if (continent := continent_of(board, name)) is not None:
            for line in continent_sentences(game, view, continent):
                self.say(line)
            return
        t = board.index(name)
        self.say(f"{board.territories[t].name} ({self.holder(view, t)}) borders on:")
        for i in range(int(game.tables.degree[t])):
            other = int(game.tables.neighbour[t, i])
            self.say(f"  {board.territories[other].name} ({self.holder(view, other)})")

    def show_map(self) -> None:
        """The board: drawn, or described continent by continent."""
        session = self.session
        if not session.spoken:
            session.draw(self.colour)
            return
        for line in continent_sentences(session.game, session.game.view(self.colour)):
            self.say(line)

    def borders(self, _: str = "") -> None:
        """List the territories of the seat with the enemies next to them."""
        game = self.session.game
        for line in border_sentences(game, game.view(self.colour), self.seat):
            self.say(line)

    def holder(self, view: Position, t: int) -> str:
        """The owner of a territory and the armies there: `blue 3`, or `nobody's`."""
        if int(view.owner[t]) == NONE:
            return "nobody's"
        owner = self.session.game.owner_name(int(view.owner[t]))
        armies = int(view.armies[t])
        return f"{owner} {armies if armies >= 0 else '?'}"

    def legal(self, name: str) -> None:
        """List the legal actions, all or those that involve one territory."""
        game = self.session.game
        territory = None
        if name:
            territory = game.territories[game.ruleset.board.index(name)]
        for line in choice_lines(game, self.colour, self.session.output.symbols, territory):
            self.session.output.line(line)

    def hand(self, _: str = "") -> None:
        """Show the seat's cards and mission; between people they are wiped away again."""
        session = self.session
        session.seat(self.colour, self.keyboard)
        for line in hand_lines(session.game, session.game.view(self.colour), self.seat):
            self.say(line)
        if session.hot_seat:
            self.keyboard.read("Press Enter to hide this ")
            session.clear(self.keyboard)
            session.drawn = ()  # the board was wiped away with it

    @property
    def seat(self) -> int:
        """The number of the person's seat."""
        return self.session.game.seat(self.colour)

    def undo(self, _: str = "") -> None:
        """Take the last decision back."""
        game = self.session.game
        action = game.undo(self.colour)
        self.session.drawn = ()
        teller = Storyteller(Names(places=names_of(game)))
        self.say(f"Taken back: {apart(teller.advice(str(action)))}")

    def log(self, count: str) -> None:
        """Show the last lines of the game again; `count` is a number, or "" for 20 lines."""
        self.session.seat(self.colour, self.keyboard)
        for line in self.session.log_of(self.colour)[-int(count or LOG_LINES) :]:
            self.session.output.line(line)

    def rules(self, _: str = "") -> None:
        """Show the rulebook, page by page at a terminal."""
        from rubicon.rulebook.rulebook import rulebook

        text = rulebook(self.session.game.ruleset)
        self.session.output.document(text, interactive=self.keyboard.interactive)

    def say_to_others(self, text: str) -> None:
        """Send a chat line: to the seat whose colour and a colon begin it, else to all."""
        to, colon, rest = text.partition(":")
        named = to.strip().lower()
        if colon and named in self.session.game.colours:
            self.session.say_to(rest.strip(), named)
        else:
            self.session.say_to(text, "")

    def save(self, name: str) -> None:
        """Write the game, to another file if one is named."""
        if name:
            self.session.save_as(named_file(name))
        elif self.session.file is None:
            self.say("This game has no file yet. Name one: save FILE")
            return
        else:
            self.session.save()
        self.session.output.line(f"Saved: {self.session.where()}")

    def help(self, word: str) -> None:
        """Explain the words of the prompt."""
        for line in help_lines(word):
            self.session.output.prose(line, "      ")

    def quit(self, _: str = "") -> None:
        """Leave; raises Quit."""
        raise Quit
