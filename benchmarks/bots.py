"""How strong the bots are: shares of wins in blocks of games, with intervals.

    python benchmarks/bots.py --blocks 200
    python benchmarks/bots.py --search hunter --cards fixed --minutes 10

Plays blocks of the arena (docs/arena.md), so that each bot sits once in each seat.
Prints JSON: games a second with six bots of a kind, by processor time; for rising and for fixed
card values, each bot's share of wins with the ends of a 95 % interval (a bootstrap over blocks):
against five greedy bots, in fields of five other scripted bots, and in the two-player game against
a greedy one. `--search` tries other traits of a character in fields of the others.
"""

import argparse
import json
import random
import time
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from rubicon.lab.arena.blocks import play_block, play_tasks, table_of
from rubicon.lab.arena.match import Match
from rubicon.lab.arena.statistics import block_shares, interval
from rubicon.players.characters import BOTS, CHARACTERS, USUAL, Traits, traits_of

SEATS = 6
ROUNDS = 500
RULESETS: dict[str, dict[str, str]] = {"rising": {}, "fixed": {"cards.values": "fixed"}}
FIELD = [*(one.name for one in CHARACTERS), "greedy"]
Shares = npt.NDArray[np.float64]
Interval = tuple[float, float, float]


def match_of(bots: Sequence[str], cards: str, preset: str = "classic") -> Match:
    """A match whose block number i has the seed i."""
    options = tuple(RULESETS[cards].items())
    return Match(players=tuple(bots), preset=preset, options=options, rounds=ROUNDS)


def first_shares(match: Match, numbers: Iterable[int]) -> Shares:
    """By block, the share of wins of the player that is named first."""
    return block_shares(list(play_tasks((match, number) for number in numbers)), [0])


def rounded(shares: Shares) -> Interval:
    """Mean, and the ends of the 95 % interval over blocks."""
    mean, low, high = interval(shares)
    return round(mean, 3), round(low, 3), round(high, 3)


def tables(blocks: int, seed: int) -> dict[str, dict[str, dict[str, Interval]]]:
    """By card values and bot, the share of games won in three kinds of field."""
    return {cards: {name: row(cards, name, blocks, seed) for name in FIELD} for cards in RULESETS}


def row(cards: str, name: str, blocks: int, seed: int) -> dict[str, Interval]:
    """Against five greedy bots, in fields of five others, and in the game for two."""
    numbers = range(seed, seed + blocks)
    duel = match_of([name, "greedy"], cards, "two-player")
    return {
        "five greedy": rounded(first_shares(match_of([name] + ["greedy"] * 5, cards), numbers)),
        "others": rounded(against_others(cards, name, numbers)),
        "duel with greedy": rounded(first_shares(duel, numbers)),
    }


def against_others(
    cards: str, name: str, numbers: Iterable[int], traits: Traits | None = None
) -> Shares:
    """The shares of a bot in fields with five other scripted bots, drawn for each block."""
    rest = [one.name for one in CHARACTERS if one.name != name]
    shares = []
    for number in numbers:
        match = match_of([name, *random.Random(number).sample(rest, SEATS - 1)], cards)
        table_of(match).traits = {} if traits is None else {name: traits}
        shares.append(first_shares(match, [number]))
    return np.concatenate(shares)


def search(name: str, cards: str, minutes: float, seed: int) -> dict[str, float]:
    """Random search for better traits of a character; prints each step that is taken."""
    character = next(one for one in CHARACTERS if one.name == name)
    best = USUAL | character.traits | (character.rising if cards == "rising" else {})
    drawn, end = random.Random(seed), time.monotonic() + 60 * minutes

    def shares(traits: dict[str, float], blocks: int) -> Shares:
        return against_others(cards, name, range(seed, seed + blocks), traits_of(traits))

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


def speed(bots: Sequence[str], blocks: int = 50) -> float:
    """Games a second of processor time, as the arena plays them."""
    match = match_of(bots, "rising")
    play_block(match, 0)
    begun = time.process_time()
    for number in range(blocks):
        play_block(match, number)
    return blocks * len(bots) / (time.process_time() - begun)


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
