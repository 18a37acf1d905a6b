"""The case book itself: every case passes, and the notation says what is wrong with a case."""

import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from rubicon.casebook.actions import PHASES, StepFailed
from rubicon.casebook.expect import ALL_CHECKS, AWARD_ITEMS, EVENT_KINDS
from rubicon.casebook.parser import WORDS, CaseLine, read_cases
from rubicon.casebook.run import CaseBook, case_files
from rubicon.casebook.steps import CaseState, CaseStep, read_step
from rubicon.casebook.view import show_position
from rubicon.cli.cases import command
from rubicon.errors import RubiconError
from rubicon.rules.refusals import REASONS
from rubicon.rules.ruleset.ruleset import preset_names

CASES = Path(__file__).parents[1] / "cases"
FILES = case_files(CASES)
HEAD = "case X1 something\npreset classic\n"
BOARD = "alaska red 4\nothers blue 1\n"
STEP = "expect alaska red 4\n"


def errors_of(text: str) -> list[str]:
    return [str(error) for error in CaseBook.parse(text, "x.case").errors]


def only_error(text: str) -> str:
    errors = errors_of(text)
    assert len(errors) == 1, errors
    return errors[0]


def failures_of(text: str) -> list[str]:
    book = CaseBook.parse(text, "x.case")
    assert not book.errors
    return [str(failure) for _, failures in book.run() for failure in failures]


@cache
def book_of(path: Path) -> CaseBook:
    """The cases of a file; running them changes nothing of it."""
    return CaseBook.load([path])


def only_failure(text: str) -> str:
    (failure,) = failures_of(text)
    return failure


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cases_pass(path: Path) -> None:
    book = book_of(path)
    assert [str(error) for error in book.errors] == []
    assert book.cases
    assert [str(failure) for _, failures in book.run() for failure in failures] == []


def test_ids_are_unique_over_all_files() -> None:
    assert FILES
    names = [case.name for path in FILES for case in read_cases(path.read_text("utf-8"), "")[0]]
    assert [name for name, times in Counter(names).items() if times > 1] == []
    assert len(names) >= 800


@pytest.mark.parametrize("half", [0, 1])  # so that two workers share them
def test_cases_pass_uncompiled(half: int) -> None:
    files = [str(path) for path in FILES[half::2]]
    program = [sys.executable, "-m", "rubicon.cli.main", "cases", "--uncompiled", *files]
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith(" passed, 0 failed")


# A case must be able to fail.


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_expectation_fails_when_it_is_turned_round(path: Path) -> None:
    """Each `expect` negated, and each refused action done, fails where it stands in the case."""
    for under_presets in book_of(path).prepared.values():
        prepared = under_presets[0]
        state = CaseState(prepared.context, prepared.game.copy() if prepared.game else None)
        for step in prepared.steps:
            turned = turned_round(step.line)
            if turned is not None:
                out_of_turn = replace(state, game=state.game.copy() if state.game else None)
                opposite = read_step(prepared.context, turned)
                assert not passes(opposite, out_of_turn), (
                    f"{path.name}:{step.line.number} still passes"
                )
            step.run(state)


def passes(step: CaseStep, state: CaseState) -> bool:
    try:
        step.run(state)
    except (StepFailed, RubiconError):
        return False
    return True


def turned_round(line: CaseLine) -> CaseLine | None:
    """The opposite of a line that expects something; None for those that do something."""
    words = list(line.words)
    if words[0] == "refused" and not {"start", "option"} & set(words):
        unreadable = words[1].startswith("text/")
        del words[1 : 1 + ("/" in words[1])]
        return None if unreadable else renamed(line, ["do"], words)
    if words[0] != "expect":
        return None
    start = 4 if words[1:3] == ["seen", "by"] else 1
    if words[start] == "not":
        return renamed(line, words[:start], words[start:])
    return renamed(line, [*words[:start], "not"], ["", *words[start:]])


def renamed(line: CaseLine, head: list[str], rest: list[str]) -> CaseLine:
    return CaseLine(line.number, " ".join([*head, *rest[1:]]))


FAILING = {
    "wrong armies": HEAD + BOARD + "expect alaska red 5",
    "wrong owner": HEAD + BOARD + "expect alaska blue",
    "allowed, not refused": HEAD + BOARD + "refused attack alaska -> kamchatka dice 3",
    "refused for another reason": HEAD
    + BOARD
    + "refused attack/not-adjacent attack alaska -> kamchatka dice 4",
    "refused, not allowed": HEAD + BOARD + "do attack alaska -> kamchatka dice 4\n" + STEP,
    "dice that do not fit": HEAD
    + BOARD
    + "do attack alaska -> kamchatka dice 3 : 6 5 v 1\n"
    + STEP,
    "no chance is pending": HEAD + BOARD + "chance 6 5 4 v 1\n" + STEP,
    "never comes": HEAD + BOARD + "until winner green\n" + STEP,
    "negated": HEAD + BOARD + "expect not alaska red 4",
    "unreadable, for another reason": HEAD + BOARD + "refused text/missing-number atack alaska",
    "no text error": HEAD + BOARD + "expect illegal attack/zero attack alaska",
    "another seat's decision": HEAD + BOARD + "do blue: end attack\n" + STEP,
    "no card of the design": HEAD + BOARD + "refused trade wild wild wild",
}


@pytest.mark.parametrize("name", FAILING)
def test_failing(name: str, full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not full:
        monkeypatch.setattr("rubicon.casebook.steps.MOST_STEPS", 500)
    failure = only_failure(FAILING[name])
    assert "FAILED X1 under classic: something" in failure
    assert "  x.case:5: " in failure
    assert "expected:" in failure
    assert "alaska red 4" in failure


def test_a_failure_shows_the_position_before_the_step() -> None:
    failure = only_failure(
        HEAD + BOARD + "do attack alaska -> kamchatka dice 3 : 6 5 4 v 1\nexpect kamchatka blue"
    )
    assert "found:    red" in failure
    assert "kamchatka red 0" in failure
    assert "others blue 1" in failure


def test_an_unreadable_action_with_the_wrong_code_fails_its_case_only() -> None:
    failure = only_failure(f"{HEAD}{BOARD}refused attack/zero atack alaska\n")
    assert "found:    text/unknown-verb" in failure
    failure = only_failure(f"{HEAD}{BOARD}expect illegal attack/zero attack alaska\n")
    assert "found:    text/missing-territory" in failure
    assert failures_of(f"{HEAD}{BOARD}expect illegal text/ attack alaska\n") == []


def test_a_turn_that_passed_by_itself_is_told() -> None:
    text = HEAD + "alaska red 1\nothers blue 1\ndo end attack\n"
    assert "The turn has passed already" in only_failure(f"{text}do end turn\n{STEP}")
    text = HEAD + BOARD + "phase reinforce\n"
    assert "The turn has passed" not in only_failure(f"{text}do end turn\n{STEP}")


# Cards by their designs, and the colour before an action.

REINFORCE = f"{HEAD}phase reinforce\n{BOARD}"
# Peru, Egypt and China show infantry, Ural cavalry.
HAND = f"{REINFORCE}hand red peru egypt china ural wild1\noption cards.forced none\n"


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        ("do trade infantry infantry infantry", "ural wild1"),
        ("do trade infantry, infantry, infantry", "ural wild1"),
        ("do Trade WILD infantry cavalry", "egypt china"),
        ("do trade peru infantry wild", "china ural"),
        ("do trade infantry peru infantry", "ural wild1"),
        ("do red: trade infantry infantry wild", "china ural"),
        ("expect legal trade infantry cavalry wild", "5"),
        ("expect not legal trade cavalry cavalry wild", "5"),
        ("expect illegal trade/no-set trade infantry infantry cavalry", "5"),
        ("refused trade/no-set trade infantry infantry cavalry", "5"),
        ("refused text/missing-card trade infantry cavalry", "5"),
        ("refused text/extra-words trade infantry cavalry wild wild", "5"),
        ("refused text/unknown-territory trade infantry cavalry wild on atlantis", "5"),
    ],
)
def test_cards_are_traded_by_their_designs(steps: str, left: str) -> None:
    assert failures_of(f"{HAND}{steps}\nexpect hand red {left}") == []


def test_the_bonus_and_an_offer_of_cards_by_their_designs() -> None:
    text = f"{HEAD}phase reinforce\nperu red 3\negypt red 3\nothers blue 1\n"
    steps = "do trade infantry infantry infantry on egypt\nexpect egypt red 5\n"
    assert failures_of(f"{text}hand red peru egypt china\n{steps}") == []
    text = f"case X1 t\npreset revised\nphase reinforce\n{BOARD}hand red peru ural egypt\n"
    steps = "do offer infantry\ndo offer infantry\ndo trade\nexpect hand red ural\n"
    assert failures_of(f"{text}{steps}") == []


def test_a_design_that_the_hand_lacks() -> None:
    for step in ("do", "refused", "expect legal", "expect illegal"):
        failure = only_failure(f"{HAND}{step} trade infantry cavalry cavalry\n{STEP}")
        assert "egypt (infantry), china (infantry), wild1 (wild)" in failure
    assert "a further card of the design cavalry in the hand of red" in failure


def test_a_colour_before_an_action_is_checked() -> None:
    steps = "do RED: end attack : china\nexpect hand red china\nrefused red: end attack\n"
    captured = f"{HEAD}{BOARD}captured alaska\n"
    assert failures_of(f"{captured}{steps}") == []
    for step in ("do", "expect legal", "refused game/over"):
        assert "case/other-seat" in only_failure(f"{HEAD}{BOARD}{step} blue: end attack\n{STEP}")
    assert "'pink'" in only_error(f"{HEAD}{BOARD}do pink: end attack\n{STEP}")
    assert "There is no seat 'yellow'" in only_error(f"{HEAD}{BOARD}do yellow: end attack\n{STEP}")


# What may be seen, and missions.


def test_armies_of_a_sealed_placement_are_hidden_in_a_total() -> None:
    text = "case X1 t\npreset email\nstart 3\nuntil phase sealed\n"
    assert failures_of(f"{text}expect seen by red armies blue hidden") == []
    assert failures_of(f"{text}expect seen by blue armies blue 14") == []
    assert "found:    hidden" in only_failure(f"{text}expect seen by red armies blue 14")


def mission(lines: str, preset: str = "secret-mission") -> str:
    return f"case X1 t\npreset {preset}\n{BOARD}{lines}\n"


@pytest.mark.parametrize(
    ("lines", "fallback"),
    [
        ("mission red M09", True),  # its own colour
        ("mission red M12", True),  # yellow is not in the game
        ("mission red M10", False),
        ("mission red M10 fallback", True),
        ("mission red M01", False),
        ("seats red blue yellow\nmission red M12\nresigned yellow", True),
        ("option missions.own_colour redraw\nmission red M09", True),
    ],
)
def test_a_mission_that_cannot_be_means_24_territories(lines: str, fallback: bool) -> None:
    name = lines.split("mission red ")[1][:3]
    wanted = f"{name} fallback" if fallback else name
    assert failures_of(mission(lines) + f"expect mission red {wanted}") == []


def test_24_territories_win_where_the_mission_cannot_be() -> None:
    text = (
        "case X1 t\npreset secret-mission\ncontinent asia red 1\ncontinent europe red 1\n"
        "continent australia red 1\nkamchatka red 4\nalaska blue 1\nothers green 1\n"
        "mission red M09\nmission blue M01\n"
    )
    steps = "do attack kamchatka -> alaska dice 3 : wins\n"
    assert failures_of(f"{text}{steps}expect winner red") == []
    assert failures_of(f"{text}ural green 1\nindia green 1\n{steps}expect not over") == []


def test_missions_that_are_refused_or_say_nothing() -> None:
    assert "M08 is not in the deck; it has M01" in only_error(mission("mission red M08") + STEP)
    twice = mission("mission red M01\nmission blue M01")
    assert "M01 is the mission of red already." in only_error(twice + STEP)
    assert failures_of(mission("mission red M08", "classic") + STEP) == []
    assert failures_of(mission("") + "expect mission red none") == []


def test_one_expectation_a_line() -> None:
    error = only_error(f"{HEAD}{BOARD}expect alaska red 4 and kamchatka blue 1\n")
    assert "One `expect` line holds one expectation" in error
    assert "a list is written without `and`" in only_error(
        f"{HEAD}{BOARD}expect hand red china and siam\n"
    )


def test_an_expectation_in_every_preset_of_the_case() -> None:
    text = f"case X1 t\npresets classic email\n{BOARD}phase reinforce\nexpect alaska red 5"
    assert len(failures_of(text)) == 2


def test_presets_all_leaves_out_those_with_other_seats() -> None:
    book = CaseBook.parse(f"case X1 t\npresets all\nseats red blue green\n{BOARD}{STEP}")
    names = [prepared.preset for prepared in book.prepared["X1"]]
    assert "classic" in names
    assert "email" in names
    assert "two-player" not in names


def test_presets_all_except() -> None:
    book = CaseBook.parse(f"case X1 t\npresets all except email basic\n{BOARD}{STEP}")
    names = [prepared.preset for prepared in book.prepared["X1"]]
    assert "classic" in names
    assert not {"email", "basic"} & set(names)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("alaska red 4", "x.case:1: 'alaska red 4': A file begins with a line `case ID TITLE`."),
        ("case", "A case begins with `case`, its id and its title."),
        (f"case X1 t\n{BOARD}{STEP}", "The case names no preset."),
        (f"{HEAD}{BOARD}", "The case expects nothing"),
        (f"case X1 t\npreset clasic\n{BOARD}{STEP}", "Did you mean 'classic'?"),
        (f"{HEAD}alasca red 4\nothers blue 1\n{STEP}", "Did you mean Alaska"),
        (f"{HEAD}othres blue 1\n{STEP}", "Did you mean 'others'?"),
        (f"{HEAD}alaska red\nothers blue 1\n{STEP}", "Expected `TERRITORY COLOUR ARMIES`."),
        (f"{HEAD}alaska red four\nothers blue 1\n{STEP}", "'four' is not a number"),
        (f"{HEAD}alaska red 0\nothers blue 1\n{STEP}", "'0' is not a number from 1"),
        (f"{HEAD}alaska yellow 4\nothers blue 1\n{STEP}", "There is no owner 'yellow'"),
        (f"{HEAD}alaska red 4\n{STEP}", "Add a line `others COLOUR ARMIES`."),
        (f"{HEAD}{BOARD}alaska blue 4\n{STEP}", "Line 3 says this already."),
        (f"{HEAD}{BOARD}turn green\n{STEP}", "green holds nothing"),
        (f"{HEAD}{BOARD}phase occupy\n{STEP}", "use steps to reach the others"),
        (f"{HEAD}{BOARD}phase atack\n{STEP}", "Did you mean 'attack'?"),
        (f"{HEAD}{BOARD}hand red china china\n{STEP}", "is in another place already"),
        (f"{HEAD}{BOARD}hand red 50\n{STEP}", "Only 44 cards are left."),
        (f"{HEAD}{BOARD}hand red 3 china\n{STEP}", "a number or names, not both"),
        (f"{HEAD}{BOARD}option cards.forced sometimes\n{STEP}", "cards.forced"),
        (f"{HEAD}{BOARD}option cards.force none\n{STEP}", "Did you mean"),
        (f"{HEAD}{BOARD}captured ural\n{STEP}", "does not belong to the seat whose turn it is"),
        (f"{HEAD}{BOARD}{STEP}others blue 1", "before the first step"),
        (f"{HEAD}{BOARD}{STEP}expects alaska red 4", "Did you mean 'expect'?"),
        (f"{HEAD}{BOARD}expect alasca red 4", "Did you mean Alaska"),
        (f"{HEAD}{BOARD}expect unplacd red 4", "Did you mean 'unplaced'?"),
        (f"{HEAD}{BOARD}expect award red teritories 4", "Did you mean 'territories'?"),
        (f"{HEAD}{BOARD}do atack alaska -> kamchatka\n{STEP}", "atack"),
        (f"{HEAD}{BOARD}do end attack : 7 v 1\n{STEP}", "a die shows 1 to 6"),
        (f"{HEAD}{BOARD}start 3\n{STEP}", "A case has either a position or one step `start`."),
        (f"{HEAD}begin red\n{STEP}", "Expected `begin turn COLOUR`."),
        (f"{HEAD}{BOARD}seats red red\n{STEP}", "different colours"),
        (f"{HEAD}{BOARD}seats red blue\n{STEP}", "3 to 6 players, not for 2"),
        (f"{HEAD}{BOARD}seats red blue pink\n{STEP}", "There is no colour 'pink'"),
    ],
)
def test_faults_quote_the_line_and_say_what_was_expected(text: str, wanted: str) -> None:
    error = only_error(text)
    assert wanted in error
    assert error.startswith("x.case:")


def test_all_errors_of_a_file_are_told() -> None:
    errors = errors_of(f"{HEAD}{BOARD}turn purple\nphase nothing\nexpect alaska\nexpect ural red x")
    assert len(errors) == 4
    errors = errors_of(f"{HEAD}{BOARD}{STEP}case X2\npreset nowhere\ncase X3\nfoo")
    assert [error.split(":")[1] for error in errors] == ["6", "7", "8", "8", "9"]


def test_a_wrong_preset_or_option_does_not_hide_the_rest() -> None:
    errors = errors_of(
        "case X1 t\npresets clasic\nalasca red 4\nothrs blue 1\ndo atack alaska -> ural\n" + STEP
    )
    assert [error.split(":")[1] for error in errors] == ["2", "3", "4", "5"]
    errors = errors_of(f"{HEAD}option cards.forced sometimes\nalasca red 4\nothers blue 1\n{STEP}")
    assert [error.split(":")[1] for error in errors] == ["3", "4"]


def test_three_wrong_lines_in_the_parts_of_a_case_are_reported_together() -> None:
    errors = errors_of(
        f"case X1 t\nseats red red\npreset classic\nalasca red 4\nothers blue 1\n"
        f"do atack alaska -> kamchatka\n{STEP}rules A-1\n"
    )
    assert [error.split(":")[1] for error in errors] == ["2", "4", "6", "8"]
    errors = errors_of(f"{HEAD}option\n{BOARD}turn purple\nexpect phase dance\n")
    assert [error.split(":")[1] for error in errors] == ["3", "6", "7"]


def test_a_case_with_a_wrong_line_is_not_run() -> None:
    book = CaseBook.parse(f"{HEAD}{BOARD}seats red red\n{STEP}", "x.case")
    assert book.cases == []
    assert len(book.errors) == 1


def test_after_the_end_every_action_is_refused_because_the_game_is_over() -> None:
    text = f"{HEAD}{BOARD}do resign blue\n"
    assert "wins" not in text
    for actor in ("", "red: ", "blue: "):
        assert failures_of(f"{text}refused game/over {actor}end attack\n") == []
        assert failures_of(f"{text}expect illegal game/over {actor}end attack\n") == []


def test_while_chance_is_pending_every_colour_hears_so() -> None:
    text = f"{HEAD}{BOARD}standing blue all max\ndo attack alaska -> kamchatka dice 3\n"
    for actor in ("", "red: ", "blue: "):
        assert failures_of(f"{text}refused game/chance-owed {actor}end attack\n") == []


def test_until_the_attack_comes_after_reinforcing() -> None:
    for start in (BOARD + "phase reinforce\nunplaced red 3\n", "start 3\n"):
        steps = "until phase attack\nexpect phase attack\nexpect not legal place alaska 1\n"
        assert failures_of(f"{HEAD}{start}{steps}") == []
    steps = "begin turn blue\nuntil phase attack\nexpect turn blue\nexpect legal end attack\n"
    assert failures_of(f"{HEAD}{BOARD}{steps}") == []


def test_the_start_of_a_turn_has_events() -> None:
    steps = "begin turn blue\nexpect event turn-began\nexpect event awarded 1\n"
    told = "expect told round 1: blue to move\n"
    assert failures_of(f"{HEAD}{BOARD}{steps}{told}") == []


def test_not_stands_before_or_after_the_seat_that_sees() -> None:
    text = f"{HEAD}{BOARD}hand blue china\n"
    for words in ("not seen by red", "seen by red not"):
        assert failures_of(f"{text}expect {words} hand blue china\n") == []
        assert only_failure(f"{text}expect {words} hand blue hidden\n") != ""


def test_a_case_can_say_that_there_is_no_legal_action() -> None:
    text = f"{HEAD}{BOARD}standing blue all max\n"
    attack = "do attack alaska -> kamchatka dice 3\n"
    assert failures_of(f"{text}{attack}expect legal none\n") == []
    assert "attack alaska -> alberta" in only_failure(f"{text}expect legal none\n")
    assert failures_of(f"{text}expect legal none place\nexpect not legal none attack\n") == []
    assert "attack alaska" in only_failure(f"{text}expect legal none attack\n")


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        ("6 5 v 1", "outcome/dice"),
        ("6 5 4 v 1 1", "outcome/dice"),
        ("dice 6 5 4", "outcome/wrong-kind"),
        ("pick china", "outcome/wrong-kind"),
        ("atlantis", "outcome/"),
    ],
)
def test_a_case_can_say_that_an_outcome_is_refused(outcome: str, code: str) -> None:
    text = f"{HEAD}{BOARD}standing blue all max\ndo attack alaska -> kamchatka dice 3\n"
    assert failures_of(f"{text}refused {code} chance {outcome}\n") == []
    assert failures_of(f"{text}refused chance {outcome}\n") == []
    assert "it is allowed" in only_failure(f"{text}refused chance 6 5 4 v 1\n")


def test_an_outcome_is_refused_where_no_chance_is_pending() -> None:
    assert failures_of(f"{HEAD}{BOARD}refused outcome/nothing-pending chance 6 5 4 v 1\n") == []


def test_the_same_id_twice() -> None:
    assert "There is a case X1" in only_error(f"{HEAD}{BOARD}{STEP}{HEAD}{BOARD}{STEP}")


def test_the_lines_of_a_shown_position_make_the_position_again() -> None:
    text = (
        "case X1 t\npreset revised\nseats red blue green\nalaska red 4\nural green 3\n"
        "others blue 1\ncities china alaska\nhand red india siam\nreward blue attack_die\n"
        "airfield green ural\nobjectives OB02\non OB02 guaranteed_card\nobjective red OB01\n"
        f"capital red alaska\nstanding blue all max\nround 3\nunplaced red 2\n{STEP}"
    )
    (prepared,) = CaseBook.parse(text).prepared["X1"]
    assert prepared.game is not None
    shown = show_position(prepared.context, prepared.game.position)
    shown = [line for line in shown if not line.startswith(("pile", "discards"))]
    again = "\n".join(["case X1 t", "preset revised", "seats red blue green", *shown, STEP])
    (other,) = CaseBook.parse(again).prepared["X1"]
    assert other.game is not None
    assert other.game.position.tobytes() == prepared.game.position.tobytes()


# The page that people write cases from.


def documented() -> str:
    return (Path(__file__).parents[2] / "docs" / "cases.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "word",
    sorted({*WORDS, *ALL_CHECKS, *EVENT_KINDS, *PHASES, *preset_names(), *AWARD_ITEMS}),
)
def test_every_word_of_the_notation_is_documented(word: str) -> None:
    assert re.search(rf"`[^`\n]*(?<![\w-]){re.escape(word)}(?![\w-])[^`\n]*`", documented())


def test_every_refusal_is_documented_with_its_sentence() -> None:
    page = documented()
    lines = [f"| `{reason.code}` | {reason.sentence} |" for reason in REASONS.values()]
    assert [line for line in lines if line not in page] == []


def test_every_text_error_of_the_page_is_what_it_says() -> None:
    rows = re.findall(r"^\| `(text/[a-z-]+)` \| [^|]*\| (.*) \|$", documented(), re.MULTILINE)
    assert len(rows) >= 12
    for code, examples in rows:
        for example in re.findall(r"`([^`]+)`", examples):
            assert failures_of(f"{HEAD}{BOARD}refused {code} {example}") == [], example


def test_the_example_of_the_page_passes() -> None:
    example = documented().split("```")[1]
    assert failures_of(example) == []


# The command.


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def cases(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(
        command, [str(argument) for argument in arguments], standalone_mode=False
    )
    assert result.exception is None
    return int(result.return_value or 0), result.output


def test_the_command_counts_and_fails(tmp_path: Path) -> None:
    write(tmp_path, "a.case", f"{HEAD}{BOARD}{STEP}")
    assert cases(tmp_path) == (0, "1 passed, 0 failed\n")
    write(tmp_path, "deep/b.case", f"case X2 bad\npreset classic\n{BOARD}expect alaska red 5")
    status, output = cases(tmp_path)
    assert status == 1
    assert output.splitlines()[-1] == "1 passed, 1 failed"
    assert "FAILED X2 under classic: bad" in output


def test_the_command_lists_when_asked(tmp_path: Path) -> None:
    path = write(tmp_path, "a.case", f"{HEAD}{BOARD}{STEP}")
    assert cases("--verbose", path) == (0, "passed X1 something\n1 passed, 0 failed\n")


def test_the_command_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    status, output = cases(write(tmp_path, "a.case", f"{HEAD}{BOARD}expect alasca red 4"))
    assert status == 2
    assert "expect alasca red 4" in output
    assert cases(tmp_path / "none.case")[0] == 2
    (tmp_path / "c.case").write_bytes(b"\xff\xfe\x00")
    assert cases(tmp_path / "c.case")[0] == 2
    (tmp_path / "empty").mkdir()
    assert cases(tmp_path / "empty")[0] == 2


# Any text is understood or reported as wrong, never a traceback.

MORE = (
    "red blue green neutral alaska ural australia 4 0 1 : -> v any dice all seen by not attack "
    "turn hidden none wild1 max infantry:own fallback legal illegal pending award"
)
WORD = st.sampled_from((*WORDS, *MORE.split()))
LINES = st.lists(st.lists(WORD, max_size=6).map(" ".join), max_size=6).map("\n".join)


def understood(text: str) -> CaseBook:
    """The book of a text; every error must name a line of the text."""
    book = CaseBook.parse(text)
    last = len(text.splitlines())
    assert all(1 <= error.line.number <= last for error in book.errors)
    return book


@given(LINES)
def test_any_words_are_read(text: str) -> None:
    book = understood(text)
    assert book.cases or book.errors or not text.strip()


@given(LINES)
def test_any_lines_in_a_case_are_read(text: str) -> None:
    book = understood(f"{HEAD}{BOARD}{text}\n{STEP}")
    assert book.cases or book.errors


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert understood(text).cases == []  # no such text is a whole case
    book = understood(f"{HEAD}{text}\n{STEP}")
    assert book.cases or book.errors


@pytest.mark.parametrize("name", ["pipe", "zero", "huge"])
def test_files_that_are_no_case_files(tmp_path: Path, name: str) -> None:
    path = Path("/dev/zero") if name == "zero" else tmp_path / name
    if name == "pipe":
        os.mkfifo(path)
    if name == "huge":
        path.write_bytes(b"#" * 4_000_001)
    (error,) = CaseBook.load([path]).errors
    reason = "more than 4,000,000 bytes" if name == "huge" else "not a regular file"
    assert reason in str(error)


@pytest.mark.parametrize(
    ("line", "most"),
    [
        ("sets 40000", 1000),
        ("sets red 40000", 1000),
        ("sets red 1001", 1000),
        ("snapshot red 99999", 32767),
    ],
)
def test_numbers_that_no_position_has_room_for(line: str, most: int) -> None:
    assert f"expected 0 to {most}" in only_error(HEAD + BOARD + line + "\n" + STEP)


def test_the_second_process_imports_nothing_from_the_current_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder may be shared, and the file another user's."""
    (tmp_path / "tempfile.py").write_text("open('was_run', 'w').close()")
    (tmp_path / "none.case").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    CliRunner().invoke(command, ["--uncompiled", "none.case"])
    assert not (tmp_path / "was_run").exists()
