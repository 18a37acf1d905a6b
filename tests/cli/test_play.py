"""`rubicon play` as a person uses it: what is typed, and what is printed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rubicon.cli.terminal.console import Terminal
from rubicon.cli.terminal.opening import open_session, read_seats, seats_of_names
from rubicon.cli.warmup import LOADING
from rubicon.errors import RubiconError
from rubicon.players.player import PLAYERS
from rubicon.rules.game import Game
from rubicon.rules.record import Record
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from tests.cli.at_terminal import (
    CHOOSE,
    COLUMNS,
    COMMAND,
    outside,
    read_until,
    rubicon,
    spawn,
    widest,
)
from tests.cli.bot_keyboard import options, play_through


def board_of(full: bool) -> str:
    """A small board, on which whole games are short, unless all is to be played."""
    return "world" if full else "skerries"


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_can_be_watched_to_its_end(preset: str, full: bool) -> None:
    code, printed = rubicon(preset, "--watch", "--save", "--seed", "1", "--board", board_of(full))
    assert code == 0, printed
    assert re.search(r"wins\.|The game ended in a draw\.", printed)
    saved = re.search(r"The game is saved in (.+)", printed)
    assert saved is not None
    assert Record.load(saved[1].strip()).verify().over
    assert widest(printed) < COLUMNS


def test_it_works_between_pipes(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    code, printed = outside(*CHOOSE, "--seed", "4", "--record", str(file), typed="pl brazil 20\n")
    assert code == 0, printed
    assert "\x1b" not in printed
    assert f"rubicon play --resume {file}" in printed
    assert Record.load(file).entries


def test_the_same_seed_is_the_same_game(tmp_path: Path, full: bool) -> None:
    files = [tmp_path / "one.risk", tmp_path / "two.risk"]
    for file in files:
        rubicon("--watch", "--seed", "5", "--board", board_of(full), "--record", str(file))
    assert files[0].read_text() == files[1].read_text()


def test_a_misspelt_name_gets_a_suggestion() -> None:
    code, printed = rubicon("--seed", "1", "--setup", "book", typed="claim kamchtka\n")
    assert code == 0
    assert "[orders/unknown-territory]" in printed
    assert "Did you mean Kamchatka?" in printed


def test_an_illegal_action_says_why_and_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    typed = "place alaska 3\nattack alaska > kamchatka\nquit\n"
    code, printed = rubicon("--seed", "1", "--setup", "book", "--record", str(file), typed=typed)
    assert code == 0
    asked = printed.count("red claim 35> ")
    assert asked == 3  # nothing has changed
    entries = [str(entry) for entry in Record.load(file).entries]
    assert not [text for text in entries if text.startswith(("place", "attack"))]


def test_the_rest_of_a_line_is_left_when_something_goes_wrong() -> None:
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed="pl brazil 2; pl alberta 1; seal\n")
    assert "red places 2 armies on Brazil" in printed
    assert "Not done: seal" in printed


def test_nothing_is_done_of_a_line_with_a_word_that_is_not_understood() -> None:
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed="pl brazil 2; pl atlantis 1; seal\n")
    assert "red places 2 armies on Brazil" not in printed
    assert "Nothing was done." in printed


def test_undo_takes_back_a_placement_but_no_dice(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    script = "pl brazil 20; undo; pl brazil all; seal\npl brazil\natt brazil > peru\nundo\nquit\n"
    _, printed = rubicon(*CHOOSE, "--seed", "4", "--record", str(file), typed=script)
    assert "Taken back: place 20 armies on Brazil" in printed
    assert "[undo/chance]" in printed
    entries = [str(entry) for entry in Record.load(file).entries]
    assert "place brazil 20" not in entries
    assert "place brazil 21" in entries
    assert "attack brazil -> peru dice 3" in entries


def test_a_saved_game_continues_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    code, printed = rubicon(*CHOOSE, "--seed", "4", "--record", str(file), typed="pl brazil 20\n")
    assert code == 0
    assert f"rubicon play --resume {file}" in " ".join(printed.split())
    before = Record.load(file).replay()
    code, printed = rubicon("--resume", str(file), typed="quit\n")
    assert code == 0
    after = Record.load(file).replay()
    assert after.position.tobytes() == before.position.tobytes()
    assert after.history == before.history
    assert "red sealed 1>" in printed


def test_bots_can_take_the_seats_of_a_saved_game(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    rubicon(*CHOOSE, "--seed", "4", "--record", str(file), typed="pl brazil 20\n")
    code, printed = rubicon("--resume", str(file), "--seats", "greedy,greedy,greedy")
    assert code == 0
    assert "wins." in printed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--seats", "me,gredy"],
            f"Unknown player 'gredy' (players: {', '.join(sorted(PLAYERS))}).",
        ),
        (["--seats", "me:,greedy,greedy"], "play/bad-name"),
        (["--seats", f"me:{'x' * 41},greedy,greedy"], "1 to 40 printable characters"),
        (["--seats", "me:a\x1b[2J,greedy,greedy"], "'a\\x1b[2J' cannot be a player's name"),
        (["--seats", "me:\ud800,greedy,greedy"], "play/bad-name"),
        (["--seats", "me,greedy"], "is for 3 to 6 players, not 2"),
        (["clasic"], "clasic"),
        (["-o", "cards.forced=sometimes"], "cards.forced"),
        (["--board", "atlantis"], "There is no board 'atlantis'"),
        (["--watch", "--seats", "me,greedy,greedy"], "only bots play"),
        (["--resume", "nowhere.risk"], "nowhere.risk"),
        (["classic", "--resume", "x.risk"], "A saved game has its own rules"),
    ],
)
def test_a_wrong_command_line_is_refused_in_a_sentence(arguments: list[str], said: str) -> None:
    code, printed = rubicon(*arguments)
    assert code == 2
    assert said in printed
    assert "Traceback" not in printed


def test_plain_has_no_colours() -> None:
    _, printed = rubicon("--watch", "--seed", "1", "--plain")
    assert printed.isascii()
    assert "\x1b" not in printed


def test_help_and_rules_can_be_asked_for() -> None:
    typed = "help\nhelp fortify\nhelp xyzzy\nrules\nlegal alaska\nmap alaska\nlog 1\nhand\n"
    _, printed = rubicon("--seed", "1", "--setup", "book", typed=typed)
    for said in ("fortify FROM > TO", "There is no word 'xyzzy'", "# ", "Kamchatka (nobody's)"):
        assert said in printed
    assert "your cards: none" in printed


@pytest.mark.parametrize("preset", preset_names())
def test_a_person_can_play_every_preset_to_its_end(
    preset: str, monkeypatch: pytest.MonkeyPatch, full: bool
) -> None:
    fewest = int(Ruleset.load(preset).rules.players_min)
    seats = ",".join(["me", *["greedy"] * (fewest - 1)])
    session, _, printed = play_through(
        monkeypatch, preset, seats, ask_defence=preset == "digest", board=board_of(full)
    )
    assert session.game.over
    assert widest(printed) < COLUMNS


def test_alone_against_bots_defence_dice_are_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    _, keyboard, _ = play_through(monkeypatch, "classic", "me,greedy,greedy")
    assert not any(" defend" in prompt for prompt in keyboard.prompts)


def test_a_seat_cannot_decide_for_another() -> None:
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed="pl congo 1\npl alberta 1\nquit\n")
    assert "red places 1 army on Congo" in printed
    assert "place alberta" not in printed.replace("> pl alberta 1", "")
    assert "[territory/not-yours" in printed


# At a real terminal.


def test_at_a_terminal_there_are_colours_and_control_c_saves_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    process, terminal = spawn([*CHOOSE, "--seed", "4", "--record", str(file)])
    try:
        printed = read_until(terminal, "red sealed 21>")
        assert "\x1b[" in printed
        os.write(terminal, b"pl brazil 20\r")
        read_until(terminal, "red sealed 1>")
        os.write(terminal, b"\x03")
        read_until(terminal, "rubicon play --resume")
        assert process.wait(60) == 130
    finally:
        process.kill()
        os.close(terminal)
    assert "place brazil 20" in [str(entry) for entry in Record.load(file).entries]


@pytest.mark.usefixtures("control_c")
def test_control_c_while_bots_play_saves_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    process = subprocess.Popen(
        [*COMMAND, "--watch", "--delay", "0.2", "--seed", "1", "--record", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "rubicon play --resume" in printed
    assert "Traceback" not in printed + errors
    assert not Record.load(file).replay().over


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "game.risk"
    code, printed = rubicon("--watch", "--seed", "1", "--record", str(file))
    assert code == 2
    assert "record/cannot-write" in printed


def test_the_errors_of_play_have_codes() -> None:
    with pytest.raises(RubiconError) as refused:
        open_session(options("classic", "me,nobody,greedy"))
    assert refused.value.code == "play/unknown-seat"


def test_a_file_that_exists_is_not_written_over(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    code, printed = rubicon(*CHOOSE, "--record", str(notes))
    assert code == 2
    assert "play/file-exists" in printed
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed=f"save {notes}\nquit\n")
    assert "play/file-exists" in printed
    assert notes.read_text() == "mine"


def test_a_game_survives_a_bad_place_to_save_it(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    bad = ["/dev/null/x", str(tmp_path / "no" / "folder.risk"), "~nobodyx/x"]
    typed = "".join(f"save {name}\n" for name in bad) + "log 5\nquit\n"
    code, printed = rubicon(*CHOOSE, "--seed", "4", "--record", str(file), typed=typed)
    assert code == 0
    assert printed.count("record/cannot-write") == len(bad)
    assert Record.load(file).replay().history
    assert not (tmp_path / "no").exists()


def test_a_misspelt_command_gets_a_suggestion() -> None:
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed="hlep\nquit\n")
    assert "Did you mean 'help'?" in printed


def test_a_seat_cannot_take_back_the_decision_of_another() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    game.settle("dice 6 3 5")
    game.play("claim alaska")
    with pytest.raises(RubiconError) as refused:
        game.undo("blue")
    assert refused.value.code == "undo/not-yours"
    with pytest.raises(RubiconError) as refused:
        game.undo("red")
    assert refused.value.code == "undo/handed-over"


@pytest.mark.parametrize("name", ["greedy", "greedy 2", "random 17"])
def test_a_person_with_the_name_of_a_bot_stays_a_person(name: str) -> None:
    bots = ("greedy", "random")
    seats = read_seats(f"me:{name},me:{name},greedy,greedy", bots)
    names = [seat.name for seat in seats]
    assert len(set(names)) == len(names)
    assert seats_of_names(names, bots) == seats


def test_what_one_person_has_typed_is_not_called_back_by_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("prompt_toolkit.PromptSession.prompt", lambda self, _: "place alaska 3")
    terminal = Terminal(list)
    for prompt in ("red sealed 3> ", "orders> ", "Press Enter to hide this ", "blue attack> "):
        terminal.read(prompt)
        terminal.session(terminal.asked).history.append_string(prompt)
    assert terminal.session("red").history.get_strings()[0] == "red sealed 3> "
    assert terminal.session("blue").history.get_strings() == ["blue attack> "]
    terminal.session("").history.append_string("\x03")
    assert not terminal.session("").history.get_strings()


def test_a_line_to_be_corrected_stays_at_the_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    def prompt(self: object, text: str, default: str = "") -> str:
        shown.append(default)
        return default or text

    monkeypatch.setattr("prompt_toolkit.PromptSession.prompt", prompt)
    terminal = Terminal(list)
    terminal.draft = "att brazil > nroth africa"
    terminal.read("Press Enter to hide this ")
    assert terminal.read("red attack> ") == "att brazil > nroth africa"
    terminal.read("red attack> ")
    assert shown == ["", "att brazil > nroth africa", ""]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end differently on Windows")
def test_a_game_is_saved_when_the_reader_of_the_output_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    with subprocess.Popen(
        [*COMMAND, "--watch", "--seed", "1", "--record", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        # A slow machine says that it loads the rules; nothing else is an error.
        assert process.stderr.read().decode().strip() in ("", LOADING)
    assert process.returncode == 0
    assert Record.load(file).replay().history


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_game_is_saved_when_the_output_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [*COMMAND, "--watch", "--seed", "1", "--record", str(file)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "output/cannot-write" in done.stderr
    assert "Internal error" not in done.stderr
    assert Record.load(file).replay().history


def test_a_game_survives_an_unforeseen_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("armies")

    file = tmp_path / "game.risk"
    monkeypatch.setattr("rubicon.cli.terminal.session.Session.log_of", fail)
    typed = "pl brazil 20\nlog\n"
    code, printed = rubicon(*CHOOSE, "--seed", "4", "--record", str(file), typed=typed)
    assert code == 70
    assert "KeyError" in printed
    assert "place brazil 20" in [str(entry) for entry in Record.load(file).entries]


def test_the_own_file_may_be_named_in_another_way(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    roundabout = f"{tmp_path}/../{tmp_path.name}/game.risk"
    typed = f"save\nsave {roundabout}\nsave {file}\nquit\n"
    code, printed = rubicon(*CHOOSE, "--seed", "4", "--record", str(file), typed=typed)
    assert code == 0
    assert "play/file-exists" not in printed
    code, printed = rubicon("--resume", str(file), "--record", roundabout, typed="quit\n")
    assert code == 0


@pytest.mark.parametrize("name", ["x" * 300, "no/folder.risk"])
def test_a_place_that_cannot_be_written_is_said_before_the_game(tmp_path: Path, name: str) -> None:
    code, printed = rubicon(*CHOOSE, "--record", str(tmp_path / name), typed="pl brazil 2\n")
    assert code == 2
    assert "record/cannot-write" in printed
    assert "sealed" not in printed
