"""How strong the bots are: shares of wins in blocks of games, with intervals.

A block is one seed with every rotation of the seats, so that each bot sits once in each seat. The
interval is a bootstrap over blocks.

    python benchmarks/bots.py --blocks 200
"""

import argparse
import random
import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rubicon.engine.records.position import Phase
from rubicon.engine.sampling import generator
from rubicon.players.arena import Arena
from rubicon.players.registry import BOTS
from rubicon.players.scripted.characters import CHARACTERS
from rubicon.rules.ruleset.ruleset import Ruleset

SEATS = 6
ROUNDS = 500
RULESETS = {"rising": {}, "fixed": {"cards.values": "fixed"}}
Shares = npt.NDArray[np.float64]


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


def interval(shares: Shares, level: float = 0.95) -> tuple[float, float, float]:
    """Mean, and the bootstrap interval over blocks."""
    rng = np.random.default_rng(1)
    means = rng.choice(shares, (2000, len(shares))).mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(shares.mean()), float(low), float(high)


def text(shares: Shares) -> str:
    mean, low, high = interval(shares)
    return f"{100 * mean:5.1f} ({100 * low:.1f}-{100 * high:.1f})"


def tables(blocks: int, seed: int) -> None:
    """Print the share of wins of each bot in three kinds of field."""
    names = [one.name for one in CHARACTERS]
    for cards in RULESETS:
        arena = arena_of(cards)
        print(f"\nclassic, {cards} card values, % of games won")
        print(f"{'bot':12s} {'5 greedy':>18s} {'the others':>18s} {'1 greedy':>18s}")
        for name in [*names, "greedy"]:
            against = play_blocks(arena, [name] + ["greedy"] * 5, blocks, seed)[:, 0]
            others = np.array(
                [
                    play_block(arena, [name, *field_without(names, name, seed + n)], seed + n)[0]
                    for n in range(blocks)
                ]
            )
            duels = duel_shares(cards, [name, "greedy"], blocks, seed)[:, 0]
            print(
                f"{name:12s} {text(against):>18s} {text(others):>18s} {text(duels):>18s}",
                flush=True,
            )


def duel_shares(cards: str, bots: Sequence[str], blocks: int, seed: int) -> Shares:
    """Shares in the game for two, with a neutral army."""
    arena = Arena(Ruleset.load("two-player", RULESETS[cards]), 1)
    return play_blocks(arena, bots, blocks, seed)


def field_without(names: Sequence[str], name: str, seed: int) -> list[str]:
    """Five other bots, drawn by the seed, in a drawn order."""
    return random.Random(seed).sample([one for one in names if one != name], SEATS - 1)


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
    arguments = parser.parse_args()
    for bot in BOTS:
        print(f"{bot.name:12s} {speed([bot.name] * SEATS):6.0f} games/s")
    tables(arguments.blocks, arguments.seed)


if __name__ == "__main__":
    main()
