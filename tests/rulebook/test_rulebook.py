"""The rulebook says what is in force, and the generated pages are fresh."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from rubicon.rulebook.rulebook import (
    SECTIONS,
    chapters,
    generated,
    options_page,
    picture,
    regenerate,
    rulebook,
    with_refusals,
)
from rubicon.rules.board.board import Board
from rubicon.rules.options.kinds import Number
from rubicon.rules.options.option import Chosen, Option
from rubicon.rules.options.registry import LEFT_OUT, OPTIONS, conflicts, with_implied
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names, presets

DOCS = Path(__file__).parents[2] / "docs"
BRACKETS = re.compile(r"\[([^\]]+)\]")
ID = re.compile(r"A-\d\d[b-d]?|S00[0-4]-\d\d|RW\d|\d\.\d+|own")

WORLD = Board.load("world").territories
# Other legal values of options that are no short list of words.
OTHERS: dict[str, list[Any]] = {
    "setup.armies": ["2:41 3:36 4:31 5:26 6:21"],
    "setup.starting_cards": ["1:1 2:2", "3:1"],
    "cards.custom_designs": [{t.id: "cavalry" for t in WORLD}],
    "stars.custom": [{t.id: 1 for t in WORLD}],
    "dice.recipients": ["gm", "attacker defender"],
    "missions.custom": ["M01 M02 M03 M04 M05 M06 M07", "M01 M02 M03 M04 M05 M06 M08"],
    "objectives.class_table": ["OB01:major OB12:minor", "OB12:minor"],
}


def other_values(option: Option) -> list[Any]:
    """Every other value, or some of many."""
    if option.name in OTHERS:
        return OTHERS[option.name]
    values: set[Any] = {*option.values}
    if isinstance(option.kind, Number) and not option.kind.only:
        values |= {option.kind.low, option.kind.low + 1, option.kind.high}
    texts = {str(value) for value in values} - {option.text(option.default)}
    return [text for text in sorted(texts) if text]


def changes() -> Iterator[tuple[str, Any]]:
    for option in OPTIONS.values():
        yield from ((option.name, value) for value in other_values(option))


CHANGES = [(name, value) for name, value in changes() if not OPTIONS[name].fixed]
BASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in preset_names()),
    ("classic", {"game.round_limit": 10}),
    ("classic", {"fortify.reach": "connected_many"}),
    ("classic", {"reinforce.min": 0}),
    ("classic", {"rebels.setup": "abandoned_player"}),
    ("classic", {"setup.armies": "2:40 3:35 4:30 5:25 6:20"}),
    ("two-player", {"neutral.layout": "single40"}),
]
# No base allows these: too small, too large, or nothing without their table.
NOWHERE = {
    "army_cap=1",
    "setup.cities=128",
    "cards.design_table=custom",
    "stars.table=custom",
    "missions.deck=custom",
}


@cache
def bases() -> tuple[tuple[Chosen, str], ...]:
    chosen = [Ruleset.load(name, options).chosen for name, options in BASES]
    return tuple((each, chapters(each)) for each in chosen)


def changed(name: str, value: Any) -> Iterator[tuple[bool, bool]]:
    """For every base that allows it: whether nothing followed, and whether the words differ."""
    stated = {name: OPTIONS[name].read(value)}
    for base, words in bases():
        after = Chosen(with_implied(base.options, stated), base.board)
        if after.options != base.options and not any(conflicts(after)):
            yield differing(base, after) == {name}, chapters(after) != words


def differing(first: Chosen, second: Chosen) -> set[str]:
    """The options that two rulesets do not share."""
    return {name for name in OPTIONS if first.options[name] != second.options[name]}


class TestWords:
    @pytest.mark.parametrize(("name", "value"), CHANGES, ids=[f"{n}={v}"[:50] for n, v in CHANGES])
    def test_every_other_value_changes_the_words(self, name: str, value: Any) -> None:
        """Alone where a base lets it change alone, otherwise with what follows."""
        results = list(changed(name, value))
        assert bool(results) == (f"{name}={value}" not in NOWHERE)
        lonely = [differs for alone, differs in results if alone]
        assert not results or any(lonely or [differs for _, differs in results])

    @pytest.mark.parametrize("name", preset_names())
    def test_every_paragraph_says_where_it_comes_from(self, name: str) -> None:
        for paragraph in chapters(Ruleset.load(name).chosen).split("\n\n"):
            ids = BRACKETS.findall(paragraph)
            assert ids or paragraph.startswith(("#", "-", "1", "|")), paragraph
            for group in ids:
                assert all(ID.fullmatch(one) for one in group.split(", ")), group

    @pytest.mark.parametrize("name", preset_names())
    def test_sentences_are_whole(self, name: str) -> None:
        text = chapters(Ruleset.load(name).chosen)
        assert "  " not in text
        assert "{" not in text
        assert " ." not in text
        assert "None" not in text

    def test_sections_are_left_out_where_nothing_is_played(self) -> None:
        titles = {section.title for section in SECTIONS}
        classic = set(re.findall("^## (.*)", chapters(Ruleset.load("classic").chosen), re.M))
        assert titles - classic == {"Objectives and rewards", "Missions", "Headquarters"}

    @pytest.mark.parametrize(
        ("preset", "sentence"),
        [
            ("classic", "35 with three players"),
            ("classic", "hold all 42 territories"),
            ("two-player", "three piles of 14"),
            ("two-player", "so 26 are placed in this way"),
            ("email", "counted as your turn ends"),
            ("basic", "no wild cards"),
            ("basic", "to any other territory of yours"),
            ("revised", "15 territories"),
            ("revised", "the fifth player two cards"),
            ("capital", "those of all other players"),
            ("digest", "a second one if your remaining cards"),
            ("secret-mission", "Destroy the grey armies. (M13)"),
        ],
    )
    def test_what_the_presets_say(self, preset: str, sentence: str) -> None:
        assert sentence in rulebook(Ruleset.load(preset))

    def test_it_speaks_of_the_board(self) -> None:
        text = rulebook(Ruleset.load("revised", board="skerries"))
        assert "twelve territories" in text or "12 territories" in text
        assert "East Africa" not in text
        assert "Saltmoor" in text

    def test_the_short_game_of_headquarters(self) -> None:
        text = rulebook(Ruleset.load("capital", {"hq.needed": "short"}))
        assert "two others with up to four players and three others with five or six" in text
        four = {"hq.needed": "short", "players.max": 4}
        assert "two others with up to four" in rulebook(Ruleset.load("capital", four))


def book(preset: str, **options: Any) -> str:
    """The rulebook of a preset with some options changed (`__` stands for a dot)."""
    changed = {name.replace("__", "."): value for name, value in options.items()}
    return rulebook(Ruleset.load(preset, changed))


class TestRules:
    """Each test is of a sentence that once was wrong or missing."""

    def test_the_announced_dice_count_for_the_occupation(self) -> None:
        text = book("revised")
        assert "as many armies as the dice you announced for the last roll" in text
        assert "The extra die of a reward does not count." in text
        assert "extra die of a reward" not in book("classic")

    def test_the_announced_dice_decide_how_many_pairs_are_compared(self) -> None:
        assert "If both sides announced two dice or more" in book("revised")
        assert "the second highest dice, and the third" in book(
            "revised", bonus_die="compare_extra"
        )

    @pytest.mark.parametrize(
        ("preset", "step"),
        [("revised", "trade cards if you like, and"), ("classic", "if you like or must, and")],
    )
    def test_the_step_of_trading_speaks_of_must_only_where_trades_are_forced(
        self, preset: str, step: str
    ) -> None:
        assert step in book(preset)

    @pytest.mark.parametrize(
        ("preset", "sentence"),
        [
            (
                "classic",
                "with three or six players the first one and with four or five players the third "
                "one",
            ),
            (
                "revised",
                "with three players the first one and with four or five players the third one",
            ),
            ("two-player-50", "the player after the last claim is next (the first player)"),
            ("secret-mission", "The first player places first"),
            ("two-player", "Then take turns, the first player first."),
        ],
    )
    def test_who_places_first_after_claims_or_a_deal(self, preset: str, sentence: str) -> None:
        assert sentence in book(preset)

    @pytest.mark.parametrize("preset", preset_names())
    def test_the_hands_of_players_who_resigned_are_shuffled_in_too(self, preset: str) -> None:
        assert "all traded cards, and the hands of players who resigned" in book(preset)

    @pytest.mark.parametrize("preset", preset_names())
    def test_every_preset_has_an_aim(self, preset: str) -> None:
        aim = book(preset).split("## Aim\n\n")[1].split("\n")[0]
        assert not aim.startswith("The game is for")

    def test_the_aim_for_two_is_the_opponent(self) -> None:
        assert "Take every territory that your opponent holds." in book("two-player")
        assert "more than your mission asks" not in book("two-player")

    def test_the_digest_does_not_claim_to_be_read_to_the_letter(self) -> None:
        assert "letter" not in book("digest")

    def test_holding_more_than_the_mission_asks_for_does_no_harm(self) -> None:
        assert "Holding more than your mission asks for does no harm." in book("secret-mission")

    def test_no_rule_about_cards_of_a_last_opponent(self) -> None:
        assert "take all cards of that player" not in book("two-player")
        assert "take all cards of that player" in book("classic")

    def test_the_email_game_says_what_is_true_of_its_dice(self) -> None:
        text = book("email")
        assert "server of its own" not in text
        assert "Every roll is shown to the host, all players and the public log." in text

    def test_one_set_of_words_for_cards_and_pieces(self) -> None:
        for preset in preset_names():
            text = chapters(Ruleset.load(preset).chosen)
            assert not re.search("horseman|foot soldier|gun|troop|[Ww]hoever|[Nn]obody", text)

    def test_the_truce(self) -> None:
        assert "There is a truce in the first two rounds" in book("classic", attack__truce=2)
        assert "truce" not in chapters(Ruleset.load("classic").chosen)


class TestConditions:
    def test_an_option_names_a_section_that_there_is(self) -> None:
        named = {option.section for option in OPTIONS.values() if option.section}
        assert named
        assert named <= {section.title for section in SECTIONS}

    @pytest.mark.parametrize("option", [o for o in OPTIONS.values() if o.only_if and not o.fixed])
    def test_an_option_whose_condition_is_not_met_changes_no_word(self, option: Option) -> None:
        idle = [(chosen, words) for chosen, words in bases() if not option.matters(chosen)]
        assert idle
        for base, words in idle:
            for value in other_values(option)[:3]:
                after = Chosen({**base.options, option.name: option.read(value)}, base.board)
                assert chapters(after) == words


class TestSources:
    def test_a_source_that_the_game_does_not_follow_is_marked(self) -> None:
        text = book("revised")
        assert "S001-41]" in text
        assert re.search(r"\bS00[0234]-\d\d[],]", text) is None
        assert re.search(r"\bS001-\d\d\*", text) is None

    def test_a_ruleset_without_sources_has_those_of_its_preset(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.toml"
        path.write_text('extends = "revised"', "utf-8")
        assert "S001-41]" in rulebook(Ruleset.load(path))


# A board without a drawing.
STRAITS = Board.parse(
    """
    format = 1
    board = { id = "straits", name = "The Straits", version = 1 }
    continent = [{ id = "north", name = "North Shore", bonus = 1 }]
    territory = [
        { id = "cape", name = "Cape of Long Winters", continent = "north", neighbours = ["dunes"] },
        { id = "dunes", name = "The Dunes", continent = "north" },
    ]
    """
)


class TestBoard:
    @pytest.mark.parametrize("board", ["world", "skerries"])
    def test_every_territory_is_there_with_its_borders(self, board: str) -> None:
        ruleset = Ruleset.load("classic", board=board)
        text = rulebook(ruleset)
        for territory in ruleset.board.territories:
            names = ", ".join(ruleset.board.territories[n].name for n in territory.neighbours)
            assert f"| {territory.name} | {names} | " in text

    def test_a_border_that_is_switched_off_is_not_there(self) -> None:
        text = book("classic", map__east_africa_middle_east=False)
        row = next(line for line in text.splitlines() if line.startswith("| East Africa |"))
        assert "Middle East" not in row

    def test_every_card_shows_its_design_or_its_stars(self) -> None:
        assert "| Northwest Territory, Alberta, Kamchatka | infantry |" in book("classic")
        assert "| Ural, China, Yakutsk, Irkutsk, Mongolia | ★★ |" in book("revised")

    @pytest.mark.parametrize("board", [Board.load("world"), Board.load("skerries"), STRAITS])
    def test_the_picture_has_every_territory(self, board: Board) -> None:
        drawn = ElementTree.fromstring(picture(board))
        spans = drawn.findall(".//{http://www.w3.org/2000/svg}tspan")
        words = " ".join(span.text or "" for span in spans)
        for territory in board.territories:
            assert set(territory.name.split()) <= set(words.split()), territory.name


class TestPages:
    def test_they_are_fresh(self) -> None:
        for name, text in generated().items():
            assert (DOCS / name).read_text("utf-8") == text, f"{name}: call rulebook.regenerate()"

    def test_there_is_a_rulebook_for_every_preset_and_no_other(self) -> None:
        assert {path.stem for path in (DOCS / "rulebook").glob("*.md")} == set(preset_names())

    def test_a_page_without_a_table_of_refusals_is_left_alone(self) -> None:
        with pytest.raises(ValueError, match="no table of refusals"):
            with_refusals("# Cases\n")

    def test_regenerate(self, tmp_path: Path) -> None:
        regenerate(tmp_path)
        found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")}
        assert found == generated().keys()

    def test_the_page_has_every_option_value_and_left_out_variation(self) -> None:
        page = options_page()
        for option in OPTIONS.values():
            assert f"### `{option.name}`\n" in page
            assert all(f"- `{value}`" in page for value in option.values)
        assert all(f"`{name}`" in page for name in LEFT_OUT)

    @pytest.mark.parametrize("name", preset_names())
    def test_the_appendix_has_every_value(self, name: str) -> None:
        ruleset = presets()[name]
        text = rulebook(ruleset)
        for option in OPTIONS:
            assert f"| `{option}` | " in text
            assert f"`{ruleset.option_text(option)}`" in text

    def test_documents_mention_only_what_there_is(self) -> None:
        text = (DOCS / "rulesets.md").read_text("utf-8")
        for name in re.findall(r"`([a-z]+\.[a-z_0-9]+)[ =]", text):
            assert name in OPTIONS, name

    def test_the_example_of_the_documents_loads(self, tmp_path: Path) -> None:
        text = (DOCS / "rulesets.md").read_text("utf-8")
        toml = re.findall(r"```toml\n(.*?)```", text, re.S)[0]
        path = tmp_path / "house.toml"
        path.write_text(toml, "utf-8")
        assert Ruleset.load(path).option_text("setup.armies") == "3:30 4:25 5:20 6:18"
