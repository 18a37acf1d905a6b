"""Acting on time: what is due, once, by whichever worker comes first."""

from __future__ import annotations

from concurrent.futures import Future

from sqlalchemy import Connection, select

from rubicon.table import schema
from rubicon.table.absence import Absence, check_absence
from rubicon.table.accepting import check_not_forked
from rubicon.table.errors import TableError
from rubicon.table.forking import close_behind_fork
from rubicon.table.lines import Kind
from rubicon.table.page import Page, due_times
from rubicon.table.proceeding import VOID, finish
from rubicon.table.settings import Silence
from rubicon.table.store import now
from rubicon.table.submission import Receipt
from rubicon.table.table import Table

GRACE = 10 * 60 * 1000  # for seats whose time ran out while nobody could reach the table
MOST_AT_ONCE = 200


def tick(table: Table, up_since: int) -> list[Future[Receipt]]:
    """Act on every clock that is due; `up_since` is when this host began to answer.

    Roll where links were waited for long enough, and ask again for dice that were away.
    To be called every second. Whoever was due while the host was down has ten minutes from its
    start.
    """
    table.look_again()
    games = table.store.read(_due)
    return [table.change(game, lambda page: act(page, up_since)) for game in games]


def act(page: Page, up_since: int) -> None:
    """Do what is due in one game; nothing where another worker has done it."""
    live = page.live
    if live.ending is not None:
        return
    if live.forked:
        close_behind_fork(page)
        return
    if page.at - live.changed >= live.settings.void_after * 1000:
        finish(page, VOID, "nobody came for too long")
        return
    for seat, absence in list(live.away.items()):
        if absence.until <= page.at:
            page.line(Kind.AWAY, "", seat)
            take_back_seat(page, seat)
    for (seat, kind), due in due_times(live).items():
        if due_times(live).get((seat, kind)) != due:
            continue  # another seat's time was over first, and nothing is asked of this one now
        if kind == "move" and _later(due, up_since) <= page.at:
            _over(page, seat)
        elif kind == "warning" and due <= page.at < (live.clocks.due(seat) or 0):
            page.line(Kind.WARNED, "", seat, live.duties[seat])


def go_away(page: Page, seat: str, text: str) -> None:
    """A seat says when it is away; `""` ends the absence."""
    live = page.live
    if live.ending is not None:
        raise TableError("game/over", "The game is over.", "")
    check_not_forked(live)
    if not text.strip():
        if seat in live.away:
            page.line(Kind.AWAY, "", seat)
            take_back_seat(page, seat)
        return
    absence = Absence.parse(text)
    check_absence(absence, page.at, live.days_away.get(seat, 0), live.settings.absence_days)
    page.line(Kind.AWAY, text.strip().lower(), seat)


def take_back_seat(page: Page, seat: str) -> None:
    """The owner plays again, with a fresh time; nothing where no bot plays in the place."""
    if seat in page.live.bots and not page.live.at_rest:
        page.line(Kind.BOT, "", seat)


def _over(page: Page, seat: str) -> None:
    live = page.live
    match live.settings.silence:
        case Silence.BOT:
            page.line(Kind.BOT, live.settings.stand_in, seat)
        case Silence.NEUTRAL if live.requested is None:
            page.line(Kind.ACTION, f"resign {seat}", seat)
        case _:
            page.line(Kind.LATE, "", seat, live.duties[seat])


def _later(due: int, up_since: int) -> int:
    """A clock that ran out while the host was down is due some time behind its start."""
    return max(due, up_since + GRACE) if due < up_since else due


def _due(connection: Connection) -> list[str]:
    at = now(connection)
    clocks, games = schema.clock.c, schema.game.c
    due = select(clocks.game).where(clocks.due <= at).distinct().limit(MOST_AT_ONCE)
    void = select(games.id).where(games.state == "running", games.void <= at).limit(MOST_AT_ONCE)
    found = [row.game for row in connection.execute(due)]
    return found + [row.id for row in connection.execute(void) if row.id not in found]
