"""A table with an independent dice server: it gives its link last, and stops what does not hold."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from rubicon.dice.dice_server import LinkQuestion
from rubicon.dice.lines.members import Deposit
from rubicon.dice.lines.request import GivenLink
from rubicon.table.admin.audit import verify_store
from rubicon.table.commands.dice_participants import DiceServerRetries
from rubicon.table.commands.submit import Status
from rubicon.table.table_service import TableService
from tests.table.dice_players import (
    CLOCKS,
    WAIT,
    an_attack,
    entries,
    last,
    others,
    rolling,
    seated,
    sweep,
    verdict,
)
from tests.table.hosted import GAME, SOON, Hosted, OtherDice, hosted
from tests.table.timed import Time, set_time


class WrongDice(OtherDice):
    """A dice server whose answers can be made wrong."""

    wrong = ""

    def link(self, question: LinkQuestion) -> Future[GivenLink]:
        """Its link, or something else."""
        found = super().link(question)
        given = found.result(SOON)
        match self.wrong:
            case "link":
                given = replace(given, link=bytes(32))
            case "signature":
                given = replace(given, sig=bytes(64))
        done: Future[GivenLink] = Future()
        done.set_result(given)
        return done

    def open(self, game: str) -> Future[Deposit]:
        """Its deposit, or something else."""
        found = super().open(game)
        if self.wrong != "deposit":
            return found
        done: Future[Deposit] = Future()
        done.set_result(replace(found.result(SOON), sig=bytes(64)))
        return done


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return set_time(monkeypatch, *CLOCKS)


@pytest.fixture
def dice() -> WrongDice:
    return WrongDice()


@pytest.fixture
def game(tmp_path: Path, time: Time, dice: WrongDice) -> Iterator[Hosted]:
    """A game with a dice server before its first attack."""
    with hosted(tmp_path, dice=dice) as game:
        game.play(until="attack")
        yield game
        assert verify_store(game.table.store).damaged == {}


def test_it_takes_part_in_every_roll(game: Hosted) -> None:
    game.submit(an_attack(game))
    found = verdict(game)
    assert found.dice_server == found.requests >= 2
    sequence = [entry.kind for entry in entries(game)]
    assert sequence[0] == "genesis"
    assert sequence[1:] == ["request", "links", "answer"] * found.requests


def test_it_is_asked_when_all_clients_have_given(game: Hosted, dice: WrongDice) -> None:
    attack = an_attack(game)
    one, two = seated(game, *others(game))
    asked = len(dice.asked)
    submitted = rolling(game, attack)
    one.give()
    assert len(dice.asked) == asked
    two.give()
    assert submitted.result(SOON).status is Status.DONE
    assert len({question.line for question in dice.asked[asked:]}) == 1
    assert set(dice.asked[-1].keys) == {f"{one.seat}.1", f"{two.seat}.1"}
    assert set(last(game, "links")["list"]) == {"server", f"{one.seat}.1", f"{two.seat}.1"}
    assert one.follow().client.alarms == two.follow().client.alarms == []


def test_it_sees_a_silence_before_it_gives_its_link(
    game: Hosted, dice: WrongDice, time: Time
) -> None:
    attack = an_attack(game)
    (one,) = seated(game, others(game)[0])
    submitted = rolling(game, attack)
    time.pass_by(WAIT + 1)
    sweep(game)
    assert submitted.result(SOON).status is Status.DONE
    assert last(game, "links")["list"][f"{one.seat}.1"] is None
    assert last(game, "answer")["links"][f"{one.seat}.1"] is None
    assert verdict(game).seats[one.seat].silent == 1


def test_a_link_is_not_taken_when_the_list_is_closed(game: Hosted, dice: WrongDice) -> None:
    attack = an_attack(game)
    one, two = seated(game, *others(game))
    rolling(game, attack)
    one.give()
    message = two.follow().client.give()
    assert message is not None
    dice.away = True
    two.send(message).result(SOON)
    game.table.wake(GAME).result(SOON)
    assert game.snapshot.waits_for == "dice"
    assert game.snapshot.links_wanted == {}
    dice.away = False
    assert game.table.wake(GAME).result(SOON).status is Status.DONE
    assert verdict(game).waiting is False


def test_while_it_is_away_its_game_waits_and_asks_the_same_again(
    game: Hosted, dice: WrongDice
) -> None:
    attack = an_attack(game)
    dice.away = True
    assert game.submit(attack).status is Status.DICE
    asked = [question.line for question in dice.asked]
    assert game.snapshot.waits_for == "dice"
    assert game.table.waiting_for(game.snapshot) == "dice"
    assert game.table.waiting_reason(game.snapshot).startswith("The dice are not available yet")
    game.table.wake(GAME).result(SOON)
    assert {question.line for question in dice.asked[len(asked) - 1 :]} == {asked[-1]}
    assert len(game.table.dice_retries) == 1
    dice.away = False
    assert game.table.wake(GAME).result(SOON).status is Status.DONE
    assert game.snapshot.waits_for == ""
    assert len(game.table.dice_retries) == 0


@pytest.mark.parametrize(("wrong", "code"), [("link", "wrong-link"), ("signature", "signature")])
def test_an_answer_that_does_not_hold_stops_the_game_and_says_so(
    game: Hosted, dice: WrongDice, wrong: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    attack = an_attack(game)
    dice.wrong = wrong
    with caplog.at_level(logging.WARNING):
        assert game.submit(attack).status is Status.DICE
    assert game.snapshot.waits_for == "dice"
    assert any(code in getattr(record, "reason", "") for record in caplog.records)
    assert game.table.waiting_for(game.snapshot) == "dice-refused"
    reason = game.table.waiting_reason(game.snapshot)
    assert reason.startswith("The game is stopped by its dice server")
    dice.away = True
    game.table.wake(GAME).result(SOON)
    assert game.table.waiting_reason(game.snapshot) == reason  # an outage hides no refusal
    dice.away = False
    before = len(entries(game))
    game.table.wake(GAME).result(SOON)
    assert len(entries(game)) == before
    dice.wrong = ""
    assert game.table.wake(GAME).result(SOON).status is Status.DONE
    assert game.table.waiting_reason(game.snapshot) == ""


def test_a_game_does_not_begin_with_a_wrong_deposit(
    tmp_path: Path, time: Time, dice: WrongDice
) -> None:
    dice.wrong = "deposit"
    with hosted(tmp_path, dice=dice) as game:
        assert entries(game) == []
        assert game.snapshot.waits_for == "dice"
        assert game.snapshot.head == 0
        dice.wrong = ""
        game.table.wake(GAME).result(SOON)
        assert entries(game)[0].kind == "genesis"
        assert game.play(20) == 20
        assert verdict(game).dice_server == verdict(game).requests


def test_a_game_that_is_forgotten_with_a_closed_list_goes_on(game: Hosted, dice: WrongDice) -> None:
    attack = an_attack(game)
    dice.away = True
    game.submit(attack)
    line = last(game, "links")
    restarted = Hosted(TableService(game.table.store, dice=dice))
    dice.away = False
    assert restarted.table.wake(GAME).result(SOON).status is Status.DONE
    assert last(game, "links") == line
    assert [entry.kind for entry in entries(game)][-3:] == ["request", "links", "answer"]


def test_delays_double_up_to_a_minute() -> None:
    at = [0.0]
    dice_retries = DiceServerRetries(lambda: at[0])
    found = []
    for _ in range(9):
        dice_retries.later("game")
        start = at[0]
        while not dice_retries.due():
            at[0] += 0.5
        found.append(at[0] - start)
    assert found == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    dice_retries.over("game")
    assert len(dice_retries) == 0
