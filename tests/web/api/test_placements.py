"""Sealed placements of players' programs: nobody knows them before all are in."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rubicon.client import Client, DiceAlarm
from rubicon.client.session import ApiSession
from rubicon.dice.errors import DiceError
from rubicon.dice.journal import Journal, compare
from rubicon.dice.lines.placement import Opened, Sealed, placement_hash
from rubicon.dice.transcript_file import entries_of
from rubicon.table.commands import client_placements, placements
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.submission import Answered
from rubicon.table.game.unit_of_work import UnitOfWork
from tests.web.api.test_dice import checked, crash, play, seat_of, two, until
from tests.web.conftest import RunningServer

EMAIL = {"ruleset": "email", "board": "skerries"}


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals without a name of their own do not go to the home of who runs the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What programs send, as one text a request."""
    found: list[str] = []
    call = ApiSession.call

    def heard(session: ApiSession, method: str, path: str, **more: Any) -> Any:
        found.append(f"{path} {more.get('json')}")
        return call(session, method, path, **more)

    monkeypatch.setattr(ApiSession, "call", heard)
    return found


def placing(client: Client, game: str) -> tuple[int, str]:
    """Wait until a seat places: its decision, and orders that place everything."""
    until(lambda: client.game(game)["phase"] == "sealed")
    state = client.game(game)
    seat, territories = state["you"], state["position"]["territories"]
    own = [name for name, each in territories.items() if each["owner"] == seat]
    return state["decision"], f"DEPLOY 2 {own[1]}, REST {own[0]}; SEAL"


def everything_stored(folder: Path) -> bytes:
    """The bytes of the server's database."""
    return b"".join(each.read_bytes() for each in sorted(folder.glob("*.db*")))


def test_nothing_of_a_placement_is_known_before_all_are_in(
    server: RunningServer, sent: list[str]
) -> None:
    with two(server, **EMAIL) as (ann, bob, game):
        parts = {client: client.take_part(game) for client in (ann, bob)}
        ann.start(game)
        decision, text = placing(ann, game)
        ann.submit(game, decision, text, orders=True)
        (own,) = parts[ann].client.placements.kept.values()
        assert ann.game(game)["decision"] is None
        secrets = [own.salt, *own.text.split("\n")]
        assert len(secrets) == 3
        stored = everything_stored(server.folder)
        assert next(iter(parts[ann].client.placements.kept)).encode() in stored
        told = bob.transcript(game) + str(bob.past_events(game)) + str(bob.game(game))
        for secret in secrets:
            assert secret.encode() not in stored
            assert secret not in told
            assert not any(secret in each for each in sent)
        bob.submit(game, *placing(bob, game), orders=True)
        until(lambda: ann.game(game)["phase"] not in ("sealed", "first_player", "deal"))
        assert any(own.salt in each for each in sent)
        for client, part in parts.items():
            client.check_dice(game)
            assert part.client.alarms == []
        found = checked(ann, game).placements
        assert sorted(found.by_clients) == sorted(seat_of(client, game) for client in parts)
        assert (len(found.by_server), len(found.opened), found.not_opened) == (1, 3, [])
        opened = [
            entry.body for entry in entries_of(ann.transcript(game)) if entry.kind == "opened"
        ]
        texts = {body["seat"]: body["text"] for body in opened}
        for part in parts.values():
            (kept,) = part.client.placements.kept.values()
            assert texts[part.seat] == kept.text


def test_a_program_that_was_ended_opens_when_it_is_back(
    server: RunningServer, tmp_path: Path
) -> None:
    with two(server, **EMAIL) as (ann, bob, game):
        journal = tmp_path / "ann.jsonl"
        ann.take_part(game, journal)
        ann.start(game)
        ann.submit(game, *placing(ann, game), orders=True)
        crash(ann, game)
        bob.submit(game, *placing(bob, game), orders=True)  # by no program: the server seals
        until(lambda: ann.game(game)["waiting_for"] == "openings")
        assert list(ann.game(game)["deadlines"]) == [seat_of(ann, game)]
        part = ann.take_part(game, journal)
        until(lambda: ann.game(game)["phase"] != "sealed")
        assert part.client.alarms == []
        found = checked(ann, game).placements
        assert (found.by_clients, found.not_opened) == ([seat_of(ann, game)], [])
        own = compare(Journal.read(journal.read_text()), list(entries_of(ann.transcript(game))))
        assert own.ok


def test_what_is_no_whole_placement_is_not_sent(server: RunningServer, sent: list[str]) -> None:
    with two(server, **EMAIL) as (ann, _, game):
        ann.take_part(game)
        ann.start(game)
        decision, text = placing(ann, game)
        part, _, _ = text.partition(",")
        with pytest.raises(DiceError) as raised:
            ann.submit(game, decision, part, orders=True)
        assert raised.value.code == "dice/incomplete-placement"
        assert not any(part in each or "/sealed" in each for each in sent)


# What a cheating operator does to the programs.


def alarm(client: Client, game: str) -> str:
    """The code of the alarm that a program raises."""
    with pytest.raises(DiceAlarm) as raised:
        until(lambda: client.check_dice(game))
    return raised.value.alarms[0].code


def test_an_operator_who_writes_another_hash_is_seen_at_once(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(unit: UnitOfWork, body: Sealed, *, check: bool = False) -> None:
        chosen = placement_hash(body.seat, bytes(32), "place elsewhere 9")
        add_seal(unit, Sealed(body.seat, 0, chosen))

    add_seal = placements.add_seal
    monkeypatch.setattr(client_placements, "add_seal", other)
    with two(server, **EMAIL) as (ann, _, game):
        ann.take_part(game)
        ann.start(game)
        ann.submit(game, *placing(ann, game), orders=True)
        assert alarm(ann, game) == "other-placement"


def test_an_operator_who_denies_an_opening_is_seen_at_once(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(unit: UnitOfWork, opened: Opened) -> Answered:
        if opened.seat in unit.hosted.placements.wanted:
            placements.add_opening(unit, Opened(opened.seat))
        return Answered(opened.seat)

    monkeypatch.setattr("rubicon.table.service.table_service.take_opening", denied)
    with two(server, **EMAIL) as (ann, bob, game):
        ann.take_part(game)
        ann.start(game)
        ann.submit(game, *placing(ann, game), orders=True)
        bob.submit(game, *placing(bob, game), orders=True)
        assert alarm(ann, game) == "other-placement"


def test_a_friend_who_places_last_never_plays_unseen(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator calls the bot's seat out of the game, and lets it place behind the openings."""
    plays, has_placed = placements._plays, placements._has_placed

    def out(hosted: HostedGame, seat: str) -> bool:
        return seat not in hosted.server_bots and plays(hosted, seat)

    def gone(hosted: HostedGame, seat: str) -> bool:
        return seat in hosted.server_bots or has_placed(hosted, seat)

    monkeypatch.setattr(placements, "_plays", out)
    monkeypatch.setattr(placements, "_has_placed", gone)
    with two(server, **EMAIL) as (ann, bob, game):
        parts = [client.take_part(game) for client in (ann, bob)]
        ann.start(game)
        for client in (ann, bob):
            client.submit(game, *placing(client, game), orders=True)
        until(lambda: ann.game(game)["phase"] != "sealed")
        with suppress(DiceAlarm):
            play((ann, bob), game, lambda: any(part.client.alarms for part in parts))
        found = next(part.client.alarms[0] for part in parts if part.client.alarms)
        assert found.code == "bad-line"
        assert "sealed no placement" in found.message
