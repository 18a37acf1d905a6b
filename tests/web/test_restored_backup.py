"""A server that goes on from an older backup: its players' programs stop the game, and it forks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rubicon.cli.main import main
from rubicon.client import ApiError, Client, DiceAlarm, DicePart
from rubicon.dice.journal import Journal
from rubicon.dice.lines.entry import Entry
from rubicon.dice.transcript import entries_of
from rubicon.dice.verify import verify
from tests.web.api.test_dice import PATIENT, answers, checked, play, seat_of, until
from tests.web.conftest import RunningServer, in_process

SMALL = {"board": "skerries", "seats": 3, "bots": {2: "greedy"}, "settings": PATIENT}


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Journals without a name of their own do not go to the home of who runs the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "rubicon" / "dice"


@dataclass
class Lost:
    """A game that was played on after the backup of a database, which was then restored."""

    game: str
    tokens: list[str]
    folder: Path  # of the restored database
    before: str  # the transcript that everybody has seen
    seats: list[str]

    @property
    def store(self) -> str:
        """The URL of the restored database."""
        return f"sqlite:///{self.folder}/rubicon.db"

    @contextmanager
    def restored(self) -> Iterator[tuple[RunningServer, list[Client]]]:
        """The server goes on from the backup."""
        with in_process(self.folder) as server, ExitStack() as stack:
            yield server, [stack.enter_context(server.connect(token)) for token in self.tokens]


@pytest.fixture
def lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Lost:
    """Two programs take part, and see answers that the restored database does not hold."""
    again, backup = tmp_path / "again", tmp_path / "monday.jsonl"
    with in_process(tmp_path) as server, server.client("Ann") as ann, server.client("Bob") as bob:
        game = ann.open_table(**SMALL)["game"]
        bob.join(game)
        for client in (ann, bob):
            client.take_part(game)
        ann.start(game)
        play((ann, bob), game, lambda: answers(ann, game) >= 3)
        store = f"sqlite:///{tmp_path}/rubicon.db"
        assert main(["table", "backup", str(backup), "--store", store]) == 0
        kept = answers(ann, game)
        play((ann, bob), game, lambda: answers(ann, game) >= kept + 3)
        for client in (ann, bob):
            client.check_dice(game)
            client._dice.pop(game).stop()  # no farewell: the server goes down
        found = Lost(game, [ann.token, bob.token], again, ann.transcript(game), [])
        found.seats = [seat_of(client, game) for client in (ann, bob)]
    again.mkdir()
    assert main(["table", "restore", str(backup), "--store", found.store]) == 0
    capsys.readouterr()
    return found


def keys_of_requests(transcript: str) -> set[tuple[str, int, str]]:
    """Genesis, number and head of every request: what would be rolled twice has two heads."""
    entries = entries_of(transcript)
    genesis = entries[0].head.hex()
    return {(genesis, int(e.body["n"]), e.head.hex()) for e in entries if e.kind == "request"}  # type: ignore[arg-type]


def continued(client: Client, game: str) -> str:
    """The game that continues another one."""
    [told] = [each for each in client.past_events(game) if each["kind"] == "fork"]
    return str(told["body"]["game"])


def alarmed(client: Client, game: str) -> DiceAlarm:
    """The alarm when a client takes part again."""
    with pytest.raises(DiceAlarm) as raised:
        client.take_part(game)
    return raised.value


def test_the_game_stops_is_forked_and_played_to_its_end(
    lost: Lost, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, file = lost.game, tmp_path / "dice.jsonl"
    with lost.restored() as (_, (ann, bob)):
        alarm = alarmed(ann, game)
        assert alarm.code == "lines-lost"
        state = bob.game(game)
        assert (state["waiting_for"], state["decision"]) == ("lines-lost", None)
        assert alarmed(bob, game).code == "lines-lost"  # it has stopped already
        kinds = [each["kind"] for each in bob.past_events(game)]
        assert kinds.count("stopped") == 1
        with pytest.raises(ApiError) as refused:
            ann._session.post(f"/games/{game}/submit", decision=0, text="end attack", orders=False)
        assert refused.value.code == "dice/lines-lost"
        index = state["index"] - 1
        assert f"'fork {index}'" in str(refused.value)
        stopped = ann.transcript(game)
        assert len(stopped) < len(lost.before)
        for client in (ann, bob):
            client.vote(game, f"fork {index}")
        fork = continued(ann, game)
        parts = [client.take_part(fork) for client in (ann, bob)]
        until(lambda: len(ann.game(fork)["dice_clients"]) == 2)
        many = answers(ann, fork) + 3
        play((ann, bob), fork, lambda: answers(ann, fork) >= many)
        for client in (ann, bob):
            if client.game(fork)["result"] is None:
                client.out_of_turn(fork, f"resign {seat_of(client, fork)}")
        until(lambda: ann.game(fork)["result"] is not None)
        assert [part.client.alarms for part in parts] == [[], []]
        verdict = checked(ann, fork)
        assert verdict.opened
        genesis = entries_of(lost.before)[0].head
        assert list(verdict.earlier) == [(game, genesis)]
        assert ann.transcript(game) == stopped  # nothing was asked any more
        requests = keys_of_requests(lost.before) | keys_of_requests(stopped)
        assert len({(genesis, n) for genesis, n, _ in requests}) == len(requests)
        assert not {one[0] for one in keys_of_requests(ann.transcript(fork))} & {genesis.hex()}
        file.write_text(stopped, "utf-8")
        continuing = tmp_path / "fork.jsonl"
        continuing.write_text(ann.transcript(fork), "utf-8")
    capsys.readouterr()
    assert main(["table", "verify", "--store", lost.store]) == 0
    assert f"was shown to players; continued as {fork}" in capsys.readouterr().out
    assert main(["verify", str(file)]) == 0  # by itself it is right
    assert main(["verify", str(continuing)]) == 0
    assert f"continues table {game}, " in (shown := capsys.readouterr().out)
    assert "dice that were seen there after the common position are rolled again here" in shown
    assert main(["verify", str(file), "--journal", str(alarm.journal)]) == 1
    shown = capsys.readouterr().out
    assert "[dice/cut-log]" in shown
    assert "alarm that your client raised" in shown
    assert "lines-lost" in shown


def test_a_program_that_runs_meanwhile_stops_the_game(lost: Lost) -> None:
    with lost.restored() as (_, (ann, bob)):
        part = DicePart(ann._session, lost.game, lost.seats[0])
        part.give()
        assert [alarm.code for alarm in part.client.alarms] == ["lines-lost"]
        part.close()
        assert bob.game(lost.game)["waiting_for"] == "lines-lost"


def test_the_operator_continues_a_stopped_game(
    lost: Lost, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["table", "fork", lost.game, "--store", lost.store]
    assert main(command) == 2
    assert "[fork/not-stopped]" in capsys.readouterr().err
    with lost.restored() as (_, (ann, _)):
        alarmed(ann, lost.game)
    assert main(["table", "verify", "--store", lost.store]) == 0
    assert f"stopped; rubicon table fork {lost.game}" in capsys.readouterr().out
    assert main(command) == 0
    said = capsys.readouterr().out.splitlines()
    fork = said[0].removeprefix("game: ")
    assert "are rolled again" in said[1]
    assert main(command) == 2
    assert "[game/forked]" in capsys.readouterr().err
    assert main(["table", "verify", "--store", lost.store]) == 0
    with lost.restored() as (_, (ann, bob)):
        assert continued(bob, lost.game) == fork
        assert ann.game(fork)["seats"] == ann.game(lost.game)["seats"]
        play((ann, bob), fork, lambda: answers(ann, fork) >= 2)
        assert verify(entries_of(ann.transcript(fork))).ok


def test_a_stopped_game_is_still_stopped_behind_a_restart(lost: Lost) -> None:
    with lost.restored() as (_, (ann, _)):
        alarmed(ann, lost.game)
        stopped = ann.transcript(lost.game)
    with lost.restored() as (_, (ann, bob)):
        assert ann.game(lost.game)["waiting_for"] == "lines-lost"
        with pytest.raises(ApiError) as refused:
            bob.vote(lost.game, "pause")
        assert refused.value.code == "dice/lines-lost"
        assert ann.transcript(lost.game) == stopped
        for client in (ann, bob):
            client.vote(lost.game, "draw")  # to end it is possible too
        assert ann.game(lost.game)["result"] == "draw"
        assert checked(ann, lost.game).opened


def proof(lost: Lost, shown: str) -> list[str]:
    """The lines that the restored server lacks."""
    return lost.before.splitlines()[len(shown.splitlines()) :]


def without_signature(line: str) -> str:
    """A line as anybody can write it."""
    entry = Entry.parse(line)
    return Entry(entry.seq, entry.prev, entry.kind, entry.body).text()


def numbered(line: str, seq: int) -> str:
    """A line with another number."""
    entry = Entry.parse(line)
    return Entry(seq, entry.prev, entry.kind, entry.body).text()


def test_nobody_stops_a_game_without_the_servers_signature(lost: Lost) -> None:
    with lost.restored() as (server, (ann, bob)), server.client("Cid") as cid:
        shown = ann.transcript(lost.game)
        lines = proof(lost, shown)
        other = cid.open_table(**SMALL)["game"]
        forged: list[Any] = [
            [without_signature(line) for line in lines],
            lines[1:],
            [lines[0].replace('"n":', '"n":1')],
            shown.splitlines()[-1:],
            ["no line"],
            [numbered(lines[0], 2**40)],  # no integer column of a database is that large
        ]
        for one in forged:
            with pytest.raises(ApiError) as refused:
                bob._session.post(f"/games/{lost.game}/dice/ahead", lines=one)
            assert refused.value.code == "dice/no-proof", one
            assert refused.value.body["suggestion"]
        with pytest.raises(ApiError) as refused:
            cid._session.post(f"/games/{lost.game}/dice/ahead", lines=lines)
        assert refused.value.code == "seat/required"
        with pytest.raises(ApiError) as refused:
            cid._session.post(f"/games/{other}/dice/ahead", lines=lines)
        assert refused.value.code == "game/not-begun"
        assert ann.game(lost.game)["waiting_for"] != "lines-lost"
        bob._session.post(f"/games/{lost.game}/dice/ahead", lines=lines)
        assert ann.game(lost.game)["waiting_for"] == "lines-lost"
        index = ann.game(lost.game)["index"] - 1
        for client in (ann, bob):
            client.vote(lost.game, f"fork {index}")
        fork = continued(ann, lost.game)
        for game, code in ((lost.game, "game/forked"), (fork, "dice/no-proof")):
            with pytest.raises(ApiError) as refused:  # the same evidence stops nothing else
                bob._session.post(f"/games/{game}/dice/ahead", lines=lines)
            assert refused.value.code == code


def test_a_game_that_was_lost_before_its_start_raises_an_alarm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again, backup = tmp_path / "again", tmp_path / "monday.jsonl"
    again.mkdir()
    with in_process(tmp_path) as server, server.client("Ann") as ann, server.client("Bob") as bob:
        game, token = ann.open_table(**SMALL)["game"], ann.token
        bob.join(game)
        ann.take_part(game)
        main(["table", "backup", str(backup), "--store", f"sqlite:///{tmp_path}/rubicon.db"])
        ann.start(game)
        play((ann, bob), game, lambda: answers(ann, game) >= 1)
        ann.check_dice(game)
        ann._dice.pop(game).stop()
    main(["table", "restore", str(backup), "--store", f"sqlite:///{again}/rubicon.db"])
    with in_process(again) as server, server.connect(token) as ann:
        alarm = alarmed(ann, game)
        assert alarm.code == "lines-lost"
        kept = Journal.read(alarm.journal.read_text("utf-8"))
        assert [one.seq for one in kept.alarms] == [0]
        assert json.loads(kept.lines[0])["body"]["table"] == game
    capsys.readouterr()
