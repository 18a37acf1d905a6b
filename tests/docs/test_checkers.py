"""docs/check_dice.py and docs/check_dice.js: honest transcripts pass, each forgery is named."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.checker_cases import (
    BAD,
    DOCS,
    HONEST,
    LONG,
    OTHER_KEY,
    VERDICTS,
    WHOLE,
    Case,
    Verdict,
    all_cases,
    in_python,
    in_python_without_signatures,
)
from tests.docs.forged_transcripts import FORGERIES, Forgery
from tests.docs.writing_transcripts import Writer

NODE = shutil.which("node")
NO_NODE = "there is no node in PATH"
RUNNER = """
import { readFileSync } from "node:fs";
import * as checker from "./check_dice.mjs";
import { verdictsOf } from "./verdicts.mjs";
const cases = JSON.parse(readFileSync(process.argv[2], "utf-8"));
console.log(JSON.stringify(await verdictsOf(checker, cases)));
"""
WITHOUT_SIGNATURES = 'Object.defineProperty(globalThis, "crypto", { value: {} });\n'


def in_javascript(folder: Path, cases: list[Case], before: str = "") -> list[Verdict]:
    """What docs/check_dice.js says to each case, in one process."""
    if NODE is None:
        pytest.skip(NO_NODE)
    shutil.copy(DOCS / "check_dice.js", folder / "check_dice.mjs")
    shutil.copy(VERDICTS, folder / "verdicts.mjs")
    (folder / "run.mjs").write_text(before + RUNNER, "utf-8")
    (folder / "cases.json").write_text(json.dumps([vars(case) for case in cases]), "utf-8")
    run = [NODE, "--no-warnings", str(folder / "run.mjs"), str(folder / "cases.json")]
    done = subprocess.run(run, capture_output=True, check=True, encoding="utf-8")
    verdicts: list[Verdict] = json.loads(done.stdout)
    assert len(verdicts) == len(cases)
    return verdicts


@pytest.fixture(scope="module")
def javascript(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    """What JavaScript says to everything."""
    cases = all_cases()
    folder = tmp_path_factory.mktemp("checkers")
    return dict(zip(cases, in_javascript(folder, list(cases.values())), strict=True))


@pytest.mark.parametrize("name", HONEST)
def test_honest_transcripts_are_accepted(name: str) -> None:
    table = in_python(HONEST[name])
    assert isinstance(table, str)
    assert re.search(r"^signatures   \d\d checked$", table, re.MULTILINE)
    assert f"\nsecrets      {'sealed' if name.startswith('none') else 'open'}" in table
    assert ("broken" in table) is name.startswith("broken")
    assert ("independent" in table) is name.endswith("dice server")


def test_the_table() -> None:
    table = in_python(WHOLE)
    assert isinstance(table, str)
    hidden = re.sub(r"[0-9a-f]{16,}", "…", re.sub(r"been red \d, blue \d", "been …", table))
    assert hidden == (
        "table        table-7\n"
        "earlier      table-6 …\n"
        "requests     10, 14 draws\n"
        "dice server  none\n"
        "blue         took part in 4 of 10; left 0, lost on the server's word 1, silent 2\n"
        "             request 3 without blue.1: would have been …\n"
        "             request 5 without blue.1: withheld\n"
        "green        took part in 0 of 10 (7 more with an uncertified key);"
        " left 0, lost on the server's word 0, silent 0\n"
        "red          took part in 9 of 10 (1 more with an uncertified key);"
        " left 2, lost on the server's word 0, silent 0\n"
        "placements   2 of 3 opened, sealed by clients: red, blue; by the server: green\n"
        "key          blue … certified\n"
        "key          red … certified\n"
        "key          blue … certified\n"
        "key          green … uncertified since entry 19\n"
        "key          red … uncertified since entry 28\n"
        "key          red … certified\n"
        "your key     red.1\n"
        "your heads   1, all here\n"
        "signatures   69 checked\n"
        "orders       3 signed, 5 unsigned, 2 of the set-up\n"
        "secrets      open\n"
        "head         39:…"
    )


def test_the_withheld_roll_is_what_would_have_been() -> None:
    writer = Writer(at="silence answer", forge=lambda _, kind, body: (kind, body)).story()
    writer.present.add("blue.1")
    faces = writer.draw(writer.key(()), 0, writer.ask)["seats"]
    expected = ", ".join(f"{seat} {face}" for seat, face in faces)
    assert f"request 3 without blue.1: would have been {expected}\n" in str(in_python(WHOLE))


def test_a_chain_that_is_used_up_takes_no_part() -> None:
    table = in_python(LONG)
    assert isinstance(table, str)
    assert "red          took part in 64 of 141; " in table
    assert "blue         took part in 1 of 141; " in table


def test_a_key_that_is_not_there() -> None:
    assert "\nyour key     is not here\n" in str(in_python(Case(WHOLE.text, key=OTHER_KEY)))


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_each_forgery_is_named(forgery: Forgery) -> None:
    writer = forgery.write()
    verdict = in_python(Case(writer.text))
    assert isinstance(verdict, list), verdict
    assert verdict[0] == forgery.line(writer)
    assert forgery.why in verdict[1]


@pytest.mark.parametrize("name", BAD)
def test_what_else_is_bad(name: str) -> None:
    case, seq, why = BAD[name]
    verdict = in_python(case)
    assert isinstance(verdict, list), verdict
    assert verdict[0] == seq
    assert why in verdict[1]


def test_names_are_told_apart() -> None:
    names = [*(forgery.name for forgery in FORGERIES), *HONEST, *BAD]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", [*HONEST, *BAD, *(forgery.name for forgery in FORGERIES), "long"])
def test_javascript_says_the_same(name: str, javascript: dict[str, Verdict]) -> None:
    assert javascript[name] == in_python(all_cases()[name])


def test_the_first_bad_line_is_named_where_two_are() -> None:
    writer = Writer(at="second silence request").story()
    lines = writer.text.split("\n")
    entry = json.loads(lines[4])
    lines[4] = lines[4].replace(entry["sig"], "11" * 32 + "00" * 32)
    lines[9] = lines[9] + " "
    assert in_python(Case("\n".join(lines))) == [4, "the server's signature is wrong"]


def test_signatures_that_are_not_checked(tmp_path: Path) -> None:
    forged = next(forgery for forgery in FORGERIES if forgery.name == "a link signed wrongly")
    cases = [WHOLE, Case(forged.write().text)]
    verdicts = [in_python_without_signatures(case) for case in cases]
    for verdict in verdicts:
        assert isinstance(verdict, str)
        assert "\nsignatures   not checked\n" in verdict
        assert re.search(r"\nkey          blue \w+ certificate not checked\n", verdict)
    assert in_javascript(tmp_path, cases, WITHOUT_SIGNATURES) == verdicts


def programs() -> list[list[str]]:
    """Both programs, as they are given on a command line."""
    node = [] if NODE is None else [[NODE, "--no-warnings", "check_dice.mjs"]]
    return [[sys.executable, str(DOCS / "check_dice.py")], *node]


@pytest.mark.parametrize(
    ("content", "status", "printed"),
    [
        (WHOLE.text.encode(), 0, "table        table-7\n"),
        (WHOLE.text.replace("seats", "Seats").encode(), 1, "bad line 1 (entry 0): not canonical"),
        (b"", 2, "no transcript: the file is empty\n"),
        (b"\xff\n", 2, "no transcript: "),
        (b"\xef\xbb\xbf" + WHOLE.text.encode(), 2, "no transcript: "),
        (b"[]\n", 2, "no transcript: "),
        (None, 2, "no transcript: "),
    ],
)
def test_programs(tmp_path: Path, content: bytes | None, status: int, printed: str) -> None:
    shutil.copy(DOCS / "check_dice.js", tmp_path / "check_dice.mjs")
    if content is not None:
        (tmp_path / "game.dice").write_bytes(content)
    for program in programs():
        run = [*program, "game.dice"]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, check=False, encoding="utf-8")
        assert (done.returncode, done.stderr) == (status, "")
        assert done.stdout.startswith(printed)


def test_heads_and_keys_on_the_command_line(tmp_path: Path) -> None:
    shutil.copy(DOCS / "check_dice.js", tmp_path / "check_dice.mjs")
    (tmp_path / "game.dice").write_text(WHOLE.text, "utf-8")
    seq, head = WHOLE.heads[0]
    good = ["game.dice", "--head", f"{seq}:{head}", "--key", str(WHOLE.key)]
    for program in programs():
        for more, status, printed in (
            ([], 0, str(in_python(WHOLE)) + "\n"),
            (["--head", f"3:{head}"], 1, "bad line 4 (entry 3): another head than the one given\n"),
        ):
            run = [*program, *good, *more]
            done = subprocess.run(
                run, cwd=tmp_path, capture_output=True, check=False, encoding="utf-8"
            )
            assert (done.returncode, done.stdout) == (status, printed)
        wrong = subprocess.run(
            [*program, "game.dice", "--head", "x"], cwd=tmp_path, capture_output=True, check=False
        )
        assert wrong.returncode == 2
