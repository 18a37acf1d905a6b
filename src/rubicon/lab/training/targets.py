"""What a fit aims at: who won, mixed with later judgements (TD(lambda), Sutton 1988)."""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.lab.training.fitting import Examples

Values = npt.NDArray[Any]


def winners(examples: Examples) -> Values:
    """1 for the seat that won, shape (n, 6)."""
    return np.eye(6, dtype=np.float32)[examples.winner]


def later_judgements(examples: Examples, chances: Values, share: float) -> Values:
    """The chances to aim at, shape (n, 6).

    `chances` (n, 6) is how a model judges the turns. The aim of a turn is, from the end of its game
    backwards, `share` of the next noted turn's aim and the rest of the next turn's judgement; of
    the last noted turn, the winner. A `share` of 1 leaves the winners alone. The turns of a game
    follow each other.
    """
    aims = winners(examples)
    for turn in range(len(examples) - 2, -1, -1):
        if examples.game[turn] == examples.game[turn + 1]:
            aims[turn] = share * aims[turn + 1] + (1 - share) * chances[turn + 1]
    return aims
