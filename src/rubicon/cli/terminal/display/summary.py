"""The end of a game in a few lines: the winner, the rounds, the territories, the luck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubicon.cli.terminal.display.status import named
from rubicon.odds.luck import luck_of

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
    luck = {colour: found.balance for colour, found in luck_of(game).items()}
    if not any(luck.values()):
        return []
    numbers = ", ".join(f"{colour} {signed(number, symbols)}" for colour, number in luck.items())
    return [f"Luck with the dice, in armies: {numbers}."]


def signed(number: float, symbols: Symbols) -> str:
    """A number with its sign and one decimal."""
    rounded = round(number, 1) or 0.0
    sign = symbols.minus if rounded < 0 else "+"
    return f"{sign}{abs(rounded):.1f}"
