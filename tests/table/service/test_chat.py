"""The chat: recipients, rate limit, mutes, blocks and reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from rubicon.table import chat
from rubicon.table.chat import (
    MAX_LINES_PER_MINUTE,
    PHRASES,
    ChatLine,
    ChatService,
    lines_for,
    reported,
)
from rubicon.table.errors import NoSuchGame
from rubicon.table.lobby.seats import leave, swap
from rubicon.table.settings import Chat, Settings
from rubicon.table.storage import schema
from tests.table.hosted import SOON
from tests.table.lobby.lobbied import Lobbied, lobbied, refused


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobbied]:
    with lobbied(tmp_path) as lobby:
        yield lobby


def heard(lobby: Lobbied, game: str, seat: str, after: int = 0) -> list[str]:
    """What a seat hears."""
    lines = lobby.read(lambda connection: lines_for(connection, game, seat, after))
    return [line.text for line in lines]


def tell(lobby: Lobbied, game: str, seat: str, text: str, to: str = "") -> ChatLine:
    """Say something."""
    return ChatService(lobby.table).say(game, seat, text, to).result(SOON)


def test_a_public_line_reaches_all_and_is_not_in_the_log(lobby: Lobbied) -> None:
    game = lobby.running().game
    head = lobby.table.snapshot(game).head
    line = tell(lobby, game, "red", "  Hello, everybody 👋\n:-)  ")
    assert (line.seat, line.to, line.text) == ("red", "", "Hello, everybody 👋\n:-)")
    for seat in ("red", "blue", "green", ""):
        assert heard(lobby, game, seat) == [line.text]
    assert heard(lobby, game, "red", line.id) == []
    assert lobby.table.snapshot(game).head == head
    log = lobby.read(lambda c: c.execute(select(schema.log.c.text)).scalars().all())
    assert not any("everybody" in text for text in log)


def test_a_whisper_is_for_one(lobby: Lobbied) -> None:
    game = lobby.running().game
    tell(lobby, game, "red", "psst", "blue")
    assert heard(lobby, game, "red") == heard(lobby, game, "blue") == ["psst"]
    assert heard(lobby, game, "green") == heard(lobby, game, "") == []


@pytest.mark.parametrize("to", ["red", "mauve", "yellow"])
def test_a_whisper_is_for_another_person(lobby: Lobbied, to: str) -> None:
    game = lobby.running().game
    with refused("chat/nobody"):
        tell(lobby, game, "red", "psst", to)


def test_in_the_lobby_nothing_is_whispered_and_words_follow_who_said_them(lobby: Lobbied) -> None:
    game = lobby.full()
    with refused("chat/no-whispers"):
        tell(lobby, game, "blue", "psst", "red")
    tell(lobby, game, "blue", "I am Bob")
    lobby.lobby.change(game, swap, "ann", "blue", "green").result(SOON)
    assert lobby.read(lambda c: lines_for(c, game, "red"))[0].seat == "green"
    lobby.lobby.change(game, leave, "bob").result(SOON)
    lobby.join(game, "dot", "green")
    assert lobby.read(lambda c: lines_for(c, game, "red"))[0].seat == ""


@pytest.mark.parametrize(
    "text", ["", "  ", "x" * 501, "a\x07b", "a\u202eb", "a\x1b[2J", "H" + "\u0310" * 99]
)
def test_what_cannot_be_said(lobby: Lobbied, text: str) -> None:
    game = lobby.full()
    with refused("chat/text"):
        tell(lobby, game, "red", text)


def test_the_levels(lobby: Lobbied) -> None:
    silent = lobby.running(settings=Settings(chat=Chat.NONE)).game
    with refused("chat/none"):
        tell(lobby, silent, "red", "hello")
    canned = lobby.running(settings=Settings(chat=Chat.CANNED)).game
    with refused("chat/canned"):
        tell(lobby, canned, "red", "You will all die.")
    with refused("chat/no-whispers"):
        tell(lobby, canned, "red", "hello", "blue")
    line = tell(lobby, canned, "red", "luck")
    assert (line.phrase, line.text) == ("luck", PHRASES["luck"])
    assert heard(lobby, canned, "blue") == [PHRASES["luck"]]
    assert lobby.read(lambda c: lines_for(c, canned, "blue"))[0].phrase == "luck"


def test_only_people_who_sit_there_speak(lobby: Lobbied) -> None:
    game = lobby.open(bots={1: "greedy"}).game
    for seat in ("blue", "green", "mauve", ""):
        with refused("chat/not-yours"):
            tell(lobby, game, seat, "hello")
    with pytest.raises(NoSuchGame):
        tell(lobby, "nowhere", "red", "hello")


def test_ten_lines_a_minute(lobby: Lobbied) -> None:
    game = lobby.full()
    service = ChatService(lobby.table)
    asked = [service.say(game, "red", f"line {n}") for n in range(MAX_LINES_PER_MINUTE + 3)]
    errors = [getattr(future.exception(SOON), "code", None) for future in asked]
    assert errors == [None] * MAX_LINES_PER_MINUTE + ["chat/too-fast"] * 3
    tell(lobby, game, "blue", "I say little")
    lobby.write(lambda c: c.execute(update(schema.chat).values(at=schema.chat.c.at - 60_001)))
    tell(lobby, game, "red", "a minute later")


def test_a_mute_hides_lines_at_this_table_only(lobby: Lobbied) -> None:
    game, other = lobby.running().game, lobby.running().game
    service = ChatService(lobby.table)
    for _ in range(2):
        service.mute(game, "red", "blue").result(SOON)
    for table in (game, other):
        tell(lobby, table, "blue", "bla")
        tell(lobby, table, "blue", "psst", "red")
    assert heard(lobby, game, "red") == []
    assert heard(lobby, game, "green") == ["bla"]
    assert heard(lobby, other, "red") == ["bla", "psst"]
    service.mute(game, "red", "blue", muted=False).result(SOON)
    assert heard(lobby, game, "red") == ["bla", "psst"]


def test_the_blocked_are_not_heard_at_any_table(lobby: Lobbied) -> None:
    game, other = lobby.running().game, lobby.running().game
    lobby.write(lambda c: c.execute(update(schema.account).values(settings='{"notices": "none"}')))
    service = ChatService(lobby.table)
    for _ in range(2):
        service.block("ann", game, "blue").result(SOON)
    for table in (game, other):
        tell(lobby, table, "blue", "bla")
        assert heard(lobby, table, "red") == []
        assert heard(lobby, table, "green") == ["bla"]
    service.block("ann", other, "blue", blocked=False).result(SOON)
    assert heard(lobby, game, "red") == ["bla"]
    kept = lobby.read(
        lambda c: c.execute(
            select(schema.account.c.settings).where(schema.account.c.id == "ann")
        ).scalar_one()
    )
    assert kept == '{"blocked": [], "notices": "none"}'


def test_only_others_can_be_muted_or_blocked(
    lobby: Lobbied, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = lobby.running().game
    service = ChatService(lobby.table)
    for whom in ("red", "mauve"):
        with refused("chat/nobody"):
            service.mute(game, "red", whom).result(SOON)
        with refused("chat/nobody"):
            service.block("ann", game, whom).result(SOON)
    monkeypatch.setattr(chat, "MAX_BLOCKED", 1)
    service.block("ann", game, "blue").result(SOON)
    with refused("chat/too-many-blocked"):
        service.block("ann", game, "green").result(SOON)


def test_a_mute_is_not_for_who_sits_there_next(lobby: Lobbied) -> None:
    game = lobby.full()
    ChatService(lobby.table).mute(game, "red", "blue").result(SOON)
    lobby.lobby.change(game, leave, "bob").result(SOON)
    lobby.join(game, "dot", "blue")
    tell(lobby, game, "blue", "I am new")
    assert heard(lobby, game, "red") == ["I am new"]


def test_reports_go_to_the_admin(lobby: Lobbied) -> None:
    game = lobby.running().game
    service = ChatService(lobby.table)
    line = tell(lobby, game, "blue", "something foul")
    whisper = tell(lobby, game, "blue", "worse", "green")
    for _ in range(2):
        service.report("ann", game, line.id).result(SOON)
    service.report("cid", game, line.id).result(SOON)  # the first stays
    service.report("cid", game, whisper.id).result(SOON)
    told = [(line.text, who) for line, who in lobby.read(reported)]
    assert told == [("worse", "cid"), ("something foul", "ann")]


def test_what_cannot_be_reported(lobby: Lobbied) -> None:
    game, other = lobby.running().game, lobby.running().game
    line = tell(lobby, game, "blue", "bla")
    whisper = tell(lobby, game, "blue", "psst", "green")
    service = ChatService(lobby.table)
    for account, table, number in (
        ("bob", game, line.id),  # one's own
        ("ann", game, whisper.id),  # not heard
        ("dot", game, line.id),  # not there
        ("ann", other, line.id),  # another table
        ("ann", game, 999),
    ):
        with refused("chat/no-line"):
            service.report(account, table, number).result(SOON)
    assert lobby.read(reported) == []


def test_watchers_get_new_lines_and_who_does_not_see_them(lobby: Lobbied) -> None:
    game = lobby.running().game
    told: list[tuple[ChatLine, frozenset[str]]] = []
    service = ChatService(lobby.table)
    service.watch(lambda line, deaf: told.append((line, deaf)))
    service.mute(game, "blue", "red").result(SOON)
    service.block("cid", game, "red").result(SOON)
    line = service.say(game, "red", "hello").result(SOON)
    with refused("chat/text"):
        service.say(game, "red", "").result(SOON)
    assert told == [(line, frozenset({"blue", "green"}))]
    assert line.as_dict()["text"] == "hello"


def test_spectators_hear_as_late_as_they_see(lobby: Lobbied) -> None:
    options = {"cards.visibility": "private_count_public"}
    game = lobby.running(options=options, settings=Settings(delay=600)).game
    tell(lobby, game, "red", "I hold three wild cards")
    assert heard(lobby, game, "") == []
    assert heard(lobby, game, "blue") == ["I hold three wild cards"]
