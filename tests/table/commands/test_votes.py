"""Motions against players who cheat: stand-ins have no votes, and nobody is outvoted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.rules.game import Game
from rubicon.rules.record import headers_of
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.admin.audit import verify_store
from rubicon.table.commands.votes import MOTIONS, RULES, vote
from rubicon.table.deadlines import announce_absence, take_back_seat
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.log_lines import LineKind
from rubicon.table.game.snapshot import people_in_game
from rubicon.table.lobby.start import begin_game
from rubicon.table.settings import DAY, HOUR, Clock, Settings, TimeoutPolicy
from tests.table.agreeing import do, kinds, lines, refused, sweep, votes
from tests.table.hosted import GAME, SOON, Hosted, hosted
from tests.table.timed import Time

WAITING = Settings(clock=Clock.DAYS, decision_time=DAY, bank=0)
BOTS = Settings(clock=Clock.DAYS, decision_time=DAY, bank=0, timeout_policy=TimeoutPolicy.BOT)


@pytest.fixture
def game(tmp_path: Path, time: Time) -> Iterator[Hosted]:
    """A game under `wait`, in which a seat must decide."""
    with hosted(tmp_path, settings=WAITING) as game:
        yield game
        assert verify_store(game.table.store).damaged == {}


def others(game: Hosted, seat: str) -> list[str]:
    """The other seats."""
    return [colour for colour in game.snapshot.game().colours if colour != seat]


def two_left(game: Hosted) -> tuple[str, str]:
    """One of three seats resigns: the seat that must decide, and the other."""
    seat, _ = game.mover()
    gone = others(game, seat)[0]
    game.table.out_of_turn(GAME, gone, f"resign {gone}").result(SOON)
    one, _ = game.mover()
    return one, next(c for c in others(game, gone) if c != one)


def test_a_seat_that_a_bot_plays_keeps_its_owners_vote(tmp_path: Path, time: Time) -> None:
    with hosted(tmp_path, settings=BOTS) as game:
        seat, _ = game.mover()
        time.pass_by(2 * DAY)
        sweep(game)
        assert seat in game.snapshot.bots
        cheat, accomplice = others(game, seat)
        for motion in ("draw", "pause", "extend", "fork 0"):
            votes(game, motion, cheat, accomplice)
        assert game.snapshot.ending is None
        assert (game.snapshot.paused, game.snapshot.forked) == (False, "")
        votes(game, "draw", seat)  # without taking the seat back
        assert game.snapshot.ending is not None
        assert verify_store(game.table.store).damaged == {}


def test_an_absent_seat_keeps_its_owners_vote(game: Hosted) -> None:
    seat, _ = game.mover()
    do(game, announce_absence, seat, "2027-01-15 2027-01-20 greedy")
    assert seat in game.snapshot.bots
    votes(game, "draw", *others(game, seat))
    assert game.snapshot.ending is None


def test_a_bot_that_owns_its_seat_has_no_vote_and_none_is_needed(
    tmp_path: Path, time: Time
) -> None:
    with hosted(tmp_path, settings=WAITING) as other:
        game = Hosted(other.table, "withabot00")
        begin_with_bots(game, {"blue": "greedy"})
        with refused("vote/not-yours"):
            votes(game, "draw", "blue")
        votes(game, "draw", *others(game, "blue"))
        assert game.snapshot.ending is not None


def begin_with_bots(game: Hosted, bots: dict[str, str]) -> None:
    """Begin a game with bots that own seats."""
    fresh = Game.new(Ruleset.load("classic", {}, board="skerries"), 3)
    game.insert_row()
    game.table.store.write(
        lambda c: begin_game(c, game.game, headers_of(fresh), WAITING, bots)
    ).result(SOON)
    game.table.wake(game.game).result(SOON)


def test_a_player_in_time_is_not_replaced(game: Hosted) -> None:
    seat, _ = game.mover()
    for cheat in others(game, seat):
        with refused("vote/in-time"):
            votes(game, f"replace {seat}", cheat)
    assert game.snapshot.bots == {}
    assert LineKind.VOTE not in kinds(game)


def test_the_others_replace_a_player_whose_time_is_over(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    one, two = others(game, seat)
    time.pass_by(2 * DAY)
    sweep(game)
    votes(game, f"replace {seat}", one)
    assert game.snapshot.bots == {}
    votes(game, f"replace {seat}", two)
    assert game.snapshot.bots == {seat: "medium"}


def test_votes_for_a_replacement_end_when_the_player_decides(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    one, two = others(game, seat)
    time.pass_by(2 * DAY)
    sweep(game)
    votes(game, f"replace {seat}", one)
    game.play(1)
    assert not game.snapshot.votes
    with refused("vote/in-time"):
        votes(game, f"replace {seat}", two)


def test_a_seat_that_is_taken_back_is_not_replaced_again_by_old_votes(
    game: Hosted, time: Time
) -> None:
    seat, _ = game.mover()
    time.pass_by(2 * DAY)
    sweep(game)
    votes(game, f"replace {seat}", *others(game, seat))
    do(game, take_back_seat, seat)
    sweep(game)  # the time of the decision is over still
    assert kinds(game).count(LineKind.LATE) == 2
    assert game.snapshot.bots == {}
    votes(game, f"replace {seat}", *others(game, seat))
    assert game.snapshot.bots == {seat: "medium"}


def test_a_player_may_agree_to_be_replaced_and_change_their_mind(game: Hosted) -> None:
    seat, _ = game.mover()
    one, two = others(game, seat)
    motion = f"replace {seat}"
    votes(game, motion, seat, one)
    do(game, vote, seat, motion, withdrawn=True)
    with refused("vote/in-time"):
        votes(game, motion, two)
    votes(game, motion, seat, two)
    assert game.snapshot.bots == {}  # the vote of the other ended with the owner's
    votes(game, motion, one)
    assert game.snapshot.bots == {seat: "medium"}


def test_a_seat_that_agreed_and_is_out_of_the_game_is_not_replaced(game: Hosted) -> None:
    seat, _ = game.mover()
    one, two = others(game, seat)
    votes(game, f"replace {seat}", seat, one)
    game.table.out_of_turn(GAME, seat, f"resign {seat}").result(SOON)
    votes(game, "extend", two)
    assert game.snapshot.bots == {}


def test_two_absent_players_do_not_hold_a_game_up(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    present, away = others(game, seat)
    do(game, announce_absence, away, "2027-01-15 2027-01-25 greedy")
    time.pass_by(2 * DAY)
    sweep(game)
    votes(game, f"replace {seat}", present)
    assert game.snapshot.bots[seat] == "medium"


def test_with_two_left_nothing_passes_without_both(game: Hosted, time: Time) -> None:
    one, other = two_left(game)
    for motion in ("draw", "pause", "extend"):
        votes(game, motion, other)
    time.pass_by(2 * DAY)
    sweep(game)
    votes(game, "fork 0", other)
    assert game.snapshot.ending is None
    assert (game.snapshot.paused, game.snapshot.forked) == (False, "")
    votes(game, f"replace {one}", other)  # whose time is over: a bot plays, and the game goes on
    assert game.snapshot.bots == {one: "medium"}
    assert game.snapshot.ending is None


def test_a_seat_that_left_the_game_does_not_outvote_anybody(game: Hosted) -> None:
    one, other = two_left(game)
    gone = next(c for c in others(game, one) if c != other)
    with refused("vote/not-yours"):
        votes(game, "draw", gone)
    votes(game, "fork 0", gone, other)
    assert game.snapshot.forked == ""


def test_votes_of_a_seat_that_left_the_game_are_shown_for_a_fork_alone(game: Hosted) -> None:
    seat, _ = game.mover()
    gone, other = others(game, seat)
    for motion in ("draw", "extend", "fork 0", f"replace {gone}"):
        votes(game, motion, gone)
    votes(game, "extend", other)
    game.table.out_of_turn(GAME, gone, f"resign {gone}").result(SOON)
    assert game.snapshot.votes == {"extend": frozenset({other}), "fork 0": frozenset({gone})}


def test_nobody_is_kept_in_a_pause(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    votes(game, "pause", seat, *others(game, seat))
    assert game.snapshot.paused
    time.pass_by(HOUR)
    votes(game, "resume", seat)  # the others would wait until the game is closed
    assert not game.snapshot.paused


def test_without_a_clock_silence_does_not_close_a_game_unhindered(
    tmp_path: Path, time: Time
) -> None:
    with hosted(tmp_path, settings=Settings(void_after=10 * DAY)) as game:
        seat, _ = game.mover()
        time.pass_by(5 * DAY - 1)
        with refused("vote/in-time"):
            votes(game, f"replace {seat}", others(game, seat)[0])
        time.pass_by(1)
        votes(game, f"replace {seat}", *others(game, seat))
        assert game.snapshot.bots == {seat: "medium"}
        assert verify_store(game.table.store).damaged == {}


@pytest.mark.parametrize("text", ["", "2027-01-15 2027-01-25"])
def test_nobody_closes_a_game_by_using_their_time(tmp_path: Path, time: Time, text: str) -> None:
    """Where `void_after` is shorter than the time of a decision, or than an absence."""
    settings = Settings(clock=Clock.DAYS, decision_time=3 * DAY, bank=0, void_after=DAY)
    with hosted(tmp_path, settings=settings) as game:
        seat, _ = game.mover()
        if text:
            do(game, announce_absence, seat, text)
        for _ in range(3):
            time.pass_by(DAY)
            sweep(game)
            assert game.snapshot.ending is None
        time.at = game.snapshot.due[seat]
        sweep(game)  # late: now the others have `void_after` to have the seat replaced
        assert game.snapshot.ending is None
        votes(game, f"replace {seat}", *others(game, seat))
        assert game.snapshot.bots == {seat: "medium"}
        assert verify_store(game.table.store).damaged == {}
        time.pass_by(DAY)
        sweep(game)  # the bot's process is down, and nobody acts
        assert game.snapshot.ending is not None
        assert verify_store(game.table.store).damaged == {}


def test_votes_of_an_earlier_time_do_not_count(tmp_path: Path, time: Time) -> None:
    with hosted(tmp_path, settings=Settings(void_after=10 * DAY)) as game:
        seat, _ = game.mover()
        one, two = others(game, seat)
        time.pass_by(5 * DAY)
        votes(game, f"replace {seat}", one)
        game.play(1)
        while game.mover()[0] != seat:
            game.play(1)
        time.pass_by(5 * DAY)
        votes(game, f"replace {seat}", two)
        assert game.snapshot.bots == {}


def test_a_vote_given_twice_is_logged_once(game: Hosted) -> None:
    seat, _ = game.mover()
    votes(game, "draw", seat, seat)
    do(game, vote, seat, "draw", withdrawn=True)
    do(game, vote, seat, "draw", withdrawn=True)
    assert [line.text for line in lines(game) if line.kind is LineKind.VOTE] == ["draw", "-draw"]


def test_every_motion_has_one_rule_and_a_rebuilt_game_has_the_same_votes(game: Hosted) -> None:
    assert set(MOTIONS) == {"draw", "pause", "resume", "extend", "replace", "fork"}
    assert len(RULES) == len(MOTIONS)
    seat, _ = game.mover()
    votes(game, "draw", seat)
    again = game.table.store.read(lambda connection: rebuilt(connection, GAME))
    assert again.votes == {"draw": {seat}}
    assert people_in_game(again) == set(again.game.colours)


@pytest.mark.parametrize("motion", ["replace", "fork", "replace ", "replace nobody", "dance", ""])
def test_what_is_no_motion(game: Hosted, motion: str) -> None:
    seat, _ = game.mover()
    with refused("vote/unknown"):
        votes(game, motion, seat)
    assert LineKind.VOTE not in kinds(game)
