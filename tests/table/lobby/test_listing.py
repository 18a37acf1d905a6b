"""Which tables are listed, what of them is shown, and who watches how late."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from sqlalchemy import update

from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.errors import NoSuchGame
from rubicon.table.lobby.lifecycle import close
from rubicon.table.lobby.listing import (
    open_tables,
    own_games,
    results_of,
    show_table,
    watchable_games,
)
from rubicon.table.lobby.people import (
    has_hidden_information,
    visible_index,
    visible_until,
    watched_from,
)
from rubicon.table.lobby.seats import renew_invite, seat_of
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from tests.table.hosted import SOON
from tests.table.lobby.lobbied import Lobbied, lobbied, refused

HIDDEN_HANDS = {"cards.visibility": "private_count_public"}


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobbied]:
    with lobbied(tmp_path) as lobby:
        yield lobby


def test_open_tables_are_listed_and_no_others(lobby: Lobbied) -> None:
    listed = lobby.open(access="open", title="Come in").game
    lobby.open(access="link")
    lobby.open(access="private")
    closed = lobby.open().game
    lobby.lobby.change(closed, close, "ann").result(SOON)
    shown = lobby.read(open_tables)
    assert [(table.id, table.title) for table in shown] == [(listed, "Come in")]


def test_ones_own_games_are_listed_for_oneself(lobby: Lobbied) -> None:
    private = lobby.open(access="private")
    lobby.join(private.game, "bob", invite=private.invites["blue"])
    others = lobby.open("cid").game
    mine = lobby.read(lambda connection: own_games(connection, "bob"))
    assert [(table.id, table.your_seat, table.you_host) for table in mine] == [
        (private.game, "blue", False)
    ]
    assert {table.id for table in lobby.read(lambda c: own_games(c, "cid"))} == {others}
    assert lobby.read(lambda connection: own_games(connection, "dot")) == []


def test_the_invite_of_a_free_seat_shows_the_table(lobby: Lobbied) -> None:
    opened = lobby.open(access="private")
    invite = opened.invites["blue"]
    view = lobby.read(lambda c: watched_from(c, opened.game, "bob", invite))
    assert (view.seat, view.is_final) == ("", False)
    lobby.join(opened.game, "bob", invite=invite)
    with pytest.raises(NoSuchGame):
        lobby.read(lambda c: watched_from(c, opened.game, "eve", invite))


def test_games_to_watch(lobby: Lobbied) -> None:
    watched = lobby.running().game
    lobby.running(settings=Settings(spectators=False))
    lobby.running(access="link")
    lobby.open()
    assert [table.id for table in lobby.read(watchable_games)] == [watched]


def test_no_account_and_no_secret_is_shown(lobby: Lobbied) -> None:
    opened = lobby.open(access="link", bots={1: "greedy"}, options={"cards.forced": "none"})
    kept = lobby.lobby.change(opened.game, renew_invite, "ann", "green").result(SOON)
    shown = asdict(lobby.read(lambda c: show_table(c, opened.game, "bob")))
    for hidden in ("'ann'", str(opened.invite), kept):
        assert hidden not in str(shown)
    assert shown["ruleset"].startswith("classic ")
    assert shown["board"].startswith("skerries ")
    assert shown["options"] == "cards.forced=none"
    red, blue, green = shown["seats"]
    assert (red["name"], red["host"], red["yours"]) == ("Ann", True, False)
    assert (blue["bot"], blue["free"]) == ("greedy", False)
    assert (green["free"], green["reserved"]) == (True, True)
    own = lobby.read(lambda connection: show_table(connection, opened.game, "ann"))
    assert (own.your_seat, own.you_host) == ("red", True)
    with pytest.raises(NoSuchGame):
        lobby.read(lambda connection: show_table(connection, "nowhere"))


def test_whose_seat_it_is(lobby: Lobbied) -> None:
    game = lobby.full()
    assert lobby.read(lambda connection: seat_of(connection, game, "cid")) == "green"
    assert lobby.read(lambda connection: seat_of(connection, game, "dot")) is None


def watch(lobby: Lobbied, game: str, account: str | None, invite: str | None = None) -> str:
    """The seat from which an account watches."""
    return lobby.read(lambda connection: watched_from(connection, game, account, invite)).seat


def test_open_games_are_watched_by_all_and_by_players_from_their_seats(lobby: Lobbied) -> None:
    game = lobby.running().game
    assert watch(lobby, game, None) == ""
    assert watch(lobby, game, "dot") == ""
    assert watch(lobby, game, "bob") == "blue"
    lobby.table.out_of_turn(game, "blue", "resign blue").result(SOON)
    assert (
        watch(lobby, game, "bob") == "blue"
    )  # an eliminated player still has the view of the seat


def test_games_that_are_not_for_all(lobby: Lobbied) -> None:
    link = lobby.running(access="link").game
    secret = lobby.row(link).invite
    with pytest.raises(NoSuchGame):
        watch(lobby, link, "dot")
    with pytest.raises(NoSuchGame):
        watch(lobby, link, None, "wrong")
    assert watch(lobby, link, None, secret) == ""
    private = lobby.open(access="private").game
    with pytest.raises(NoSuchGame):
        watch(lobby, private, "dot")
    assert watch(lobby, private, "ann") == "red"
    alone = lobby.running(settings=Settings(spectators=False)).game
    with refused("watch/not-here"):
        watch(lobby, alone, "dot")
    assert watch(lobby, alone, "cid") == "green"


@pytest.mark.parametrize(
    ("preset", "options", "hidden"),
    [
        ("classic", HIDDEN_HANDS, True),
        ("classic", {"cards.visibility": "public"}, False),
        ("secret-mission", {"cards.visibility": "public"}, True),
    ],
)
def test_what_is_hidden(preset: str, options: dict[str, str], hidden: bool) -> None:
    assert has_hidden_information(Ruleset.load(preset, options)) is hidden


def test_spectators_come_later_where_hands_are_hidden(lobby: Lobbied) -> None:
    delayed = Settings(delay=3600)
    game = lobby.running(options=HIDDEN_HANDS, settings=delayed)
    at = lobby.read(now)

    def behind(seat: str) -> int:
        until = lobby.read(lambda connection: visible_until(connection, game.game, seat))
        return round((at - until) / 60_000)

    assert behind("") == 60
    assert behind("red") == 0
    assert lobby.read(lambda c: visible_index(c, game.game, "")) == 0
    assert lobby.read(lambda c: visible_index(c, game.game, "red")) == game.snapshot.head
    for colour in ("blue", "green"):
        lobby.table.out_of_turn(game.game, colour, f"resign {colour}").result(SOON)
    assert behind("") == 0  # it is over: everything is open
    assert lobby.read(lambda c: visible_index(c, game.game, "")) == game.snapshot.head


def test_spectators_are_not_delayed_where_nothing_is_hidden(lobby: Lobbied) -> None:
    game = lobby.running(options={"cards.visibility": "public"}, settings=Settings(delay=3600))
    at = lobby.read(now)
    assert lobby.read(lambda connection: visible_until(connection, game.game, "")) >= at


def test_a_result_that_cannot_be_read_hides_no_other_one(lobby: Lobbied) -> None:
    broken, good = lobby.open().game, lobby.open().game
    for game in (broken, good):
        lobby.lobby.change(game, close, "ann").result(SOON)
    notification = schema.notification.c
    damage = update(schema.notification).where(notification.game == broken).values(body="[]")
    lobby.table.store.write(lambda connection: connection.execute(damage).rowcount).result(SOON)
    shown = lobby.read(lambda connection: results_of(connection, [broken, good]))
    assert [(game, over.result) for game, over in shown.items()] == [(good, "closed")]
