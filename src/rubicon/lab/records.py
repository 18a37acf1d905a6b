"""What a batch notes beside the position of each game."""

from typing import Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.layout import CellArray, RecordLayout, record_dtype
from rubicon.engine.records.position import SEATS

LEARNER = -1  # the policy of a seat whose decisions the caller takes


class FloatCells(Protocol):
    """Real numbers by index, as a compiled procedure reads and writes them."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


class GameProgress(RecordLayout):
    """How one game of a batch stands, and what its last step came to."""

    seed: Annotated[np.uint64, np.uint64]  # of episode 0
    episode: Annotated[int, np.int64]  # games begun in this place before the current one
    rewards: Annotated[FloatCells, np.float32, (SEATS,)]  # win shares of games that just ended
    policy: Annotated[CellArray, np.int8, (SEATS,)]  # a bot's number, or LEARNER
    ended: Annotated[int, np.int16]  # games that ended in this place during the last step
    seat: Annotated[int, np.int8]  # the learner's seat that decides; NONE where the game is over
    winner: Annotated[int, np.int8]  # of the last game that ended; DRAWN or NONE without a winner
    truncated: Annotated[int, np.int8]  # 1: the last game that ended was cut off by its round


PROGRESS = record_dtype(GameProgress)
Games = npt.NDArray[Any]  # records of dtype POSITION
ProgressArray = npt.NDArray[Any]  # records of dtype PROGRESS
Memories = npt.NDArray[Any]  # records of dtype MEMORY: by game, then by seat
Generators = npt.NDArray[Any]  # records of dtype GENERATOR
Whole = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
