"""Every forgery is found, and the first bad line is named with what is wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.dice.lines.entry import Entry
from rubicon.dice.verify import Verdict, verify
from tests.dice.forgeries import (
    FORGERIES,
    HEADS,
    LINES,
    WITH_DICE_SERVER,
    forms,
    resigned,
)
from tests.dice.forging import Forgery


def checked(lines: Sequence[str], heads: Sequence[str] = ()) -> Verdict:
    """The verdict on lines, the first bad one included."""
    return verify(map(Entry.parse, lines), known_heads=heads)


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_a_forgery_is_named(forgery: Forgery) -> None:
    found = checked(forgery.lines, forgery.heads).fault
    assert found is not None
    assert (found.code, found.seq) == (forgery.code, forgery.seq), found
    assert found.message
    assert found.as_dict()["line"] == forgery.seq + 1


def test_forgeries_have_names_of_their_own() -> None:
    assert len({forgery.name for forgery in FORGERIES}) == len(FORGERIES) > 130


@pytest.mark.parametrize("lines", [LINES, WITH_DICE_SERVER], ids=["two", "with a dice server"])
def test_the_honest_lines_are_right(lines: Sequence[str]) -> None:
    verdict = checked(lines)
    assert verdict.fault is None
    assert verdict.opened
    assert not verdict.broken
    assert verdict.trailing == 0


def test_the_honest_lines_have_all_kinds() -> None:
    kinds = {json.loads(line)["kind"] for line in WITH_DICE_SERVER}
    assert len(kinds) == 12


def test_an_operator_who_signs_the_same_again_writes_the_same() -> None:
    """So a forgery that is signed again is refused for what was changed, and for nothing else."""
    assert resigned(forms()) == LINES
    assert checked(LINES, HEADS).ok


@pytest.mark.parametrize("length", range(1, len(LINES)))
def test_what_came_before_is_right_by_itself(length: int) -> None:
    """A log that was cut looks whole to who knows no head: that is why mails quote one."""
    assert checked(LINES[:length], HEADS[:length]).ok
    cut = checked(LINES[:length], [HEADS[length]])
    assert cut.fault is not None
    assert cut.fault.code == "cut-log"


@given(st.data())
def test_any_changed_character_is_refused(data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from([LINES, WITH_DICE_SERVER]))
    number = data.draw(st.integers(0, len(lines) - 1))
    place = data.draw(st.integers(0, len(lines[number]) - 1))
    letter = data.draw(st.characters(codec="utf-8"))
    before = lines[number]
    line = before[:place] + letter + before[place + 1 :]
    if line == before:
        return
    found = checked([*lines[:number], line, *lines[number + 1 :]]).fault
    assert found is not None
    assert found.seq <= number + 1


@given(st.data())
def test_any_changed_hexadecimal_digit_is_refused(data: st.DataObject) -> None:
    """A change that every form allows: only hashes and signatures can find it."""
    unsigned = [line if n in {0, len(LINES) - 1} else _bare(line) for n, line in enumerate(LINES)]
    lines = data.draw(st.sampled_from([LINES, unsigned]))
    number = data.draw(st.integers(0, len(lines) - 1))
    before = lines[number]
    digits = [n for n, letter in enumerate(before) if letter in "0123456789abcdef"]
    place = data.draw(st.sampled_from(digits))
    others = [letter for letter in "0123456789abcdef" if letter != before[place]]
    letter = data.draw(st.sampled_from(others))
    line = before[:place] + letter + before[place + 1 :]
    found = checked([*lines[:number], line, *lines[number + 1 :]]).fault
    assert found is not None
    assert found.seq <= number + 1


def test_lines_that_the_last_one_signs_need_no_signature() -> None:
    bare = [line if n in {0, len(LINES) - 1} else _bare(line) for n, line in enumerate(LINES)]
    assert checked(bare, HEADS).ok
    assert checked(bare).trailing == 0
    assert checked(bare[:-1]).trailing == len(LINES) - 2


def _bare(line: str) -> str:
    return line[: line.rindex(',"sig":')] + "}"
