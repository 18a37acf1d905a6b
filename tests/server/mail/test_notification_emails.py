"""The outbox sends at most one e-mail for a decision, whatever fails, on any number of servers."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from rubicon.engine.warmup import warm
from rubicon.rules.actions import Resign
from rubicon.server.emails import sign_in_email
from rubicon.server.outbox import SCHEDULES, Channel, Outbox
from rubicon.table.commands.votes import vote
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.hosted_game import present_after
from rubicon.table.game.log_lines import Acted, LineKind, LogLine, LostLines, StandIn, Warned
from rubicon.table.game.unit_of_work import UnitOfWork, email_for
from rubicon.table.notices import EMAIL_PENDING, DecisionDue
from rubicon.table.settings import Clock, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store, migrate
from rubicon.table.table_service import TableService
from tests.server.mail.mailing import DAY, HOUR, IDENTITY, MINUTE, MailFixture, mail_fixture
from tests.table.commands.test_client_placements import sealed_by_two
from tests.table.hosted import SOON, Hosted

MAIL = Settings(clock=Clock.DAYS)
REFUSING = select(schema.account.c.id).where(schema.account.c.unreachable.is_not(None))


@pytest.fixture
def home(tmp_path: Path) -> Iterator[MailFixture]:
    warm()
    store = Store.open(f"sqlite:///{tmp_path}/messages.db")
    migrate(store)
    with mail_fixture(store) as made:
        yield made
    store.close()


@pytest.fixture
def anywhere(store: Store) -> Iterator[MailFixture]:
    """On both databases."""
    warm()
    with mail_fixture(store) as made:
        yield made


def body(message: EmailMessage) -> str:
    """The plain text of an e-mail, on one line."""
    plain = message.get_body(("plain",))
    assert plain is not None
    return " ".join(plain.get_content().split())


def change(game: Hosted, act: Callable[[UnitOfWork], object]) -> None:
    """Let something happen at the table."""

    def do(page: UnitOfWork) -> None:
        act(page)

    game.table.change(game.game, do).result(SOON)


def all_vote(game: Hosted, motion: str) -> None:
    """Everybody is for it."""
    for colour in game.snapshot.game().colours:
        change(game, partial(vote, seat=colour, motion=motion))


def warned(game: Hosted) -> None:
    """Add a warning of the deadline for the pending decision."""
    seat, decision = game.mover()
    change(game, lambda unit: unit.add_line(Warned(), seat, decision))


def test_a_pending_decision_sends_one_email_after_the_delay(anywhere: MailFixture) -> None:
    game = anywhere.begin(settings=MAIL)
    seat, _ = game.mover()
    assert anywhere.sweep() == []
    (message,) = anywhere.sweep_later()
    assert message["To"] == f"{seat}@abcdefghij.example"
    assert message["Subject"].startswith("Your turn in Friday (until ")
    assert anywhere.sweep_later(HOUR) == []
    restarted = anywhere.another()
    assert anywhere.sweep(restarted) == []
    restarted.close()
    assert anywhere.waiting() == 0


def test_a_game_that_has_lost_dice_lines_is_told_by_email(anywhere: MailFixture) -> None:
    game = anywhere.begin(settings=MAIL)
    change(game, lambda unit: unit.add_line(LostLines(7, ("",)), "red"))
    messages = anywhere.sweep_later()
    assert sorted(str(message["To"]) for message in messages) == [
        f"{seat}@abcdefghij.example" for seat in ("blue", "green", "red")
    ]
    assert {message["Subject"] for message in messages} == {"Stopped: Friday"}
    assert "no die is rolled again" in body(messages[0])
    assert anywhere.waiting() == 0  # whose turn it was needs no e-mail any more


def test_who_is_to_open_a_placement_is_told_by_email(home: MailFixture) -> None:
    game = home.begin(preset="email", settings=MAIL)
    game.play(until="sealed")
    one, other, _ = sealed_by_two(game)
    assert set(game.snapshot.openings) == {one.seat, other.seat}
    other.open().result(SOON)  # it was at its page
    (message,) = home.sweep_later()
    assert message["To"] == f"{one.seat}@abcdefghij.example"
    assert message["Subject"] == "Open your placement: Friday"
    assert "your placement is in your browser or program" in " ".join(body(message).split())
    assert home.sweep_later(HOUR) == []


def test_no_email_after_the_decision_is_made(anywhere: MailFixture) -> None:
    game = anywhere.begin(settings=MAIL)
    first, _ = game.mover()
    game.submit(str(game.snapshot.game().legal[0]))
    while game.mover()[0] == first:
        game.submit(str(game.snapshot.game().legal[0]))
    messages = anywhere.sweep_later()
    assert [message["To"] for message in messages] == [f"{game.mover()[0]}@abcdefghij.example"]


@pytest.mark.parametrize("orders", [False, True], ids=["decision", "orders"])
def test_no_email_for_a_decision_that_follows_on_the_own_one(
    home: MailFixture, orders: bool
) -> None:
    """A player who has just acted is present; one who was waiting is not."""
    game = home.begin(settings=MAIL)
    game.play(until="attack")
    home.sweep_later()
    told = len(home.mailbox.messages)
    seat, decision = game.mover()
    attack = next(a for a in map(str, game.snapshot.game().legal) if a.startswith("attack"))
    _, source, _, target, *_ = attack.split()
    game.submit(f"ATTACK {source} -> {target}" if orders else attack, orders=orders)
    again, newer = game.mover()
    assert (again, newer > decision) == (seat, True)
    home.sweep_later()
    assert len(home.mailbox.messages) == told
    assert home.waiting() == 0


@pytest.mark.parametrize(
    ("lines", "there"),
    [
        ("action blue 1", False),
        ("action blue 1; action red 2", True),
        ("action blue 1; orders red 2; action red 2; report red 2", True),
        ("orders red 2; action red 2; action blue 3; action red 2; report red 2", False),
        ("orders red 2; action red 2; action blue 3; action red 2; report red 2; undo red 7", True),
        ("action red 2; action blue 3; report green 1", False),
        ("", False),
    ],
)
def test_orders_count_from_their_submission(home: MailFixture, lines: str, there: bool) -> None:
    game = home.begin(settings=MAIL)
    hosted = home.store.read(lambda connection: rebuilt(connection, game.game))
    for number, (kind, seat, decision) in enumerate(
        map(str.split, filter(None, lines.split("; ")))
    ):
        line = LogLine(
            index=100 + number, kind=LineKind(kind), seat=seat, decision=int(decision), at=1
        )
        if line.kind is LineKind.ORDERS:
            hosted.ordered[seat] = line
        hosted.present = present_after(line, hosted.present, hosted.ordered)
    assert (hosted.present == "red") is there
    assert email_for(hosted, "red", DecisionDue(1)) == (None if there else EMAIL_PENDING)


@pytest.mark.parametrize(
    "values", [{"email": None}, {"settings": '{"emails": false}'}], ids=["guest", "off"]
)
def test_no_email_to_guests_and_unsubscribed_accounts(
    home: MailFixture, values: dict[str, object]
) -> None:
    game = home.begin(settings=MAIL)
    home.update_account(f"abcdefghij-{game.mover()[0]}", **values)
    assert home.sweep_later() == []
    assert home.waiting() == 0


def test_no_email_for_live_games(home: MailFixture) -> None:
    home.begin(settings=Settings(clock=Clock.LIVE))
    assert home.waiting() == 0
    assert home.sweep_later() == []


def test_no_email_to_a_seat_with_a_stand_in(home: MailFixture) -> None:
    game = home.begin(settings=MAIL)
    seat, _ = game.mover()
    change(game, lambda unit: unit.add_line(StandIn("greedy"), seat))
    assert home.sweep_later() == []
    change(game, lambda unit: unit.add_line(Acted(Resign(seat)), seat))
    assert seat not in [str(to).partition("@")[0] for to in home.mailbox.to]


def test_a_near_deadline_sends_one_more_email(home: MailFixture) -> None:
    game = home.begin(settings=MAIL)
    home.sweep_later()
    warned(game)
    (message,) = home.sweep_later()
    assert message["Subject"].startswith("Re: Your turn in Friday (until ")
    assert "This is the only reminder of this turn." in body(message)
    assert "the others may vote" in body(message)
    assert home.sweep_later() == []


def test_the_end_of_a_game_sends_one_email_to_each(home: MailFixture) -> None:
    game = home.begin(settings=MAIL)
    home.sweep_later()
    colours = game.snapshot.game().colours
    for colour in colours[:2]:
        game.table.out_of_turn(game.game, colour, f"resign {colour}").result(SOON)
    assert game.snapshot.ending is not None
    messages = {str(message["To"]).partition("@")[0]: message for message in home.sweep_later()}
    winner = game.snapshot.ending.result
    assert set(messages) == set(colours)
    assert messages[winner]["Subject"] == "You have won Friday"
    loser = next(colour for colour in colours if colour != winner)
    assert messages[loser]["Subject"] == f"{winner.title()} has won Friday"
    assert home.sweep_later() == []


def test_emails_wait_while_the_game_is_paused(home: MailFixture) -> None:
    game = home.begin(settings=MAIL)
    all_vote(game, "pause")
    assert game.snapshot.paused
    assert home.sweep_later() == []
    change(game, partial(vote, seat="red", motion="resume"))
    assert len(home.sweep_later(5 * MINUTE)) == 1


def test_failures_are_retried_with_growing_delays_and_the_same_id(anywhere: MailFixture) -> None:
    anywhere.begin(settings=MAIL)
    anywhere.mailbox.refuse()
    for wait in (2 * MINUTE, 3 * MINUTE, 6 * MINUTE):
        tried = len(anywhere.mailbox.tried)
        anywhere.sweep_later(wait)
        assert len(anywhere.mailbox.tried) == tried + 1
        anywhere.sweep()
        assert len(anywhere.mailbox.tried) == tried + 1
    anywhere.mailbox.fails = None
    (message,) = anywhere.sweep_later(12 * MINUTE)
    assert {tried["Message-ID"] for tried in anywhere.mailbox.tried} == {message["Message-ID"]}
    assert anywhere.sweep_later(DAY) == []


def test_retries_end_after_a_day(home: MailFixture) -> None:
    home.begin(settings=MAIL)
    home.mailbox.refuse()
    home.sweep_later()
    home.sweep_later(DAY)
    home.mailbox.fails = None
    assert home.sweep_later() == []
    assert home.waiting() == 0


def test_permanent_refusals_are_not_retried(home: MailFixture) -> None:
    home.begin(settings=MAIL)
    home.mailbox.refuse(final=True)
    home.sweep_later()
    assert home.waiting() == 0
    assert len(home.mailbox.tried) == 1
    assert home.store.read(lambda c: c.execute(REFUSING).all()) == []  # only this e-mail


def test_a_crash_after_the_claim_delays_the_email(home: MailFixture) -> None:
    home.begin(settings=MAIL)
    home.mailbox.fails = asyncio.CancelledError()
    with pytest.raises(asyncio.CancelledError):
        home.sweep_later()
    (lost,) = home.mailbox.tried
    home.mailbox.fails = None
    survivor = home.another()
    assert home.sweep(survivor) == []
    home.clock.pass_by(SCHEDULES[Channel.MAIL].claim + MINUTE)
    (message,) = home.sweep(survivor)
    survivor.close()
    assert message["Message-ID"] == lost["Message-ID"]


def test_two_servers_send_each_email_once(anywhere: MailFixture) -> None:
    games = [f"game{number:06}" for number in range(12)]
    for game in games:
        anywhere.begin(game, settings=MAIL)
    anywhere.clock.pass_by(2 * MINUTE)
    shared = anywhere.store.shared
    stores = [Store.open(anywhere.store.url) if shared else anywhere.store for _ in range(3)]
    postmen = [anywhere.another(TableService(store)) for store in stores]
    begin = threading.Barrier(len(postmen))

    def go_round(outbox: Outbox) -> None:
        begin.wait(SOON)
        anywhere.sweep(outbox)

    with ThreadPoolExecutor(len(postmen)) as threads:
        list(threads.map(go_round, postmen))
    for outbox in postmen:
        outbox.close()
    assert len(anywhere.mailbox.to) == len(set(anywhere.mailbox.to)) == len(games)
    for store in stores:
        if shared:
            store.close()


def test_emails_of_other_games_survive_a_damaged_game(home: MailFixture) -> None:
    home.begin("damagedone", settings=MAIL)
    home.begin(settings=MAIL)
    log = schema.log.c
    broken = update(schema.log).where(log.game == "damagedone", log.log_index == 0)
    home.store.write(lambda c: c.execute(broken.values(kind="end")).rowcount).result(SOON)
    home.clock.pass_by(2 * MINUTE)
    other_outbox = home.another()
    assert [message["To"].addresses[0].domain for message in home.sweep(other_outbox)] == [
        "abcdefghij.example"
    ]
    other_outbox.close()


def test_unneeded_notifications_are_dismissed_in_few_writes(home: MailFixture) -> None:
    game = home.begin(settings=MAIL)
    home.sweep_later()
    row = {
        "game": game.game,
        "log_index": 1,
        "seat": "red",
        "kind": "decision",
        "body": '{"decision": 1}',
    }
    rows = [row | {"at": 1, "sent": 0} for _ in range(1200)]
    home.store.write(lambda c: c.execute(insert(schema.notification), rows).rowcount).result(SOON)
    home.update_account("abcdefghij-red", email=None)
    writes, write = [], home.store.write

    def counted(*arguments: object, **more: object) -> object:
        writes.append(arguments)
        return write(*arguments, **more)  # type: ignore[arg-type]

    home.store.write = counted  # type: ignore[method-assign, assignment]
    assert home.sweep_later() == []
    assert home.waiting() == 0
    assert len(writes) <= 4


def test_an_email_contains_only_what_its_seat_may_know(home: MailFixture) -> None:
    game = home.begin(preset="secret-mission", settings=MAIL)
    game.play(3)
    (message,) = home.sweep_later()
    played, text = game.snapshot.game(), body(message)
    own = played.seat(str(message["To"]).partition("@")[0])
    missions = game.snapshot.ruleset.board.missions
    dealt = [missions[int(each)].text for each in game.snapshot.position.mission[: played.size]]
    assert dealt[own] in text
    assert not any(each in text for seat, each in enumerate(dealt) if seat != own)


def test_a_hanging_mail_server_does_not_delay_the_shutdown(home: MailFixture) -> None:
    home.begin(settings=MAIL)
    home.clock.pass_by(2 * MINUTE)
    reached = threading.Event()

    async def hang(_: EmailMessage) -> None:
        reached.set()
        await asyncio.sleep(3600)

    home.mailbox.send = hang  # type: ignore[method-assign, assignment]
    home.outbox.start()
    home.send_now(sign_in_email(IDENTITY, "ann@example.org", "a" * 26, 0, known=False))
    assert reached.wait(SOON)
    began = time.monotonic()
    home.outbox.close()
    assert time.monotonic() - began < SOON


def test_send_now_bypasses_the_outbox(home: MailFixture) -> None:
    home.outbox.start()
    message = sign_in_email(IDENTITY, "ann@example.org", "a" * 26, 0, known=False)
    home.send_now(message).result(SOON)
    assert home.mailbox.to == ["ann@example.org"]
    home.mailbox.refuse()
    home.send_now(message).result(SOON)
    assert len(home.mailbox.tried) == 2


@pytest.mark.parametrize("damage", [{"body": "{}"}, {"kind": "begin"}])
def test_a_notification_that_cannot_be_read_keeps_no_other_back(
    home: MailFixture, damage: dict[str, object]
) -> None:
    home.begin(settings=MAIL)
    game = home.begin("bcdefghijk", settings=MAIL)
    notification = schema.notification.c
    home.damage(notification.game == "abcdefghij", notification.kind == DecisionDue.kind, **damage)
    (message,) = home.sweep_later()
    assert str(message["To"]) == f"{game.mover()[0]}@{game.game}.example"
    assert home.waiting() == 1
    assert home.sweep_later(2 * DAY) == []
    assert home.waiting() == 0
