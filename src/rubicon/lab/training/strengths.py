"""How much stronger some bots are than others, apart from the positions that they are in.

Without it a model that is fitted to games of unequal bots learns to tell them by their positions:
it takes for a good position what a strong bot likes. A strength is added to how the model judges
the bot's seat before the softmax, as in the model of Plackett and Luce (1975).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.lab.training.fitting import Examples, softmax

Values = npt.NDArray[Any]
STEPS = 200
RATE = 2.5  # of a step; the loss cannot be so curved that this is too far
PRIOR = 20.0  # so many turns say that a bot is as strong as the others


def fitted_strengths(examples: Examples, chances: Values) -> dict[int, float]:
    """The strength of each bot, by its policy, so that chances with strengths fit who won best.

    `chances` (n, 6) are those of a model that knows positions alone. All strengths are relative to
    the bot with the highest policy, which has 0.
    """
    judged = np.log(chances + 1e-12)
    playing = examples.playing > 0
    won = np.eye(judged.shape[1])[examples.winner]
    bots = np.unique(examples.bots[playing])
    # The place of each seat's bot among them; seats that do not play count nowhere.
    places = np.minimum(np.searchsorted(bots, examples.bots), len(bots) - 1)
    turns = np.bincount(places[playing], minlength=len(bots)) + PRIOR
    found = np.zeros(len(bots))
    for _ in range(STEPS):
        wrong = softmax(np.where(playing, judged + found[places], -1e9)) - won
        slopes = np.bincount(places[playing], wrong[playing], len(bots))
        found -= RATE * (slopes + PRIOR / 4 * found) / turns
        found -= found[-1]
    return dict(zip(bots.tolist(), found.tolist(), strict=True))


def strengths_by_seat(examples: Examples, strengths: dict[int, float]) -> Values:
    """The strengths of the bots of each turn, shape (n, 6)."""
    table = np.zeros(max(strengths) + 1, np.float32)
    for bot, strength in strengths.items():
        table[bot] = strength
    return table[examples.bots]
