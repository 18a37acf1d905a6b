"""`docs/fair-dice.md`: its vectors, its commands, and its checker, which needs nothing of ours."""

import ast
import doctest
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.cli.main import main
from rubicon.dice.example import example_chain
from rubicon.dice.transcript import transcript
from rubicon.table.admin.export_game import exported
from tests.dice.forgeries import FORGERIES, HEADS, LINES, REVEAL, Forgery
from tests.table.hosted import GAME, hosted

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "fair-dice.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
CHECKER = next(code for language, code in BLOCKS if "class Chain" in code and language == "python")
SCOPE: dict[str, Any] = {"__name__": "check_dice"}
exec(compile(CHECKER, "check_dice.py", "exec"), SCOPE)
CHECK: Callable[..., Any] = SCOPE["check"]
BAD: type[Exception] = SCOPE["Bad"]


def test_python_examples() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted >= 30
    assert results.failed == 0


def test_the_published_promise() -> None:
    assert "'41c38037fc662430d8a52f51b780ed3a0daa680b73e83bf5a816533423fdb434'" in TEXT


def test_the_published_transcript_is_the_example() -> None:
    published = next(code for language, code in BLOCKS if language == "json")
    assert published == transcript(example_chain())


def test_the_published_heads_are_those_of_the_example() -> None:
    assert "\n".join(HEADS) + "\n" in [code for _, code in BLOCKS]


def test_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "--example", "game.dice"]) == 0
    consoles = [
        code for language, code in BLOCKS if language == "console" and "--record" not in code
    ]
    assert len(consoles) == 2
    for console in consoles:
        command, _, output = console.partition("\n")
        capsys.readouterr()
        assert main(command.split()[2:]) == 0
        assert capsys.readouterr().out.startswith(output)


def test_a_record_beside_its_transcript(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    console = next(code for _, code in BLOCKS if "--record" in code and code.startswith("$"))
    monkeypatch.chdir(tmp_path)
    with hosted(tmp_path, "classic", 3) as game:
        game.play()
        game.table.store.read(lambda connection: exported(connection, GAME)).save(tmp_path)
    command, _, output = console.partition("\n")
    assert main(command.split()[2:]) == 0
    assert numberless(capsys.readouterr().out) == numberless(output)


def numberless(text: str) -> str:
    """Every game has other dice, and another head."""
    return re.sub(r"[0-9a-f]{64}|[\d,]+\b", "N", text)


def test_every_code_is_in_the_docs_and_no_other() -> None:
    written = set(re.findall(r"`(dice/[a-z0-9-]+)`", TEXT))
    sources = [file.read_text("utf-8") for file in (ROOT / "src/rubicon/dice").glob("*.py")]
    sources.append((ROOT / "src/rubicon/cli/verify.py").read_text("utf-8"))
    raised = {f"dice/{forgery.code}" for forgery in FORGERIES}
    raised |= set(re.findall(r'DiceError\(\s*"(dice/[a-z0-9-]+)"', "\n".join(sources)))
    assert raised <= written
    known = set(re.findall(r'"(?:dice/)?([a-z0-9]+(?:-[a-z0-9]+)*)"', "\n".join(sources)))
    due = {f"{kind}-owed" for kind in ("answer", "rolled")}
    assert {code.removeprefix("dice/") for code in written} <= known | due


def test_the_checker_imports_only_the_standard_library() -> None:
    found = [node for node in ast.walk(ast.parse(CHECKER)) if isinstance(node, ast.Import)]
    names = {name.name for node in found for name in node.names}
    assert names == {"hashlib", "hmac", "itertools", "json", "sys"}
    assert "from " not in re.sub(r'raise .* from None|".*?"', "", CHECKER)


def test_the_checker_agrees_on_the_honest_chain() -> None:
    chain = CHECK(LINES, HEADS)
    assert chain.heads == [head.partition(":")[2] for head in HEADS]
    assert chain.dice == 17
    for length in range(1, len(LINES)):
        assert CHECK(LINES[:length]).heads == chain.heads[:length]


@pytest.mark.parametrize(
    "forgery",
    [one for one in FORGERIES if all(":" in head for head in one.heads)],
    ids=lambda forgery: forgery.name,
)
def test_the_checker_names_the_same_entry(forgery: Forgery) -> None:
    with pytest.raises(BAD) as refused:
        CHECK(forgery.lines, forgery.heads)
    why, seq = refused.value.args
    assert seq == forgery.seq
    assert why


@given(st.data())
def test_the_checker_finds_any_changed_digit(data: st.DataObject) -> None:
    seq = data.draw(st.integers(0, REVEAL))
    line = LINES[seq]
    digits = [at for at, letter in enumerate(line) if letter in "0123456789"]
    place = data.draw(st.sampled_from(digits))
    other = data.draw(st.sampled_from("0123456789").filter(lambda digit: digit != line[place]))
    changed = [*LINES[:seq], line[:place] + other + line[place + 1 :], *LINES[seq + 1 :]]
    with pytest.raises(BAD):
        CHECK(changed)


def test_the_checker_runs_by_itself(tmp_path: Path) -> None:
    (tmp_path / "check_dice.py").write_text(CHECKER, "utf-8")
    (tmp_path / "game.dice").write_bytes("\r\n".join(LINES).encode())
    command = [sys.executable, "-I", "check_dice.py", "game.dice", HEADS[7]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "verified: 16 entries, 17 dice\nthe seeds are open\n"
    command[-1] = f"example:9:{HEADS[8].partition(':')[2]}"  # as a letter quotes it, and wrong
    bad = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert bad.returncode == 1
    assert bad.stderr.startswith("bad: entry 9: the head known is ")


def test_json_examples_of_what_is_asked() -> None:
    asks = re.findall(r"`(\{\"what\":.*?\})`", TEXT)
    kinds = [json.loads(ask)["what"] for ask in asks]
    assert kinds == ["battle", "seats", "pick", "secret", "batch"]
