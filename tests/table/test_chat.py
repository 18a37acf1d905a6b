"""What is said at a table: to whom, how much, and who does not want to hear it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from rubicon.table import chat, schema
from rubicon.table.chat import MOST_A_MINUTE, PHRASES, Said, Talk, hears, reported, said, silenced
from rubicon.table.errors import NoSuchGame
from rubicon.table.settings import Chat, Settings
from tests.table.hosted import SOON
from tests.table.lobbied import Lobbied, lobbied, refused


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobbied]:
    with lobbied(tmp_path) as lobby:
        yield lobby


def heard(lobby: Lobbied, game: str, seat: str, after: int = 0) -> list[str]:
    """What a seat hears."""
    lines = lobby.read(lambda connection: said(connection, game, seat, after))
    return [line.text for line in lines]


def tell(lobby: Lobbied, game: str, seat: str, text: str, to: str = "") -> Said:
    """Say something."""
    return Talk(lobby.table).say(game, seat, text, to).result(SOON)


def test_what_is_said_to_all_is_heard_by_all_and_stands_in_no_log(lobby: Lobbied) -> None:
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
    line = tell(lobby, game, "red", "psst", "blue")
    assert heard(lobby, game, "red") == heard(lobby, game, "blue") == ["psst"]
    assert heard(lobby, game, "green") == heard(lobby, game, "") == []
    whom = [seat for seat in ("red", "blue", "green", "") if hears(line, seat, frozenset())]
    assert whom == ["red", "blue"]


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
    lobby.lobby.swap(game, "ann", "blue", "green").result(SOON)
    assert lobby.read(lambda c: said(c, game, "red"))[0].seat == "green"
    lobby.lobby.leave(game, "bob").result(SOON)
    lobby.join(game, "dot", "green")
    assert lobby.read(lambda c: said(c, game, "red"))[0].seat == ""


@pytest.mark.parametrize("text", ["", "  ", "x" * 501, "a\x07b", "a\u202eb", "a\x1b[2J"])
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
    assert lobby.read(lambda c: said(c, canned, "blue"))[0].phrase == "luck"


def test_only_people_who_sit_there_speak(lobby: Lobbied) -> None:
    game = lobby.open(bots={1: "greedy"}).game
    for seat in ("blue", "green", "mauve", ""):
        with refused("chat/not-yours"):
            tell(lobby, game, seat, "hello")
    with pytest.raises(NoSuchGame):
        tell(lobby, "nowhere", "red", "hello")


def test_ten_lines_a_minute(lobby: Lobbied) -> None:
    game = lobby.full()
    talk = Talk(lobby.table)
    asked = [talk.say(game, "red", f"line {n}") for n in range(MOST_A_MINUTE + 3)]
    errors = [getattr(future.exception(SOON), "code", None) for future in asked]
    assert errors == [None] * MOST_A_MINUTE + ["chat/too-fast"] * 3
    tell(lobby, game, "blue", "I say little")
    lobby.write(lambda c: c.execute(update(schema.chat).values(at=schema.chat.c.at - 60_001)))
    tell(lobby, game, "red", "a minute later")


def test_the_muted_are_not_heard_at_this_table_by_whoever_muted_them(lobby: Lobbied) -> None:
    game, other = lobby.running().game, lobby.running().game
    talk = Talk(lobby.table)
    for _ in range(2):
        talk.mute(game, "red", "blue").result(SOON)
    for table in (game, other):
        tell(lobby, table, "blue", "bla")
        tell(lobby, table, "blue", "psst", "red")
    assert heard(lobby, game, "red") == []
    assert heard(lobby, game, "green") == ["bla"]
    assert heard(lobby, other, "red") == ["bla", "psst"]
    line = lobby.read(lambda c: said(c, game, "blue"))[0]
    assert not hears(line, "red", lobby.read(lambda c: silenced(c, game, "red")))
    talk.mute(game, "red", "blue", muted=False).result(SOON)
    assert heard(lobby, game, "red") == ["bla", "psst"]


def test_the_blocked_are_not_heard_at_any_table(lobby: Lobbied) -> None:
    game, other = lobby.running().game, lobby.running().game
    lobby.write(lambda c: c.execute(update(schema.account).values(settings='{"notices": "none"}')))
    talk = Talk(lobby.table)
    for _ in range(2):
        talk.block("ann", game, "blue").result(SOON)
    for table in (game, other):
        tell(lobby, table, "blue", "bla")
        assert heard(lobby, table, "red") == []
        assert heard(lobby, table, "green") == ["bla"]
    talk.block("ann", other, "blue", blocked=False).result(SOON)
    assert heard(lobby, game, "red") == ["bla"]
    kept = lobby.read(
        lambda c: c.execute(
            select(schema.account.c.settings).where(schema.account.c.id == "ann")
        ).scalar_one()
    )
    assert kept == '{"blocked": [], "notices": "none"}'


def test_nobody_mutes_themselves_or_nobody(lobby: Lobbied, monkeypatch: pytest.MonkeyPatch) -> None:
    game = lobby.running().game
    talk = Talk(lobby.table)
    for whom in ("red", "mauve"):
        with refused("chat/nobody"):
            talk.mute(game, "red", whom).result(SOON)
        with refused("chat/nobody"):
            talk.block("ann", game, whom).result(SOON)
    monkeypatch.setattr(chat, "MOST_BLOCKED", 1)
    talk.block("ann", game, "blue").result(SOON)
    with refused("chat/too-many-blocked"):
        talk.block("ann", game, "green").result(SOON)


def test_a_mute_is_not_for_who_sits_there_next(lobby: Lobbied) -> None:
    game = lobby.full()
    Talk(lobby.table).mute(game, "red", "blue").result(SOON)
    lobby.lobby.leave(game, "bob").result(SOON)
    lobby.join(game, "dot", "blue")
    tell(lobby, game, "blue", "I am new")
    assert heard(lobby, game, "red") == ["I am new"]


def test_reports_go_to_the_house(lobby: Lobbied) -> None:
    game = lobby.running().game
    talk = Talk(lobby.table)
    line = tell(lobby, game, "blue", "something foul")
    whisper = tell(lobby, game, "blue", "worse", "green")
    for _ in range(2):
        talk.report("ann", game, line.id).result(SOON)
    talk.report("cid", game, line.id).result(SOON)  # the first stays
    talk.report("cid", game, whisper.id).result(SOON)
    told = [(said.text, who) for said, who in lobby.read(reported)]
    assert told == [("worse", "cid"), ("something foul", "ann")]


def test_what_cannot_be_reported(lobby: Lobbied) -> None:
    game, other = lobby.running().game, lobby.running().game
    line = tell(lobby, game, "blue", "bla")
    whisper = tell(lobby, game, "blue", "psst", "green")
    talk = Talk(lobby.table)
    for account, table, number in (
        ("bob", game, line.id),  # one's own
        ("ann", game, whisper.id),  # not heard
        ("dot", game, line.id),  # not there
        ("ann", other, line.id),  # another table
        ("ann", game, 999),
    ):
        with refused("chat/no-line"):
            talk.report(account, table, number).result(SOON)
    assert lobby.read(reported) == []


def test_those_who_watch_are_told(lobby: Lobbied) -> None:
    game = lobby.running().game
    told: list[Said] = []
    talk = Talk(lobby.table)
    talk.watch(told.append)
    line = talk.say(game, "red", "hello").result(SOON)
    with refused("chat/text"):
        talk.say(game, "red", "").result(SOON)
    assert told == [line]
    assert told[0].as_dict()["text"] == "hello"


def test_spectators_hear_as_late_as_they_see(lobby: Lobbied) -> None:
    options = {"cards.visibility": "private_count_public"}
    game = lobby.running(options=options, settings=Settings(delay=600)).game
    tell(lobby, game, "red", "I hold three wild cards")
    assert heard(lobby, game, "") == []
    assert heard(lobby, game, "blue") == ["I hold three wild cards"]
