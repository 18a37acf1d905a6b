"""Placements that clients seal: what the table accepts, plays, and refuses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rubicon.dice.client import DiceClient
from rubicon.engine.records import Seat
from rubicon.errors import RubiconError
from rubicon.orders.parse.action import read_action
from rubicon.rules.actions import Action
from rubicon.rules.record import Record
from rubicon.table.admin.audit import verify_store
from rubicon.table.admin.game_files import RECORD, exported
from rubicon.table.admin.record_audit import compare
from rubicon.table.commands import advance, dice_participants
from rubicon.table.commands.submit import Submission
from rubicon.table.commands.votes import vote
from rubicon.table.deadlines import take_back_seat
from rubicon.table.game.log_lines import LineKind
from rubicon.table.settings import Clock, Settings, TimeoutPolicy
from tests.table.dice_players import (
    CLOCKS,
    DicePlayer,
    entries,
    kinds,
    last,
    log,
    refused,
    seated,
    sweep,
    verdict,
)
from tests.table.hosted import SOON, Hosted, hosted
from tests.table.timed import Time, set_time


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return set_time(monkeypatch, *CLOCKS)


@contextmanager
def placing(folder: Path, settings: Settings | None = None) -> Iterator[Hosted]:
    """A game of three whose seats place, all at once."""
    with hosted(folder, "email", settings=settings) as game:
        game.play(until="sealed")
        yield game
        assert verify_store(game.table.store).damaged == {}


def placement(game: Hosted, seat: str, *, fewer: int = 0) -> str:
    """Everything that a seat has, on two of its territories."""
    state = game.snapshot.game()
    number = state.colours.index(seat)
    left = int(state.position.unplaced[number]) - fewer
    own = [
        state.territories[t]
        for t, owner in enumerate(state.position.owner.tolist())
        if owner == number
    ]
    return f"place {own[0]} 2\nplace {own[1]} {left - 2}"


def place_openly(game: Hosted, seat: str) -> None:
    """A seat without a client places, action by action."""
    for line in (*placement(game, seat).split("\n"), f"seal {seat}"):
        game.submit(line, seat=seat)


def sealed_by_two(game: Hosted) -> tuple[DicePlayer, DicePlayer, str]:
    """Two clients have sealed, and the third seat has placed: all are in."""
    first, second, third = game.snapshot.game().colours
    one, other = seated(game, first, second)
    for player in (one, other):
        player.seal(placement(game, player.seat)).result(SOON)
    place_openly(game, third)
    return one, other, third


def test_nothing_is_known_before_all_are_in_and_then_it_is_played(tmp_path: Path) -> None:
    with placing(tmp_path) as game:
        first, second, third = game.snapshot.game().colours
        one, other = seated(game, first, second)
        texts = {seat: placement(game, seat) for seat in (first, second, third)}
        place_openly(game, third)
        found = verdict(game).placements
        assert (found.by_clients, found.by_server, found.opened) == ([], [third], [])
        one.seal(texts[first]).result(SOON)
        assert set(game.snapshot.decisions) == {second}
        assert game.snapshot.openings == ()
        everything = "".join(entry.text() for entry in entries(game))
        everything += "".join(line.text for line in log(game) if line.seat != third)
        assert not any(line in everything for line in texts[first].split("\n"))
        assert texts[third] not in "".join(entry.text() for entry in entries(game))
        (kept,) = one.client.placements.kept.values()
        assert refused(one.opened(kept.text, kept.salt)) == "dice/no-opening-wanted"
        other.seal(texts[second]).result(SOON)
        assert set(game.snapshot.openings) == {first, second}
        assert not game.snapshot.decisions
        assert game.table.waiting_for(game.snapshot) == "openings"
        one.open().result(SOON)
        other.open().result(SOON)
        position = game.snapshot.position
        state = game.snapshot.game()
        assert game.snapshot.game().phase.name != "SEALED"
        for text in texts.values():
            for line in text.split("\n"):
                _, place, armies = line.split()
                assert position.armies[state.territories.index(place)] == 1 + int(armies)
        found = verdict(game).placements
        assert (found.by_clients, found.by_server) == ([first, second], [third])
        assert (sorted(found.opened), found.not_opened) == (sorted(texts), [])
        assert one.follow().client.alarms == other.follow().client.alarms == []


def test_the_record_is_compared_with_what_was_opened(tmp_path: Path) -> None:
    with placing(tmp_path, Settings(entropy_wait=0)) as game:
        for seat in game.snapshot.game().colours:
            place_openly(game, seat)
        game.play()
        text = game.table.store.read(partial(exported, game=game.game)).files[RECORD]
        assert compare(Record.parse(text), entries(game)).difference is None
        lines = text.split("\n")
        at = next(n for n, line in enumerate(lines) if "place" in line)
        assert lines[at + 1] != lines[at]
        swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        found = compare(Record.parse("\n".join(swapped)), entries(game)).difference
        assert found is not None
        assert found.code == "record/other-placement"


def test_a_server_that_was_killed_goes_on_with_what_was_sealed(tmp_path: Path) -> None:
    with placing(tmp_path) as game:
        one, other, _ = sealed_by_two(game)
        game.table.store.write(lambda _: game.table.cache.forget(game.game)).result(SOON)
        one.open().result(SOON)
        game.table.store.write(lambda _: game.table.cache.forget(game.game)).result(SOON)
        other.open().result(SOON)
        assert verdict(game).placements.not_opened == []
        assert not game.snapshot.openings


def test_a_repeated_message_does_nothing_more(tmp_path: Path) -> None:
    with placing(tmp_path) as game:
        first, second, third = game.snapshot.game().colours
        one, other = seated(game, first, second)
        decision = game.snapshot.decisions[first]
        for _ in range(2):
            one.seal(placement(game, first), decision).result(SOON)
        other.seal(placement(game, second)).result(SOON)
        place_openly(game, third)
        (kept,) = one.client.placements.kept.values()
        head = game.snapshot.head
        one.open().result(SOON)
        lines = len(log(game))
        one.opened(kept.text, kept.salt).result(SOON)
        assert len(log(game)) == lines
        assert kinds(game, head + 1).count(LineKind.OPENED) == 1
        assert [line.seat for line in log(game) if line.kind is LineKind.SEALED] == [
            first,
            second,
            third,
        ]


def test_what_is_sealed_cannot_be_changed(tmp_path: Path) -> None:
    with placing(tmp_path) as game:
        first, second, _ = game.snapshot.game().colours
        one, other = seated(game, first, second)
        decision = game.snapshot.decisions[first]
        one.seal(placement(game, first)).result(SOON)
        assert refused(one.seal(placement(game, first, fewer=1), decision)) == "decision/stale"
        with pytest.raises(RubiconError, match="no longer open"):
            game.submit(placement(game, first).split("\n")[0], seat=first, decision=decision)
        assert refused(game.table.undo(game.game, first, decision)) == "decision/stale"
        line = placement(game, second).split("\n")[0]
        game.submit(line, seat=second)
        assert refused(other.seal(placement(game, second))) == "dice/nothing-to-seal"
        other.client.own = one.client.own
        assert refused(other.seal(line)) in ("dice/nothing-to-seal", "dice/not-yours")


def test_a_text_that_the_rules_refuse_is_not_opened(tmp_path: Path) -> None:
    with placing(tmp_path) as game:
        first, second, third = game.snapshot.game().colours
        one, other = seated(game, first, second)
        one.seal(placement(game, first, fewer=1)).result(SOON)
        other.seal("resign " + second).result(SOON)
        place_openly(game, third)
        before = len(entries(game))
        assert refused(one.open()) == "place/armies-left"
        assert refused(other.open()) == "dice/no-placement"
        (kept,) = one.client.placements.kept.values()
        assert refused(one.opened(placement(game, first), kept.salt)) == "dice/wrong-opening"
        assert len(entries(game)) == before
        assert game.snapshot.openings == (first, second)


ODD = {
    "a line break of Unicode": lambda line: line.replace(" ", "\u2028", 1),
    "a control character": lambda line: line.replace(" ", "\x1f", 1),
    "a wide digit": lambda line: line.replace("2", "\uff12"),
    "a free form": lambda line: line.replace("place", "Deploy"),
    "an end of line of Windows": lambda line: line.replace("\n", "\r\n"),
    "an empty line": lambda line: line + "\n",
    "its own seal": lambda line: line + "\nseal",
}


@pytest.mark.parametrize("odd", ODD)
def test_a_text_that_is_not_written_exactly_is_not_opened(tmp_path: Path, odd: str) -> None:
    """It would stand in the transcript for all: a reader might end a line within it."""
    with placing(tmp_path) as game:
        first, second, third = game.snapshot.game().colours
        (one,) = seated(game, first)
        one.seal(ODD[odd](placement(game, first))).result(SOON)
        for seat in (second, third):
            place_openly(game, seat)
        before = len(entries(game))
        assert refused(one.open()).startswith(("text/", "dice/"))
        assert (len(entries(game)), game.snapshot.openings) == (before, (first,))


def test_no_more_lines_are_read_than_armies_are_left(tmp_path: Path) -> None:
    with placing(tmp_path) as game:
        first, second, third = game.snapshot.game().colours
        (one,) = seated(game, first)
        line = placement(game, first).split("\n")[0].replace(" 2", " 1")
        one.seal("\n".join([line] * (65_000 // (len(line) + 1)))).result(SOON)
        for seat in (second, third):
            place_openly(game, seat)
        read: list[str] = []

        def counted(text: str, *more: Any, **named: Any) -> Action:
            read.append(text)
            return read_action(text, *more, **named)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(dice_participants, "read_action", counted)
            assert refused(one.open()).startswith("place/")
        assert 1 < len(read) < 100


def test_dice_may_follow_from_the_resignation_that_ends_the_placing(tmp_path: Path) -> None:
    """The request names a seat that has sealed nothing, since it was out then."""
    options = {"setup.turn1": "new_roll"}
    with hosted(tmp_path, "email", options=options) as game:
        game.play(until="sealed")
        gone, *stay = game.snapshot.game().colours
        for seat in stay:
            place_openly(game, seat)
        game.table.out_of_turn(game.game, gone, f"resign {gone}").result(SOON)
        assert game.snapshot.game().phase.name != "SEALED"
        assert last(game, "request")["seat"] == gone
        found = verdict(game).placements
        assert (found.out, sorted(found.opened)) == ([gone], sorted(stay))


def test_who_is_called_out_of_the_game_and_plays_is_named_by_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It places behind all openings, and its attacks may stand under another seat."""
    with hosted(tmp_path, "email", settings=Settings(entropy_wait=0)) as game:
        friend = game.snapshot.game().colours[1]
        plays, has_placed = advance._plays, advance._has_placed
        monkeypatch.setattr(advance, "_plays", lambda at, seat: seat != friend and plays(at, seat))
        monkeypatch.setattr(
            advance, "_has_placed", lambda at, seat: seat == friend or has_placed(at, seat)
        )
        game.play()
        text = game.table.store.read(partial(exported, game=game.game)).files[RECORD]
        found = compare(Record.parse(text), entries(game)).difference
        assert found is not None
        assert found.code == "record/other-placement"
        assert friend in found.message


def test_another_chain_of_the_same_device_opens_what_was_sealed(tmp_path: Path) -> None:
    with placing(tmp_path) as game:
        first, second, third = game.snapshot.game().colours
        (one,) = seated(game, first)
        one.seal(placement(game, first)).result(SOON)
        renewed = DicePlayer(game, first, one.client.next_chain())
        renewed.deposit()
        for seat in (second, third):
            place_openly(game, seat)
        renewed.follow().open().result(SOON)
        assert verdict(game).placements.not_opened == []


def test_another_device_of_the_seat_cannot_open_but_the_first_one_can(tmp_path: Path) -> None:
    with placing(tmp_path) as game:
        first, second, third = game.snapshot.game().colours
        (one,) = seated(game, first)
        one.seal(placement(game, first)).result(SOON)
        key = one.client.own.private_key
        further = DicePlayer(game, first, DiceClient(game.game, first, key, 64))
        further.deposit()
        for seat in (second, third):
            place_openly(game, seat)
        assert further.follow().client.opening() is None
        one.open().result(SOON)
        assert verdict(game).placements.not_opened == []


SECONDS = 60
TIMED = Settings(clock=Clock.LIVE, decision_time=SECONDS, bank=0, entropy_wait=20)


def out_of_time(game: Hosted, time: Time) -> tuple[DicePlayer, DicePlayer]:
    """Two clients have sealed; the second one does not open in time."""
    one, other, _ = sealed_by_two(game)
    one.open().result(SOON)
    time.pass_by(SECONDS - 1)
    sweep(game)
    assert game.snapshot.openings == (other.seat,)
    time.pass_by(2)
    sweep(game)
    return one, other


def test_for_one_who_does_not_open_a_bot_places(tmp_path: Path, time: Time) -> None:
    settings = replace(TIMED, timeout_policy=TimeoutPolicy.BOT)
    with placing(tmp_path, settings) as game:
        one, other = out_of_time(game, time)
        seat = other.seat
        assert seat in game.snapshot.bots
        assert game.snapshot.openings == ()
        assert verdict(game).placements.not_opened == [seat]
        # It knows the others' armies: neither its owner nor its program places any more.
        line, decision = placement(game, seat).split("\n")[0], game.snapshot.decisions[seat]
        owner = game.table.submit(Submission(game.game, seat, decision, line))
        assert refused(owner) == "dice/not-opened"
        back = game.table.change(game.game, partial(take_back_seat, seat=seat))
        assert refused(back) == "dice/not-opened"
        (kept,) = other.client.placements.kept.values()
        assert refused(other.opened(kept.text, kept.salt)) == "dice/no-opening-wanted"
        for text in (*placement(game, seat).split("\n"), f"seal {seat}"):
            asked = game.snapshot.decisions[seat]
            bot = Submission(game.game, seat, asked, text, by_bot=True)
            game.table.submit(bot).result(SOON)
        assert game.snapshot.game().phase.name != "SEALED"
        # It never sent the opening: no fraud. One that has sent it raises an alarm.
        assert other.follow().client.alarms == []
        assert one.follow().client.alarms == []


def test_an_opening_that_came_too_late_is_no_fraud(tmp_path: Path, time: Time) -> None:
    settings = replace(TIMED, timeout_policy=TimeoutPolicy.BOT)
    with placing(tmp_path, settings) as game:
        one, other, _ = sealed_by_two(game)
        one.open().result(SOON)
        form = other.follow().client.opening()
        assert form is not None
        time.pass_by(SECONDS + 1)
        sweep(game)
        assert refused(other.opened(form["text"], form["salt"])) == "dice/no-opening-wanted"
        client = other.follow().client
        assert client.alarms == []
        assert "came in time" in client.journal[-1]
        client.opening_accepted()  # a server that says otherwise has lied
        assert [alarm.code for alarm in client.alarms] == ["other-placement"]


def test_one_who_does_not_open_resigns_where_that_is_the_policy(tmp_path: Path, time: Time) -> None:
    settings = replace(TIMED, timeout_policy=TimeoutPolicy.NEUTRAL)
    with placing(tmp_path, settings) as game:
        _, other = out_of_time(game, time)
        state = game.snapshot.game()
        assert state.position.status[state.colours.index(other.seat)] == Seat.RESIGNED
        assert verdict(game).placements.not_opened == [other.seat]


def test_one_who_opens_late_may_do_so_where_the_policy_is_to_wait(
    tmp_path: Path, time: Time
) -> None:
    settings = replace(TIMED, timeout_policy=TimeoutPolicy.WAIT)
    with placing(tmp_path, settings) as game:
        _, other = out_of_time(game, time)
        assert [line.seat for line in log(game) if line.kind is LineKind.LATE] == [other.seat]
        other.open().result(SOON)
        assert verdict(game).placements.not_opened == []


def test_a_seat_that_resigns_has_nothing_to_open(tmp_path: Path) -> None:
    with placing(tmp_path) as game:
        first, second, third = game.snapshot.game().colours
        (one,) = seated(game, first)
        one.seal(placement(game, first)).result(SOON)
        for seat in (first, second):
            game.table.out_of_turn(game.game, seat, f"resign {seat}").result(SOON)
        found = verdict(game).placements
        assert (found.by_clients, found.out) == ([first], [second])
        assert third not in found.by_server or found.not_opened == [first]


def test_a_fork_behind_a_seal_begins_the_placing_anew(tmp_path: Path) -> None:
    with placing(tmp_path) as game:
        first, _, third = game.snapshot.game().colours
        (one,) = seated(game, first)
        one.seal(placement(game, first)).result(SOON)
        place_openly(game, third)
        index = game.snapshot.head - 1
        for seat in game.snapshot.game().colours:
            motion = partial(vote, seat=seat, motion=f"fork {index}", withdrawn=False)
            game.table.change(game.game, motion).result(SOON)
        fork = Hosted(game.table, game.snapshot.forked)
        assert first in fork.snapshot.decisions
        assert third not in fork.snapshot.decisions
        place_openly(fork, first)
        place_openly(fork, game.snapshot.game().colours[1])
        assert verdict(fork).placements.opened
        assert fork.snapshot.game().phase.name != "SEALED"
