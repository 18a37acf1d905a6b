"""Presets against the matrix of chapter 3.9, ruleset files, and the records for the engine."""

import copy
import doctest
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.engine.codes import Deck, Goal, SetValues
from rubicon.engine.records import RULES, RewardKind
from rubicon.errors import RubiconError
from rubicon.rules.board.board import Board
from rubicon.rules.options.kinds import Choice, Flag, Number
from rubicon.rules.options.option import Option, Use
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.ruleset import ruleset as ruleset_module
from rubicon.rules.ruleset.file import FOLDER, read_file
from rubicon.rules.ruleset.ruleset import DERIVED, Ruleset, parse_override, preset_names, presets

CODES = {
    "CL": "classic",
    "SM": "secret-mission",
    "N40": "two-player",
    "C50": "two-player-50",
    "PB": "email",
    "WH": "basic",
    "R8": "revised",
    "RW": "revised-conquest",
    "CR": "capital",
    "D3": "digest",
}
# Chapter 3.9 row by row: the value of most presets, then the values that differ.
MATRIX: list[tuple[str, str, dict[str, str]]] = [
    ("players.min", "3", {"N40 C50 PB": "2"}),
    ("players.max", "6", {"N40 C50": "2", "R8 RW": "5"}),
    (
        "setup.armies",
        "3:35 4:30 5:25 6:20",
        {
            "N40": "2:40",
            "C50": "2:50",
            "PB": "2:40 3:35 4:30 5:25 6:20",
            "R8 RW": "3:30 4:25 5:20",
        },
    ),
    ("neutral.armies", "40", {}),
    ("setup.claim", "draft", {"SM": "deal_cards", "N40": "deal_three_piles", "PB": "random"}),
    ("setup.capitals", "false", {"R8 RW": "true"}),
    ("setup.cities", "0", {"R8 RW": "board"}),
    ("setup.starting_cards", "none", {"R8 RW": "3:1 4:1 5:2"}),
    ("setup.place", "one_each_round", {"N40": "two_own_one_neutral", "PB": "all_at_once"}),
    ("setup.first_player", "die_roll", {"R8 RW": "random"}),
    ("pieces.denominations", "1/5/10", {"R8 RW": "1/3"}),
    ("reinforce.min", "3", {}),
    ("reinforce.min_scope", "territory_part", {}),
    ("continent.timing", "turn_start", {"PB": "snapshot_end_of_own_turn"}),
    ("cards.deck", "44", {"WH": "42", "R8 RW": "stars42"}),
    ("cards.wilds", "2", {"WH R8 RW": "0"}),
    ("cards.values", "escalating", {"R8 RW": "stars"}),
    ("cards.counter", "global", {}),
    (
        "cards.forced",
        "one_set",
        {"WH": "until_below_5", "R8 RW": "none", "D3": "all_complete_up_to_two"},
    ),
    ("cards.max_sets_per_start", "2", {"WH D3": "unlimited"}),
    ("stars.trades_per_draft", "1", {}),
    ("cards.territory_bonus", "2", {"WH R8 RW": "0"}),
    ("cards.territory_bonus_cap", "per_turn_2", {"D3": "per_set_2"}),
    ("cards.draw_time", "end_of_attack", {"WH R8 RW": "end_of_turn"}),
    (
        "cards.trigger",
        "captured",
        {"WH": "captured_from_player", "R8 RW": "captured_and_no_claim"},
    ),
    ("elim.trade", "bk93", {"R8 RW": "none"}),
    ("cards.visibility", "private_count_public", {"PB": "public"}),
    ("attack.dice_cap", "armies_minus_1", {"WH": "armies_guarded"}),
    ("attack.default", "must_state", {"PB": "max"}),
    ("defend.default", "must_state", {"PB": "two"}),
    ("defend.dice_cap", "armies", {"PB": "two_always"}),
    ("defend.extra_die", "compare_all", {}),
    ("dice.announce", "attacker_then_defender", {"PB": "standing_order"}),
    ("fortify.reach", "adjacent", {"WH": "any", "R8 RW": "connected"}),
    ("neutral.layout", "none", {"N40": "fourteen"}),
    ("rebels.setup", "none", {"PB": "gm_list"}),
    ("neutral.must_fall", "false", {"PB": "true"}),
    ("neutral.dice", "max_legal", {"N40": "opponent_chooses", "PB": "always_two"}),
    ("player.resign", "to_neutral", {"PB": "to_rebels"}),
    ("dice.recipients", "all_seats", {"PB": "attacker defender gm all_seats public_log"}),
    ("gm.notices", "false", {"PB": "true"}),
    ("missions.deck", "none", {"SM": "us12"}),
    ("missions.killer", "anyone", {}),
    ("missions.check", "immediate_any_player", {}),
    ("missions.own_colour", "fallback_24", {}),
    ("missions.unused_colours", "removed", {}),
    ("missions.reveal", "auto", {}),
    ("hq.needed", "all", {}),
    ("hq.reveal", "simultaneous", {}),
    ("objectives.pool", "none", {"R8 RW": "seed11"}),
    ("rewards.major_pool", "r08", {}),
    ("objectives.continent_turn", "no_presence", {}),
    ("bonus_die", "drop_lowest", {}),
    ("airfield.lost", "suspended", {}),
    ("reward.effective", "immediate", {}),
    ("victory.goal", "conquest", {"SM": "mission", "R8": "objectives", "CR": "headquarters"}),
    ("revised.win", "end_of_own_turn", {}),
    ("conquest.objectives", "true", {}),
]
IN_MATRIX = {name for name, _, _ in MATRIX}


def rules_of(ruleset: Ruleset) -> Any:
    """The record of the rules, for access by name."""
    return ruleset.rules


def tables_of(ruleset: Ruleset) -> Any:
    """The record of the board, for access by name."""
    return ruleset.tables


def errors(preset: str | Path, options: dict[str, Any] | None = None, **board: Any) -> RubiconError:
    with pytest.raises(RubiconError) as caught:
        Ruleset.load(preset, options, **board)
    return caught.value


class TestPresets:
    def test_there_are_ten_and_each_has_its_file(self) -> None:
        assert preset_names() == tuple(CODES.values()) == tuple(presets())
        assert {path.stem for path in FOLDER.glob("*.toml")} == set(preset_names())

    @pytest.mark.parametrize("name", CODES.values())
    def test_a_preset_is_described(self, name: str) -> None:
        ruleset = Ruleset.load(name)
        assert ruleset.name == ruleset.preset == name
        assert ruleset.title
        assert ruleset.description.endswith(".")
        assert ruleset.version >= 1
        assert ruleset.sources
        assert not ruleset.differences
        assert ruleset.board.id == "world"
        assert ruleset is Ruleset.load(name)

    def test_classic_has_every_default(self) -> None:
        assert not read_file(FOLDER / "classic.toml").stated
        defaults = {name: option.default for name, option in OPTIONS.items()}
        assert Ruleset.load("classic").options == defaults

    @pytest.mark.parametrize("name", list(CODES.values())[1:])
    def test_the_others_say_where_they_differ_and_why(self, name: str) -> None:
        lines = (FOLDER / f"{name}.toml").read_text("utf-8").split("[options]\n")[1].splitlines()
        assert all("#" in line for line in lines)

    @pytest.mark.parametrize(("option", "most", "others"), MATRIX, ids=[row[0] for row in MATRIX])
    def test_matrix(self, option: str, most: str, others: dict[str, str]) -> None:
        differing = {code: value for codes, value in others.items() for code in codes.split()}
        for code, name in CODES.items():
            expected = differing.get(code, most)
            assert Ruleset.load(name).option_text(option) == expected, code

    @pytest.mark.parametrize("option", sorted(OPTIONS.keys() - IN_MATRIX))
    def test_options_outside_the_matrix_have_one_value(self, option: str) -> None:
        assert len({Ruleset.load(name).option_text(option) for name in preset_names()}) == 1


class TestRecords:
    @pytest.mark.parametrize("name", preset_names())
    def test_every_field_holds_its_option(self, name: str) -> None:
        ruleset = Ruleset.load(name)
        for option in OPTIONS.values():
            if option.use is not Use.RULES or option.field in DERIVED:
                continue
            if isinstance(option.kind, Choice | Flag | Number):
                number = option.kind.number(ruleset.options[option.name])
                assert rules_of(ruleset)[option.field] == number, option.name

    def test_tables_by_players_and_by_place(self) -> None:
        rules = rules_of(Ruleset.load("revised"))
        assert list(rules["setup_armies"]) == [0, 0, 0, 30, 25, 20, 0]
        assert list(rules["setup_starting_cards"]) == [0, 0, 1, 1, 2, 0]

    def test_words_that_stand_for_numbers(self) -> None:
        rules = rules_of(Ruleset.load("basic"))
        assert rules["cards_max_sets_per_start"] == 0
        assert rules["cards_deck"] == Deck.PLAIN
        assert rules_of(Ruleset.load("revised"))["cards_values"] == SetValues.STARS

    def test_cities_are_those_of_the_board_or_as_stated(self) -> None:
        assert rules_of(Ruleset.load("revised"))["setup_cities"] == 15
        assert rules_of(Ruleset.load("revised", board="skerries"))["setup_cities"] == 5
        assert rules_of(Ruleset.load("revised", {"setup.cities": 20}))["setup_cities"] == 20

    @pytest.mark.parametrize(
        ("preset", "options", "missions", "objectives"),
        [
            ("classic", {}, 0, 0),
            ("secret-mission", {}, 1, 0),
            ("revised", {}, 0, 1),
            ("revised-conquest", {}, 0, 1),
            ("revised-conquest", {"conquest.objectives": False}, 0, 0),
            ("revised", {"conquest.objectives": False}, 0, 1),
        ],
    )
    def test_missions_and_objectives_in_play(
        self, preset: str, options: dict[str, object], missions: int, objectives: int
    ) -> None:
        rules = rules_of(Ruleset.load(preset, options))
        assert rules["missions_in_play"] == missions
        assert rules["objectives_in_play"] == objectives

    def test_rewards(self) -> None:
        kinds = list(rules_of(Ruleset.load("revised"))["reward_kind"])
        assert kinds == [0, 1, 2, 3, 4, 0, 5, 6]
        kinds = list(
            rules_of(Ruleset.load("revised", {"rewards.major_pool": "seed_only"})).reward_kind
        )
        assert kinds[4:] == [
            RewardKind.ATTACK_DIE,
            RewardKind.AIRFIELD,
            RewardKind.DEFENCE_DIE,
            RewardKind.AIRFIELD,
        ]

    def test_the_board_gets_its_cards_missions_and_objectives(self) -> None:
        assert int(tables_of(Ruleset.load("classic"))["cards"]) == 44
        assert int(tables_of(Ruleset.load("basic"))["cards"]) == 42
        assert int(tables_of(Ruleset.load("revised"))["cards"]) == 42
        us12 = tables_of(Ruleset.load("secret-mission"))["mission_in_deck"]
        assert [index + 1 for index in np.flatnonzero(us12)] == [*range(1, 7), *range(9, 15)]
        seed11 = tables_of(Ruleset.load("revised"))["objective_in_pool"]
        assert list(seed11) == [1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1]
        r08 = tables_of(Ruleset.load("revised", {"objectives.pool": "r08_12"}))["objective_in_pool"]
        assert r08.sum() == 12

    def test_options_of_the_board(self) -> None:
        world = Board.load("world")
        alaska, east = world.index("alaska"), world.index("east_africa")
        middle = world.index("middle_east")
        stars = {territory.id: 1 + (territory.id == "alaska") for territory in world.territories}
        custom = tables_of(Ruleset.load("revised", {"stars.custom": stars}))
        assert custom["stars"][alaska] == 2
        assert custom["stars"].sum() == 43
        cut = tables_of(Ruleset.load("classic", {"map.east_africa_middle_east": False}))
        assert cut["adjacent"][east, middle] == 0
        designs = {territory.id: "artillery" for territory in world.territories}
        same = tables_of(Ruleset.load("classic", {"cards.custom_designs": designs}))
        assert set(same["design"][:42]) == {2}
        swapped = tables_of(Ruleset.load("revised", {"objectives.class_table": "OB12:minor"}))
        assert swapped["objective_major"][11] == 0

    def test_records_are_shared_and_cannot_be_changed(self) -> None:
        ruleset = Ruleset.load("classic")
        for record in (rules_of(ruleset), tables_of(ruleset)):
            name = record.dtype.names[0]
            with pytest.raises(ValueError, match="read-only"):
                record[name] = 1
        assert rules_of(ruleset).copy().flags.writeable
        assert rules_of(ruleset).dtype == RULES

    def test_names_that_are_not_on_the_board(self) -> None:
        assert errors("revised", {"stars.custom": "atlantis:2"}).code == "board/unknown-territory"
        assert errors("revised", {"stars.custom": "alaska:2"}).code == "board/missing-stars"


class TestOptions:
    def test_python_forms(self) -> None:
        options = Ruleset.load("revised").options
        assert options["setup.capitals"] is True
        assert options["cards.deck"] == "stars42"
        assert options["setup.armies"] == {3: 30, 4: 25, 5: 20}
        assert options["players.max"] == 5
        assert list(options) == list(OPTIONS)

    def test_options_cannot_be_changed(self) -> None:
        ruleset: Any = Ruleset.load("classic")
        with pytest.raises(TypeError):
            ruleset.options["cards.deck"] = "42"
        with pytest.raises(AttributeError):
            ruleset.board = None

    def test_with_options(self) -> None:
        classic = Ruleset.load("classic")
        open_hands = classic.with_options({"cards.visibility": "public"})
        assert open_hands.differences == {"cards.visibility": "public"}
        assert open_hands.with_options({"cards.visibility": "private_count_public"}) == classic
        assert classic.option_text("cards.visibility") == "private_count_public"

    def test_option_text_of_an_unknown_option(self) -> None:
        with pytest.raises(RubiconError) as caught:
            Ruleset.load("classic").option_text("cards.decks")
        assert caught.value.code == "ruleset/unknown-option"
        assert "'cards.deck'" in caught.value.suggestion

    @pytest.mark.parametrize(
        ("text", "pair"),
        [
            ("cards.forced=none", ("cards.forced", "none")),
            (" setup.armies = 3:35 4:30 ", ("setup.armies", "3:35 4:30")),
            ("a=b=c", ("a", "b=c")),
        ],
    )
    def test_parse_override(self, text: str, pair: tuple[str, str]) -> None:
        assert parse_override(text) == pair

    @pytest.mark.parametrize("text", ["cards.forced", "=none", ""])
    def test_parse_override_refuses(self, text: str) -> None:
        with pytest.raises(RubiconError) as caught:
            parse_override(text)
        assert caught.value.code == "ruleset/bad-override"


class TestImpliedValues:
    @pytest.mark.parametrize(
        ("preset", "stated", "moved"),
        [
            (
                "secret-mission",
                {"missions.deck": "euro14"},
                {"missions.killer": "self_else_24", "missions.unused_colours": "kept_24"},
            ),
            (
                "two-player",
                {"neutral.layout": "single40"},
                {"setup.claim": "draft", "setup.place": "one_each_round"},
            ),
            ("classic", {"cards.deck": "42"}, {"cards.wilds": "0"}),
            ("classic", {"cards.wilds": 0}, {"cards.deck": "42"}),
            ("basic", {"cards.wilds": 2}, {"cards.deck": "44"}),
            ("revised", {"cards.deck": 44}, {"cards.values": "escalating", "cards.wilds": "2"}),
            (
                "classic",
                {"cards.values": "stars"},
                {
                    "cards.deck": "stars42",
                    "cards.wilds": "0",
                    "cards.forced": "none",
                    "elim.trade": "none",
                    "cards.territory_bonus": "0",
                },
            ),
            ("classic", {"victory.goal": "mission"}, {"missions.deck": "us12"}),
            (
                "classic",
                {"missions.custom": "M01 M02 M03 M04 M05 M06"},
                {"victory.goal": "mission"},
            ),
            (
                "secret-mission",
                {"victory.goal": "objectives"},
                {
                    "missions.deck": "none",
                    "objectives.pool": "seed11",
                    "setup.capitals": "true",
                    "setup.cities": "board",
                    "setup.claim": "draft",
                },
            ),
            (
                "revised",
                {"victory.goal": "headquarters"},
                {"objectives.pool": "none", "setup.capitals": "false"},
            ),
            (
                "two-player",
                {"setup.claim": "random"},
                {"neutral.layout": "none", "setup.place": "one_each_round"},
            ),
            ("classic", {"player.resign": "to_rebels"}, {"rebels.setup": "abandoned_player"}),
            ("email", {"rebels.setup": "none"}, {"player.resign": "to_neutral"}),
        ],
    )
    def test_implied_values_come_along(
        self, preset: str, stated: dict[str, object], moved: dict[str, str]
    ) -> None:
        ruleset = Ruleset.load(preset, stated)
        assert {name: ruleset.option_text(name) for name in moved} == moved

    def test_the_repr_keeps_values_that_were_not_implied(self) -> None:
        stated = {"missions.deck": "euro14", "missions.killer": "anyone"}
        ruleset = Ruleset.load("secret-mission", stated)
        assert ruleset.differences["missions.killer"] == "anyone"
        assert eval(repr(ruleset)) == ruleset


HOUSE = """
format = 1
title = "House rules"
description = "Open hands."
version = 3
extends = "two-player"
board = "skerries"
[options]
cards.visibility = "public"
"cards.forced" = "none"
setup.armies = { 2 = 20 }
neutral.armies = 20
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE, "utf-8")
    return path


class TestFiles:
    def test_a_file_extends_a_preset(self, house: Path) -> None:
        ruleset = Ruleset.load(house)
        assert ruleset == Ruleset.load(str(house))
        assert (ruleset.name, ruleset.version, ruleset.title) == ("house", 3, "House rules")
        assert ruleset.preset == "two-player"
        assert ruleset.board.id == "skerries"
        assert dict(ruleset.differences) == {
            "setup.armies": "2:20",
            "cards.forced": "none",
            "cards.visibility": "public",
            "neutral.armies": "20",
        }
        assert eval(repr(ruleset)) == ruleset

    def test_the_board_of_a_call_wins(self, house: Path) -> None:
        assert Ruleset.load(house, {"setup.armies": "2:40"}, board="world").board.id == "world"

    def test_a_file_extends_a_file(self, house: Path) -> None:
        club = house.with_name("club.toml")
        club.write_text('extends = "house.toml"\n[options]\ncards.forced = "one_set"\n', "utf-8")
        ruleset = Ruleset.load(club)
        assert (ruleset.name, ruleset.preset, ruleset.version) == ("club", "two-player", 1)
        assert ruleset.option_text("cards.visibility") == "public"
        assert ruleset.option_text("cards.forced") == "one_set"
        assert ruleset.board.id == "skerries"

    def test_a_file_without_extends_is_classic(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.toml"
        path.write_text("", "utf-8")
        assert Ruleset.load(path) == Ruleset.load("classic")
        assert Ruleset.load(path).name == "mine"

    def test_a_later_layer_may_undo_what_followed(self, tmp_path: Path) -> None:
        path = tmp_path / "euro.toml"
        text = 'extends = "secret-mission"\n[options]\nmissions.deck = "euro14"\n'
        path.write_text(text, "utf-8")
        assert Ruleset.load(path).option_text("missions.killer") == "self_else_24"
        ruleset = Ruleset.load(path, {"missions.killer": "anyone"})
        assert ruleset.option_text("missions.killer") == "anyone"

    @pytest.mark.parametrize("extends", ["a.toml", "b.toml"])
    def test_cycles(self, tmp_path: Path, extends: str) -> None:
        (tmp_path / "a.toml").write_text(f'extends = "{extends}"\n', "utf-8")
        (tmp_path / "b.toml").write_text('extends = "a.toml"\n', "utf-8")
        error = errors(tmp_path / "a.toml")
        assert error.code == "ruleset/cycle"
        assert "'a.toml' extends" in error.message

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("version = ", "ruleset/not-toml"),
            ("\udcff", "ruleset/not-toml"),
            ("a=" + "[" * 5000, "ruleset/not-toml"),
            ("#" * 300_000, "ruleset/too-large"),
            ("verson = 1", "ruleset/unknown-field"),
            ("version = true", "ruleset/bad-field"),
            ("version = 0", "ruleset/bad-field"),
            ("format = 2", "ruleset/bad-field"),
            ("sources = [1]", "ruleset/bad-field"),
            ("options = 1", "ruleset/bad-field"),
            ('extends = "clasic"', "ruleset/unknown-preset"),
            ('extends = "none.toml"', "ruleset/not-found"),
            ("[options]\ncards.forced = 1", "ruleset/bad-value"),
            ("[options]\ncards.forced.more = 1", "ruleset/bad-value"),
            ("[options]\ncards.frced.more = 1", "ruleset/unknown-option"),
            ("[options.cards]\nfrced = 1", "ruleset/unknown-option"),
            ("[options]\n" + ".".join("a" * 300) + " = 1", "ruleset/unknown-option"),
            ("verson = 1\n[options]\ncards.frced = 1", "ruleset/invalid"),
            ('[options]\nvictory.goal = "mission"\nmissions.deck = "none"', "ruleset/impossible"),
        ],
    )
    def test_errors_in_a_file(self, tmp_path: Path, text: str, code: str) -> None:
        path = tmp_path / "wrong.toml"
        path.write_text(text, "utf-8", errors="surrogateescape")
        assert errors(path).code == code

    def test_no_file(self, tmp_path: Path) -> None:
        assert errors(tmp_path / "none.toml").code == "ruleset/not-found"
        assert errors(tmp_path).code == "ruleset/unreadable"

    def test_endless_files_are_not_read(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe.toml"
        os.mkfifo(pipe)
        for path in (Path("/dev/zero"), pipe):
            error = errors(path)
            assert error.code == "ruleset/unreadable"
            assert "not a regular file" in error.message


class TestIdentity:
    def test_equal_rulesets(self) -> None:
        changed = Ruleset.load("classic", {"cards.forced": "none"})
        assert changed == Ruleset.load("digest").with_options(
            {
                "cards.forced": "none",
                "cards.max_sets_per_start": 2,
                "cards.territory_bonus_cap": "per_turn_2",
            }
        )
        assert changed != Ruleset.load("classic")
        assert changed != "classic"
        assert hash(changed) == hash(Ruleset.load("classic", {"cards.forced": "none"}))
        assert len({changed, Ruleset.load("classic"), Ruleset.load("classic")}) == 2

    def test_repr(self) -> None:
        assert repr(Ruleset.load("email")) == "Ruleset.load('email')"
        ruleset = Ruleset.load("classic", {"army_cap": 12}, board="skerries")
        text = "Ruleset.load('classic', {'army_cap': '12'}, board='skerries')"
        assert repr(ruleset) == text
        assert eval(text) == ruleset

    @pytest.mark.parametrize("name", preset_names())
    def test_pickle_and_copy(self, name: str) -> None:
        ruleset = Ruleset.load(name)
        for other in (pickle.loads(pickle.dumps(ruleset)), copy.deepcopy(ruleset)):
            assert other == ruleset
            assert other.name == name
            assert rules_of(other) == rules_of(ruleset)

    def test_the_examples_of_the_module(self) -> None:
        results = doctest.testmod(ruleset_module)
        assert results.attempted
        assert not results.failed

    def test_goals_reach_the_engine(self) -> None:
        goals = [int(rules_of(Ruleset.load(name))["victory_goal"]) for name in preset_names()]
        assert {Goal(goal) for goal in goals} == set(Goal)


def values_of(option: Option) -> st.SearchStrategy[object]:
    """Values for an option; the option takes most of them."""
    if isinstance(option.kind, Number):
        some = st.sampled_from([option.kind.low, option.kind.high, *option.values])
        return some | st.integers(-2, 50)
    known = st.sampled_from([*option.values, option.text(option.default)])
    return known | st.sampled_from(["3:30 4:20", "M01 M02 M03", "x", {}, [], 3, None, True])


OVERRIDES = st.lists(st.sampled_from(list(OPTIONS)), max_size=5, unique=True).flatmap(
    lambda names: st.fixed_dictionaries({name: values_of(OPTIONS[name]) for name in names})
)


@given(st.sampled_from(preset_names()), OVERRIDES, st.sampled_from(["world", "skerries"]))
def test_overrides_load_or_are_refused(
    preset: str, overrides: dict[str, object], board: str
) -> None:
    try:
        ruleset = Ruleset.load(preset, overrides, board=board)
    except RubiconError:
        return
    for name, value in overrides.items():
        assert ruleset.options[name] == OPTIONS[name].read(value)
    again = Ruleset.load(ruleset.preset, dict(ruleset.differences), board=board)
    assert again == ruleset
    assert rules_of(again) == rules_of(ruleset)
