"""Sealed placements of players' programs: nobody knows them before all are in."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rubicon.client import ApiError, Client, DiceAlarm, dice
from rubicon.client.session import ApiSession
from rubicon.dice.errors import DiceError
from rubicon.dice.journal import Journal, compare
from rubicon.dice.lines.opening import Opened, Sealed, placement_hash
from rubicon.dice.transcript import entries_of
from rubicon.table.commands import advance, dice_participants
from rubicon.table.commands.submit import Answered
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.unit_of_work import UnitOfWork
from tests.web.api.test_dice import checked, crash, play, seat_of, two, until
from tests.web.conftest import RunningServer, in_process

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


def test_nothing_of_a_placement_is_known_before_all_are_in(tmp_path: Path, sent: list[str]) -> None:
    # A server of its own: in other games, too, two armies may be placed there.
    with in_process(tmp_path) as server, two(server, **EMAIL) as (ann, bob, game):
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


def test_an_opening_that_the_server_puts_off_is_sent_again(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing happens in the game meanwhile that would remind of it."""
    monkeypatch.setattr(dice, "RETRY", 0.05)
    body = {"code": "limit/requests", "message": "", "suggestion": ""}
    refusals = [ApiError(429, body) for _ in range(20)]  # more than the game has events
    call = ApiSession.call

    def limited(session: ApiSession, method: str, path: str, **more: Any) -> Any:
        if path.endswith("/dice/opened") and refusals:
            raise refusals.pop()
        return call(session, method, path, **more)

    monkeypatch.setattr(ApiSession, "call", limited)
    with two(server, **EMAIL) as (ann, bob, game):
        part = ann.take_part(game)
        ann.start(game)
        ann.submit(game, *placing(ann, game), orders=True)
        bob.submit(game, *placing(bob, game), orders=True)
        until(lambda: ann.game(game)["phase"] != "sealed")
        assert (refusals, part.client.alarms) == ([], [])
        assert checked(ann, game).placements.not_opened == []


SALT = "ab" * 32
SEAL = {"decision": 0, "hash": SALT, "id": "red", "head": SALT, "signature": SALT * 2}
ODD: dict[str, list[Any]] = {  # by the last part of the path
    "sealed": [
        SEAL,
        SEAL | {"decision": 2**53},
        SEAL | {"decision": -2},
        SEAL | {"hash": None},
        SEAL | {"hash": SALT + "ab"},
        SEAL | {"id": "\u2028" * 60},
        SEAL | {"signature": "\uff11" * 128},
    ],
    "opened": [
        {"text": "place x 1", "salt": SALT},
        {"text": "", "salt": SALT},
        {"text": "\x00", "salt": SALT},
        {"text": "\ud800", "salt": SALT},
        {"text": "x" * 65_536, "salt": SALT},
        {"text": "x" * 65_537, "salt": SALT},
        {"text": None, "salt": None},
        {"text": "place x 1", "salt": SALT[:-2]},
        [],
    ],
}


@pytest.mark.parametrize("what", ODD)
def test_odd_messages_and_those_of_a_stranger_have_no_effect(
    server: RunningServer, what: str
) -> None:
    with two(server, **EMAIL) as (ann, _, game), server.client("Eve") as eve:
        ann.take_part(game)
        ann.start(game)
        placing(ann, game)
        path = f"/games/{game}/dice/{what}"
        for body in ODD[what]:
            for client in (ann, eve):
                answer = client._session.http.post(path, content=json.dumps(body))
                assert 400 <= answer.status_code < 500, (body, answer.text)
        assert checked(ann, game).placements.by_clients == []
        assert '"kind":"opened"' not in ann.transcript(game)


def test_words_with_line_breaks_of_their_own_are_no_lines_of_the_transcript(
    server: RunningServer,
) -> None:
    """Words that a player sends stand in the last line for all."""
    with two(server) as (ann, bob, game):
        parts = [client.take_part(game) for client in (ann, bob)]
        ann.start(game)
        attacks: list[str] = []

        def attack() -> bool:
            for client in (ann, bob):
                legal = client.legal(game)
                texts = [each["lowest"] for each in legal["ranges"]]
                attacks.extend(text for text in texts if text.startswith("attack"))
                if attacks:
                    text = attacks[0].replace(" ", "\u2028", 1)
                    client.submit(game, legal["decision"], text)
                    return True
            return False

        play((ann, bob), game, attack)
        for client in (ann, bob):
            until(lambda: ann.game(game)["waiting_for"] != "links")
            client.out_of_turn(game, f"resign {seat_of(client, game)}")
        until(lambda: all(part.client.transcript.state.closed for part in parts))
        assert "\u2028" in ann.transcript(game)
        assert [part.client.alarms for part in parts] == [[], []]


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

    add_seal = advance.add_seal
    monkeypatch.setattr(dice_participants, "add_seal", other)
    with two(server, **EMAIL) as (ann, _, game):
        ann.take_part(game)
        ann.start(game)
        ann.submit(game, *placing(ann, game), orders=True)
        assert alarm(ann, game) == "other-placement"


def denied(unit: UnitOfWork, opened: Opened) -> Answered:
    """Take an opening, and write that there was none."""
    if opened.seat in unit.hosted.placements.wanted:
        advance.add_opening(unit, Opened(opened.seat))
    return Answered(opened.seat)


def test_an_operator_who_denies_an_opening_is_seen_at_once(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rubicon.table.table_service.take_opening", denied)
    with two(server, **EMAIL) as (ann, bob, game):
        ann.take_part(game)
        ann.start(game)
        ann.submit(game, *placing(ann, game), orders=True)
        bob.submit(game, *placing(bob, game), orders=True)
        assert alarm(ann, game) == "other-placement"


def test_an_operator_who_calls_an_opening_late_leaves_a_finding(
    server: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An honest server says the same where the time was over: it is no alarm."""
    monkeypatch.setattr("rubicon.table.table_service.take_opening", denied)
    call = ApiSession.call

    def refused(session: ApiSession, method: str, path: str, **more: Any) -> Any:
        answer = call(session, method, path, **more)
        if path.endswith("/dice/opened"):
            body = {"code": "dice/no-opening-wanted", "message": "", "suggestion": ""}
            raise ApiError(400, body)
        return answer

    monkeypatch.setattr(ApiSession, "call", refused)
    with two(server, **EMAIL) as (ann, bob, game):
        journal = tmp_path / "ann.jsonl"
        part = ann.take_part(game, journal)
        ann.start(game)
        ann.submit(game, *placing(ann, game), orders=True)
        bob.submit(game, *placing(bob, game), orders=True)
        until(lambda: any("came in time" in note for note in part.client.journal))
        until(lambda: "came in time" in journal.read_text())
        assert part.client.alarms == []
        found = compare(Journal.read(journal.read_text()), list(entries_of(ann.transcript(game))))
        assert [finding.code for finding in found.findings] == ["no-receipt"]


def test_a_friend_who_places_last_never_plays_unseen(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator calls the bot's seat out of the game, and lets it place behind the openings."""
    plays, has_placed = advance._plays, advance._has_placed

    def out(hosted: HostedGame, seat: str) -> bool:
        return seat not in hosted.server_bots and plays(hosted, seat)

    def gone(hosted: HostedGame, seat: str) -> bool:
        return seat in hosted.server_bots or has_placed(hosted, seat)

    monkeypatch.setattr(advance, "_plays", out)
    monkeypatch.setattr(advance, "_has_placed", gone)
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
