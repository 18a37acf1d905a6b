"""The map of an e-mail: short names, plain text, the picture."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from rubicon.mail.writing.layout import SOLID, WIDE
from rubicon.mail.writing.maps import LAND, WIDTH, Stand, map_picture, short_names, text_map
from rubicon.rules.board.board import Board, bundled_boards

MOST_PICTURE = 60_000  # bytes


@pytest.mark.parametrize("name", bundled_boards())
def test_each_short_name_means_its_territory_in_orders(name: str) -> None:
    board = Board.load(name)
    names = short_names(board)
    assert [board.index(short) for short in names] == list(range(len(board.territories)))
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", bundled_boards())
def test_every_territory_stands_once_on_the_text_map(name: str) -> None:
    board = Board.load(name)
    cells = [f"[{short} 12]" for short in short_names(board)]
    lines = text_map(board, cells)
    whole = "\n".join(lines)
    assert [whole.count(cell) for cell in cells] == [1] * len(cells)
    assert max(map(len, lines)) <= WIDE


@pytest.mark.parametrize("name", bundled_boards())
def test_the_picture_is_small_and_has_every_seats_own_colours(name: str) -> None:
    board = Board.load(name)
    colours = sorted(SOLID)
    stands = [Stand(colours[n % len(colours)], str(n * 7)) for n in range(len(board.territories))]
    picture = map_picture(board, stands)
    assert len(picture) <= MOST_PICTURE
    image = Image.open(io.BytesIO(picture))
    assert image.mode == "P"
    assert image.width == WIDTH
    shown = {colour for _, colour in image.convert("RGB").getcolors(1 << 20) or []}
    for colour in colours:
        assert _rgb(LAND[colour][0]) in shown
        assert _rgb(SOLID[colour][0]) in shown


def test_the_same_position_has_the_same_picture() -> None:
    board = Board.load("skerries")
    stands = [Stand("red", "3") for _ in board.territories]
    assert map_picture(board, stands) == map_picture(board, stands)


def _rgb(text: str) -> tuple[int, ...]:
    return tuple(int(part, 16) for part in re.findall("..", text[1:]))
