"""The map in cells: the world and a small board, at several sizes, as text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rubicon.cli.screen.canvas import DARK, NONE, Canvas, Theme
from rubicon.cli.screen.map import Holder, Marks, draw_map
from rubicon.cli.screen.world import World, make_world, neighbours_of, tints
from rubicon.cli.terminal.board import codes
from rubicon.rules.board.board import Board

SNAPSHOTS = Path(__file__).with_name("snapshots")
OWNERS = ("red", "blue", "green", "black")
SIZES = ((86, 28), (80, 16))
BOARDS = ("world", "skerries")


def world_of(name: str, size: tuple[int, int], theme: Theme) -> World:
    """A board at a size."""
    board = Board.load(name)
    return make_world(board, board.geometry(), *size, outlines=theme.outlines)


def picture(world: World, theme: Theme) -> str:
    """The signs of the map of a position made up from the numbers of the territories."""
    holders = [Holder(OWNERS[t % 4], 1 + t % 12) for t in range(len(world.board.territories))]
    canvas = Canvas(world.width, world.height)
    canvas.paste(0, 0, draw_map(world, holders, theme, Marks(selected=3, chips={4: "63%"})))
    return canvas.text()


@pytest.mark.parametrize("theme", [DARK, NONE], ids=lambda theme: theme.name)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", BOARDS)
def test_the_map_is_as_it_was(name: str, size: tuple[int, int], theme: Theme) -> None:
    """RUBICON_WRITE_MAPS=1 writes the pictures anew."""
    file = SNAPSHOTS / f"{name}-{size[0]}x{size[1]}-{theme.name.replace(' ', '-')}.txt"
    found = picture(world_of(name, size, theme), theme)
    if os.environ.get("RUBICON_WRITE_MAPS"):
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text("utf-8")


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("size", [*SIZES, (200, 66), (80, 12)])
def test_no_figure_and_no_territory_is_left_out(name: str, size: tuple[int, int]) -> None:
    world = world_of(name, size, DARK)
    holders = [Holder("red", 100 + t) for t in range(len(world.board.territories))]
    canvas = Canvas(*size)
    canvas.paste(0, 0, draw_map(world, holders, DARK))
    text = canvas.text()
    assert [h.armies for h in holders if f"R{h.armies}" not in text] == []
    assert {int(t) for t in world.cells.ravel()} >= set(range(len(holders)))


@pytest.mark.parametrize("name", BOARDS)
def test_neighbours_differ_in_shade(name: str) -> None:
    board = Board.load(name)
    shade = tints(board)
    near = neighbours_of(board)
    assert all(shade[t] != shade[n] for t, around in enumerate(near) for n in around)


def test_codes_are_three_letters_each_for_one_territory() -> None:
    world = codes(Board.load("world"))
    assert len({code.casefold() for code in world}) == len(world) == 42
    assert {len(code) for code in world} == {3}
    assert world[0] == "Ala"


def test_the_cell_of_a_disc_belongs_to_its_territory() -> None:
    world = world_of("world", (86, 28), DARK)
    ukraine = world.board.index("ukraine")
    assert world.territory_at(*world.disc(ukraine)) == ukraine
    assert world.territory_at(-1, 0) is None
