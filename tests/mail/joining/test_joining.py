"""Somebody who has only a mail program takes a seat by writing to an invite, and plays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from rubicon.mail import join_requests, strangers
from rubicon.mail.join_requests import UNCLEAR_COLOUR
from rubicon.rules.board.board import COLOURS
from rubicon.server.accounts import Account
from rubicon.table.errors import StoreUnavailable
from rubicon.table.lobby.table_request import Access
from rubicon.table.storage import schema
from rubicon.wording import listed
from tests.mail.joining.lobby import ZOE, Lobby, lobby_of
from tests.mail.service.mail_table import (
    PLAY,
    form_in,
    new_player,
    reply,
    text_of,
)

TITLE = "Buy at evil example"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with lobby_of(tmp_path, title=TITLE) as made:
        yield made


@pytest.fixture
def private(tmp_path: Path) -> Iterator[Lobby]:
    with lobby_of(tmp_path, Access.PRIVATE) as made:
        yield made


def test_a_stranger_takes_a_seat_and_plays(lobby: Lobby) -> None:
    assert lobby.write("I'd like to play!", name="Zoe Miller") == "asked"
    (asked,) = lobby.got()
    assert "    JOIN Zoe" in text_of(asked).splitlines()
    assert "Nothing has happened yet" in text_of(asked)
    assert lobby.names() == ["Mateo"]
    told = lobby.say("JOIN Zoe")
    assert "Hello Zoe," in told
    assert f'in "{TITLE}". Mateo plays too.' in " ".join(told.split())
    assert lobby.names() == ["Mateo", "Zoe"]
    third = new_player(lobby.server, "Ann")
    lobby.server.lobby.join(lobby.game, third.id, third.name, invite=lobby.invite).result()
    lobby.server.lobby.start(lobby.game, lobby.host.id).result()
    lobby.post()
    mailboxes = {each.colour: f"{each.name.lower()}@example.com" for each in lobby.table().seats}
    hers = next(each.colour for each in lobby.table().seats if each.name == "Zoe")
    mailboxes[hers] = ZOE
    played = ""
    while played != hers:
        played = lobby.mover
        turn = lobby.got(mailboxes[played])[-1]
        assert lobby.came(reply(form_in(turn), turn, mailboxes[played])) == "done"
    game = lobby.snapshot.game()
    assert game.seat(hers) in game.position.owner


def test_the_question_repeats_nothing_that_somebody_wrote(lobby: Lobby) -> None:
    lobby.write("Join www.evil.example now", name="See evil.example today")
    (asked,) = lobby.got()
    assert "evil" not in asked.as_string().lower()
    assert "Mateo" not in asked.as_string()
    assert "    JOIN See" in text_of(asked).splitlines()


def test_the_seat_of_a_private_table(private: Lobby) -> None:
    private.write("Hello")
    assert "You play" in private.say("join Zoe")
    assert "Zoe" in private.names()
    # Its secret is used up.
    assert private.write("Hello again", "other@example.net") == "returned"


def test_nobody_is_seated_by_somebody_else(lobby: Lobby) -> None:
    lobby.write("JOIN Zoe")
    question = lobby.got()[-1]
    thief = "thief@example.net"
    assert lobby.came(reply("JOIN Thief", question, thief), thief) == "unknown"
    assert lobby.got(thief) == []
    forged = reply("JOIN Zoe", question, ZOE)
    forged["Authentication-Results"] = "mx.example.org; dmarc=fail header.from=example.net"
    assert lobby.came(forged) == "unknown"
    assert lobby.names() == ["Mateo"]
    assert lobby.people() == 1


def test_a_forged_sender_is_not_asked(lobby: Lobby) -> None:
    failed = "mx.example.org; dmarc=fail header.from=example.net"
    assert lobby.write("JOIN", Authentication_Results=failed) == "unknown"
    assert lobby.write("JOIN", Auto_Submitted="auto-replied") == "auto-reply"
    assert lobby.outbox.sent == []


@pytest.mark.parametrize("limit", ["MOST_REQUESTS", "MOST_OF_GAME"])
def test_nobody_is_asked_often(lobby: Lobby, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    ended = [lobby.write(f"JOIN {number}", f"zoe+{number}@example.net") for number in range(5)]
    assert ended == ["asked"] * 3 + ["too-many"] * 2
    assert len(lobby.outbox.sent) == 3
    monkeypatch.setattr(join_requests, limit, 4)
    assert lobby.write("JOIN", "a@example.net") == "asked"
    assert lobby.write("JOIN", "b@example.net") == "too-many"


def test_answers_are_limited(lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strangers, "MOST_ANSWERED", 2)
    lobby.write("JOIN")
    question = lobby.got()[-1]
    ended = [lobby.came(reply(f"Why, {number}?", question, ZOE)) for number in range(3)]
    assert ended == ["joined", "joined", "too-many"]
    assert len(lobby.got()) == 3


def test_who_has_joined_can_leave_and_come_back(lobby: Lobby) -> None:
    lobby.write("Hello")
    lobby.say("JOIN Zoe")
    assert "Your seat is free again" in lobby.say("LEAVE")
    assert lobby.names() == ["Mateo"]
    assert "You play" in lobby.say("Sorry, I have time after all.\n\nJOIN Zoe")
    assert lobby.names() == ["Mateo", "Zoe"]
    assert "You play" in lobby.say("JOIN Zoe")
    assert lobby.names() == ["Mateo", "Zoe"]


def test_what_cannot_be_done_is_told(lobby: Lobby) -> None:
    lobby.write("Hello")
    assert "does not say what is to be done" in lobby.say("What is this?")
    assert "[lobby/name-taken]" in lobby.say("JOIN Mateo")
    assert "[lobby/name]" in lobby.say(f"JOIN {'x' * 60}")
    assert lobby.names() == ["Mateo"]
    for name in ("Ann", "Bob"):
        other = new_player(lobby.server, name)
        lobby.server.lobby.join(lobby.game, other.id, name, invite=lobby.invite).result()
    assert "All seats are taken" in lobby.say("JOIN Zoe")
    lobby.server.lobby.start(lobby.game, lobby.host.id).result()
    assert "The game has begun" in lobby.say("JOIN Zoe")
    assert lobby.write("Hello", "late@example.net") == "returned"


def test_the_account_of_an_address_is_found_again(lobby: Lobby) -> None:
    known = new_player(lobby.server, "Ann")
    lobby.write("Hello", "ann@example.com")
    assert "You play" in lobby.say("JOIN Ann", "ann@example.com")
    assert lobby.people() == 2
    own = [seat.name for seat in lobby.table().seats if seat.name]
    assert own == ["Mateo", "Ann"]
    colour = lobby.server.lobby.join(lobby.game, known.id, "Ann", invite=lobby.invite).result()
    assert colour == lobby.table().seats[1].colour


def test_a_server_that_stops_in_between_seats_once(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby.write("Hello")
    question, end = lobby.got()[-1], strangers.JoinByMail._end
    stops = iter([True, True])

    def stopping(*arguments: object) -> str:
        if next(stops, False):
            raise StoreUnavailable("it stops")
        return end(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(strangers.JoinByMail, "_end", stopping)
    lobby.deliver(reply("JOIN Zoe", question, ZOE).as_bytes(), ZOE)
    for _ in range(4):
        lobby.server.store.write(
            lambda c: c.execute(
                schema.mail_message.update()
                .where(schema.mail_message.c.due.is_not(None))
                .values(due=0)
            )
        ).result()
        lobby.post()
    assert (lobby.results(), lobby.waiting()) == (["asked", "joined"], 0)
    assert len(lobby.got()) == 2
    assert lobby.names() == ["Mateo", "Zoe"]
    assert lobby.people() == 2


def test_the_address_of_an_invite(lobby: Lobby) -> None:
    address = lobby.server.invitation_address(lobby.invite)
    assert address.lower() == f"{PLAY.replace('@', '+' + lobby.invite + '@')}"


def free_colours(lobby: Lobby) -> list[str]:
    taken = {seat.colour for seat in lobby.table().seats if seat.name}
    return [colour for colour in COLOURS if colour not in taken]


def test_a_colour_is_chosen_with_the_seat(lobby: Lobby) -> None:
    lobby.write("Hello")
    asked = " ".join(text_of(lobby.got()[-1]).split())
    free = free_colours(lobby)
    assert f"COLOUR {free[0]}. Free at present: {listed(free)}." in asked
    assert "You play black" in lobby.say("JOIN Zoe\nCOLOUR black")
    assert [seat.colour for seat in lobby.table().seats if seat.name == "Zoe"] == ["black"]


def test_a_colour_that_somebody_has_is_refused_and_nobody_is_seated(lobby: Lobby) -> None:
    lobby.write("Hello")
    free = free_colours(lobby)
    (taken,) = set(COLOURS) - set(free)
    for wrong in (taken, "pink"):
        told = " ".join(lobby.say(f"JOIN Zoe\nCOLOR {wrong}").split())
        assert "[lobby/colour]" in told
        assert f"The colour '{wrong}' cannot be chosen here." in told
        assert f"Free at present: {listed(free)}." in told
        assert f"JOIN Zoe COLOUR {free[0]}" in told
    assert lobby.names() == ["Mateo"]


def test_a_colour_can_be_changed_until_the_game_begins(lobby: Lobby) -> None:
    lobby.write("Hello")
    seated = lobby.say("JOIN Zoe")
    assert (
        f"For another colour, reply with a line such as COLOUR {free_colours(lobby)[0]}" in seated
    )
    for colour in ("yellow", "grey", "grey"):
        assert f"You play {colour}" in lobby.say(f"COLOUR {colour}")
    assert lobby.names() == ["Mateo", "Zoe"]
    third = new_player(lobby.server, "Ann")
    lobby.server.lobby.join(lobby.game, third.id, third.name, invite=lobby.invite).result()
    hers = next(seat.colour for seat in lobby.table().seats if seat.name == "Ann")
    assert "[lobby/colour]" in lobby.say(f"COLOUR {hers}")
    lobby.server.lobby.start(lobby.game, lobby.host.id).result()
    told = " ".join(lobby.say("COLOUR black").split())
    assert "The game has begun: seats can no longer change." in told
    assert "The seats and colours of the game stay as they are." in told
    assert "resign" not in told
    assert "JOIN" not in told
    assert "black" not in lobby.snapshot.game().colours


def test_once_the_game_has_begun_leave_is_answered_with_resign(lobby: Lobby) -> None:
    lobby.write("Hello")
    lobby.say("JOIN Zoe")
    third = new_player(lobby.server, "Ann")
    lobby.server.lobby.join(lobby.game, third.id, third.name, invite=lobby.invite).result()
    lobby.server.lobby.start(lobby.game, lobby.host.id).result()
    told = " ".join(lobby.say("LEAVE").split())
    assert "To leave the game, resign. Nothing was done." in told
    assert "To try again" not in told
    assert "stay as they are" not in told


def test_a_refusal_for_another_reason_keeps_the_colour(lobby: Lobby) -> None:
    lobby.write("Hello")
    wanted = free_colours(lobby)[-1]
    told = " ".join(lobby.say(f"JOIN Mateo\nCOLOUR {wanted}").split())
    assert "[lobby/name-taken]" in told
    assert f"JOIN Mateo COLOUR {wanted}" in told


def test_a_colour_that_is_not_understood_is_told(lobby: Lobby) -> None:
    lobby.write("Hello")
    told = " ".join(lobby.say("Any colour will do").split())
    free = free_colours(lobby)
    assert "does not say what is to be done" in told
    assert UNCLEAR_COLOUR in told
    assert f"add a line such as COLOUR {free[0]}. Free at present: {listed(free)}." in told
    told = " ".join(lobby.say("JOIN Mateo\nin a dark colour").split())
    assert "[lobby/name-taken]" in told
    assert UNCLEAR_COLOUR in told
    told = " ".join(lobby.say("JOIN Color Guard\nin a dark colour").split())
    assert "Hello Color Guard, " in told
    assert UNCLEAR_COLOUR in told
    assert f"For another colour, reply with a line such as COLOUR {free_colours(lobby)[0]}" in told
    assert UNCLEAR_COLOUR not in " ".join(lobby.say("My colour is black, please").split())
    assert [seat.colour for seat in lobby.table().seats if seat.name == "Color Guard"] == ["black"]


def test_the_colour_of_a_private_seat_is_chosen_too(private: Lobby) -> None:
    private.write("Hello")
    assert "You play yellow" in private.say("JOIN Zoe\nCOLOUR yellow")
    assert [seat.colour for seat in private.table().seats if seat.name == "Zoe"] == ["yellow"]


def test_whose_account_is_erased_leaves_nothing(lobby: Lobby) -> None:
    lobby.write("Hello")
    lobby.say("JOIN Zoe")
    columns = schema.account.c
    wanted = select(columns.id, columns.name).where(columns.email == ZOE)
    row = lobby.server.store.read(lambda c: c.execute(wanted).one())
    lobby.server.accounts.erase(Account(row.id, row.name)).result()
    tables = [select(table) for table in schema.metadata.sorted_tables]
    stored = lobby.server.store.read(lambda c: [repr(c.execute(each).all()) for each in tables])
    assert ZOE not in "".join(stored)
