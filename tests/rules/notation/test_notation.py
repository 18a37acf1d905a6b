"""What docs/notation.md says is so: its examples are read, and it leaves nothing out."""

import json
import re
from pathlib import Path

import pytest

from rubicon.engine.records import Chance, Phase
from rubicon.orders.parse.action import ALONE, read_action
from rubicon.orders.parse.places import ORDERS
from rubicon.rules.actions import Action, Outcome
from rubicon.rules.board.board import Board
from rubicon.rules.notation.actions import parse_outcome
from rubicon.rules.notation.json_format import (
    action_from_json,
    action_to_json,
    event_from_json,
    event_to_json,
    outcome_from_json,
    outcome_to_json,
)
from rubicon.rules.notation.position_fields import OWNER_LETTERS
from rubicon.rules.notation.positions import (
    SEAT_KEYS,
    TABLE_KEYS,
    hides,
    parse_position,
    parse_view,
    position_text,
)
from rubicon.rules.record import Record

SOURCE = Path(__file__).parents[3] / "src" / "rubicon" / "rules"
PAGE = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")
WORLD = Board.load("world")
SEATS = ("red", "blue")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def lines(kind: str) -> list[str]:
    return [line for block in blocks(kind) for line in block.splitlines()]


@pytest.mark.parametrize("line", lines("action"))
def test_actions(line: str) -> None:
    assert str(read_action(line, WORLD, SEATS, strict=True)) == line


def test_every_action_and_outcome_is_shown() -> None:
    shown = {type(read_action(line, WORLD, SEATS)) for line in lines("action")}
    assert shown == set(Action.__args__)
    assert {type(parse_outcome(line)) for line in lines("outcome")} == set(Outcome.__args__)


@pytest.mark.parametrize("line", lines("typed"))
def test_what_is_typed(line: str) -> None:
    typed, meant = re.split(r"\s+= ", line)
    assert str(read_action(typed, WORLD, SEATS)) == meant


@pytest.mark.parametrize("line", lines("outcome"))
def test_outcomes(line: str) -> None:
    assert str(parse_outcome(line, strict=True)) == line


@pytest.mark.parametrize("line", lines("position"))
def test_positions(line: str) -> None:
    assert position_text(*parse_position(line)) == line


@pytest.mark.parametrize("line", lines("view"))
def test_views(line: str) -> None:
    ruleset, view = parse_view(line)
    assert hides(view)
    assert position_text(ruleset, view) == line


@pytest.mark.parametrize("block", blocks("record"))
def test_records(block: str) -> None:
    record = Record.parse(block)
    assert record.text() == block
    assert len(record.verify().history) == len(record.entries)


@pytest.mark.parametrize("line", lines("json"))
def test_json(line: str) -> None:
    form = json.loads(line)
    if form["kind"] == "action":
        assert action_to_json(action_from_json(form)) == form
    elif form["kind"] == "event":
        assert event_to_json(event_from_json(form)) == form
    else:
        assert outcome_to_json(outcome_from_json(form)) == form


@pytest.mark.parametrize("block", blocks("python"))
def test_python(block: str) -> None:
    assert "assert " in block, "the example shows no result"
    exec(block, {})


@pytest.mark.parametrize("name", [*SEAT_KEYS, *TABLE_KEYS])
def test_every_field_is_explained(name: str) -> None:
    assert re.search(rf"^\|.*`{name}`", PAGE, re.MULTILINE)


def test_words_of_the_fields_are_listed() -> None:
    for word in [*Phase, *Chance][1:]:
        if word != Chance.NONE:
            assert f"`{word.name.lower()}`" in PAGE
    for colour, letter in OWNER_LETTERS.items():
        assert f"`{letter}` {colour}" in PAGE
    for words in (*ORDERS.values(), *ALONE.values()):
        assert all(f"`{word}`" in PAGE for word in words if word != "standing")


def test_every_code_of_a_typed_action_is_listed() -> None:
    files = ("orders/parse/action.py", "rules/notation/actions.py", "rules/notation/words.py")
    source = "".join((SOURCE.parent / file).read_text(encoding="utf-8") for file in files)
    codes = set(re.findall(r'(?:error|TextError)\(\s*"([a-z]+(?:-[a-z]+)*)"', source))
    assert len(codes) > 15
    for code in codes:
        kind, _, what = code.partition("-")
        assert f"`text/{code}`" in PAGE or (f"`text/{kind}-…`" in PAGE and f"`{what}`" in PAGE), (
            code
        )


@pytest.mark.parametrize(
    ("group", "source", "pattern"),
    [
        ("record", "record.py", r'RecordError\(\s*"([\w-]+)"'),
        ("position", "notation", r'(?:PositionProblem|position_error)\(\s*"([\w-]+)"'),
        ("position", "notation", r'\(\("([\w-]+)", problem\)'),
    ],
)
def test_every_code_is_listed(group: str, source: str, pattern: str) -> None:
    files = [SOURCE / source] if source.endswith(".py") else (SOURCE / source).glob("*.py")
    sources = [file.read_text(encoding="utf-8") for file in files]
    codes = {code for source in sources for code in re.findall(pattern, source)}
    assert codes
    assert [code for code in sorted(codes) if f"`{group}/{code}`" not in PAGE] == []
