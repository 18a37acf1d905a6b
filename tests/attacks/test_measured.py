"""The words of the report on attacks."""

from __future__ import annotations

import pytest

from tests.attacks.measured import Measured
from tests.attacks.report import HEAD, _cells


@pytest.mark.parametrize(
    ("influenced", "verify", "alarm", "noticed"),
    [
        (0, "no bad line", "none", "no alarm: it gained nothing"),
        (7, "no bad line", "none", "no alarm, though it worked"),
        (7, "bad: line 3", "none", "no alarm, though it worked; `rubicon verify` finds it"),
        (None, "no bad line", "none", "no alarm; its effect was not counted"),
        (
            None,
            "bad: line 3",
            "none",
            "no alarm; its effect was not counted; `rubicon verify` finds it",
        ),
        (7, "bad: line 3", "bad-line", "bad-line"),
    ],
)
def test_no_alarm_says_whether_there_was_anything_to_notice(
    influenced: int | None, verify: str, alarm: str, noticed: str
) -> None:
    found = Measured(attack="a", rolls=9, influenced=influenced, verify=verify, alarm=alarm)
    assert _cells(found)[-1] == noticed
    assert len(_cells(found)) == len(HEAD)
    assert _cells(found)[3] == ("not counted" if influenced is None else str(influenced))
