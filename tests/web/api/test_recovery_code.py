"""A further device of a seat: certified with the recovery code of an earlier one, or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubicon.client import Client
from rubicon.dice.crypto import recovery_code
from rubicon.dice.errors import DiceError
from rubicon.dice.verify import SeatSummary
from tests.web.api.test_dice import answers, checked, play, two, until
from tests.web.conftest import RunningServer


def in_rolls(people: tuple[Client, Client], game: str, seat: str, more: int) -> SeatSummary:
    """Play until a seat's program is in so many more rolls; what a checker says of the seat."""
    first = people[0]
    before = checked(first, game).seats[seat]
    many = before.took_part + before.took_part_uncertified + more

    def enough() -> bool:
        now = checked(first, game).seats[seat]
        return now.took_part + now.took_part_uncertified >= many

    play(people, game, enough)
    return checked(first, game).seats[seat]


def refusal(client: Client, game: str, journal: Path, code: str) -> DiceError:
    """The error for a recovery code."""
    with pytest.raises(DiceError) as refused:
        client.take_part(game, journal, recovery_code=code)
    return refused.value


def test_a_further_device_is_certified_by_the_code(server: RunningServer, tmp_path: Path) -> None:
    with two(server) as (ann, bob, game), server.connect(bob.token) as phone:
        part = bob.take_part(game, tmp_path / "first.jsonl")
        code = bob.recovery_code(game)
        ann.start(game)
        play((ann, bob), game, lambda: answers(ann, game) >= 1)
        assert bob.recovery_code(game) == code
        bob.leave_dice(game)  # else a roll may wait for the device that is lost
        new = phone.take_part(game, tmp_path / "phone.jsonl", recovery_code=code)
        until(lambda: new.client.takes_part)
        assert new.client.own.key != part.client.own.key
        seat = in_rolls((ann, phone), game, part.seat, 2)
        assert (seat.chains, seat.uncertified, seat.took_part_uncertified) == (2, 0, 0)
        assert phone.recovery_code(game) != code  # it certifies further devices itself


def test_a_device_without_the_code_is_not_certified_until_it_gets_it(
    server: RunningServer, tmp_path: Path
) -> None:
    with two(server) as (ann, bob, game), server.connect(bob.token) as phone:
        seat = bob.take_part(game, tmp_path / "first.jsonl").seat
        code = bob.recovery_code(game)
        ann.start(game)
        play((ann, bob), game, lambda: answers(ann, game) >= 1)
        bob.leave_dice(game)
        until(lambda: not ann.game(game)["dice_clients"])
        journal = tmp_path / "phone.jsonl"
        assert refusal(phone, game, journal, "").code == "dice/other-device"
        bare = phone.take_part(game, journal, uncertified=True)
        until(lambda: bare.client.takes_part)
        found = in_rolls((ann, phone), game, seat, 1)
        uncertified = found.took_part_uncertified  # a battle may have had more than one roll
        assert found.uncertified == 1
        assert uncertified >= 1
        with pytest.raises(DiceError) as refused:
            phone.recovery_code(game)
        assert refused.value.code == "dice/uncertified"
        phone.leave_dice(game)
        again = phone.take_part(game, journal, recovery_code=code)
        until(lambda: again.client.takes_part)
        assert again.client.own.key == bare.client.own.key
        later = in_rolls((ann, phone), game, seat, 1)
        assert (later.chains, later.uncertified) == (3, 1)
        assert later.took_part > found.took_part
        assert again.client.alarms == []


def test_a_wrong_code_is_refused_with_a_sentence(server: RunningServer, tmp_path: Path) -> None:
    with two(server) as (ann, bob, game), server.connect(bob.token) as phone:
        others = ann.take_part(game, tmp_path / "ann.jsonl").seat
        foreign = ann.recovery_code(game)
        seat = bob.take_part(game, tmp_path / "first.jsonl").seat
        code = bob.recovery_code(game)
        ann.start(game)
        bob.leave_dice(game)
        journal = tmp_path / "phone.jsonl"
        assert others != seat
        for wrong in (code[:-1] + ("A" if code[-1] != "A" else "B"), foreign, "yes"):
            error = refusal(phone, game, journal, wrong)
            assert error.code == "dice/bad-recovery-code"
            assert f"no recovery code of {seat} in game {game}" in error.message
        stranger = refusal(phone, game, journal, recovery_code(game, seat, bytes(range(32))))
        assert stranger.code == "dice/other-recovery-code"
        assert "no certified device" in stranger.message
        assert checked(ann, game).seats[seat].chains == 1  # nothing was deposited
        new = phone.take_part(game, journal, recovery_code=code)
        until(lambda: new.client.takes_part)
        assert new.client.me is not None
        assert new.client.me.certified
