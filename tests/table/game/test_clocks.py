"""Time: who is late and when, what follows, and that nothing of it is done twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rubicon.errors import RubiconError
from rubicon.players.player import Player
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.admin.audit import verify_store
from rubicon.table.commands.votes import vote
from rubicon.table.deadlines import announce_absence, take_back_seat, tick
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.log_lines import LineKind
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.settings import DAY, HOUR, Clock, Settings, TimeoutPolicy
from rubicon.table.storage.database import Store, migrate
from rubicon.table.storage.event_log import lines_of
from rubicon.table.table_service import TableService
from tests.table.hosted import GAME, SOON, Hosted, hosted
from tests.table.timed import START, Time

DAYS = Settings(
    clock=Clock.DAYS, decision_time=DAY, bank=2 * HOUR, bank_gain=HOUR, bank_most=4 * HOUR
)


@pytest.fixture
def game(tmp_path: Path, time: Time) -> Iterator[Hosted]:
    with hosted(tmp_path, settings=DAYS) as game:
        yield game


def settle(game: Hosted, up_since: int = START) -> int:
    """Act on what is due; how many games were concerned."""
    futures = tick(game.table, up_since)
    for future in futures:
        future.result(SOON)
    return len(futures)


def do(game: Hosted, act: Callable[..., None], *arguments: object, **more: object) -> None:
    """Run a command on the game."""

    def change(unit: UnitOfWork) -> None:
        act(unit, *arguments, **more)

    game.table.change(GAME, change).result(SOON)


def kinds(game: Hosted) -> list[LineKind]:
    """The kinds of the log's lines."""
    lines = game.table.store.read(lambda connection: lines_of(connection, game.game))
    return [line.kind for line in lines]


def test_a_seat_is_late_only_after_decision_time_and_bank(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    assert game.snapshot.due == {seat: START + (DAY + 2 * HOUR) * 1000}
    time.pass_by(DAY + 2 * HOUR - 1)
    settle(game)
    assert LineKind.LATE not in kinds(game)
    time.pass_by(1)
    assert settle(game) == 1
    assert kinds(game).count(LineKind.LATE) == 1
    assert settle(game) == 0  # once


def test_a_warning_comes_once_and_in_time(game: Hosted, time: Time) -> None:
    seat, decision = game.mover()
    time.pass_by(DAY + 2 * HOUR - DAY // 4)
    settle(game)
    settle(game)
    told = [f for f in game.table.facts(GAME, seat) if f["kind"] == "deadline"]
    assert len(told) == 1
    assert str(decision) in told[0]["body"]


def test_the_bank_pays_for_what_was_too_long_and_grows_with_a_turn(
    game: Hosted, time: Time
) -> None:
    game.play(until="reinforce")
    seat, _ = game.mover()
    time.pass_by(DAY + HOUR)
    hosted = game.table.cache.held(GAME)
    assert hosted is not None
    before = hosted.clocks.seats[seat].bank
    game.play(1)
    assert hosted.clocks.seats[seat].bank == before - HOUR * 1000
    while seat in game.snapshot.decisions:
        game.play(1)
    assert hosted.clocks.seats[seat].bank == min(before, 4 * HOUR * 1000)
    again = game.table.store.read(lambda connection: rebuilt(connection, GAME))
    assert again.clocks == hosted.clocks


def test_a_turn_cannot_be_held_open(tmp_path: Path, time: Time) -> None:
    settings = Settings.read(DAYS.as_dict() | {"turn_limit": HOUR, "timeout_policy": "bot"})
    with hosted(tmp_path, settings=settings) as game:
        game.play(until="reinforce")
        seat, _ = game.mover()
        time.pass_by(DAY)  # the limit counts from the first act
        game.play(1)
        first = time.at
        assert game.snapshot.due[seat] == first + HOUR * 1000
        time.pass_by(HOUR)
        settle(game)
        assert game.snapshot.bots == {seat: "medium"}


def test_a_bot_plays_until_the_owner_takes_the_seat_back(tmp_path: Path, time: Time) -> None:
    settings = Settings.read(DAYS.as_dict() | {"timeout_policy": TimeoutPolicy.BOT.value})
    with hosted(tmp_path, settings=settings) as game:
        seat, decision = game.mover()
        time.pass_by(2 * DAY)
        settle(game)
        assert game.snapshot.bots == {seat: "medium"}
        assert (
            game.snapshot.decisions[seat] == decision
        )  # the decision is the same, but the bot makes it
        assert settle(game) == 0
        with pytest.raises(RubiconError) as caught:  # else the same decision had time again
            do(game, take_back_seat, seat)
        assert caught.value.code == "seat/out-of-time"
        game.play(1)
        do(game, take_back_seat, seat)
        assert game.snapshot.bots == {}


def test_a_silent_seat_resigns_where_the_table_wants_it(tmp_path: Path, time: Time) -> None:
    settings = Settings.read(DAYS.as_dict() | {"timeout_policy": TimeoutPolicy.NEUTRAL.value})
    with hosted(tmp_path, settings=settings) as game:
        for _ in range(2):
            time.pass_by(2 * DAY)
            settle(game)
        assert game.snapshot.ending is not None


def test_a_deadline_during_a_downtime_is_extended(game: Hosted, time: Time) -> None:
    time.pass_by(3 * DAY)
    up_since = time.at
    settle(game, up_since)
    assert LineKind.LATE not in kinds(game)
    time.pass_by(10 * 60)
    settle(game, up_since)
    assert kinds(game).count(LineKind.LATE) == 1


def test_a_pause_stops_all_clocks_and_keeps_what_was_left(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    time.pass_by(HOUR)
    for colour in game.snapshot.game().colours:
        do(game, vote, colour, "pause")
    assert game.snapshot.paused
    assert game.snapshot.due == {}
    time.pass_by(30 * DAY)
    settle(game)
    do(game, vote, seat, "resume")
    assert not game.snapshot.paused
    assert game.snapshot.due[seat] == time.at + (DAY + HOUR) * 1000


def test_extend_needs_a_clock(tmp_path: Path) -> None:
    with hosted(tmp_path) as game, pytest.raises(RubiconError) as caught:
        do(game, vote, game.snapshot.game().colours[0], "extend")
    assert caught.value.code == "vote/no-use"


def test_more_time_and_a_draw_need_everybody(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    before = game.snapshot.due[seat]
    one, two, three = game.snapshot.game().colours

    def votes(colour: str, motion: str, *, withdrawn: bool = False) -> None:
        do(game, vote, colour, motion, withdrawn=withdrawn)

    votes(one, "extend")
    votes(two, "extend")
    assert game.snapshot.due[seat] == before
    votes(three, "extend")
    assert game.snapshot.due[seat] == before + DAY * 1000
    votes(one, "draw")
    votes(one, "draw", withdrawn=True)
    votes(two, "draw")
    votes(three, "draw")
    assert game.snapshot.ending is None
    with pytest.raises(RubiconError) as caught:
        votes(one, "dance")
    assert caught.value.code == "vote/unknown"
    votes(one, "draw")
    assert game.snapshot.ending is not None
    assert game.snapshot.ending.result == "draw"
    for reader in (one, two, three, ""):
        heard = " ".join(fact["body"] for fact in game.table.facts(GAME, reader))
        assert heard.count('"event":"vote"') == 3 + 5  # and the one that was withdrawn


def test_a_resignation_may_carry_a_vote(game: Hosted, time: Time) -> None:
    one, two, three = game.snapshot.game().colours
    for colour in (one, two):
        do(game, vote, colour, "draw")
    game.table.out_of_turn(GAME, three, f"resign {three}").result(SOON)
    assert game.snapshot.ending is not None
    assert game.snapshot.ending.result == "draw"


def test_an_absence_stops_the_own_clock_or_calls_a_bot(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    days = "2027-01-15 2027-01-20"  # time begins on 2027-01-15
    do(game, announce_absence, seat, days)
    back = 1_800_057_600_000 + 5 * DAY * 1000
    assert game.snapshot.due[seat] == back + (DAY + 2 * HOUR) * 1000
    do(game, announce_absence, seat, "")
    do(game, announce_absence, seat, f"{days} random")
    assert game.snapshot.bots == {seat: "random"}
    time.at = back
    settle(game)
    assert game.snapshot.bots == {}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("soon", "absence/text"),
        ("2027-02-30 2027-03-01", "absence/text"),
        ("2027-03-02 2027-03-01", "absence/order"),
        ("2020-03-02 2020-03-03", "absence/past"),
        ("2027-03-02 2027-05-01", "absence/too-long"),
    ],
)
def test_absences_that_cannot_be(game: Hosted, text: str, code: str) -> None:
    with pytest.raises(RubiconError) as caught:
        do(game, announce_absence, "red", text)
    assert caught.value.code == code


def test_an_abandoned_game_is_closed_and_revealed(game: Hosted, time: Time) -> None:
    time.pass_by(61 * DAY)
    settle(game)  # the seat is late: that is an entry, and the last one for a long time
    time.pass_by(61 * DAY)
    settle(game)
    assert game.snapshot.ending is not None
    assert game.snapshot.ending.result == "void"
    hosted = game.table.store.read(lambda connection: rebuilt(connection, GAME))
    assert hosted.transcript.state.closed


def test_clocks_run_from_the_beginning_where_a_game_begins_with_a_decision(
    tmp_path: Path, time: Time
) -> None:
    settings = Settings(
        clock=Clock.LIVE, decision_time=60, bank=0, timeout_policy=TimeoutPolicy.BOT
    )
    with hosted(tmp_path, "email") as before:
        before.play(until="sealed")
        stand = before.snapshot
        game = Hosted(before.table, "fromaplace")
        game.begin_from(Game.from_position(stand.ruleset, stand.position), settings)
        slow, quick = sorted(game.snapshot.decisions)[:2]
        assert {slow, quick} <= game.snapshot.due.keys()
        while quick in game.snapshot.decisions:
            action = Player("greedy", quick, seed=1).decide(game.snapshot.game())
            game.submit(str(action), seat=quick)
        assert verify_store(game.table.store).damaged == {}
        time.pass_by(61)
        assert settle(game) == 1
        assert slow in game.snapshot.bots
        assert quick not in game.snapshot.bots


def test_the_first_turn_behind_sealed_placements_has_a_time_limit(
    tmp_path: Path, time: Time
) -> None:
    with hosted(tmp_path, "email", settings=DAYS) as game:
        game.play(until="reinforce")
        first, _ = game.mover()
        assert game.snapshot.due.keys() == {first}
        time.pass_by(2 * DAY)
        assert settle(game) == 1  # its time is over


def test_two_workers_act_once_on_what_is_due(new_url: Callable[[str], str], time: Time) -> None:
    url = new_url("postgresql")
    stores = [Store.open(url), Store.open(url)]
    migrate(stores[0])
    tables = [TableService(store) for store in stores]
    game = Hosted(tables[0])
    game.begin(Ruleset.load("classic", {}, board="skerries"), 3, DAYS)
    seat, _ = game.mover()
    time.pass_by(2 * DAY)
    for future in [acting for table in tables for acting in tick(table, START)]:
        future.result(SOON)
    lines = stores[1].read(lambda connection: lines_of(connection, GAME))
    assert [line.seat for line in lines if line.kind is LineKind.LATE] == [seat]
    for store in stores:
        store.close()


def test_all_who_are_silent_at_once_resign_one_after_another(tmp_path: Path, time: Time) -> None:
    """The first of two ends the game: there is nothing left that the other could resign."""
    settings = Settings.read(DAYS.as_dict() | {"timeout_policy": TimeoutPolicy.NEUTRAL.value})
    with hosted(tmp_path, "email", 2, settings=settings) as game:
        game.play(until="sealed")
        assert len(game.snapshot.decisions) == 2
        time.pass_by(2 * DAY)
        assert settle(game) == 1
        assert game.snapshot.ending is not None
