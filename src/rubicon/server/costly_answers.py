"""What the work process computes: previews of orders, and the files of games."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

from rubicon.orders.parse.parser import read_orders
from rubicon.orders.preview.forecast import Preview
from rubicon.orders.preview.preview import preview
from rubicon.orders.preview.render import preview_lines
from rubicon.server.seat_game import SeatGame
from rubicon.table.admin.export_game import Exported, exported
from rubicon.table.storage.database import Store


@dataclass(frozen=True, slots=True)
class OrdersPreview:
    """Orders as they were read, their possible results, and what was taken for no order.

    `lines` are the results in words.
    """

    orders: str
    lines: list[str]
    ignored: list[str]
    results: Preview


def preview_orders(seen: SeatGame, text: str) -> OrdersPreview:
    """The possible results of orders; RubiconError where they cannot be read or previewed."""
    game = seen.game()
    orders = read_orders(text, game.ruleset.board, game.colours)
    results = preview(orders, game, seen.seat)
    lines = list(preview_lines(results, game.ruleset.board))
    warnings = [str(warning) for warning in orders.warnings]
    return OrdersPreview(str(orders), lines, warnings, results)


def export_from(url: str, game: str, seat: str) -> Exported:
    """The files of a game of the database at `url`, for a seat or for spectators."""
    return read_only_store(url).read(partial(exported, game=game, seat=seat))


@lru_cache(maxsize=1)
def read_only_store(url: str) -> Store:
    """The database at `url`, opened once for the process."""
    return Store.open_read_only(url)
