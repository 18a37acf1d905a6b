"""A preview in words, a line a fact."""

from __future__ import annotations

from collections.abc import Iterator

from rubicon.orders.preview import Estimate, Preview
from rubicon.rules.board import Board


def preview_lines(preview: Preview, board: Board) -> tuple[str, ...]:
    """What may become of orders, in sentences; territories as the board spells them."""
    return tuple(_lines(preview, board))


def _lines(preview: Preview, board: Board) -> Iterator[str]:
    names = {territory.id: territory.name for territory in board.territories}
    if preview.runs is None:
        yield "Exact odds of the whole plan; nothing was rolled."
    else:
        yield f"From {preview.runs} sampled runs (95 % intervals in brackets); no die was thrown."
    for line, chance in preview.lines:
        yield f"Order {line}: its whole path is yours at the end: {chance}."
    for prospect in preview.prospects:
        yield f"{names[prospect.territory]}: {_held(prospect.held, prospect.armies)}."
    yield (
        f"On average {_armies(preview.lost)} lost, {_armies(preview.destroyed)} destroyed. "
        f"A card: {preview.card}."
    )
    for colour, chance in preview.eliminated:
        yield f"{colour.capitalize()} is eliminated: {chance}."
    if preview.won.chance > 0:
        yield f"The game is won: {preview.won}."
    for reason, chance in preview.pauses:
        yield f"The orders come to a stop ({chance}): {reason}"
    for note, chance in preview.notes:
        yield f"Order {note.line} ({chance}): {note.message}"
    yield from preview.assumptions


def _held(held: Estimate, armies: float) -> str:
    if held.chance == 0:
        return "never held"
    return f"held {held}, then with {_armies(armies)} on average"


def _armies(number: float) -> str:
    shown = f"{number:.1f}"
    return f"{shown} {'army' if shown == '1.0' else 'armies'}"
