"""The levels of bots: which policy decides a round, and how much the planner thinks in it.

A weaker level is not a strong bot with noise in its decisions: for a whole round now and then, a
weaker bot has its seat, from trading cards to the last move.
"""

from typing import Annotated

import numpy as np

from rubicon.engine.records.layout import RecordLayout, record_dtype
from rubicon.players.planner.thinking import THINKING, USUAL_THINKING, Thinking
from rubicon.players.scripted.characters import CHARACTERS, FIRST_SCRIPTED

RANDOM, GREEDY = 0, 1  # policies that are neither characters nor levels
FIRST_LEVEL = FIRST_SCRIPTED + len(CHARACTERS)
CERTAIN = 1000  # out of so many rounds


class LevelPlay(RecordLayout):
    """How a level plays."""

    thinking: Annotated[Thinking, THINKING]  # of the planner, where it decides
    stronger: Annotated[int, np.int64]  # a policy
    weaker: Annotated[int, np.int64]  # the policy that decides some rounds instead
    weaker_rounds: Annotated[int, np.int64]  # out of a thousand, on the average


LEVEL_PLAY = record_dtype(LevelPlay)

# Where little is thought: fewer games for each proposal, and for a decision.
SHORT_THINKING = (16, 8, 1, 6, 200, 16, 1, 2.0)

HUNTER = FIRST_SCRIPTED + [one.name for one in CHARACTERS].index("hunter")
LEVELS = ("beginner", "easy", "medium", "hard", "expert")
EXPERT = FIRST_LEVEL + LEVELS.index("expert")
PLANNER = FIRST_LEVEL + len(LEVELS)  # plays plans on; no bot of its own: levels have it
# Shares of rounds were set by matches of all levels: docs/strength.md has the ratings.
LEVEL_PLAYS = np.array(
    [
        (SHORT_THINKING, GREEDY, RANDOM, 750),
        (SHORT_THINKING, GREEDY, RANDOM, 220),
        (SHORT_THINKING, HUNTER, GREEDY, 0),
        (SHORT_THINKING, PLANNER, HUNTER, 900),
        (USUAL_THINKING[0].item(), PLANNER, HUNTER, 0),
    ],
    LEVEL_PLAY,
)
