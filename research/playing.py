"""Training games, and the value model's view of the beginning of some of their turns."""

import random
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from research.fitting import FIELDS, Examples, joined
from rubicon.engine import records
from rubicon.engine.apply import apply, settle
from rubicon.engine.chance import GENERATOR, below, generator, sample
from rubicon.engine.legal_actions import RangeBuffer, range_buffer
from rubicon.engine.observe import observe
from rubicon.engine.ownership import first_to_act
from rubicon.engine.records import BoardTables, Position, Rules
from rubicon.engine.setup import next_setup_step, open_game
from rubicon.players.characters import CHARACTER_BOTS, EXPERT, GREEDY, NAMES, PROPOSERS, THINKING
from rubicon.players.greedy import greedy_choice
from rubicon.players.memory import MEMORY
from rubicon.players.planner.features import FEATURES, features
from rubicon.players.planner.search import planner_choice
from rubicon.players.planner.value import LEARNED
from rubicon.players.scripted.turn import scripted_choice, sets_rise
from rubicon.rules.ruleset.ruleset import Ruleset

# Work in threads, which compiled games share well: they hold no lock of the interpreter.

Item = TypeVar("Item")


def in_threads(threads: int, work: Callable[[Item], None], items: Iterable[Item]) -> None:
    """Do the work for each item; Ctrl-C waits for items that have begun, and drops the others."""
    with ThreadPoolExecutor(threads) as pool:
        try:
            list(pool.map(work, items))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


# Games between bots, and the value model's view of the beginning of some of their turns.

Values = npt.NDArray[Any]
MOST_NOTES = 2000  # of one game
ROUND_CAP = 200
QUICK = np.array([(12, 4, 1, 6, 100, 8, 0, 1.0)], THINKING)  # of `expert` in training games


@records.unlocked
def play_and_note(
    games: Values,
    rules: Rules,
    board: BoardTables,
    policies: records.Cells,
    memories: Values,
    buffer: RangeBuffer,
    dice: Values,
    proposers: Values,
    thinking: Values,
    weights: Values,
    one_in: int,
    rows: Values,
    playing: Values,
) -> int:
    """Play `games[0]` to its end and note one turn in `one_in`; return how many.

    An expert has the `proposers`, `thinking` and `weights` of its seat. `rows`: shape
    (MOST_NOTES, 6, FEATURES); `playing`: shape (MOST_NOTES, 6), 1 for seats that play. `dice` has
    the game's generator, and the one that says what is noted.
    """
    position = games[0]
    noted, last = 0, -1
    while position.phase != records.Phase.OVER and position.round_number <= ROUND_CAP:
        if position.chance != 0:
            settle(position, rules, board, int(sample(position, dice[0])))
            continue
        seat = first_to_act(position)
        turn = position.round_number * records.SEATS + position.turn
        if position.phase == records.Phase.REINFORCE and turn != last:
            last = turn
            if noted < MOST_NOTES and below(dice[1], one_in) == 0:
                features(position, rules, board, rows[noted])
                for other in range(records.SEATS):
                    playing[noted, other] = int(position.status[other] == records.Seat.PLAYING)
                noted += 1
        games[1] = position
        view = games[1]
        observe(position, rules, board, seat, view)
        memory = memories[seat]
        if policies[seat] == EXPERT:
            action = planner_choice(
                view,
                rules,
                board,
                seat,
                memory,
                dice[0],
                proposers[seat],
                thinking[seat],
                weights[seat],
            )
        elif policies[seat] == GREEDY:
            action = greedy_choice(view, rules, board, seat, buffer, dice[0])
        else:
            action = scripted_choice(policies[seat], view, rules, board, seat, memory, dice[0])
        apply(position, rules, board, action)
    return noted


@dataclass(frozen=True, slots=True)
class Noted:
    """What was noted of one game; `policies` by seat, `winner` a seat or below 0."""

    rows: Values  # (n, 6, FEATURES)
    playing: Values  # (n, 6): 1 for seats that play
    policies: Values
    winner: int


class Notes:
    """Plays games of one ruleset and notes some of their turns.

    `weights`, `thinking` and `proposers` are those of the expert in each seat, by seat; they
    may be changed between two games.
    """

    def __init__(
        self, ruleset: Ruleset, weights: Values = LEARNED, thinking: Values = QUICK
    ) -> None:
        self.ruleset = ruleset
        self.weights = np.resize(weights[:1], records.SEATS)
        self.thinking = np.resize(thinking[:1], records.SEATS)
        usual = PROPOSERS[int(sets_rise(ruleset.rules))]
        self.proposers = np.stack([usual] * records.SEATS)
        self.games = np.zeros(2, records.POSITION)
        self.memories = np.zeros(records.SEATS, MEMORY)
        self.buffer = range_buffer()
        self.rows = np.zeros((MOST_NOTES, records.SEATS, FEATURES))
        self.playing = np.zeros((MOST_NOTES, records.SEATS), np.int8)

    def play(self, policies: Values, seed: int, one_in: int) -> Noted:
        """What is noted of a game; `policies` by seat, one turn in `one_in` is noted."""
        rules, tables = self.ruleset.rules, self.ruleset.tables
        self.games[:] = np.zeros(2, records.POSITION)
        self.memories[:] = np.zeros(records.SEATS, MEMORY)
        position: Position = self.games[0]
        open_game(position, rules, tables, len(policies))
        for seat in range(len(policies)):
            position.standing_all[seat] = records.Standing.MAXIMUM
        next_setup_step(position, rules, tables)
        dice = np.array([generator(seed), generator(~seed)], GENERATOR)
        # The random generator counts modulo 2**64; uncompiled, NumPy would warn of each overflow.
        with np.errstate(over="ignore"):
            noted = play_and_note(
                self.games,
                rules,
                tables,
                policies,
                self.memories,
                self.buffer,
                dice,
                self.proposers,
                self.thinking,
                self.weights,
                one_in,
                self.rows,
                self.playing,
            )
        finished = position.phase == records.Phase.OVER and 0 <= position.winner < len(policies)
        winner = int(position.winner) if finished else -1
        rows = self.rows[:noted].astype(np.float16)
        return Noted(rows, self.playing[:noted].copy(), policies, winner)


def examples_of(games: Iterable[tuple[int, Noted]]) -> Examples:
    """The turns of games that somebody won; `games`: the number of each, and what was noted."""
    nothing = np.zeros((0, records.SEATS, FEATURES), np.float16)
    parts = [
        _turns(0, Noted(nothing, np.zeros((0, records.SEATS), np.int8), np.zeros(0, np.int64), 0))
    ]
    parts += [_turns(number, noted) for number, noted in games if noted.winner >= 0]
    return joined(parts)


def _turns(number: int, noted: Noted) -> Examples:
    turns = len(noted.rows)
    bots = np.zeros((turns, records.SEATS), np.int8)
    bots[:, : len(noted.policies)] = noted.policies
    winner, game = np.full(turns, noted.winner, np.int8), np.full(turns, number, np.int64)
    return Examples(noted.rows, noted.playing, bots, winner, game)


# Training games in shares of rulesets, numbers of players and bots; written part by part.

SEED_STEP = 1_000_000  # games of one part have seeds of their own
PART = 500  # games of a part


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of training games: its `weight` is its share among all, `one_in` turns is noted."""

    ruleset: str
    options: dict[str, str]
    players: int
    weight: float
    one_in: int


RISING: dict[str, str] = {}
FIXED = {"cards.values": "fixed"}
PLUS_ONE = {"cards.values": "plus_one"}
KINDS = (
    *(Kind("classic", RISING, players, 2.0, 3) for players in (3, 4, 5)),
    Kind("classic", RISING, 6, 5.0, 3),
    *(Kind("classic", FIXED, players, 0.8, 8) for players in (3, 4, 5)),
    Kind("classic", FIXED, 6, 1.6, 8),
    *(Kind("classic", PLUS_ONE, players, 0.3, 6) for players in (4, 6)),
    Kind("two-player", RISING, 2, 5.0, 1),
    Kind("two-player-50", RISING, 2, 2.0, 1),
    *(
        Kind(name, RISING, players, 0.4, 4)
        for name in ("revised", "capital", "secret-mission", "email")
        for players in (3, 4, 5)
    ),
)
# How often a bot sits in a seat, against the others.
SITS = {"hunter": 1.5, "turtle": 1.5, "peaceful": 0.6, "greedy": 0.3}


def bots_of(rng: random.Random, players: int, experts: float) -> list[str]:
    """Bots by seat; in a share of games, `experts`, `expert` sits in one to three."""
    names = [bot.name for bot in CHARACTER_BOTS if bot.name != "random"]
    bots = rng.choices(names, [SITS.get(name, 1.0) for name in names], k=players)
    if rng.random() < experts:
        for seat in rng.sample(range(players), rng.randint(1, max(1, players // 2))):
            bots[seat] = "expert"
    return bots


def play_part(
    number: int, games: int, experts: float, weights: Values = LEARNED, seed: int = 1
) -> Examples:
    """The examples of one part; the same number, seed and weights, the same examples."""
    rng = random.Random(f"{seed}/{number}")
    notes = [Notes(Ruleset.load(kind.ruleset, kind.options), weights) for kind in KINDS]

    def played(game: int) -> tuple[int, Noted]:
        which = rng.choices(range(len(KINDS)), [kind.weight for kind in KINDS])[0]
        bots = bots_of(rng, KINDS[which].players, experts)
        policies = np.array([NAMES[bot] for bot in bots], np.int64)
        dice = (seed * 1000 + number) * SEED_STEP + game
        return number * PART + game, notes[which].play(policies, dice, KINDS[which].one_in)

    return examples_of(map(played, range(games)))


def part_file(folder: Path, number: int) -> Path:
    """The file of one part."""
    return folder / f"part-{number}.npz"


def missing_parts(folder: Path, parts: Iterable[int]) -> list[int]:
    """Those of the parts that are not in the folder yet."""
    return [number for number in parts if not part_file(folder, number).exists()]


def play_parts(
    folder: Path,
    parts: Iterable[int],
    make: Callable[[int], Examples],
    told: Callable[[str], None],
    threads: int = 1,
) -> None:
    """Write the file of each part that is not in the folder yet, so that a stop loses little."""
    folder.mkdir(parents=True, exist_ok=True)

    def play(number: int) -> None:
        path = part_file(folder, number)
        examples = make(number)
        unfinished = path.with_suffix(".unfinished.npz")
        np.savez_compressed(unfinished, **{name: getattr(examples, name) for name in FIELDS})
        unfinished.rename(path)
        told(f"part {number}: {len(examples)} turns")

    in_threads(threads, play, missing_parts(folder, parts))


def read_parts(folder: Path) -> Examples:
    """All parts of a folder, one after another."""
    paths = [one for one in sorted(folder.glob("part-*.npz")) if one.suffixes == [".npz"]]
    return joined(read_part(path) for path in paths)


def read_part(path: Path) -> Examples:
    """The examples of one part."""
    with np.load(path) as found:
        return Examples(*(found[name] for name in FIELDS))
