"""`rubicon orders` on the command line."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rubicon.cli import main as door
from rubicon.cli.orders import WIDTH, command


def run(*words: str, typed: str | None = None) -> Result:
    result = CliRunner().invoke(command, list(words), input=typed, standalone_mode=False)
    assert result.exception is None, result.exception
    return result


def test_the_exact_text_is_printed() -> None:
    result = run("check", "-", typed="att kam > ala until left 3; stop")
    assert result.return_value == 0
    assert result.output == "ATTACK kamchatka -> alaska UNTIL LEFT 3\nEND ATTACK\n"


def test_mistakes_are_pointed_at(tmp_path: Path) -> None:
    file = tmp_path / "turn.txt"
    file.write_text("stop\n deploy 3 kamchatcka\nfoo", encoding="utf-8")
    result = run("check", str(file))
    assert result.return_value == 2
    assert result.stdout == "END ATTACK\nDEPLOY 3 kamchatka\n// ??? foo\n"
    shown = result.stderr.splitlines()
    assert shown[0].startswith("Line 2, column 11: World has no territory 'kamchatcka'.")
    assert shown[1:3] == ["   deploy 3 kamchatcka", "  " + " " * 10 + "^"]


def test_a_long_line_is_shown_around_the_place() -> None:
    typed = "deploy " + "3 kamchatka, " * 30 + "3 kamchatcka"
    shown = run("check", "-", typed=typed).stderr.splitlines()
    assert shown[1].strip().startswith("3 kam") or "kamchatcka" in shown[1]
    assert len(shown[1]) <= WIDTH + 2
    assert shown[1][shown[2].index("^") :].startswith("kamchatcka")


def test_orders_are_explained() -> None:
    result = run("explain", "-", typed="deploy rest kam\nEND")
    assert result.output.startswith("1. Put all armies that are left on Kamchatka.\nThen")
    assert run("explain", "-", typed="foo").return_value == 2


def test_names_are_those_of_the_board() -> None:
    on_skerries = run("check", "-", "--board", "skerries", typed="deploy 3 fen")
    assert on_skerries.output == "DEPLOY 3 fennick\n"
    assert run("check", "-", "--rules", "revised", typed="deploy 3 kam").return_value == 0
    assert run("check", "-", typed="deploy 3 fen").return_value == 2


def test_warnings_stand_beside_the_exact_text() -> None:
    result = run("check", "-", typed="stop\nThanks, Tom\n")
    assert (result.return_value, result.stdout) == (0, "END ATTACK\n")
    assert result.stderr.startswith("Line 2, column 1: 'Thanks, Tom' is no order")
    assert "[orders/passed-over]" in run("explain", "-", typed="stop\nThanks\nfoo 3").stderr


def test_an_attack_across_no_border_and_an_unconfirmed_request_are_warned_of() -> None:
    result = run("check", "-", typed="attack alaska > brazil; resign; trade best; indonesia 3")
    assert result.return_value == 0
    assert result.stdout.splitlines() == [
        "RESIGN",
        "ATTACK alaska -> brazil",
        "TRADE BEST",
        "DEPLOY 3 indonesia",
    ]
    first, second = result.stderr.splitlines()
    assert "Alaska does not border Brazil" in first
    assert first.endswith("[orders/not-adjacent]")
    assert "Write: RESIGN CONFIRM" in second
    assert second.endswith("[orders/unconfirmed]")


FILES = [
    (b"", "'turn.txt' has no orders.", "empty"),
    (b"// later\n\n", "'turn.txt' has no orders.", "empty"),
    (
        b"stop\n\xff\xfe > \x80\nSTOP",
        "'turn.txt' is not plain text: line 2 is not UTF-8",
        "no-text",
    ),
    ("stop".encode("utf-16"), "'turn.txt' is not plain text: line 1 is not UTF-8", "no-text"),
    (b"stop\n\n\0", "'turn.txt' is not plain text: line 3 is not UTF-8", "no-text"),
]


@pytest.mark.parametrize("word", ["check", "explain"])
@pytest.mark.parametrize(("content", "message", "code"), FILES)
def test_files_without_orders(
    word: str,
    content: bytes,
    message: str,
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("turn.txt").write_bytes(content)
    assert door.main(["orders", word, "turn.txt"]) == 2
    said = capsys.readouterr().err
    assert f"Error: {message}" in said
    assert f"[orders/{code}]" in said


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("no-such-file", "there is no such file"),
        (".", "it is a folder"),
        ("a\0b", "no file can have this name"),
        ("n" * 999, "file name too long"),
    ],
)
def test_files_that_cannot_be_read(
    name: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert door.main(["orders", "check", name]) == 2
    told = capsys.readouterr().err
    assert "[orders/no-file]" in told
    assert f"cannot be read: {why}." in told


def test_it_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert door.main(["--help"]) == 0
    assert "orders" in capsys.readouterr().out
