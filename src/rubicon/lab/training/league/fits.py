"""Fits of one generation's games by TD(lambda), and the best of them."""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.lab.training.fitting import HELD_OUT, Examples, chances_of, fit, losses
from rubicon.lab.training.targets import later_judgements

Values = npt.NDArray[Any]
RATE = 5e-4  # of a fit that begins with a model
Model = dict[str, Values]


class Fits:
    """Fits that all begin with one model, `start`.

    The best one has the lowest loss on games that the fits did not see; it is `start` itself where
    no fit has a lower one.
    """

    def __init__(self, examples: Examples, start: Model) -> None:
        # Games with even numbers are the champion's alone: of both kinds, every tenth is held out.
        test = examples.game // 2 % HELD_OUT == 0
        self.examples = examples
        self.seen, self.unseen = examples.those(~test), examples.those(test)
        self.judged = chances_of(start, self.seen)
        self.start = self.best = start
        self.before = self.lowest = loss(start, self.unseen)
        self.found: dict[str, Any] = {"better": False}
        self.curves: dict[str, list[float]] = {}

    def add(self, trace: float, epochs: int, seed: int) -> None:
        """Fit with this lambda."""
        self.curves[str(trace)] = []
        aims = later_judgements(self.seen, self.judged, trace)
        told = partial(self._told, trace)
        fit(self.seen, epochs, seed, RATE, told, start=self.start, aims=aims)

    def _told(self, trace: float, epoch: int, model: Model) -> None:
        now = loss(model, self.unseen)
        self.curves[str(trace)].append(now)
        print(f"lambda {trace}, epoch {epoch + 1}: loss {now}, before {self.before}", flush=True)
        if now < self.lowest:
            self.lowest, self.best = now, dict(model)
            self.found = {"better": True, "lambda": trace, "epoch": epoch + 1}

    def account(self) -> dict[str, Any]:
        """What is known of the fits, for a log."""
        return self.found | {
            "games": len(np.unique(self.examples.game)),
            "turns": len(self.examples),
            "loss of the champion": losses_by_table(self.start, self.unseen),
            "loss of the candidate": losses_by_table(self.best, self.unseen),
            "losses by lambda and epoch": self.curves,
        }


def loss(model: Model, examples: Examples) -> float:
    """The mean cross entropy of who won."""
    return round(losses(chances_of(model, examples), examples.winner), 5)


def losses_by_table(model: Model, examples: Examples) -> dict[str, float]:
    """The loss on games of the champion alone, and on those with the pool."""
    pool = examples.game % 2 == 1
    tables = {"alone": ~pool, "with the pool": pool}
    return {name: loss(model, examples.those(one)) for name, one in tables.items() if one.any()}
