"""`rubicon review`, through the front door."""

import json
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.rules.record import ENDING, Record
from tests.players.review.reviewed_game import finished_game
from tests.rules.notation.played import played


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.risk"
    Record.of(finished_game()).save(path)
    return path


def test_a_review_for_people(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = finished_game()
    assert main(["review", str(file)]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert f"{game.winner} has won in round {int(game.position.round_number)}." in lines[0]
    assert len([line for line in lines if line[:2] in {"1.", "2.", "3.", "4.", "5."}]) == 5
    assert any("better: " in line and " -> " in line for line in lines)
    for colour in game.colours:
        assert len([line for line in lines if line.startswith(f"  {colour}")]) == 3
    assert shown.err == ""


def test_a_review_for_programs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(file), "--json"]) == 0
    form = json.loads(capsys.readouterr().out)
    assert [seat["colour"] for seat in form["seats"]] == list(finished_game().colours)
    assert len(form["moments"]) == 5
    assert len(form["chances"]) == len(finished_game().history)
    assert form["chances"][-1]["chances"][finished_game().winner] == 1.0


def test_an_unfinished_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "running.risk"
    Record.of(played("classic", 3, 60)).save(path)
    assert main(["review", str(path)]) == 2
    said = capsys.readouterr().err
    assert "review/not-yet" in said
    assert "rubicon play --resume" in said


def test_an_agreed_draw_is_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "draw.risk"
    Record.of(played("classic", 3, 60), {ENDING: "draw agreed"}).save(path)
    assert main(["review", str(path)]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "Classic RISK: the players agreed on a draw in the set-up."


def test_a_file_that_is_no_record_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann,\n", "utf-8")
    assert main(["review", str(path)]) == 2
    assert "record/" in capsys.readouterr().err
