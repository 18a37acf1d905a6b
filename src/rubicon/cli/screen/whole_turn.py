"""A whole turn written before anything of it is done: its lines, their meaning, their odds."""

from __future__ import annotations

from dataclasses import dataclass, field

from rubicon.cli.terminal.display.codes import without_codes
from rubicon.errors import RubiconError
from rubicon.orders.errors import OrdersError
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.preview.preview import preview
from rubicon.orders.preview.render import preview_lines
from rubicon.rules.game.game import Game

TITLE = "Your turn, looked ahead"
EMPTY = (
    "Write the orders of a whole turn, one a line. Behind each you see what all of them together "
    "would do. Nothing is done before you press Enter on an empty line."
)


@dataclass(slots=True)
class WholeTurn:
    """The lines of orders that a seat has written so far, and what they would do."""

    lines: list[str] = field(default_factory=list)
    outlook: list[str] = field(default_factory=list)

    def add(self, line: str, game: Game, colour: str) -> None:
        """One more line."""
        self.lines += [part.strip() for part in line.split("\n") if part.strip()]
        self.look_ahead(game, colour)

    def take_back(self, game: Game, colour: str) -> None:
        """Without the last line."""
        del self.lines[-1:]
        self.look_ahead(game, colour)

    def look_ahead(self, game: Game, colour: str) -> None:
        """What the lines would do, or what is wrong with them."""
        self.outlook = []
        if not self.lines:
            return
        board = game.ruleset.board
        names = dict(zip(game.names, game.colours, strict=True))
        text = without_codes("\n".join(self.lines), board)
        try:
            orders = read_orders(text, board, game.colours, names=names)
            self.outlook = list(preview_lines(preview(orders, game, colour), board))
        except OrdersError as error:
            self.outlook = [
                f"Line {one.line}: {one.message} {one.suggestion}".strip() for one in error.problems
            ]
        except RubiconError as error:
            self.outlook = [str(error)]

    def command(self) -> str:
        """The line that carries everything out."""
        return "orders " + "\n".join(self.lines)

    def shown(self) -> list[str]:
        """What stands beside the map, or over it."""
        numbered = [f"{number:>2} {line}" for number, line in enumerate(self.lines, 1)]
        return [*numbered, "", *self.outlook] if numbered else [EMPTY]
