"""A pending decision is pushed once to each device, in the view of its seat, whatever fails."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from sqlalchemy import Connection, func, select

from rubicon.engine.warmup import warm
from rubicon.server.accounts import erase_account
from rubicon.server.outbox import SCHEDULES, Channel, Rows
from rubicon.server.posts import ForbiddenEndpointError, outcome_of_status
from rubicon.server.push import (
    MAX_DEVICES,
    PushQueue,
    ServerKey,
    devices_of,
    subscribe,
    unsubscribe,
)
from rubicon.table.commands.votes import vote
from rubicon.table.errors import TableError
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.settings import Clock, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from tests.server.mail.mailing import DAY, IDENTITY, MINUTE, MailFixture, swept
from tests.server.push.push_service import HOST, Browser, PushService, check_signature
from tests.table.hosted import SOON, Hosted

DAILY = Settings(clock=Clock.DAYS)


class PushFixture(MailFixture):
    """A game whose players have devices."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.service = PushService()
        self.key = ServerKey.of(store)
        self.push = self.sender()
        self.outbox.add(self.push)

    def sender(self) -> PushQueue:
        """A sender as of another process."""
        return PushQueue(
            self.store,
            self.key,
            IDENTITY,
            transport=self.service.transport,
            resolve=self.service.resolve,
            clock=self.clock,
        )

    def subscribe(self, account: str, name: str = "one") -> Browser:
        """Give an account a device."""
        browser = self.service.browser(name)
        job = partial(subscribe, account=account, device=browser.device)
        self.store.write(job).result(SOON)
        return browser

    def pushed(self, milliseconds: int = 2 * MINUTE) -> int:
        """How many messages the service took after a time."""
        before = len(self.service.received)
        self.sweep_later(milliseconds)
        while swept(self.outbox, Channel.PUSH):
            pass
        return len(self.service.received) - before

    def queued(self) -> int:
        """How many messages wait."""
        counted = select(func.count()).select_from(schema.push_message)
        return int(self.store.read(lambda c: c.execute(counted).scalar_one()))

    def devices(self, account: str) -> int:
        """How many devices an account has."""
        return len(self.store.read(partial(devices_of, account=account)))


@pytest.fixture
def home(store: Store) -> Iterator[PushFixture]:
    """On both databases."""
    warm()
    made = PushFixture(store)
    yield made
    made.close()


def cast(home: PushFixture, game: Hosted, seat: str, motion: str) -> None:
    """A vote."""

    def act(unit: UnitOfWork) -> None:
        vote(unit, seat=seat, motion=motion)

    home.table.change(game.game, act).result(SOON)


def begun(home: PushFixture, devices: int = 1) -> tuple[Hosted, str]:
    """A game, and the account of the player who must decide, with devices."""
    game = home.begin(settings=DAILY)
    account = f"{game.game}-{game.mover()[0]}"
    for number in range(devices):
        home.subscribe(account, f"device{number}")
    return game, account


def test_nothing_is_pushed_unless_somebody_asked_for_it(home: PushFixture) -> None:
    home.begin(settings=DAILY)
    assert (home.pushed(), len(home.mailbox.messages)) == (0, 1)


def test_a_pending_decision_is_pushed_once_to_each_device(home: PushFixture) -> None:
    game, _ = begun(home, devices=2)
    assert home.pushed() == 2
    seat, decision = game.mover()
    shown = {"kind": "decision", "game": game.game, "title": "Friday", "decision": decision}
    for content in home.service.received:
        assert shown.items() <= content.items()
        assert content["url"] == f"{IDENTITY.url}/games/{game.game}"
    assert (home.pushed(60 * MINUTE), home.queued()) == (0, 0)
    assert [message["To"] for message in home.mailbox.messages] == [f"{seat}@abcdefghij.example"]


def test_a_request_goes_to_the_checked_address_and_is_signed(home: PushFixture) -> None:
    begun(home)
    home.pushed()
    (request,) = home.service.requests
    assert (request.url.host, request.headers["host"]) == ("203.0.113.7", HOST)
    assert request.extensions["sni_hostname"] == HOST
    assert request.headers["content-encoding"] == "aes128gcm"
    assert int(request.headers["ttl"]) == DAY // 1000
    claims = check_signature(request.headers["authorization"], home.key.public)
    assert claims["aud"] == f"https://{HOST}"
    assert claims["sub"] == "mailto:rubicon@risk.example.org"
    assert ServerKey.of(home.store).public == home.key.public


def test_a_player_without_an_address_is_told_too(home: PushFixture) -> None:
    _, account = begun(home)
    home.update_account(account, email=None)
    assert (home.pushed(), len(home.mailbox.messages)) == (1, 0)
    assert home.waiting() == 0


def test_a_player_who_wants_no_emails_is_told_too(home: PushFixture) -> None:
    _, account = begun(home)
    home.update_account(account, settings='{"emails": false}')
    assert (home.pushed(), len(home.mailbox.messages)) == (1, 0)


def test_a_failed_email_repeats_no_push(home: PushFixture) -> None:
    begun(home)
    home.mailbox.refuse()
    assert home.pushed() == 1
    home.mailbox.fails = None
    assert (home.pushed(10 * MINUTE), len(home.mailbox.messages)) == (0, 1)


def test_a_paused_game_is_pushed_when_it_goes_on(home: PushFixture) -> None:
    game, _ = begun(home)
    for motion, seats in (("pause", ("red", "blue", "green")), ("resume", ("red",))):
        for seat in seats:
            cast(home, game, seat, motion)
        if motion == "pause":
            assert home.pushed() == 0
    assert home.pushed(60 * MINUTE) == 1


def test_a_push_service_that_fails_is_asked_again(home: PushFixture) -> None:
    begun(home)
    home.service.status = 503
    assert (home.pushed(), home.queued(), len(home.service.requests)) == (0, 1, 1)
    home.service.status = 201
    assert (home.pushed(5 * MINUTE), home.queued()) == (1, 0)


def test_a_push_service_that_fails_for_a_day_is_given_up(home: PushFixture) -> None:
    begun(home)
    home.service.status = 500
    home.pushed()
    home.pushed(DAY)
    assert home.queued() == 0


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_is_deleted(home: PushFixture, status: int) -> None:
    _, account = begun(home)
    home.service.status = status
    home.pushed()
    assert (home.devices(account), home.queued()) == (0, 0)


def test_a_refused_message_is_not_repeated(home: PushFixture) -> None:
    _, account = begun(home)
    home.service.status = 400
    home.pushed()
    assert (home.devices(account), home.queued()) == (1, 0)


def test_a_redirect_is_not_followed(home: PushFixture) -> None:
    begun(home)
    home.service.status = 307
    home.pushed()
    assert (len(home.service.requests), home.queued()) == (1, 0)


def test_a_host_that_is_not_public_gets_no_request(home: PushFixture) -> None:
    _, account = begun(home)

    async def resolve(host: str) -> str:
        raise ForbiddenEndpointError(host)

    home.push._resolve = resolve
    home.pushed()
    assert (home.service.requests, home.devices(account)) == ([], 0)


def test_no_push_after_the_decision_is_made(home: PushFixture) -> None:
    game, _ = begun(home)
    home.service.status = 503
    home.pushed()
    game.submit(str(game.snapshot.game().legal[0]))
    home.service.status = 201
    assert (home.pushed(5 * MINUTE), home.queued()) == (0, 0)


def test_a_message_is_claimed_by_one_server(home: PushFixture) -> None:
    begun(home)
    home.sweep_later()
    at = home.store.read(home.clock)
    found = home.store.read(partial(home.push.due, at=at))
    schedule = SCHEDULES[Channel.PUSH]
    wanted: dict[Rows, int | None] = {found[0].rows: at + schedule.claim}
    claim = partial(home.push.rows.claim, wanted=wanted, at=at)
    assert len(found) == 1
    assert home.store.write(claim).result(SOON) == {found[0].rows}
    assert home.store.write(claim).result(SOON) == set()
    assert home.pushed(0) == 0
    assert home.pushed(schedule.claim) == 1  # the server that had claimed it died


def test_an_erased_account_has_no_devices(home: PushFixture) -> None:
    _, account = begun(home, devices=2)
    home.sweep_later()
    assert home.queued() == 2
    home.store.write(partial(erase_account, account=account)).result(SOON)
    assert (home.devices(account), home.queued()) == (0, 0)


def test_a_device_belongs_to_one_account_and_there_are_few(home: PushFixture) -> None:
    game, account = begun(home)
    other = next(
        f"{game.game}-{seat}"
        for seat in ("red", "blue", "green")
        if not account.endswith(f"-{seat}")
    )
    device = home.service.browsers["/send/device0"].device
    home.store.write(partial(subscribe, account=other, device=device)).result(SOON)
    assert (home.devices(account), home.devices(other)) == (0, 1)
    for number in range(MAX_DEVICES):
        home.subscribe(other, f"more{number}")
    assert home.devices(other) == MAX_DEVICES
    home.store.write(partial(unsubscribe, account=other, device=None)).result(SOON)
    assert home.devices(other) == 0


def test_the_device_of_somebody_else_cannot_be_removed(home: PushFixture) -> None:
    _, account = begun(home)
    (known,) = home.store.read(partial(devices_of, account=account))

    def remove(connection: Connection) -> None:
        unsubscribe(connection, "somebody", known.id)

    with pytest.raises(TableError) as caught:
        home.store.write(remove).result(SOON)
    assert caught.value.code == "push/unknown"
    assert home.devices(account) == 1


def test_what_the_answers_of_a_push_service_mean() -> None:
    assert outcome_of_status(201).delivered
    assert outcome_of_status(410).gone
    assert [outcome_of_status(status).final for status in (400, 413, 429, 500, 503)] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_notification_that_cannot_be_read_keeps_no_other_push_message_back(
    home: PushFixture,
) -> None:
    broken, _ = begun(home)
    game = home.begin("bcdefghijk", settings=DAILY)
    home.subscribe(f"{game.game}-{game.mover()[0]}", "another")
    home.sweep_later()
    home.damage(schema.notification.c.game == broken.game, body="[]")
    while swept(home.outbox, Channel.PUSH):
        pass
    assert [each["game"] for each in home.service.received] == [game.game]
    assert home.queued() == 1
