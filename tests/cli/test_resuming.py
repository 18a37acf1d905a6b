"""Continuing a saved game whose file is damaged; errors come before anything is compiled."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rubicon.rules.record import Record
from tests.cli.at_terminal import CHOOSE, rubicon


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    """A saved game whose last line is cut in the middle."""
    file = tmp_path / "game.risk"
    rubicon(*CHOOSE, "--seed", "4", "--record", str(file), typed="pl brazil 20\n")
    file.write_bytes(file.read_bytes()[:-4])
    return file


def test_the_error_of_a_damaged_game_says_how_it_can_continue(cut: Path) -> None:
    code, printed = rubicon("--resume", str(cut), typed="quit\n")
    assert code == 2
    assert "record/cut" in printed
    assert "--resume FILE --salvage" in printed


def test_a_salvaged_game_continues_in_a_new_file(cut: Path) -> None:
    damaged = cut.read_bytes()
    code, printed = rubicon("--resume", str(cut), "--salvage", typed="pl brazil 3\nquit\n")
    assert code == 0
    assert "1 line of the file cannot be read. The file stays as it is" in " ".join(printed.split())
    assert cut.read_bytes() == damaged
    saved = re.search(r"rubicon play --resume (.+)", printed)
    assert saved is not None
    entries = [str(entry) for entry in Record.load(saved[1].strip()).entries]
    assert entries[-1] == "place brazil 3"
    assert "place brazil 20" not in entries


def test_a_whole_game_is_not_salvaged_but_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    rubicon(*CHOOSE, "--seed", "4", "--record", str(file), typed="quit\n")
    code, printed = rubicon("--resume", str(file), "--salvage", typed="pl brazil 3\nquit\n")
    assert code == 0
    assert "cannot be read" not in printed
    assert "place brazil 3" in file.read_text()


def test_a_file_without_a_game_cannot_be_salvaged(tmp_path: Path) -> None:
    file = tmp_path / "noise"
    file.write_bytes(b"\xff\xfe\x00")
    code, printed = rubicon("--resume", str(file))
    assert code == 2
    assert "record/not-utf8" in printed
    assert "salvage" not in printed
    assert rubicon("--resume", str(file), "--salvage")[0] == 2
    assert "--resume FILE --salvage" in rubicon("--salvage")[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["clasic"],
        ["--board", "atlantis"],
        ["--seats", "me,gredy"],
        ["--resume", "nowhere"],
        ["--record", "no/folder"],
    ],
)
def test_a_wrong_command_line_is_refused_before_compiling(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def warm(_: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rubicon.cli.play.warm_kernels", warm)
    code, printed = rubicon(*arguments)
    assert code == 2
    assert printed.startswith(("Error: ", "Usage: "))
