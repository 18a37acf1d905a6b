"""`rubicon verify`, through the front door."""

import io
import json
import sys
from pathlib import Path

import pytest

from rubicon.cli.main import main
from tests.dice.forgeries import FORGERIES, HEADS, LINES, ROLL, Forgery


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "dice.jsonl"
    assert main(["verify", "--example", str(path)]) == 0
    return path


def test_the_example_is_written_once(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert file.read_text("utf-8").splitlines() == LINES
    assert main(["verify", "--example", str(file)]) == 2
    assert "dice/cannot-write" in capsys.readouterr().err


def test_an_honest_transcript(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    heads = [argument for head in HEADS for argument in ("--head", head)]
    assert main(["verify", str(file), *heads]) == 0
    assert capsys.readouterr().out == (
        "verified: 16 entries, 17 dice, 2 picks\n"
        "In 4 of 5 answers a player's own link took part.\n"
        f"head: {HEADS[-1]}\n"
    )


def test_a_sealed_transcript(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("\n".join(LINES[:10]), "utf-8")
    capsys.readouterr()
    assert main(["verify", str(file)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("verified: 10 entries, 2 dice, 2 picks\nThe seeds are still sealed.")
    assert "still to be answered" in shown


def test_silence_and_signatures_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from rubicon.cli.verify import _lines  # noqa: PLC0415
    from rubicon.dice.verify import Verdict  # noqa: PLC0415

    lines = list(_lines(Verdict(9, answers=3, mixed=2, silent=1, signatures=4, opened=True)))
    assert lines[1].endswith("in 1 a seat was silent.")
    assert lines[2] == "4 signatures were not checked."


@pytest.mark.parametrize("forgery", FORGERIES[::6], ids=lambda forgery: forgery.name)
def test_a_forgery(forgery: Forgery, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "forged.jsonl"
    path.write_text("".join(f"{line}\n" for line in forgery.lines), "utf-8")
    heads = [argument for head in forgery.heads for argument in ("--head", head)]
    assert main(["verify", str(path), *heads]) == 1
    shown = capsys.readouterr().out
    begin = f"bad: line {forgery.seq + 1}, entry {forgery.seq} [dice/{forgery.code}]: "
    assert shown.startswith(begin)
    assert "\n  expected: " in shown
    assert "\n  found:    " in shown


def test_for_programs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["verify", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["entries"], found["fault"]) == (True, 16, None)
    head = HEADS[ROLL][:-1] + ("0" if HEADS[ROLL][-1] != "0" else "1")
    assert main(["verify", str(file), "--json", "--head", head]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["ok"]
    assert found["fault"]["code"] == "dice/other-history"
    assert found["fault"]["line"] == ROLL + 1


def test_standard_input(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(file.read_bytes()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert main(["verify", "-"]) == 0
    assert "verified: 16 entries" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\x00\xff" * 1000, "not-utf8"),
        (b"hello", "cut"),
        (b"hello\n", "not-a-transcript"),
        ("\n".join(LINES).encode()[:-100], "cut"),
        (LINES[0].replace("rdice/1", "rdice/7").encode(), "newer"),
    ],
)
def test_bad_files(
    data: bytes, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(data)
    assert main(["verify", str(path)]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("Error: ")
    assert f"[dice/{code}]" in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_files_that_cannot_be_read(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(tmp_path / name)]) == 2
    assert "dice/cannot-read" in capsys.readouterr().err


def test_a_head_that_is_none(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(file), "--head", "yesterday"]) == 2
    assert "dice/bad-head" in capsys.readouterr().err


def test_a_head_as_a_letter_quotes_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(file), "--head", f"example:{HEADS[10][:35]}"]) == 0
    capsys.readouterr()
    assert main(["verify", str(file), "--head", f"another:{HEADS[10][:35]}"]) == 1
    shown = capsys.readouterr().out
    assert "[dice/other-game]" in shown
    assert "expected: another" in shown
