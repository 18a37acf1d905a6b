"""Lines of orders at the prompt: how they are read, carried out, and explained when refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.cli.terminal.prompt import gathered, has_condition
from rubicon.errors import RubiconError
from tests.cli.at_terminal import CHOOSE, rubicon

AGAINST = ("--seats", "me,greedy,greedy")
# With seed 4 Brazil attacks with 25 armies.
ATTACKING = ((*CHOOSE, *AGAINST), "pl brazil 21; seal\npl brazil\n")


class Typing:
    """A keyboard that types lines, then presses control-C."""

    interactive = False
    draft = ""
    recalls = True

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)

    def read(self, prompt: str) -> str:
        for line in self.lines:
            return line
        raise KeyboardInterrupt


def say(_: str) -> None:
    """Print nothing."""


def after_brazil(*lines: str) -> str:
    """What is printed when red, with 25 armies on Brazil, types these lines in the attack."""
    arguments, opening = ATTACKING
    _, printed = rubicon(*arguments, "--seed", "4", typed=opening + "\n".join(lines) + "\nquit\n")
    return printed.rpartition("pl brazil\n")[2]


@pytest.mark.parametrize(
    ("line", "condition"),
    [
        ("attack alaska > kamchatka; attack brazil > peru", False),
        ("if won: end turn", True),
        ("att ala > kam until won; if won: end turn; end attack", True),
        ("fortify alaska > kamchatka", False),
    ],
)
def test_lines_with_conditions_are_read_as_a_whole(line: str, condition: bool) -> None:
    assert has_condition(line) is condition


def test_lines_up_to_end() -> None:
    assert gathered("", Typing("deploy 3 ala", "END", "no more"), say) == "deploy 3 ala\nEND"
    assert gathered("", Typing("deploy 3 ala", "", "no more"), say) == "deploy 3 ala"


def test_control_c_drops_the_text_and_not_the_game() -> None:
    with pytest.raises(RubiconError) as dropped:
        gathered("", Typing("deploy 3 ala"), say)
    assert dropped.value.code == "orders/dropped"


def test_a_file_or_the_words_themselves(tmp_path: Path) -> None:
    file = tmp_path / "turn.txt"
    file.write_text("END\n")
    assert gathered(str(file), Typing(), say) == "END\n"
    assert gathered("end turn", Typing(), say) == "end turn"
    for words in ("stop.", "// later", "deploy 3 ala. stop", "1. stop", "att ala>kam"):
        assert gathered(words, Typing(), say) == words


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("~nobodyx/turn.txt", "'~nobodyx/turn.txt' cannot be read: there is no such file."),
        ("turn.txt", "'turn.txt' cannot be read: there is no such file."),
        ("./", "'./' cannot be read: it is a folder."),
        ("./binary", "'./binary' is not plain text: line 1 is not UTF-8."),
    ],
)
def test_a_file_that_holds_no_text(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("binary").write_bytes(b"stop\xff\n")
    with pytest.raises(RubiconError) as refused:
        gathered(name, Typing(), say)
    assert refused.value.message == message


def test_several_placements_on_one_line_and_without_a_verb() -> None:
    typed = "indonesia 3\n2 egypt, 1 congo\nbrazil 1; japan 2\nquit\n"
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed=typed)
    placed = ("3 armies on Indonesia", "2 armies on Egypt", "1 army on Congo", "2 armies on Japan")
    for armies in placed:
        assert f"red places {armies}\n" in printed
    assert "red sealed 12>" in printed


def test_an_attack_is_one_roll_and_until_goes_on() -> None:
    printed = after_brazil("att brazil > peru", "att brazil > peru until won")
    assert "red Brazil → Peru (green): 5 4 3 v 6; red −1, green 0" in printed
    assert printed.count("captured") == 1
    assert "Enter: advance 23 (3-23)" in printed


def test_the_capture_is_printed_once_and_the_advance_in_its_own_words() -> None:
    for answer in ("5", "advance 5", "occ 5"):
        printed = after_brazil("att brazil > peru until won", answer)
        assert printed.count("captured") == 1
        assert "red moves 5 armies into Peru" in printed


def test_again_repeats_the_last_attack() -> None:
    printed = after_brazil("!", "att brazil > peru", "!")
    assert "There is no attack to repeat." in printed
    assert printed.count("red Brazil → Peru") == 2


def test_an_attack_that_does_nothing_says_why() -> None:
    printed = after_brazil(
        "att brazil > venezuela",
        "att brazil > peru until left 30",
        "att egypt > north africa",
    )
    assert "Venezuela is yours already." in printed or "own territory" in printed
    assert "at most 30 armies" in printed
    assert "[attack/too-few-armies" in printed


@pytest.mark.parametrize(
    "line",
    ["att brazil > china", "att brazil > china until won", "orders att brazil > china; end"],
)
def test_an_attack_across_no_border_is_refused_once(line: str) -> None:
    printed = after_brazil(line).partition(line)[2].partition("red draws")[0]
    assert " ".join(printed.split()).startswith(
        "Brazil and China share no border. From Brazil you can attack Peru, Argentina, North "
        "Africa. [attack/not-adjacent, S002-36, S004-18]"
    )
    assert printed.count("border") == 1


def test_the_second_leg_of_a_path_is_refused_once() -> None:
    printed = after_brazil("att brazil > peru > china until won")
    assert "captured" in printed
    assert printed.count("border") == 1
    assert "Peru and China share no border. From Peru you can attack Argentina." in printed


@pytest.mark.parametrize(
    "line",
    [
        "if won japan: att brazil > china",
        "orders if failed brazil: att brazil > peru else: att brazil > china",
        "preview if won japan: att brazil > china",
        "explain if won japan: att brazil > china",
    ],
)
def test_an_attack_across_no_border_behind_a_condition_is_warned_of(line: str) -> None:
    printed = after_brazil(line)
    assert printed.count("Brazil does not border China: no attack.") == 1


def test_only_the_attack_behind_the_condition_is_warned_of() -> None:
    printed = after_brazil("orders att brazil > japan; if won japan: att brazil > china; end turn")
    assert printed.count("Brazil and Japan share no border.") == 1
    assert "Brazil does not border Japan" not in printed
    assert printed.count("Brazil does not border China: no attack.") == 1


def test_a_preview_and_an_explanation_warn_of_an_attack_across_no_border() -> None:
    for word in ("preview", "explain"):
        printed = after_brazil(f"{word} att brazil > china")
        assert printed.count("Brazil does not border China: no attack.") == 1


def test_fortifying_during_the_attacks_says_what_to_type_first() -> None:
    printed = after_brazil("fort brazil > venezuela 3", "end; fort brazil > venezuela 3")
    assert "You can move armies when your attacks are over. Type `end` first" in printed
    assert "red moves 3 armies from Brazil to Venezuela" in printed


def test_a_line_stops_when_another_player_is_to_move() -> None:
    players = ("--seats", "me:Ann,me:Bob,greedy", "--setup", "book", "--seed", "1")
    _, printed = rubicon(*players, typed="claim alaska; claim brazil\nquit\n")
    assert re.search(r"Not done \(\w+ is to move\): claim brazil", printed)
    assert "claim brazil" not in re.findall(r"^\w+: (.*)", printed, re.MULTILINE)


def test_a_line_does_not_reach_into_the_next_turn() -> None:
    printed = after_brazil("end; fort brazil > venezuela 3; map alaska")
    assert "red moves 3 armies from Brazil to Venezuela" in printed
    assert "Not done (other players have moved since): map alaska" in printed


def test_resigning_needs_confirm() -> None:
    printed = after_brazil("resign")
    assert "RESIGN CONFIRM" in printed
    assert "red resigns" not in printed
    assert "red resigns" in after_brazil("resign confirm")


def test_one_unclear_name_leaves_the_rest_of_the_path() -> None:
    printed = after_brazil("att brazil > north > egypt > middle east until won")
    assert "'north'" in printed
    assert "egypt" in printed.lower()


def test_a_sentence_first_then_the_code_and_the_rules() -> None:
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed="pl alberta 1\nquit\n")
    said = printed.partition("> pl alberta 1\n")[2]
    sentence, _, reference = said.partition("[")
    assert "[" not in sentence
    assert reference.startswith("territory/not-yours, S001-42")
