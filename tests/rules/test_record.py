"""Records: the same text, the same game; and damaged files say where they are damaged."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.engine.records import Standing
from rubicon.errors import RubiconError
from rubicon.rules.actions import Dice, EndTurn, Place
from rubicon.rules.game import Game
from rubicon.rules.record import (
    Record,
    RecordError,
    RecordLine,
    read_seats,
    ruleset_headers,
    ruleset_of,
    seats_text,
)
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.rules.notation.played import PRESETS, go_on, picture, played


@cache
def text_of(preset: str = "classic", players: int = 3, entries: int = 300) -> str:
    return Record.of(played(preset, players, entries)).text()


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as error:
        Record.parse(text).replay()
    return error.value


@pytest.mark.parametrize(("preset", "players"), PRESETS)
def test_a_game_is_read_back_and_replayed(preset: str, players: int) -> None:
    game = played(preset, players)
    record = Record.of(game, {"Date": "2026-11-21"})
    again = Record.parse(record.text())
    assert again == record
    assert again.text() == record.text()
    assert again.entries == game.history
    assert again.headers["Date"] == "2026-11-21"
    assert picture(again.verify().position) == picture(game.position)


def test_it_is_replayed_as_far_as_is_asked() -> None:
    game = played("classic", 3, 300)
    again = Record.of(game).replay(100)
    assert again.history == game.history[:100]
    assert Record.of(game).replay(0).history == ()
    assert picture(Record.of(game).replay(10_000).position) == picture(game.position)


def test_a_game_begun_from_a_position() -> None:
    middle = played("revised", 4, 200)
    game = Game.from_position(middle.ruleset, middle.position, names=("Ann", "Bob", "Cy", "Di"))
    go_on(game, 100, 3)
    record = Record.parse(Record.of(game).text())
    assert "Position" in record.headers
    assert "Standing" not in record.headers
    assert picture(record.replay().position) == picture(game.position)
    assert record.replay().names == game.names


def test_a_view_is_nothing_to_go_on_from() -> None:
    game = played("classic", 3, 300)
    view = Game.from_position(game.ruleset, game.view("red"))
    with pytest.raises(RubiconError) as error:
        Record.parse(Record.of(view).text()).replay()
    assert error.value.code == "position/hidden"


def test_rebels_options_colours_and_standing_orders() -> None:
    ruleset = Ruleset.load("email", {"cards.forced": "none", "setup.claim": "random"})
    game = Game.new(
        ruleset,
        names=("Ann", "blue"),
        colours=("black", "blue"),
        rebels={"ural": 2, "siam": 3},
        standing=Standing.ONE,
    )
    go_on(game, 80, 5)
    record = Record.parse(Record.of(game).text())
    assert record.headers["Rebels"] == "ural:2 siam:3"
    assert record.headers["Standing"] == "1"
    assert record.headers["Options"] == "cards.forced=none"
    assert record.headers["Seats"] == "black: Ann; blue"
    assert picture(record.replay().position) == picture(game.position)


@pytest.mark.parametrize("options", [{}, {"cards.forced": "none", "setup.claim": "random"}])
def test_a_ruleset_is_named_by_its_headers(options: dict[str, str]) -> None:
    ruleset = Ruleset.load("email", options, board="skerries")
    headers = ruleset_headers(ruleset)
    assert ruleset_of(headers) == ruleset
    assert set(headers) == {"Ruleset", "Board", *(["Options"] if options else [])}
    assert headers.items() <= Record.of(Game.new(ruleset)).headers.items()


@pytest.mark.parametrize("name", ["house", 'House; rules "2" / 100 % = ours', " zu Hause\nü "])
def test_a_ruleset_of_ones_own_keeps_its_name(name: str) -> None:
    ruleset = Ruleset.load("email", {"cards.forced": "none"}).called(name, 7)
    record = Record.parse(Record.of(Game.new(ruleset, 3)).text())
    again = record.replay().ruleset
    assert (again.name, again.version, again.preset) == (name, 7, "email")
    assert again == ruleset


@pytest.mark.parametrize("own", ["house", "house x", "7", "house 0", "house " + "1" * 5000])
def test_half_a_name_is_refused(own: str) -> None:
    text = text_of().replace("[Board", f'[Called "{own}"]\n[Board', 1)
    with pytest.raises(RecordError) as error:
        Record.parse(text).replay()
    assert error.value.code == "record/bad-header"


def test_another_board() -> None:
    game = go_on(Game.new(Ruleset.load("classic", board="skerries"), 3), 100, 2)
    record = Record.parse(Record.of(game).text())
    assert record.headers["Board"].startswith("skerries ")
    assert picture(record.replay().position) == picture(game.position)


def test_what_was_taken_back_is_not_kept() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    while game.pending is not None:
        game.settle("dice 1 2 6")
    game.play("claim alaska")
    game.play("claim peru")
    with suppress(RubiconError):
        game.undo()
    assert Record.parse(Record.of(game).text()).entries == game.history


def test_entries_are_written_for_people() -> None:
    lines = text_of().splitlines()
    assert lines[0] == '[Rubicon "1"]'
    assert "; Set-up" in lines
    assert "; Round 1, " in text_of()
    blank = lines.index("; Round 1, " + next(line for line in lines if "Round 1" in line)[11:])
    assert lines[blank - 1] == ""
    assert any(line.startswith("= dice ") for line in lines)
    assert any(line.startswith(("red: claim", "blue: claim")) for line in lines)


NAMES = st.text(max_size=30)


@given(st.lists(NAMES, min_size=1, max_size=6))
def test_any_names_can_be_written(names: list[str]) -> None:
    colours = ("red", "blue", "green", "yellow", "grey", "black")[: len(names)]
    assert read_seats(seats_text(colours, tuple(names))) == (colours, tuple(names))


HEADER_NAMES = st.from_regex(r"[A-Z][A-Za-z0-9_-]{0,10}", fullmatch=True)


@given(st.dictionaries(HEADER_NAMES, st.text(max_size=40)), NAMES, st.text(max_size=60))
def test_any_headers_names_and_notes(extra: dict[str, str], name: str, note: str) -> None:
    game = Game.new(Ruleset.load("classic"), names=("Ann", name, "red"))
    known = Record.of(game).headers
    extra = {key: value for key, value in extra.items() if key not in known}
    record = Record(
        {**known, **extra}, (RecordLine(Dice((3, 2, 1)), note=note), RecordLine(note="x" + note))
    )
    again = Record.parse(record.text())
    assert again == record
    assert again.text() == record.text()
    assert again.replay().names == ("Ann", name, "red")


def test_notes_blank_lines_and_line_ends_are_as_people_like() -> None:
    text = text_of(entries=5)
    loose = "# hello\n\n" + text.replace("= dice", "  =  DICE").replace("claim", "CLAIM")
    loose = loose.replace("\n", "\r\n").replace("red: ", "Red:").replace("; Set-up", "#Set-up")
    read = Record.parse(loose)
    assert read.entries == Record.parse(text).entries
    assert read.lines[0] == RecordLine(note="hello")


def test_who_acts_may_be_left_out_but_not_be_wrong() -> None:
    text = text_of(entries=5)
    without = text.replace("red: ", "").replace("blue: ", "").replace("green: ", "")
    assert picture(Record.parse(without).replay().position) == picture(
        Record.parse(text).replay().position
    )
    line = next(line for line in text.splitlines() if line.startswith("red: claim"))
    error = refused(text.replace(line, line.replace("red", "blue")))
    assert error.code == "record/wrong-seat"
    assert error.line == text.splitlines().index(line) + 1
    stranger = refused(text.replace(line, line.replace("red", "grey")))
    assert stranger.code == "record/bad-line"


def test_the_first_bad_line_is_named_with_its_reason() -> None:
    lines = text_of().splitlines()
    at = next(number for number, line in enumerate(lines) if "claim" in line)
    twice = [*lines[: at + 1], lines[at].split(": ")[-1], *lines[at + 1 :]]
    error = refused("\n".join(twice) + "\n")
    assert error.code == "record/illegal"
    assert error.line == at + 2
    assert "claim" in error.message
    assert f"line {at + 2}: entry" in error.message


def test_a_line_that_cannot_be_read_is_named() -> None:
    error = refused(text_of().replace("; Set-up", "dance"))
    assert error.code == "record/bad-line"
    assert error.line == text_of().splitlines().index("; Set-up") + 1


def test_a_result_that_did_not_happen() -> None:
    text = text_of().replace('[Result "*"]', '[Result "red"]')
    with pytest.raises(RecordError) as error:
        Record.parse(text).verify()
    assert error.value.code == "record/wrong-result"
    Record.parse(text).replay()


HEADERS = [
    ("", "not-a-record"),
    ("\n\n", "not-a-record"),
    ("place alaska 3\n", "not-a-record"),
    ('[Event "x"]\n', "not-a-record"),
    ('[Rubicon "2"]\n', "newer"),
    ('[Rubicon "99999999999"]\n', "bad-header"),
    ('[Rubicon "one"]\n', "bad-header"),
    ('[Rubicon "1"]\n', "missing-header"),
    ('[Rubicon "1"]\n[Ruleset "classic 1\n', "bad-header"),
    ('[Rubicon "1"]\n[Ruleset "classic 1"]\n[Board "world 1"]\n', "missing-header"),
]


@pytest.mark.parametrize(("text", "code"), HEADERS)
def test_files_without_the_headers_to_play_them(text: str, code: str) -> None:
    assert refused(text).code == f"record/{code}"
    with pytest.raises(RecordError):
        Record.parse(text, salvage=True)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("classic 1", "classic 2", "record/ruleset-version"),
        ("classic 1", "classic", "record/bad-header"),
        ("classic 1", "clasic 1", "record/bad-header"),
        ("classic 1", "/dev/zero 1", "record/bad-header"),
        ("classic 1", "./classic.toml 1", "record/bad-header"),
        ("world 1", "world 8", "record/board-version"),
        ("world 1", "world", "record/bad-header"),
        ("world 1", "moon 1", "board/unknown-board"),
        ("red; blue", "red; red", "record/bad-header"),
        ("red; blue", "red; mauve", "record/bad-header"),
        ("red; blue; green", "red", "setup/players"),
        ("red; blue; green", "", "record/bad-header"),
        ('"max"', '"many"', "record/bad-header"),
        ("[Result", '[Rebels "ural"]\n[Result', "record/bad-header"),
        ("[Result", '[Rebels "ural:2"]\n[Result', "setup/rebels"),
        ("[Result", '[Options "a.b=c"]\n[Result', "ruleset/unknown-option"),
        ("[Result", '[Options "nothing"]\n[Result', "ruleset/bad-override"),
        ("[Result", '[Position "nothing"]\n[Result', "position/not-a-position"),
        ("[Result", '[Board "world 1"]\n[Result', "record/bad-header"),
        ("[Result", "[Result\n[Result", "record/bad-header"),
    ],
)
def test_headers_that_say_nothing_playable(old: str, new: str, code: str) -> None:
    text = text_of(entries=0)
    assert old in text
    with pytest.raises(RubiconError) as error:
        Record.parse(text.replace(old, new, 1)).replay()
    assert error.value.code == code


def test_a_position_of_another_game_is_refused() -> None:
    line = str(played("revised", 4, 200))
    text = text_of().replace("[Result", f'[Position "{line}"]\n[Result', 1)
    assert refused(text).code == "record/bad-header"


def test_a_file_cut_anywhere_is_played_as_far_as_it_goes(full: bool) -> None:
    text = text_of()
    whole = Record.parse(text)
    begun = text.index("; Set-up")
    for end in range(begun, len(text), 1 if full else 97):
        cut = text[:end]
        saved = Record.parse(cut, salvage=True)
        assert saved.entries == whole.entries[: len(saved.entries)]
        assert len(saved.entries) >= cut.count("\n", begun) - cut.count("; ") - cut.count("\n\n")
        assert cut.endswith(saved.unread)
        if not cut.endswith("\n"):
            assert refused(cut).code in ("record/cut", "record/bad-line")


def test_what_cannot_be_read_is_kept_apart() -> None:
    lines = text_of(entries=20).splitlines()
    damaged = "\n".join([*lines[:15], "gibberish", *lines[15:]]) + "\n"
    saved = Record.parse(damaged, salvage=True)
    assert saved.unread.splitlines() == ["gibberish", *lines[15:]]
    saved.replay()


def test_long_lines_are_refused() -> None:
    assert refused(text_of() + "x" * 100_000 + "\n").code == "record/long-line"


def test_files(tmp_path: Path) -> None:
    game = played("classic", 3, 300)
    file = tmp_path / "game.risk"
    file.write_text("an older file", encoding="utf-8")
    Record.of(game).save(file)
    assert Record.load(file) == Record.of(game)
    assert [path.name for path in tmp_path.iterdir()] == ["game.risk"]
    assert b"\r" not in file.read_bytes()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "game.risk", tmp_path / "latest.risk"
    file.touch()
    link.symlink_to(file)
    Record.of(played("classic")).save(link)
    assert link.is_symlink()
    assert Record.load(file) == Record.load(link)


def test_files_that_cannot_be_written_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Record.of(played("classic", 3, 20))
    file = tmp_path / "game.risk"
    record.save(file)
    before = file.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(RecordError, match="No space left") as error:
        Record.of(played("classic", 3, 300)).save(file)
    assert error.value.code == "record/cannot-write"
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["game.risk"]


@pytest.mark.parametrize("path", ["missing/game.risk", "."])
def test_places_where_no_file_can_be(tmp_path: Path, path: str) -> None:
    with pytest.raises(RecordError) as error:
        Record.of(played("classic", 3, 20)).save(tmp_path / path)
    assert error.value.code == "record/cannot-write"
    with pytest.raises(RecordError) as error:
        Record.load(tmp_path / path)
    assert error.value.code == "record/cannot-read"


def test_names_that_no_file_can_hold(tmp_path: Path) -> None:
    game = Game.new(Ruleset.load("classic"), names=("\ud800", "b", "c"))
    with pytest.raises(RecordError) as error:
        Record.of(game).save(tmp_path / "game.risk")
    assert error.value.code == "record/cannot-write"


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    data = text_of().encode()
    at = data.index(b"claim")
    file.write_bytes(b"\xef\xbb\xbf" + data[:at] + b"\xff" + data[at:])
    with pytest.raises(RecordError) as error:
        Record.load(file)
    assert error.value.code == "record/not-utf8"
    assert error.value.line == data[:at].count(b"\n") + 1
    saved = Record.load(file, salvage=True)
    assert saved.entries == Record.parse(text_of()).entries[: len(saved.entries)]


def test_a_file_with_a_mark_of_its_encoding(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    file.write_bytes(b"\xef\xbb\xbf" + text_of().encode())
    assert Record.load(file) == Record.parse(text_of())


def test_too_large_a_file(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    with file.open("wb") as huge:
        huge.truncate(100_000_000)
    with pytest.raises(RecordError) as error:
        Record.load(file)
    assert error.value.code == "record/too-large"


def test_what_has_no_end_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (Path("/dev/zero"), pipe):
        with pytest.raises(RecordError, match="not a regular file") as error:
            Record.load(path)
        assert error.value.code == "record/cannot-read"


def test_a_record_made_by_hand() -> None:
    headers = Record.of(Game.new(Ruleset.load("classic"), 3)).headers
    record = Record(
        headers,
        (RecordLine(Dice((1, 2, 6))), RecordLine(Place("alaska", 1)), RecordLine(EndTurn())),
    )
    with pytest.raises(RecordError, match="entry 2, 'place alaska 1'") as error:
        record.replay()
    assert error.value.line == 0


SHARDS = [
    "= ",
    "red: ",
    "claim ",
    "alaska",
    "6 5 v 1",
    "dice 3 2",
    ";",
    "#",
    "[",
    '[A "b"]',
    "\n",
    '"',
]
GIBBERISH = st.text(max_size=40) | st.lists(st.sampled_from(SHARDS), max_size=12).map("".join)


@given(GIBBERISH, st.integers(0, 700), st.booleans())
def test_no_input_raises_anything_else(garbage: str, at: int, salvage: bool) -> None:
    text = text_of(entries=20)
    with suppress(RubiconError):
        record = Record.parse(text[:at] + garbage + text[at:], salvage=salvage)
        assert Record.parse(record.text()) == record
        record.replay()
