"""The games of a batch, played again as `Game`, and so as records (`rubicon.rules.record`).

log = GameLog(batch)
for played in log.step(batch.random_actions()):
    Record.of(log.replay(played)).save(f"{played.seed}.txt")
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rubicon.engine.legal_actions import range_buffer
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records.position import POSITION, Seat
from rubicon.engine.sampling import generator
from rubicon.lab.batch import Batch
from rubicon.lab.records import LEARNER
from rubicon.lab.stepping import BEHIND, EPISODE_STEP, bot_action
from rubicon.players.memory import MEMORY
from rubicon.rules.actions import action_of
from rubicon.rules.game.game import Game

WORD = 2**64


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a batch that has ended: all that it takes to play it again."""

    number: int  # its place in the batch
    episode: int
    seed: int  # its dice are those of `generator(seed)`
    policies: tuple[int, ...]  # by seat, the number of a bot, or LEARNER
    actions: tuple[int, ...]  # of the learners, in order


class GameLog:
    """Notes the learners' actions of a batch, which must be stepped through the log from now on.

    Games that are under way when the log begins are left out.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self._actions: list[list[int]] = [[] for _ in range(len(batch))]
        self._first = batch.episodes + 1  # by place, the first game that is noted whole
        self._start = batch.start.copy()

    def begin(self) -> None:
        """Start all games anew, so that none is left out."""
        self.batch.start_again()
        self._first = self.batch.episodes.copy()
        self._actions = [[] for _ in range(len(self.batch))]

    def step(self, actions: npt.ArrayLike, *, checked: bool = False) -> list[PlayedGame]:
        """`Batch.step`; returns the games that ended, in the order of their places."""
        taken = np.asarray(actions)
        deciding, episodes = self.batch.seats >= 0, self.batch.episodes.copy()
        self.batch.step(taken, checked=checked)
        for number in np.flatnonzero(deciding):
            self._actions[number].append(int(taken[number]))
        played = []
        for number in np.flatnonzero(self.batch.ended):
            # Of several games that ended in one place, only the first had decisions of learners.
            begun = int(episodes[number]) + int(not deciding[number])
            for episode in range(begun, begun + int(self.batch.ended[number])):
                if episode >= self._first[number]:
                    played.append(self._played(int(number), episode))
                self._actions[number] = []
        return played

    def replay(self, played: PlayedGame) -> Game:
        """Play a game again, every action checked, as far as the batch played it."""
        game = Game(self.batch.ruleset, self._start)
        with np.errstate(over="ignore"):
            self._play(game, played)
        return game

    def _played(self, number: int, episode: int) -> PlayedGame:
        seed = self.batch.seed_of(number) + episode * int(EPISODE_STEP)
        policies = self.batch.policies_of(number)
        return PlayedGame(
            number=number,
            episode=episode,
            seed=seed % WORD,
            policies=policies,
            actions=tuple(self._actions[number]),
        )

    def _play(self, game: Game, played: PlayedGame) -> None:
        dice, luck = generator(played.seed), generator(played.seed ^ (WORD - 1))
        games, buffer = np.zeros(1 + BEHIND, POSITION), range_buffer()
        memories = np.zeros(game.size, MEMORY)
        actions = iter(played.actions)
        learners = [seat for seat, policy in enumerate(played.policies) if policy == LEARNER]
        while not game.over:
            if game.awaits_chance:
                game.settle(game.sample(dice))
                continue
            position = game.position
            if 0 < self.batch.round_cap < position.round_number:
                return
            seat = first_to_act(position)
            if played.policies[seat] == LEARNER:
                game.play(action_of(next(actions), game))
                continue
            if learners and all(position.status[one] != Seat.PLAYING for one in learners):
                return
            games[0] = position
            here = (games, 0, played.policies[seat], game.rules, game.tables)
            game.play(action_of(int(bot_action(*here, seat, memories[seat], buffer, luck)), game))
