"""`rubicon bench`: how fast the engine is on this machine, as JSON or a table."""

import json
import time
from dataclasses import asdict, dataclass
from typing import Any

import click
import numpy as np

from rubicon.cli.warmup import warm_kernels
from rubicon.players import pairs
from rubicon.players.warmup import warm_to_measure
from rubicon.rules.game import Game
from rubicon.rules.procedures.families import family_buffer
from rubicon.rules.procedures.sampling import generator
from rubicon.rules.ruleset import Ruleset

TURN_CAP = 5000
SECONDS = 2.0  # that a measurement should last at least
CLASSIC_TWO = {"players.min": "2", "setup.armies": "2:40 3:35 4:30 5:25 6:20"}
COUNTED = ("rolls", "placements", "occupations", "fortifications", "trades")
RUNS = (
    ("classic", 2),
    ("classic", 3),
    ("classic", 6),
    ("revised", 3),
    ("secret-mission", 3),
)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Random play by the yardstick's policy (`rubicon.players.pairs`)."""

    ruleset: str
    players: int
    games: int
    actions: int
    rolls_per_game: float
    turns_per_game: float
    unfinished: int
    seconds: float
    actions_per_second: float
    games_per_second: float
    checked: bool


def measure(preset: str, players: int, *, checked: bool, seed: int, seconds: float) -> Measurement:
    """Play games until `seconds` have passed; the first ones, to warm up, are not counted."""
    ruleset = Ruleset.load(preset, CLASSIC_TWO if (preset, players) == ("classic", 2) else {})
    game = Game.new(ruleset, players)
    positions = np.array([np.asarray(game.position)] * 2)
    state = (positions, ruleset.rules, ruleset.tables, generator(seed), family_buffer())
    pairs.play_games(*state, pairs.desk(checked), 1, TURN_CAP)
    desk = pairs.desk(checked)
    games = unfinished = 0
    began = time.perf_counter()
    passed = 0.0
    while passed < seconds:
        batch = max(1, games)
        unfinished += pairs.play_games(*state, desk, batch, TURN_CAP)
        games += batch
        passed = time.perf_counter() - began
    return _measurement(preset, players, games, unfinished, passed, desk, checked)


def _measurement(
    preset: str,
    players: int,
    games: int,
    unfinished: int,
    seconds: float,
    desk: Any,
    checked: bool,
) -> Measurement:
    if desk.refused > 0:
        raise AssertionError(f"{desk.refused} actions of the yardstick were refused")
    actions = int(sum(desk[kind] for kind in COUNTED))
    return Measurement(
        ruleset=preset,
        players=players,
        games=games,
        actions=actions,
        rolls_per_game=round(float(desk.rolls) / games, 1),
        turns_per_game=round(float(desk.turns) / games, 1),
        unfinished=unfinished,
        seconds=round(seconds, 3),
        actions_per_second=round(actions / seconds, 1),
        games_per_second=round(games / seconds, 2),
        checked=checked,
    )


@click.command("bench")
@click.argument("what", type=click.Choice(["engine"]), default="engine")
@click.option("--json", "as_json", is_flag=True, help="Print a list of JSON objects.")
@click.option("--checked", is_flag=True, help="Ask for the refusal of every action first.")
@click.option("--seed", default=1, show_default=True, help="Of the random play.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=SECONDS,
    show_default=True,
    help="How long each run lasts.",
)
def command(what: str, as_json: bool, checked: bool, seed: int, seconds: float) -> None:
    """Measure WHAT: the engine's random play, through its own procedures.

    An action is a roll, a placement of any size, an occupation, a fortification or a trade.
    """
    warm_kernels(warm_to_measure)
    results = []
    for preset, players in RUNS:
        result = measure(preset, players, checked=checked, seed=seed, seconds=seconds)
        results.append(asdict(result))
        if not as_json:
            click.echo(
                f"{preset:15} {players} players {result.actions_per_second / 1e6:7.2f} M actions/s "
                f"{result.games_per_second:10,.1f} games/s "
                f"{result.rolls_per_game:11,.1f} rolls a game"
            )
    if as_json:
        click.echo(json.dumps(results, indent=2))
