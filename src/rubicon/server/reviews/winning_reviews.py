"""Reviews of finished games, made one after the other in a process of their own, and kept.

A review takes seconds: a client is told at once whether it is ready, and asks again.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from cachetools import LRUCache

from rubicon.server.reviews.review_work import ReadyReview, ready_review
from rubicon.server.work_process import WorkError, WorkProcess

REVIEW_SECONDS = 300.0  # for one review; without compiled code it begins with minutes for that
KEPT = 64  # reviews: a finished game does not change
MOST_EACH = 2  # reviews that one account waits for
MOST = 16  # that all wait for

Make = Callable[[str, str], ReadyReview]


class WinningReviews:
    """The reviews of one server; for use on the event loop's thread.

    `asker` is the account's id, or the address of a client that is not signed in.
    """

    def __init__(
        self, url: str, make: Make = ready_review, seconds: float = REVIEW_SECONDS
    ) -> None:
        self._url = url
        self._make = make
        self._seconds = seconds
        self._process = WorkProcess()
        self._pool = ThreadPoolExecutor(1, "reviews")
        self._ready: LRUCache[str, ReadyReview] = LRUCache(KEPT)
        self._made: dict[str, tuple[str, Future[ReadyReview]]] = {}  # by game, with who asked

    def known(self, game: str) -> bool:
        """Whether the review is ready or being made."""
        return game in self._ready or game in self._made

    def ask(self, asker: str, game: str) -> ReadyReview | None:
        """The review of a finished game; None while it is being made, which this call begins.

        Raises what making it raised; WorkError `work/busy`, `work/overloaded` where too many are
        being made.
        """
        self._keep_finished(game)
        ready = self._ready.get(game)
        if ready is not None or game in self._made:
            return ready
        waiting = [each for each, future in self._made.values() if not future.done()]
        if waiting.count(asker) >= MOST_EACH:
            raise busy()
        if len(waiting) >= MOST:
            raise overloaded()
        self._made[game] = asker, self._pool.submit(self._call, game)
        return None

    @property
    def pending(self) -> int:
        """How many reviews are being made or wait for it."""
        return sum(not future.done() for _, future in self._made.values())

    def close(self) -> None:
        """Stop the work."""
        self._process.close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _call(self, game: str) -> ReadyReview:
        return self._process.call(self._seconds, self._make, self._url, game)

    def _keep_finished(self, asked: str) -> None:
        """Keep the reviews that are ready; the error of the one that is asked for is raised."""
        done = [game for game, (_, future) in self._made.items() if future.done()]
        failed: BaseException | None = None
        for game in done:
            future = self._made.pop(game)[1]
            error = future.exception()
            if error is None:
                self._ready[game] = future.result()
            elif game == asked:
                failed = error
        if failed is not None:
            raise failed


def busy() -> WorkError:
    """The error for an account that waits for too many reviews."""
    message = f"{MOST_EACH} reviews that you asked for are not ready yet."
    return WorkError("work/busy", message, "Wait for them, then ask again.")


def overloaded() -> WorkError:
    """The error while too many people wait for reviews."""
    message = "Too many people wait for reviews at the moment."
    return WorkError("work/overloaded", message, "Try again in a minute.")
