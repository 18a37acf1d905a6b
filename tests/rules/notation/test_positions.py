"""A position's line gives the same bytes back, and refuses what no game can be in."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rubicon.rules.board.board
from rubicon.engine.chance import generator
from rubicon.engine.records import NONE, POSITION, Chance, Phase
from rubicon.errors import RubiconError
from rubicon.rules.actions import EndAttack
from rubicon.rules.game import Game
from rubicon.rules.notation import positions
from rubicon.rules.notation.json_format import position_from_json, position_to_json
from rubicon.rules.notation.position_fields import (
    SEAT_FIELDS,
    TABLE_FIELDS,
    PositionNames,
    packed,
    unpacked,
)
from rubicon.rules.notation.position_text import cells_from
from rubicon.rules.notation.positions import (
    PositionError,
    PositionProblem,
    PositionText,
    blank,
    hides,
    parse_position,
    parse_view,
    position_text,
    text_of,
)
from rubicon.rules.record import Record
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.rules.notation.played import PRESETS, go_on, picture, played, positions_of

PLAYED = pytest.mark.parametrize(("preset", "players"), PRESETS)


def line_of(preset: str = "classic", players: int = 3) -> str:
    """A position in the attack, with cards in hand."""
    game = played(preset, players)
    waiting = (
        position
        for position in reversed(positions_of(game))
        if position.phase == Phase.ATTACK and position.chance == 0 and position.hand[0] > 0
    )
    return position_text(game.ruleset, next(waiting))


@cache
def plain() -> str:
    return line_of()


def refused(text: str) -> PositionError:
    with pytest.raises(PositionError) as error:
        parse_position(text)
    assert error.value.problems
    return error.value


@PLAYED
def test_every_position_of_a_game_is_read_back(preset: str, players: int, full: bool) -> None:
    game = played(preset, players)
    for position in positions_of(game)[:: 1 if full else 11]:
        line = position_text(game.ruleset, position)
        ruleset, again = parse_position(line)
        assert ruleset == game.ruleset
        assert picture(again) == picture(position)
        assert position_text(ruleset, again) == line
        assert "\n" not in line


@PLAYED
def test_what_each_seat_sees_is_read_back(preset: str, players: int, full: bool) -> None:
    game = played(preset, players)
    for position in positions_of(game)[:: 5 if full else 60]:
        here = Game.from_position(game.ruleset, position)
        for colour in (None, *here.colours):
            view = here.view(colour)
            line = position_text(game.ruleset, view)
            assert picture(parse_view(line)[1]) == picture(view)
            if hides(view):
                assert refused(line).code == "position/hidden"


def test_most_phases_are_shown_above() -> None:
    seen = {
        int(position.phase)
        for preset, players in PRESETS
        for position in positions_of(played(preset, players))
    }
    rare = {Phase.DEFEND, Phase.TRADE, Phase.OBJECTIVE, Phase.CONTINENTS, Phase.OVER}
    assert seen | rare == set(Phase)


def test_options_and_colours_are_written() -> None:
    options = {"continent.timing": "placed_end_of_own_turn", "setup.armies": "3:36 4:31 5:25 6:20"}
    game = Game.new(Ruleset.load("classic", options), 3, colours=("black", "grey", "yellow"))
    line = position_text(game.ruleset, game.position)
    assert "continent.timing=placed_end_of_own_turn" in line
    assert "setup.armies=3:36+4:31+5:25+6:20" in line
    assert "grey" in line
    ruleset, again = parse_position(line)
    assert ruleset == game.ruleset
    assert picture(again) == picture(game.position)


def test_every_field_is_written_or_counted() -> None:
    in_territories = {"armies", "owner", "captured", "city", "standing", "territories"}
    in_lists = {"card", "hand", "pile", "discards", "objective", "objective_reward"}
    in_lists |= {"reward", "reward_from", "airfield", "mission", "mission_fallback", "chance_seats"}
    in_seats = {"seats", "colour", "status"}
    named = {*SEAT_FIELDS, *TABLE_FIELDS}
    assert not named & (in_territories | in_lists | in_seats)
    all_fields = named | in_territories | in_lists | in_seats | {"spare"}
    assert all_fields == set(POSITION.names or ())


@PLAYED
def test_names_are_those_of_the_game(preset: str, players: int) -> None:
    game = played(preset, players)
    names = PositionNames.of(game.ruleset, game.colours)
    for things in ("territories", "cards", "objectives", "missions", "rewards", "colours"):
        assert getattr(names, things) == getattr(game, things)


CHANGES = [
    (r"^position 1", "position 2", "newer"),
    (r"^position 1", "position 1x", "not-a-position"),
    (r"^position", "fen", "not-a-position"),
    (r"classic 1", "clasic 1", "ruleset"),
    (r"classic 1", "classic", "ruleset"),
    (r"classic 1", "classic 7", "ruleset-version"),
    (r"world 1", "world", "board"),
    (r"world 1", "world 9", "board-version"),
    (r" \.$", "", "cut"),
    (r" / [^/]*$", "", "cut"),
    (r" \.$", " . / more", "trailing"),
    (r" \.$", " . more", "cut"),
    (r"world 1 / \S+", "world 1 /", "territories"),
    (r"world 1 / ", "world 1 / r3 ", "territories"),
    (r"world 1 / \S+", "world 1 / q3", "territory"),
    (r"world 1 / \S+", "world 1 / r03", "territory"),
    (r"world 1 / \S+", "world 1 / r3!*", "territory"),
    (r"world 1 / \S+", "world 1 / r3:3", "territory"),
    (r"world 1 / \S+", "world 1 / r-3", "territory"),
    (r"world 1 / \S+", "world 1 / r2147483648", "territory"),
    (r"world 1 / \S+", "world 1 / r0", "board"),
    (r"world 1 / \S+", "world 1 / -", "board"),
    (r"/ red\b", "/ mauve", "seats"),
    (r"/ red\b", "/ blue", "seats"),
    (r"/ red\b", "/ ; red", "seats"),
    (r"/ red\b", "/ red:asleep", "seats"),
    (r"/ red\b", "/ red:resigned", "board"),
    (r"; green [^/]*/", "/", "territory"),
    (r"; blue [^/]*/", "/", "territory"),
    (r"; green ", "; yellow; black; grey; green ", "board"),
    (r"turn=\w+", "turn=mauve", "field"),
    (r"turn=\w+", "turn=", "field"),
    (r"turn=\w+", "turn", "field"),
    (r"turn=\w+", "turn=red turn=red", "twice"),
    (r"turn=\w+", "turn=none", "phase"),
    (r"turn=\w+", "trun=red", "unknown-field"),
    (r"phase=\w+", "phase=sealed", "phase"),
    (r"phase=\w+", "phase=objective", "phase"),
    (r"phase=\w+", "phase=occupy", "attack"),
    (r"phase=\w+", "phase=over", "result"),
    (r"phase=\w+", "phase=dance", "field"),
    (r"round_number=\d+", "round_number=99999999999", "field"),
    (r"round_number=\d+", "round_number=-4", "range"),
    (r"round_number=\d+", "", "phase"),
    (r" \.$", " winner=red .", "result"),
    (r" \.$", " attack_source=alaska .", "attack"),
    (r" \.$", " order_source=alaska .", "attack"),
    (r" \.$", " chance_count=3 .", "chance"),
    (r" \.$", " chance=mission .", "chance"),
    (r" \.$", " chance_seats=red .", "chance"),
    (r" \.$", " chance_seats=mauve .", "field"),
    (r" \.$", " removed=alaska,alaska .", "field"),
    (r" \.$", " removed=atlantis .", "field"),
    (r" \.$", " pile_size=3 .", "count"),
    (r" \.$", " cards=all .", "field"),
    (r" \.$", " face_up=OB01:airfield,OB02:airfield .", "field"),
    (r"/ red\b", "/ red hand_size=3", "count"),
    (r"/ red\b", "/ red mission=M99", "field"),
    (r"/ red\b", "/ red unplaced=x", "field"),
    (r"/ red\b", "/ red rewards=airfield@atlantis", "field"),
    (r"/ red\b", "/ red objectives=OB01,OB01", "field"),
]


@pytest.mark.parametrize(("pattern", "instead", "code"), CHANGES)
def test_what_is_wrong_is_refused(pattern: str, instead: str, code: str) -> None:
    line = re.sub(pattern, instead, plain(), count=1)
    assert line != plain()
    assert refused(line).code == f"position/{code}"


def test_all_reasons_are_told_at_once() -> None:
    line = re.sub(r"world 1 / \S+ \S+", "world 1 / q3 z9", plain())
    error = refused(line.replace("phase=", "face=").replace("turn=", "turn=mauve,"))
    assert {reason.code for reason in error.problems} >= {"territory", "unknown-field", "field"}
    assert len(error.problems) >= 4
    assert all(reason.sentence in error.message for reason in error.problems)


def test_a_card_in_two_hands_is_counted_twice() -> None:
    game = played("classic", 3, 300)
    line = position_text(game.ruleset, game.position)
    one = next(name for c, name in enumerate(game.cards) if game.position.card[c] == 6)
    both = re.sub(r"\bhand=", f"hand={one},", line)
    assert line.count("hand=") >= 2
    assert "counted twice" in refused(both).message


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_a_line_that_is_cut_is_refused(share: float) -> None:
    line = line_of("revised", 4)
    refused(line[: int(len(line) * share)])


def test_a_cut_at_any_place_is_refused(full: bool) -> None:
    line = plain()
    for end in range(0, len(line), 1 if full else 23):
        refused(line[:end])


def test_more_armies_than_a_position_holds_are_refused() -> None:
    assert picture(parse_position(plain().replace(" r1 ", " r900000000 ", 1))[1])
    for armies in (" r1000000000 ", " r2147483647 "):
        assert refused(plain().replace(" r1 ", armies, 1)).code == "position/range"


HELD = " ".join(["r3"] * 20 + ["b3"] * 22)
TURN = "turn=red first=red round_number=1"
THREE = "red; blue; green:resigned"
WAITING = "red unplaced=3; blue unplaced=3; green unplaced=3"
EMPTY = " ".join(["-"] * 42)
FULL = " ".join(["r1"] * 20 + ["b1"] * 20 + ["g1"] * 2)
OCCUPIED = HELD.replace("b3", "r0", 1)
INTO = "attack_source=ural attack_target=egypt attack_dice=1 occupy_minimum=1"


@pytest.mark.parametrize(
    ("head", "territories", "seats", "table", "code"),
    [
        ("classic", HELD, THREE, f"phase=reinforce {TURN} chance=card chance_count=44", "chance"),
        ("classic", HELD, THREE, f"phase=attack {TURN} chance=starting_card chance_count=44", ""),
        ("classic", HELD, THREE, f"phase=attack {TURN} chance=first_seat chance_count=3", ""),
        ("classic", HELD, THREE, f"phase=attack {TURN} chance=dice chance_seats=red", "chance"),
        ("classic", HELD, THREE, f"phase=attack {TURN} chance=territory", "chance"),
        ("classic", HELD, THREE, f"phase=trade {TURN}", "dead"),
        ("classic", FULL, WAITING, "phase=claim turn=red first=red", "dead"),
        (
            "email",
            HELD,
            "red sealed=yes; blue sealed=yes; green:resigned",
            "phase=sealed turn=red first=red",
            "dead",
        ),
        (
            "classic",
            EMPTY,
            THREE,
            "phase=first_player turn=red chance=dice chance_seats=green",
            "chance",
        ),
        ("classic", HELD, THREE, f"phase=attack {TURN} neutral_unplaced=-1", "range"),
        ("classic", HELD, THREE, f"phase=attack {TURN} sets=32767", "range"),
        ("classic", HELD, THREE, f"phase=attack {TURN} award_rewards=-5", "range"),
        ("classic", HELD, "red sets_by_seat=-1; blue; green:resigned", "phase=attack", "range"),
        ("classic", HELD, THREE, f"phase=attack {TURN} draws_due=100", "range"),
        ("classic", HELD, THREE, f"phase=fortify {TURN} moves_left=-1", "range"),
        (
            "classic",
            HELD,
            "red unplaced=3; blue; green:resigned",
            "phase=place turn=red first=red own_left=5",
            "range",
        ),
        (
            "classic",
            EMPTY,
            WAITING,
            "phase=deal turn=red chance=territory chance_count=42",
            "phase",
        ),
        (
            "email",
            EMPTY,
            "red unplaced=14; blue unplaced=13; green unplaced=14",
            "phase=deal turn=red first=red chance=territory chance_count=42",
            "chance",
        ),
        (
            "classic",
            HELD.replace("r3", "r50000000"),
            "red unplaced=900000000; blue; green:resigned",
            f"phase=reinforce {TURN}",
            "range",
        ),
    ],
)
def test_dead_ends_and_what_chance_cannot_owe(
    head: str, territories: str, seats: str, table: str, code: str
) -> None:
    line = f"position 1 / {head} 1 / world 1 / {territories} / {seats} / {table} ."
    assert refused(line).code == f"position/{code or 'chance'}"


def test_an_occupation_owes_no_card() -> None:
    table = f"phase=occupy {TURN} {INTO}"
    line = f"position 1 / classic 1 / world 1 / {OCCUPIED} / {THREE} / {table} ."
    ruleset = Ruleset.load("classic")
    target = ruleset.board.territories[20].id
    source = ruleset.board.territories[0].id
    line = line.replace("egypt", target).replace("ural", source)
    assert parse_position(line)
    error = refused(line.replace(" .", " chance=card chance_count=44 ."))
    assert error.code == "position/chance"
    assert "No card is pending in the phase occupy." in error.message


def test_a_game_that_ended_while_claims_were_made() -> None:
    owners = " ".join(["r1", "n1", *["-"] * 40])
    seats = "red; blue:resigned; green:resigned"
    table = "phase=over turn=red first=red winner=red"
    line = f"position 1 / classic 1 / world 1 / {owners} / {seats} / {table} ."
    assert Game.from_position(*parse_position(line)).winner == "red"


def test_a_view_while_missions_are_dealt() -> None:
    game = Game.new(Ruleset.load("secret-mission"), 3)
    rng = generator(1)
    while not (game.position.mission[:3] != NONE).any():
        game.settle(game.sample(rng))
    assert game.position.chance == Chance.MISSION
    view = game.view(None)
    assert picture(parse_view(position_text(game.ruleset, view))[1]) == picture(view)


@pytest.mark.parametrize(
    ("field", "at", "value"),
    [
        ("owner", 0, 99),
        ("owner", 100, 0),
        ("colour", 0, 77),
        ("territories", 0, 40),
        ("pile", None, 3),
        ("hand", 0, 12),
        ("capital", 5, 3),
        ("status", 0, 9),
        ("card", 3, 55),
        ("spare", 0, 1),
        ("phase", None, 44),
        ("turn", None, 6),
        ("city", 3, 2),
    ],
)
def test_a_record_that_is_no_position_cannot_be_written(
    field: str, at: int | None, value: int
) -> None:
    game = played("classic")
    record = game.position.copy()
    if at is None:
        record[field] = value
    else:
        record[field][at] = value
    with pytest.raises(PositionError) as error:
        position_text(game.ruleset, record)
    assert error.value.code == "position/unwritable"


CELLS = [(name, POSITION[name].shape) for name in POSITION.names or ()]


@given(st.data())
def test_a_record_is_written_only_if_reading_gives_the_same_bytes(data: st.DataObject) -> None:
    """The writer does not read its text again, so any number in any cell is tried here."""
    preset, players = data.draw(st.sampled_from(PRESETS))
    game = played(preset, players)
    record = data.draw(st.sampled_from([game.position, game.view(None)])).copy()
    for _ in range(data.draw(st.integers(1, 3))):
        name, shape = data.draw(st.sampled_from(CELLS))
        value = data.draw(st.integers(-3, 9) | st.integers(-128, 127))
        if shape:
            record[name][data.draw(st.integers(0, shape[0] - 1))] = value
        else:
            record[name] = value
    text = None
    with suppress(PositionError):
        text = text_of(game.ruleset, record)
    if text is None:  # a number that means nothing
        return
    problems: list[PositionProblem] = []
    cells = cells_from(game.ruleset, PositionText.parse(str(text)), problems)
    assert problems == []
    assert picture(packed(cells)) == picture(record)


@PLAYED
def test_fields_are_unpacked_and_packed_exactly(preset: str, players: int) -> None:
    for position in positions_of(played(preset, players))[::50]:
        assert picture(packed(unpacked(position))) == picture(position)


def test_a_position_is_written_without_being_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played("classic")
    monkeypatch.setattr(positions, "cells_from", None)
    assert position_text(game.ruleset, game.position)


@pytest.mark.parametrize("nonsense", [None, 3, b"position 1", "", "\x00", "position " * 9000])
def test_what_is_no_text_is_refused(nonsense: Any) -> None:
    with pytest.raises(PositionError):
        parse_position(nonsense)


def test_spaces_do_not_matter() -> None:
    line = plain()
    assert picture(parse_position("  " + line.replace(" ", "  ") + "\n")[1]) == picture(
        parse_position(line)[1]
    )


def test_a_blank_board_needs_owners() -> None:
    ruleset = Ruleset.load("classic")
    position = blank(ruleset, 3)
    position.phase = Phase.ATTACK
    with pytest.raises(PositionError) as error:
        parse_position(position_text(ruleset, position))
    assert len(error.value.problems) > 40


def test_a_position_is_played_on() -> None:
    game = played("classic", 3, 200)
    again = Game.from_position(*parse_position(str(game)))
    assert again.actors == game.actors
    assert list(again.legal) == list(game.legal)
    assert again.allows(EndAttack()) == game.allows(EndAttack())


LINES = [line_of(preset, players) for preset, players in PRESETS[:1] + PRESETS[5:6]]
WORDS = [word for line in LINES for word in line.split()]
SHARDS = st.sampled_from([*WORDS, "", "/", ";", "?", "=", "hand=?", "cards=?", "\x00", "é", "-1"])


@given(st.data())
def test_no_input_raises_anything_else(data: st.DataObject) -> None:
    words = data.draw(st.sampled_from(LINES)).split()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(words) - 1))
        words[at] = data.draw(SHARDS | st.text(max_size=8))
    with suppress(RubiconError):
        ruleset, position = parse_view(" ".join(words))
        again = parse_view(position_text(ruleset, position))
        assert picture(again[1]) == picture(position)


def test_a_board_and_a_ruleset_from_files(tmp_path: Path) -> None:
    board = tmp_path / "my own" / "board; 100%.toml"
    board.parent.mkdir()
    bundled = Path(rubicon.rules.board.board.__file__).parent / "boards" / "skerries.toml"
    text = bundled.read_text(encoding="utf-8").replace('id = "skerries"', 'id = "mine"', 1)
    board.write_text(re.sub(r"(?m)^geometry.*\n", "", text), encoding="utf-8")
    game = go_on(Game.new(Ruleset.load("classic", {"army_cap": 12}, board=board), 3), 120, 2)
    ruleset, position = parse_position(str(game))
    assert ruleset == game.ruleset
    assert picture(position) == picture(game.position)
    record = Record.parse(Record.of(game).text())
    assert picture(record.replay().position) == picture(game.position)


def own_ruleset(tmp_path: Path, head: str) -> Ruleset:
    """A ruleset from a file that extends another from a file."""
    (tmp_path / "base.toml").write_text('extends = "email"\n[options]\narmy_cap = 12\n', "utf-8")
    file = tmp_path / "house.toml"
    file.write_text(f'{head}\nextends = "./base.toml"\n[options]\ncards.forced = "none"\n', "utf-8")
    return Ruleset.load(file, {"cards.empty": "no_card"})


@pytest.mark.parametrize(
    ("head", "name", "version"),
    [
        ("", "house", 1),
        ('name = "House; rules / 100 % = ours"\nversion = 7', "House; rules / 100 % = ours", 7),
        ('name = "email"\nversion = 12', "email", 12),
        (r'name = " zu Hause\n\u00fc "', " zu Hause\nü ", 1),
    ],
)
def test_the_name_of_a_ruleset_of_ones_own(
    tmp_path: Path, head: str, name: str, version: int
) -> None:
    game = go_on(Game.new(own_ruleset(tmp_path, head), 3), 60, 2)
    assert (game.ruleset.name, game.ruleset.version) == (name, version)
    ruleset, position = parse_position(str(game))
    assert ruleset == game.ruleset
    assert (ruleset.name, ruleset.version, ruleset.preset) == (name, version, "email")
    assert str(Game.from_position(ruleset, position)) == str(game)
    form = position_to_json(game.ruleset, game.position)
    again, _ = position_from_json(form)
    assert (again.name, again.version) == (name, version)
    assert position_to_json(again, position) == form


def test_a_preset_needs_no_name() -> None:
    game = Game.new(Ruleset.load("email", {"army_cap": 12}), 3)
    assert str(game).startswith("position 1 / email 1 army_cap=12 / world 1 / ")


HALF = ["name=house", "version=3", "name=house version=0", "name= version=1"]


@pytest.mark.parametrize("own", HALF)
def test_half_a_name_is_refused(own: str) -> None:
    line = str(Game.new(Ruleset.load("email"), 3)).replace("email 1", f"email 1 {own}", 1)
    with pytest.raises(PositionError) as error:
        parse_position(line)
    assert error.value.code in ("position/ruleset", "position/field")
