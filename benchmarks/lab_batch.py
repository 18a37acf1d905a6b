"""The speed of `rubicon.lab.batch.Batch`, as ratios to `Game` and to the bare engine, as JSON.

    python benchmarks/lab_batch.py

All play `classic` with three players at random: each legal range equally likely, then each of its
numbers. A decision is one action of one seat, with the dice and cards that follow it.

* `game`: `game.play(game.legal.random(rng))`, and `game.settle(game.sample(rng))` while needed;
* `batch`: `batch.step(batch.random_actions())`, with the check of every action;
* `batch_unchecked`: the same with `checked=True`;
* `engine_same_play`: the engine alone plays at random in the same way;
* `step`: only `batch.step(actions, checked=True)`, with the actions that were played before;
* `engine_step`: the engine alone plays the same actions in the same games;
* `engine_bench`: actions a second of `benchmarks/engine.py`, whose play keeps its own lists;
* `legal`, `mask`, `observe`: one call for all games, by game.

`against_game` is decisions a second of `batch` by those of `game` (goal: at least 60);
`against_engine` is `step` by `engine_step` (goal: at least 0.5), `against_engine_same_play` is
`batch_unchecked` by `engine_same_play`. Times are of this thread's CPU, medians over rounds in
which all take turns; rates are decisions a second, of `legal`, `mask` and `observe` games a second.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import thread_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from benchmarks.engine import measure
from rubicon.engine.apply import apply, settle
from rubicon.engine.chance import GENERATOR, below, generator, sample
from rubicon.engine.codes import NUMBER_SHIFT
from rubicon.engine.legal_actions import range_buffer, ranges
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records import compiled
from rubicon.lab.batch import Batch
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

CLASSIC = Ruleset.load("classic")
RULES, BOARD = CLASSIC.rules, CLASSIC.tables
PLAYERS, GAMES, STEPS, ROUNDS = 3, 1024, 400, 7
GAME_DECISIONS = 3000


@compiled
def play_alone(games, rngs, rules, board, buffer, steps):  # type: ignore[no-untyped-def]
    """Random play of every game, without a batch around it."""
    for _ in range(steps):
        for number in range(len(games)):
            position, rng = games[number], rngs[number]
            while position.chance != 0:
                settle(position, rules, board, int(sample(position, rng)))
            seat = first_to_act(position)
            if seat < 0:
                continue
            i = below(rng, ranges(position, rules, board, seat, buffer))
            chosen = buffer[i, 1] + below(rng, buffer[i, 2] - buffer[i, 1] + 1)
            apply(position, rules, board, buffer[i, 0] | chosen << NUMBER_SHIFT)


@compiled
def play_again(games, rngs, actions, rules, board):  # type: ignore[no-untyped-def]
    """Play the actions that were chosen before, and draw the same dice."""
    for step in range(len(actions)):
        for number in range(len(games)):
            position, rng = games[number], rngs[number]
            apply(position, rules, board, actions[step, number])
            while position.chance != 0:
                settle(position, rules, board, int(sample(position, rng)))


def timed(run: Callable[[], object]) -> float:
    began = thread_time()
    run()
    return thread_time() - began


def new_batch() -> Batch:
    return Batch(CLASSIC, PLAYERS, games=GAMES, seed=1, round_cap=0, restart=False)


def played() -> tuple[np.ndarray, bool]:
    """The actions of a batch, step by step; whether no game has ended."""
    batch = new_batch()
    actions = np.zeros((STEPS, GAMES), np.int64)
    for row in actions:
        row[:] = batch.random_actions()
        batch.step(row)
    return actions, bool((batch.seats >= 0).all())


def play_game() -> None:
    game, rng = Game.new(CLASSIC, PLAYERS), generator(2)
    for _ in range(GAME_DECISIONS):
        while game.awaits_chance:
            game.settle(game.sample(rng))
        if game.over:
            game = Game.new(CLASSIC, PLAYERS)
            continue
        game.play(game.legal.random(rng))


def after_chance() -> np.ndarray:
    return new_batch().positions.copy()


def one_round(actions: np.ndarray) -> dict[str, float]:
    """Decisions, or games, a second of everything once."""
    rates = {"game": GAME_DECISIONS / timed(play_game)}
    for name, checked in (("batch", False), ("batch_unchecked", True)):
        batch = new_batch()

        def random_play(batch: Batch = batch, checked: bool = checked) -> None:
            for _ in range(STEPS):
                batch.step(batch.random_actions(), checked=checked)

        rates[name] = STEPS * GAMES / timed(random_play)
    batch = new_batch()
    rates["step"] = STEPS * GAMES / timed(lambda: [batch.step(a, checked=True) for a in actions])
    games = after_chance()
    rngs = new_batch()._dice
    rates["engine_step"] = (
        STEPS * GAMES / timed(lambda: play_again(games, rngs, actions, RULES, BOARD))
    )
    if games.tobytes() != batch.positions.tobytes():
        raise AssertionError("the batch and the engine did not play the same games")
    alone = after_chance()
    seeds = np.array([np.asarray(generator(seed)) for seed in range(GAMES)], GENERATOR)
    rates["engine_same_play"] = (
        STEPS * GAMES / timed(lambda: play_alone(alone, seeds, RULES, BOARD, range_buffer(), STEPS))
    )
    for name, call in (("legal", batch.legal), ("mask", batch.mask), ("observe", batch.observe)):
        rates[name] = 20 * GAMES / timed(lambda call=call: [call() for _ in range(20)])  # type: ignore[misc]
    return rates


def main() -> None:
    actions, going_on = played()
    if not going_on:
        raise AssertionError("a game ended: choose fewer STEPS")
    one_round(actions)  # loads or compiles everything
    rounds = [one_round(actions) for _ in range(ROUNDS)]
    rates = {name: median(one[name] for one in rounds) for name in rounds[0]}

    def ratio(above: str, below: str) -> float:
        return round(median(one[above] / one[below] for one in rounds), 2)

    bench = measure("classic", PLAYERS, checked=False, seed=1, seconds=2.0, turns=300)
    result = {
        "against_game": ratio("batch", "game"),
        "against_engine": ratio("step", "engine_step"),
        "against_engine_same_play": ratio("batch_unchecked", "engine_same_play"),
        "rates": {name: round(rate) for name, rate in rates.items()},
        "engine_bench": round(float(bench.actions_per_second)),
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
