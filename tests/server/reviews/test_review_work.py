"""A review that is ready to be sent: its chances in pages."""

from __future__ import annotations

import numpy as np

from rubicon.server.reviews import ReadyReview

READY = ReadyReview(
    form={"seats": [], "moments": [], "curve": []},
    colours=("red", "blue"),
    indices=np.array([3, 5, 9]),
    chances=np.array([[1, 0], [0, 1], [0.25, 0.75]], np.float32),
)


def test_a_page_begins_behind_an_index() -> None:
    assert READY.chances_after(3, 1) == [{"index": 5, "chances": {"red": 0.0, "blue": 1.0}}]
    assert [row["index"] for row in READY.chances_after(4, 10)] == [5, 9]


def test_all_pages_are_all_chances() -> None:
    assert [row["index"] for row in READY.chances_after(-1, 10)] == [3, 5, 9]
    assert READY.chances_after(9, 10) == []
