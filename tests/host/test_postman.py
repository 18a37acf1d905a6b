"""The postman: at most one letter for a duty, whatever fails, and however many hosts there are."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from rubicon.host.letters import link_letter
from rubicon.host.postman import CLAIM, Postman
from rubicon.rules.warmup import warm
from rubicon.table import schema
from rubicon.table.agreeing import vote
from rubicon.table.letters import WAITS, letter_for
from rubicon.table.lines import Kind, Line
from rubicon.table.lives import rebuilt
from rubicon.table.migrating import migrate
from rubicon.table.page import Page
from rubicon.table.presence import there_behind
from rubicon.table.settings import Clock, Settings
from rubicon.table.store import Store
from rubicon.table.table import Table
from tests.host.posted import DAY, HEAD, HOUR, MINUTE, House, house
from tests.table.hosted import SOON, Hosted

MAIL = Settings(clock=Clock.DAYS)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[House]:
    warm(lambda *_: None)
    store = Store.open(f"sqlite:///{tmp_path}/letters.db")
    migrate(store)
    with house(store) as made:
        yield made
    store.close()


@pytest.fixture
def anywhere(store: Store) -> Iterator[House]:
    """On both databases."""
    warm(lambda *_: None)
    with house(store) as made:
        yield made


def body(letter: EmailMessage) -> str:
    return str(letter.get_content())


def change(game: Hosted, act: Callable[[Page], object]) -> None:
    """Let something happen at the table."""

    def do(page: Page) -> None:
        act(page)

    game.table.change(game.game, do).result(SOON)


def all_vote(game: Hosted, motion: str) -> None:
    """Everybody is for it."""
    for colour in game.snapshot.game().colours:
        change(game, partial(vote, seat=colour, motion=motion))


def warned(game: Hosted) -> None:
    """Time is running out for whoever is asked."""
    seat, duty = game.mover()
    change(game, lambda page: page.line(Kind.WARNED, "", seat, duty))


def test_who_is_asked_has_one_letter_after_a_while_and_no_second_one(anywhere: House) -> None:
    game = anywhere.begin(settings=MAIL)
    seat, _ = game.mover()
    assert anywhere.sweep() == []
    (letter,) = anywhere.sweep_later()
    assert letter["To"] == f"{seat}@abcdefghij.example"
    assert letter["Subject"] == "Your turn: Friday"
    assert anywhere.sweep_later(HOUR) == []
    restarted = anywhere.another()
    assert anywhere.sweep(restarted) == []
    restarted.close()
    assert anywhere.waiting() == 0


def test_who_has_answered_in_the_meantime_gets_none(anywhere: House) -> None:
    game = anywhere.begin(settings=MAIL)
    first, _ = game.mover()
    game.submit(str(game.snapshot.game().legal[0]))
    while game.mover()[0] == first:
        game.submit(str(game.snapshot.game().legal[0]))
    letters = anywhere.sweep_later()
    assert [letter["To"] for letter in letters] == [f"{game.mover()[0]}@abcdefghij.example"]


@pytest.mark.parametrize("orders", [False, True], ids=["decision", "orders"])
def test_what_follows_on_the_own_decision_needs_none(home: House, orders: bool) -> None:
    """Who has just played is there; who was waiting for somebody else is not."""
    game = home.begin(settings=MAIL)
    game.play(until="attack")
    home.sweep_later()
    told = len(home.mailbox.letters)
    seat, duty = game.mover()
    attack = next(a for a in map(str, game.snapshot.game().legal) if a.startswith("attack"))
    _, source, _, target, *_ = attack.split()
    game.submit(f"ATTACK {source} -> {target}" if orders else attack, orders=orders)
    again, newer = game.mover()
    assert (again, newer > duty) == (seat, True)
    home.sweep_later()
    assert len(home.mailbox.letters) == told
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
def test_orders_count_from_when_they_were_handed_in(home: House, lines: str, there: bool) -> None:
    game = home.begin(settings=MAIL)
    live = home.store.read(lambda connection: rebuilt(connection, game.game))
    for number, (kind, seat, duty) in enumerate(map(str.split, filter(None, lines.split("; ")))):
        line = Line(100 + number, Kind(kind), seat, int(duty), "", 1)
        if line.kind is Kind.ORDERS:
            live.ordered[seat] = line
        live.there = there_behind(line, live.there, live.ordered)
    assert (live.there == "red") is there
    assert letter_for(live, "red", "duty") == (None if there else WAITS)


@pytest.mark.parametrize(
    "values", [{"email": None}, {"settings": '{"letters": false}'}], ids=["guest", "off"]
)
def test_guests_and_those_who_want_none_get_none(home: House, values: dict[str, object]) -> None:
    game = home.begin(settings=MAIL)
    home.wish(f"abcdefghij-{game.mover()[0]}", **values)
    assert home.sweep_later() == []
    assert home.waiting() == 0


def test_no_letters_where_they_come_too_late(home: House) -> None:
    home.begin(settings=Settings(clock=Clock.LIVE))
    assert home.waiting() == 0
    assert home.sweep_later() == []


def test_a_seat_that_a_stand_in_plays_gets_none(home: House) -> None:
    game = home.begin(settings=MAIL)
    seat, _ = game.mover()
    change(game, lambda page: page.line(Kind.BOT, "greedy", seat))
    assert home.sweep_later() == []
    change(game, lambda page: page.line(Kind.ACTION, f"resign {seat}", seat))
    assert seat not in [str(to).partition("@")[0] for to in home.mailbox.to]


def test_time_that_runs_out_leads_to_one_more_letter(home: House) -> None:
    game = home.begin(settings=MAIL)
    home.sweep_later()
    warned(game)
    (letter,) = home.sweep_later()
    assert letter["Subject"] == "Time is running out: Friday"
    assert "the others may vote" in body(letter)
    assert home.sweep_later() == []


def test_the_end_is_told_to_all_once(home: House) -> None:
    game = home.begin(settings=MAIL)
    home.sweep_later()
    colours = game.snapshot.game().colours
    for colour in colours[:2]:
        game.table.aside(game.game, colour, f"resign {colour}").result(SOON)
    assert game.snapshot.ending is not None
    letters = {str(letter["To"]).partition("@")[0]: letter for letter in home.sweep_later()}
    winner = game.snapshot.ending.result
    assert set(letters) == set(colours)
    assert letters[winner]["Subject"] == "You have won: Friday"
    loser = next(colour for colour in colours if colour != winner)
    assert letters[loser]["Subject"] == f"{winner.title()} has won: Friday"
    assert home.sweep_later() == []


def test_while_the_game_is_paused_letters_wait(home: House) -> None:
    game = home.begin(settings=MAIL)
    all_vote(game, "pause")
    assert game.snapshot.paused
    assert home.sweep_later() == []
    all_vote(game, "resume")
    assert len(home.sweep_later(5 * MINUTE)) == 1


def test_what_fails_is_tried_again_with_growing_rests_and_the_same_id(anywhere: House) -> None:
    anywhere.begin(settings=MAIL)
    anywhere.mailbox.refuse()
    for wait in (2 * MINUTE, 3 * MINUTE, 6 * MINUTE):
        tried = len(anywhere.mailbox.tried)
        anywhere.sweep_later(wait)
        assert len(anywhere.mailbox.tried) == tried + 1
        anywhere.sweep()
        assert len(anywhere.mailbox.tried) == tried + 1
    anywhere.mailbox.fails = None
    (letter,) = anywhere.sweep_later(12 * MINUTE)
    assert {tried["Message-ID"] for tried in anywhere.mailbox.tried} == {letter["Message-ID"]}
    assert anywhere.sweep_later(DAY) == []


def test_after_a_day_it_is_given_up(home: House) -> None:
    home.begin(settings=MAIL)
    home.mailbox.refuse()
    home.sweep_later()
    home.sweep_later(DAY)
    home.mailbox.fails = None
    assert home.sweep_later() == []
    assert home.waiting() == 0


def test_what_is_refused_for_good_is_not_tried_again(home: House) -> None:
    home.begin(settings=MAIL)
    home.mailbox.refuse(final=True)
    home.sweep_later()
    assert home.waiting() == 0
    assert len(home.mailbox.tried) == 1


def test_a_crash_between_claim_and_letter_delays_it_by_minutes(home: House) -> None:
    home.begin(settings=MAIL)
    home.mailbox.fails = asyncio.CancelledError()
    with pytest.raises(asyncio.CancelledError):
        home.sweep_later()
    (lost,) = home.mailbox.tried
    home.mailbox.fails = None
    survivor = home.another()
    assert home.sweep(survivor) == []
    home.clock.pass_by(CLAIM + MINUTE)
    (letter,) = home.sweep(survivor)
    survivor.close()
    assert letter["Message-ID"] == lost["Message-ID"]


def test_two_postmen_send_each_letter_once(anywhere: House) -> None:
    games = [f"game{number:06}" for number in range(12)]
    for game in games:
        anywhere.begin(game, settings=MAIL)
    anywhere.clock.pass_by(2 * MINUTE)
    shared = anywhere.store.shared
    stores = [Store.open(anywhere.store.url) if shared else anywhere.store for _ in range(3)]
    postmen = [anywhere.another(Table(store)) for store in stores]
    begin = threading.Barrier(len(postmen))

    def go_round(postman: Postman) -> None:
        begin.wait(SOON)
        anywhere.sweep(postman)

    with ThreadPoolExecutor(len(postmen)) as threads:
        list(threads.map(go_round, postmen))
    for postman in postmen:
        postman.close()
    assert len(anywhere.mailbox.to) == len(set(anywhere.mailbox.to)) == len(games)
    for store in stores:
        if shared:
            store.close()


def test_a_damaged_game_does_not_stop_the_others(home: House) -> None:
    home.begin("damagedone", settings=MAIL)
    home.begin(settings=MAIL)
    log = schema.log.c
    broken = update(schema.log).where(log.game == "damagedone", log.entry == 0)
    home.store.write(lambda c: c.execute(broken.values(kind="end")).rowcount).result(SOON)
    home.clock.pass_by(2 * MINUTE)
    elsewhere = home.another()
    assert [letter["To"].addresses[0].domain for letter in home.sweep(elsewhere)] == [
        "abcdefghij.example"
    ]
    elsewhere.close()


def test_what_needs_no_letter_is_done_with_in_few_writes(home: House) -> None:
    game = home.begin(settings=MAIL)
    home.sweep_later()
    row = {"game": game.game, "entry": 1, "seat": "red", "kind": "duty", "body": '{"duty": 1}'}
    rows = [row | {"at": 1, "sent": 0} for _ in range(1200)]
    home.store.write(lambda c: c.execute(insert(schema.notice), rows).rowcount).result(SOON)
    home.wish("abcdefghij-red", email=None)
    writes, write = [], home.store.write

    def counted(*arguments: object, **more: object) -> object:
        writes.append(arguments)
        return write(*arguments, **more)  # type: ignore[arg-type]

    home.store.write = counted  # type: ignore[method-assign, assignment]
    assert home.sweep_later() == []
    assert home.waiting() == 0
    assert len(writes) <= 4


def test_nothing_that_only_others_know_is_in_a_letter(home: House) -> None:
    game = home.begin(preset="secret-mission", settings=MAIL)
    game.play(3)
    (letter,) = home.sweep_later()
    position = game.snapshot.position
    text = letter.as_string()
    assert int(position.mission[0]) >= 0
    assert not re.search(r"\bM\d|mission|destroy|conquer", text)
    assert not any(territory in text for territory in game.snapshot.game().territories)


def test_a_hanging_server_does_not_keep_the_house_open(home: House) -> None:
    home.begin(settings=MAIL)
    home.clock.pass_by(2 * MINUTE)
    reached = threading.Event()

    async def hang(_: EmailMessage) -> None:
        reached.set()
        await asyncio.sleep(3600)

    home.mailbox.send = hang  # type: ignore[method-assign, assignment]
    home.postman.start()
    home.postman.post(link_letter(HEAD, "ann@example.org", "a" * 26, 0, known=False))
    assert reached.wait(SOON)
    began = time.monotonic()
    home.postman.close()
    assert time.monotonic() - began < SOON


def test_a_posted_letter_goes_out_beside_all_others(home: House) -> None:
    home.postman.start()
    letter = link_letter(HEAD, "ann@example.org", "a" * 26, 0, known=False)
    home.postman.post(letter).result(SOON)
    assert home.mailbox.to == ["ann@example.org"]
    home.mailbox.refuse()
    home.postman.post(letter).result(SOON)
    assert len(home.mailbox.tried) == 2
