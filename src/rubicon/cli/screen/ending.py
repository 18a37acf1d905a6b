"""The end of a game: who has won, how the world changed hands, luck, chances to win."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rubicon.cli.screen.canvas import (
    LEAST,
    Canvas,
    Cell,
    Look,
    Theme,
    is_at_least,
    page,
    quiet,
    strong,
)
from rubicon.cli.screen.layouts import WIDE
from rubicon.cli.screen.parts import badge, rule
from rubicon.cli.screen.scene import name_shown
from rubicon.cli.terminal.choices import percent
from rubicon.cli.terminal.console import LETTERS, UNICODE
from rubicon.cli.terminal.summary import (
    NO_TURN,
    WinCurve,
    bar,
    result,
    round_axis,
    rounds,
    signed,
    stretched,
    win_curve,
)
from rubicon.odds.luck import luck_of
from rubicon.rules.game import Game

# The chances of a finished game, computed next to the screen.

NOT_KNOWN = "The chances of this game cannot be computed."


def nothing() -> None:
    """Do nothing: the screen that showed the work is gone."""


class CurveWork:
    """Computes a game's curve in its own thread; `changed` is called from that thread."""

    def __init__(self, game: Game, changed: Callable[[], None]) -> None:
        self.game = game
        self.changed = changed
        self.curve: WinCurve | None = None
        self.share = 0.0  # of the work that is done
        self.failed = False
        self.thread = threading.Thread(target=self._run, name="chances", daemon=True)

    def start(self) -> None:
        """Begin the work."""
        self.thread.start()

    @property
    def shown(self) -> WinCurve | str:
        """The curve; until it is there, how far the work is, or why there is none."""
        if self.failed:
            return NOT_KNOWN
        if self.curve is None:
            return f"Being computed: {self.share:.0%}"
        return self.curve if self.curve.rounds else NO_TURN

    def result(self) -> WinCurve | None:
        """Wait for the curve; None where it cannot be computed. `changed` is no longer called."""
        self.changed = nothing
        self.thread.join()
        return self.curve

    def _progress(self, share: float) -> None:
        self.share = share
        self.changed()

    def _run(self) -> None:
        from rubicon.players.warmup import warm_to_play

        try:
            warm_to_play()
            self.curve = win_curve(self.game, self._progress)
        except Exception:  # of any kind: the game is over and told, whatever becomes of its curve
            self.failed = True
        self.changed()


# Each seat's chance to win as a row of bars in its colour, above the numbers of the rounds.

TITLE = "Chance to win, round by round"
MOST_COLUMNS = 4  # of a turn
HIGHEST = len("  most >99%")
Seats = Sequence[tuple[int, str]]  # the number and the colour of each, from the top


def draw_curves_below(
    canvas: Canvas, theme: Theme, seats: Seats, curve: WinCurve | str, y: int
) -> None:
    """The curves below a title, each with its seat's letter."""
    rule(canvas, theme, 1, y, canvas.width - 2, TITLE)
    for row, (_, colour) in enumerate(seats, y + 1):
        canvas.line(2, row, badge(theme, colour))
    draw_curves(canvas, theme, seats, curve, 6, y + 1)


def draw_curves_beside(
    canvas: Canvas, theme: Theme, seats: Seats, curve: WinCurve | str, x: int, y: int
) -> None:
    """The curves in the rows of a table whose first seat is in row `y`."""
    canvas.put(x, y - 1, TITLE.lower(), quiet(theme))
    draw_curves(canvas, theme, seats, curve, x, y)


def draw_curves(
    canvas: Canvas, theme: Theme, seats: Seats, curve: WinCurve | str, x: int, y: int
) -> None:
    """A row for each seat and one for the rounds; a text in place of the curves as it is."""
    if isinstance(curve, str) or not curve.rounds:
        canvas.put(x, y, curve if isinstance(curve, str) else NO_TURN, quiet(theme))
        return
    places = stretched(len(curve.rounds), canvas.width - x - HIGHEST - 2, MOST_COLUMNS)
    for row, (seat, colour) in enumerate(seats, y):
        own = curve.of(seat)
        bars = "".join(bar(own[place]) for place in places)
        at = canvas.line(x, row, (bars, Look(ink_of(theme, colour))))
        canvas.put(at, row, f"  most {percent(max(own))}", quiet(theme))
    axis = round_axis([curve.rounds[place] for place in places])
    canvas.put(x, y + len(seats), axis, quiet(theme))


def ink_of(theme: Theme, colour: str) -> str | None:
    """A seat's colour as ink on the page, where black on dark and pale on light are too faint."""
    if theme.name == "light":
        return theme.shades[colour][-1]
    if colour == "black":
        return theme["black-edge"] or theme["ink-3"]
    return theme[colour]


# The picture of the end: the winner, how the world changed hands, the luck of the dice.

HALF = "▀"  # two points above each other: the ink is the upper one
LEAST_CHART = 3  # rows
ROUND_COLUMNS = 6  # of a round in the chart
TABLE = 5  # the row of the first seat
BESIDE = 76  # the column of the curves next to the table
MapOf = Callable[[int, int], list[list[Cell]]]


@dataclass(frozen=True, slots=True)
class EndingSeat:
    """One seat at the end; `luck` in armies, with how many of 100 players are less lucky."""

    number: int
    colour: str
    name: str
    territories: int
    luck: float
    luckier: float


@dataclass(frozen=True, slots=True)
class Ending:
    """What is shown of a finished game; `shares` has the territories of each seat by round."""

    headline: str
    length: str
    winner: str | None
    title: str
    seats: tuple[EndingSeat, ...]
    shares: tuple[tuple[int, ...], ...]


def ending_of(game: Game, watcher: str | None) -> Ending:
    """The end of a game for the only person at the keyboard, or (None) for everyone."""
    luck = luck_of(game)
    seats = [
        EndingSeat(
            number=seat,
            colour=colour,
            name=name_shown(name),
            territories=int(game.position.territories[seat]),
            luck=luck[colour].balance,
            luckier=luck[colour].percentile,
        )
        for seat, (colour, name) in enumerate(zip(game.colours, game.names, strict=True))
    ]
    seats.sort(key=lambda seat: -seat.territories)
    return Ending(
        headline=result(game, watcher),
        length=rounds(game),
        winner=game.winner,
        title=game.ruleset.title,
        seats=tuple(seats),
        shares=shares_of(game),
    )


def shares_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """The territories of each seat at the start of each round, and at the end."""
    found: dict[int, tuple[int, ...]] = {}
    for position in (*game.positions, game.position):
        number = int(position.round_number)
        if number and number not in found:
            found[number] = tuple(int(n) for n in position.territories[: game.size])
    last = tuple(int(n) for n in game.position.territories[: game.size])
    return (*found.values(), last)


def draw_ending(
    width: int,
    height: int,
    theme: Theme,
    ending: Ending,
    map_of: MapOf,
    *,
    again: bool,
    curve: WinCurve | str | None = None,
) -> Canvas:
    """The screen; with `again` a rematch is offered.

    `curve` has the chances to win, or what is said in their place; with None there are none.
    """
    canvas = page(width, height, theme)
    canvas.line(
        1, 0, ("▚ Rubicon", strong(theme)), (f"  {ending.title} · {ending.length}", quiet(theme, 2))
    )
    at = canvas.line(2, 2, badge(theme, ending.winner), "  ") if ending.winner else 2
    canvas.put(at, 2, ending.headline, Look(theme["ink"], bold=True))
    heads = f"{'':22}{'territories':>11}{'luck, in armies':>18}"
    canvas.put(2, TABLE - 1, heads, quiet(theme))
    for row, seat in enumerate(ending.seats, TABLE):
        _seat(canvas, theme, seat, row)
    y = TABLE + len(ending.seats) + 1
    if curve is not None:
        y = _curves(canvas, theme, ending, curve, y)
    if height - y - 4 >= LEAST_CHART + 1 and len(ending.shares) > 1:
        wide = is_at_least(width, height, WIDE)
        rows = min(10, height - y - 4)
        _chart(canvas, theme, ending, y, rows)
        y += rows + 3
        if wide:
            room = height - y - 3
            columns = min(width - 4, room * 3)
            canvas.paste((width - columns) // 2, y, map_of(columns, room))
    x = 1
    if again:
        words = (" play again with the same players   ", quiet(theme, 2))
        x = canvas.line(x, height - 1, ("Enter", strong(theme)), words)
    canvas.line(x, height - 1, ("Esc", strong(theme)), (" leave", quiet(theme, 2)))
    return canvas


def _curves(canvas: Canvas, theme: Theme, ending: Ending, curve: WinCurve | str, y: int) -> int:
    """The chances to win, next to the table or below it from row `y` on; the next free row."""
    seats = [(seat.number, seat.colour) for seat in ending.seats]
    if is_at_least(canvas.width, canvas.height, WIDE):
        draw_curves_beside(canvas, theme, seats, curve, BESIDE, TABLE)
        return y + 1
    if y + len(seats) + 2 > canvas.height - 1:
        y -= 1  # no empty row above them: the last row is that of the keys
    draw_curves_below(canvas, theme, seats, curve, y)
    return y + len(seats) + 3


def _seat(canvas: Canvas, theme: Theme, seat: EndingSeat, y: int) -> None:
    good = Look(theme["good" if seat.luck >= 0 else "bad"], bold=True)
    at = canvas.line(2, y, badge(theme, seat.colour), f" {seat.name[:17]:18}{seat.territories:>11}")
    at = canvas.line(at, y, (f"{signed(seat.luck, UNICODE):>18}", good))
    if canvas.width > LEAST[0] + 12:
        canvas.put(at, y, f"   luckier than {seat.luckier:.0f}%", quiet(theme))


def _chart(canvas: Canvas, theme: Theme, ending: Ending, y: int, rows: int) -> None:
    """The world by round: how much of it each seat held, in half rows."""
    rule(canvas, theme, 1, y, canvas.width - 2, "Who held the world, round by round")
    columns = min(canvas.width - 4, len(ending.shares) * ROUND_COLUMNS)
    for column in range(columns):
        shares = ending.shares[column * len(ending.shares) // columns]
        owners = stacked(ending, shares, 2 * rows)
        for row in range(rows):
            up, low = owners[2 * row], owners[2 * row + 1]
            sign = HALF if theme.colours else LETTERS[up]
            canvas.put(2 + column, y + 1 + row, sign, Look(theme[up], theme[low]))
    last = f"round {len(ending.shares) - 1}"
    canvas.put(2, y + 1 + rows, "round 1", quiet(theme))
    if columns > len("round 1 ") + len(last):
        canvas.put(2 + columns - len(last), y + 1 + rows, last, quiet(theme))


def stacked(ending: Ending, shares: tuple[int, ...], points: int) -> list[str]:
    """The seat at each of `points` places from the top: the winner lies above the others."""
    whole = sum(shares) or 1
    owners: list[str] = []
    for seat in ending.seats:
        until = sum(shares[other.number] for other in _up_to(ending, seat)) / whole
        owners += [seat.colour] * (round(until * points) - len(owners))
    return owners + [owners[-1] if owners else "nobody"] * (points - len(owners))


def _up_to(ending: Ending, last: EndingSeat) -> tuple[EndingSeat, ...]:
    return ending.seats[: ending.seats.index(last) + 1]
