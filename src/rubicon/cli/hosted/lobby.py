"""The tables of a server: lists, seats, invitations, and waiting until a game starts."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from rubicon.cli.hosted.session import refused
from rubicon.cli.terminal.commands import Quit
from rubicon.cli.terminal.console import Keyboard, Output
from rubicon.client import ApiError, Client, DiceAlarm, answers
from rubicon.dice.errors import DiceError
from rubicon.errors import RubiconError
from rubicon.players.characters import USUAL_LEVEL
from rubicon.wording import numbered, quoted

# A person at a server: how it is reached, where lines are typed, and the part in the dice.

Connect = Callable[[str, str | None], Client]
ATTEMPTS = 2  # of a request: then the person is told that the server is away
TIMEOUT = 10.0  # seconds without an answer


@dataclass(frozen=True, slots=True)
class Visit:
    """A person at a server: how to reach it, where to type, where to print."""

    url: str
    connect: Connect
    keyboard: Keyboard
    output: Output

    def client(self, token: str | None) -> Client:
        """A client that soon says that the server is away."""
        client = self.connect(self.url, token)
        client.attempts, client.timeout = ATTEMPTS, TIMEOUT
        return client


def take_part(visit: Visit, client: Client, game: str) -> None:
    """Take part in the dice, so that no one can know or choose a roll; say so where that fails."""
    try:
        client.take_part(game)
    except (DiceError, DiceAlarm, RubiconError) as error:
        visit.output.prose(f"Your program takes no part in the dice here: {error}")
    except ApiError as error:
        if error.status == 0:
            raise
        visit.output.prose(f"Your program takes no part in the dice here: {error}")


# The lists: own games and open ones, and the choice among them.

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
    except ValueError:  # a mark that is alone
        return line.split()


def read_invite(text: str) -> tuple[str, str]:
    """The game and the secret of an invite link; the secret is "" in a link for everyone.

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


def table_of(client: Client, game: str) -> answers.TableAnswer:
    """A table as the server shows it."""
    return answers.of_type(client.table(game), answers.TableAnswer)


def take_seat(client: Client, game: str, invite: str = "") -> None:
    """Join a table, unless the account sits there already."""
    if table_of(client, game)["your_seat"] is not None:
        return
    client.join(game, **({"invite": invite} if invite else {}))


class TablesPrompt:
    """Lists games and opens tables until one is chosen."""

    def __init__(self, client: Client, keyboard: Keyboard, output: Output) -> None:
        self.client, self.keyboard, self.output = client, keyboard, output
        self.listed: Sequence[answers.ListedAnswer] = []

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
        return checked_id(answers.answer_field(self.client.open_table(**wanted), "game", str))

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

    def tables(self, which: str) -> list[answers.TableAnswer]:
        """The tables of a list; those without an id that can be used are left out."""
        found = answers.of_type(self.client.tables(which), list[answers.TableAnswer])
        return [table for table in found if GAME_ID.fullmatch(table["id"])]


def table_line(table: answers.TableAnswer) -> str:
    """A table in one line: its title, its state, who sits there."""
    free = sum(bool(seat["free"]) for seat in table["seats"])
    people = ", ".join(seat["name"] for seat in table["seats"] if seat["name"])
    state = f"{numbered(free, 'free seat')}" if table["state"] == "lobby" else table["state"]
    board = table["board"].partition(" ")[0]
    return f"{table['title']} on {board}, {state}: {people}  ({table['id']})"


# A table until its game starts: seats are filled, people wait and chat, the host starts.

INTERVAL = 1.0  # seconds between two looks at a table that has not started
START = "Enter starts the game; or bots, wait, help, quit: "
START_HELP = (
    "Enter starts the game when all seats are taken. `bot` puts a bot on the next free seat, "
    "`bot hard` a stronger one; `bots` puts one on every free seat and starts the game. "
    "`say TEXT` is a chat line, `wait` shows when someone joins, `leave` gives your seat "
    "back, `quit` leaves; the table stays open."
)
BEGUN = ("running", "over", "finished", "ended")


class WaitingRoom:
    """The prompt of a table that has not started."""

    def __init__(self, client: Client, game: str, keyboard: Keyboard, output: Output) -> None:
        self.client, self.game, self.keyboard, self.output = client, game, keyboard, output
        self.told = ""

    def until_started(self) -> Iterator[None]:
        """Wait until the game has started; the host starts it. Yields after each look."""
        while (table := table_of(self.client, self.game))["state"] == "lobby":
            self.tell(table)
            self.pause(table)
            yield
        if table["state"] not in BEGUN:
            message = f"The table is {table['state']}."
            raise RubiconError("play/closed-table", message, "Choose another game.")

    def tell(self, table: answers.TableAnswer) -> None:
        """Say who sits there, if that is new; the host sees how the others come."""
        line = table_line(table)
        if line != self.told:
            self.told = line
            self.output.line(line)
            if table["you_host"]:
                self.tell_invite()

    def pause(self, table: answers.TableAnswer) -> None:
        """Ask the host; the others wait."""
        if table["you_host"]:
            self.ask()
        else:
            time.sleep(INTERVAL)

    def ask(self) -> None:
        """Carry out a line; a refusal is shown."""
        line = self.keyboard.read(START).strip()
        try:
            self.carry_out(line)
        except ApiError as error:
            self.output.error(refused(error))

    def carry_out(self, line: str) -> None:
        """Start, fill seats, chat or leave; Quit where the person leaves."""
        word, _, more = line.partition(" ")
        match word.lower(), more.split():
            case (("quit" | "q"), []):
                raise Quit
            case "leave", []:
                self.client.leave_dice(self.game)
                self.client.leave(self.game)
                raise Quit
            case "", []:
                self.client.start(self.game)
            case "bots", []:
                self.seat_bots(self.free_seats())
                self.client.start(self.game)
            case "bot", []:
                self.seat_bots(self.free_seats()[:1])
            case "bot", [level]:
                self.seat_bots(self.free_seats()[:1], level)
            case "say", [_, *_]:
                self.client.say(self.game, more.strip())
            case "wait", []:
                self.wait()
            case _:
                self.output.prose(START_HELP)

    def free_seats(self) -> list[str]:
        """The colours of the free seats."""
        seats = answers.answer_field(self.client.table(self.game), "seats", list[dict[str, object]])
        return [str(seat.get("colour")) for seat in seats if seat.get("free")]

    def seat_bots(self, colours: list[str], level: str = USUAL_LEVEL) -> None:
        """Put bots on seats."""
        for colour in colours:
            self.client.seat_bot(self.game, colour, level)

    def wait(self) -> None:
        """Wait until someone comes or goes; Control-C stops the waiting."""
        before = table_line(table_of(self.client, self.game))
        self.output.prose("Waiting for players; Control-C stops that.")
        with suppress(KeyboardInterrupt):
            while table_line(table_of(self.client, self.game)) == before:
                time.sleep(INTERVAL)

    def tell_invite(self) -> None:
        """Show the host how the others come to the table."""
        for line in invite_lines(self.client, self.game):
            self.output.line(line)


def invite_lines(client: Client, game: str) -> list[str]:
    """How others come to a table, as the server shows its host; [] where it shows nothing."""
    try:
        links = answers.of_type(client.invite_links(game), answers.InviteAnswer)
    except ApiError:
        return []
    found = [f"Invite others: {links['url']}"] if links["url"] else []
    if links["email"]:
        found.append(f"By e-mail alone they write to: {links['email']}")
    return [*found, *(f"Invite {colour}: {url}" for colour, url in (links["seats"] or {}).items())]


# The tables on a server as a person chooses among them: own games, and tables with free seats.

MOST = 50  # tables of each kind
A_MOVE = " a move"
UNITS = ((86400, "day"), (3600, "hour"), (60, "min"), (1, "s"))


@dataclass(frozen=True, slots=True)
class Listing:
    """Own tables, those that wait for the person first, and open tables of others.

    Of each only the newest are listed; `mine_count` and `free_count` say how many there are.
    """

    mine: list[answers.FoundAnswer] = field(default_factory=list)
    free: list[answers.FoundAnswer] = field(default_factory=list)
    mine_count: int = 0
    free_count: int = 0

    @property
    def tables(self) -> list[answers.FoundAnswer]:
        """All of them, in the order of their numbers."""
        return [*self.mine, *self.free]


def listing_of(client: Client) -> Listing:
    """The tables of now."""
    running, running_count = _found(client, "mine", "running")
    waiting, waiting_count = _found(client, "mine", "lobby")
    mine = [*running, *waiting]
    mine.sort(key=lambda table: not table["needs_you"])
    free, free_count = _found(client, "open", "lobby")
    return Listing(mine, free, running_count + waiting_count, free_count)


def heading(title: str, shown: int, count: int) -> str:
    """The heading of a list: it says so where there are more tables than are shown."""
    return f"{title} (the {shown} newest of {count})" if count > shown else title


def _found(client: Client, which: str, state: str) -> tuple[list[answers.FoundAnswer], int]:
    """The newest tables of a kind, and how many there are; own tables are no open ones."""
    page = client.search_tables(which, state=state, limit=MOST, others=which == "open")
    found = answers.answer_field(page, "tables", list[answers.FoundAnswer])
    shown = [table for table in found[:MOST] if GAME_ID.fullmatch(table["id"])]
    return shown, answers.answer_field(page, "count", int)


def free_seats(table: answers.FoundAnswer) -> int:
    """How many seats are free."""
    return sum(seat["free"] for seat in table["seats"])


def people_of(table: answers.FoundAnswer) -> str:
    """Who sits at a table, the host first; bots are counted."""
    seats = sorted(table["seats"], key=lambda seat: not seat["host"])
    people = [seat["name"] for seat in seats if seat["name"] and seat["bot"] is None]
    bots = sum(seat["bot"] is not None for seat in seats)
    return ", ".join([*people, *([numbered(bots, "bot")] if bots else [])])


def progress_of(table: answers.FoundAnswer) -> str:
    """The round of a game, `set-up` before the first; "" for a table that has not started."""
    if table["state"] == "lobby" or table["game"] is None:
        return ""
    return f"round {table['game']['round']}" if table["game"]["round"] else "set-up"


def waits_for(table: answers.FoundAnswer) -> str:
    """For whom a table waits, in a few words."""
    game = table["game"]
    if table["state"] == "lobby":
        free = free_seats(table)
        return f"{numbered(free, 'seat')} free" if free else "may start"
    if game is None:
        return ""
    if game["paused"]:
        return "paused"
    if table["needs_you"]:
        phase = game["phase"].replace("_", " ")
        return f"you are asked: {phase}" if phase == "defend" else f"your turn, {phase}"
    names = {seat["colour"]: seat["name"] for seat in table["seats"]}
    moving = [names.get(move["colour"], move["colour"]) for move in game["moving"]]
    return f"{moving[0]} is to move" if len(moving) == 1 else "others are to move"


def seconds_left(table: answers.FoundAnswer, now: float) -> int | None:
    """The seconds until the clock of a seat that must decide runs out, the own seat's first."""
    if table["game"] is None:
        return None
    moves = sorted(table["game"]["moving"], key=lambda move: move["colour"] != table["your_seat"])
    until = next((move["until"] for move in moves if move["until"] is not None), None)
    return None if until is None else max(0, int(until / 1000 - now))


def pace_of(clock: answers.ClockAnswer) -> str:
    """The time for a decision, `2 days a move`, or that there is no clock."""
    seconds = clock["decision_time"]
    if clock["kind"] == "none" or seconds <= 0:
        return "no clock"
    size, name = next(unit for unit in UNITS if seconds % unit[0] == 0)
    number = seconds // size
    plural = "s" if number > 1 and name in ("day", "hour") else ""
    return f"{number} {name}{plural}{A_MOVE}"
