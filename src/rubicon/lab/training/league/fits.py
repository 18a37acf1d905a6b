"""Fits of one generation's games by TD(lambda), and the best of them."""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.lab.training.fitting import HELD_OUT, Examples, chances_of, fit, losses
from rubicon.lab.training.strengths import fitted_strengths, strengths_by_seat
from rubicon.lab.training.targets import later_judgements
from rubicon.players.registry import NAMES

Values = npt.NDArray[Any]
RATE = 5e-4  # of a fit that begins with a model
Model = dict[str, Values]
NAME_OF = {policy: name for name, policy in NAMES.items()}


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
        self.strengths = fitted_strengths(self.seen, chances_of(start, self.seen))
        self.of_seen = strengths_by_seat(self.seen, self.strengths)
        self.judged = chances_of(start, self.seen, self.of_seen)
        self.start = self.best = start
        self.before = self.lowest = self.loss(start, self.unseen)
        self.found: dict[str, Any] = {"better": False}
        self.curves: dict[str, list[float]] = {}

    def add(self, trace: float, epochs: int, seed: int) -> None:
        """Fit with this lambda."""
        self.curves[str(trace)] = []
        fit(
            self.seen,
            epochs,
            seed,
            RATE,
            partial(self._told, trace),
            start=self.start,
            aims=later_judgements(self.seen, self.judged, trace),
            strengths=self.of_seen,
        )

    def _told(self, trace: float, epoch: int, model: Model) -> None:
        now = self.loss(model, self.unseen)
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
            "strengths": {NAME_OF[bot]: round(one, 3) for bot, one in self.strengths.items()},
            "loss of the champion": self.losses_by_table(self.start),
            "loss of the candidate": self.losses_by_table(self.best),
            "losses by lambda and epoch": self.curves,
        }

    def loss(self, model: Model, examples: Examples) -> float:
        """The mean cross entropy of who won."""
        strengths = strengths_by_seat(examples, self.strengths)
        return round(losses(chances_of(model, examples, strengths), examples.winner), 5)

    def losses_by_table(self, model: Model) -> dict[str, float]:
        """The loss on unseen games of the champion alone, and on those with the pool."""
        pool = self.unseen.game % 2 == 1
        tables = {"alone": ~pool, "with the pool": pool}
        return {
            name: self.loss(model, self.unseen.those(one))
            for name, one in tables.items()
            if one.any()
        }
