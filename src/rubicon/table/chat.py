"""Messages between the people of a table."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.lobby.lifecycle import notify
from rubicon.table.lobby.people import GAME_MASTER, master_place, table_master, visible_until
from rubicon.table.lobby.seats import LOBBY, SeatRow, seats_of
from rubicon.table.lobby.table_request import is_legible
from rubicon.table.notices import EMAIL_PENDING, SPECTATORS, MessageToMaster
from rubicon.table.settings import Chat, Clock, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.notifications import Change, ChangeKind, announce
from rubicon.table.table_service import TableService

MAX_LINE_LENGTH = 500
MAX_LINES_PER_MINUTE = 10
MAX_EMAILS_TO_MASTER = 6  # an hour from one player
MINUTE = 60_000
HOUR = 60 * MINUTE
ALLOWED = "\n\u200d"  # besides printable characters: line breaks, and the joiner in emoji
MAX_BLOCKED = 1000
PHRASES = {
    "hello": "Hello, all.",
    "luck": "Good luck.",
    "played": "Well played.",
    "thanks": "Thank you.",
    "sorry": "Sorry.",
    "ouch": "Ouch!",
    "dice": "Those dice!",
    "moment": "One moment, please.",
    "back": "I am back.",
    "hurry": "Your move, please.",
    "again": "A rematch?",
    "bye": "Goodbye, it was a good game.",
}


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One line of the chat."""

    id: int
    game: str
    seat: str  # "" if its author has left the table
    to: str  # "" for all
    text: str
    phrase: str  # the key in PHRASES; "" for free text
    at: int  # milliseconds since 1970

    def as_dict(self) -> dict[str, Any]:
        """As programs get it."""
        return asdict(self)


Watcher = Callable[[ChatLine, frozenset[str]], None]


class ChatService:
    """The chat of all tables; queries are the functions below, for `store.read`."""

    def __init__(self, table: TableService) -> None:
        self.table = table
        self._watchers: list[Watcher] = []

    def watch(self, watcher: Watcher) -> None:
        """Call a function for each new line, and the seats that do not want to see it.

        On the writer thread: it must not block.
        """
        self._watchers.append(watcher)

    def say(self, game: str, seat: str, text: str, to: str = "") -> Future[ChatLine]:
        """Send a line to all, or to one seat."""

        deaf: frozenset[str] = frozenset()

        def announced(connection: Connection) -> ChatLine:
            nonlocal deaf
            line = say(connection, game, seat, text, to)
            deaf = seats_without(connection, game, seat)
            announce(connection, Change(ChangeKind.CHAT, game, line.id))
            return line

        def behind(done: Future[ChatLine]) -> None:
            if done.exception() is None:
                self._call_watchers(done.result(), deaf)

        sent = self.table.store.write(announced, game=game)
        sent.add_done_callback(behind)
        return sent

    def publish(self, line: int) -> None:
        """Pass a line that another server has stored to the watchers."""
        wanted = select(schema.chat).where(schema.chat.c.id == line)

        def look(connection: Connection) -> list[tuple[ChatLine, frozenset[str]]]:
            return [
                (
                    _chat_line(row, canned=_level(connection, row.game) is Chat.CANNED),
                    seats_without(connection, row.game, row.seat),
                )
                for row in connection.execute(wanted).all()
            ]

        for found, deaf in self.table.store.read(look):
            self._call_watchers(found, deaf)

    def _call_watchers(self, line: ChatLine, deaf: frozenset[str]) -> None:
        for watcher in self._watchers:
            watcher(line, deaf)

    def mute(self, game: str, seat: str, whom: str, *, muted: bool = True) -> Future[None]:
        """Mute a seat at this table, or end it."""
        return self.table.store.write(lambda c: mute(c, game, seat, whom, muted=muted), game=game)

    def block(self, account: str, game: str, whom: str, *, blocked: bool = True) -> Future[None]:
        """Block the player of a seat at all tables, or end it."""
        return self.table.store.write(lambda c: block(c, account, game, whom, blocked=blocked))

    def report(self, account: str, game: str, line: int) -> Future[None]:
        """Report a line to the admin of the server."""
        return self.table.store.write(lambda connection: report(connection, account, game, line))


def say(connection: Connection, game: str, seat: str, text: str, to: str = "") -> ChatLine:
    """Store a line to all, to a seat or to GAME_MASTER; TableError where that is not allowed."""
    level, seats = _level(connection, game), _people(connection, game)
    if seat not in seats:
        message = f"You have no seat {seat[:20]!r} here."
        raise TableError("chat/not-yours", message, "Only seated players may chat.")
    phrase = ""
    if to == GAME_MASTER:
        _check_master(connection, game)
    elif level is Chat.NONE:
        raise TableError("chat/none", "Chat is off at this table.", "")
    elif level is Chat.CANNED:
        phrase, text = _canned(text)
    if to not in ("", GAME_MASTER):
        _check_whisper(connection, game, level)
        _check_other(connection, game, seat, to)
    at = now(connection)
    _check_rate(connection, game, seat, at)
    row: dict[str, Any] = {"game": game, "account": seats[seat].account, "seat": seat, "to": to}
    row |= {"text": phrase or _checked_text(text), "at": at}
    stored = connection.execute(insert(schema.chat).values(**row)).inserted_primary_key
    assert stored is not None
    number = int(stored[0])
    if to == GAME_MASTER:
        _tell_master(connection, game, seat, number)
    return ChatLine(
        id=number,
        game=game,
        seat=seat,
        to=to,
        text=text.strip(),
        phrase=phrase,
        at=at,
    )


def lines_for(
    connection: Connection, game: str, seat: str, after: int = 0, most: int = 200
) -> list[ChatLine]:
    """The lines after one that a seat ("" for spectators) may see, the oldest first.

    Private lines of others are left out, as are lines of seats that it has muted or blocked.
    """
    unheard, chat = unheard_seats(connection, game, seat), schema.chat.c
    wanted = select(schema.chat).where(chat.game == game, chat.id > after)
    wanted = wanted.where(chat.at <= visible_until(connection, game, seat))
    if seat == SPECTATORS:
        wanted = wanted.where(chat.to == "")
    else:
        wanted = wanted.where(or_(chat.to == "", chat.to == seat, chat.seat == seat))
    if unheard:
        wanted = wanted.where(chat.seat.not_in(sorted(unheard)))
    canned = _level(connection, game) is Chat.CANNED
    rows = connection.execute(wanted.order_by(chat.id).limit(most))
    return [_chat_line(row, canned=canned) for row in rows]


def lines_to_master(connection: Connection, game: str, most: int = 200) -> list[ChatLine]:
    """The messages to the game master alone, the newest first; for no one else."""
    chat = schema.chat.c
    wanted = select(schema.chat).where(chat.game == game, chat.to == GAME_MASTER)
    rows = connection.execute(wanted.order_by(chat.id.desc()).limit(most))
    return [_chat_line(row, canned=False) for row in rows]


def unheard_seats(connection: Connection, game: str, seat: str) -> frozenset[str]:
    """The seats whose lines a seat does not see: muted here, or blocked by its owner."""
    if seat == SPECTATORS:
        return frozenset()
    mutes = schema.mute.c
    muted = select(mutes.muted).where(mutes.game == game, mutes.seat == seat)
    unheard = {row.muted for row in connection.execute(muted)}
    seats = _people(connection, game)
    own = seats.get(seat)
    if own is not None and own.account is not None:
        blocked = set(account_settings(connection, own.account).get("blocked", []))
        unheard |= {colour for colour, other in seats.items() if other.account in blocked}
    return frozenset(unheard - {seat})


def seats_without(connection: Connection, game: str, seat: str) -> frozenset[str]:
    """The seats that do not see the lines of a seat: they have muted it, or blocked its owner."""
    mutes, account = schema.mute.c, schema.account.c
    muting = select(mutes.seat).where(mutes.game == game, mutes.muted == seat)
    deaf = set(connection.execute(muting).scalars())
    people = _people(connection, game)
    author = people[seat].account if seat in people else None
    if author is not None:
        owners = {other.account: colour for colour, other in people.items()}
        wanted = select(account.id, account.settings).where(account.id.in_([*owners]))
        for row in connection.execute(wanted):
            if author in json.loads(row.settings or "{}").get("blocked", []):
                deaf.add(owners[row.id])
    return frozenset(deaf - {seat})


def mute(connection: Connection, game: str, seat: str, whom: str, *, muted: bool) -> None:
    """Mute a seat at this table, or end it; idempotent."""
    _check_other(connection, game, seat, whom)
    row, mutes = {"game": game, "seat": seat, "muted": whom}, schema.mute.c
    connection.execute(
        delete(schema.mute).where(mutes.game == game, mutes.seat == seat, mutes.muted == whom)
    )
    if muted:
        connection.execute(insert(schema.mute), row)


def block(connection: Connection, account: str, game: str, whom: str, *, blocked: bool) -> None:
    """Block the player of a seat at all tables, or end it."""
    seats = _people(connection, game)
    own = next((colour for colour, seat in seats.items() if seat.account == account), SPECTATORS)
    _check_other(connection, game, own, whom)
    settings = account_settings(connection, account, lock=True)
    other = seats[whom].account
    chosen = [known for known in settings.get("blocked", []) if known != other]
    if blocked:
        chosen.append(other)
    if len(chosen) > MAX_BLOCKED:
        message = f"You have blocked {MAX_BLOCKED} people."
        raise TableError("chat/too-many-blocked", message, "Mute them at this table.")
    settings["blocked"] = chosen
    columns = schema.account.c
    change = update(schema.account).where(columns.id == account)
    connection.execute(change.values(settings=json.dumps(settings, sort_keys=True)))


def report(connection: Connection, account: str, game: str, line: int) -> None:
    """Report a line to the admin. Only its readers may; a first report is not overwritten."""
    seats = _people(connection, game)
    own = next((colour for colour, seat in seats.items() if seat.account == account), None)
    chat = schema.chat.c
    found = connection.execute(
        select(chat.seat, chat.to).where(chat.game == game, chat.id == line)
    ).one_or_none()
    if own is None or found is None or found.to not in ("", own) or found.seat == own:
        message = f"You cannot report line {line}."
        raise TableError(
            "chat/no-line", message, "You can report lines of other players at your own tables."
        )
    change = update(schema.chat).where(chat.id == line, chat.reported.is_(None))
    connection.execute(change.values(reported=account))


def dismiss_report(connection: Connection, line: int) -> None:
    """Take a line off the list of reports; idempotent."""
    change = update(schema.chat).where(schema.chat.c.id == line)
    connection.execute(change.values(reported=None))


def reported(connection: Connection, most: int = 200) -> list[tuple[ChatLine, str]]:
    """The reported lines, each with the account that reported it, the newest first."""
    chat = schema.chat.c
    wanted = select(schema.chat).where(chat.reported.is_not(None)).order_by(chat.id.desc())
    rows = connection.execute(wanted.limit(most)).all()
    return [(_chat_line(row, canned=False), row.reported) for row in rows]


def _chat_line(row: Any, *, canned: bool) -> ChatLine:
    phrase = row.text if canned and row.text in PHRASES else ""
    text = PHRASES.get(phrase, row.text)
    return ChatLine(
        id=row.id,
        game=row.game,
        seat=row.seat,
        to=row.to,
        text=text,
        phrase=phrase,
        at=row.at,
    )


def _level(connection: Connection, game: str) -> Chat:
    wanted = select(schema.game.c.settings).where(schema.game.c.id == game)
    text = connection.execute(wanted).scalar_one_or_none()
    if text is None:
        raise NoSuchGame(game)
    return Settings.read(json.loads(text)).chat


def _people(connection: Connection, game: str) -> dict[str, SeatRow]:
    return {s.colour: s for s in seats_of(connection, game) if s.account is not None}


def _check_other(connection: Connection, game: str, seat: str, whom: str) -> None:
    seats = _people(connection, game)
    if whom not in seats or whom == seat or (seat != SPECTATORS and seat not in seats):
        others = ", ".join(colour for colour in seats if colour != seat)
        message = f"{whom[:20]!r} is not another player at this table."
        raise TableError("chat/nobody", message, f"Players: {others}." if others else "")


def _canned(text: str) -> tuple[str, str]:
    phrase = text.strip().lower()
    if phrase not in PHRASES:
        message = "This table allows set phrases only."
        raise TableError("chat/canned", message, f"Phrases: {', '.join(PHRASES)}.")
    return phrase, PHRASES[phrase]


def _check_whisper(connection: Connection, game: str, level: Chat) -> None:
    """TableError where private lines are off; also in the lobby, where seats can change hands."""
    state = select(schema.game.c.state).where(schema.game.c.id == game)
    if level is not Chat.OPEN or connection.execute(state).scalar_one() == LOBBY:
        message = "Private messages are off at this table."
        raise TableError("chat/no-whispers", message, "Write to all.")


def _check_master(connection: Connection, game: str) -> None:
    """TableError where no person is game master who could read a message."""
    if table_master(connection, game).account is None:
        message = "No person is game master here: the software runs this table."
        raise TableError("master/none", message, "Write to all.")


def _tell_master(connection: Connection, game: str, seat: str, line: int) -> None:
    """Notify the game master of a message; the text stays in the chat, where it can be erased.

    Of a player who writes often the game master reads on the page alone.
    """
    locked = select(schema.game.c.settings).where(schema.game.c.id == game).with_for_update()
    settings = Settings.read(json.loads(connection.execute(locked).scalar_one()))
    chat, since = schema.chat.c, now(connection) - HOUR
    own = (chat.game == game) & (chat.seat == seat) & (chat.to == GAME_MASTER) & (chat.at > since)
    lately = connection.execute(select(func.count()).where(own)).scalar_one()
    by_email = settings.clock is not Clock.LIVE and lately <= MAX_EMAILS_TO_MASTER
    sent = EMAIL_PENDING if by_email else None
    notify(connection, game, master_place(connection, game), MessageToMaster(line), sent)


def line_text(connection: Connection, game: str, line: int) -> tuple[str, str]:
    """The author's seat and the text of a line; ("", "") where it was erased."""
    chat = schema.chat.c
    wanted = select(chat.seat, chat.text).where(chat.game == game, chat.id == line)
    row = connection.execute(wanted).one_or_none()
    return ("", "") if row is None else (row.seat, row.text)


def _check_rate(connection: Connection, game: str, seat: str, at: int) -> None:
    """TableError above the rate limit. The lock of the seat's row serialises concurrent lines."""
    columns, chat = schema.seat.c, schema.chat.c
    lock = select(columns.number).where(columns.game == game, columns.colour == seat)
    connection.execute(lock.with_for_update()).all()
    counted = select(func.count()).where(
        chat.game == game, chat.seat == seat, chat.at > at - MINUTE
    )
    if connection.execute(counted).scalar_one() >= MAX_LINES_PER_MINUTE:
        message = f"You have sent {MAX_LINES_PER_MINUTE} lines within a minute."
        raise TableError("chat/too-fast", message, "Wait a little.")


def _checked_text(text: str) -> str:
    proper = text.strip()
    legible = is_legible("".join(sign for sign in proper if sign not in ALLOWED))
    if 1 <= len(proper) <= MAX_LINE_LENGTH and legible:
        return proper
    message = f"A line of {len(proper):,} characters cannot be sent."
    wanted = f"A line has 1 to {MAX_LINE_LENGTH} visible characters."
    raise TableError("chat/text", message, wanted)


def account_settings(connection: Connection, account: str, *, lock: bool = False) -> dict[str, Any]:
    """The settings of an account; `lock` locks its row for a change."""
    wanted = select(schema.account.c.settings).where(schema.account.c.id == account)
    text = connection.execute(wanted.with_for_update() if lock else wanted).scalar_one()
    return dict(json.loads(text or "{}"))
