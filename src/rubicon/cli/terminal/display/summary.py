"""The end of a game in a few lines: the winner, the rounds, the territories, the luck."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from rubicon.cli.terminal.display.status import named
from rubicon.engine.records.position import Chance, Position
from rubicon.odds.rolls import AMPLE, roll_table
from rubicon.odds.rule import DiceRule
from rubicon.rules.outcomes import Roll

if TYPE_CHECKING:
    from rubicon.cli.terminal.display.output import Symbols
    from rubicon.rules.game.game import Game


def summary_lines(game: Game, watcher: str | None, symbols: Symbols) -> list[str]:
    """Who has won, after how many rounds, with how many territories, and everybody's luck.

    `watcher` is the colour of the only person at the keyboard, or None.
    """
    return [
        f"{result(game, watcher)} {rounds(game)}",
        f"Territories: {territories(game)}.",
        *luck_lines(game, symbols),
    ]


def result(game: Game, watcher: str | None) -> str:
    """Who has won."""
    winner = game.winner
    if winner is None:
        return "The game is a draw."
    return "You win!" if winner == watcher else f"{named(game, game.seat(winner))} wins."


def rounds(game: Game) -> str:
    """How long the game took."""
    number = int(game.position.round_number)
    return "1 round was played." if number == 1 else f"{number} rounds were played."


def territories(game: Game) -> str:
    """Each seat's territories at the end, the most first."""
    counts = [(int(game.position.territories[seat]), seat) for seat in range(game.size)]
    counts.sort(key=lambda pair: (-pair[0], pair[1]))
    return ", ".join(f"{game.colours[seat]} {count}" for count, seat in counts)


def luck_lines(game: Game, symbols: Symbols) -> list[str]:
    """Armies that the dice gave or took, compared with the average; [] without any roll."""
    luck = luck_of(game)
    if not any(luck.values()):
        return []
    numbers = ", ".join(f"{colour} {signed(number, symbols)}" for colour, number in luck.items())
    return [f"Luck with the dice, in armies: {numbers}."]


def signed(number: float, symbols: Symbols) -> str:
    """A number with its sign and one decimal."""
    rounded = round(number, 1) or 0.0
    sign = symbols.minus if rounded < 0 else "+"
    return f"{sign}{abs(rounded):.1f}"


def luck_of(game: Game) -> dict[str, float]:
    """For each colour: the armies its rolls cost the others, less those they cost itself,
    beyond what the same numbers of dice cost on average.
    """
    luck = dict.fromkeys(game.colours, 0.0)
    for before, after in battles(game):
        source, target = int(before.attack_source), int(before.attack_target)
        attacker = game.owner_name(int(before.owner[source]))
        defender = game.owner_name(int(before.owner[target]))
        lost = int(before.armies[source]) - int(after.armies[source])
        won = int(before.armies[target]) - int(after.armies[target])
        beyond = (won - lost) - average(game, before, source, target)
        luck[attacker] += beyond
        if defender in luck:
            luck[defender] -= beyond
    return luck


def battles(game: Game) -> Iterator[tuple[Position, Position]]:
    """The positions before and after each roll of a battle."""
    positions = (*game.positions, game.position)
    for number, entry in enumerate(game.history):
        before = positions[number]
        if isinstance(entry, Roll) and before.chance == Chance.BATTLE:
            yield before, positions[number + 1]


def average(game: Game, before: Position, source: int, target: int) -> float:
    """The defender's losses less the attacker's, on average over all rolls of these dice."""
    rule = DiceRule.between(game.ruleset, before, source, target)
    theirs, mine = int(before.armies[source]), int(before.armies[target])
    dice = int(before.attack_dice), int(before.defence_dice)
    return _average(rule, min(theirs, AMPLE), min(mine, AMPLE), *dice)


@lru_cache(maxsize=1024)
def _average(rule: DiceRule, attack: int, defend: int, dice: int, against: int) -> float:
    counts = roll_table(rule).counts[attack, defend, dice, against]
    total = int(counts.sum())
    if not total:
        return 0.0
    expected = sum(
        (int(won) - int(lost)) * int(counts[lost, won])
        for lost, won in zip(*counts.nonzero(), strict=True)
    )
    return float(expected / total)
