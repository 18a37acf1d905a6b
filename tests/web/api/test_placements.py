"""Sealed placements of players' programs: nobody knows them before all are in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rubicon.client import Client
from rubicon.client.session import ApiSession
from tests.web.api.test_dice import checked, seat_of, two, until
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
    return state["decision"], f"DEPLOY 2 {own[1]}, REST {own[0]}"


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
        for client in (ann, bob):
            seat, state = seat_of(client, game), client.game(game)
            (placed,) = parts[client].client.placements.kept.values()
            for line in placed.text.split("\n"):
                _, name, armies = line.split()
                shown = state["position"]["territories"][name]
                assert (shown["owner"], shown["armies"]) == (seat, 1 + int(armies))
