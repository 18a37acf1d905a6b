"""`rubicon verify`, through the front door."""

import io
import json
import sys
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.cli.verify import verdict_lines
from rubicon.dice.example import example_entries
from rubicon.dice.verify import SeatSummary, Verdict, verify
from tests.dice.forgeries import FORGERIES
from tests.dice.forging import Forgery
from tests.dice.tables import whole

ENTRIES = example_entries()
LINES = [entry.text() for entry in ENTRIES]
HEADS = [f"{entry.seq}:{entry.head.hex()}" for entry in ENTRIES]
ROLL = 4
WITH_CLIENTS = (
    "6 of 6 requests had a client of a player in them; the operator could know their dice"
    " in advance only together with those players."
)
KEY = ENTRIES[0].body["participants"]["red"]["key"]  # type: ignore[index, call-overload]


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
    assert capsys.readouterr().out.splitlines() == [
        "The dice are unchanged since the heads that you gave were kept.",
        WITH_CLIENTS,
        "table example: 23 lines, none of them wrong",
        "requests: 6, with 27 dice and 4 picks; 0 without any player's client",
        "red: took part in 5 of 6; silent: 1; orders signed: 3, unsigned: 0",
        "blue: took part in 5 of 6; left: 1; orders signed: 1, unsigned: 0",
        "green: no client",
        "placements: 3 of 3 opened, sealed by clients: red, blue; by the server: green",
        "silent: red in request 3; the roll with its link: 4 3 v 5",
        "secrets: open; every order and every card was recomputed",
        f"head: {HEADS[-1]}",
    ]


@pytest.mark.parametrize(
    ("key", "said"), [(KEY, "your key: there, in 5 of 6"), ("00" * 32, "NOT THERE")]
)
def test_your_own_key(key: str, said: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["verify", str(file), "--key", key]) == (0 if key == KEY else 1)
    assert said in capsys.readouterr().out


def test_a_sealed_transcript(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("\n".join(LINES[:10]), "utf-8")
    capsys.readouterr()
    assert main(["verify", str(file)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("The dice follow from these lines. Only a head that someone kept")
    assert "\n1 of 1 requests had a client of a player in them" in shown
    assert "table example: 10 lines, none of them wrong\n" in shown
    assert "secrets: sealed until the end of the game; the last request waits for its" in shown


def test_a_game_without_dice_yet() -> None:
    told = list(verdict_lines(verify(ENTRIES[:2])))
    assert told[1] == "No request has been answered: there are no dice yet."


def test_what_is_not_signed_or_broken_off_is_told() -> None:
    seat = SeatSummary("red", took_part=1, lost=2, chains=2, uncertified=1, unsigned=3)
    verdict = Verdict(table="t", lines=9, requests=4, seats={"red": seat})
    verdict.earlier, verdict.trailing, verdict.broken = (("before", bytes(32)),), 2, True
    shown = "\n".join(verdict_lines(verdict))
    assert (
        "lost, on the server's word: 2; keys not certified: 1; orders signed: 0, unsigned: 3"
        in (shown)
    )
    assert "continues table before" in shown
    assert "the last 2 lines are not signed by the server" in shown
    assert "broken off" in shown


def test_the_first_words_say_what_the_operator_could_know(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = whole()
    path = tmp_path / "game.dice"
    path.write_text("".join(f"{entry.text()}\n" for entry in entries), "utf-8")
    kept = entries[9]
    assert main(["verify", str(path), "--head", f"{kept.seq}:{kept.head.hex()}"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "The dice are unchanged up to line 10, since the heads that you gave were kept; the later"
        " lines follow from those before.",
        "9 of 11 requests had a client of a player in them; the operator could know the dice of the"
        " other 2 in advance.",
    ]
    assert main(["verify", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    numbers = {name: found[name] for name in ("answered", "with_clients", "known_to_operator")}
    assert numbers == {"answered": 11, "with_clients": 9, "known_to_operator": 2}
    assert (found["dice_server"], found["known_up_to"]) == (0, None)


def test_with_a_dice_server_the_operator_alone_knows_nothing() -> None:
    verdict = verify(whole(dice_server=True))
    assert (verdict.without_clients, verdict.known_to_operator) == (2, 0)
    assert "an independent dice server took part in 11" in list(verdict_lines(verdict))
    assert list(verdict_lines(verdict))[1] == (
        "An independent dice server took part in all 11 requests: if its operator is honest, no one"
        " could know the first roll of any of them in advance."
    )


@pytest.mark.parametrize(
    "forgery",
    [one for one in FORGERIES if one.name != "no beginning"][::6],
    ids=lambda forgery: forgery.name,
)
def test_a_forgery(forgery: Forgery, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "forged.jsonl"
    path.write_text("".join(f"{line}\n" for line in forgery.lines), "utf-8")
    heads = [argument for head in forgery.heads for argument in ("--head", head)]
    assert main(["verify", str(path), *heads]) == 1
    shown = capsys.readouterr().out
    begin = f"bad: line {forgery.seq + 1} (number {forgery.seq}) [dice/{forgery.code}]: "
    assert shown.startswith(begin)


def test_for_programs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["verify", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["lines"], found["fault"]) == (True, 23, None)
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
    assert "table example: 23 lines" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\x00\xff" * 1000, "not-utf8"),
        (b"hello", "cut"),
        (b"hello\n", "not-a-transcript"),
        ("\n".join(LINES).encode()[:-100], "cut"),
        (LINES[0].replace("rdice/2", "rdice/7").encode(), "newer"),
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
