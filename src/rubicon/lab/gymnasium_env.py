"""A Gymnasium environment: one seat against bots, with a flat, masked choice.

    import gymnasium, rubicon.lab.gymnasium_env
    env = gymnasium.make("rubicon/Risk-v1", opponents="greedy")

It needs the extra `lab` (`pip install rubicon[lab]`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete

from rubicon.errors import RubiconError
from rubicon.lab.batch import ROUND_CAP, Batch
from rubicon.lab.feature_names import VERSION, Floats
from rubicon.players.characters import NAMES, policy_of
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.wording import numbered, quoted

ENVIRONMENT = f"rubicon/Risk-v{VERSION}"
HIGHEST = 100.0  # no feature is shown higher
Seen = tuple[Floats, dict[str, Any]]


class RiskEnv(gymnasium.Env[Floats, np.int64]):
    """One learner's seat of a game; the reward is the win share when the game ends.

    An observation is the features of `docs/lab.md`, an action a number of the list
    `Batch.flat`. `info["action_mask"]` says which are legal; any other changes nothing, and
    `info["legal"]` is False. An episode is truncated after `round_cap` rounds.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(
        self,
        preset: str = "classic",
        players: int | None = None,
        *,
        options: Mapping[str, object] | None = None,
        board: str | None = None,
        opponents: str | Sequence[str] = "random",
        seat: int | None = None,
        round_cap: int = ROUND_CAP,
        render_mode: str | None = None,
    ) -> None:
        """Play `seat` (another one each episode if not given) under a ruleset.

        `opponents` names one bot for all other seats, or one for each in the order of play.
        Raises RubiconError: `lab/bots`, `lab/seat`, and what `Ruleset.load` and `Batch` raise.
        """
        self.render_mode = render_mode
        self.batch = Batch(
            Ruleset.load(preset, options, board=board),
            players,
            games=1,
            restart=False,
            round_cap=round_cap,
        )
        seats = self.batch.players
        if seat is not None and seat not in range(seats):
            raise RubiconError("lab/seat", f"There is no seat {seat}.", f"Seats: 0 to {seats - 1}.")
        names = [opponents] * (seats - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != seats - 1 or any(policy_of(name) is None for name in names):
            raise RubiconError(
                "lab/bots",
                f"Opponents {quoted(names, 100)}: {numbered(seats - 1, 'bot')} must be named.",
                f'Write opponents="greedy", or a name for each of them; bots: {", ".join(NAMES)}.',
            )
        self._opponents = names
        self._wanted = seat
        self.seat = seat or 0
        self.observation_space = Box(0.0, HIGHEST, (self.batch.layout.size,), np.float32)
        self.action_space = Discrete(self.batch.flat.size)
        self._start()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Seen:
        """Start a game in which the seat has a decision; the same seed starts the same game."""
        super().reset(seed=seed)
        while True:
            if self._wanted is None:
                self.seat = int(self.np_random.integers(self.batch.players))
            self._start(int(self.np_random.integers(2**62)))
            if self.batch.seats[0] == self.seat:
                return self._seen(legal=True)

    def step(self, action: np.int64) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Take the decision, and go on to the seat's next one or to the end of the game."""
        code = int(self.batch.flat_actions([int(action)])[0])
        if code < 0:
            return *self._seen(legal=False)[:1], 0.0, False, False, self._info(legal=False)
        self.batch.step([code], checked=True)
        ended, cut = bool(self.batch.ended[0]), bool(self.batch.truncated[0])
        reward = float(self.batch.rewards[0, self.seat])
        observation, info = self._seen(legal=True)
        return observation, reward, ended and not cut, cut, info

    def render(self) -> str:
        """The position in one line (`docs/notation.md`), with everyone's secrets."""
        return str(self.batch.game(0))

    def _start(self, seed: int = 0) -> None:
        seating: list[str | None] = list(self._opponents)
        seating.insert(self.seat, None)
        self.batch.start_again(seed=seed, bots=seating)

    def _seen(self, *, legal: bool) -> Seen:
        observation = np.clip(self.batch.observe([self.seat])[0], 0.0, HIGHEST)
        return observation, self._info(legal=legal)

    def _info(self, *, legal: bool) -> dict[str, Any]:
        mask: npt.NDArray[np.int8] = self.batch.mask()[0].astype(np.int8)
        return {"action_mask": mask, "legal": legal}


gymnasium.register(id=ENVIRONMENT, entry_point=f"{__name__}:RiskEnv")
