"""`docs/fair-dice.md`: its example, its vectors, its commands, its codes.

`RUBICON_WRITE_DICE=1` writes the example and the vectors again.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.dice.example import ExampleTable, example_entries
from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.request import Answer
from rubicon.dice.lines.state import key_of, roll_key

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "fair-dice.md"
EXAMPLE = ROOT / "docs" / "example.dice"
TEXT = PAGE.read_text(encoding="utf-8")
WRITES = os.environ.get("RUBICON_WRITE_DICE") == "1"


def vectors() -> str:
    """The table of vectors."""
    table, entries = ExampleTable(), example_entries()
    red, server = table.chains["red"], table.secrets.chain
    answer = Answer.read(Fields(entries[2].body, "answer"))
    genesis = entries[0].head
    key = key_of(genesis, 0, answer.bare)
    rows = {
        "red's public key": red.key,
        "red's chain id": red.chain.chain_id,
        "red's end, c_64": red.chain.end,
        "red's link for request 0, c_63": red.chain.link(63),
        "the server's public key": server.key,
        "the server's end, c_16384": server.chain.end,
        "head of the genesis": genesis,
        "key of request 0": key,
        "key of draw 0 of request 0": roll_key(key, 0),
        "head of the end": entries[-1].head,
    }
    lines = [f"| {what} | `{found.hex()}` |" for what, found in rows.items()]
    return "\n".join(["| what | is |", "| --- | --- |", *lines]) + "\n"


@pytest.mark.skipif(not WRITES, reason="the page is written again only on purpose")
def test_write_the_page_again(capsys: pytest.CaptureFixture[str]) -> None:
    EXAMPLE.write_text("".join(f"{entry.text()}\n" for entry in example_entries()), "utf-8")
    assert main(["verify", str(EXAMPLE)]) == 0
    shown = capsys.readouterr().out
    page = re.sub(
        r"(?<=\$ rubicon verify game\.dice\n).*?(?=```)", lambda _: shown, TEXT, flags=re.S
    )
    written = (
        page[: page.index("### Vectors\n")]
        + page[page.index("### Vectors\n") :].partition("| what | is |")[0]
    )
    PAGE.write_text(written + vectors(), "utf-8")


def test_the_example_is_the_one_of_the_program() -> None:
    lines = "".join(f"{entry.text()}\n" for entry in example_entries())
    assert EXAMPLE.read_text("utf-8") == lines


def test_vectors() -> None:
    assert TEXT.endswith(vectors())


def test_the_commands_say_what_stands_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(EXAMPLE, "game.dice")
    (command, shown) = re.findall(r"```console\n\$ (rubicon [^\n]*)\n(.*?)```", TEXT, re.S)[0]
    assert main(command.split()[1:]) == 0
    assert capsys.readouterr().out == shown


def test_the_head_of_the_page_is_one_of_the_example() -> None:
    (known,) = re.findall(r"`--head ([0-9]+:[0-9a-f]+)`", TEXT)
    assert main(["verify", str(EXAMPLE), "--head", known]) == 0


def test_every_code_is_explained() -> None:
    explained = set(re.findall(r"`(dice/[a-z-]+)`", TEXT))
    raised = {f"dice/{code}" for code in bad_line_codes()}
    assert len(raised) > 30
    assert raised <= explained


def bad_line_codes() -> set[str]:
    """The codes of bad lines that the dice raise: what `require` and `BadEntry` are called with."""
    found: set[str] = set()
    for path in (ROOT / "src" / "rubicon" / "dice").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                place = {"require": 1, "require_same": 0, "BadEntry": 0}.get(node.func.id)
                if place is not None and isinstance(code := node.args[place], ast.Constant):
                    found.add(str(code.value))
    return found
