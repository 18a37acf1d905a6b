"""The boards over HTTP: what is on them, their drawings, and how long these may be kept."""

from __future__ import annotations

import gzip
import json

import pytest

from rubicon.rules.board.board import Board, bundled_boards
from tests.web.conftest import RunningServer

MOST_BYTES = 60_000


@pytest.mark.parametrize("name", bundled_boards())
def test_a_board_has_what_the_rules_have(server: RunningServer, name: str) -> None:
    board = Board.load(name)
    with server.http() as http:
        shown = http.get(f"/api/v1/boards/{name}").json()
    assert [each["id"] for each in shown["territories"]] == [t.id for t in board.territories]
    pairs = {tuple(map(board.index, border["between"])) for border in shown["borders"]}
    assert pairs == set(board.borders)
    bonuses = {each["id"]: each["bonus"] for each in shown["continents"]}
    assert bonuses == {each.id: each.bonus for each in board.continents}
    assert sum(len(each["territories"]) for each in shown["continents"]) == len(board.territories)
    assert (shown["cities"], len(shown["missions"])) == (board.cities, len(board.missions))


def test_borders_are_by_land_or_by_sea(server: RunningServer) -> None:
    with server.http() as http:
        shown = http.get("/api/v1/boards/world").json()
    kinds = {frozenset(border["between"]): border for border in shown["borders"]}
    assert kinds[frozenset({"alaska", "kamchatka"})]["kind"] == "sea"
    assert kinds[frozenset({"alaska", "alberta"})]["kind"] == "land"
    assert sum(border["kind"] == "sea" for border in shown["borders"]) == 25
    optional = kinds[frozenset({"east_africa", "middle_east"})]
    assert optional["option"] == "map.east_africa_middle_east"


@pytest.mark.parametrize("name", bundled_boards())
def test_the_drawing_can_be_kept_for_ever(server: RunningServer, name: str) -> None:
    with server.http() as http:
        address = http.get(f"/api/v1/boards/{name}").json()["geometry"]
        kept = http.get(address)
        now = http.get(f"/api/v1/boards/{name}/geometry")
        again = http.get(address, headers={"If-None-Match": kept.headers["etag"]})
        plain = http.get(address, headers={"Accept-Encoding": "identity"})
    assert kept.json() == now.json() == plain.json()
    assert "immutable" in kept.headers["cache-control"]
    assert "no-cache" in now.headers["cache-control"]
    assert (again.status_code, again.content) == (304, b"")
    assert kept.headers["content-encoding"] == "gzip"
    assert len(gzip.compress(json.dumps(kept.json()).encode())) < MOST_BYTES
    assert kept.json()["territories"][0]["id"] == Board.load(name).territories[0].id


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("atlantis", "board/unknown-board"),
        ("atlantis/geometry", "board/unknown-board"),
        ("world.toml", "board/unknown-board"),
        ("world/geometry/0000", "geometry/unknown"),
    ],
)
def test_what_does_not_exist(server: RunningServer, path: str, code: str) -> None:
    with server.http() as http:
        refused = http.get(f"/api/v1/boards/{path}")
    assert (refused.status_code, refused.json()["code"]) == (404, code)


def test_places_have_their_german_names(server: RunningServer) -> None:
    with server.http() as http:
        shown = http.get("/api/v1/boards/world").json()
        drawn = http.get("/api/v1/boards/world/geometry").json()
    names = {place["id"]: place["names"] for place in shown["territories"]}
    assert names["iceland"] == {"de": "Island"}
    assert {"de": "Nordamerika"} in [continent["names"] for continent in shown["continents"]]
    labels = {shape["id"]: shape["label"]["names"]["de"] for shape in drawn["territories"]}
    assert labels["middle_east"] == ["Mittlerer", "Osten"]
    assert labels["iceland"] == ["Island"]
