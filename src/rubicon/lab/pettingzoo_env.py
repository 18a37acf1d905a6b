"""A PettingZoo environment: the seats of a game decide in turn, with a flat, masked choice.

    from rubicon.lab.pettingzoo_env import RiskAEC
    env = RiskAEC("classic", 4)

It needs the extra `lab` (`pip install rubicon[lab]`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete, Space
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from rubicon.engine.records import Seat
from rubicon.errors import RubiconError
from rubicon.lab.batch import ROUND_CAP, Batch
from rubicon.lab.feature_names import VERSION, Floats
from rubicon.lab.gymnasium_env import HIGHEST
from rubicon.rules.ruleset.ruleset import Ruleset


class RiskAEC(AECEnv):  # type: ignore[misc]
    """A game whose seats without a bot are agents, `seat_0` first; rewards are win shares.

    Observations are the features of `docs/lab.md`; `infos[agent]["action_mask"]` says which
    numbers of the list `Batch.flat` the agent may choose. An eliminated agent is terminated; after
    `round_cap` rounds all are truncated.
    """

    metadata = {  # noqa: RUF012 (PettingZoo declares it so)
        "name": f"risk_v{VERSION}",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        preset: str = "classic",
        players: int | None = None,
        *,
        options: Mapping[str, object] | None = None,
        board: str | None = None,
        bots: Sequence[str | None] = (),
        round_cap: int = ROUND_CAP,
        render_mode: str | None = None,
    ) -> None:
        """Play under a ruleset; `bots` has for each seat the name of a bot, or None for an agent.

        Raises RubiconError: `lab/bots`, and what `Ruleset.load` and `Batch` raise.
        """
        super().__init__()
        ruleset = Ruleset.load(preset, options, board=board)
        self.render_mode = render_mode
        self.batch = Batch(ruleset, players, games=1, bots=bots, restart=False, round_cap=round_cap)
        seating = list(bots) or [None] * self.batch.players
        if None not in seating:
            raise RubiconError("lab/bots", "No seat is left for an agent.", "Write None for one.")
        agents = [f"seat_{seat}" for seat, bot in enumerate(seating) if bot is None]
        self.possible_agents = agents
        size = (self.batch.layout.size,)
        self.observation_spaces = {one: Box(0.0, HIGHEST, size, np.float32) for one in agents}
        self.action_spaces = {one: Discrete(self.batch.flat.size) for one in agents}
        self._random, _ = seeding.np_random(None)
        self.reset()

    def observation_space(self, agent: str) -> Space[Floats]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[np.int64]:
        """The space of an agent's choices."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game in which an agent has a decision; the same seed starts the same game."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        while True:
            self.batch.start_again(seed=int(self._random.integers(2**62)))
            if self.batch.seats[0] >= 0:
                break
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()
        self._deads_step_first()

    def step(self, action: int | None) -> None:
        """Take the decision of the selected agent; None for one that has left the game.

        Raises RubiconError: `lab/illegal` for a choice that the mask excludes.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise RubiconError(
                "lab/illegal", f"{agent} must choose.", "None is for agents that left."
            )
        code = int(self.batch.flat_actions([int(action)])[0])
        if code < 0:
            known = 0 <= int(action) < self.batch.flat.size
            chosen = repr(self.batch.flat.names[int(action)]) if known else str(action)
            raise RubiconError(
                "lab/illegal", f"{agent} cannot choose {chosen} now.", "Choose by the mask."
            )
        self.batch.step([code], checked=True)
        self._cumulative_rewards[agent] = 0.0
        for one in self.agents:
            self.rewards[one] = float(self.batch.rewards[0, _seat(one)])
        self._select()
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> Floats:
        """What an agent sees."""
        seen: Floats = np.clip(self.batch.observe([_seat(agent)])[0], 0.0, HIGHEST)
        return seen

    def render(self) -> str:
        """The position in one line (`docs/notation.md`), with everyone's secrets."""
        return str(self.batch.game(0))

    def close(self) -> None:
        """Nothing is open."""

    def _select(self) -> None:
        """Say who has left the game and who decides next, with the mask of its choices."""
        over, cut = self.batch.seats[0] < 0, bool(self.batch.truncated[0])
        status = self.batch.positions[0]["status"]
        for agent in self.agents:
            self.truncations[agent] = cut
            self.terminations[agent] = not cut and bool(
                over or status[_seat(agent)] != Seat.PLAYING
            )
            self.infos[agent] = {}
        if not over:
            self.agent_selection = f"seat_{int(self.batch.seats[0])}"
            mask = self.batch.mask()[0].astype(np.int8)
            self.infos[self.agent_selection] = {"action_mask": mask}


def _seat(agent: str) -> int:
    return int(agent.removeprefix("seat_"))
