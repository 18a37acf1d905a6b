"""The legal decisions of a batch, as ranges of actions that differ in one number only."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.action_codes import A_SHIFT, B_SHIFT, C_SHIFT, NUMBER_SHIFT
from rubicon.lab.listing import Rows
from rubicon.lab.records import Mask, Whole


@dataclass(frozen=True, slots=True)
class LegalRanges:
    """The legal decisions of every game, as ranges.

    `rows` has shape (games, most, 6), int32: kind, a, b, c, lowest and highest number, as
    `engine.records.action_codes` explains; -1 behind the last range of a game. `counts` has the
    number of ranges of each game. Both are written anew by the next `Batch.legal`.
    """

    rows: Rows
    counts: Whole

    @property
    def mask(self) -> Mask:
        """Which ranges there are: shape (games, most)."""
        present: Mask = np.arange(self.rows.shape[1]) < self.counts[:, None]
        return present

    def actions(self, chosen: npt.ArrayLike, numbers: npt.ArrayLike) -> Whole:
        """The actions for `Batch.step`: of each game the index of a range, and a number in it."""
        index = np.asarray(chosen, np.int64)
        rows = self.rows[np.arange(len(self.rows)), index].astype(np.int64)
        codes = rows[:, 0] | rows[:, 1] << A_SHIFT | rows[:, 2] << B_SHIFT | rows[:, 3] << C_SHIFT
        actions: Whole = codes | np.asarray(numbers, np.int64) << NUMBER_SHIFT
        return actions
