"""Changes to the log or the transcript of a game with deposits are found, with their place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rubicon.cli.main import main
from rubicon.dice.canonical import canonical
from rubicon.dice.hashing import digest
from rubicon.dice.seeds import request_id
from rubicon.table.admin.audit import Damaged, verify_store
from rubicon.table.admin.export_game import TRANSCRIPT, exported
from rubicon.table.storage.event_log import LineKind
from tests.table.commands.depositing import finished, log
from tests.table.hosted import GAME, SOON, Hosted, hosted
from tests.table.timed import Time, set_time

# Changes to the log.


@pytest.fixture
def played(game: Hosted, time: Time) -> Hosted:
    """A game with deposits, links and a silence that is over."""
    finished(game, time)
    return game


def forge(game: Hosted, statement: str) -> None:
    """Change something."""
    done = game.table.store.write(lambda c: c.exec_driver_sql(statement).rowcount)
    assert done.result(SOON) > 0


def damage(game: Hosted, statement: str) -> Damaged:
    """What is found when something was changed."""
    forge(game, statement)
    return verify_store(game.table.store).damaged[GAME]


def test_changed_lines_are_named(played: Hosted) -> None:
    lines = log(played)
    link = [line for line in lines if line.kind is LineKind.LINK][3]
    silent = next(line for line in lines if line.kind is LineKind.SILENT)
    deposited = next(line for line in lines if line.kind is LineKind.DEPOSIT)
    change = "UPDATE log SET text = '{}' WHERE log_index = {}"
    found = damage(played, change.format("ab" * 32, link.index))
    assert (found.index, found.code) == (link.index, "log/wrong-link")
    found = damage(
        played, f"UPDATE log SET kind = 'silent', text = '' WHERE log_index = {link.index}"
    )
    assert found.code == "log/other-link"
    found = damage(played, change.format(f"7 {'ab' * 32}", deposited.index))
    assert (found.index, found.code) == (deposited.index, "log/other-deposit")
    forge(played, change.format(deposited.text, deposited.index))
    forge(
        played, f"UPDATE log SET kind = 'link', text = '{link.text}' WHERE log_index = {link.index}"
    )
    assert verify_store(played.table.store).damaged == {}
    found = damage(played, f"UPDATE log SET seat = 'pink' WHERE log_index = {silent.index}")
    assert (found.index, found.code) == (silent.index, "log/no-link-wanted")


# Changes to the transcript: `rubicon verify` names the first bad entry.


Form = dict[str, Any]


@dataclass(frozen=True)
class Fault:
    """What is done to the entries of a transcript, and the code that must be named."""

    name: str
    code: str
    change: Callable[[list[Form], int], None]
    hashed: bool = True  # the heads are made to fit
    blamed: int | None = 0  # the entry, counted from the answer that is changed; None: a later one


def change_die(entries: list[Form], at: int) -> None:
    entries[at]["body"]["gives"]["attack"][0] = entries[at]["body"]["gives"]["attack"][0] % 6 + 1


def change_link(entries: list[Form], at: int) -> None:
    seat = max(entries[at]["body"]["links"])
    entries[at]["body"]["links"] |= {seat: "ab" * 32}


def say_silent(entries: list[Form], at: int) -> None:
    """The log says that a seat gave no link, but its hash chain continues."""
    seat = max(entries[at]["body"]["links"])
    entries[at]["body"]["links"] |= {seat: None}


def leave_out(entries: list[Form], at: int) -> None:
    del entries[at - 1 : at + 1]


def repeat(entries: list[Form], at: int) -> None:
    entries[at + 1 : at + 1] = json.loads(json.dumps(entries[at - 1 : at + 1]))


def change_seed(entries: list[Form], _: int) -> None:
    entries[-1]["body"]["seed"] = "ab" * 32


FAULTS = [
    Fault("a changed die", "dice/wrong-dice", change_die, hashed=False),
    Fault("a changed die, hashed again", "dice/wrong-dice", change_die),
    Fault("a changed link", "dice/wrong-link", change_link),
    Fault("a silence that was none", "dice/links", say_silent, blamed=None),
    Fault("a dropped roll", "dice/wrong-seq", leave_out, hashed=False, blamed=-1),
    Fault("a repeated roll", "dice/asked-before", repeat, blamed=1),
    Fault("another seed", "dice/wrong-seed", change_seed, blamed=10_000),
]


@pytest.fixture(scope="module")
def transcript_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """The lines of a whole game's dice, in which own links took part."""
    with pytest.MonkeyPatch.context() as patch:
        clock = set_time(patch)
        with hosted(tmp_path_factory.mktemp("dice")) as game:
            game.play(until="attack")
            finished(game, clock)
            files = game.table.store.read(lambda connection: exported(connection, GAME)).files
            yield files[TRANSCRIPT].splitlines()


def rehashed(entries: list[Form]) -> list[str]:
    """The lines with numbers and heads made to fit."""
    prev = bytes.fromhex(entries[0]["prev"])
    for seq, entry in enumerate(entries):
        entry |= {"seq": seq, "prev": prev.hex()}
        prev = digest("entry", canonical(entry))
    return [canonical(entry) for entry in entries]


def an_answer(entries: list[Form]) -> int:
    """A battle in the second half, into which a seat's own link went."""
    own = {e["body"]["seat"] for e in entries if e["body"].get("keeper") == "seat"}
    battles = [
        entry["seq"]
        for entry in entries
        if entry["kind"] == "answer"
        and "attack" in entry["body"]["gives"]
        and max(entry["body"]["links"]) in own
        and all(entry["body"]["links"].values())
    ]
    return int(battles[len(battles) // 2])


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_in_a_hosted_transcript_is_named(
    fault: Fault, transcript_of: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = [json.loads(line) for line in transcript_of]
    at = an_answer(entries)
    fault.change(entries, at)
    lines = rehashed(entries) if fault.hashed else [canonical(entry) for entry in entries]
    file = tmp_path / "dice.jsonl"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    assert main(["verify", "--json", str(file)]) == 1
    found = json.loads(capsys.readouterr().out)["fault"]
    assert found["code"] == fault.code
    if fault.blamed is None:
        assert found["seq"] > at
    else:
        assert found["seq"] == min(at + fault.blamed, len(lines) - 1)


def test_a_cut_or_remade_transcript_does_not_fit_a_link_owners_head(
    transcript_of: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = [json.loads(line) for line in transcript_of]
    at = an_answer(entries)
    witness = f"{at}:{entries[at + 1]['prev']}"
    file = tmp_path / "dice.jsonl"
    file.write_text("\n".join(transcript_of), "utf-8")
    assert main(["verify", str(file), "--head", witness]) == 0
    assert re.search(r"In \d+ of \d+ answers .* in 1 a seat was silent", capsys.readouterr().out)
    file.write_text("\n".join(transcript_of[:at]), "utf-8")
    assert main(["verify", str(file), "--head", witness]) == 1
    assert f"entry {at} [dice/cut-log]" in capsys.readouterr().out
    entries[at - 1]["body"]["order"] = "ab" * 32  # another order, with all that follows
    del entries[at:]
    body = entries[at - 1]["body"]
    rid = request_id(GAME, body["seat"], body["duty"], body["entry"], bytes.fromhex(body["order"]))
    body["rid"] = rid.hex()
    file.write_text("\n".join(rehashed(entries)), "utf-8")
    assert main(["verify", str(file), "--head", f"{at - 1}:{entries_head(transcript_of, at)}"]) == 1
    assert f"entry {at - 1} [dice/other-history]" in capsys.readouterr().out


def entries_head(lines: list[str], seq: int) -> str:
    """The head in front of an entry."""
    return str(json.loads(lines[seq])["prev"])
