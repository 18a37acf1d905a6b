"""Every example of `docs/review.md` is executed, for a game that is played here."""

import doctest
import re
from pathlib import Path

import pytest

from rubicon.cli.main import main
from rubicon.rules.record import Record
from tests.players.review.reviewed_game import finished_game

PAGE = Path(__file__).parents[2] / "docs" / "review.md"
TEXT = PAGE.read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ rubicon ([^\n]*)\n(.*?)```", TEXT, re.DOTALL)
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?|[▁▂▃▄▅▆▇█ ]+")
HEADINGS = ("Chance to win", "What moved it", "How they played")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Record.of(finished_game()).save("game.risk")


def test_python_examples() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted >= 5
    assert results.failed == 0


def test_the_console_example_is_what_the_command_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Figures and moments change with what the model has learned; all else is compared."""
    ((words, shown),) = CONSOLE
    assert main(words.split()) == 0
    printed = capsys.readouterr().out.splitlines()
    told = shown.splitlines()
    assert told[0] == printed[0]
    for heading in HEADINGS:
        (here,) = [at for at, line in enumerate(told) if line.startswith(heading)]
        (there,) = [at for at, line in enumerate(printed) if line.startswith(heading)]
        rows = len(finished_game().colours) + 1
        for line, other in zip(
            told[here : here + rows], printed[there : there + rows], strict=True
        ):
            assert NUMBER.sub(" ", line).split() == NUMBER.sub(" ", other).split()


def test_every_column_of_the_table_is_explained() -> None:
    rows = re.findall(r"^\| ([a-z]+(?:[- ][a-z]+)?) \|", TEXT, re.MULTILINE)
    heads = next(line for line in CONSOLE[0][1].splitlines() if "set-up" in line)
    assert {"set-up", "dice", "own play", "others", "given away"} <= set(rows)
    assert all(head in heads for head in rows if head != "column")
