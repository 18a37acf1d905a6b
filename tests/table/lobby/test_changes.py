"""A table is changed in the lobby by its host, with people at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rubicon.errors import RubiconError
from rubicon.rules.record import ruleset_of
from rubicon.table.chat import lines_for, mute, say, unheard_seats
from rubicon.table.errors import NoSuchGame
from rubicon.table.lobby.changes import TableChange, change_colour
from rubicon.table.lobby.seats import free_seat
from rubicon.table.settings import Settings
from tests.table.hosted import SOON
from tests.table.lobby.lobbied import Lobbied, lobbied, refused


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobbied]:
    with lobbied(tmp_path) as lobby:
        yield lobby


def change(lobby: Lobbied, game: str, account: str = "ann", **changes: Any) -> None:
    """Change a table."""
    lobby.lobby.change_table(game, account, TableChange(**changes)).result(SOON)


def test_rules_are_chosen_with_people_present(lobby: Lobbied) -> None:
    game = lobby.open().game
    lobby.join(game, "bob")
    change(lobby, game, preset="secret-mission", board="world", seats=4)
    ruleset = ruleset_of(json.loads(lobby.row(game).ruleset))
    assert (ruleset.preset, ruleset.board.name) == ("secret-mission", "World")
    assert lobby.row(game).title == ruleset.title
    assert lobby.names(game) == ["Ann", "Bob", "", ""]
    for person in ("cid", "dot"):
        lobby.join(game, person)
    lobby.lobby.start(game, "ann").result(SOON)
    started = lobby.table.snapshot(game)
    assert started.ruleset.preset == "secret-mission"
    assert len(started.game().colours) == 4


def test_options_stay_until_rules_change(lobby: Lobbied) -> None:
    game = lobby.open(options={"attack.truce": "2"}).game

    def options() -> str:
        return str(json.loads(lobby.row(game).ruleset).get("Options", ""))

    change(lobby, game, title="Friday")
    assert options() == "attack.truce=2"
    change(lobby, game, options={"attack.truce": "3"})
    assert options() == "attack.truce=3"
    change(lobby, game, preset="classic")
    assert options() == ""
    assert lobby.row(game).title == "Friday"
    change(lobby, game, title=" ")
    assert lobby.row(game).title != "Friday"


def test_settings_replace_those_they_name(lobby: Lobbied) -> None:
    game = lobby.open(settings=Settings(decision_time=77)).game
    change(lobby, game, settings={"clock": "live"})
    stored = Settings.read(json.loads(lobby.row(game).settings))
    assert (stored.clock, stored.decision_time) == ("live", 77)
    before = lobby.row(game).void
    change(lobby, game, settings={"lobby_time": 3600})
    assert lobby.row(game).void < before


def test_access_changes_the_links(lobby: Lobbied) -> None:
    opened = lobby.open()
    game = opened.game
    lobby.join(game, "bob")
    change(lobby, game, access="link")
    assert lobby.row(game).invite == opened.invite
    with pytest.raises(NoSuchGame):
        lobby.join(game, "cid")
    change(lobby, game, access="private")
    assert lobby.row(game).invite is None
    with pytest.raises(NoSuchGame):
        lobby.join(game, "cid", invite=opened.invite)
    (reserved,) = [seat.invite for seat in lobby.seats(game) if seat.free]
    change(lobby, game, access="open")
    assert [seat.invite for seat in lobby.seats(game)] == [None] * 3
    assert reserved is not None
    assert lobby.join(game, "cid") == "green"


def test_seats_are_added_and_removed(lobby: Lobbied) -> None:
    game = lobby.open(seats=3, board="world", bots={1: "greedy"}).game
    change(lobby, game, seats=6)
    assert [seat.number for seat in lobby.seats(game)] == list(range(6))
    assert len({seat.colour for seat in lobby.seats(game)}) == 6
    lobby.join(game, "bob", colour="yellow")
    change(lobby, game, seats=3)
    assert [(s.colour, s.name) for s in lobby.seats(game)] == [
        ("red", "Ann"),
        ("blue", "greedy"),
        ("yellow", "Bob"),
    ]
    lobby.lobby.change(game, free_seat, "ann", "blue").result(SOON)
    lobby.join(game, "cid")
    with refused("lobby/taken"):
        change(lobby, game, preset="two-player", seats=2)
    assert len(lobby.seats(game)) == 3


def test_at_a_private_table_a_new_seat_has_an_invite(lobby: Lobbied) -> None:
    game = lobby.open(access="private", board="world").game
    invites = {seat.colour: seat.invite for seat in lobby.seats(game) if seat.free}
    change(lobby, game, seats=4)
    later = {seat.colour: seat.invite for seat in lobby.seats(game) if seat.free}
    assert len(later) == 3
    assert None not in later.values()
    assert invites.items() <= later.items()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"preset": "clasic"}, "ruleset/unknown-preset"),
        ({"preset": "two-player"}, "setup/players"),
        ({"board": "../world.toml"}, "board/unknown-board"),
        ({"options": {"no.such": "1"}}, "ruleset/unknown-option"),
        ({"access": "secret"}, "lobby/access"),
        ({"title": "x" * 61}, "lobby/title"),
        ({"settings": {"clock": "slow"}}, "settings/bad-value"),
        ({"settings": {"dice": "independent"}}, "settings/no-dice-server"),
        ({"settings": {"fill": "nobody"}}, "lobby/unknown-bot"),
        ({"seats": 0}, "lobby/seats"),
        ({"seats": 7}, "lobby/seats"),
    ],
)
def test_what_cannot_be_changes_nothing(lobby: Lobbied, changes: dict[str, Any], code: str) -> None:
    game = lobby.open(board="world").game
    before = lobby.row(game)
    with pytest.raises(RubiconError) as caught:
        change(lobby, game, **({"title": "Friday"} | changes))
    assert caught.value.code == code
    assert lobby.row(game) == before


def test_only_the_host_and_only_before_the_start(lobby: Lobbied) -> None:
    game = lobby.full()
    with refused("lobby/not-host"):
        change(lobby, game, "bob", title="Mine")
    lobby.lobby.start(game, "ann").result(SOON)
    with refused("lobby/begun"):
        change(lobby, game, title="Later")
    with refused("lobby/begun"):
        lobby.lobby.change(game, change_colour, "ann", "black").result(SOON)


def test_a_colour_is_chosen(lobby: Lobbied) -> None:
    game = lobby.open(bots={1: "greedy"}).game
    lobby.join(game, "bob")
    lobby.write(lambda c: say(c, game, "red", "hello").id)
    lobby.write(lambda c: mute(c, game, "green", "red", muted=True))
    for colour in ("black", "blue"):
        lobby.lobby.change(game, change_colour, "ann", colour).result(SOON)
        assert lobby.seats(game)[0].colour == colour
    assert [(s.colour, s.name) for s in lobby.seats(game)] == [
        ("blue", "Ann"),
        ("black", "greedy"),
        ("green", "Bob"),
    ]
    (line,) = lobby.read(lambda c: lines_for(c, game, "blue"))
    assert line.seat == "blue"
    assert lobby.read(lambda c: unheard_seats(c, game, "green")) == {"blue"}
    for wrong in ("green", "pink"):
        with refused("lobby/colour"):
            lobby.lobby.change(game, change_colour, "ann", wrong).result(SOON)
    with refused("lobby/not-seated"):
        lobby.lobby.change(game, change_colour, "cid", "grey").result(SOON)
    lobby.lobby.start(game, "ann").result(SOON)
    assert lobby.table.snapshot(game).game().colours == ("blue", "black", "green")
