"""A sequential test of one player's win share: whether it is fair, or better by `gain`.

The log-likelihood ratio is that of normal means with the variance of the blocks, as in Wald's
sequential probability ratio test (Wald 1945).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

LEAST_BLOCKS = 20  # before a variance is believed


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialTest:
    """H0: the share is `fair`. H1: it is `fair + gain`.

    `alpha` is the chance to accept H1 where H0 is true, `beta` to accept H0 where H1 is.
    """

    fair: float
    gain: float
    alpha: float = 0.05
    beta: float = 0.05

    def ratio(self, shares: npt.ArrayLike) -> float:
        """The log-likelihood ratio of H1 to H0 after blocks with these shares."""
        given = np.asarray(shares, np.float64) - self.fair
        if len(given) < 2:
            return 0.0
        # One win more keeps the variance from 0 where all blocks are alike.
        variance = float(given.var()) + 1 / len(given) ** 2
        return self.gain * float(given.sum() - len(given) * self.gain / 2) / variance

    def verdict(self, shares: npt.ArrayLike) -> str:
        """`H1`, `H0`, or "" while more blocks are needed."""
        if len(np.asarray(shares)) < LEAST_BLOCKS:
            return ""
        ratio = self.ratio(shares)
        if ratio >= log((1 - self.beta) / self.alpha):
            return "H1"
        return "H0" if ratio <= log(self.beta / (1 - self.alpha)) else ""
