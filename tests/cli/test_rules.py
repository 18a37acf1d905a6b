"""`rubicon rules` through the front door."""

import pytest
from click.testing import CliRunner

from rubicon.cli.rules import command
from rubicon.errors import RubiconError
from rubicon.rulebook.rulebook import rulebook
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.ruleset.ruleset import Ruleset, presets


def run(*words: str) -> str:
    result = CliRunner().invoke(command, list(words))
    assert result.exception is None, result.exception
    return result.output


def test_presets_are_listed() -> None:
    output = run()
    assert all(name in output for name in presets())


def test_the_list_fits_eighty_columns() -> None:
    assert max(map(len, run().splitlines())) < 80


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("players.max", "Write players.max=VALUE; it can be 2 to 6."),
        ("cards.forced", "Write cards.forced=VALUE; it can be one_set,"),
        ("nonsense", "Write OPTION=VALUE, as in cards.forced=none."),
        ("setup.armies=3:10", "needs its starting armies, as in 3:35,4:30,5:25,6:20."),
    ],
)
def test_an_option_that_is_not_set_says_how(override: str, said: str) -> None:
    error = CliRunner().invoke(command, ["classic", "-o", override]).exception
    assert isinstance(error, RubiconError)
    assert said in f"{error.message} {error.suggestion}"


def test_rulebook_of_the_options_in_force() -> None:
    assert run("classic") == rulebook(Ruleset.load("classic")) + "\n"
    changed = run("classic", "-o", "fortify.reach=any")
    assert changed == rulebook(Ruleset.load("classic", {"fortify.reach": "any"})) + "\n"
    assert changed != run("classic")


def test_options_are_lines_that_can_be_given_back() -> None:
    lines = run("basic", "--options").splitlines()
    assert [line.partition("=")[0] for line in lines] == list(OPTIONS)
    given = dict(line.split("=", 1) for line in lines)
    assert Ruleset.load("basic", given) == Ruleset.load("basic")


def test_an_option_is_explained() -> None:
    assert "until_below_5 in basic" in run("--explain", "cards.forced")


def test_misspelt_names_get_a_suggestion() -> None:
    for words, hint in ((["clasic"], "classic"), (["--explain", "card.forced"], "cards.forced")):
        error = CliRunner().invoke(command, words).exception
        assert isinstance(error, RubiconError)
        assert hint in str(error)


def test_an_option_is_explained_with_its_range_and_its_condition() -> None:
    truce = CliRunner().invoke(command, ["--explain", "attack.truce"]).output
    assert "0: There is no truce." in truce
    assert "It can be 0 to 10." in truce
    needed = CliRunner().invoke(command, ["--explain", "hq.needed"]).output
    assert "It matters only with victory.goal=headquarters." in needed


def test_an_unknown_option_is_explained_by_those_like_it() -> None:
    error = CliRunner().invoke(command, ["--explain", "dice.cap"]).exception
    assert isinstance(error, RubiconError)
    assert error.suggestion == "Did you mean attack.dice_cap or defend.dice_cap?"
