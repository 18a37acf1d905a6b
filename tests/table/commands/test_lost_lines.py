"""A database that is older than the dice that were shown: the game stops, and is forked."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select, update

from rubicon.dice.errors import DiceError
from rubicon.dice.transcript import proof_of_loss
from rubicon.table.admin.audit import verify_store
from rubicon.table.admin.game_files import transcript_of
from rubicon.table.commands.submit import Receipt, Submission
from rubicon.table.commands.votes import fork_stopped, vote
from rubicon.table.deadlines import announce_absence
from rubicon.table.errors import TableError
from rubicon.table.game.log_lines import LineKind
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from rubicon.table.table_service import TableService
from tests.table.dice_players import (
    CLOCKS,
    DicePlayer,
    an_attack,
    entries,
    log,
    refused,
    rolling,
    seated,
    sweep,
    until,
    verdict,
)
from tests.table.hosted import GAME, SOON, Hosted, hosted
from tests.table.timed import Time, set_time

HASH = re.compile(r"[0-9a-f]{64}")


@dataclass
class Restored:
    """A game in a restored database, the client that has seen more, and what it proves."""

    game: Hosted
    player: DicePlayer
    proof: list[str]

    def stop(self) -> None:
        """Show the proof."""
        self.show(self.proof).result(SOON)

    def show(self, lines: list[str]) -> Future[Receipt]:
        """Show any lines."""
        return self.game.table.show_lost_lines(GAME, self.player.seat, lines)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return set_time(monkeypatch, *CLOCKS)


@pytest.fixture
def lost(tmp_path: Path, time: Time) -> Iterator[Restored]:
    """The backup is of the moment in which a roll waited for the client's link."""
    live, again = tmp_path / "table.db", tmp_path / "again.db"
    with hosted(tmp_path) as game:
        attack = an_attack(game)
        [player] = seated(game, game.mover()[0])
        submitted = rolling(game, attack)
        with closing(sqlite3.connect(live)) as source, closing(sqlite3.connect(again)) as copy:
            source.backup(copy)
        player.give()
        submitted.result(SOON)
        player.follow()
    store = Store.open(f"sqlite:///{again}")
    try:
        restored = Hosted(TableService(store))
        shown = store.read(partial(transcript_of, game=GAME, seat="")).splitlines()
        proof = proof_of_loss(player.client.lines, shown)
        player.game = restored
        yield Restored(restored, player, proof)
        assert verify_store(store).damaged == {}
    finally:
        store.close()


def test_a_request_that_waits_is_never_answered(lost: Restored, time: Time) -> None:
    game, before = lost.game, entries(lost.game)
    assert game.snapshot.waits_for == "links"
    lost.stop()
    snapshot = game.snapshot
    assert (snapshot.waits_for, snapshot.links_wanted, snapshot.decisions) == ("lines-lost", {}, {})
    assert refused(lost.player.send(lost.player.sent[-1])) == "dice/no-link-wanted"
    time.pass_by(24 * 3600)
    sweep(game)
    assert entries(game) == before
    report = verify_store(game.table.store)
    assert report.lost_lines == {GAME: (len(before), "")}


def test_every_act_is_refused_with_the_way_out(lost: Restored) -> None:
    game, seat = lost.game, lost.player.seat
    lost.stop()
    table, index = game.table, game.snapshot.head - 1
    acts = [
        table.submit(Submission(GAME, seat, 0, "end attack")),
        table.out_of_turn(GAME, seat, f"resign {seat}"),
        table.deposit(GAME, seat, lost.player.client.deposit),
        table.change(GAME, lambda unit: vote(unit, seat, "pause")),
        table.change(GAME, lambda unit: announce_absence(unit, seat, "2026-12-24 2026-12-31")),
    ]
    for act in acts:
        error = act.exception(SOON)
        assert isinstance(error, TableError)
        assert error.code == "dice/lines-lost"
        assert f"'fork {index}'" in error.suggestion


def test_it_is_told_once_to_every_seat(lost: Restored) -> None:
    game = lost.game
    lost.stop()
    head = game.snapshot.head
    lost.stop()  # another client proves the same
    assert game.snapshot.head == head
    first = len(entries(game))
    for seat in ("", *game.snapshot.game().colours):
        told = [fact for fact in game.table.facts(GAME, seat) if fact["index"] == head]
        assert [json.loads(one["body"]) for one in told if one["kind"] == "stopped"] == [
            {"line": first}
        ]
        [events] = [json.loads(one["body"]) for one in told if one["kind"] == "events"]
        assert [(one["event"], one["text"]) for one in events[-1:]] == [("lost-lines", str(first))]


def test_the_fork_begins_where_the_store_ends(lost: Restored) -> None:
    game = lost.game
    with pytest.raises(TableError) as early:
        game.table.change(GAME, fork_stopped).result(SOON)
    assert early.value.code == "fork/not-stopped"
    lost.stop()
    old = game.snapshot.game()
    game.table.change(GAME, fork_stopped).result(SOON)
    fork = Hosted(game.table, game.snapshot.forked)
    begin = fork.table.store.read(partial(transcript_of, game=fork.game, seat=""))
    earlier = json.loads(begin.split("\n")[0])["body"]["earlier"]
    assert earlier == [{"table": GAME, "head": entries(game)[0].head.hex()}]
    assert fork.snapshot.game().position.round_number == old.position.round_number
    fork.play()
    assert fork.snapshot.ending is not None
    assert verdict(fork).opened
    set_void = update(schema.game).where(schema.game.c.id == GAME).values(void=1)
    game.table.store.write(lambda c: c.execute(set_void).rowcount).result(SOON)
    sweep(game)
    until(lambda: game.snapshot.ending is not None)
    assert verdict(game).broken  # the roll that waited was never made


def test_nobody_forks_it_and_it_is_closed_in_time(lost: Restored, time: Time) -> None:
    lost.stop()
    time.pass_by(Settings().void_after + 60)
    sweep(lost.game)
    ending = lost.game.snapshot.ending
    assert ending is not None
    assert ending.result == "void"
    assert verdict(lost.game).broken
    error = lost.show(lost.proof).exception(SOON)  # a finished game stays as it is
    assert isinstance(error, TableError)
    assert error.code == "game/over"


def test_what_proves_nothing_changes_nothing(lost: Restored) -> None:
    game = lost.game
    stored = [entry.text() for entry in entries(game)]
    forged = HASH.sub(turned, lost.proof[0], count=1)
    assert forged != lost.proof[0]
    for lines in (stored[-1:], lost.proof[:0], [forged], ["{}"]):
        error = lost.show(lines).exception(SOON)
        assert isinstance(error, DiceError)
        assert error.code == "dice/no-proof"
    assert game.snapshot.waits_for == "links"
    assert LineKind.LOST_LINES not in [line.kind for line in log(game)]


def turned(found: re.Match[str]) -> str:
    """A hash from back to front."""
    return found[0][::-1]


def test_an_invented_loss_is_found(lost: Restored) -> None:
    game = lost.game
    lost.stop()
    columns = schema.log.c
    where = (columns.game == GAME) & (columns.kind == LineKind.LOST_LINES.value)
    read = select(columns.text).where(where)
    text = game.table.store.read(lambda c: c.execute(read).scalar_one())
    number, _, lines = text.partition("\n")
    for forged, code in (
        (f"{int(number) + 1}\n{lines}", "log/lost-lines"),
        (f"{number}\n{HASH.sub(turned, lines, count=1)}", "dice/no-proof"),
    ):
        rewrite(game, forged)
        assert verify_store(game.table.store).damaged[GAME].code == code
    rewrite(game, text)


def rewrite(game: Hosted, text: str) -> None:
    """Put another text into the line that says what is lost."""
    columns = schema.log.c
    where = (columns.game == GAME) & (columns.kind == LineKind.LOST_LINES.value)
    change = update(schema.log).where(where).values(text=text)
    game.table.store.write(lambda c: c.execute(change).rowcount).result(SOON)
