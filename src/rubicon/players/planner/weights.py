"""The value model's numbers, as they were learned: `weights.npz` beside this file.

`docs/internals/bots.md` says how they were made.
"""

from pathlib import Path

import numpy as np

with np.load(Path(__file__).with_name("weights.npz")) as _found:
    FIRST, BIAS, SECOND = (
        np.ascontiguousarray(_found[name], np.float64) for name in ("first", "bias", "second")
    )
