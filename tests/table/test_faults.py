"""What goes wrong in the middle: nothing is lost by it, and no game stays behind broken."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from sqlalchemy import Connection

from rubicon.dice.lines.request import GivenLink
from rubicon.dice.verify import verify
from rubicon.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.table.admin.audit import verify_store
from rubicon.table.commands.dice_participants import LinkReceipt
from rubicon.table.commands.submit import Receipt, Status
from rubicon.table.commands.votes import vote
from rubicon.table.deadlines import tick
from rubicon.table.errors import DiceUnavailable, StoreOutcomeUnknown, TableError
from rubicon.table.game.game_cache import dice_of
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.storage.database import Store, migrate
from rubicon.table.table_service import Step, TableService
from tests.table.conftest import Postgres
from tests.table.hosted import GAME, SOON, Hosted, OtherDice, hosted
from tests.table.storage.test_database import begin, held_up
from tests.table.timed import START, Time

NOBODYS = bytes(32)


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path) as game:
        game.play(until="attack")
        yield game


def an_attack(game: Hosted) -> str:
    """The words of an attack that is possible."""
    return next(a for a in map(str, game.snapshot.game().legal) if a.startswith("attack"))


def change(game: Hosted, act: Callable[[UnitOfWork], None]) -> Future[Receipt]:
    """Run a command on the game."""
    return game.table.change(GAME, act)


def test_a_refused_link_takes_no_facts_from_those_who_wait_for_the_dice(
    game: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts wait for the answer of the dice; other commands in between must not drop them."""
    refused: list[Future[LinkReceipt]] = []
    seat, decision = game.mover()
    attack = an_attack(game)

    publish = game.table._publish

    def meddle(step: Step) -> None:
        publish(step)
        if step.dice_follow:
            refused.append(game.table.link(GAME, seat, 99, GivenLink(NOBODYS, bytes(64))))

    monkeypatch.setattr(game.table, "_publish", meddle)
    game.submit_async(seat, decision, attack).result(SOON)
    assert isinstance(refused[0].exception(SOON), RubiconError)
    assert f'"action":"{attack}"' in game.table.facts(GAME, "", decision)[-1]["body"]
    assert verify_store(game.table.store).damaged == {}


def test_a_line_that_cannot_be_taken_leaves_no_broken_game_in_memory(
    game: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: object, **__: object) -> None:
        raise RubiconError("test/unforeseen", "The rules refuse what was checked.", "")

    seat, decision = game.mover()
    attack = an_attack(game)
    held = game.table.cache.held(GAME)
    with monkeypatch.context() as patched:
        patched.setattr(Game, "play", play)
        assert isinstance(game.submit_async(seat, decision, attack).exception(SOON), RubiconError)
    assert game.table.cache.held(GAME) is not held
    assert game.submit_async(seat, decision, attack).result(SOON).status is Status.DONE


def test_a_game_whose_dice_server_stays_away_ends_broken(
    tmp_path: Path, time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    """A vote could drop a roll that nobody likes: only the end of the game stands behind it."""
    dice = OtherDice()
    with hosted(tmp_path, dice=dice) as game:
        game.play(until="attack")
        dice.away = True
        assert game.submit(an_attack(game)).status is Status.DICE
        for seat in game.snapshot.game().colours:
            refused = change(game, lambda unit, seat=seat: vote(unit, seat, "draw"))  # type: ignore[misc]
            assert isinstance(refused.exception(SOON), DiceUnavailable)
        time.pass_by(61 * 24 * 3600)
        for future in tick(game.table, START):
            future.result(SOON)
        dice.away = False
        again = Hosted(TableService(game.table.store, dice=dice))  # as behind a restart
        assert again.snapshot.ending is not None
        assert again.snapshot.waits_for == ""
        assert again.table.wake(GAME).exception(SOON) is None
        game.table.retry_dice_server()
        assert game.table.wake(GAME).exception(SOON) is None
        assert len(game.table.dice_retries) == 0
        verdict = verify(game.table.store.read(lambda connection: dice_of(connection, GAME)))
        assert verdict.ok
        assert verdict.broken
        assert verify_store(game.table.store).damaged == {}


def test_a_snapshot_that_others_displace_is_taken_again(
    game: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the wake and the read hundreds of other games may have been read."""
    publish, published = game.table._publish, list[Step]()

    def full(step: Step) -> None:
        published.append(step)
        if len(published) > 1:
            publish(step)

    monkeypatch.setattr(game.table, "_publish", full)
    game.table._snapshots.clear()
    assert game.snapshot.head > 0
    assert len(published) == 2


@pytest.mark.parametrize("beside", [False, True], ids=["", "a refused job beside it"])
def test_a_transaction_that_was_cut_off_leaves_nothing_to_the_next(
    new_url: Callable[[str], str], postgres: Postgres, beside: bool
) -> None:
    """The database ends a session whose thread still works: its row is free before that is seen."""
    url = new_url("postgresql")
    stores = [Store.open(url) for _ in range(2)]
    migrate(stores[0])
    here, there = TableService(stores[0]), TableService(stores[1])
    begin(here).play(until="attack")
    head = here.snapshot(GAME).head
    added, catch_up = threading.Event(), threading.Event()

    def refuse(_: UnitOfWork) -> None:
        raise TableError("vote/unknown", "There is no such motion.", "")

    def slow(_: Connection) -> None:
        added.set()
        catch_up.wait(SOON)

    with held_up(stores[0]):
        stuck = here.change(GAME, lambda unit: vote(unit, "red", "draw"))
        if beside:
            here.change(GAME, refuse)
        stores[0].write(slow)
    assert added.wait(SOON)
    postgres.drop_connections(url)
    there.change(GAME, lambda unit: vote(unit, "blue", "pause")).result(SOON)
    catch_up.set()
    assert isinstance(stuck.exception(SOON), StoreOutcomeUnknown)
    here.change(GAME, lambda unit: vote(unit, "red", "fork 0")).result(SOON)
    votes = here.snapshot(GAME).votes
    assert votes == {"pause": frozenset({"blue"}), "fork 0": frozenset({"red"})}
    assert here.snapshot(GAME).head == head + 2
    assert there.snapshot(GAME).votes == votes
    assert verify_store(stores[0]).damaged == {}
    for store in stores:
        store.close()


@pytest.mark.parametrize("character", ["\0", "\ud800"])
def test_a_text_that_no_database_keeps_is_refused(game: Hosted, character: str) -> None:
    seat, decision = game.mover()
    refused = game.submit_async(seat, decision, f"# {character}\nEND", orders=True).exception(SOON)
    assert isinstance(refused, TableError)
    assert refused.code == "text/no-character"
