"""A line has one writing, and nothing else is read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.dice.crypto import LARGEST, canonical, digest, parse
from rubicon.dice.errors import BadEntry
from rubicon.dice.example import example_entries
from rubicon.dice.lines.entry import Entry

ENTRIES = example_entries()
names = st.text(st.characters(codec="ascii"), max_size=5)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-LARGEST, LARGEST)
    | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)


@given(values)
def test_canonical_json_is_the_only_text_of_a_value(value: Any) -> None:
    assert parse(canonical(value)) == value
    assert canonical(parse(canonical(value))) == canonical(value)


@given(
    st.integers(0, LARGEST),
    st.binary(min_size=32, max_size=32),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=20),
    st.dictionaries(names, values, max_size=3),
    st.sampled_from([b"", bytes(64)]),
)
def test_an_entry_is_read_as_it_was_written(
    seq: int, prev: bytes, kind: str, body: dict[str, Any], sig: bytes
) -> None:
    entry = Entry(seq, prev, kind, body, sig)
    assert Entry.parse(entry.text()) == entry
    assert Entry.stored(entry.text()) == entry


def test_the_head_leaves_the_signature_out() -> None:
    entry = ENTRIES[1]
    bare = {name: part for name, part in json.loads(entry.text()).items() if name != "sig"}
    assert entry.head == digest("entry", canonical(bare))
    assert entry.signed(bytes(64)).head == entry.head


@given(st.text(max_size=60))
def test_any_text_is_refused_in_order(text: str) -> None:
    with pytest.raises(BadEntry) as refused:
        Entry.parse(text)
    assert refused.value.message.isprintable()


@pytest.mark.parametrize("value", [1.5, 2**53, {"é": 1}, "\ud800", [2**60]])
def test_what_has_no_canonical_text(value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(canonical(value))


def test_a_deep_line_is_refused() -> None:
    with pytest.raises(BadEntry):
        Entry.parse('{"body":' * 100_000 + "{}" + "}" * 100_000)
