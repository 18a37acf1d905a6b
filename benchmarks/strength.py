"""How strong `strongest` is: the matches of docs/strength.md, played with `rubicon arena`.

    python benchmarks/strength.py matches --processes 2
    python benchmarks/strength.py matches --only six-rising,two-player-hunter
    python benchmarks/strength.py matches --list

Every match has seeds of its own, from 1100000 on; no development used them. Its blocks are kept in
the folder by its name, so a command that was stopped goes on where it was. `--list` prints the same
matches as `rubicon arena` commands, `--tables` what was measured.

Writes `benchmarks/strength.json`: by match the command, the fair share, the target if there is one,
games, the share of games won with the ends of its 95 % interval (a bootstrap over blocks), shares
by seat, the share of games cut off after 300 rounds, and the mean and the longest processor time of
a decision in milliseconds. Some blocks are played again with every action checked;
`checked_decisions` counts the decisions of all seats in them. `benchmarks/strength_plots.py` draws
the figures.
"""

import argparse
import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rubicon.lab.arena.blocks import Block, BlockFile, play_tasks
from rubicon.lab.arena.match import Match, players_of
from rubicon.lab.arena.report import save_records
from rubicon.lab.arena.statistics import player_results
from rubicon.players.characters import CHARACTERS

RESULTS = Path(__file__).with_name("strength.json")
SEED, SEED_STEP = 1_100_000, 1000
FIVE = ("hunter", "economist", "expander", "turtle", "kingslayer")
NAMES = tuple(one.name for one in CHARACTERS)
FIXED, PLUS_ONE = "cards.values=fixed", "cards.values=plus_one"
MOST_BLOCKS = {
    "six-rising": 40,
    "six-fixed": 12,
    "revised": 12,
    "email": 16,
}  # of fields that say most
Result = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """A match: the share of its first player is measured."""

    name: str
    label: str
    players: tuple[str, ...]
    ruleset: str = "classic"
    option: str = ""
    blocks: int
    checked: int = 1  # blocks that are played again with every action checked
    target: float | None = None

    def match(self, seed: int) -> Match:
        name, _, value = self.option.partition("=")
        options = ((name, value),) if name else ()
        players = players_of(self.players)
        return Match(players=players, preset=self.ruleset, options=options, seed=seed)

    def command(self, seed: int) -> str:
        """The same match for a terminal."""
        words = ["rubicon", "arena", *self.players]
        words += ["--ruleset", self.ruleset] if self.ruleset != "classic" else []
        words += ["--option", self.option] if self.option else []
        return shlex.join([*words, "--blocks", str(self.blocks), "--seed", str(seed)])


def fields() -> list[Measurement]:
    """`strongest` among scripted bots, with three to six players."""
    found = []
    sizes = (("six", 5, 0.6), ("five", 4, None), ("four", 3, 0.7), ("three", 2, 0.75))
    for cards, option, blocks in (("rising", "", 16), ("fixed", FIXED, 6)):
        for players, others, least in sizes:
            found.append(
                Measurement(
                    name=f"{players}-{cards}",
                    label=f"{players} players, {cards} cards",
                    players=("strongest", *FIVE[:others]),
                    option=option,
                    blocks=MOST_BLOCKS.get(f"{players}-{cards}", blocks),
                    target=least,
                )
            )
        found.append(
            Measurement(
                name=f"five-hunters-{cards}",
                label=f"six players, {cards} cards, against five `hunter`",
                players=("strongest", "hunter*5"),
                option=option,
                blocks=blocks,
                target=0.5,
            )
        )
    rising_by_one = Measurement(
        name="six-plus-one",
        label="six players, cards that bring 4, 5, 6, …",
        players=("strongest", *FIVE),
        option=PLUS_ONE,
        blocks=6,
    )
    return [*found, rising_by_one]


def duels() -> list[Measurement]:
    """`strongest` against each scripted bot, in both games for two."""
    rulesets = {
        "two-player": ("a neutral army between them", 40),
        "two-player-50": ("50 armies each", 25),
    }
    return [
        Measurement(
            name=f"{ruleset}-{name}",
            label=f"`{name}`, {how}",
            players=("strongest", name),
            ruleset=ruleset,
            blocks=blocks,
            target=0.65,
        )
        for ruleset, (how, blocks) in rulesets.items()
        for name in NAMES
    ]


def presets() -> list[Measurement]:
    """`strongest` among three scripted bots, by other rules."""
    return [
        Measurement(
            name=ruleset,
            label=f"`{ruleset}`, four players",
            players=("strongest", "hunter", "turtle", "kingslayer"),
            ruleset=ruleset,
            blocks=MOST_BLOCKS.get(ruleset, 8),
        )
        for ruleset in ("revised", "secret-mission", "capital", "email")
    ]


def pool() -> list[Measurement]:
    """Each scripted bot against five greedy ones, and a greedy one against five of it."""
    return [
        Measurement(
            name=f"{players[0]}-among-{among}-{cards}",
            label=f"`{players[0]}` among five `{among}`, {cards} cards",
            players=players,
            option=option,
            blocks=40,
            checked=0,
        )
        for cards, option in (("rising", ""), ("fixed", FIXED))
        for one in NAMES
        for players, among in (((one, "greedy*5"), "greedy"), (("greedy", f"{one}*5"), one))
    ]


# Seeds go by the place in this list: new matches are added at its end.
MEASUREMENTS = (*fields(), *duels(), *presets(), *pool())


def seed_of(measurement: Measurement) -> int:
    """The seed of the first block."""
    return SEED + SEED_STEP * MEASUREMENTS.index(measurement)


def played(measurement: Measurement, folder: Path, processes: int) -> list[Block]:
    """The blocks of a match; those that are missing are played."""
    match = measurement.match(seed_of(measurement))
    with BlockFile(folder / measurement.name, match, resume=True) as file:
        missing = range(len(file.blocks), measurement.blocks)
        for block in play_tasks(
            ((match, number) for number in missing), min(processes, max(1, len(missing)))
        ):
            file.add(block)
        return file.blocks[: measurement.blocks]


def checked_decisions(measurement: Measurement, folder: Path, blocks: Sequence[Block]) -> int:
    """How many decisions were checked; `Game.play` refuses an action that breaks a rule."""
    some = blocks[: measurement.checked]
    records = folder / measurement.name / "records"
    if len(list(records.glob("*.risk"))) < sum(len(block.games) for block in some):
        save_records(measurement.match(seed_of(measurement)), some, records)
    return sum(sum(game.decisions) for block in some for game in block.games)


def result_of(measurement: Measurement, folder: Path, processes: int) -> Result:
    """Everything that is known of a match."""
    blocks = played(measurement, folder, processes)
    first = player_results(measurement.match(seed_of(measurement)), blocks)[0]
    return {
        "name": measurement.name,
        "label": measurement.label,
        "command": measurement.command(seed_of(measurement)),
        "fair": round(1 / len(measurement.match(0).players), 4),
        "target": measurement.target,
        "blocks": len(blocks),
        **{key: value for key, value in asdict(first).items() if key != "name"},
        "checked_decisions": checked_decisions(measurement, folder, blocks),
    }


def known_results() -> dict[str, Result]:
    """What was measured, by name."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    return {one["name"]: one for one in kept}


def keep(result: Result) -> None:
    """Put a result among those that were measured."""
    known = known_results() | {result["name"]: result}
    order = [known[each.name] for each in MEASUREMENTS if each.name in known]
    RESULTS.write_text(json.dumps(order, indent=1) + "\n", encoding="utf-8")


def percents(result: Result) -> str:
    """A share with its interval, for a cell of a table."""
    low, share, high = (100 * result[key] for key in ("low", "win_share", "high"))
    return f"{share:.1f} ({low:.1f} to {high:.1f})"


def table(measurements: Sequence[Measurement], known: dict[str, Result]) -> str:
    """Rows for matches of the strongest bot."""
    rows = ["| match | games | wins, % | fair | target |", "|" + " --- |" * 5]
    for one in (known[each.name] for each in measurements if each.name in known):
        target = "" if one["target"] is None else f"{100 * one['target']:.0f}"
        fair = f"{100 * one['fair']:.1f}"
        rows.append(f"| {one['label']} | {one['games']} | {percents(one)} | {fair} | {target} |")
    return "\n".join(rows)


def pool_table(known: dict[str, Result]) -> str:
    """Rows for the scripted bots, by both kinds of fields and cards."""
    rows = ["| bot | rising | rising, reversed | fixed | fixed, reversed |", "|" + " --- |" * 5]
    for name in NAMES:
        cells = [
            percents(known[f"{field}-{cards}"])
            for cards in ("rising", "fixed")
            for field in (f"{name}-among-greedy", f"greedy-among-{name}")
        ]
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(rows)


def tables() -> list[str]:
    """The tables of docs/strength.md."""
    known = known_results()
    return [
        *(table(some, known) for some in (fields(), duels(), presets())),
        pool_table(known),
    ]


def main(given: Sequence[str] | None = None) -> int:
    """Play, and write the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where blocks are kept")
    parser.add_argument("--only", default="", help="names of matches, by commas")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--tables", action="store_true", help="print what was measured")
    parser.add_argument("--list", action="store_true", help="print the commands, play nothing")
    asked = parser.parse_args(given)
    wanted = [one for one in asked.only.split(",") if one]
    chosen = [one for one in MEASUREMENTS if not wanted or one.name in wanted]
    if asked.list:
        print("\n".join(one.command(seed_of(one)) for one in chosen))
    elif asked.tables:
        print("\n\n".join(tables()))
    else:
        for one in chosen:
            keep(result_of(one, asked.folder, asked.processes))
            print(percents(known_results()[one.name]), one.name, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
