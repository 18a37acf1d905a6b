"""A table until its game starts: seats are filled, people wait and chat, the host starts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

from rubicon.cli.hosted.lobby import table_line, table_of
from rubicon.cli.hosted.session import refused
from rubicon.cli.terminal.commands import Quit
from rubicon.cli.terminal.display.output import Output
from rubicon.cli.terminal.keyboard import Keyboard
from rubicon.client import ApiError, Client
from rubicon.client.answer_types import InviteAnswer, TableAnswer
from rubicon.client.answers import answer_field, of_type
from rubicon.errors import RubiconError
from rubicon.players.registry import USUAL_LEVEL

INTERVAL = 1.0  # seconds between two looks at a table that has not started
START = "Enter starts the game; or bots, wait, help, quit: "
START_HELP = (
    "Enter starts the game when all seats are taken. `bot` puts a bot on the next free seat, "
    "`bot hard` a stronger one; `bots` puts one on every free seat and starts the game. "
    "`say TEXT` is a chat line, `wait` tells you when somebody comes, `leave` gives your seat "
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

    def tell(self, table: TableAnswer) -> None:
        """Say who sits there, if that is new; the host sees how the others come."""
        line = table_line(table)
        if line != self.told:
            self.told = line
            self.output.line(line)
            if table["you_host"]:
                self.tell_invite()

    def pause(self, table: TableAnswer) -> None:
        """Ask the host; the others wait."""
        if table["you_host"]:
            self.ask()
        else:
            time.sleep(INTERVAL)

    def ask(self) -> None:
        """Carry out a line; what is refused is told."""
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
        seats = answer_field(self.client.table(self.game), "seats", list[dict[str, object]])
        return [str(seat.get("colour")) for seat in seats if seat.get("free")]

    def seat_bots(self, colours: list[str], level: str = USUAL_LEVEL) -> None:
        """Put bots on seats."""
        for colour in colours:
            self.client.seat_bot(self.game, colour, level)

    def wait(self) -> None:
        """Wait until somebody comes or goes; Control-C stops the waiting."""
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
    """How others come to a table, as the server tells its host; [] where it tells nothing."""
    try:
        links = of_type(client.invite_links(game), InviteAnswer)
    except ApiError:
        return []
    found = [f"Invite others: {links['url']}"] if links["url"] else []
    if links["email"]:
        found.append(f"By e-mail alone they write to: {links['email']}")
    return [*found, *(f"Invite {colour}: {url}" for colour, url in (links["seats"] or {}).items())]
