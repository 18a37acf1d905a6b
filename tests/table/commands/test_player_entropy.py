"""Player entropy: deposits, links and timeouts; repetitions are idempotent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import wait
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from rubicon.dice.errors import BadEntry
from rubicon.dice.verify import verify
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.admin.audit import verify_store
from rubicon.table.admin.backup import backup, restore
from rubicon.table.commands.player_entropy import MAX_SILENCES
from rubicon.table.commands.votes import vote
from rubicon.table.errors import DiceUnavailable, TableError
from rubicon.table.game.submission import Status
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.service import table_service
from rubicon.table.service.deadlines import tick
from rubicon.table.service.table_service import TableService
from rubicon.table.settings import Settings
from rubicon.table.storage.database import Store
from rubicon.table.storage.event_log import LineKind
from rubicon.table.storage.migrate import migrate
from tests.table.commands.depositing import (
    WAIT,
    Owner,
    an_attack,
    finished,
    last_answer,
    live_of,
    log,
    others,
    refused,
    rolling,
    settle,
)
from tests.table.hosted import GAME, SOON, Hosted, hosted
from tests.table.timed import START, Time, set_time


def test_a_roll_waits_for_the_links_of_other_seats_and_uses_them(game: Hosted) -> None:
    one, two = [Owner(game, seat) for seat in others(game)]
    mover, decision, attack = an_attack(game)
    submitted = rolling(game, mover, decision, attack)
    assert not submitted.done()
    assert game.snapshot.waits_for == "links"
    assert set(game.snapshot.links_wanted) == {one.seat, two.seat}
    told = {seat: game.table.facts(GAME, seat)[-1] for seat in (one.seat, two.seat, mover, "")}
    asked = game.snapshot.links_wanted[one.seat]
    assert (told[one.seat]["kind"], told[two.seat]["kind"]) == ("link", "link")
    assert asked.request in told[one.seat]["body"]
    assert asked.witness == live_of(game).chain.witness
    assert (told[mover]["kind"] == "link", told[""]["kind"] == "link") == (False, False)
    assert one.give().status is Status.DICE
    assert not submitted.done()
    two.give()
    receipt = submitted.result(SOON)
    assert (receipt.status, receipt.last) == (Status.DONE, game.snapshot.head)
    links = last_answer(game).links
    assert links[one.seat] == one.links[1]
    assert links[two.seat] == two.links[1]
    assert mover not in links
    assert game.snapshot.links_left == {one.seat: 49, two.seat: 49}
    assert game.submit_async(mover, decision, attack).result(SOON) == receipt


def test_a_seat_adds_no_link_to_its_own_dice(game: Hosted) -> None:
    mover, decision, attack = an_attack(game)
    own = Owner(game, mover)
    assert game.submit(attack).status is Status.DONE  # needs no links
    assert mover not in last_answer(game).links
    other = Owner(game, others(game)[0])
    mover, decision, attack = an_attack(game)
    if mover != own.seat:
        own, other = other, own
    submitted = rolling(game, mover, decision, attack)
    request = game.snapshot.links_wanted[other.seat].request
    link = own.links[1].hex()
    assert refused(game.table.open_link(GAME, own.seat, request, link)) == "dice/own-link"
    other.give()
    assert submitted.result(SOON).status is Status.DONE


def test_who_is_silent_costs_one_wait_and_may_deposit_anew(game: Hosted, time: Time) -> None:
    owner = Owner(game, others(game)[0])
    mover, decision, attack = an_attack(game)
    submitted = rolling(game, mover, decision, attack)
    request = game.snapshot.links_wanted[owner.seat].request
    time.pass_by(WAIT - 0.001)
    assert settle(game) == 0
    time.pass_by(0.001)
    assert settle(game) == 1
    assert submitted.result(SOON).status is Status.DONE
    assert settle(game) == 0  # once
    assert last_answer(game).links[owner.seat] is None
    assert game.snapshot.links_left == {}
    assert [line.seat for line in log(game) if line.kind is LineKind.SILENT] == [owner.seat]
    link = owner.links[1].hex()
    assert refused(game.table.open_link(GAME, owner.seat, request, link)) == "dice/late-link"
    assert owner.deposit().status is Status.DONE
    assert game.snapshot.links_left == {owner.seat: 50}
    verdict = verify(live_of(game).chain)
    assert (verdict.ok, verdict.silent) == (True, 1)


def test_the_silent_are_not_waited_for_again(game: Hosted, time: Time) -> None:
    owner = Owner(game, others(game)[0])
    mover, decision, attack = an_attack(game)
    submitted = rolling(game, mover, decision, attack)
    time.pass_by(WAIT)
    settle(game)
    assert submitted.result(SOON).status is Status.DONE
    for _ in range(10):
        seat, decision, attack = an_attack(game)
        assert game.submit_async(seat, decision, attack).result(SOON).status is Status.DONE
    assert [line.seat for line in log(game) if line.kind is LineKind.SILENT] == [owner.seat]


def test_a_wrong_link_ends_nothing_and_the_right_one_may_be_sent_twice(game: Hosted) -> None:
    owner, other = (Owner(game, seat) for seat in others(game))
    mover, decision, attack = an_attack(game)
    submitted = rolling(game, mover, decision, attack)
    wanted = game.snapshot.links_wanted[owner.seat]
    give = partial(game.table.open_link, GAME, owner.seat)
    for number in (0, 2, 3):
        assert refused(give(wanted.request, owner.links[number].hex())) == "dice/wrong-link"
    assert refused(give(wanted.request, other.links[1].hex())) == "dice/wrong-link"
    assert refused(give("ab" * 32, owner.links[1].hex())) == "dice/other-request"
    assert refused(give("nonsense", owner.links[1].hex())) == "dice/bad-request"
    assert refused(give(wanted.request, owner.links[1].hex().upper())) == "dice/bad-link"
    nobody = game.table.open_link(GAME, "nobody", wanted.request, owner.links[1].hex())
    assert refused(nobody) == "dice/no-link-wanted"
    assert not submitted.done()
    head = owner.give().last
    assert owner.give(1, request=wanted.request).last == head == game.snapshot.head
    assert refused(give(wanted.request, other.links[1].hex())) == "dice/wrong-link"
    other.give()
    assert submitted.result(SOON).status is Status.DONE
    assert owner.give(1, request=wanted.request).status is Status.DONE  # answered by now
    assert refused(give(wanted.request, owner.links[2].hex())) == "dice/wrong-link"
    assert sum(line.kind is LineKind.LINK for line in log(game)) == 2


def test_what_may_be_deposited(game: Hosted, time: Time) -> None:
    seat = others(game)[0]
    owner = Owner(game, seat, length=2)
    end, deposit = owner.links[0].hex(), partial(game.table.deposit, GAME)
    head = game.snapshot.head
    assert deposit(seat, end, 2).result(SOON).last == head  # once more
    assert refused(deposit(seat, "cd" * 32, 2)) == "dice/deposit-too-soon"
    other = others(game)[1]
    assert refused(deposit(other, end, 2)) == "dice/link-known"
    assert refused(deposit(other, "cd" * 32, 0)) == "dice/wrong-form"
    assert refused(deposit(other, "cd" * 32, 4097)) == "dice/wrong-form"
    assert refused(deposit(other, "cd", 7)) == "dice/bad-link"
    assert refused(deposit("nobody", "cd" * 32, 7)) == "dice/seat"
    assert game.snapshot.head == head
    while game.snapshot.links_left:  # used up
        mover, decision, attack = an_attack(game)
        submitted = rolling(game, mover, decision, attack)
        if owner.wanted:
            owner.give()
        assert submitted.result(SOON).status is Status.DONE
    assert deposit(seat, "cd" * 32, 7).result(SOON).status is Status.DONE


def test_a_deposit_is_refused_while_dice_are_pending(game: Hosted) -> None:
    one, two = others(game)
    owner = Owner(game, one)
    mover, decision, attack = an_attack(game)
    submitted = rolling(game, mover, decision, attack)
    deposited = game.table.deposit(GAME, two, "cd" * 32, 7)
    out_of_turn = game.table.out_of_turn(GAME, two, f"standing {two} max")
    assert not deposited.done()
    assert not out_of_turn.done()
    owner.give()
    for future in (submitted, deposited, out_of_turn):
        assert future.result(SOON).status is Status.DONE
    assert game.snapshot.links_left == {one: 49, two: 7}


def test_a_table_can_refuse_player_entropy(tmp_path: Path) -> None:
    with hosted(tmp_path, settings=Settings(entropy_wait=0)) as game:
        assert refused(game.table.deposit(GAME, "red", "cd" * 32, 7)) == "dice/no-deposits"


def test_after_several_timeouts_a_seat_cannot_deposit_again(game: Hosted, time: Time) -> None:
    owner = Owner(game, others(game)[0])
    silences = 0
    while silences < MAX_SILENCES:
        mover, decision, attack = an_attack(game)
        submitted = rolling(game, mover, decision, attack)
        if owner.wanted:
            time.pass_by(WAIT)
            settle(game)
            silences += 1
            if silences < MAX_SILENCES:
                owner.deposit()
        assert submitted.result(SOON).status is Status.DONE
    with pytest.raises(TableError) as caught:
        owner.deposit()
    assert caught.value.code == "dice/silent-too-often"


def test_orders_wait_for_a_link_at_each_roll(game: Hosted) -> None:
    owners = [Owner(game, seat) for seat in others(game)]
    mover, decision, attack = an_attack(game)
    source, target = attack.split()[1], attack.split()[3]
    before = sum(line.kind is LineKind.REQUEST for line in log(game))
    text = f"ATTACK {source} -> {target} UNTIL WON OR LEFT 1\nEND"
    submitted = rolling(game, mover, decision, text, orders=True)
    again = game.submit_async(mover, decision, text, orders=True)
    while not submitted.done():
        for owner in owners:
            if owner.wanted:
                owner.give()
    receipt = submitted.result(SOON)
    assert receipt.status is Status.DONE
    assert again.result(SOON) == receipt
    rolls = sum(line.kind is LineKind.REQUEST for line in log(game)) - before
    assert sum(line.kind is LineKind.LINK for line in log(game)) == 2 * rolls >= 2
    assert game.submit_async(mover, decision, text, orders=True).result(SOON) == receipt
    assert verify_store(game.table.store).damaged == {}


def test_a_request_that_waits_too_long_is_answered_and_finished_later(
    game: Hosted, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = Owner(game, others(game)[0])
    mover, decision, attack = an_attack(game)
    submitted = rolling(game, mover, decision, attack)
    deposited = game.table.deposit(GAME, others_of(game, mover)[1], "cd" * 32, 7)
    monkeypatch.setattr(table_service, "LINK_TIMEOUT", -1.0)
    settle(game)
    assert submitted.result(SOON).status is Status.DICE
    assert isinstance(deposited.exception(SOON), DiceUnavailable)
    assert game.submit_async(mover, decision, attack).result(SOON).status is Status.DICE
    owner.give()
    receipt = game.submit_async(mover, decision, attack).result(SOON)
    assert (receipt.status, receipt.last) == (Status.DONE, game.snapshot.head)


def others_of(game: Hosted, mover: str) -> list[str]:
    """The seats beside one."""
    return [colour for colour in game.snapshot.game().colours if colour != mover]


def test_after_a_crash_between_link_and_answer_nothing_is_lost(game: Hosted, time: Time) -> None:
    one, two = [Owner(game, seat) for seat in others(game)]
    mover, decision, attack = an_attack(game)
    rolling(game, mover, decision, attack)
    one.give()
    restarted = Hosted(TableService(game.table.store))
    assert set(restarted.snapshot.links_wanted) == {two.seat}
    time.pass_by(WAIT)
    settle(restarted)
    assert last_answer(restarted).links == {one.seat: one.links[1], two.seat: None}
    receipt = restarted.submit_async(mover, decision, attack).result(SOON)
    assert receipt.status is Status.DONE
    verdict = verify(live_of(restarted).chain)
    assert (verdict.ok, verdict.mixed, verdict.silent) == (True, 1, 1)


def test_a_vote_ends_nothing_while_links_are_waited_for(game: Hosted) -> None:
    owner = Owner(game, others(game)[0])
    mover, decision, attack = an_attack(game)
    submitted = rolling(game, mover, decision, attack)

    def for_a_draw(unit: UnitOfWork, seat: str) -> None:
        vote(unit, seat, "draw")

    for seat in game.snapshot.game().colours:
        game.table.change(GAME, partial(for_a_draw, seat=seat)).result(SOON)
    assert game.snapshot.ending is None
    owner.give()
    assert submitted.result(SOON).status is Status.DONE
    assert game.snapshot.ending is not None
    assert game.snapshot.opened
    assert verify(live_of(game).chain).opened
    assert verify_store(game.table.store).damaged == {}
    assert refused(game.table.deposit(GAME, "red", "cd" * 32, 7)) == "game/over"


def test_a_whole_game_is_rebuilt_verified_and_copied(game: Hosted, time: Time) -> None:
    finished(game, time)
    hosted, store = live_of(game), game.table.store
    held = game.table.cache.held(GAME)
    assert held is not None
    assert hosted.game.position.tobytes() == held.game.position.tobytes()
    assert (hosted.links, hosted.depositors) == (held.links, held.depositors)
    verdict = verify(hosted.chain)
    assert verdict.ok
    assert verdict.opened
    assert verdict.mixed > 5
    assert verdict.silent == 1
    report = verify_store(store)
    assert (report.damaged, report.sealed) == ({}, [])


def test_a_restored_game_waits_for_its_links(game: Hosted, time: Time, tmp_path: Path) -> None:
    one, two = [Owner(game, seat) for seat in others(game)]
    mover, decision, attack = an_attack(game)
    rolling(game, mover, decision, attack)
    one.give()
    migrate_in_place(game)
    backup(game.table.store, tmp_path / "copy.gz")
    store = Store.open(f"sqlite:///{tmp_path}/again.db")
    try:
        restore(store, tmp_path / "copy.gz")
        again = Hosted(TableService(store))
        assert set(again.snapshot.links_wanted) == {two.seat}
        two.game = again
        two.give()
        assert last_answer(again).links == {one.seat: one.links[1], two.seat: two.links[1]}
        assert verify_store(store).damaged == {}
    finally:
        store.close()


def migrate_in_place(game: Hosted) -> None:
    """Say of a store that was made without migrations that it is of the newest version."""
    from alembic import command  # noqa: PLC0415

    from rubicon.table.storage.migrate import alembic_config  # noqa: PLC0415

    game.table.store.write(lambda c: command.stamp(alembic_config(c), "head")).result(SOON)


def statements(game: Hosted, act: Callable[[], object]) -> list[str]:
    """What is written while something is done."""
    written: list[str] = []

    def trace(note: Callable[[str], None] | None) -> None:
        def set_trace(connection: Connection) -> None:
            driver: Any = connection.connection.driver_connection
            driver.set_trace_callback(note)

        game.table.store.write(set_trace).result(SOON)

    trace(lambda statement: written.append(" ".join(statement.split()[:3])))
    act()
    trace(None)
    return written


def test_a_game_without_deposits_writes_nothing_more(game: Hosted) -> None:
    seat, decision, attack = an_attack(game)
    written = statements(game, lambda: game.submit_async(seat, decision, attack).result(SOON))
    tables = {words.split()[-1] for words in written if words.startswith("INSERT")}
    assert tables == {"log", "dice", "notification"}
    assert not [words for words in written if "clock" in words]
    assert {line.kind for line in log(game)} <= {
        LineKind.BEGIN, LineKind.REQUEST, LineKind.OUTCOME, LineKind.ACTION, LineKind.END,
    }  # fmt: skip


# Several workers on one database.


@pytest.fixture
def workers(new_url: Callable[[str], str]) -> Iterator[list[Hosted]]:
    """A game at two workers."""
    url = new_url("postgresql")
    stores = [Store.open(url) for _ in range(2)]
    migrate(stores[0])
    games = [Hosted(TableService(store)) for store in stores]
    games[0].begin(Ruleset.load("classic", board="skerries"), 3, Settings())
    yield games
    for store in stores:
        store.close()


def test_any_worker_takes_a_link_and_the_mover_hears_of_it(workers: list[Hosted]) -> None:
    one, two = workers
    mover, decision, attack = an_attack(one)
    owners = [Owner(worker, seat) for worker, seat in zip(workers, others(one), strict=True)]
    submitted = rolling(one, mover, decision, attack)
    for owner in owners:
        owner.game = two
        owner.give()
    assert two.snapshot.waits_for == ""
    one.table.retry_remote_dice()
    assert submitted.result(SOON).status is Status.DONE
    assert last_answer(one).links == {owner.seat: owner.links[1] for owner in owners}


def test_the_clock_of_two_workers_acts_once(
    workers: list[Hosted], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = set_time(monkeypatch)
    one, two = workers
    mover, decision, attack = an_attack(one)
    owner = Owner(two, others(one)[0])
    submitted = rolling(one, mover, decision, attack)
    clock.pass_by(WAIT)
    futures = [future for game in (one, two) for future in tick(game.table, START)]
    wait(futures, SOON)
    one.table.retry_remote_dice()
    assert submitted.result(SOON).status is Status.DONE
    kinds = [line.kind for line in log(one)]
    assert kinds.count(LineKind.SILENT) == 1
    assert kinds.count(LineKind.REQUEST) == kinds.count(LineKind.OUTCOME)
    assert last_answer(two).links[owner.seat] is None
    assert verify_store(one.table.store).damaged == {}


def test_bad_entries_say_what_was_expected(game: Hosted) -> None:
    deposited = game.table.deposit(GAME, others(game)[0], "cd" * 32, 0)
    error = deposited.exception(SOON)
    assert isinstance(error, BadEntry)
    assert "from 1 to 4,096" in error.suggestion
