"""The game of an e-mail as its recipient sees it: names, armies, borders, the deadline,
the links.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property, lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import Connection, func, select

from rubicon.engine.records import NEUTRAL, TERRITORIES, Position, Seat
from rubicon.mail.writing.document import LETTERS, NEUTRAL_COLOUR, Tile, harmless, shown_name
from rubicon.mail.writing.maps import short_names
from rubicon.odds.outlook import outlook
from rubicon.odds.rule import DiceRule
from rubicon.rules.board.board import Board
from rubicon.rules.game import Game
from rubicon.rules.situation import Income, income
from rubicon.server.notifications import NotificationPreferences, PendingEmail
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.people import GAME_MASTER
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller
from rubicon.wording import numbered

# Moments in words: the player's own place and offset, and what remains.

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000  # milliseconds


@dataclass(frozen=True, slots=True)
class LocalTime:
    """A moment, in milliseconds since 1970, in a player's time zone (an IANA name)."""

    at: int
    zone_name: str = "UTC"

    @property
    def moment(self) -> datetime:
        return datetime.fromtimestamp(self.at / 1000, UTC).astimezone(_zone(self.zone_name))

    def __str__(self) -> str:
        """`Tuesday 24 November 2026, 20:00 in Lyon (UTC+1)`."""
        return f"{self.moment:%A %-d %B %Y, %H:%M} {self.place}"

    @property
    def short(self) -> str:
        """`Tue 24 Nov, 20:00`."""
        return f"{self.moment:%a %-d %b, %H:%M}"

    @property
    def shortest(self) -> str:
        """`Tue 20:00`, for a subject."""
        return f"{self.moment:%a %H:%M}"

    @property
    def place(self) -> str:
        """`in Lyon (UTC+1)`; `UTC` where the player has named no place."""
        if self.zone_name == "UTC":
            return "UTC"
        city = self.zone_name.rpartition("/")[2].replace("_", " ")
        return f"in {city} ({_offset(self.moment.utcoffset())})"


def time_left(left: int) -> str:
    """A span of milliseconds in the largest unit of which there are at least two."""
    if left < 2 * MINUTE:
        return "less than two minutes"
    if left < 2 * HOUR:
        return numbered(left // MINUTE, "minute")
    if left < 3 * DAY:
        return numbered(left // HOUR, "hour")
    return numbered(left // DAY, "day")


def _offset(offset: timedelta | None) -> str:
    minutes = int((offset or timedelta()).total_seconds()) // 60
    if not minutes:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    sign = "+" if minutes > 0 else "-"
    return f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "")


def _zone(name: str) -> tzinfo:
    """The time zone; UTC where this machine does not know it."""
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


# The scene.

MOST_TITLE = 24  # characters of a table's name in a subject
MOST_SHOWN_TITLE = 60  # and elsewhere


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A game at one moment, for one seat; nothing here shows more than the seat's view."""

    snapshot: Snapshot
    title: str
    settings: Settings
    seats: Names
    at: int  # milliseconds since 1970
    zone_name: str = "UTC"
    site: str = ""  # the server's URL

    @cached_property
    def teller(self) -> Storyteller:
        """Says what happened as the recipient names seats and places."""
        return Storyteller(self.seats)

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
        """Whether the recipient is a game master without a seat, who sees what everyone sees."""
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
        wild = {"wild1": "Wild 1", "wild2": "Wild 2"}
        return wild.get(key) or self.seats.place(key)

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


# Makes the scene of a pending e-mail: its game, the names of all seats, the recipient's place.


def scene_of(
    pending: PendingEmail, snapshot: Snapshot, at: int, site: str, connection: Connection
) -> Scene:
    """The scene; `site` is the server's URL without a slash at its end, `at` in ms since 1970."""
    preferences = pending.preferences
    return Scene(
        snapshot=snapshot,
        title=pending.title,
        settings=Settings.read(json.loads(pending.settings)),
        seats=seats_of(connection, snapshot, pending.seat),
        at=at,
        zone_name=preferences.timezone,
        site=site,
    )


def seats_of(connection: Connection, snapshot: Snapshot, you: str) -> Names:
    """The names of a game's seats and territories, as one seat calls them."""
    seat = schema.seat.c
    wanted = select(seat.colour, seat.name).where(seat.game == snapshot.id)
    stored = {row.colour: row.name for row in connection.execute(wanted)}
    colours = snapshot.game().colours
    names = {colour: shown_name(stored.get(colour, ""), colour) for colour in colours}
    rebels = snapshot.ruleset.options["rebels.setup"] != "none"
    territories = snapshot.ruleset.board.territories
    return Names(
        you=you,
        names=names,
        places={territory.id: territory.name for territory in territories},
        bots=frozenset(snapshot.bots) | frozenset(snapshot.server_bots),
        outsiders="the rebels" if rebels else "neutral armies",
    )


def pending_of(connection: Connection, game: str, seat: str, number: int, at: int) -> PendingEmail:
    """What an e-mail that answers no notification is written for: the seat, and its owner."""
    own, account, table = schema.seat.c, schema.account.c, schema.game.c
    owner = table.master if seat == GAME_MASTER else own.account
    wanted = (
        select(table.title, table.head, table.settings.label("table_settings"))
        .add_columns(func.coalesce(own.name, account.name).label("name"))
        .add_columns(account.id.label("account"), account.email, account.settings)
        .select_from(schema.game)
        .outerjoin(schema.seat, (own.game == table.id) & (own.colour == seat))
        .outerjoin(schema.account, account.id == owner)
        .where(table.id == game)
    )
    row = connection.execute(wanted).one()
    return PendingEmail(
        id=number,
        game=game,
        seat=seat,
        kind="answer",
        body=None,
        at=at,
        title=row.title,
        settings=row.table_settings,
        head=row.head,
        account=row.account or "",
        name=row.name or "",
        address=row.email or "",
        wanted=True,
        log_index=row.head,
        preferences=NotificationPreferences.read(json.loads(row.settings or "{}")),
    )


# How many armies take a neighbour with a chance of 75 % and of 95 %, by exact odds.

CHANCES = (0.75, 0.95)
MOST_DEFENDERS = 60  # of a larger defence the table says nothing: its odds take too long


@dataclass(frozen=True, slots=True)
class Border:
    """A neighbour of another owner; `needed` are the armies for each of CHANCES, None if many.

    The armies count the one that stays behind.
    """

    own: int
    other: int
    needed: tuple[int | None, ...]


def borders_of(scene: Scene) -> Iterator[Border]:
    """All borders of the recipient with others, by own territory in the order of importance."""
    own = set(scene.own())
    fronts = {t: [n for n in scene.neighbours(t) if n not in own] for t in own}
    fronts = {t: foes for t, foes in fronts.items() if foes}
    for t in sorted(fronts, key=lambda t: (-int(scene.view.armies[t]), -len(fronts[t]), t)):
        for other in fronts[t]:
            yield Border(t, other, _needed(scene, t, other))


def _needed(scene: Scene, source: int, target: int) -> tuple[int | None, ...]:
    defenders = int(scene.view.armies[target])
    if not 1 <= defenders <= MOST_DEFENDERS:
        return (None,) * len(CHANCES)
    rule = DiceRule.between(scene.snapshot.ruleset, scene.view, source, target)
    return tuple(armies_for(chance, defenders, rule) for chance in CHANCES)


@lru_cache(maxsize=4096)
def armies_for(chance: float, defenders: int, rule: DiceRule) -> int | None:
    """The fewest armies that take `defenders` with at least this chance; None above four to one."""
    low, high = 1, 2
    most = 4 * defenders + 20
    while outlook(high, (defenders,), rule).taken < chance:
        if high >= most:
            return None
        low, high = high, min(most, high * 2)
    while high - low > 1:
        middle = (low + high) // 2
        if outlook(middle, (defenders,), rule).taken < chance:
            low = middle
        else:
            high = middle
    return high
