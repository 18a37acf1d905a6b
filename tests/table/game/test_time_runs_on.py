"""A clock cannot be renewed: whatever a seat does but decide, the time of its decision runs on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rubicon.table.admin.audit import verify_store
from rubicon.table.commands.votes import vote
from rubicon.table.deadlines import announce_absence, take_back_seat
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.settings import DAY, HOUR, Clock, Settings, TimeoutPolicy
from tests.table.agreeing import do, refused, sweep, votes
from tests.table.hosted import GAME, SOON, Hosted, hosted
from tests.table.timed import START, Time

CLOCKS = {
    "days": Settings(clock=Clock.DAYS, decision_time=DAY, bank=2 * HOUR),
    "live": Settings(clock=Clock.LIVE, decision_time=DAY, bank=0),
    "turn limit": Settings(clock=Clock.LIVE, decision_time=DAY, bank=0, turn_limit=30 * HOUR),
}
Trick = Callable[[Hosted, str], None]


@pytest.fixture(params=list(CLOCKS))
def game(request: pytest.FixtureRequest, tmp_path: Path, time: Time) -> Iterator[Hosted]:
    """A game in which a seat places armies, with each kind of clock."""
    with hosted(tmp_path, settings=CLOCKS[request.param]) as game:
        game.play(until="reinforce")
        yield game
        held = game.table.cache.held(GAME)
        assert held is not None
        again = game.table.store.read(lambda connection: rebuilt(connection, GAME))
        assert again.clocks == held.clocks
        assert verify_store(game.table.store).damaged == {}


def place(game: Hosted, seat: str) -> None:
    """Place an army."""
    text = next(str(a) for a in game.snapshot.game().legal if str(a).startswith("place"))
    game.submit(text, seat=seat)


def undo(game: Hosted, seat: str) -> None:
    """Undo the last decision."""
    game.table.undo(GAME, seat, game.snapshot.decisions[seat]).result(SOON)


def place_and_undo(game: Hosted, seat: str) -> None:
    """Place an army and take it back."""
    place(game, seat)
    undo(game, seat)


def standing_order(game: Hosted, seat: str) -> None:
    """Set two standing orders, one of which is new."""
    for dice in ("1", "2"):
        game.table.out_of_turn(GAME, seat, f"standing {seat} all {dice}").result(SOON)


def undo_standing_order(game: Hosted, seat: str) -> None:
    """Set a standing order and undo it."""
    standing_order(game, seat)
    undo(game, seat)


def idle_orders(game: Hosted, seat: str) -> None:
    """Send orders that cannot be carried out."""
    target = game.snapshot.game().territories[0]
    game.submit(f"ATTACK {target} -> {target}", seat=seat, orders=True)


def later_absence(game: Hosted, seat: str) -> None:
    """Announce an absence in the far future, and withdraw it."""
    do(game, announce_absence, seat, "2027-06-01 2027-06-02")
    do(game, announce_absence, seat, "")


def short_absence(game: Hosted, seat: str) -> None:
    """Be away for a moment."""
    do(game, announce_absence, seat, "2027-01-14 2027-01-20")
    do(game, announce_absence, seat, "")


def stand_in(game: Hosted, seat: str) -> None:
    """Let a bot stand in for a moment."""
    do(game, announce_absence, seat, "2027-01-14 2027-01-20 greedy")
    assert seat in game.snapshot.bots
    do(game, take_back_seat, seat)


def change_vote(game: Hosted, seat: str) -> None:
    """Vote and withdraw the vote."""
    do(game, vote, seat, "extend")
    do(game, vote, seat, "extend", withdrawn=True)


TRICKS: list[Trick] = [
    place_and_undo,
    standing_order,
    undo_standing_order,
    idle_orders,
    later_absence,
    short_absence,
    stand_in,
    change_vote,
]


@pytest.mark.parametrize("trick", TRICKS)
def test_time_runs_on(game: Hosted, time: Time, trick: Trick) -> None:
    seat, _ = game.mover()
    due = game.snapshot.due[seat]
    for _ in range(3):
        time.pass_by(5 * HOUR)
        trick(game, seat)
        assert game.mover()[0] == seat
        assert game.snapshot.due[seat] == due
    time.at = due
    sweep(game)
    held = game.table.cache.held(GAME)
    assert held is not None
    assert held.late == {seat}


def test_a_seat_stays_late_whatever_it_does_but_decide(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    time.at = game.snapshot.due[seat]
    sweep(game)
    held = game.table.cache.held(GAME)
    assert held is not None
    for trick in (standing_order, later_absence, short_absence, change_vote, idle_orders):
        trick(game, seat)
        assert held.late == {seat}, trick.__name__
    place(game, seat)
    assert held.late == set()


def test_an_undo_after_the_time_of_the_earlier_decision_is_refused(
    game: Hosted, time: Time
) -> None:
    seat, _ = game.mover()
    due = game.snapshot.due[seat]
    time.at = due - HOUR * 1000
    place(game, seat)
    assert game.snapshot.can_undo(seat, due - 1)
    assert not game.snapshot.can_undo(seat, due)
    time.at = due
    with refused("undo/out-of-time"):
        undo(game, seat)
    assert game.mover()[0] == seat


def test_an_undo_keeps_what_a_pause_and_an_extension_gave(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    due = game.snapshot.due[seat]
    limit = game.table.cache.held(GAME).settings.turn_limit  # type: ignore[union-attr]
    place(game, seat)
    colours = game.snapshot.game().colours
    votes(game, "pause", *colours)
    time.pass_by(3 * HOUR)
    votes(game, "resume", seat)
    votes(game, "extend", *colours)
    undo(game, seat)
    shifted = due + (3 * HOUR + DAY) * 1000
    first_act = START + 3 * HOUR * 1000
    limited = min(shifted, first_act + limit * 1000) if limit else shifted
    assert game.snapshot.due[seat] == limited


def test_armies_that_are_moved_again_share_the_time_of_one_decision(
    tmp_path: Path, time: Time
) -> None:
    options = {"fortify.reach": "connected_many"}
    with hosted(tmp_path, options=options, settings=CLOCKS["live"]) as game:
        game.play(until="fortify")
        seat, _ = game.mover()
        due = game.snapshot.due[seat]
        for _ in range(3):
            time.pass_by(HOUR)
            moves = [str(a) for a in game.snapshot.game().legal if str(a).startswith("fort")]
            game.submit(next(move for move in moves if move.endswith(" 1")), seat=seat)
            assert game.snapshot.due[seat] == due


def test_the_time_of_a_stand_in_is_not_the_owners(tmp_path: Path, time: Time) -> None:
    settings = Settings(
        clock=Clock.DAYS, decision_time=DAY, bank=DAY, timeout_policy=TimeoutPolicy.NEUTRAL
    )
    with hosted(tmp_path, settings=settings) as game:
        seat, _ = game.mover()
        due = game.snapshot.due[seat]
        do(game, announce_absence, seat, "2027-01-14 2027-01-20 greedy")
        time.pass_by(4 * DAY)  # the bot's process is down
        do(game, take_back_seat, seat)
        assert game.snapshot.due[seat] == due + 4 * DAY * 1000
        sweep(game)
        assert seat in game.snapshot.decisions
        held = game.table.cache.held(GAME)
        assert held is not None
        assert held.away == {}  # else the bot would take over again at once
        assert held.clocks.seats[seat].bank == DAY * 1000


def test_without_a_clock_nothing_of_it_gives_a_deadline(tmp_path: Path, time: Time) -> None:
    with hosted(tmp_path) as game:
        game.play(until="reinforce")
        seat, _ = game.mover()
        held = game.table.cache.held(GAME)
        assert held is not None
        since = held.clocks.seats[seat].since
        for trick in TRICKS:
            if trick is not change_vote:  # nothing to extend
                time.pass_by(HOUR)
                trick(game, seat)
                assert held.clocks.seats[seat].since == since
        assert game.snapshot.due == {}
