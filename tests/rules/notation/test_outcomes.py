"""Outcomes are read as they are written, and as people type them."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.errors import RubiconError
from rubicon.rules.actions import Dice, Outcome, Pick, Roll
from rubicon.rules.notation.actions import parse_outcome
from rubicon.rules.notation.words import TextError

FACES = st.lists(st.integers(1, 6), min_size=1, max_size=6).map(tuple)
THING = st.from_regex(r"[A-Za-z0-9_.-]+", fullmatch=True).filter(lambda name: len(name) < 100)
OUTCOMES = st.builds(Roll, FACES, FACES) | st.builds(Dice, FACES) | st.builds(Pick, THING)


@given(OUTCOMES)
def test_what_is_written_is_read_back(outcome: Outcome) -> None:
    assert parse_outcome(str(outcome), strict=True) == outcome


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("651v55", Roll((6, 5, 1), (5, 5))),
        ("6,5,1 vs 5,5", Roll((6, 5, 1), (5, 5))),
        ("6 5 1 versus 5 5", Roll((6, 5, 1), (5, 5))),
        ("A[6,5,1] v D[5,5]", Roll((6, 5, 1), (5, 5))),
        ("attack 6 5 1 v defence 5 5", Roll((6, 5, 1), (5, 5))),
        ("Dice 3, 5, 2", Dice((3, 5, 2))),
        ("dice 352", Dice((3, 5, 2))),
        ("die 3", Dice((3,))),
        ("Pick alaska", Pick("alaska")),
        ("draw M04", Pick("M04")),
        ("pick great britain", Pick("great_britain")),
    ],
)
def test_what_people_type(typed: str, meant: Outcome) -> None:
    assert parse_outcome(typed) == meant


def test_the_things_that_may_be_picked_can_be_cut_short() -> None:
    things = ("alaska", "alberta", "M04")
    assert parse_outcome("pick alas", things) == Pick("alaska")
    assert parse_outcome("pick m04", things) == Pick("M04")
    for text, code in (("pick al", "ambiguous-thing"), ("pick alasca", "unknown-thing")):
        with pytest.raises(TextError) as refused:
            parse_outcome(text, things)
        assert refused.value.code == f"text/{code}"


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "empty"),
        ("alaska", "unknown-outcome"),
        ("6 5 1", "unknown-outcome"),
        ("7 v 1", "bad-dice"),
        ("6 v", "bad-dice"),
        ("v", "bad-dice"),
        ("6 5 4 3 2 1 1 v 2", "bad-dice"),
        ("6 v 5 v 4", "unknown-outcome"),
        ("dice", "bad-dice"),
        ("dice 0", "bad-dice"),
        ("dice seven", "bad-dice"),
        ("pick", "missing-thing"),
        ("pick a/b", "unknown-thing"),
        ("1" * 600, "too-long"),
    ],
)
def test_errors_say_what(typed: str, code: str) -> None:
    with pytest.raises(TextError) as refused:
        parse_outcome(typed)
    assert refused.value.code == f"text/{code}"


def test_strict_takes_only_the_exact_text() -> None:
    with pytest.raises(TextError, match="6 5 1 v 5 5"):
        parse_outcome("651v55", strict=True)


@pytest.mark.parametrize("nonsense", [None, 3, b"dice 3"])
def test_what_is_no_text_is_refused(nonsense: Any) -> None:
    with pytest.raises(TextError):
        parse_outcome(nonsense)


WORDS = ["6", "5", "7", "0", "v", "vs", "dice", "die", "pick", "A[", "]", ",", ";", "alaska"]
SHARDS = st.sampled_from([*WORDS, "٣", "⑥", "\x00", "\ud800"])


@given(st.text(max_size=40) | st.lists(SHARDS, max_size=8).map(" ".join))
def test_no_input_raises_anything_else(text: str) -> None:
    with suppress(RubiconError):
        outcome = parse_outcome(text)
        assert parse_outcome(str(outcome), strict=True) == outcome
