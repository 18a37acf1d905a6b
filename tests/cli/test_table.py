"""`rubicon table`, through the front door."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.table.lobby.seats import seats_of
from rubicon.table.storage.database import Store, migrate
from rubicon.table.table_service import TableService
from tests.table.hosted import GAME, Hosted
from tests.table.storage.test_database import begin


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store that the environment names."""
    name = f"sqlite:///{tmp_path}/games.db"
    monkeypatch.setenv("RUBICON_STORE", name)
    return name


@pytest.fixture
def game(url: str) -> Iterator[Hosted]:
    """A game in the middle, at a server that runs."""
    store = Store.open(url)
    migrate(store)
    game = begin(TableService(store))
    game.play(10)
    yield game
    store.close()


def test_reading_beside_a_server(
    game: Hosted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", "verify"]) == 0
    entries = f"{game.snapshot.head + 1} log lines"
    assert capsys.readouterr().out.startswith(f"verified: 1 of 1 games, {entries}")
    assert main(["table", "backup", str(tmp_path / "b.jsonl")]) == 0
    assert main(["table", "export", GAME, str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "facts.jsonl").exists()
    assert main(["table", "export", GAME, str(tmp_path / "out")]) == 2
    assert "export/cannot-write" in capsys.readouterr().err
    for command in (["migrate"], ["restore", str(tmp_path / "b.jsonl")]):
        assert main(["table", *command]) == 2
        assert "store/held" in capsys.readouterr().err


def test_a_fault_is_named_and_told_by_the_exit_status(
    game: Hosted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connection = sqlite3.connect(tmp_path / "games.db")
    connection = sqlite3.connect(tmp_path / "games.db")
    index, outcome = connection.execute(
        "SELECT log_index, text FROM log WHERE kind = 'outcome' ORDER BY log_index LIMIT 1"
    ).fetchone()
    other = re.sub(r"\d", lambda face: str(int(face[0]) % 6 + 1), outcome)
    connection.execute("UPDATE log SET text = ? WHERE log_index = ?", (other, index))
    connection.commit()
    connection.close()
    assert main(["table", "verify", "--game", GAME]) == 1
    shown = capsys.readouterr().out
    assert f"bad: game abcdefghij, log index {index} [log/other-outcome]: " in shown
    assert f"  expected: {outcome}\n  found:    {other}\nverified: 0 of 1 games" in shown
    head = f"{GAME}:0:{'a' * 16}"
    assert main(["table", "verify", "--head", head]) == 1
    assert main(["table", "verify", "--game", "nobody"]) == 2
    assert "game/unknown" in capsys.readouterr().err


def test_a_whole_way_round(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in ("verify", "backup b.jsonl", "export x y"):
        assert main(["table", *command.split()]) == 2
        assert "store/none" in capsys.readouterr().err
    record = tmp_path / "some game.txt"
    record.write_text(
        '[Rubicon "1"]\n[Ruleset "classic 1"]\n[Board "skerries 1"]\n'
        '[Seats "red: Ann; blue; green"]\n'
        "\n= dice 1 6 1\nblue: claim marrowby\n",
        "utf-8",
    )
    assert main(["table", "import", str(record), "--bot", "blue=greedy"]) == 0
    shown = capsys.readouterr().out
    found = re.fullmatch(r"game: (\w{10})\nred: (\w+)\ngreen: (\w+)\n", shown)
    assert found
    assert main(["table", "verify"]) == 0
    again = f"sqlite:///{tmp_path}/again.db"
    assert main(["table", "backup", str(tmp_path / "b.jsonl.gz")]) == 0
    assert main(["table", "restore", str(tmp_path / "b.jsonl.gz"), "--store", again]) == 0
    assert "1 game," in capsys.readouterr().out
    assert main(["table", "verify", "--store", again, "--game", found[1]]) == 0
    assert main(["table", "import", str(record), "--bot", "greedy"]) == 2
    capsys.readouterr()
    assert main(["table", "import", str(record), "--bot", "red=deepblue"]) == 2
    assert "lobby/unknown-bot" in capsys.readouterr().err
    assert main(["table", "import", str(record), "--bot", "blue=strongest"]) == 0
    stronger = re.search(r"game: (\w+)", capsys.readouterr().out)
    assert stronger
    table = Store.open(url)
    seats = table.read(lambda connection: seats_of(connection, stronger[1]))
    assert [(seat.bot, seat.name) for seat in seats if seat.bot] == [("expert", "expert")]
    table.close()
    assert main(["table", "verify", "--store", "mysql://host/db"]) == 2
    assert "store/bad-url" in capsys.readouterr().err


def test_a_store_that_is_not_migrated(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    Store.open(url).close()
    assert main(["table", "verify"]) == 2
    assert "store/older" in capsys.readouterr().err
    assert main(["table", "migrate"]) == 0
    assert main(["table", "verify"]) == 0
    said, checkpoint = capsys.readouterr().out.splitlines()[-2:]
    assert said == "verified: 0 of 0 games, 0 log lines, 0 answers of the dice"
    assert checkpoint.startswith("checkpoint: games:0:")


def test_nothing_is_imported_before_it_is_needed() -> None:
    program = "import sys; import rubicon.cli.table; sys.exit('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
