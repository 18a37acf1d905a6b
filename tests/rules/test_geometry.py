"""The drawings of boards: outlines, borders, lanes and badges fit together and fit the rules."""

from __future__ import annotations

import gzip
import json
import math
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from rubicon.errors import RubiconError
from rubicon.rules.board.board import Board, bundled_boards
from rubicon.rules.board.geometry import (
    NEAREST,
    Geometry,
    Point,
    TerritoryShape,
    borders_of,
    box_of,
    island_geometry,
    polylines,
)

BOARDS = {name: Board.load(name) for name in bundled_boards()}
TOUCHING = 0.3  # units: the curves of two neighbours are the same, but rounded
MOST_BYTES = 60_000  # of a drawing, compressed


def points_of(shape: TerritoryShape) -> npt.NDArray[np.float64]:
    """The points of an outline, its islands included."""
    return np.array([point for line in polylines(shape["d"]) for point in line])


def gap(one: TerritoryShape, other: TerritoryShape) -> float:
    """The smallest distance between the points of two outlines."""
    apart = points_of(one)[:, None] - points_of(other)[None]
    return float(np.hypot(apart[..., 0], apart[..., 1]).min())


def near(one: TerritoryShape, other: TerritoryShape) -> bool:
    """Whether the boxes of two outlines touch."""
    a, b = one["box"], other["box"]
    return a[0] <= b[2] + 1 and b[0] <= a[2] + 1 and a[1] <= b[3] + 1 and b[1] <= a[3] + 1


def inside(point: Point, path: str) -> bool:
    """Whether a point lies inside a path, by the even-odd rule."""
    x, y = point
    crossed = 0
    for line in polylines(path):
        for (x1, y1), (x2, y2) in pairwise([*line, line[0]]):
            crossed += (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
    return crossed % 2 == 1


def lanes_of(board: Board, drawn: Geometry) -> set[tuple[int, int]]:
    """The pairs of territories that are joined by a lane."""
    pairs = [sorted(map(board.index, lane["between"])) for lane in drawn["lanes"]]
    return {(low, high) for low, high in pairs}


@pytest.mark.parametrize("name", BOARDS)
class TestDrawing:
    def test_territories_that_touch_and_lanes_are_the_borders(self, name: str) -> None:
        board, drawn = BOARDS[name], BOARDS[name].geometry()
        shapes = drawn["territories"]
        assert [shape["id"] for shape in shapes] == [land.id for land in board.territories]
        lanes = lanes_of(board, drawn)
        touching = {
            (low, high)
            for low, high in combinations(range(len(shapes)), 2)
            if near(shapes[low], shapes[high]) and gap(shapes[low], shapes[high]) <= TOUCHING
        }
        assert len(lanes) == len(drawn["lanes"])
        assert touching & lanes == set()
        assert touching | lanes == set(borders_of(board))

    def test_every_badge_lies_inside_its_territory(self, name: str) -> None:
        for shape in BOARDS[name].geometry()["territories"]:
            edge = min(math.dist(shape["disc"], point) for point in points_of(shape))
            assert inside(shape["disc"], shape["d"]), shape["id"]
            assert 0 < shape["inradius"] <= edge + 1, shape["id"]

    def test_lanes_end_on_the_coasts_that_they_join(self, name: str) -> None:
        drawn = BOARDS[name].geometry()
        shapes = {shape["id"]: shape for shape in drawn["territories"]}
        for lane in drawn["lanes"]:
            if lane["wrap"]:
                assert {edge["to"] for edge in lane["edges"]} == set(lane["between"])
                continue
            for end, point in zip(lane["between"], lane["ends"], strict=True):
                coast = np.hypot(*(points_of(shapes[end]) - point).T).min()
                assert coast < 8, (lane["between"], end)

    def test_everything_lies_on_the_page(self, name: str) -> None:
        drawn = BOARDS[name].geometry()
        for shape in drawn["territories"]:
            left, top, right, bottom = shape["box"]
            assert 0 <= left < right <= drawn["width"], shape["id"]
            assert 0 <= top < bottom <= drawn["height"], shape["id"]

    def test_each_continent_has_a_plate(self, name: str) -> None:
        plates = [plate["continent"] for plate in BOARDS[name].geometry()["plates"]]
        assert sorted(plates) == sorted(land.id for land in BOARDS[name].continents)

    def test_land_borders_are_drawn_as_the_continents_divide_them(self, name: str) -> None:
        board, drawn = BOARDS[name], BOARDS[name].geometry()
        shapes = drawn["territories"]
        for kind in ("inner", "continent"):
            middles = [line[len(line) // 2] for line in polylines(drawn["borders"][kind])]
            assert middles
            for middle in middles:
                reach = [np.hypot(*(points_of(shape) - middle).T).min() for shape in shapes]
                one, other = np.argsort(reach)[:2]
                same = board.territories[one].continent == board.territories[other].continent
                assert reach[other] < 4
                assert same == (kind == "inner")

    def test_it_is_small(self, name: str) -> None:
        assert len(gzip.compress(json.dumps(BOARDS[name].geometry()).encode())) < MOST_BYTES


def test_badges_of_the_skerries_have_room() -> None:
    assert min(s["inradius"] for s in BOARDS["skerries"].geometry()["territories"]) >= 22


def straight(count: int) -> Board:
    """A board whose territories form a line."""
    lands = [f'neighbours = ["t{at + 1}"]' for at in range(count - 1)]
    return board_of([*lands, ""])


def star(count: int) -> Board:
    """A board on which one territory borders on all others."""
    return board_of(["", *['neighbours = ["t0"]'] * (count - 1)])


def crowd(count: int) -> Board:
    """A board on which each territory borders on the next eight, one of them one way only."""
    rows = []
    for at in range(count):
        ahead = [f'"t{(at + step) % count}"' for step in range(1, 9)]
        rows.append(f"neighbours = [{', '.join(ahead[:-1])}]\none_way = [{ahead[-1]}]")
    return board_of(rows)


def board_of(lines: list[str]) -> Board:
    """A board with one line of borders for each territory; every third is in another continent."""
    text = 'format = 1\n[board]\nid = "b"\nname = "B"\nversion = 1\n'
    continents = ["one", "two", "three"][: len(lines)]
    text += "".join(f'[[continent]]\nid = "{c}"\nname = "{c}"\nbonus = 1\n' for c in continents)
    for at, line in enumerate(lines):
        text += f'[[territory]]\nid = "t{at}"\nname = "Land number {at}"\n'
        text += f'continent = "{continents[at % len(continents)]}"\n{line}\n'
    return Board.parse(text)


MADE = {
    "pair": straight(2),
    "line": straight(128),
    "star": star(25),
    "crowd": crowd(128),
    **{f"{name} without its drawing": board for name, board in BOARDS.items()},
}


@pytest.mark.parametrize("name", MADE)
class TestIslands:
    def test_no_two_badges_are_close(self, name: str) -> None:
        drawn = island_geometry(MADE[name])
        discs = [shape["disc"] for shape in drawn["territories"]]
        assert len(discs) == len(MADE[name].territories)
        nearest = min(math.dist(one, other) for one, other in combinations(discs, 2))
        assert nearest >= NEAREST - 0.2 >= 40

    def test_islands_are_apart_and_hold_their_badges(self, name: str) -> None:
        drawn = island_geometry(MADE[name])
        for shape in drawn["territories"]:
            assert inside(shape["disc"], shape["d"])
            assert shape["inradius"] >= 22
            left, top, right, bottom = shape["box"]
            assert 0 < left < right < drawn["width"]
            assert 0 < top < bottom < drawn["height"]
        for one, other in combinations(drawn["territories"], 2):
            if near(one, other):
                assert gap(one, other) > 4

    def test_each_border_is_a_lane(self, name: str) -> None:
        drawn = island_geometry(MADE[name])
        assert lanes_of(MADE[name], drawn) == set(borders_of(MADE[name]))
        shapes = {shape["id"]: shape for shape in drawn["territories"]}
        for lane in drawn["lanes"]:
            for end, point in zip(lane["between"], lane["ends"], strict=True):
                assert math.dist(shapes[end]["disc"], point) < 34

    def test_it_is_always_the_same(self, name: str) -> None:
        assert island_geometry(MADE[name]) == island_geometry(MADE[name])


def test_a_board_without_a_drawing_is_drawn_as_islands() -> None:
    board = straight(5)
    assert board.geometry() == island_geometry(board)


@pytest.mark.parametrize(
    "wrong",
    [
        {"lanes": [{"between": ["t0", "nowhere"], "d": []}]},
        {"plates": [{"continent": "nowhere", "x": 0, "y": 0}]},
        {"territories": []},
        {"width": "wide"},
    ],
)
def test_a_drawing_of_another_board_is_refused(tmp_path: Path, wrong: dict[str, object]) -> None:
    shape = {"id": "t0", "d": "M0,0L9,0L9,9z", "disc": [5, 4], "inradius": 2}
    drawing = {"width": 20, "height": 9, "territories": [shape, {**shape, "id": "t1"}]}
    text = 'format = 1\n[board]\nid = "b"\nname = "B"\nversion = 1\ngeometry = "b.json"\n'
    text += '[[continent]]\nid = "one"\nname = "One"\nbonus = 1\n'
    for at, line in enumerate(['neighbours = ["t1"]', ""]):
        text += f'[[territory]]\nid = "t{at}"\nname = "T{at}"\ncontinent = "one"\n{line}\n'
    (tmp_path / "b.toml").write_text(text)
    (tmp_path / "b.json").write_text(json.dumps(drawing))
    board = Board.load(tmp_path / "b.toml")
    drawn = board.geometry()
    assert drawn["territories"][0]["label"]["lines"] == ["T0"]
    (tmp_path / "b.json").write_text(json.dumps({**drawing, **wrong}))
    with pytest.raises(RubiconError) as caught:
        board.geometry()
    assert caught.value.code == "board/bad-geometry"


class TestPaths:
    def test_relative_and_absolute_commands(self) -> None:
        square = [(1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 1.0)]
        assert polylines("M1,1L3,1 3,3z") == [square]
        assert polylines("m1,1l2,0 0,2z") == [square]
        assert polylines("M1,1 3,1L3,3Z") == [square]

    def test_curves_end_where_they_say(self) -> None:
        lines = polylines("M0,0q1,2,4,0C4-1 5-1 5,0M.5.5L-1-.5")
        assert lines[0][8] == (4.0, 0.0)
        assert lines[0][16] == (5.0, 0.0)
        assert lines[0][4] == (1.5, 1.0)
        assert lines[1] == [(0.5, 0.5), (-1.0, -0.5)]
        assert box_of(["M0,0q1,2,4,0"]) == (0.0, 0.0, 4.0, 1.0)

    @pytest.mark.parametrize("path", ["L1,1", "M1", "M1,1A2", "M1,1Q1,1", "M1,1z5", "M", "hello"])
    def test_what_is_no_path_is_refused(self, path: str) -> None:
        with pytest.raises(ValueError, match=r"path|command"):
            polylines(path)
