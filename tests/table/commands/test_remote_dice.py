"""Remote dice: outages, wrong answers, and a seed that is not revealed."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection

from rubicon.dice.bodies import AnswerBody, Deposit, Keeper
from rubicon.dice.question import Promise, Question, Reply
from rubicon.dice.seeds import commitment, links_from
from rubicon.dice.verify import verify
from rubicon.table.admin.audit import verify_store
from rubicon.table.commands.remote_dice import LONGEST_REST, Rests, unfinished
from rubicon.table.errors import DiceUnavailable
from rubicon.table.game.game_cache import chain_of, rebuilt, seeds_of
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.submission import Status
from rubicon.table.service.deadlines import tick
from rubicon.table.service.table_service import TableService
from tests.table.hosted import GAME, SOON, Hosted, OtherDice, hosted
from tests.table.timed import set_time

STEP = 10.0  # seconds


class Clock:
    """The time of the rests."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def dice() -> OtherDice:
    return OtherDice()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def game(tmp_path: Path, dice: OtherDice, clock: Clock) -> Iterator[Hosted]:
    with hosted(tmp_path, dice=dice) as game:
        game.table.rests = Rests(clock)
        yield game


def live_of(game: Hosted) -> HostedGame:
    """The game as it is rebuilt from the store, with its whole dice chain."""

    def read(connection: Connection) -> HostedGame:
        hosted = rebuilt(connection, GAME)
        hosted.chain = chain_of(connection, GAME)
        return hosted

    return game.table.store.read(read)


def pass_by(game: Hosted, clock: Clock, seconds: float) -> None:
    """Advance the time in steps, with a sweep of deadlines after each."""
    for _ in range(int(seconds / STEP)):
        clock.at += STEP
        for future in tick(game.table, 0):
            future.exception(SOON)
        for _ in range(3):  # request, answer, outcome
            game.table.store.write(lambda connection: None).result(SOON)


def resign_all(game: Hosted) -> None:
    """End the game."""
    for colour in game.snapshot.game().colours[:-1]:
        game.table.out_of_turn(GAME, colour, f"resign {colour}").result(SOON)


def test_a_whole_game_with_a_remote_dice_server(game: Hosted, dice: OtherDice) -> None:
    hosted = live_of(game)
    assert hosted.seeds.dice is None
    assert hosted.chain.state.begun.commit == commitment(dice.seed)
    kept = [e.body for e in hosted.chain if isinstance(e.body, Deposit)]
    assert {deposit.keeper for deposit in kept} == {Keeper.DICE}
    assert game.play(60) == 60
    assert verify_store(game.table.store).damaged == {}
    resign_all(game)
    assert dice.opened == {GAME}
    assert game.snapshot.opened
    verdict = verify(live_of(game).chain)
    assert (verdict.ok, verdict.opened) == (True, True)
    report = verify_store(game.table.store)
    assert (report.damaged, report.sealed) == ({}, [])
    assert game.table.store.read(lambda c: seeds_of(c, GAME)).dice == dice.seed
    assert game.table.store.read(unfinished) == []


def test_nothing_is_decided_before_the_dice_are_promised(
    tmp_path: Path, dice: OtherDice, clock: Clock
) -> None:
    dice.away = True
    with hosted(tmp_path, dice=dice) as game:
        game.table.rests = Rests(clock)
        assert game.snapshot.waits_for == "dice"
        assert verify_store(game.table.store).damaged == {}
        assert isinstance(game.submit_async("red", 0, "end turn").exception(SOON), DiceUnavailable)
        game.table.wake(GAME).result(SOON)
        pass_by(game, clock, 200)
        assert game.snapshot.waits_for == "dice"
        dice.away = False
        pass_by(game, clock, LONGEST_REST)
        assert game.snapshot.waits_for == ""
        assert game.play(5) == 5
        assert verify_store(game.table.store).damaged == {}


def test_an_hour_without_dice_and_the_game_goes_on_by_itself(
    game: Hosted, dice: OtherDice, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    game.play(until="attack")
    attack = next(a for a in map(str, game.snapshot.game().legal) if a.startswith("attack"))
    dice.away, dice.asked = True, []
    seat, decision = game.mover()
    assert game.submit_async(seat, decision, attack).result(SOON).status is Status.DICE
    pass_by(game, clock, 3600)
    asked = len(dice.asked)
    assert 60 <= asked < 75  # the first ones soon, then once a minute
    assert game.snapshot.waits_for == "dice"
    dice.away = False
    pass_by(game, clock, LONGEST_REST)
    assert game.snapshot.waits_for == ""
    assert len(game.table.rests) == 0
    assert game.submit_async(seat, decision, attack).result(SOON).status is Status.DONE
    assert len({question.rid for question in dice.asked}) == 1


def test_dice_that_are_away_at_the_end_open_the_game_later(
    game: Hosted, dice: OtherDice, clock: Clock
) -> None:
    game.play(10)
    dice.away = True
    resign_all(game)
    assert game.snapshot.ending is not None
    assert not game.snapshot.opened
    report = verify_store(game.table.store)
    assert (report.damaged, report.sealed) == ({}, [GAME])
    assert game.table.store.read(unfinished) == [GAME]
    restarted = Hosted(TableService(game.table.store, dice=dice))
    dice.away = False
    restarted.table.wake(GAME).result(SOON)
    assert restarted.snapshot.opened
    assert verify(live_of(game).chain).opened
    pass_by(game, clock, LONGEST_REST)
    assert verify_store(game.table.store).sealed == []


class Cheat(OtherDice):
    """A dice server that does not do what it should."""

    other_links = False
    other_seed = False
    other_key = False
    broken = False

    def ask(self, question: Question) -> Future[Reply]:
        """Make dice with other links than were given."""
        if self.broken:
            raise OSError("no socket")
        if self.other_links:
            question = replace(question, links=dict.fromkeys(question.links))
        answer = super().ask(question)
        if self.other_key and answer.exception() is None:
            future: Future[Reply] = Future()
            future.set_result(replace(answer.result(), rid=bytes(32)))
            return future
        return answer

    def open(self, game: str) -> Future[bytes]:
        """Open another envelope."""
        if not self.other_seed:
            return super().open(game)
        future: Future[bytes] = Future()
        future.set_result(bytes(32))
        return future

    def promise(self, game: str, seats: Sequence[str]) -> Future[Promise]:
        """Send commitments for other seats."""
        return super().promise(game, seats)


@pytest.fixture
def cheat(tmp_path: Path) -> Iterator[Hosted]:
    """A game with a dice server that can cheat."""
    with hosted(tmp_path, dice=Cheat()) as game:
        game.play(until="attack")
        yield game


def test_another_seed_than_promised_opens_nothing(
    cheat: Hosted, caplog: pytest.LogCaptureFixture
) -> None:
    dice = cheat.table.dice
    assert isinstance(dice, Cheat)
    dice.other_seed = True
    *first, last = cheat.snapshot.game().colours[:-1]
    for colour in first:
        cheat.table.out_of_turn(GAME, colour, f"resign {colour}").result(SOON)
    cheat.table.out_of_turn(GAME, last, f"resign {last}").result(SOON)
    assert "dice/wrong-seed" in caplog.text
    assert cheat.snapshot.ending is not None
    assert not cheat.snapshot.opened
    assert len(cheat.table.rests) == 1
    assert verify_store(cheat.table.store).sealed == [GAME]
    dice.other_seed = False
    cheat.table.wake(GAME).result(SOON)
    assert cheat.snapshot.opened


def test_a_server_that_breaks_is_away(cheat: Hosted) -> None:
    dice = cheat.table.dice
    assert isinstance(dice, Cheat)
    attack = next(a for a in map(str, cheat.snapshot.game().legal) if a.startswith("attack"))
    seat, decision = cheat.mover()
    dice.broken = True
    assert cheat.submit_async(seat, decision, attack).result(SOON).status is Status.DICE
    dice.broken, dice.other_key = False, True
    assert cheat.table.wake(GAME).result(SOON).status is Status.DICE
    dice.other_key = False
    assert cheat.table.wake(GAME).result(SOON).status is Status.DONE


def test_remote_dice_use_links_and_a_timeout_is_logged_before_the_request(
    cheat: Hosted, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    dice = cheat.table.dice
    assert isinstance(dice, Cheat)
    mover, decision = cheat.mover()
    one, two = (colour for colour in cheat.snapshot.game().colours if colour != mover)
    links = {seat: links_from(seat.encode().rjust(32), 9) for seat in (one, two)}
    for seat, chain in links.items():
        cheat.table.deposit(GAME, seat, chain[0].hex(), 9).result(SOON)
    attack = next(a for a in map(str, cheat.snapshot.game().legal) if a.startswith("attack"))
    submitted = cheat.submit_async(mover, decision, attack)
    cheat.table.wake(GAME).result(SOON)
    asked = len(dice.asked)
    wanted = cheat.snapshot.links_wanted
    assert set(wanted) == {one, two}
    request, until = wanted[one].request, wanted[one].until
    cheat.table.open_link(GAME, one, request, links[one][1].hex()).result(SOON)
    assert len(dice.asked) == asked
    dice.other_links = True
    set_time(monkeypatch).at = until
    monkeypatch.setattr("rubicon.table.service.deadlines.now", lambda _: until)
    for future in tick(cheat.table, 0):
        future.exception(SOON)
    assert submitted.result(SOON).status is Status.DICE
    assert "its answer was refused: dice/other-links" in caplog.text
    late = cheat.table.open_link(GAME, two, request, links[two][1].hex()).exception(SOON)
    assert getattr(late, "code", "") == "dice/late-link"
    dice.other_links = False
    dice.answered.clear()
    assert cheat.table.wake(GAME).result(SOON).status is Status.DONE
    assert cheat.submit_async(mover, decision, attack).result(SOON).status is Status.DONE
    assert dice.asked[-1].links == {one: links[one][1], two: None}
    answers = [e.body for e in live_of(cheat).chain if isinstance(e.body, AnswerBody)]
    assert answers[-1].links[one] == links[one][1]
    assert answers[-1].links[two] is None
    assert verify_store(cheat.table.store).damaged == {}


def test_rests_grow_and_end(clock: Clock) -> None:
    rests, asked = Rests(clock), []
    rests.later(GAME)
    for _ in range(300):
        clock.at += 1.0
        for game in rests.due():
            asked.append(clock.at)
            rests.later(game)
    assert asked[:6] == [1.0, 3.0, 7.0, 15.0, 31.0, 63.0]
    assert asked[6] - asked[5] == LONGEST_REST
    rests.over(GAME)
    clock.at += 1000
    assert rests.due() == []
