"""`rubicon odds` through the command line."""

import json
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from rubicon.cli.main import main
from rubicon.cli.odds import command
from rubicon.errors import RubiconError
from rubicon.odds.battle import battle
from rubicon.odds.rule import DiceRule

BATTLE = """\
6 against 5 · classic · to the end

The territory is captured: 50.6 %

captured, attacking armies left (those that move in included)
        6  ███████████████████████████████ 9.1 %
        5  ██████████████████████████████████████████▏ 12.4 %
        4  ██████████████████████████████████████████████████ 14.7 %
        3  ████████████████████████████████▋ 9.6 %
        2  ████████████████▋ 4.9 %

not captured, defenders left
        1  ███████████████████████▎ 6.8 %
        2  █████████████████████████████████████████████▋ 13.4 %
        3  ██████████████████████████████████████████▏ 12.4 %
        4  ███████████████████████████████████▌ 10.4 %
        5  █████████████████████▊ 6.4 %

Lost on average: 3.37 by the attacker, 3.56 by the defender.
"""
PATH = """\
12 against 3,5,2 · classic · each to the end

Everything is taken: 53.2 %

territory                   taken
1. against 3, leave 1       ███████████████████████████████████▋ 98.8 %
2. against 5, leave 1       ███████████████████████████ 75.0 %
3. against 2                ███████████████████▏ 53.2 %

everything taken, armies on the last territory
        9  ████▏ 0.8 %
        8  ███████████▊ 2.3 %
        7  ██████████████████████ 4.4 %
        6  ████████████████████████████████▉ 6.5 %
        5  █████████████████████████████████████████▊ 8.3 %
        4  ███████████████████████████████████████████████▊ 9.5 %
        3  ██████████████████████████████████████████████████ 10.0 %
        2  ████████████████████████████████████▌ 7.3 %
        1  ████████████████████▊ 4.1 %

Territories taken on average: 2.27.
Lost on average: 7.02 by the attacker, 8.35 by the defender.

For 80.0 % it takes 16 armies, 4 more than 12.
"""
TREE = """\
14 against 3(2)(4,1) · classic · each to the end

Everything is taken: 48.9 %

territory                   taken
1. against 3, leave 1       ███████████████████████████████████▉ 99.6 %
  2. against 2              ███████████████████████████████████ 97.2 %
  3. against 4, leave 1     █████████████████████▋ 60.1 %
    4. against 1            █████████████████▋ 48.9 %

Armies that move in when territory 2 is taken, by the armies left
left       2   3   4   5   6   7   8   9  10  11  12
move in    1   2   3   3   3   3   3   3   3   3   3

Territories taken on average: 3.06.
Lost on average: 6.74 by the attacker, 8.25 by the defender.
"""


def run(*words: str) -> str:
    result = CliRunner().invoke(command, list(words))
    assert result.exception is None, result.exception
    return result.output


def refused(*words: str) -> RubiconError:
    error = CliRunner().invoke(command, list(words)).exception
    assert isinstance(error, RubiconError), error
    assert error.suggestion
    return error


def test_a_battle() -> None:
    assert run("6", "5") == BATTLE


def test_a_path_and_how_many_it_takes() -> None:
    assert run("12", "3,5,2", "--behind", "1,1", "--need", "0.8") == PATH


def test_a_path_that_divides() -> None:
    assert run("14", "3(2)(4,1)") == TREE


@pytest.mark.parametrize(
    "words",
    [
        ("10", "7"),
        ("1000", "1000"),
        ("3000", "2"),
        ("60", "4,4,4,4,4,4,4,4,4,4"),
        ("40", "9(8(7)(6))(5,4)"),
        ("9", "9", "--until-odds", "40%"),
        ("9", "9", "--rules", "revised", "--attack-die", "--defence-airfield", "--dice", "best"),
    ],
)
def test_everything_fits_eighty_columns(words: tuple[str, ...]) -> None:
    for line in run(*words).splitlines():
        assert len(line) < 80, line


def test_need_works_without_attackers() -> None:
    output = run("7", "--need", "80%")
    assert output.startswith("12 against 7")
    assert output.endswith("\nFor 80.0 % it takes 12 armies.\n")
    assert run("3,5,2", "--need", "0.8").endswith("it takes 16 armies.\n")


def test_json() -> None:
    said = json.loads(run("10", "7", "--json", "--need", "0.8"))
    found = battle(10, 7, DiceRule.of("classic"))
    assert said["attack"] == 10
    assert said["defend"] == 7
    assert said["win"] == pytest.approx(found.win, rel=1e-15)
    assert said["expected_attack_losses"] == pytest.approx(found.expected_attack_losses)
    assert said["expected_defend_losses"] == pytest.approx(found.expected_defend_losses)
    assert len(said["distribution"]) == len(found.lines)
    assert sum(line["chance"] for line in said["distribution"]) == pytest.approx(1)
    assert said["need"] == {"chance": 0.8, "attack": 12}
    path = json.loads(run("12", "3,5,2", "--json"))
    assert path["taken"][-1] == path["win"]
    assert len(path["distribution"]) == 3


def test_fractions() -> None:
    assert run("3", "2", "--exact").endswith("Exactly: 235/648\n")
    assert json.loads(run("3", "2", "--exact", "--json"))["win"] == "235/648"


def test_rules_and_options() -> None:
    def win(*words: str) -> float:
        return float(json.loads(run("6", "5", "--json", *words))["win"])

    assert win("--rules", "email") < win()
    assert win("-o", "defend.dice_cap=two_always") == win("--rules", "email")
    assert win("--rules", "basic") > win()
    assert win("--dice", "1") < win("--dice", "2") < win("--dice", "3") == win("--dice", "best")
    assert win("--defend-dice", "1") > win("--defend-dice", "best") == win()
    assert win("--rules", "revised", "--attack-airfield") > win()
    assert win("--rules", "revised", "--defence-die") < win()
    assert win("--rules", "email", "--neutral") == win("--rules", "email")
    assert win("--until", "3") < win()
    assert win("--until-rounds", "2") < win("--until-rounds", "3") < win()
    assert win("--until-lost", "2") == win("--until", "4")
    assert win("--until-odds", "0.4") == pytest.approx(win("--until-odds", "40%"))
    assert win("--home", "2") == pytest.approx(win(), rel=1e-12)


def test_home_and_behind() -> None:
    def win(*words: str) -> float:
        return float(json.loads(run("14", "3,5,2", "--json", *words))["win"])

    assert win("--behind", "2") == win("--behind", "2,2") < win()
    assert win("--home", "3") < win()
    assert win("--behind", "1,9") == win(), "they attack before the others move on"


def test_a_ruleset_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'format = 1\nname = "mine"\ntitle = "Mine"\ndescription = "Mine."\nversion = 1\n'
        'sources = []\nextends = "email"\n\n[options]\n',
        "utf-8",
    )
    assert "mine" in run("6", "5", "--rules", str(file))


@pytest.mark.parametrize("words", [("10", "7"), ("12", "3,5,2"), ("14", "3(2)(4,1)")])
def test_pictures(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "odds.svg"
    run(*words, "--svg", str(file))
    assert ElementTree.parse(file).getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("1", "5"), "odds/attack-too-small"),
        (("5", "0"), "odds/defend-too-small"),
        (("10",), "odds/arguments"),
        (("10", "7", "3"), "odds/arguments"),
        (("3,4", "7"), "odds/arguments"),
        (("x", "7"), "odds/bad-list"),
        (("10", "3,,5"), "odds/bad-list"),
        (("10", "7", "--rules", "emial"), "ruleset/unknown-preset"),
        (("10", "7", "-o", "foo"), "ruleset/bad-override"),
        (("10", "7", "-o", "foo=1"), "ruleset/unknown-option"),
        (("10", "7", "--need", "1.2"), "odds/bad-chance"),
        (("10", "7", "--need", "much"), "odds/bad-chance"),
        (("10", "99999"), "odds/too-large"),
        (("99999999999999999999", "7"), "odds/too-large"),
        (("10", "7", "--dice", "4"), "odds/bad-dice"),
        (("10", "7", "--defend-dice", "9" * 5000), "odds/bad-dice"),
        (("10", "7", "--attack-die"), "odds/no-rewards"),
        (("12", "3,5,2", "--behind", "1,1,1"), "odds/bad-behind"),
        (("12", "3,5,2", "--behind", "x"), "odds/bad-list"),
        (("10", "7", "--behind", "3"), "odds/bad-behind"),
        (("10", "7", "--home", "2", "--behind", "3"), "odds/bad-behind"),
        (("12", "3,5,2", "--behind", "0"), "odds/bad-number"),
        (("12", "3,5,2", "--home", "0"), "odds/bad-number"),
        (("10", "7", "--until", "0"), "odds/bad-number"),
        (("10", "7", "--until-odds", "2"), "odds/bad-chance"),
        (("300", "200", "--exact"), "odds/too-large-for-fractions"),
        (("12", "3,5", "--exact"), "odds/exact-campaign"),
        (("12", "3(5)(2)", "--until-lost", "3"), "odds/stop-and-split"),
        (("30", "--need", "0.9", "--until-lost", "3"), "odds/not-reached"),
        (("10", "7", "--svg", "no/such/folder/x.svg"), "odds/cannot-write"),
    ],
)
def test_impossible_arguments_are_refused(words: tuple[str, ...], code: str) -> None:
    assert refused(*words).code == code


def test_a_percentage_without_its_sign_is_suggested() -> None:
    assert refused("7", "--need", "85").suggestion == "Write: --need 0.85, or 85%."
    assert refused("10", "7", "--until-odds", "40").suggestion.endswith(" 0.4, or 40%.")
    beyond = refused("10", "7", "--until-odds", "140%")
    assert beyond.message == "--until-odds is a chance above 0 % and below 100 %, not '140%'."
    assert beyond.suggestion == "Write: --until-odds 0.8, or 80%."
    assert refused("7", "--need", "-5%").message.startswith("--need is a chance above 0 %")


def test_a_stop_is_printed_in_percent() -> None:
    for odds in ("0.4", "40%"):
        assert "to odds below 40 %" in run("10", "7", "--until-odds", odds).splitlines()[0]


@pytest.mark.parametrize("stop", [(), ("--until", "3")])
def test_exact_chances_are_all_of_one_kind(stop: tuple[str, ...]) -> None:
    answer = json.loads(run("6", "5", "--exact", "--json", *stop))
    chances = [answer[name] for name in ("win", "repelled", "broken_off")]
    chances += [answer["expected_attack_losses"], answer["expected_defend_losses"]]
    chances += [line["chance"] for line in answer["distribution"]]
    assert all(isinstance(chance, str) for chance in chances)
    assert sum(map(Fraction, chances[:3])) == 1


def test_errors_come_as_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "1", "5"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("Error: 1 army cannot attack")
    assert "Traceback" not in said
