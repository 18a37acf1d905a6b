"""Every forgery is found, and the first bad entry is named with what is wrong."""

import pytest

from rubicon.dice.entry import Entry
from rubicon.dice.verify import verify
from tests.dice.forgeries import FORGERIES, HEADS, LINES, Forgery


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_a_forgery_is_named(forgery: Forgery) -> None:
    verdict = verify(map(Entry.parse, forgery.lines), known_heads=forgery.heads)
    assert not verdict.ok
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.seq) == (f"dice/{forgery.code}", forgery.seq)
    assert verdict.fault.message
    assert verdict.fault.expected != verdict.fault.found
    assert verdict.fault.as_dict()["line"] == forgery.seq + 1


def test_forgeries_have_names_of_their_own() -> None:
    assert len({forgery.name for forgery in FORGERIES}) == len(FORGERIES) >= 60


def test_the_honest_chain_is_right_with_all_its_heads() -> None:
    verdict = verify(map(Entry.parse, LINES), known_heads=HEADS)
    assert verdict.ok
    assert (verdict.entries, verdict.dice, verdict.picks) == (16, 17, 2)
    assert verdict.opened
    assert not verdict.owes
    assert (verdict.answers, verdict.mixed, verdict.silent) == (5, 4, 0)
    assert verdict.witness == HEADS[-1]


@pytest.mark.parametrize("length", range(1, len(LINES)))
def test_what_came_before_is_right_by_itself(length: int) -> None:
    """A log that was cut looks whole to who knows no head: that is why letters quote one."""
    entries = map(Entry.parse, LINES[:length])
    verdict = verify(entries, known_heads=HEADS[:length])
    assert verdict.ok
    assert not verdict.opened
    cut = verify(map(Entry.parse, LINES[:length]), known_heads=[HEADS[length]])
    assert cut.fault is not None
    assert cut.fault.code == "dice/cut-log"


def test_the_earliest_known_head_that_differs_is_named() -> None:
    forged = [head[:-4] + "0000" for head in (HEADS[9], HEADS[4], HEADS[12])]
    verdict = verify(map(Entry.parse, LINES), known_heads=forged)
    assert verdict.fault is not None
    assert verdict.fault.seq == 4
