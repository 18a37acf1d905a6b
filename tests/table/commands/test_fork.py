"""Forks: a new game from an earlier entry, when all people agree."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from rubicon.dice.verify import verify
from rubicon.errors import RubiconError
from rubicon.table.commands import votes
from rubicon.table.commands.submit import Submission
from rubicon.table.commands.votes import MOST_MOTIONS, vote
from rubicon.table.deadlines import announce_absence, take_back_seat, tick
from rubicon.table.game.game_cache import as_of, dice_of, rebuilt
from rubicon.table.game.log_lines import LineKind
from rubicon.table.settings import DiceSource, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import lines_of
from tests.table.hosted import SOON, Hosted
from tests.table.lobby.lobbied import Lobbied, lobbied, refused

DAY = 24 * 3600 * 1000


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobbied]:
    with lobbied(tmp_path) as lobby:
        yield lobby


def agree(lobby: Lobbied, game: str, seat: str, motion: str, *, withdrawn: bool = False) -> None:
    """A seat votes."""
    lobby.table.change(game, lambda unit: vote(unit, seat, motion, withdrawn=withdrawn)).result(
        SOON
    )


def forked(lobby: Lobbied, game: Hosted, index: int) -> Hosted:
    """The fork from a log index, after all have voted for it."""
    for seat in ("red", "blue", "green"):
        if seat not in game.snapshot.server_bots:
            agree(lobby, game.game, seat, f"fork {index}")
    assert game.snapshot.forked
    lobby.table.wake(game.snapshot.forked).result(SOON)
    return Hosted(lobby.table, game.snapshot.forked)


def entry_of(lobby: Lobbied, game: Hosted, kind: LineKind, word: str = "") -> int:
    """The last line of a kind that begins with a word."""
    lines = lobby.read(lambda connection: lines_of(connection, game.game))
    return [line.index for line in lines if line.kind is kind and line.text.startswith(word)][-1]


@pytest.mark.parametrize("preset", ["classic", "secret-mission", "capital", "email"])
def test_a_fork_begins_at_the_same_position(lobby: Lobbied, preset: str) -> None:
    game = lobby.running(preset=preset, board="world")
    game.play(80)
    entries = {entry_of(lobby, game, kind) for kind in (LineKind.ACTION, LineKind.OUTCOME)}
    index = min(entries) - 1
    old = lobby.read(lambda connection: as_of(connection, game.game, index))
    again = forked(lobby, game, index)
    new = lobby.read(lambda connection: as_of(connection, again.game, 0))
    assert new.game.position.tobytes() == old.game.position.tobytes()
    assert new.settings == old.settings
    assert lobby.row(again.game).before == game.game
    assert [seat.account for seat in lobby.seats(again.game)] == ["ann", "bob", "cid"]
    again.play(30)
    hosted = lobby.read(lambda connection: rebuilt(connection, again.game))
    assert hosted.game.position.tobytes() == again.snapshot.position.tobytes()


def test_a_fork_at_a_roll_is_rolled_anew_under_a_promise_of_its_own(lobby: Lobbied) -> None:
    game = lobby.running()
    game.play(until="attack")
    attack = next(str(a) for a in game.snapshot.game().legal if str(a).startswith("attack"))
    game.submit(attack)
    again = forked(lobby, game, entry_of(lobby, game, LineKind.ACTION, "attack"))
    hosted = lobby.read(lambda connection: rebuilt(connection, again.game))
    new, old = (lobby.read(partial(dice_of, game=each.game))[0] for each in (again, game))
    assert new.body["commitment"] != old.body["commitment"]
    assert new.body["earlier"] == [{"table": game.game, "head": old.head.hex()}]
    assert hosted.game.pending is None
    for colour in ("red", "blue"):
        lobby.table.out_of_turn(again.game, colour, f"resign {colour}").result(SOON)
    verdict = verify(lobby.read(partial(dice_of, game=again.game)))
    assert list(verdict.earlier) == [(game.game, old.head)]
    assert verdict.opened
    assert verdict.fault is None


def test_hidden_things_stay_hidden(lobby: Lobbied) -> None:
    game = lobby.running(preset="secret-mission", board="world")
    game.play(60)
    again = forked(lobby, game, game.snapshot.head - 5)
    held, seen = again.snapshot.game(), again.snapshot.game().view("red")
    assert held.position.mission[1] >= 0
    assert seen.mission[1] < 0 <= seen.mission[0]
    row = lobby.row(again.game)
    assert "Position" not in row.ruleset
    dice = select(schema.dice.c.text).where(schema.dice.c.game == game.game)
    assert '"kind":"end"' not in "".join(lobby.read(lambda c: c.execute(dice)).scalars().all())


def test_all_people_must_agree_and_bots_do(lobby: Lobbied) -> None:
    opened = lobby.open(bots={1: "greedy"})
    lobby.join(opened.game, "bob")
    lobby.lobby.start(opened.game, "ann").result(SOON)
    game = Hosted(lobby.table, opened.game)
    agree(lobby, game.game, "red", "fork 0")
    agree(lobby, game.game, "red", "fork 0")
    assert game.snapshot.forked == ""
    with refused("vote/not-yours"):
        agree(lobby, game.game, "blue", "fork 0")
    agree(lobby, game.game, "green", "fork 1")
    assert game.snapshot.forked == ""  # another entry is another motion
    agree(lobby, game.game, "red", "fork 0", withdrawn=True)
    agree(lobby, game.game, "green", "fork 0")
    assert game.snapshot.forked == ""
    agree(lobby, game.game, "red", "fork 0")
    again = game.snapshot.forked
    assert lobby.table.snapshot(again).server_bots == {"blue": "greedy"}
    assert [seat.bot for seat in lobby.seats(again)] == [None, "greedy", None]


def test_who_is_out_of_the_game_has_a_vote_too(lobby: Lobbied) -> None:
    game = lobby.running()
    lobby.table.out_of_turn(game.game, "blue", "resign blue").result(SOON)
    for seat in ("red", "green"):
        agree(lobby, game.game, seat, "fork 2")
    assert game.snapshot.forked == ""
    agree(lobby, game.game, "blue", "fork 2")
    assert game.snapshot.forked


@pytest.mark.parametrize("index", ["", "-1", "x", "007", "1 2", "\u0663", "9" * 30, "head"])
def test_only_earlier_entries(lobby: Lobbied, index: str) -> None:
    game = lobby.running()
    wanted = str(game.snapshot.head) if index == "head" else index
    with refused("fork/index" if index else "vote/unknown"):
        agree(lobby, game.game, "red", f"fork {wanted}")


def test_a_seat_votes_for_a_few_forks_at_once(lobby: Lobbied) -> None:
    game = lobby.running()
    for index in range(MOST_MOTIONS):
        agree(lobby, game.game, "red", f"fork {index}")
    with refused("fork/too-many-votes"):
        agree(lobby, game.game, "red", f"fork {MOST_MOTIONS}")
    agree(lobby, game.game, "blue", f"fork {MOST_MOTIONS}")  # the limit is of one seat
    agree(lobby, game.game, "red", "fork 0", withdrawn=True)
    agree(lobby, game.game, "red", f"fork {MOST_MOTIONS}")
    assert len(game.snapshot.votes) == MOST_MOTIONS


def test_a_game_is_forked_a_limited_number_of_times(
    lobby: Lobbied, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(votes, "MOST_FORKS", 2)
    game = forked(lobby, forked(lobby, lobby.running(), 1), 0)
    with refused("fork/too-many"):
        agree(lobby, game.game, "red", "fork 0")
    assert game.snapshot.votes == {}


def test_the_game_that_was_left_takes_nothing_more(lobby: Lobbied) -> None:
    game = lobby.running()
    seat, decision = game.mover()
    again = forked(lobby, game, 1)
    assert game.snapshot.decisions == {}
    with refused("game/forked"):
        lobby.table.submit(Submission(game.game, seat, decision, "end attack")).result(SOON)
    with refused("game/forked"):
        lobby.table.out_of_turn(game.game, "red", "resign red").result(SOON)
    with refused("game/forked"):
        agree(lobby, game.game, "red", "draw")
    with refused("game/forked"):
        agree(lobby, game.game, "red", "fork 1")
    told = [fact["body"] for fact in lobby.table.facts(game.game, "") if fact["kind"] == "fork"]
    assert told == [f'{{"game": "{again.game}"}}']
    hosted = lobby.read(lambda connection: rebuilt(connection, game.game))
    assert hosted.forked == again.game


def test_typed_dice_are_not_taken_where_the_game_was_left(lobby: Lobbied) -> None:
    game = lobby.running(settings=Settings(dice=DiceSource.TYPED))
    assert game.snapshot.waits_for == "typed"
    waiting = game.snapshot.head
    forked(lobby, game, 0)
    with refused("game/forked"):
        lobby.table.type_dice(game.game, "red", waiting, "6 5 4").result(SOON)


def test_the_game_that_was_left_is_opened_behind_the_end_of_the_other(lobby: Lobbied) -> None:
    game = lobby.running()
    again = forked(lobby, game, 1)
    assert lobby.row(game.game).void - lobby.row(game.game).changed == DAY
    lobby.set(game.game, void=1)
    for receipt in tick(lobby.table, 0):
        receipt.result(SOON)
    assert game.snapshot.ending is None
    assert lobby.row(game.game).void > DAY
    for colour in ("red", "blue"):
        lobby.table.out_of_turn(again.game, colour, f"resign {colour}").result(SOON)
    lobby.set(game.game, void=1)
    for receipt in tick(lobby.table, 0):
        receipt.result(SOON)
    ending = game.snapshot.ending
    assert ending is not None
    assert (ending.result, ending.reason) == ("void", f"continued as {again.game}")
    verdict = verify(lobby.read(partial(dice_of, game=game.game)))
    assert verdict.opened
    assert verdict.fault is None


def test_a_fork_whose_transaction_fails_leaves_no_game_behind(
    lobby: Lobbied, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = lobby.running()
    agree(lobby, game.game, "red", "fork 1")
    agree(lobby, game.game, "blue", "fork 1")

    def fails(*_: object) -> None:
        raise RuntimeError("no more")

    with monkeypatch.context() as broken:
        broken.setattr("rubicon.table.game.unit_of_work.UnitOfWork._notify_decisions", fails)
        with pytest.raises(RuntimeError):
            agree(lobby, game.game, "green", "fork 1")
    assert len(lobby.read(lambda c: c.execute(select(schema.game.c.id)).all())) == 1
    told: list[str] = []
    lobby.table.watch(lambda published: told.append(published.snapshot.id))
    agree(lobby, game.game, "green", "fork 1")
    again = game.snapshot.forked
    assert lobby.row(again).state == "running"
    while again not in told:  # the new game was woken
        time.sleep(0.01)


def test_nothing_is_due_any_more_where_the_game_was_left(lobby: Lobbied) -> None:
    """Else a stand-in's return would be due every second, until the other game is over."""
    game = lobby.running()
    seat, _ = game.mover()
    today = datetime.now(UTC).date()
    days = f"{today - timedelta(days=1)} {today + timedelta(days=5)} greedy"
    lobby.table.change(game.game, lambda unit: announce_absence(unit, seat, days)).result(SOON)
    assert seat in game.snapshot.bots
    for colour in game.snapshot.game().colours:
        agree(lobby, game.game, colour, "fork 1")
    assert game.snapshot.forked
    due = select(schema.clock.c.kind).where(schema.clock.c.game == game.game)
    assert lobby.read(lambda connection: connection.execute(due).all()) == []
    head = game.snapshot.head
    with pytest.raises(RubiconError, match="continues as"):
        lobby.table.change(game.game, lambda unit: announce_absence(unit, seat, "")).result(SOON)
    lobby.table.change(game.game, lambda unit: take_back_seat(unit, seat)).result(SOON)
    assert game.snapshot.head == head
