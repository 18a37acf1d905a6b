"""Tables before their games: who opens, joins, leaves, is sent away; the start and the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from rubicon.errors import RubiconError
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.lobby.lifecycle import AWAY, close
from rubicon.table.lobby.seats import free_seat, kick, leave, renew_invite, seat_bot, swap
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from tests.table.hosted import SOON, Hosted
from tests.table.lobby.lobbied import Lobbied, lobbied, refused


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobbied]:
    with lobbied(tmp_path) as lobby:
        yield lobby


def test_a_table_is_opened_joined_and_begun(lobby: Lobbied) -> None:
    opened = lobby.open(bots={1: "greedy"}, settings=Settings(decision_time=77))
    assert len(opened.game) == 10
    assert opened.invite is not None
    assert len(opened.invite) == 26
    assert lobby.join(opened.game, "bob") == "green"
    lobby.lobby.start(opened.game, "ann").result(SOON)
    snapshot = lobby.table.snapshot(opened.game)
    assert snapshot.game().colours == ("red", "blue", "green")
    assert snapshot.server_bots == {"blue": "greedy"}
    assert lobby.row(opened.game).state == "running"
    assert lobby.table.facts(opened.game, "red")


def test_no_name_enters_the_log(lobby: Lobbied) -> None:
    game = lobby.running()
    texts = lobby.read(lambda c: c.execute(select(schema.log.c.text)).scalars().all())
    assert not any(name in text for text in texts for name in ("Ann", "Bob", "Cid", "ann"))
    assert game.snapshot.game().names == ("red", "blue", "green")


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"preset": "/etc/passwd.toml"}, "ruleset/unknown-preset"),
        ({"preset": "clasic"}, "ruleset/unknown-preset"),
        ({"board": "../world.toml"}, "board/unknown-board"),
        ({"options": {"no.such": "1"}}, "ruleset/unknown-option"),
        ({"options": {str(n): "1" for n in range(500)}}, "lobby/options"),
        ({"seats": 7}, "setup/players"),
        ({"seats": 0}, "lobby/seats"),
        ({"seats": ()}, "lobby/seats"),
        ({"seats": ("red", "red", "blue")}, "setup/colours"),
        ({"seats": ("red", "mauve", "blue")}, "setup/colours"),
        ({"bots": {3: "greedy"}}, "lobby/seat"),
        ({"bots": {-1: "greedy"}}, "lobby/seat"),
        ({"bots": {1: "genius"}}, "lobby/unknown-bot"),
        ({"bots": {1: "mybot.py:MyBot"}}, "lobby/unknown-bot"),
        ({"bots": {1: "exec:true"}}, "lobby/unknown-bot"),
        ({"settings": Settings(substitute="genius")}, "lobby/unknown-bot"),
        ({"settings": Settings(fill="genius")}, "lobby/unknown-bot"),
        ({"access": "secret"}, "lobby/access"),
        ({"title": "x" * 61}, "lobby/title"),
        ({"title": "two\nlines"}, "lobby/title"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_whole(
    lobby: Lobbied, wish: dict[str, Any], code: str
) -> None:
    with pytest.raises(RubiconError) as caught:
        lobby.open(**wish)
    assert caught.value.code == code
    assert lobby.read(lambda c: c.execute(select(schema.game)).all()) == []


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "lobby/name"),
        ("   ", "lobby/name"),
        ("x" * 41, "lobby/name"),
        ("a\x1b[2J", "lobby/name"),
        ("a\u202eb", "lobby/name"),
        ("Greedy 2", "lobby/name"),
        ("gr\u0435edy", "lobby/name"),
        ("Ann\u1160", "lobby/name"),
        ("\u3164", "lobby/name"),
        ("A" + "\u0301" * 9, "lobby/name"),
        ("ANN", "lobby/name-taken"),
        ("\uff21nn", "lobby/name-taken"),
        ("\u0410nn", "lobby/name-taken"),
    ],
)
def test_names_must_be_printable_and_unique(lobby: Lobbied, name: str, code: str) -> None:
    game = lobby.open().game
    with refused(code):
        lobby.lobby.join(game, "bob", name).result(SOON)
    assert lobby.names(game) == ["Ann", "", ""]


def test_joining_twice_gives_the_same_seat(lobby: Lobbied) -> None:
    game = lobby.open().game
    assert lobby.join(game, "bob", "green") == "green"
    assert lobby.join(game, "bob") == "green"
    assert lobby.join(game, "bob", "blue") == "green"
    assert lobby.names(game) == ["Ann", "", "Bob"]


def test_a_seat_can_be_chosen_by_its_colour(lobby: Lobbied) -> None:
    game = lobby.open(seats=("black", "yellow", "red")).game
    assert lobby.join(game, "bob", "red") == "red"
    with refused("lobby/colour"):
        lobby.join(game, "cid", "red")
    with refused("lobby/colour"):
        lobby.join(game, "cid", "blue")


def test_two_who_join_the_last_seat_at_once_one_gets_it(lobby: Lobbied) -> None:
    game = lobby.open(bots={1: "greedy"}).game
    asked = [lobby.lobby.join(game, person, person) for person in ("bob", "cid", "dot")]
    errors = [future.exception(SOON) for future in asked]
    assert [type(error) for error in errors].count(type(None)) == 1
    assert {error.code for error in errors if isinstance(error, TableError)} == {"lobby/full"}


def test_two_of_one_name_at_once_one_gets_it(lobby: Lobbied) -> None:
    game = lobby.open().game
    asked = [lobby.lobby.join(game, person, "Eve") for person in ("bob", "cid")]
    errors = [future.exception(SOON) for future in asked]
    assert [getattr(error, "code", None) for error in errors] == [None, "lobby/name-taken"]


def test_a_start_and_a_departure_at_once_leave_no_seat_empty(lobby: Lobbied) -> None:
    game = lobby.full()
    leaving = lobby.lobby.change(game, leave, "cid")
    starting = lobby.lobby.start(game, "ann")
    assert leaving.exception(SOON) is None
    assert getattr(starting.exception(SOON), "code", "") == "lobby/not-full"
    assert lobby.row(game).state == "lobby"


def test_a_link_is_needed_where_the_table_says_so(lobby: Lobbied) -> None:
    opened = lobby.open(access="link")
    for invite in (None, "", "wrong", "é" * 26):
        with refused("game/unknown"):
            lobby.join(opened.game, "bob", invite=invite)
    assert opened.invite is not None
    assert lobby.join(opened.game, "bob", invite=opened.invite.upper()) == "blue"


def test_a_renewed_link_makes_the_old_one_void(lobby: Lobbied) -> None:
    opened = lobby.open(access="link")
    fresh = lobby.lobby.change(opened.game, renew_invite, "ann").result(SOON)
    with refused("game/unknown"):
        lobby.join(opened.game, "bob", invite=opened.invite)
    assert lobby.join(opened.game, "bob", invite=fresh) == "blue"


def test_a_private_table_has_a_secret_for_each_seat(lobby: Lobbied) -> None:
    opened = lobby.open(access="private")
    assert opened.invite is None
    assert set(opened.invites) == {"blue", "green"}
    with refused("game/unknown"):
        lobby.join(opened.game, "bob")
    assert lobby.join(opened.game, "bob", invite=opened.invites["green"]) == "green"
    with refused("game/unknown"):  # it was for one person
        lobby.join(opened.game, "cid", invite=opened.invites["green"])
    with refused("lobby/private"):
        lobby.lobby.change(opened.game, renew_invite, "ann").result(SOON)
    fresh = lobby.lobby.change(opened.game, renew_invite, "ann", "blue").result(SOON)
    with refused("game/unknown"):
        lobby.join(opened.game, "cid", invite=opened.invites["blue"])
    assert lobby.join(opened.game, "cid", invite=fresh) == "blue"
    with refused("lobby/taken"):
        lobby.lobby.change(opened.game, renew_invite, "ann", "blue").result(SOON)


def test_a_reserved_seat_needs_its_invite(lobby: Lobbied) -> None:
    game = lobby.open(bots={1: "greedy"}).game
    kept = lobby.lobby.change(game, renew_invite, "ann", "green").result(SOON)
    with refused("lobby/full"):
        lobby.join(game, "bob")
    assert lobby.join(game, "cid", invite=kept) == "green"


def test_who_leaves_a_private_table_cannot_come_back_by_the_old_secret(lobby: Lobbied) -> None:
    opened = lobby.open(access="private")
    lobby.join(opened.game, "bob", invite=opened.invites["blue"])
    lobby.lobby.change(opened.game, leave, "bob").result(SOON)
    with refused("game/unknown"):
        lobby.join(opened.game, "bob", invite=opened.invites["blue"])


def test_the_kicked_do_not_come_back(lobby: Lobbied) -> None:
    game = lobby.full()
    lobby.lobby.change(game, kick, "ann", "blue").result(SOON)
    assert lobby.names(game) == ["Ann", "", "Cid"]
    with refused("lobby/kicked"):
        lobby.join(game, "bob")
    assert lobby.join(game, "dot") == "blue"


def test_what_only_the_host_may_do(lobby: Lobbied) -> None:
    game = lobby.full()
    host_only: list[Callable[[], Future[Any]]] = [
        lambda: lobby.lobby.change(game, kick, "bob", "green"),
        lambda: lobby.lobby.change(game, swap, "bob", "red", "green"),
        lambda: lobby.lobby.change(
            game, seat_bot, "bob", "green", "greedy", lobby.lobby.server_bots
        ),
        lambda: lobby.lobby.change(game, free_seat, "bob", "green"),
        lambda: lobby.lobby.change(game, renew_invite, "bob"),
        lambda: lobby.lobby.change(game, close, "bob"),
        lambda: lobby.lobby.start(game, "bob"),
    ]
    for act in host_only:
        with refused("lobby/not-host"):
            act().result(SOON)
    assert lobby.names(game) == ["Ann", "Bob", "Cid"]


def test_what_cannot_be_done_with_a_seat(lobby: Lobbied) -> None:
    game = lobby.open(bots={1: "greedy"}).game
    with refused("lobby/yourself"):
        lobby.lobby.change(game, kick, "ann", "red").result(SOON)
    with refused("lobby/nobody"):
        lobby.lobby.change(game, kick, "ann", "blue").result(SOON)
    with refused("lobby/seat"):
        lobby.lobby.change(game, kick, "ann", "mauve").result(SOON)
    with refused("lobby/taken"):
        lobby.lobby.change(game, seat_bot, "ann", "red", "greedy", lobby.lobby.server_bots).result(
            SOON
        )
    with refused("lobby/taken"):
        lobby.lobby.change(game, free_seat, "ann", "red").result(SOON)
    with refused("lobby/unknown-bot"):
        lobby.lobby.change(
            game, seat_bot, "ann", "green", "genius", lobby.lobby.server_bots
        ).result(SOON)


def test_bots_are_seated_and_freed(lobby: Lobbied) -> None:
    game = lobby.open(bots={1: "greedy"}).game
    for _ in range(2):
        lobby.lobby.change(
            game, seat_bot, "ann", "green", "greedy", lobby.lobby.server_bots
        ).result(SOON)
        assert lobby.names(game) == ["Ann", "greedy", "greedy 2"]
    lobby.lobby.change(game, free_seat, "ann", "blue").result(SOON)
    assert lobby.names(game) == ["Ann", "", "greedy 2"]
    assert lobby.join(game, "bob") == "blue"


def test_a_swap_moves_players_bots_and_invites(lobby: Lobbied) -> None:
    game = lobby.open(bots={1: "greedy"}).game
    kept = lobby.lobby.change(game, renew_invite, "ann", "green").result(SOON)
    lobby.lobby.change(game, swap, "ann", "red", "green").result(SOON)
    assert lobby.names(game) == ["", "greedy", "Ann"]
    assert lobby.join(game, "bob", invite=kept) == "red"
    lobby.lobby.change(game, swap, "ann", "red", "red").result(SOON)
    assert lobby.names(game) == ["Bob", "greedy", "Ann"]


def test_the_next_person_becomes_host_and_the_last_one_closes_the_table(lobby: Lobbied) -> None:
    opened = lobby.open(bots={1: "greedy"})
    lobby.join(opened.game, "bob")
    lobby.lobby.change(opened.game, leave, "ann").result(SOON)
    assert lobby.row(opened.game).host == "bob"
    lobby.lobby.change(opened.game, leave, "ann").result(SOON)  # again: nothing happens
    lobby.lobby.change(opened.game, leave, "bob").result(SOON)
    assert lobby.row(opened.game).state == "closed"
    with refused("lobby/closed"):
        lobby.join(opened.game, "cid")


def test_the_game_begins_with_all_seats_taken_only(lobby: Lobbied) -> None:
    game = lobby.open().game
    with refused("lobby/not-full"):
        lobby.lobby.start(game, "ann").result(SOON)
    assert lobby.row(game).state == "lobby"


def test_bots_fill_open_seats_where_the_table_wants_it(lobby: Lobbied) -> None:
    game = lobby.open(settings=Settings(fill="random")).game
    lobby.lobby.start(game, "ann").result(SOON)
    assert lobby.names(game) == ["Ann", "random", "random 2"]
    assert lobby.table.snapshot(game).server_bots == {"blue": "random", "green": "random"}


def test_after_the_start_seats_do_not_change(lobby: Lobbied) -> None:
    game = lobby.running().game
    taken: list[Callable[[], Future[Any]]] = [
        lambda: lobby.lobby.join(game, "dot", "Dot"),
        lambda: lobby.lobby.change(game, leave, "bob"),
        lambda: lobby.lobby.change(game, kick, "ann", "blue"),
        lambda: lobby.lobby.change(game, swap, "ann", "red", "blue"),
        lambda: lobby.lobby.change(game, renew_invite, "ann"),
        lambda: lobby.lobby.change(game, close, "ann"),
    ]
    for act in taken:
        with refused("lobby/begun"):
            act().result(SOON)


def test_starting_twice_begins_one_game(lobby: Lobbied) -> None:
    game = lobby.full()
    both = [lobby.lobby.start(game, "ann") for _ in range(2)]
    assert [future.exception(SOON) for future in both] == [None, None]
    begun = select(schema.log.c.log_index).where(schema.log.c.kind == "begin")
    assert len(lobby.read(lambda c: c.execute(begun).all())) == 1


def test_nothing_can_be_done_at_a_table_that_is_not_there(lobby: Lobbied) -> None:
    with pytest.raises(NoSuchGame):
        lobby.join("nowhere", "bob")
    with pytest.raises(NoSuchGame):
        lobby.lobby.start("nowhere", "ann").result(SOON)


def test_expired_tables_are_closed_once_with_a_notification(lobby: Lobbied) -> None:
    late, young = lobby.open().game, lobby.open("bob").game
    assert lobby.row(late).void - lobby.row(late).created == 14 * 24 * 3600 * 1000
    lobby.set(late, void=1)
    changed: list[str] = []
    lobby.lobby.watch(changed.append)
    assert lobby.lobby.expire().result(SOON) == [late]
    assert lobby.lobby.expire().result(SOON) == []
    assert changed == [late]
    assert (lobby.row(late).state, lobby.row(young).state) == ("closed", "lobby")
    assert [fact["kind"] for fact in lobby.table.facts(late, "red")] == ["over"]
    with refused("lobby/closed"):
        lobby.lobby.start(late, "ann").result(SOON)


def test_a_host_closes_the_table(lobby: Lobbied) -> None:
    opened = lobby.open(access="link")
    for _ in range(2):
        lobby.lobby.change(opened.game, close, "ann").result(SOON)
    assert lobby.row(opened.game).state == "closed"
    with refused("game/unknown"):
        lobby.join(opened.game, "bob", invite=opened.invite)


def over(lobby: Lobbied, **wish: Any) -> Hosted:
    """A game that all but the last have resigned."""
    game = lobby.running(**wish)
    for colour in ("blue", "green"):
        lobby.table.out_of_turn(game.game, colour, f"resign {colour}").result(SOON)
    assert game.snapshot.ending is not None
    return game


def test_a_rematch_has_the_same_seats_and_the_same_link(lobby: Lobbied) -> None:
    game = over(lobby, access="link", settings=Settings(delay=60)).game
    link = lobby.row(game).invite
    again = lobby.lobby.rematch(game, "bob").result(SOON)
    assert lobby.names(again.game) == ["Ann", "Bob", "Cid"]
    assert again.invite == link
    row = lobby.row(again.game)
    assert (row.before, row.host, row.access) == (game, "bob", "link")
    assert row.settings == lobby.row(game).settings
    lobby.lobby.start(again.game, "bob").result(SOON)
    assert lobby.table.snapshot(again.game).game().colours == ("red", "blue", "green")


def test_a_second_wish_for_a_rematch_leads_to_the_same_table(lobby: Lobbied) -> None:
    game = over(lobby).game
    both = [lobby.lobby.rematch(game, person).result(SOON) for person in ("bob", "ann")]
    assert both[0].game == both[1].game
    assert both[1].invite is None  # only the host gets it


def test_an_absent_player_gets_an_invite_to_the_rematch(lobby: Lobbied) -> None:
    game = over(lobby).game
    seen = lobby.row(game).created - AWAY - 1
    for person in ("cid", "ann"):
        lobby.last_seen(person, seen)
    again = lobby.lobby.rematch(game, "bob").result(SOON)
    assert lobby.names(again.game) == ["", "Bob", ""]
    asked = [fact for fact in lobby.table.facts(game, "green") if fact["kind"] == "invite"]
    assert len(asked) == 1
    assert again.invites["green"] in asked[0]["body"]
    assert again.invites["green"] not in str(lobby.table.facts(game, "red"))
    with refused("lobby/full"):
        lobby.join(again.game, "dot")
    assert lobby.join(again.game, "cid", invite=again.invites["green"]) == "green"
    lobby.lobby.rematch(game, "ann").result(SOON)  # who asks for it as well is back
    assert lobby.names(again.game) == ["Ann", "Bob", "Cid"]


def test_when_there_is_no_rematch(lobby: Lobbied) -> None:
    running = lobby.running()
    with refused("lobby/not-over"):
        lobby.lobby.rematch(running.game, "ann").result(SOON)
    with refused("lobby/not-seated"):
        lobby.lobby.rematch(running.game, "dot").result(SOON)
