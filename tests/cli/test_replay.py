"""`rubicon replay` and `rubicon position`, through the front door."""

import json
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.rules.notation.positions import position_text
from rubicon.rules.record import Record
from tests.rules.notation.played import played

GAME = played("revised", 4, 300)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.risk"
    Record.of(GAME).save(path)
    return path


def test_replay_shows_the_final_position(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file)]) == 0
    shown = capsys.readouterr().out
    assert f"300 entries, final position: {GAME}" in shown
    assert "no winner yet" in shown


def test_replay_checks(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file), "--check"]) == 0
    assert capsys.readouterr().out == "ok: 300 entries\n"
    file.write_text(file.read_text("utf-8").replace('[Result "*"]', '[Result "red"]'), "utf-8")
    assert main(["replay", str(file), "--check"]) == 2
    assert "record/wrong-result" in capsys.readouterr().err


def test_replay_stops_where_it_is_asked(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file), "--to", "7"]) == 0
    assert "7 entries, final position: position 1 /" in capsys.readouterr().out
    assert main(["replay", str(file), "--to", "-1"]) == 2


def test_replay_for_programs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file), "--json"]) == 0
    form = json.loads(capsys.readouterr().out)
    assert form["entries"] == 300
    assert form["text"] == str(GAME)


def test_replay_of_a_damaged_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(file.read_bytes()[:3000])
    assert main(["replay", str(file)]) == 2
    assert "record/cut" in capsys.readouterr().err
    assert main(["replay", str(file), "--salvage"]) == 0
    shown = capsys.readouterr()
    assert "entries, final position" in shown.out
    assert "1 line of the file cannot be read" in shown.err


def test_replay_of_a_broken_rule(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = file.read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if "claim" in line)
    file.write_text("\n".join([*lines[: at + 1], *lines[at:]]) + "\n", "utf-8")
    assert main(["replay", str(file)]) == 2
    assert f"line {at + 2}: " in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"hello\n", b"\x00" * 100])
@pytest.mark.parametrize("command", ["replay", "position"])
def test_other_files(
    tmp_path: Path, content: bytes, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    for arguments in ([command, str(path)], [command, str(tmp_path)], [command, str(path) + "x"]):
        assert main(arguments) == 2
        assert capsys.readouterr().err.startswith("Error: ")


def test_position_from_a_line_or_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "position.txt"
    path.write_text(f"{GAME}\n", encoding="utf-8")
    shown = []
    for given in (str(GAME), str(path)):
        assert main(["position", given]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert shown[0].endswith(f"{GAME}\n")
    assert "legal actions" in shown[0] or "Chance is pending" in shown[0]


def test_position_of_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    for entries in (0, 30, 100, 200, 280):
        game = played("email", 3, entries)
        assert main(["position", str(game)]) == 0
        for colour in (None, *game.colours):
            assert main(["position", position_text(game.ruleset, game.view(colour))]) == 0
    assert "This is a view" in capsys.readouterr().out


def test_position_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["position", str(GAME), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "position"


@pytest.mark.parametrize("given", ["", "x" * 5000, "a\0b", "position 1 /", "position 9 / x"])
def test_other_lines(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["position", given]) == 2
    assert "[position/" in capsys.readouterr().err


def test_a_record_is_no_position(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["position", str(file)]) == 2
    assert "rubicon replay" in capsys.readouterr().err
