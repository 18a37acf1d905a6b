"""What each kind of line says keeps its bytes, and nothing else is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubicon.dice.crypto import Json, canonical
from rubicon.dice.errors import BadEntry
from rubicon.dice.example import example_entries
from rubicon.dice.transcript import READERS

# Lines of every kind with all that may be missing there once, as version 2 has always written them.
STORED = Path(__file__).with_name("stored_bodies.jsonl").read_text("ascii").splitlines()
Body = dict[str, Json]
LINES: list[tuple[str, Body]] = [(form["kind"], form["body"]) for form in map(json.loads, STORED)]
LINES += [(entry.kind, entry.body) for entry in example_entries()]


@pytest.mark.parametrize(("kind", "body"), LINES)
def test_a_body_is_written_as_it_was_read(kind: str, body: Body) -> None:
    read = READERS[kind](body, "line")
    assert read.kind == kind
    assert canonical(read.form()) == canonical(body)


def test_there_is_a_line_of_each_kind() -> None:
    assert {kind for kind, _ in LINES} == READERS.keys()


@pytest.mark.parametrize(("kind", "body"), LINES)
def test_a_body_has_exactly_its_fields(kind: str, body: Body) -> None:
    for name in body:
        with pytest.raises(BadEntry):
            READERS[kind]({key: body[key] for key in body if key != name}, "line")
    with pytest.raises(BadEntry) as refused:
        READERS[kind]({**body, "more": 1}, "line")
    assert (refused.value.code, refused.value.expected) == ("dice/wrong-form", "no other field")


def test_a_pick_lies_among_the_things() -> None:
    draw: Json = {"pick": {"index": 4, "of": 4, "thing": "peru"}}
    with pytest.raises(BadEntry, match=r"pick\.index"):
        READERS["answer"]({"n": 0, "links": {}, "draws": [draw]}, "line")
