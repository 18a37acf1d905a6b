"""Going on with a kept game whose file was damaged, and what is refused before any waiting."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rubicon.rules.record import Record
from tests.cli.at_terminal import QUICK, rubicon


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    """A kept game whose last line was cut in the middle."""
    file = tmp_path / "game.risk"
    rubicon(*QUICK, "--seed", "4", "--record", str(file), typed="pl brazil 20\n")
    file.write_bytes(file.read_bytes()[:-4])
    return file


def test_a_damaged_game_says_how_it_can_go_on(cut: Path) -> None:
    code, printed = rubicon("--resume", str(cut), typed="quit\n")
    assert code == 2
    assert "record/cut" in printed
    assert "--resume FILE --salvage" in printed


def test_a_salvaged_game_goes_on_in_a_file_of_its_own(cut: Path) -> None:
    damaged = cut.read_bytes()
    code, printed = rubicon("--resume", str(cut), "--salvage", typed="pl brazil 3\nquit\n")
    assert code == 0
    assert "1 line of the file cannot be read. It stays as it is" in " ".join(printed.split())
    assert cut.read_bytes() == damaged
    kept = re.search(r"rubicon play --resume (.+)", printed)
    assert kept is not None
    entries = [str(entry) for entry in Record.load(kept[1].strip()).entries]
    assert entries[-1] == "place brazil 3"
    assert "place brazil 20" not in entries


def test_a_whole_game_is_not_salvaged_but_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.risk"
    rubicon(*QUICK, "--seed", "4", "--record", str(file), typed="quit\n")
    code, printed = rubicon("--resume", str(file), "--salvage", typed="pl brazil 3\nquit\n")
    assert code == 0
    assert "cannot be read" not in printed
    assert "place brazil 3" in file.read_text()


def test_what_is_no_game_at_all_cannot_be_salvaged(tmp_path: Path) -> None:
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
def test_nobody_waits_for_a_refusal(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def warm(_: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rubicon.cli.play.warm_kernels", warm)
    code, printed = rubicon(*arguments)
    assert code == 2
    assert "error [" in printed
