"""What the process of the reviews computes: a review, ready to be sent."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from rubicon.players.review.curve import stopped_as
from rubicon.players.review.form import ChancesForm, WinningReviewForm, chances_at, review_form
from rubicon.players.review.game_review import review_of
from rubicon.players.warmup import warm_to_play
from rubicon.server.work import read_only_store
from rubicon.table.admin.review import reviewed

__all__ = ["ChancesForm", "ReadyReview", "WinningReviewForm", "ready_review"]
BEHIND = 10  # how much less urgent than the moves of games


@dataclass(frozen=True, slots=True)
class ReadyReview:
    """A review, and the chances of all seats by log index: shape (entries, seats)."""

    form: WinningReviewForm
    colours: tuple[str, ...]
    indices: npt.NDArray[np.int64]
    chances: npt.NDArray[np.float32]

    def chances_after(self, after: int, limit: int) -> list[ChancesForm]:
        """The chances behind a log index, at most so many."""
        first = int(np.searchsorted(self.indices, after, side="right"))
        places = range(first, min(first + limit, len(self.indices)))
        return [
            chances_at(self.colours, self.chances[place], int(self.indices[place]))
            for place in places
        ]


def ready_review(url: str, game: str) -> ReadyReview:
    """The review of a finished game of the database at `url`; errors as `reviewed` raises them."""
    if hasattr(os, "nice"):
        os.nice(max(0, BEHIND - os.nice(0)))
    warm_to_play()
    found = read_only_store(url).read(partial(reviewed, game=game))
    stopped = None if found.game.over else stopped_as(found.ending)
    review = review_of(found.game, stopped=stopped)
    indices = [line.index for line in found.lines]
    form = review_form(found.game, review, lambda entry: indices[entry] if entry >= 0 else 0)
    return ReadyReview(
        form=form,
        colours=found.game.colours,
        indices=np.array(indices, np.int64),
        chances=review.curve.chances[1:].astype(np.float32),
    )
