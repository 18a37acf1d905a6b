"""How much, and how, the strategist plays on in its mind."""

from typing import Annotated

import numpy as np

from rubicon.engine.records.layout import RecordLayout, record_dtype


class Thinking(RecordLayout):
    """How much, and how, the planner plays on in its mind."""

    samples: Annotated[
        int, np.int64
    ]  # games with the same dice that a proposal is played on, at most
    first_check: Annotated[int, np.int64]  # after so many the worst may be dropped; then twice, ...
    rounds: Annotated[int, np.int64]  # own turns that begin before the value model judges
    pool: Annotated[int, np.int64]  # opponents are drawn from so many of the first proposers
    budget: Annotated[int, np.int64]  # games played on for one decision, at most
    claim_samples: Annotated[int, np.int64]  # the same as `samples`, for a claim; 0: not searched
    doubt: Annotated[
        float, np.float64
    ]  # standard errors by which a proposal that is dropped trails


THINKING = record_dtype(Thinking)

# 1 where sets of cards bring more and more: such games are short, and the worth of a position lies
# in the eliminations to come, which are better played on than judged.
USUAL_THINKING = np.array([(96, 8, 1, 6, 800, 24, 2.0), (96, 8, 1, 6, 800, 24, 2.0)], THINKING)
