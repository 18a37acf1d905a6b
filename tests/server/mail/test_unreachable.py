"""An address that refuses e-mails: it gets no more, its player more time, the host is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from rubicon.engine.warmup import warm
from rubicon.server.delivery import mark_dead, mark_reachable
from rubicon.table.admin.audit import verify_store
from rubicon.table.game.log_lines import Extended, LineKind
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.settings import Clock, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store, migrate
from rubicon.table.storage.event_log import seal_seats
from tests.server.mail.mailing import MailFixture, mail_fixture
from tests.table.hosted import SOON, Hosted

MAIL = Settings(clock=Clock.DAYS)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[MailFixture]:
    warm()
    store = Store.open(f"sqlite:///{tmp_path}/addresses.db")
    migrate(store)
    with mail_fixture(store) as made:
        yield made
    store.close()


def account_of(seat: str) -> tuple[str, str]:
    return f"abcdefghij-{seat}", f"{seat}@abcdefghij.example"


def extensions(home: MailFixture) -> list[str]:
    log = schema.log.c
    wanted = select(log.seat).where(log.kind == LineKind.EXTEND.value)
    return list(home.store.read(lambda c: c.execute(wanted).scalars().all()))


def hosted_by(home: MailFixture, seat: str) -> None:
    games = update(schema.game).values(host=account_of(seat)[0])
    home.store.write(lambda c: c.execute(games).rowcount).result(SOON)


def not_deciding(game: Hosted) -> str:
    return next(c for c in game.snapshot.game().colours if c not in game.snapshot.decisions)


def test_the_clock_is_extended_once_and_the_host_is_told(home: MailFixture) -> None:
    game = home.begin(settings=MAIL)
    seat, _ = game.mover()
    host = not_deciding(game)
    hosted_by(home, host)
    before = game.snapshot.due[seat]
    assert mark_dead(home.table, *account_of(seat))
    assert game.snapshot.due[seat] == before + MAIL.decision_time * 1000
    assert extensions(home) == [seat]
    messages = home.sweep_later()
    assert [str(message["To"]) for message in messages] == [account_of(host)[1]]
    assert messages[0]["Subject"] == f"E-mails to {seat.title()} come back (Friday)"
    assert not mark_dead(home.table, *account_of(seat))
    home.store.write(lambda c: mark_reachable(c, *account_of(seat))).result(SOON)
    assert mark_dead(home.table, *account_of(seat))
    assert extensions(home) == [seat]
    home.store.write(lambda c: seal_seats(c, [game.game])).result(SOON)
    assert verify_store(home.store).damaged == {}


def test_a_refused_recipient_is_marked_and_gets_no_more(home: MailFixture) -> None:
    game = home.begin(settings=MAIL)
    seat, _ = game.mover()
    home.mailbox.refuse(final=True, unknown_address=True)
    home.sweep_later()
    assert extensions(home) == [seat]
    tried = len(home.mailbox.tried)
    home.sweep_later()
    assert len(home.mailbox.tried) == tried
    assert home.waiting() == 0


def test_another_address_is_not_marked(home: MailFixture) -> None:
    game = home.begin(settings=MAIL)
    seat, _ = game.mover()
    account, _ = account_of(seat)
    assert not mark_dead(home.table, account, "former@abcdefghij.example")
    assert extensions(home) == []
    assert [str(message["To"]) for message in home.sweep_later()] == [account_of(seat)[1]]


def test_an_invented_line_of_more_time_is_found(home: MailFixture) -> None:
    game = home.begin(settings=MAIL)
    idle = not_deciding(game)
    home.store.write(lambda c: seal_seats(c, [game.game])).result(SOON)

    def invent(unit: UnitOfWork) -> None:
        unit.add_line(Extended("unreachable"), idle)

    game.table.change(game.game, invent).result(SOON)
    (damage,) = verify_store(home.store).damaged.values()
    assert damage.code == "log/unfounded"


def test_a_seat_that_is_not_asked_gets_no_more_time(home: MailFixture) -> None:
    game = home.begin(settings=MAIL)
    assert mark_dead(home.table, *account_of(not_deciding(game)))
    assert extensions(home) == []
