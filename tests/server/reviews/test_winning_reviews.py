"""Reviews are made once, one after the other, and a bound keeps an account from asking for many."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rubicon.server import reviews as winning_reviews
from rubicon.server.reviews import MOST_EACH, ReadyReview, WinningReviews
from rubicon.server.work import WorkError
from rubicon.table.errors import NoSuchGame
from tests.waiting import until

FORM: Any = {"seats": [], "moments": [], "curve": []}


class Made:
    """Stands in for the process: makes reviews when it is let."""

    def __init__(self) -> None:
        self.games: list[str] = []
        self.let = threading.Event()

    def call(self, seconds: float, function: Any, url: str, game: str) -> ReadyReview:
        self.let.wait(60)
        self.games.append(game)
        if game == "bad":
            raise NoSuchGame(game)
        return ReadyReview(FORM, ("red", "blue"), np.array([3, 5, 9]), np.eye(3, 2, dtype="f4"))

    def close(self) -> None:
        self.let.set()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    made = Made()
    monkeypatch.setattr(winning_reviews, "WorkProcess", lambda: made)
    return made


@pytest.fixture
def reviews(made: Made) -> Iterator[WinningReviews]:
    reviews = WinningReviews("sqlite://")
    yield reviews
    reviews.close()


def test_a_review_is_made_once_and_kept(reviews: WinningReviews, made: Made) -> None:
    assert not reviews.known("abc")
    assert reviews.ask("ann", "abc") is None
    assert reviews.ask("bob", "abc") is None
    made.let.set()
    until(lambda: reviews.pending == 0)
    first = reviews.ask("ann", "abc")
    assert first is not None
    assert reviews.ask("bob", "abc") is first
    assert made.games == ["abc"]


def test_an_error_is_told_once_and_the_next_request_begins_anew(
    reviews: WinningReviews, made: Made
) -> None:
    made.let.set()
    assert reviews.ask("ann", "bad") is None
    until(lambda: reviews.pending == 0)
    with pytest.raises(NoSuchGame):
        reviews.ask("ann", "bad")
    assert reviews.ask("ann", "bad") is None


def test_an_account_waits_for_a_few_only(reviews: WinningReviews) -> None:
    for number in range(MOST_EACH):
        assert reviews.ask("ann", f"game{number}") is None
    with pytest.raises(WorkError) as refused:
        reviews.ask("ann", "another")
    assert refused.value.code == "work/busy"
    assert reviews.ask("bob", "another") is None


def test_all_together_wait_for_a_bounded_number(
    reviews: WinningReviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(winning_reviews, "MOST", 2)
    for name in ("ann", "bob"):
        assert reviews.ask(name, name) is None
    with pytest.raises(WorkError) as refused:
        reviews.ask("cat", "cat")
    assert refused.value.code == "work/overloaded"
