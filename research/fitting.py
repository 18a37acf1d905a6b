"""The fit of the value model: Adam on the cross entropy of the seat that won, in NumPy."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from rubicon.players.planner.value import FIRST_UNITS, SECOND_UNITS, WEIGHTS

Values = npt.NDArray[Any]
NAMES = ("first", "first_bias", "second", "second_bias", "last")
BATCH = 1024
HELD_OUT = 10  # one game in so many
DECAY = 1e-3


@dataclass(frozen=True, slots=True)
class Examples:
    """Turns of games: `rows` (n, 6, FEATURES), `winner` (n,), `game` (n,).

    `playing` (n, 6) is 1 for seats that play; `bots` (n, 6) has the bots by seat, as policies.
    """

    rows: Values
    playing: Values
    bots: Values
    winner: Values
    game: Values

    def __len__(self) -> int:
        return len(self.winner)

    def those(self, chosen: Values) -> "Examples":
        """Some of them, by a mask or by their numbers."""
        return Examples(*(getattr(self, name)[chosen] for name in FIELDS))


FIELDS = tuple(field.name for field in fields(Examples))


def held_out(examples: Examples) -> Values:
    """Which examples belong to games that the fit does not see."""
    return np.asarray(examples.game % HELD_OUT == 0)


def joined(parts: Iterable[Examples]) -> Examples:
    """Examples one after another."""
    given = list(parts)
    return Examples(*(np.concatenate([getattr(one, name) for one in given]) for name in FIELDS))


def model_of(weights: Values) -> dict[str, Values]:
    """The arrays of a record of weights, by field."""
    return {name: weights[name][0].copy() for name in NAMES}


def new_model(features: int, seed: int) -> dict[str, Values]:
    """Random weights, by the fields of a `Weights` record."""
    rng = np.random.default_rng(seed)
    one, two = FIRST_UNITS, SECOND_UNITS
    model = {
        "first": rng.standard_normal((features, one)) * np.sqrt(2 / features),
        "first_bias": np.zeros(one),
        "second": rng.standard_normal((2 * one, two)) * np.sqrt(1 / one),
        "second_bias": np.zeros(two),
        "last": rng.standard_normal(two) * 0.1,
    }
    return {name: value.astype(np.float32) for name, value in model.items()}


def forward(
    model: dict[str, Values], rows: Values, playing: Values, strengths: Values | float = 0.0
) -> tuple[Values, ...]:
    """Chances (n, 6), and the layers before them.

    `strengths` (n, 6) are added to how seats are judged, before the softmax.
    """
    count = playing.sum(1, keepdims=True)
    signals = np.maximum(rows @ model["first"] + model["first_bias"], 0) * playing[..., None]
    mean = signals.sum(1) / count
    own, shared = model["second"][:FIRST_UNITS], model["second"][FIRST_UNITS:]
    units = np.maximum(signals @ own + (mean @ shared)[:, None] + model["second_bias"], 0)
    judged = np.where(playing > 0, units @ model["last"] + strengths, -1e9)
    return softmax(judged), signals, mean, units


def softmax(judged: Values) -> Values:
    """Chances (n, 6) from how seats are judged; far below the others is no chance."""
    chances: Values = np.exp(judged - judged.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    return chances


def gradient(
    model: dict[str, Values],
    rows: Values,
    playing: Values,
    wins: Values,
    strengths: Values | float = 0.0,
) -> Any:
    """The gradient of the mean cross entropy, by field; `wins`: chances wanted, shape (n, 6)."""
    chances, signals, mean, units = forward(model, rows, playing, strengths)
    judged = (chances - wins) * playing / len(rows)
    unit = judged[..., None] * model["last"] * (units > 0)
    own, shared = model["second"][:FIRST_UNITS], model["second"][FIRST_UNITS:]
    both = unit.sum(1)
    flat = signals.reshape(-1, FIRST_UNITS)
    back = unit @ own.T + ((both @ shared.T) / playing.sum(1, keepdims=True))[:, None]
    back *= signals > 0
    return {
        "first": rows.reshape(-1, rows.shape[-1]).T @ back.reshape(-1, FIRST_UNITS),
        "first_bias": back.sum((0, 1)),
        "second": np.concatenate([flat.T @ unit.reshape(-1, SECOND_UNITS), mean.T @ both]),
        "second_bias": unit.sum((0, 1)),
        "last": units.reshape(-1, SECOND_UNITS).T @ judged.ravel(),
    }


def fit(
    examples: Examples,
    epochs: int,
    seed: int,
    rate: float = 2e-3,
    told: Callable[[int, dict[str, Values]], None] = lambda epoch, model: None,
    *,
    start: dict[str, Values] | None = None,
    aims: Values | None = None,
    strengths: Values | None = None,
) -> dict[str, Values]:
    """A model fitted to the winners; `told` is called after each epoch.

    `start` is the model to begin with, instead of a random one; `aims` are chances (n, 6) to fit
    instead of the winners; `strengths` (n, 6) are those of the players, which the model need not
    explain.
    """
    model = new_model(examples.rows.shape[-1], seed) if start is None else dict(start)
    first = {name: np.zeros_like(value) for name, value in model.items()}
    second = {name: np.zeros_like(value) for name, value in model.items()}
    rng = np.random.default_rng(seed)
    steps, step = epochs * max(1, len(examples) // BATCH), 0
    for epoch in range(epochs):
        order = rng.permutation(len(examples))
        for begin in range(0, max(1, len(order) - BATCH + 1), BATCH):
            chosen = np.sort(order[begin : begin + BATCH])
            some = examples.those(chosen)
            wins = np.eye(6, dtype=np.float32)[some.winner] if aims is None else aims[chosen]
            rows = some.rows.astype(np.float32)
            playing = some.playing.astype(np.float32)
            extra = 0.0 if strengths is None else strengths[chosen]
            slope = gradient(model, rows, playing, wins, extra)
            step += 1
            now = rate * (1 - step / steps) + 1e-5
            for name in NAMES:
                first[name] = 0.9 * first[name] + 0.1 * slope[name]
                second[name] = 0.999 * second[name] + 0.001 * slope[name] ** 2
                move = first[name] / (1 - 0.9**step)
                move = move / (np.sqrt(second[name] / (1 - 0.999**step)) + 1e-8)
                model[name] = (model[name] - now * (move + DECAY * model[name])).astype(np.float32)
        told(epoch, model)
    return model


def chances_of(
    model: dict[str, Values], examples: Examples, strengths: Values | None = None
) -> Values:
    """The chances of all seats, shape (n, 6); `strengths` (n, 6) as in `fit`."""
    parts = []
    for start in range(0, len(examples), 8192):
        chosen = np.arange(start, min(start + 8192, len(examples)))
        some = examples.those(chosen)
        rows, playing = some.rows.astype(np.float32), some.playing.astype(np.float32)
        extra = 0.0 if strengths is None else strengths[chosen]
        parts.append(forward(model, rows, playing, extra)[0])
    return np.concatenate(parts)


def losses(chances: Values, winner: Values) -> float:
    """The mean cross entropy."""
    return float(-np.log(chances[np.arange(len(winner)), winner] + 1e-9).mean())


def calibration(chances: Values, examples: Examples) -> list[tuple[float, float, int]]:
    """By tenths of the chance: the mean chance, the share that won, and how many."""
    playing = examples.playing > 0
    said = chances[playing]
    won = (np.arange(6) == examples.winner[:, None])[playing]
    found = []
    for tenth in range(10):
        these = (said >= tenth / 10) & (said < (tenth + 1) / 10 + (tenth == 9))
        if these.any():
            mean, share = float(said[these].mean()), float(won[these].mean())
            found.append((round(mean, 3), round(share, 3), int(these.sum())))
    return found


assert set(NAMES) == set(WEIGHTS.names or ())


# What a fit aims at: who won, mixed with later judgements (TD(lambda), Sutton 1988).


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


# How much stronger some bots are than others, apart from the positions that they are in.
#
# Without it a model that is fitted to games of unequal bots learns to tell them by their
# positions: it takes for a good position what a strong bot likes. A strength is added to how the
# model judges the bot's seat before the softmax, as in the model of Plackett and Luce (1975).

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
