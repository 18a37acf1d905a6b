"""The value model's numbers, as they were learned: `weights.npz` beside this file.

`docs/internals/bots.md` says how they were made.
"""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.layout import RecordLayout, record_dtype
from rubicon.players.planner.columns import COUNT

Numbers = npt.NDArray[np.float32]
FIRST_UNITS, SECOND_UNITS = 64, 32


class Weights(RecordLayout):
    """Two layers and a sum; the second one sees a seat's units of the first, and their means."""

    first: Annotated[Numbers, np.float32, (COUNT, FIRST_UNITS)]
    first_bias: Annotated[Numbers, np.float32, (FIRST_UNITS,)]
    second: Annotated[Numbers, np.float32, (2 * FIRST_UNITS, SECOND_UNITS)]
    second_bias: Annotated[Numbers, np.float32, (SECOND_UNITS,)]
    last: Annotated[Numbers, np.float32, (SECOND_UNITS,)]


WEIGHTS = record_dtype(Weights)


def load_weights(path: Path) -> npt.NDArray[Any]:
    """An array of one record; `path` is an `.npz` with an array by the name of each field."""
    made = np.zeros(1, WEIGHTS)
    with np.load(path) as found:
        for name in WEIGHTS.names or ():
            made[name][0] = found[name]
    return made


LEARNED = load_weights(Path(__file__).with_name("weights.npz"))
