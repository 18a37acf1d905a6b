"""A preview in words, a fact a line."""

from __future__ import annotations

from collections.abc import Iterator

from rubicon.orders.preview.forecast import Estimate, Preview
from rubicon.rules.board.board import Board


def preview_lines(preview: Preview, board: Board) -> tuple[str, ...]:
    """The sentences of a preview; territories as the board spells them."""
    return tuple(_lines(preview, board))


def _lines(preview: Preview, board: Board) -> Iterator[str]:
    names = {territory.id: territory.name for territory in board.territories}
    if preview.runs is None:
        yield "Exact odds of all orders together; nothing was rolled."
    else:
        yield f"Odds from {preview.runs} sampled runs, with 95 % intervals; nothing was rolled."
    for line, chance in preview.lines:
        yield f"Order {line}: you own its whole path at the end: {chance}."
    for prospect in preview.prospects:
        yield f"{names[prospect.territory]}: {_held(prospect.held, prospect.armies)}."
    yield (
        f"Average losses: {_armies(preview.lost)} of yours, "
        f"{_armies(preview.destroyed)} of your opponents. A card: {preview.card}."
    )
    for colour, chance in preview.eliminated:
        yield f"{colour.capitalize()} is eliminated: {chance}."
    if preview.won.chance > 0:
        yield f"You win the game: {preview.won}."
    for reason, chance in preview.pauses:
        yield f"The orders stop ({chance}): {reason}"
    for note, chance in preview.notes:
        yield f"Order {note.line} ({chance}): {note.message}"
    yield from preview.assumptions


def _held(held: Estimate, armies: float) -> str:
    if held.chance == 0:
        return "never yours"
    return f"yours {held}, then with {_armies(armies)} on average"


def _armies(number: float) -> str:
    shown = f"{number:.1f}"
    return f"{shown} {'army' if shown == '1.0' else 'armies'}"
