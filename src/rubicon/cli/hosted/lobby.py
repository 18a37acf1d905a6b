"""The games on a server: own ones, open ones, a table until its game starts."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

from rubicon.cli.hosted.session import refused
from rubicon.cli.terminal.commands import Quit
from rubicon.cli.terminal.display.output import Output
from rubicon.cli.terminal.keyboard import Keyboard
from rubicon.client import ApiError, Client
from rubicon.client.answer_types import ListedAnswer, TableAnswer
from rubicon.client.answers import answer_field, of_type
from rubicon.errors import RubiconError
from rubicon.players.registry import USUAL_LEVEL
from rubicon.wording import numbered, quoted

GAME_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
HELP = (
    "A number opens that game. `new` opens a table: `new revised 4` names the rules and the "
    "seats, `new classic 3 bots board=skerries` seats bots on all others. `join LINK` takes a "
    "seat by an invite link, `watch ID` looks on, Enter lists the games again, `quit` leaves."
)
USUAL_SEATS = 3


def words_of(line: str) -> list[str]:
    """The words of a line; quotation marks hold a value with spaces together."""
    try:
        return shlex.split(line)
    except ValueError:  # a mark that stands alone
        return line.split()


def read_invite(text: str) -> tuple[str, str]:
    """The game and the secret of an invite link; the secret is "" in a link for everybody.

    RubiconError `play/no-invite` where it is none.
    """
    try:
        link = urlsplit(text.strip())
    except ValueError:  # an address with half a bracket
        link = urlsplit("")
    game = link.path.rstrip("/").rpartition("/")[2]
    if not GAME_ID.fullmatch(game):
        message = f"{quoted(text)} is no invite link."
        raise RubiconError(
            "play/no-invite", message, "It looks like https://HOST/games/ID?invite=…"
        )
    return game, parse_qs(link.query).get("invite", [""])[0]


def checked_id(game: str) -> str:
    """The same id of a game; RubiconError `play/no-such-game` where it can be none."""
    if GAME_ID.fullmatch(game):
        return game
    raise RubiconError(
        "play/no-such-game", f"{quoted(game)} is no id of a game.", "Choose one in the lobby."
    )


def table_of(client: Client, game: str) -> TableAnswer:
    """A table as the server shows it."""
    return of_type(client.table(game), TableAnswer)


def take_seat(client: Client, game: str, invite: str = "") -> None:
    """Join a table, unless the account sits there already."""
    if table_of(client, game)["your_seat"] is not None:
        return
    client.join(game, **({"invite": invite} if invite else {}))


class LobbyPrompt:
    """Lists games and opens tables until one is chosen."""

    def __init__(self, client: Client, keyboard: Keyboard, output: Output) -> None:
        self.client, self.keyboard, self.output = client, keyboard, output
        self.listed: Sequence[ListedAnswer] = []

    def choose(self) -> tuple[str, bool]:
        """The game that the person chooses, and whether only to watch it; Quit if they leave."""
        self.show()
        while True:
            words = words_of(self.keyboard.read("game> "))
            try:
                if chosen := self.chosen(words):
                    return chosen
            except ApiError as error:
                self.output.error(refused(error))
            except RubiconError as error:
                self.output.error(error)

    def chosen(self, words: list[str]) -> tuple[str, bool] | None:
        """What a line chooses; None where it chooses nothing yet."""
        match [words[0].lower(), *words[1:]] if words else []:
            case []:
                self.show()
            case ["quit" | "q" | "exit"]:
                raise Quit
            case ["help" | "?"]:
                self.output.prose(HELP)
            case [number] if number.isdecimal():
                return self.by_number(int(number))
            case ["new", *wishes]:
                return self.open_table(wishes), False
            case ["join", link]:
                game, invite = read_invite(link)
                take_seat(self.client, game, invite)
                return game, False
            case ["watch", link]:
                game, invite = read_invite(link)
                if invite:
                    self.client.watch(game, invite)
                return game, True
            case _:
                self.output.prose(HELP)
        return None

    def by_number(self, number: int) -> tuple[str, bool]:
        """The game of a number in the list."""
        if not 1 <= number <= len(self.listed):
            message = f"The list has no number {number}."
            raise RubiconError("play/no-such-game", message, "Enter lists the games again.")
        table = self.listed[number - 1]
        if table["your_seat"] is None and table["state"] == "lobby":
            take_seat(self.client, table["id"])
        return table["id"], table["your_seat"] is None and table["state"] != "lobby"

    def open_table(self, wishes: list[str]) -> str:
        """Open a table with the named rules and number of seats; returns its id."""
        seats = next((int(word) for word in wishes if word.isdecimal()), USUAL_SEATS)
        options = dict(word.split("=", 1) for word in wishes if "=" in word)
        board = {"board": options.pop("board")} if "board" in options else {}
        plain = [word for word in wishes if "=" not in word and not word.isdecimal()]
        names = [word for word in plain if word != "bots"]
        bots = dict.fromkeys(range(1, seats), USUAL_LEVEL) if "bots" in wishes else {}
        ruleset = names[0] if names else "classic"
        wanted = {"ruleset": ruleset, "seats": seats, "bots": bots, "options": options} | board
        return checked_id(answer_field(self.client.open_table(**wanted), "game", str))

    def show(self) -> None:
        """List own games and open tables, numbered."""
        mine = [t for t in self.tables("mine") if t["state"] in ("lobby", "running")]
        known = {table["id"] for table in mine}
        free = [table for table in self.tables("open") if table["id"] not in known]
        listed = self.listed = [*mine, *free]
        for title, tables in (("Your games", mine), ("Open tables", free)):
            self.output.line(f"{title}: {'none' if not tables else ''}".rstrip())
            for table in tables:
                number = listed.index(table) + 1
                self.output.line(f"  {number}  {table_line(table)}")
        self.output.prose(HELP)

    def tables(self, which: str) -> list[TableAnswer]:
        """The tables of a list; those without an id that can be used are left out."""
        found = of_type(self.client.tables(which), list[TableAnswer])
        return [table for table in found if GAME_ID.fullmatch(table["id"])]


def table_line(table: TableAnswer) -> str:
    """A table in one line: its title, its state, who sits there."""
    free = sum(bool(seat["free"]) for seat in table["seats"])
    people = ", ".join(seat["name"] for seat in table["seats"] if seat["name"])
    state = f"{numbered(free, 'free seat')}" if table["state"] == "lobby" else table["state"]
    board = table["board"].partition(" ")[0]
    return f"{table['title']} on {board}, {state}: {people}  ({table['id']})"
