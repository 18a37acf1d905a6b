"""The game of an e-mail as its recipient sees it: names, armies, the deadline, the links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rubicon.engine.records.position import NEUTRAL, TERRITORIES, Position, Seat
from rubicon.mail.writing.layout.document import Tile
from rubicon.mail.writing.maps.labels import short_names
from rubicon.mail.writing.seats import LETTERS, NEUTRAL_COLOUR, Seats, harmless
from rubicon.mail.writing.times import LocalTime, time_left
from rubicon.rules.board.board import Board
from rubicon.rules.game.game import Game
from rubicon.rules.game.income import Income, income
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.masters import GAME_MASTER
from rubicon.table.settings import Settings

MOST_TITLE = 24  # characters of a table's name in a subject
MOST_SHOWN_TITLE = 60  # and elsewhere


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A game at one moment, for one seat; nothing here shows more than the seat's view."""

    snapshot: Snapshot
    title: str
    settings: Settings
    seats: Seats
    at: int  # milliseconds since 1970
    zone_name: str = "UTC"
    site: str = ""  # the server's URL

    @property
    def you(self) -> str:
        return self.seats.you

    @property
    def name(self) -> str:
        """The recipient's own name."""
        if self.is_master:
            return "game master"
        return self.seats.names.get(self.you, self.you)

    @property
    def is_master(self) -> bool:
        """Whether the recipient is a game master without a seat, who sees what everybody sees."""
        return self.you == GAME_MASTER

    @cached_property
    def game(self) -> Game:
        """The game from what the seat may see: its position has -1 for what is hidden."""
        whole = self.snapshot.game()
        view = whole.view(self.you) if self.you in whole.colours else whole.view(None)
        return Game.from_position(self.snapshot.ruleset, view)

    @property
    def view(self) -> Position:
        return self.game.position

    @property
    def board(self) -> Board:
        return self.snapshot.ruleset.board

    @cached_property
    def short(self) -> tuple[str, ...]:
        return short_names(self.board)

    @property
    def table_name(self) -> str:
        """The table's title, printable."""
        return harmless(self.title)[:MOST_SHOWN_TITLE].strip() or "your game"

    @property
    def table_in_subject(self) -> str:
        title = self.table_name
        return title if len(title) <= MOST_TITLE else title[: MOST_TITLE - 3].rstrip() + "..."

    @property
    def url(self) -> str:
        return f"{self.site}/games/{self.snapshot.id}"

    @property
    def round(self) -> int:
        return int(self.view.round_number)

    @property
    def deadline(self) -> LocalTime | None:
        due = self.snapshot.due.get(self.you)
        return None if due is None else LocalTime(due, self.zone_name)

    @property
    def left(self) -> str:
        """The time until the deadline in words."""
        due = self.snapshot.due.get(self.you, self.at)
        return time_left(due - self.at)

    def territory(self, key: str) -> str:
        """The name of a territory or a card by its id."""
        names = {t.id: t.name for t in self.board.territories}
        wild = {"wild1": "Wild 1", "wild2": "Wild 2"}
        return names.get(key) or wild.get(key, key)

    def short_of(self, key: str) -> str:
        """The short name of a territory by its id."""
        return self.short[self.game.territories.index(key)]

    def owner(self, t: int) -> str:
        """The colour that owns a territory; `neutral`, or `nobody`."""
        return self.game.owner_name(int(self.view.owner[t]))

    def armies(self, t: int) -> str:
        """The armies on a territory; `?` where the seat may not see them."""
        armies = int(self.view.armies[t])
        return "?" if armies < 0 else str(armies)

    def tile(self, t: int) -> Tile:
        """The owner's content and the armies of a territory."""
        owner = self.owner(t)
        if owner == "nobody":
            return Tile(NEUTRAL_COLOUR, "free", "free")
        text = f"{LETTERS[owner]} {self.armies(t)}"
        return Tile(owner, text, text.replace(" ", ""))

    def own(self) -> list[int]:
        """The territories of the recipient."""
        return [] if self.is_master else self.held_by(self.you)

    def held_by(self, colour: str) -> list[int]:
        count = range(len(self.board.territories))
        owner = NEUTRAL if colour == NEUTRAL_COLOUR else self.game.seat(colour)
        return [t for t in count if self.view.owner[t] == owner]

    def armies_of(self, colour: str) -> str:
        owner = NEUTRAL if colour == NEUTRAL_COLOUR else self.game.seat(colour)
        on = self.view.armies[self.view.owner[:TERRITORIES] == owner]
        return "?" if bool((on < 0).any()) else str(int(on.sum()))

    def neighbours(self, t: int) -> Iterator[int]:
        """The territories that `t` can attack under the game's rules."""
        tables = self.snapshot.ruleset.tables
        yield from (n for n in range(len(self.board.territories)) if bool(tables.adjacent[t, n]))

    def is_out(self, colour: str) -> bool:
        return bool(self.view.status[self.game.seat(colour)] != Seat.PLAYING)

    def income_of(self, colour: str) -> Income:
        """The armies that a seat would get if its turn began now."""
        return income(self.snapshot.ruleset, self.view, self.game.seat(colour))

    def hand(self, colour: str) -> list[str]:
        """The cards of a seat as far as they are known."""
        seat = self.game.seat(colour)
        return [name for n, name in enumerate(self.game.cards) if self.view.card[n] == seat]

    def hand_size(self, colour: str) -> int:
        return int(self.view.hand[self.game.seat(colour)])
