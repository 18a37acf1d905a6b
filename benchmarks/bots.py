"""How strong the bots are: shares of wins in blocks of games, with intervals.

    python benchmarks/bots.py --blocks 200
    python benchmarks/bots.py --search hunter --cards fixed --minutes 10

A block is one seed with every rotation of the seats, so that each bot sits once in each seat.
Prints JSON: games a second with six bots of a kind, by processor time; for rising and for fixed
card values, each bot's share of wins with the ends of a 95 % interval (a bootstrap over blocks):
against five greedy bots, in fields of five other scripted bots, and in the two-player game against
a greedy one. `--search` tries other traits of a character in fields of the others.
"""

import argparse
import json
import random
import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.position import Phase
from rubicon.engine.sampling import generator
from rubicon.lab.arena.statistics import interval
from rubicon.players.arena import Arena
from rubicon.players.registry import BOTS
from rubicon.players.scripted.characters import CHARACTERS, USUAL, traits_of
from rubicon.rules.ruleset.ruleset import Ruleset

SEATS = 6
ROUNDS = 500
RULESETS: dict[str, dict[str, str]] = {"rising": {}, "fixed": {"cards.values": "fixed"}}
FIELD = [*(one.name for one in CHARACTERS), "greedy"]
Shares = npt.NDArray[np.float64]
Interval = tuple[float, float, float]


def arena_of(cards: str) -> Arena:
    return Arena(Ruleset.load("classic", RULESETS[cards]), 1)


def play_block(arena: Arena, bots: Sequence[str], seed: int) -> Shares:
    """The share of wins of each place of `bots`, over all rotations of the seats."""
    wins = np.zeros(len(bots))
    for shift in range(len(bots)):
        arena.rng = generator(seed)
        end = arena.play([*bots[shift:], *bots[:shift]], ROUNDS)
        if end.phase == Phase.OVER and 0 <= end.winner < len(bots):
            wins[(end.winner + shift) % len(bots)] += 1 / len(bots)
    return wins


def play_blocks(arena: Arena, bots: Sequence[str], blocks: int, seed: int) -> Shares:
    """The shares of each block: shape (blocks, bots)."""
    return np.array([play_block(arena, bots, seed + number) for number in range(blocks)])


def rounded(shares: Shares) -> Interval:
    """Mean, and the ends of the 95 % interval over blocks."""
    mean, low, high = interval(shares)
    return round(mean, 3), round(low, 3), round(high, 3)


def tables(blocks: int, seed: int) -> dict[str, dict[str, dict[str, Interval]]]:
    """By card values and bot, the share of games won in three kinds of field."""
    return {cards: {name: row(cards, name, blocks, seed) for name in FIELD} for cards in RULESETS}


def row(cards: str, name: str, blocks: int, seed: int) -> dict[str, Interval]:
    """Against five greedy bots, in fields of five others, and in the game for two."""
    arena = arena_of(cards)
    duels = Arena(Ruleset.load("two-player", RULESETS[cards]), 1)
    return {
        "five greedy": rounded(play_blocks(arena, [name] + ["greedy"] * 5, blocks, seed)[:, 0]),
        "others": rounded(against_others(arena, name, blocks, seed)),
        "duel with greedy": rounded(play_blocks(duels, [name, "greedy"], blocks, seed)[:, 0]),
    }


def against_others(arena: Arena, name: str, blocks: int, seed: int) -> Shares:
    """The shares of a bot in fields with five other scripted bots, drawn for each block."""
    rest = [one.name for one in CHARACTERS if one.name != name]
    shares = []
    for number in range(seed, seed + blocks):
        field = random.Random(number).sample(rest, SEATS - 1)
        shares.append(play_block(arena, [name, *field], number)[0])
    return np.array(shares)


def search(name: str, cards: str, minutes: float, seed: int) -> dict[str, float]:
    """Random search for better traits of a character; prints each step that is taken."""
    character = next(one for one in CHARACTERS if one.name == name)
    best = USUAL | character.traits | (character.rising if cards == "rising" else {})
    arena, drawn, end = arena_of(cards), random.Random(seed), time.monotonic() + 60 * minutes

    def shares(traits: dict[str, float], blocks: int) -> Shares:
        arena.traits = {name: traits_of(traits)}
        return against_others(arena, name, blocks, seed)

    while time.monotonic() < end:
        seed += 1000
        tried = max(
            (changed(best, drawn) for _ in range(6)), key=lambda one: shares(one, 70).mean()
        )
        seed += 1000  # other games than those that it was chosen by
        gain = shares(tried, 250) - shares(best, 250)
        if gain.mean() > gain.std() / len(gain) ** 0.5:
            best = tried
            print(json.dumps({"gain": gain.mean(), "traits": best}), flush=True)
    return best


def changed(traits: dict[str, float], drawn: random.Random) -> dict[str, float]:
    """Traits of which some differ: shares by a little, all others by a factor."""
    new = dict(traits)
    for name in drawn.sample(sorted(set(traits) - {"peace", "closing"}), drawn.choice([1, 2, 3])):
        if name.endswith("chance"):
            new[name] = min(0.95, max(0.2, new[name] + drawn.gauss(0, 0.12)))
        elif name == "captures":
            new[name] = float(drawn.choice([1, 2, 3, 4, 6, 99]))
        else:
            new[name] = max(0.05, new[name]) * np.exp(drawn.gauss(0, 0.8))
    return new


def speed(bots: Sequence[str], games: int = 300) -> float:
    """Games a second of CPU time."""
    arena = arena_of("rising")
    arena.play(bots)
    begun = time.process_time()
    for _ in range(games):
        arena.play(bots)
    return games / (time.process_time() - begun)


def main() -> None:
    """Print what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--search", metavar="BOT", choices=[one.name for one in CHARACTERS])
    parser.add_argument("--cards", choices=list(RULESETS), default="rising")
    parser.add_argument("--minutes", type=float, default=10)
    arguments = parser.parse_args()
    if arguments.search:
        search(arguments.search, arguments.cards, arguments.minutes, arguments.seed)
        return
    speeds = {bot.name: round(speed([bot.name] * SEATS)) for bot in BOTS}
    found = tables(arguments.blocks, arguments.seed)
    print(json.dumps({"games a second": speeds, "shares of wins": found}, indent=1))


if __name__ == "__main__":
    main()
