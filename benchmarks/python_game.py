"""The speed of `Game.play` and `Game.legal` for Python programs, beside python-chess, as JSON.

    python benchmarks/python_game.py

Both play random games: ours `classic` with three players, theirs chess. The games are chosen
first and then played again with a clock around each call:

* `play`: `Game.play(action)`, which checks the action, against `Board.is_legal` and `Board.push`;
* `legal`: `Game.legal`, which lists the ranges of legal actions, against `list(legal_moves)`.

The figures are microseconds of this thread's CPU time, medians over rounds in which the two take
turns, so that load on the machine disturbs both alike. python-chess is no dependency of Rubicon:
`pip install chess` (or the dependency group `benchmark`) adds it to the comparison.
"""

import json
import random
from collections.abc import Callable, Iterator
from statistics import median
from time import thread_time

from rubicon.engine.chance import generator
from rubicon.rules.actions import Action
from rubicon.rules.game import Entry, Game
from rubicon.rules.ruleset.ruleset import Ruleset

try:
    import chess
except ImportError:
    chess = None

ROUNDS = 9
DECISIONS = 1_500
Times = dict[str, float]


def clock_cost() -> float:
    """The seconds that reading the clock adds to a measured call."""
    began = thread_time()
    for _ in range(1_000):
        thread_time()
    return (thread_time() - began) / 1_001


def mean_microseconds(seconds: list[float], clock: float) -> float:
    return (sum(seconds) / len(seconds) - clock) * 1e6


def new_game() -> Game:
    return Game.new(Ruleset.load("classic"), 3)


def random_entries() -> list[Entry]:
    """The actions and outcomes of a random game."""
    game, rng = new_game(), generator(2)
    entries = 0
    while not game.over and entries < DECISIONS:
        if game.awaits_chance:
            game.settle(game.sample(rng))
        else:
            game.play(game.legal.random(rng))
            entries += 1
    return list(game.history)


def measure_game(entries: list[Entry]) -> Times:
    """Play the game again; microseconds a call."""
    game, clock = new_game(), clock_cost()
    legal, play = [], []
    for entry in entries:
        if not isinstance(entry, Action):
            game.settle(entry)
            continue
        began = thread_time()
        game.legal  # noqa: B018 (a property that lists the ranges)
        listed = thread_time()
        game.play(entry)
        legal.append(listed - began)
        play.append(thread_time() - listed)
    return {"play": mean_microseconds(play, clock), "legal": mean_microseconds(legal, clock)}


def random_moves() -> list[list["chess.Move"]]:
    """The moves of random games of chess."""
    rng = random.Random(2)
    games: list[list[chess.Move]] = []
    while sum(map(len, games)) < DECISIONS:
        board = chess.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        games.append(list(board.move_stack))
    return games


def measure_chess(games: list[list["chess.Move"]]) -> Times:
    """Play the games again; microseconds a call."""
    clock = clock_cost()
    legal, play = [], []
    for moves in games:
        board = chess.Board()
        for move in moves:
            began = thread_time()
            list(board.legal_moves)
            listed = thread_time()
            if board.is_legal(move):
                board.push(move)
            legal.append(listed - began)
            play.append(thread_time() - listed)
    return {"play": mean_microseconds(play, clock), "legal": mean_microseconds(legal, clock)}


def programs() -> Iterator[tuple[str, Callable[[], Times]]]:
    """The programs to measure, by name."""
    entries = random_entries()
    yield "rubicon", lambda: measure_game(entries)
    if chess is not None:
        games = random_moves()
        yield "python-chess", lambda: measure_chess(games)


def main() -> None:
    measured = list(programs())
    rounds: dict[str, list[Times]] = {name: [] for name, _ in measured}
    for _ in range(ROUNDS):
        for name, run in measured:
            rounds[name].append(run())
    result: dict[str, object] = {
        name: {call: round(median(one[call] for one in times), 1) for call in ("play", "legal")}
        for name, times in rounds.items()
    }
    if chess is None:
        result["python-chess"] = "not installed: pip install chess"
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
