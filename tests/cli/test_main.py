"""The door of the terminal: commands are found late, and errors teach."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from rubicon.cli import main as door
from rubicon.errors import RubiconError


def use(
    monkeypatch: pytest.MonkeyPatch, error: BaseException | None, result: object = None
) -> None:
    """Let the command `warmup` end in this way."""

    @click.command()
    def command() -> object:
        if error is not None:
            raise error
        return result

    monkeypatch.setattr("rubicon.cli.warmup.command", command)


def test_help_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert door.main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert "warmup" in shown
    assert door.COMMANDS["warmup"] in shown


def test_help_imports_neither_numba_nor_numpy() -> None:
    code = (
        "import sys; from rubicon.cli.main import main; main(['--help'])\n"
        "sys.exit(bool({'numba', 'numpy', 'rich'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_module_does_not_break_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(door.COMMANDS, "nowhere", "There is no such module.")
    assert door.main(["--help"]) == 0
    assert "nowhere" not in capsys.readouterr().out
    assert door.main(["nowhere"]) == door.USAGE


def test_every_command_of_the_table_can_be_asked_for_help(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in door.group.list_commands(click.Context(door.group)):
        assert door.main([name, "--help"]) == 0
        assert capsys.readouterr().out.startswith(f"Usage: rubicon {name}")


def test_a_misspelt_command_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert door.main(["warmpu"]) == door.USAGE
    assert "Did you mean 'warmup'?" in capsys.readouterr().err


def test_an_unknown_option_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert door.main(["--colour"]) == door.USAGE
    assert "--colour" in capsys.readouterr().err


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert door.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("rubicon, version 0.")


def test_an_error_is_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, RubiconError("board/unknown", "There is no board 'moon'.", "Try 'world'."))
    assert door.main(["warmup"]) == door.USAGE
    shown = capsys.readouterr()
    assert shown.err == "Error: There is no board 'moon'. Try 'world'. [board/unknown]\n"
    assert shown.out == ""


def test_an_unforeseen_error_is_one_friendly_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(door.TRACEBACK, raising=False)
    use(monkeypatch, KeyError("armies"))
    assert door.main(["warmup"]) == door.INTERNAL
    shown = capsys.readouterr().err
    assert "KeyError" in shown
    assert "RUBICON_TRACEBACK=1" in shown
    assert shown.count("\n") == 1


def test_the_traceback_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(door.TRACEBACK, "1")
    use(monkeypatch, KeyError("armies"))
    with pytest.raises(KeyError):
        door.main(["warmup"])


def test_control_c_ends_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, KeyboardInterrupt())
    assert door.main(["warmup"]) == door.INTERRUPTED
    assert capsys.readouterr().err.strip() == "Stopped."


def test_the_end_of_the_input_is_no_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, EOFError())
    assert door.main(["warmup"]) == 1


@pytest.mark.parametrize(("result", "code"), [(None, 0), (3, 3), ("text", 0)])
def test_a_command_may_answer_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, result: object, code: int
) -> None:
    use(monkeypatch, None, result)
    assert door.main(["warmup"]) == code


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end differently on Windows")
@pytest.mark.parametrize("many", ["1", "100_000"], ids=["at the end", "in the middle"])
def test_a_reader_that_leaves_early_hears_no_complaint(many: str) -> None:
    code = (
        "import sys, click, rubicon.cli.warmup as w; from rubicon.cli.main import main\n"
        f"w.command = click.command()(lambda: sys.stdout.write('line\\n' * {many}) and None)\n"
        "sys.stdin.read(); sys.exit(main(['warmup']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("arguments", [["--version"], ["play", "--help"]])
def test_output_for_which_there_is_no_room_is_a_sentence(arguments: list[str]) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rubicon.cli.main", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == door.USAGE
    assert done.stderr.startswith("Error: The output cannot be written")
    assert done.stderr.count("\n") == 1


def test_nothing_is_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert door.main(["perft", "classic", "--depth", "0"]) == door.USAGE
    assert "is not in the range" in capsys.readouterr().err
