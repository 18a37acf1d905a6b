"""What is said at a table. It stands beside the log, so that it can be erased with an account."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from rubicon.table import schema
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.listening import Change, What, announce
from rubicon.table.lobby_seats import LOBBY, Sitting, seats_of
from rubicon.table.lobby_watching import visible_until
from rubicon.table.page import SPECTATORS
from rubicon.table.settings import Chat, Settings
from rubicon.table.store import now
from rubicon.table.table import Table

LONGEST_LINE = 500
MOST_A_MINUTE = 10
MINUTE = 60_000
JOINING = "\n\u200d"  # new lines, and what joins signs to one
MOST_BLOCKED = 1000
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
class Said:
    """One line of the chat."""

    id: int
    game: str
    seat: str  # "" of somebody who has left the table
    to: str  # "" for all
    text: str
    phrase: str  # of a canned line, "" for one's own words
    at: int

    def as_dict(self) -> dict[str, Any]:
        """As programs get it."""
        return asdict(self)


class Talk:
    """The chat of every table; what is read are the functions below, for `store.read`."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._watchers: list[Callable[[Said], None]] = []

    def watch(self, watcher: Callable[[Said], None]) -> None:
        """Be told, in the writing thread, of each line that is said here: be quick.

        Whom it may be shown to, `hears` says.
        """
        self._watchers.append(watcher)

    def say(self, game: str, seat: str, text: str, to: str = "") -> Future[Said]:
        """Say something to all, or to one seat."""

        def announced(connection: Connection) -> Said:
            line = say(connection, game, seat, text, to)
            announce(connection, Change(What.CHAT, game, line.id))
            return line

        def behind(done: Future[Said]) -> None:
            if done.exception() is None:
                self._tell(done.result())

        said = self.table.store.write(announced, game=game)
        said.add_done_callback(behind)
        return said

    def hear(self, line: int) -> None:
        """Tell those who watch of a line that was said through another host."""
        wanted = select(schema.chat).where(schema.chat.c.id == line)

        def look(connection: Connection) -> list[Said]:
            rows = connection.execute(wanted).all()
            return [_said(r, canned=_level(connection, r.game) is Chat.CANNED) for r in rows]

        for found in self.table.store.read(look):
            self._tell(found)

    def _tell(self, line: Said) -> None:
        for watcher in self._watchers:
            watcher(line)

    def mute(self, game: str, seat: str, whom: str, *, muted: bool = True) -> Future[None]:
        """Hear a seat at this table no more, or again."""
        return self.table.store.write(lambda c: mute(c, game, seat, whom, muted=muted), game=game)

    def block(self, account: str, game: str, whom: str, *, blocked: bool = True) -> Future[None]:
        """Hear whoever plays a seat no more, at any table; or again."""
        return self.table.store.write(lambda c: block(c, account, game, whom, blocked=blocked))

    def report(self, account: str, game: str, line: int) -> Future[None]:
        """Let the house look at a line."""
        return self.table.store.write(lambda connection: report(connection, account, game, line))


def say(connection: Connection, game: str, seat: str, text: str, to: str = "") -> Said:
    """Store a line; TableError where the table does not allow it."""
    level, seats = _level(connection, game), _people(connection, game)
    if seat not in seats:
        message = f"Nobody speaks for {seat[:20]!r} here."
        raise TableError("chat/not-yours", message, "Only people who sit at the table speak.")
    phrase = ""
    if level is Chat.NONE:
        raise TableError("chat/none", "At this table nothing is said.", "")
    if level is Chat.CANNED:
        phrase, text = _canned(text)
    if to:
        _check_whisper(connection, game, level)
        _check_other(connection, game, seat, to)
    at = now(connection)
    _check_rate(connection, game, seat, at)
    row: dict[str, Any] = {"game": game, "account": seats[seat].account, "seat": seat, "to": to}
    row |= {"text": phrase or _proper(text), "at": at}
    stored = connection.execute(insert(schema.chat).values(**row)).inserted_primary_key
    assert stored is not None
    return Said(int(stored[0]), game, seat, to, text.strip(), phrase, at)


def said(
    connection: Connection, game: str, seat: str, after: int = 0, most: int = 200
) -> list[Said]:
    """The lines behind one that a seat ("" for spectators) is to hear, the oldest first.

    Neither whispers of others, nor those whom the seat has muted or its owner blocked.
    """
    unheard, chat = silenced(connection, game, seat), schema.chat.c
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
    return [_said(row, canned=canned) for row in rows]


def hears(line: Said, seat: str, unheard: frozenset[str]) -> bool:
    """Whether a line is for a seat whose `silenced` seats are these."""
    return (line.to in ("", seat) and line.seat not in unheard) or line.seat == seat != SPECTATORS


def silenced(connection: Connection, game: str, seat: str) -> frozenset[str]:
    """The seats that a seat does not hear: muted here, or blocked by its owner."""
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


def mute(connection: Connection, game: str, seat: str, whom: str, *, muted: bool) -> None:
    """Hear a seat at this table no more, or again; doing it twice is doing it once."""
    _check_other(connection, game, seat, whom)
    row, mutes = {"game": game, "seat": seat, "muted": whom}, schema.mute.c
    connection.execute(
        delete(schema.mute).where(mutes.game == game, mutes.seat == seat, mutes.muted == whom)
    )
    if muted:
        connection.execute(insert(schema.mute), row)


def block(connection: Connection, account: str, game: str, whom: str, *, blocked: bool) -> None:
    """Hear whoever plays a seat no more, at any table; or again."""
    seats = _people(connection, game)
    own = next((colour for colour, seat in seats.items() if seat.account == account), SPECTATORS)
    _check_other(connection, game, own, whom)
    settings = account_settings(connection, account, lock=True)
    other = seats[whom].account
    chosen = [known for known in settings.get("blocked", []) if known != other]
    if blocked:
        chosen.append(other)
    if len(chosen) > MOST_BLOCKED:
        message = f"You have blocked {MOST_BLOCKED} people."
        raise TableError("chat/too-many-blocked", message, "Mute them at this table.")
    settings["blocked"] = chosen
    columns = schema.account.c
    change = update(schema.account).where(columns.id == account)
    connection.execute(change.values(settings=json.dumps(settings, sort_keys=True)))


def report(connection: Connection, account: str, game: str, line: int) -> None:
    """Mark a line for the house; only who could read it may, and the first report stays."""
    seats = _people(connection, game)
    own = next((colour for colour, seat in seats.items() if seat.account == account), None)
    chat = schema.chat.c
    found = connection.execute(
        select(chat.seat, chat.to).where(chat.game == game, chat.id == line)
    ).one_or_none()
    if own is None or found is None or found.to not in ("", own) or found.seat == own:
        message = f"There is no line {line} that you could report."
        raise TableError("chat/no-line", message, "Report what was said to you, at your tables.")
    change = update(schema.chat).where(chat.id == line, chat.reported.is_(None))
    connection.execute(change.values(reported=account))


def reported(connection: Connection, most: int = 200) -> list[tuple[Said, str]]:
    """The lines that the house is to look at, each with who complained; the latest first."""
    chat = schema.chat.c
    wanted = select(schema.chat).where(chat.reported.is_not(None)).order_by(chat.id.desc())
    rows = connection.execute(wanted.limit(most)).all()
    return [(_said(row, canned=False), row.reported) for row in rows]


def _said(row: Any, *, canned: bool) -> Said:
    phrase = row.text if canned and row.text in PHRASES else ""
    text = PHRASES.get(phrase, row.text)
    return Said(row.id, row.game, row.seat, row.to, text, phrase, row.at)


def _level(connection: Connection, game: str) -> Chat:
    wanted = select(schema.game.c.settings).where(schema.game.c.id == game)
    text = connection.execute(wanted).scalar_one_or_none()
    if text is None:
        raise NoSuchGame(game)
    return Settings.read(json.loads(text)).chat


def _people(connection: Connection, game: str) -> dict[str, Sitting]:
    return {s.colour: s for s in seats_of(connection, game) if s.account is not None}


def _check_other(connection: Connection, game: str, seat: str, whom: str) -> None:
    seats = _people(connection, game)
    if whom not in seats or whom == seat or (seat != SPECTATORS and seat not in seats):
        others = ", ".join(colour for colour in seats if colour != seat)
        message = f"{whom[:20]!r} is no other person at this table."
        raise TableError("chat/nobody", message, f"There are: {others}." if others else "")


def _canned(text: str) -> tuple[str, str]:
    phrase = text.strip().lower()
    if phrase not in PHRASES:
        message = "At this table only set phrases are said."
        raise TableError("chat/canned", message, f"Phrases: {', '.join(PHRASES)}.")
    return phrase, PHRASES[phrase]


def _check_whisper(connection: Connection, game: str, level: Chat) -> None:
    """TableError where nothing is said to one alone: in the lobby seats still change hands."""
    state = select(schema.game.c.state).where(schema.game.c.id == game)
    if level is not Chat.OPEN or connection.execute(state).scalar_one() == LOBBY:
        message = "Here nothing is said to one alone."
        raise TableError("chat/no-whispers", message, "Say it to all.")


def _check_rate(connection: Connection, game: str, seat: str, at: int) -> None:
    """TableError where a seat says too much; the seat's row orders those who ask at once."""
    columns, chat = schema.seat.c, schema.chat.c
    lock = select(columns.number).where(columns.game == game, columns.colour == seat)
    connection.execute(lock.with_for_update()).all()
    counted = select(func.count()).where(
        chat.game == game, chat.seat == seat, chat.at > at - MINUTE
    )
    if connection.execute(counted).scalar_one() >= MOST_A_MINUTE:
        message = f"You have said {MOST_A_MINUTE} lines within a minute."
        raise TableError("chat/too-fast", message, "Wait a little.")


def _proper(text: str) -> str:
    proper = text.strip()
    if 1 <= len(proper) <= LONGEST_LINE and all(map(_may_be_said, proper)):
        return proper
    message = f"A line of {len(proper):,} characters cannot be said."
    wanted = f"It has 1 to {LONGEST_LINE} characters, all of which can be printed."
    raise TableError("chat/text", message, wanted)


def _may_be_said(character: str) -> bool:
    return character.isprintable() or character in JOINING


def account_settings(connection: Connection, account: str, *, lock: bool = False) -> dict[str, Any]:
    """What somebody has chosen; `lock` where it is to be changed."""
    wanted = select(schema.account.c.settings).where(schema.account.c.id == account)
    text = connection.execute(wanted.with_for_update() if lock else wanted).scalar_one()
    return dict(json.loads(text or "{}"))
