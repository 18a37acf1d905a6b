"""Combinations of options that are refused, and the words of every error of a ruleset."""

import pickle
from pathlib import Path
from typing import Any

import pytest

from rubicon.errors import RubiconError
from rubicon.rules.board.board import Board
from rubicon.rules.game import Game
from rubicon.rules.options.registry import CONFLICTS
from rubicon.rules.ruleset.file import RulesetError
from rubicon.rules.ruleset.ruleset import Ruleset


def errors(preset: str | Path, options: dict[str, Any] | None = None, **board: Any) -> RubiconError:
    with pytest.raises(RubiconError) as caught:
        Ruleset.load(preset, options, **board)
    return caught.value


def messages(preset: str, options: dict[str, Any], **board: Any) -> list[str]:
    error = errors(preset, options, **board)
    return [problem.message for problem in getattr(error, "problems", [])]


def tiny(objectives: bool = True, size: int = 9) -> Board:
    """A board of a few territories in a ring, with or without objectives."""
    land = '[[continent]]\nid = "land"\nname = "Land"\nbonus = 2\n'
    territories = "".join(
        f'[[territory]]\nid = "t{i}"\nname = "T{i}"\ncontinent = "land"\n'
        f'neighbours = ["t{(i + 1) % size}"]\ndesigns = "infantry"\n'
        for i in range(size)
    )
    head = 'format = 1\n[board]\nid = "tiny"\nname = "Tiny"\nversion = 1\ncities = 3\n'
    return Board.parse(f"{head}{land}{territories}{OBJECTIVES if objectives else ''}")


OBJECTIVES = "".join(
    f'[[objective]]\nid = "OB{i:02}"\ntext = "Control {i} territories."\n'
    f'class = "{"minor" if i < 6 else "major"}"\nkind = "territories"\ncount = {i}\n'
    for i in range(1, 10)
)


SHORT = {"setup.armies": {3: 13, 4: 13, 5: 13, 6: 13}}
ALL_CAPS = {"objectives.pool": "r08_12", "players.min": 2, "setup.armies": "2:40 3:35 4:30 5:25"}
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("classic", {"players.min": 5, "players.max": 4}, "fewest players are more"),
    ("revised", {"players.max": 6}, "needs its starting armies"),
    ("classic", {"players.min": 2}, "needs its starting armies"),
    ("classic", SHORT, "a player can hold 14 territories and has 13 armies"),
    ("classic", {"army_cap": 2}, "do not fit on the board"),
    ("classic", {"army_cap": 1}, "can never attack"),
    ("revised", {"setup.cities": 43}, "more cities than territories. The board has 42"),
    ("revised", {"setup.capitals": True, "setup.claim": "random"}, "first claim"),
    ("two-player", {"players.max": 3, "setup.armies": "2:40 3:35"}, "exactly two players"),
    (
        "two-player",
        {"neutral.layout": "none", "setup.claim": "deal_three_piles"},
        "belong together",
    ),
    ("two-player", {"setup.place": "all_at_once"}, "after three piles, and only then"),
    (
        "two-player",
        {"neutral.layout": "single40", "setup.claim": "random"},
        "claim the others in turn",
    ),
    ("two-player", {"neutral.armies": 41}, "these numbers do not fit"),
    ("two-player", {"neutral.armies": 13}, "these numbers do not fit"),
    ("two-player", {"neutral.layout": "single40", "army_cap": 12}, "one neutral territory"),
    ("two-player", {"rebels.setup": "gm_list"}, "cannot both be"),
    ("classic", {"player.resign": "to_rebels", "rebels.setup": "none"}, "game without rebels"),
    (
        "classic",
        {"player.resign": "to_neutral", "rebels.setup": "abandoned_player"},
        "must turn rebel",
    ),
    ("classic", {"neutral.dice": "opponent_chooses"}, "which other player rolls"),
    ("revised", {"cards.wilds": 2, "cards.deck": "stars42"}, "two wild cards"),
    ("classic", {"cards.wilds": 0, "cards.deck": "44"}, "two wild cards"),
    ("revised", {"cards.values": "escalating", "cards.deck": "stars42"}, "for their stars"),
    ("revised", {"cards.forced": "one_set"}, "form no sets"),
    ("revised", {"elim.trade": "bk93"}, "only while armies are received"),
    ("revised", {"cards.territory_bonus": 2}, "bring no armies"),
    ("classic", {"cards.design_table": "custom"}, "go together"),
    ("revised", {"stars.table": "custom"}, "go together"),
    ("revised", {"cards.draw_time": "end_of_attack"}, "before the player can claim"),
    (
        "secret-mission",
        {"victory.goal": "mission", "missions.deck": "none"},
        "deck of missions go together",
    ),
    ("revised", {"missions.deck": "us12"}, "deck of missions go together"),
    ("secret-mission", {"missions.deck": "custom"}, "list of missions go together"),
    (
        "secret-mission",
        {"missions.custom": "M01 M99"},
        "not have all of these missions. Missing: M99.",
    ),
    ("secret-mission", {"missions.custom": "M01 M02 M09"}, "too few missions"),
    (
        "secret-mission",
        {"missions.custom": "M01 M02 M03 M04 M05 M06", "missions.own_colour": "redraw"},
        "too few missions",
    ),
    ("capital", {"setup.capitals": True}, "has no capitals"),
    ("revised", {"setup.capitals": False}, "own capital"),
    ("revised", {"victory.goal": "objectives", "objectives.pool": "none"}, "three objectives"),
    ("capital", {"objectives.pool": "seed11", "setup.capitals": False}, "only where the goal"),
    ("revised", {"objectives.class_table": "OB01:major OB02:major"}, "These are 3 and 8."),
    ("revised", {"setup.cities": 10}, "more cities than there are"),
    ("revised-conquest", {"setup.capitals": False}, "has no capitals"),
    ("revised", ALL_CAPS, "more enemy capitals"),
    ("classic", {"attack.truce": 5, "game.round_limit": 5}, "last the whole game"),
]


class TestImpossible:
    @pytest.mark.parametrize(("preset", "options", "reason"), REFUSED)
    def test_refused_with_the_reason(
        self, preset: str, options: dict[str, Any], reason: str
    ) -> None:
        error = errors(preset, options)
        assert isinstance(error, RulesetError)
        assert {problem.code for problem in error.problems} == {"ruleset/impossible"}
        assert error.code == "ruleset/impossible"
        assert reason in str(error)

    def test_every_conflict_is_shown_by_a_case(self) -> None:
        met = {problem for case in REFUSED for problem in messages(case[0], case[1])}
        met |= set(messages("revised", {}, board=tiny(objectives=False)))
        met |= set(messages("revised", {"setup.starting_cards": "1:5 2:5"}, board=tiny()))
        four = {"players.min": 4, "players.max": 4, "setup.armies": "4:30"}
        met |= set(messages("classic", four, board=tiny(objectives=False, size=3)))
        missing = [row.reason for row in CONFLICTS if not any(row.reason in text for text in met)]
        assert missing == []

    def test_boards_without_missions_or_objectives(self) -> None:
        board = tiny(objectives=False)
        assert "four minor" in str(errors("revised", board=board))
        assert "not have all of these missions" in str(errors("secret-mission", board=board))
        assert Ruleset.load("classic", board=board).tables.territories == 9

    def test_all_conflicts_are_reported_at_once(self) -> None:
        error = errors("revised", {"cards.forced": "one_set", "setup.cities": 10})
        assert isinstance(error, RulesetError)
        assert len(error.problems) == 2
        assert "cards.deck=stars42, cards.forced=one_set" in str(error)


class TestErrors:
    def test_all_at_once_with_suggestions(self) -> None:
        error = errors("classic", {"missions.deck": "us21", "cards.frced": "none", "army_cap": -1})
        assert isinstance(error, RulesetError)
        assert error.code == "ruleset/invalid"
        assert [problem.code for problem in error.problems] == [
            "ruleset/bad-value",
            "ruleset/unknown-option",
            "ruleset/bad-value",
        ]
        for part in ("'us21'", "'us12'", "'cards.frced'", "'cards.forced'", "0 to 1000"):
            assert part in str(error)

    def test_a_single_problem_keeps_its_code(self) -> None:
        error = errors("classic", {"cards.deck": "43"})
        assert (error.code, error.suggestion) != ("ruleset/invalid", "")
        assert error.code == "ruleset/bad-value"
        assert error.message.startswith("classic: cards.deck = '43'")

    def test_variations_that_are_not_built(self) -> None:
        assert errors("classic", {"commander": True}).code == "ruleset/left-out"
        assert errors("classic", {"card_attack_reroll": True}).code == "ruleset/left-out"

    def test_an_option_with_all_words_of_an_unknown_name_is_suggested(self) -> None:
        suggestion = errors("classic", {"dice.cap": 3}).suggestion
        assert suggestion == "Did you mean attack.dice_cap or defend.dice_cap?"

    def test_who_rolls_is_a_setting_of_the_table(self) -> None:
        error = errors("email", {"dice.source": "independent"})
        assert error.code == "ruleset/unknown-option"
        assert "setting of the table: `dice`" in error.suggestion

    def test_one_number_of_armies_for_all_is_refused_with_the_way_to_write_it(self) -> None:
        error = errors("classic", {"setup.armies": 3})
        assert error.message == "classic: setup.armies = 3 is not a table."
        assert error.suggestion == (
            "It needs a number of armies for each number of players. Write 3:35 4:30 5:25 6:20."
        )
        text = errors("classic", {"setup.armies": "35"})
        assert "holds '35', which is not a pair" in text.message
        assert "Write 3:35 4:30 5:25 6:20." in text.suggestion

    def test_more_players_than_territories(self) -> None:
        options = {"players.min": 4, "players.max": 4, "setup.armies": "4:30"}
        error = errors("classic", options, board=tiny(objectives=False, size=3))
        assert error.code == "ruleset/impossible"
        assert "The board has too few territories for so many players." in error.message
        assert "It has 3; each player needs one." in error.message

    def test_a_game_of_more_players_than_territories(self) -> None:
        ruleset = Ruleset.load("classic", board=tiny(objectives=False, size=3))
        assert Game.new(ruleset, 3).size == 3
        with pytest.raises(RubiconError) as caught:
            Game.new(ruleset, 4)
        assert caught.value.code == "setup/players"
        assert "too few territories for 4 players" in caught.value.message
        assert caught.value.suggestion == "It has room for 3."

    def test_an_option_with_one_value_says_why(self) -> None:
        error = errors("classic", {"elim.order": "cards_then_occupy"})
        assert "the occupation is immediate" in error.message

    @pytest.mark.parametrize("name", ["clasic", "", "Classic", "../classic"])
    def test_unknown_presets(self, name: str) -> None:
        assert errors(name).code in {"ruleset/unknown-preset", "ruleset/not-found"}

    def test_the_nearest_preset_is_suggested(self) -> None:
        assert "'classic'" in errors("clasic").suggestion

    def test_unknown_board(self) -> None:
        assert errors("classic", board="wrld").code == "board/unknown-board"

    def test_an_error_can_be_pickled(self) -> None:
        error = errors("classic", {"cards.deck": "43", "cards.wild": 1})
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
