"""The speed of the engine on this machine, as a table or as JSON: `make bench`.

    python benchmarks/engine.py --checked --json

An action is a roll, a placement of any size, an occupation, a fortification or a trade.
"""

import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import click
import numpy as np

from benchmarks.random_play import BenchmarkState, benchmark_state, play_games, warm
from rubicon.cli.warmup import warm_kernels
from rubicon.engine.chance import generator
from rubicon.engine.legal_actions import range_buffer
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

TURN_CAP = 5000  # of one game; the C program has the same
COMPARED_TURNS = 300  # of every game where rulesets are compared with one another
SECONDS = 2.0  # that a measurement should last at least
# The preset `classic` is for three players or more; the C program plays with two as well.
CLASSIC_TWO = {"players.min": "2", "setup.armies": "2:40 3:35 4:30 5:25 6:20"}
COUNTED = ("rolls", "placements", "occupations", "fortifications", "trades")
RUNS = (
    ("classic", 2),
    ("classic", 3),
    ("classic", 6),
    ("revised", 3),
    ("secret-mission", 3),
    ("email", 3),
    ("digest", 3),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """Random play (`benchmarks/random_play.py`): counts over all games, and speed."""

    ruleset: str
    players: int
    games: int
    actions: int
    rolls_per_game: float
    turns_per_game: float
    unfinished: int  # games cut off after `turn_cap` turns
    turn_cap: int
    seconds: float
    actions_per_second: float
    games_per_second: float
    checked: bool


class IllegalBenchmark(AssertionError):
    """The benchmark's play took an action that the rules refuse: its speed means nothing."""


def measure(
    preset: str,
    players: int,
    *,
    checked: bool,
    seed: int,
    seconds: float,
    turns: int = TURN_CAP,
) -> Measurement:
    """Play games of at most `turns` turns until `seconds` have passed.

    The games that warm the machine up are not counted. Random play lasts very differently long
    under different rulesets, and late turns cost more than early ones: a comparison of rulesets
    gives every run the same `turns`. Raises IllegalBenchmark where `checked` finds a refusal.
    """
    ruleset = Ruleset.load(preset, CLASSIC_TWO if (preset, players) == ("classic", 2) else {})
    game = Game.new(ruleset, players)
    positions = np.array([np.asarray(game.position)] * 2)
    here = (positions, ruleset.rules, ruleset.tables, generator(seed), range_buffer())
    play_games(*here, benchmark_state(checked), 1, turns)
    state = benchmark_state(checked)
    games = unfinished = 0
    began = time.perf_counter()
    passed = 0.0
    while passed < seconds:
        batch = max(1, games)
        unfinished += play_games(*here, state, batch, turns)
        games += batch
        passed = time.perf_counter() - began
    if state.refused > 0:
        raise IllegalBenchmark(f"{preset}: {state.refused} actions of the benchmark were refused")
    actions = _actions(state)
    return Measurement(
        ruleset=preset,
        players=players,
        games=games,
        actions=actions,
        rolls_per_game=round(state.rolls / games, 1),
        turns_per_game=round(state.turns / games, 1),
        unfinished=unfinished,
        turn_cap=turns,
        seconds=round(passed, 3),
        actions_per_second=round(actions / passed, 1),
        games_per_second=round(games / passed, 2),
        checked=checked,
    )


def _actions(state: BenchmarkState) -> int:
    return sum(state[kind] for kind in COUNTED)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a list of JSON objects.")
@click.option("--checked", is_flag=True, help="Compute the refusal of every action first.")
@click.option("--seed", default=1, show_default=True, help="Seed of the random play.")
@click.option(
    "--turns",
    type=click.IntRange(min=1),
    default=COMPARED_TURNS,
    show_default=True,
    help="Turns after which a game is cut off, the same for every ruleset.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=SECONDS,
    show_default=True,
    help="Duration of each run.",
)
def command(as_json: bool, checked: bool, seed: int, turns: int, seconds: float) -> None:
    """Measure the engine's random play under several rulesets."""
    warm_kernels(warm)
    results = []
    for preset, players in RUNS:
        result = measure(preset, players, checked=checked, seed=seed, seconds=seconds, turns=turns)
        results.append(asdict(result))
        if not as_json:
            click.echo(
                f"{preset:15} {players} players {result.actions_per_second / 1e6:7.2f} M actions/s "
                f"{result.games_per_second:10,.1f} games/s "
                f"{result.turns_per_game:7,.1f} turns a game"
            )
    if as_json:
        click.echo(json.dumps(results, indent=2))


if __name__ == "__main__":
    command()
