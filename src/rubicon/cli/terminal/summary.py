"""A finished game: its result, and the chances to win by turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubicon.cli.terminal.choices import percent
from rubicon.cli.terminal.status import named
from rubicon.odds.luck import luck_of
from rubicon.rules.events import Won
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller
from rubicon.wording import listed

if TYPE_CHECKING:
    from rubicon.cli.terminal.console import Symbols
    from rubicon.rules.game import Game


# The end of a game in a few lines: the winner, the rounds, the territories, the luck.


def summary_lines(game: Game, watcher: str | None, symbols: Symbols) -> list[str]:
    """Who has won, after how many rounds, with how many territories, and everyone's luck.

    `watcher` is the colour of the only person at the keyboard, or None.
    """
    return [
        f"{result(game, watcher)} {rounds(game)}",
        f"Territories: {territories(game)}.",
        *luck_lines(game, symbols),
    ]


def result(game: Game, watcher: str | None) -> str:
    """Who has won."""
    names = {colour: named(game, game.seat(colour)) for colour in game.colours}
    told = Storyteller(Names(names=names, you=watcher or "")).sentence(Won(game.winner))
    if game.winner is None:
        told = f"{told[:1].upper()}{told[1:]}"
    return f"{told}{'!' if watcher and game.winner == watcher else '.'}"


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


# Each seat's chance to win over a finished game, as a row of bars and in words.

BARS = " ▁▂▃▄▅▆▇█"
NO_TURN = "The game ended before its first turn."


@dataclass(frozen=True, slots=True)
class WinCurve:
    """The chances of all seats, 0 to 1, at the beginning of each turn and at the end of the game.

    `rounds` has the round of each of these moments; it is empty where no turn began.
    """

    rounds: tuple[int, ...]
    chances: tuple[tuple[float, ...], ...]

    def of(self, seat: int) -> list[float]:
        """The chances of one seat."""
        return [chances[seat] for chances in self.chances]


def win_curve(game: Game, progress: Callable[[float], None] = lambda share: None) -> WinCurve:
    """The curve of a game; without a turn it is empty.

    It needs the kernels of the bots. `progress` gets the share that is done, 0 to 1.
    """
    from rubicon.players.review.curve import turn_chances

    turns = turn_chances(game, progress)
    if not turns:
        return WinCurve((), ())
    chances = [turn.before for turn in turns] + [turns[-1].after]
    return WinCurve(
        rounds=(*(turn.round for turn in turns), turns[-1].round),
        chances=tuple(tuple(map(float, row)) for row in chances),
    )


def bar(chance: float) -> str:
    """A character as high as a chance; the lowest bar for any chance above half a per cent."""
    if chance < 0.005:
        return BARS[0]
    return BARS[max(1, min(len(BARS) - 1, round(chance * (len(BARS) - 1))))]


def sampled(count: int, columns: int) -> list[int]:
    """At most so many of `count` places, at equal distances, the first and the last among them."""
    columns = min(columns, count)
    return [round(place * (count - 1) / max(1, columns - 1)) for place in range(columns)]


def stretched(count: int, columns: int, most: int) -> list[int]:
    """The place of each column: a place takes several columns, `most` at most, where they fit."""
    each = max(1, min(most, columns // max(1, count)))
    return [place for place in sampled(count, columns) for _ in range(each)]


def round_axis(rounds: Sequence[int]) -> str:
    """The number of each round below the first of its columns, where it does not touch another."""
    axis = ""
    for column, number in enumerate(rounds):
        begins = column == 0 or rounds[column - 1] != number
        if begins and (not axis or len(axis) < column):
            label = f"{axis:{column}}{number}"
            axis = label if len(label) <= len(rounds) else axis
    return axis


def chances_lines(game: Game, curve: WinCurve) -> list[str]:
    """When the winner took the lead, and how near the others came; [] without a turn."""
    if not curve.rounds:
        return []
    winner = None if game.winner is None else game.seat(game.winner)
    others = [seat for seat in range(game.size) if seat != winner]
    most = listed([highest(game, curve, seat) for seat in others])
    if winner is None:
        return [f"Chance to win, the highest of each: {most}."]
    return [f"Chance to win: {lead(game, curve, winner)}. The others had at most: {most}."]


def lead(game: Game, curve: WinCurve, winner: int) -> str:
    """From which round on the winner led to the end, and its lowest chance before that."""
    behind = [at for at, row in enumerate(curve.chances) if row[winner] < max(row)]
    colour, own = game.colours[winner], curve.of(winner)
    if not behind:
        return f"{colour} led from the first turn on"
    since = behind[-1] + 1
    lowest = min(range(since), key=own.__getitem__)
    came = f"up from {percent(own[lowest])} in round {curve.rounds[lowest]}"
    if since == len(own) - 1:
        return f"{colour} took the lead in the last turn, {came}"
    return f"{colour} led from round {curve.rounds[since]} on, {came}"


def highest(game: Game, curve: WinCurve, seat: int) -> str:
    """A seat's highest chance and its round: `green 55% in round 6`."""
    own = curve.of(seat)
    at = max(range(len(own)), key=own.__getitem__)
    return f"{game.colours[seat]} {percent(own[at])} in round {curve.rounds[at]}"
