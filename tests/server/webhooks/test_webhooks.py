"""Webhooks get what their account's seats are told, signed, and nothing that others may not see."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Iterator
from functools import partial

import httpx
import pytest
from sqlalchemy import func, select

from rubicon.engine.warmup import warm
from rubicon.rules.game import Game
from rubicon.server.accounts import erase_account
from rubicon.server.outbox import Channel
from rubicon.server.posts import ForbiddenEndpointError
from rubicon.server.webhooks import (
    MAX_WEBHOOKS,
    NewWebhook,
    WebhookForm,
    WebhookQueue,
    add_webhook,
    webhooks_of,
)
from rubicon.table.errors import TableError
from rubicon.table.settings import Clock, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from tests.server.mail.mailing import DAY, HOUR, IDENTITY, MINUTE, MailFixture, swept
from tests.table.hosted import SOON

MAIL = Settings(clock=Clock.DAYS)
URL = "https://hooks.example.org/rubicon"


class WebhookFixture(MailFixture):
    """A game whose players can have webhooks, and the service that these lead to."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.status = 204
        self.requests: list[httpx.Request] = []
        self.secrets: dict[str, str] = {}
        self.sender = WebhookQueue(
            store,
            IDENTITY,
            transport=httpx.MockTransport(self._answer),
            resolve=self.resolve,
            clock=self.clock,
        )
        self.outbox.add(self.sender)

    async def resolve(self, host: str) -> str:
        """The address of the service."""
        assert host == "hooks.example.org"
        return "203.0.113.7"

    def add(self, seat: str, form: WebhookForm = WebhookForm.JSON) -> str:
        """Add a webhook to a seat's account; its secret."""
        wanted = NewWebhook(url=URL, form=form)
        job = partial(add_webhook, account=f"abcdefghij-{seat}", wanted=wanted)
        return self.store.write(job).result(SOON)[1]

    def delivered(self, milliseconds: int = 2 * MINUTE) -> list[httpx.Request]:
        """What the service got after a time."""
        before = len(self.requests)
        self.sweep_later(milliseconds)
        self.news(0)
        while swept(self.outbox, Channel.WEBHOOK):
            pass
        return self.requests[before:]

    def waiting_messages(self) -> int:
        counted = select(func.count()).select_from(schema.webhook_message)
        return int(self.store.read(lambda c: c.execute(counted).scalar_one()))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(self.status)


@pytest.fixture
def home(store: Store) -> Iterator[WebhookFixture]:
    """On both databases."""
    warm()
    made = WebhookFixture(store)
    yield made
    made.close()


def test_a_pending_decision_is_sent_once_and_signed(home: WebhookFixture) -> None:
    game = home.begin(settings=MAIL)
    seat, decision = game.mover()
    secret = home.add(seat)
    (request,) = home.delivered()
    assert home.delivered() == []
    assert request.url.host == "203.0.113.7"
    assert (request.headers["host"], request.url.path) == ("hooks.example.org", "/rubicon")
    body = json.loads(request.content)
    assert (body["type"], body["data"]["game"]) == ("decision", game.game)
    assert (body["data"]["seat"], body["data"]["decision"]) == (seat, decision)
    key = base64.b64decode(secret.removeprefix("whsec_"))
    number, seconds = (request.headers[f"webhook-{name}"] for name in ("id", "timestamp"))
    signed = f"{number}.{seconds}.".encode() + request.content
    expected = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    assert request.headers["webhook-signature"] == f"v1,{expected}"


def test_a_guest_without_address_can_have_a_webhook(home: WebhookFixture) -> None:
    game = home.begin(settings=MAIL)
    seat, _ = game.mover()
    home.update_account(f"abcdefghij-{seat}", email=None)
    home.add(seat)
    assert len(home.delivered()) == 1


def test_a_decision_that_was_made_since_is_not_sent(home: WebhookFixture) -> None:
    game = home.begin(settings=MAIL)
    seat, _ = game.mover()
    home.add(seat)
    home.status = 503
    assert len(home.delivered()) == 1
    while game.mover()[0] == seat:
        game.submit(str(game.snapshot.game().legal[0]))
    home.status = 204
    assert [json.loads(r.content)["data"]["seat"] for r in home.delivered(HOUR)] == []
    assert home.waiting_messages() == 0


@pytest.mark.parametrize(
    ("status", "tries", "kept"),
    [(503, 2, True), (429, 2, True), (400, 1, True), (301, 1, True), (404, 1, False)],
)
def test_what_is_refused_for_good_is_not_sent_again(
    home: WebhookFixture, status: int, tries: int, kept: bool
) -> None:
    game = home.begin(settings=MAIL)
    seat, _ = game.mover()
    home.add(seat)
    home.status = status
    home.delivered()
    home.delivered(HOUR)
    assert len(home.requests) == tries
    assert len({request.headers["webhook-id"] for request in home.requests}) == 1
    assert bool(home.store.read(partial(webhooks_of, account=f"abcdefghij-{seat}"))) is kept
    home.delivered(DAY)
    assert home.waiting_messages() == 0


def strongest_attack(game: Game) -> str:
    """The legal attack from the territory with most armies; "" where there is none."""
    attacks = [str(action) for action in game.legal if str(action).startswith("attack")]
    armies = dict(zip(game.territories, game.position.armies, strict=False))
    return max(attacks, key=lambda attack: armies[attack.split()[1]], default="")


def test_the_rolls_of_an_attack_are_one_message_for_discord(home: WebhookFixture) -> None:
    game = home.begin(preset="email", settings=MAIL, title="Friday\n@everyone")
    game.play(until="attack")
    home.add("red", WebhookForm.DISCORD)
    for _ in range(2):
        while not (attack := strongest_attack(game.snapshot.game())):
            game.submit(str(game.snapshot.game().legal[0]))  # the occupation
        game.submit(attack)
    rolls = [
        json.loads(request.content)
        for request in home.delivered(3 * MINUTE)
        if b"loses" in request.content
    ]
    (message,) = rolls
    assert message["allowed_mentions"] == {"parse": []}
    assert message["content"].startswith("**Friday @everyone**\n")
    assert message["content"].count("loses") >= 2
    assert "_" not in message["content"]  # names of territories, not ids
    assert " attacks " in message["content"]
    assert len(message["content"]) <= 2000


def test_own_cards_are_not_sent(home: WebhookFixture) -> None:
    game = home.begin(preset="email", settings=MAIL)
    for seat in game.snapshot.game().colours:
        home.add(seat)
    game.play(120)
    text = b"".join(request.content for request in home.delivered(10 * MINUTE)).decode()
    assert "loses" in text
    assert " draws " not in text
    assert " place " not in text


def test_an_address_that_is_not_public_is_never_asked(home: WebhookFixture) -> None:
    game = home.begin(settings=MAIL)
    seat, _ = game.mover()
    home.add(seat)

    async def internal(host: str) -> str:
        raise ForbiddenEndpointError(host)

    home.sender._resolve = internal
    assert home.delivered() == []
    assert home.store.read(partial(webhooks_of, account=f"abcdefghij-{seat}")) == []


@pytest.mark.parametrize(
    "wrong",
    [
        "http://hooks.example.org/x",
        "https://127.0.0.1/x",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://localhost/x",
        "https://printer.lan/x",
        "https://a..example.org/x",
        f"https://{'a' * 64}.example.org/x",
        "https://user:password@hooks.example.org/x",
        "https://hooks.example.org:8443/x",
        "file:///etc/passwd",
        "https://hooks.example.org/" + "x" * 1000,
    ],
)
def test_urls_inside_a_network_are_refused(home: WebhookFixture, wrong: str) -> None:
    home.begin(settings=MAIL)
    job = partial(add_webhook, account="abcdefghij-red", wanted=NewWebhook(url=wrong))
    with pytest.raises(TableError) as refused:
        home.store.write(job).result(SOON)
    assert refused.value.code == "webhook/url"


def test_an_account_has_five_webhooks_at_most_and_none_when_it_is_erased(
    home: WebhookFixture,
) -> None:
    home.begin(settings=MAIL)
    for _ in range(MAX_WEBHOOKS):
        home.add("red")
    with pytest.raises(TableError) as refused:
        home.add("red")
    assert refused.value.code == "webhook/too-many"
    home.store.write(lambda c: len(erase_account(c, "abcdefghij-red"))).result(SOON)
    assert home.store.read(partial(webhooks_of, account="abcdefghij-red")) == []


@pytest.mark.parametrize("damage", [{"body": "{}"}, {"kind": "begin"}])
def test_a_notification_that_cannot_be_read_keeps_no_other_webhook_back(
    home: WebhookFixture, damage: dict[str, object]
) -> None:
    home.begin(settings=MAIL)
    game = home.begin("bcdefghijk", settings=MAIL)
    for account in ("abcdefghij", "bcdefghijk"):
        for seat in game.snapshot.game().colours:
            job = partial(add_webhook, account=f"{account}-{seat}", wanted=NewWebhook(url=URL))
            home.store.write(job).result(SOON)
    home.sweep_later()
    home.damage(
        schema.notification.c.game == "abcdefghij",
        schema.notification.c.kind == "decision",
        **damage,
    )
    while swept(home.outbox, Channel.WEBHOOK):
        pass
    assert [json.loads(each.content)["data"]["game"] for each in home.requests] == [game.game]
    assert home.waiting_messages() == 1
