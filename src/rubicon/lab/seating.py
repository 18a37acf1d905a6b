"""Which seats of a batch bots play, and which are the learners'."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.position import SEATS
from rubicon.errors import RubiconError
from rubicon.lab.records import LEARNER
from rubicon.players.registry import NAMES, policy_of

Seating = Sequence[str | None]  # by seat: the name of a bot, or None for a learner
Bots = Seating | Sequence[Seating]


def policies(bots: Bots, games: int, seats: int) -> npt.NDArray[np.int8]:
    """By game and seat the number of a bot, or LEARNER: shape (games, SEATS).

    `bots` is the seating of all games, or one seating for each game; empty, all seats are
    learners'. Raises RubiconError: `lab/bots`.
    """
    made = np.full((games, SEATS), LEARNER, np.int8)
    if not _is_list(bots):
        raise _wrong(f"{bots!r} is no list of bots.", seats)
    if len(bots) == 0:
        return made
    rows = [_row(one, seats) for one in (bots if _is_list(bots[0]) else [bots])]
    if len(rows) not in (1, games):
        raise _wrong(f"{len(rows)} seatings were given for {games} games.", seats)
    made[:, :seats] = np.array(rows, np.int8)
    return made


def _is_list(given: object) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str)


def _row(seating: object, seats: int) -> list[int]:
    if not isinstance(seating, Sequence) or isinstance(seating, str) or len(seating) != seats:
        raise _wrong(f"{seating!r} does not name {seats} seats.", seats)
    return [LEARNER if bot is None else _number(bot, seats) for bot in seating]


def _number(bot: str, seats: int) -> int:
    number = policy_of(bot)
    if number is None:
        raise _wrong(f"There is no bot {bot!r}.", seats)
    return number


def _wrong(message: str, seats: int) -> RubiconError:
    example = ["None", *['"greedy"'] * (seats - 1)]
    return RubiconError(
        "lab/bots",
        message,
        f"Write bots=({', '.join(example)}); bots: {', '.join(NAMES)}.",
    )
