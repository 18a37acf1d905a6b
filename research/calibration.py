"""Whether the chances of the value model come true: predictions of games between bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from rubicon.engine.chance import generator
from rubicon.engine.records import POSITION, Phase, Seat
from rubicon.players.characters import CHARACTER_BOTS
from rubicon.players.player import Player
from rubicon.players.review.curve import BEGINS, judged_moments
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

ROUND_CAP = 300  # a game that lasts longer counts for nothing
BINS = 10
FIELD = tuple(bot.name for bot in CHARACTER_BOTS if bot.name != "random")


@dataclass(frozen=True, slots=True)
class Prediction:
    """The chance of a seat at the beginning of a turn of a round, 0 to 1, and whether it won."""

    chance: float
    won: bool
    round: int


class CalibrationBin(TypedDict):
    """Predictions of about the same chance: their mean, the share that came true, the number."""

    chance: float
    won: float
    count: int


class Calibration(TypedDict):
    """A reliability diagram. `error` is the mean distance of chance and share, by predictions.

    `brier` is the mean squared error of the predictions.
    """

    bins: list[CalibrationBin]
    error: float
    brier: float
    count: int


def predictions(ruleset: Ruleset, players: int, games: int, seed: int) -> list[Prediction]:
    """Predictions at the beginnings of turns of games between bots that are drawn anew each time.

    Seats that are out are left out.
    """
    field = np.random.default_rng(seed)
    found: list[Prediction] = []
    for number in range(games):
        names = field.choice(FIELD, players)
        game = Game.new(ruleset, players)
        bots = {
            colour: Player(str(name), colour, seed=seed + number)
            for colour, name in zip(game.colours, names, strict=True)
        }
        found += _of_game(game, bots, seed * 1_000_003 + number)
    return found


def _of_game(game: Game, bots: dict[str, Player], seed: int) -> list[Prediction]:
    """Play a game to its end; its predictions, none if it is cut off."""
    dice = generator(seed)
    begun, known = [], (0, 0)
    while not game.over and game.position.round_number <= ROUND_CAP:
        position = game.position
        turn = int(position.round_number), int(position.turn)
        if position.phase == Phase.REINFORCE and turn != known:
            known = turn
            begun.append(position)
        if game.awaits_chance:
            game.settle(game.sample(dice))
        else:
            game.play(bots[game.actors[0]].decide(game))
        game.forget_history()
    if game.winner is None:
        return []
    moments = np.array(begun, POSITION)
    judged = judged_moments(game, moments, np.full(len(begun), BEGINS))
    return [
        Prediction(float(chances[seat]), colour == game.winner, int(position.round_number))
        for position, chances in zip(begun, judged, strict=True)
        for seat, colour in enumerate(game.colours)
        if position.status[seat] == Seat.PLAYING
    ]


def calibration(found: Sequence[Prediction], bins: int = BINS) -> Calibration:
    """The reliability diagram of predictions, in bins of equal width; empty bins are left out."""
    chances = np.array([one.chance for one in found])
    won = np.array([one.won for one in found], np.float64)
    places = np.minimum(bins - 1, (chances * bins).astype(np.int64))
    filled: list[CalibrationBin] = []
    error = 0.0
    for place in range(bins):
        inside = places == place
        if inside.any():
            mean, share = float(chances[inside].mean()), float(won[inside].mean())
            filled.append(
                {"chance": round(mean, 4), "won": round(share, 4), "count": int(inside.sum())}
            )
            error += abs(mean - share) * float(inside.mean())
    return {
        "bins": filled,
        "error": round(error, 4),
        "brier": round(float(((chances - won) ** 2).mean()), 4) if len(found) else 0.0,
        "count": len(found),
    }
