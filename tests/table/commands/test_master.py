"""The game master: what may be done and when, what is refused, and that the log proves it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.table.admin.audit import verify_store
from rubicon.table.admin.reasons import Reasons
from rubicon.table.commands.master import carry_out
from rubicon.table.deadlines import announce_absence, take_back_seat
from rubicon.table.errors import TableError
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.limits import HOUR
from rubicon.table.game.log_lines import (
    LineKind,
    LogLine,
    MasterOrder,
    MasterWord,
    StandIn,
    new_line,
    read_order,
)
from rubicon.table.game.requests import MOST_HOURS
from rubicon.table.settings import DAY, Clock, Master, Settings, TimeoutPolicy
from tests.table.agreeing import do, kinds, lines, refused, sweep, votes
from tests.table.hosted import GAME, Hosted, OtherDice, hosted
from tests.table.timed import Time

RUN = Settings(clock=Clock.DAYS, decision_time=DAY, bank=0, master=Master.HOST)


@pytest.fixture
def game(tmp_path: Path, time: Time) -> Iterator[Hosted]:
    """A game with a game master, behind its set-up."""
    with hosted(tmp_path, settings=RUN) as game:
        game.play(until="reinforce")
        yield game
        assert verify_store(game.table.store).damaged == {}
        head = game.snapshot.head
        again = game.table.store.read(lambda connection: rebuilt(connection, GAME))
        assert (again.head, again.master.banner) == (head, banner_of(game))


def banner_of(game: Hosted) -> str:
    """The banner of the game in memory."""
    hosted = game.table.cache.held(GAME)
    assert hosted is not None
    return hosted.master.banner


def asks(game: Hosted, text: str) -> None:
    """The game master asks for something, in the words of the log."""
    do(game, carry_out, read_order(text))


def mover_places(game: Hosted) -> tuple[str, str]:
    """The seat that is to move, and an action that places one army."""
    seat, _ = game.mover()
    actions = [str(action) for action in game.snapshot.game().legal]
    return seat, next(text for text in actions if text.startswith("place"))


def test_without_a_game_master_every_request_is_refused(tmp_path: Path) -> None:
    with hosted(tmp_path, settings=Settings(clock=Clock.DAYS)) as game:
        for word in MasterWord:
            with refused("master/none"):
                do(game, carry_out, MasterOrder(word))
        assert LineKind.MASTER not in kinds(game)


def test_more_time_moves_the_deadline_by_these_hours(game: Hosted) -> None:
    seat, _ = game.mover()
    before = game.snapshot.due[seat]
    asks(game, "EXTEND 12 HOURS")
    assert game.snapshot.due[seat] == before + 12 * HOUR
    last = lines(game)[-1]
    assert (last.kind, last.seat, last.text) == (LineKind.MASTER, "", "EXTEND 12 HOURS")


def test_more_time_for_a_late_player_counts_from_now(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    time.pass_by(3 * DAY)
    sweep(game)
    assert LineKind.LATE in kinds(game)
    asks(game, "EXTEND 6 HOURS")
    assert game.snapshot.due[seat] == time.at + 6 * HOUR
    assert seat not in game.snapshot.out_of_time
    time.pass_by(DAY)
    sweep(game)
    assert kinds(game).count(LineKind.LATE) == 2


@pytest.mark.parametrize("hours", [0, -1, MOST_HOURS + 1])
def test_so_many_hours_cannot_be_given(game: Hosted, hours: int) -> None:
    with refused("master/hours"):
        do(game, carry_out, MasterOrder(MasterWord.EXTEND, number=hours))


def test_nobody_is_kept_waiting_for_ever_by_more_and_more_time(game: Hosted) -> None:
    asks(game, f"EXTEND {MOST_HOURS} HOURS")
    with refused("master/too-far"):
        asks(game, "EXTEND 1 HOURS")


def test_a_bot_plays_for_those_who_are_late_and_for_nobody_else(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    with refused("master/nobody-late"):
        asks(game, "PROCESS")
    time.pass_by(2 * DAY)
    sweep(game)
    asks(game, "PROCESS")
    assert game.snapshot.bots == {seat: RUN.substitute}
    assert [line.seat for line in lines(game) if line.kind is LineKind.BOT] == [seat]


def test_a_player_in_time_is_replaced_only_with_consent(game: Hosted) -> None:
    seat, _ = game.mover()
    other = next(c for c in game.snapshot.game().colours if c != seat)
    for word in ("BOT", "REPLACE"):
        with refused("master/in-time"):
            asks(game, f"{word} {seat} greedy" if word == "BOT" else f"REPLACE {seat}")
    with refused("vote/in-time"):
        votes(game, f"replace {seat}", other)
    votes(game, f"replace {seat}", seat)
    asks(game, f"BOT {seat} greedy")
    assert game.snapshot.bots == {seat: "greedy"}
    do(game, take_back_seat, seat)
    assert game.snapshot.bots == {}


def test_consent_counts_under_every_timeout_policy(tmp_path: Path, time: Time) -> None:
    settings = dataclasses.replace(RUN, timeout_policy=TimeoutPolicy.BOT)
    with hosted(tmp_path, settings=settings) as game:
        game.play(until="reinforce")
        seat, _ = game.mover()
        votes(game, f"replace {seat}", seat)
        assert game.snapshot.bots == {}  # the others have no say, the game master has
        asks(game, f"BOT {seat} greedy")
        assert game.snapshot.bots == {seat: "greedy"}
        assert verify_store(game.table.store).damaged == {}


def test_a_stand_in_for_who_is_away_but_the_seat_stays_theirs(game: Hosted) -> None:
    seat, _ = game.mover()
    do(game, announce_absence, seat, "2027-01-15 2027-01-20")
    with refused("master/in-time"):
        asks(game, f"REPLACE {seat}")
    asks(game, f"BOT {seat} greedy")
    with refused("master/in-time"):
        asks(game, f"REPLACE {seat}")


def test_a_freed_seat_has_no_vote_until_somebody_plays_it(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    time.pass_by(2 * DAY)
    sweep(game)
    asks(game, f"REPLACE {seat}")
    assert (game.snapshot.bots, seat in game.snapshot.voters) == ({seat: "medium"}, False)
    with refused("vote/not-yours"):
        votes(game, "draw", seat)
    with refused("master/replaced"):
        asks(game, f"REPLACE {seat}")
    do(game, take_back_seat, seat)
    assert (game.snapshot.bots, seat in game.snapshot.voters) == ({}, True)


def test_undo_takes_back_the_last_decision_of_whoever_made_it(game: Hosted) -> None:
    seat, place = mover_places(game)
    before = game.snapshot.position.tobytes()
    game.submit(place)
    asks(game, "UNDO")
    assert game.snapshot.position.tobytes() == before
    assert game.snapshot.decisions.keys() == {seat}


def test_undo_never_goes_past_dice(game: Hosted) -> None:
    rolls = kinds(game).count(LineKind.OUTCOME)
    while kinds(game).count(LineKind.OUTCOME) == rolls:
        game.play(1)
    with refused("master/undo"):
        asks(game, "UNDO")


def test_undo_takes_back_a_turn_that_ended_without_dice(tmp_path: Path, time: Time) -> None:
    settings = dataclasses.replace(RUN, bank_gain=60)
    with hosted(tmp_path, settings=settings) as game:
        game.play(until="reinforce")
        seat, _ = game.mover()
        while any(str(action).startswith("place") for action in game.snapshot.game().legal):
            game.submit(mover_places(game)[1])
        time.pass_by(3600)
        due = game.snapshot.due[seat]
        game.submit("end attack")
        game.submit("end turn")
        other, _ = game.mover()
        banks = dict(game.snapshot.banks)
        assert other != seat
        asks(game, "UNDO")
        assert (game.snapshot.game().turn, list(game.snapshot.decisions)) == (seat, [seat])
        assert game.snapshot.banks[other] == banks[other]
        assert game.snapshot.banks[seat] <= banks[seat]
        assert game.snapshot.due[seat] <= due + DAY * 1000
        game.submit("end turn")
        assert list(game.snapshot.decisions) == [other]
        assert verify_store(game.table.store).damaged == {}


def test_the_masters_undo_does_not_use_up_the_players_own(game: Hosted) -> None:
    seat, place = mover_places(game)
    game.submit(place)
    asks(game, "UNDO")
    hosted = game.table.cache.held(GAME)
    assert hosted is not None
    assert (hosted.counts.changes.get(seat, 0), hosted.counts.changes[""]) == (0, 1)


def test_a_players_own_undo_behind_an_announcement_is_the_players(game: Hosted) -> None:
    seat, place = mover_places(game)
    game.submit(place)
    asks(game, "ANNOUNCE Sunday is free.")
    game.table.undo(GAME, seat, game.snapshot.decisions[seat]).result(30)
    hosted = game.table.cache.held(GAME)
    assert hosted is not None
    assert hosted.counts.changes[seat] == 1


def test_announcements_reach_every_seat(game: Hosted) -> None:
    asks(game, "ANNOUNCE The next deadline is on Sunday.")
    for seat in ("", *game.snapshot.game().colours):
        told = [row for row in game.table.facts(GAME, seat) if row["kind"] == "announce"]
        assert [json.loads(row["body"])["words"] for row in told] == [
            "The next deadline is on Sunday."
        ]


@pytest.mark.parametrize("words", ["", "two\nlines", "x" * 501, "hidden\u202e"])
def test_words_that_cannot_be_shown_are_refused(game: Hosted, words: str) -> None:
    with refused("master/words"):
        do(game, carry_out, MasterOrder(MasterWord.ANNOUNCE, words=words))


def test_the_banner_is_set_and_taken_away(game: Hosted) -> None:
    asks(game, "BANNER Song of the Ferrymen, trad.")
    assert banner_of(game) == "Song of the Ferrymen, trad."
    head = game.snapshot.head
    asks(game, "BANNER Song of the Ferrymen, trad.")
    assert game.snapshot.head == head
    asks(game, "BANNER")
    assert banner_of(game) == ""


def test_a_fork_is_proposed_and_only_all_players_carry_it(game: Hosted) -> None:
    asks(game, "FORK 3")
    assert game.snapshot.forked == ""
    with refused("fork/index"):
        asks(game, "FORK 99999")


def test_requests_are_limited(game: Hosted) -> None:
    for number in range(40):
        asks(game, f"ANNOUNCE {number}")
    with refused("game/too-many-changes"):
        asks(game, "ANNOUNCE once more")


def test_no_request_behind_the_end(game: Hosted) -> None:
    votes(game, "draw", *game.snapshot.game().colours)
    for word in MasterWord:
        with refused("game/over"):
            do(game, carry_out, MasterOrder(word))


def test_the_text_of_every_request_is_read_back() -> None:
    orders = [
        MasterOrder(MasterWord.EXTEND, number=12),
        MasterOrder(MasterWord.FORK, number=120),
        MasterOrder(MasterWord.BOT, "red", words="greedy"),
        MasterOrder(MasterWord.REPLACE, "red"),
        MasterOrder(MasterWord.PROCESS),
        MasterOrder(MasterWord.UNDO),
        MasterOrder(MasterWord.ANNOUNCE, words="Hello, all."),
        MasterOrder(MasterWord.BANNER),
    ]
    assert [read_order(str(order)) for order in orders] == orders
    assert {order.word for order in orders} == set(MasterWord)
    for wrong in ("", "DICE 6", "EXTEND x HOURS", "EXTEND 012 HOURS", "FORK", "extend 3 HOURS"):
        with refused("master/unreadable"):
            read_order(wrong)


FORGED = {
    "EXTEND 999 HOURS": "cannot be moved",
    "PROCESS": "No player's time is over",
    "BOT {seat} greedy": "is in time",
    "REPLACE {seat}": "is in time",
    "FORK 99999": "no earlier log index",
    "ROLL 6 6 6": "no request",
}


@pytest.mark.parametrize("text", FORGED)
def test_an_invented_request_is_found(game: Hosted, text: str) -> None:
    hosted = game.table.store.read(lambda connection: rebuilt(connection, GAME))
    seat = next(iter(hosted.decisions))
    line = LogLine(
        index=hosted.head + 1,
        kind=LineKind.MASTER,
        text=text.format(seat=seat),
        at=hosted.changed,
    )
    try:
        fault = Reasons(hosted).fault(line)
    except TableError as unreadable:
        fault = unreadable.message
    assert FORGED[text] in fault


def test_a_bot_that_no_request_seats_is_found(game: Hosted, time: Time) -> None:
    seat, _ = game.mover()
    time.pass_by(2 * DAY)
    sweep(game)
    hosted = game.table.store.read(lambda connection: rebuilt(connection, GAME))
    other = next(c for c in hosted.game.colours if c != seat)
    asked = LogLine(index=hosted.head + 1, kind=LineKind.MASTER, text="PROCESS", at=hosted.changed)

    def found(who: str, bot: str) -> str:
        """The fault of the line that follows the request."""
        again = game.table.store.read(lambda connection: rebuilt(connection, GAME))
        reasons = Reasons(again)
        assert reasons.fault(asked) == ""
        again.fold(asked)
        index = asked.index + 1
        return reasons.fault(new_line(StandIn(bot), index, again.changed, who))

    assert found(seat, "medium") == ""
    assert found(other, "medium") != ""
    assert found(seat, "random") != ""


def test_between_a_request_and_its_roll_the_game_master_can_do_nothing(
    tmp_path: Path, time: Time
) -> None:
    dice = OtherDice()
    with hosted(tmp_path, settings=RUN, dice=dice) as game:
        game.play(until="attack")
        dice.away = True
        attack = next(str(a) for a in game.snapshot.game().legal if str(a).startswith("attack"))
        game.submit(attack)
        assert game.snapshot.waits_for == "dice"
        before = kinds(game)
        seat = game.snapshot.game().turn
        for text in ("EXTEND 1 HOURS", "UNDO", "PROCESS", f"REPLACE {seat}", "ANNOUNCE Again."):
            with refused("dice/unavailable"):
                asks(game, text)
        assert kinds(game) == before
        forged = game.table.store.read(lambda connection: rebuilt(connection, GAME))
        line = LogLine(index=forged.head + 1, kind=LineKind.MASTER, text="UNDO", at=forged.changed)
        with refused("log/between"):
            forged.fold(line)
        dice.away = False
        game.table.wake(GAME).result(30)
        assert LineKind.OUTCOME in kinds(game)[len(before) :]
        assert verify_store(game.table.store).damaged == {}
