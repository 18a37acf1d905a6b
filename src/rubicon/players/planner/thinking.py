"""How much, and how, the planner plays on in its mind."""

from typing import Annotated

import numpy as np

from rubicon.engine.records.layout import RecordLayout, record_dtype


class Thinking(RecordLayout):
    """How much, and how, the planner plays on in its mind."""

    samples: Annotated[int, np.int64]  # games that a proposal is played on, at most
    first_check: Annotated[int, np.int64]  # after so many the worst may be dropped; then twice, ...
    rounds: Annotated[int, np.int64]  # own turns that begin before the value model judges
    pool: Annotated[int, np.int64]  # opponents are drawn from so many of the first proposers
    # games played on for one decision; a round of all proposals that begins below it is ended
    budget: Annotated[int, np.int64]
    # the same for a claim or a starting army; 0 rounds: until the first turn of the game begins
    setup_samples: Annotated[int, np.int64]
    setup_rounds: Annotated[int, np.int64]
    doubt: Annotated[float, np.float64]  # standard errors by which a proposal trails to be dropped


THINKING = record_dtype(Thinking)

USUAL_THINKING = np.array([(64, 8, 1, 6, 1000, 64, 1, 2.0)], THINKING)
