"""Train the value model in a league: play, fit a candidate, and promote it if it wins more.

    python -m rubicon.lab.training.league league --generations 1 --games 20000 --threads 2

In each generation the champion plays training games: half of them against copies of itself, half
against its pool, which is the scripted bots and the champions before it. Candidates begin with the
champion's value model and are fitted to all games so far by TD(lambda). The best one is promoted if
it wins more: by a sequential test of blocks in which it and the champion change places, and then in
blocks in which all think as usual. The first champion is the strongest bot.

The folder keeps everything, and a command that was stopped goes on where it was. Ctrl-C waits until
the parts that have begun are played. `log.jsonl` has a line for each generation.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from rubicon.errors import RubiconError
from rubicon.lab.training.command_line import parser_of
from rubicon.lab.training.league.games import PART
from rubicon.lab.training.league.generation import Generation, LeagueFolder, Plan
from rubicon.players.planner.value import LEARNED


def arguments_of(given: Sequence[str] | None) -> argparse.Namespace:
    """The arguments of the command."""
    parser = parser_of(
        "rubicon.lab.training.league", __doc__, "where games, models and blocks are kept"
    )
    parser.add_argument("--generations", type=int, default=1, help="generations there shall be")
    parser.add_argument("--games", type=int, default=20_000, help="games of a generation")
    parser.add_argument("--epochs", type=int, default=4, help="of each fit")
    parser.add_argument(
        "--lambda",
        dest="traces",
        type=float,
        nargs="+",
        default=[0.7, 0.8, 0.9],
        help="of TD(lambda), for each noted turn; the best of these fits is the candidate",
    )
    parser.add_argument("--blocks", type=int, default=2000, help="blocks of a test, at most")
    parser.add_argument(
        "--gain",
        type=float,
        default=0.04,
        help="what the test looks for: at one table 0.04 is 52 wins to 48, with the pool 4 %% more",
    )
    parser.add_argument(
        "--confirming", type=int, default=200, help="blocks in which all think as usual"
    )
    parser.add_argument("--threads", type=int, default=1, help="games that are played at a time")
    asked = parser.parse_args(given)
    check(parser, asked)
    return asked


def check(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> None:
    """End with a message where a number makes no sense."""
    if asked.games < PART or asked.games % PART:
        parser.error(f"--games {asked.games}: give a multiple of {PART}.")
    if asked.blocks < 2 or asked.confirming < 2:
        parser.error("--blocks and --confirming: give at least 2.")
    if min(asked.threads, asked.epochs, asked.generations) < 1:
        parser.error("--threads, --epochs and --generations: give at least 1.")
    if not all(0 <= one <= 1 for one in asked.traces):
        parser.error("--lambda: give numbers from 0 to 1.")


def plan_of(asked: argparse.Namespace) -> Plan:
    """What is the same in all generations."""
    return Plan(**{field.name: getattr(asked, field.name) for field in fields(Plan)})


def settings_of(plan: Plan) -> dict[str, Any]:
    """What a folder must have been begun with."""
    settings = asdict(plan)
    return settings | {"lambda": settings.pop("traces")}


def main(given: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for."""
    asked = arguments_of(given)
    plan = plan_of(asked)
    try:
        with LeagueFolder(asked.folder, settings_of(plan), LEARNED) as folder:
            for number in range(len(folder.generations()) + 1, asked.generations + 1):
                Generation(number, folder, plan, asked.threads).run()
            for line in folder.generations():
                print(json.dumps(line))
    except KeyboardInterrupt:
        print("Stopped. The same command goes on from here.")
        return 130
    except RubiconError as error:
        print(f"{error} [{error.code}]", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
