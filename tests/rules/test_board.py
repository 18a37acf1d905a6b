"""The bundled boards against the rulebook, names, and what the loader says of bad boards."""

import re
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubicon.engine.codes import Deck
from rubicon.engine.records import BOARD_TABLES, NO_NEIGHBOUR, Design, MissionKind, ObjectiveKind
from rubicon.errors import RubiconError
from rubicon.rules.board.board import COLOURS, Board, BoardError, BoardProblem, bundled_boards
from rubicon.rules.ruleset.ruleset import board_tables

ROOT = Path(__file__).parents[2]
WORLD = Board.load("world")
SKERRIES = Board.load("skerries")
BOTH = [WORLD, SKERRIES]
MISSIONS = tuple(f"M{number:02}" for number in range(1, 15))
OBJECTIVES = tuple(f"OB{number:02}" for number in range(1, 13))

DEGREES = {
    **dict.fromkeys(["argentina", "madagascar", "japan", "eastern_australia"], 2),
    **dict.fromkeys(["ontario", "ukraine", "southern_europe", "north_africa"], 6),
    **dict.fromkeys(["east_africa", "china", "middle_east"], 6),
    **dict.fromkeys(["northern_europe", "siberia", "afghanistan", "mongolia", "kamchatka"], 5),
}
CROSSING = """
    alaska kamchatka, central_america venezuela, greenland iceland, brazil north_africa,
    ukraine ural, ukraine afghanistan, ukraine middle_east, western_europe north_africa,
    southern_europe north_africa, southern_europe egypt, southern_europe middle_east,
    egypt middle_east, east_africa middle_east, siam indonesia
"""
CONTINENTS = {
    "north_america": (9, 5, 16, 3),
    "south_america": (4, 2, 5, 2),
    "europe": (7, 5, 12, 4),
    "africa": (6, 3, 9, 3),
    "asia": (12, 7, 22, 5),
    "australia": (4, 2, 5, 1),
}

SMALL = """\
format = 1
[board]
id = "small"
name = "Small"
version = 1
mission_fallback = 3
[[continent]]
id = "land"
name = "Land"
bonus = 2
[[continent]]
id = "sea"
name = "Sea"
bonus = 1
[[territory]]
id = "hill"
name = "Hill"
continent = "land"
neighbours = ["dale", "moor"]
[[territory]]
id = "dale"
name = "Dale"
continent = "land"
neighbours = ["moor"]
[[territory]]
id = "moor"
name = "Moor"
continent = "land"
[[territory]]
id = "reef"
name = "Reef"
continent = "sea"
neighbours = ["moor"]
[[mission]]
id = "M01"
text = "Conquer both."
kind = "continents"
continents = ["land", "sea"]
"""

# what is replaced in SMALL, by what, the code and the line of each problem
BAD = {
    "unknown neighbour": ('["moor"]', '["mooor"]', "unknown-neighbour", 24),
    "unknown one-way neighbour": (
        '["moor"]',
        '["moor"]\none_way = ["zz"]',
        "unknown-neighbour",
        25,
    ),
    "unknown continent": ('"land"\nneighbours', '"lnd"\nneighbours', "unknown-continent", 18),
    "own neighbour": ('["moor"]', '["moor", "dale"]', "own-neighbour", 24),
    "named twice": ('["moor"]', '["moor",\n"moor"]', "duplicate-border", 24),
    "one-way too": ('["moor"]', '["moor"]\none_way = ["moor"]', "border-conflict", 25),
    "one-way there": ('["moor"]', '["moor"]\none_way = ["hill"]', "border-conflict", 25),
    "duplicate id": ('id = "moor"', 'id = "hill"', "duplicate-id", 26),
    "duplicate name": ('name = "Moor"', 'name = "D-ALE"', "duplicate-name", 27),
    "duplicate alias": ('"Reef"', '"Reef"\naliases = ["x",\n"HÍLL"]', "duplicate-name", 33),
    "duplicate continent id": ('id = "sea"', 'id = "land"', "duplicate-id", 12),
    "duplicate continent name": ('"Sea"', '"LAND"', "duplicate-name", 13),
    "duplicate mission": ("[[mission]]", "[[mission]]\nid='M01'\n[[mission]]", "duplicate-id", 37),
    "empty continent": ('"sea"\nnei', '"land"\nnei', "empty-continent", 11),
    "unreachable": ('"sea"\nneighbours = ["moor"]', '"sea"', "unreachable", 29),
    "no way back": ('"sea"\nneighbours', '"sea"\none_way', "unreachable", 29),
    "missing field": ("bonus = 1\n", "", "missing-field", 11),
    "missing board": ("[board]", "[[x]]", "missing-field", 1),
    "missing fallback": ("mission_fallback = 3\n", "", "missing-field", 2),
    "missing design": ('"Moor"', '"Moor"\ndesigns = "cavalry"', "missing-design", 15),
    "unknown design": ('"Dale"', '"Dale"\ndesigns = { a = "tank" }', "unknown-design", 23),
    "text for number": ("bonus = 1", 'bonus = "1"', "wrong-type", 14),
    "flag for number": ("bonus = 1", "bonus = true", "wrong-type", 14),
    "number for list": ('["moor"]', "7", "wrong-type", 24),
    "number in list": ('["moor"]', '["moor", 7]', "wrong-type", 24),
    "number for design": ('"Moor"', '"Moor"\ndesigns = { a = 1 }', "wrong-type", 28),
    "table for tables": ("[[mission]]", "[mission]", "wrong-type", 34),
    "tables for table": ("[board]", "[[board]]", "wrong-type", 2),
    "bad id": ('id = "dale"', 'id = "no dale"', "bad-value", 21),
    "empty name": ('"Dale"', '" ... "', "bad-value", 22),
    "huge bonus": ("bonus = 1", "bonus = 1000", "bad-value", 14),
    "huge number": ("bonus = 1", f"bonus = 0x{'f' * 9000}", "bad-value", 14),
    "negative bonus": ("bonus = 1", "bonus = -1", "bad-value", 14),
    "three stars": ('"Moor"', '"Moor"\nstars = 3', "bad-value", 28),
    "fallback too high": ("mission_fallback = 3", "mission_fallback = 5", "bad-value", 6),
    "too many cities": ("mission_fall", "cities = 5\nmission_fall", "bad-value", 6),
    "drawing elsewhere": ("mission_fall", 'geometry = "../x"\nmission_fall', "bad-value", 6),
    "unknown mission continent": ('["land", "sea"]', '["land", "see"]', "unknown-continent", 38),
    "one mission continent": ('["land", "sea"]', '["land"]', "bad-value", 38),
    "mission kind": ('kind = "continents"', 'kind = "continent"', "bad-value", 37),
    "mission lacks count": ('kind = "continents"', 'kind = "territories"', "missing-field", 37),
    "mission has more": ("[[mission]]", "[[mission]]\ncount = 2", "unknown-key", 35),
    "mission colour": (
        'kind = "continents"\ncontinents = ["land", "sea"]',
        'kind = "destroy"\ncolour = "pink"',
        "bad-value",
        38,
    ),
    "missions out of order": (
        "[[mission]]",
        '[[mission]]\nid="M02"\ntext="t"\nkind="territories"\ncount=2\n[[mission]]',
        "wrong-order",
        35,
    ),
    "missions in descending order": (
        "[[mission]]",
        '[[mission]]\nid="b"\ntext="t"\nkind="territories"\ncount=2\n'
        '[[mission]]\nid="a"\ntext="t"\nkind="territories"\ncount=2\n[[mission]]',
        "wrong-order",
        40,
    ),
    "objectives out of order": (
        "[[mission]]",
        '[[objective]]\nid="OB02"\ntext="t"\nclass="minor"\nkind="territories"\ncount=2\n[[mission]]',
        "wrong-order",
        35,
    ),
    "objective count": (
        "[[mission]]",
        '[[objective]]\nid="O"\ntext="t"\nclass="minor"\nkind="territories"\ncount=5\n[[mission]]',
        "bad-value",
        39,
    ),
    "objective continent": (
        "[[mission]]",
        '[[objective]]\nid="O"\ntext="t"\nclass="minor"\nkind="continent"\n[[mission]]',
        "missing-field",
        38,
    ),
    "unknown key": ("bonus = 1", "bonus = 1\nbonnus = 2", "unknown-key", 15),
    "unknown table": ("[[mission]]", "[[misson]]\n[[mission]]", "unknown-key", 34),
    "unknown option": (
        "[[mission]]",
        '[[optional_border]]\noption="x"\nbetween=["hill","dale"]\n[[mission]]',
        "bad-value",
        35,
    ),
    "unknown border": (
        "[[mission]]",
        '[[optional_border]]\noption="map.east_africa_middle_east"\n'
        'between=["hill","reef"]\n[[mission]]',
        "unknown-border",
        36,
    ),
    "bridge is optional": (
        "[[mission]]",
        '[[optional_border]]\noption="map.east_africa_middle_east"\n'
        'between=["moor","reef"]\n[[mission]]',
        "unreachable",
        29,
    ),
    "format": ("format = 1", "format = 2", "format", 1),
    "no format": ("format = 1", "# format", "format", 1),
    "syntax": ("bonus = 1", "bonus = = 1", "syntax", 14),
    "end of text": ('["land", "sea"]', '["land", "sea"', "syntax", 38),
    "deep": ("format = 1", f"format = {'[' * 5000}", "syntax", 1),
    "digits": ("bonus = 1", f"bonus = {'9' * 9000}", "syntax", 38),
}


def problems(text: str) -> tuple[BoardProblem, ...]:
    with pytest.raises(BoardError) as caught:
        Board.parse(text)
    return caught.value.problems


def tables(board: Board, **changed: Any) -> Any:
    options: dict[str, Any] = {
        "east_africa_middle_east": True,
        "deck": Deck.WITH_WILDS,
        "wilds": 2,
        "designs": None,
        "design_table": "parker",
        "stars": None,
        "missions_deck": MISSIONS,
        "objective_pool": OBJECTIVES,
        "objective_class": {},
    }
    return board_tables(board, **{**options, **changed})


def ring(size: int, extra: str = "") -> str:
    """A board of `size` territories in a ring."""
    head = 'format=1\n[board]\nid="ring"\nname="Ring"\nversion=1\n'
    head += '[[continent]]\nid="all"\nname="All"\nbonus=1\n'
    lands = (
        f'[[territory]]\nid="t{at}"\nname="Land {at}"\ncontinent="all"\n'
        f'neighbours=["t{(at + 1) % size}"]\n'
        for at in range(size)
    )
    return head + "".join(lands) + extra


class TestWorld:
    def test_counts(self) -> None:
        assert len(WORLD.territories) == 42
        assert len(WORLD.continents) == 6
        assert len(WORLD.borders) == len(WORLD.borders_under()) == 83
        assert WORLD.one_way == ()
        assert (WORLD.cities, WORLD.mission_fallback) == (15, 24)

    def test_anniversary_map_lacks_one_border(self) -> None:
        fewer = WORLD.borders_under(east_africa_middle_east=False)
        (lost,) = set(WORLD.borders) - set(fewer)
        assert {WORLD.territories[at].id for at in lost} == {"east_africa", "middle_east"}
        assert len(fewer) == 82

    def test_order_is_that_of_the_rulebook(self) -> None:
        ids = [territory.id for territory in WORLD.territories]
        assert [ids[at] for at in (0, 1, 8, 9, 15, 26, 37, 41)] == [
            "alaska",
            "northwest_territory",
            "eastern_united_states",
            "venezuela",
            "ukraine",
            "siberia",
            "kamchatka",
            "eastern_australia",
        ]

    def test_degrees(self) -> None:
        degrees = {t.id: len(t.neighbours) for t in WORLD.territories}
        assert degrees.items() >= DEGREES.items()
        assert Counter(degrees.values()) == {2: 4, 3: 13, 4: 13, 5: 5, 6: 7}

    def test_borders_between_continents(self) -> None:
        lands = WORLD.territories
        found = {
            frozenset({lands[a].id, lands[b].id})
            for a, b in WORLD.borders
            if lands[a].continent != lands[b].continent
        }
        assert found == {frozenset(pair.split()) for pair in CROSSING.split(",")}

    @pytest.mark.parametrize("name", CONTINENTS)
    def test_continent(self, name: str) -> None:
        """Rulebook 1.2; the bonuses are S001-36."""
        index = WORLD.continent_index(name)
        continent = WORLD.continents[index]
        inside = set(continent.territories)
        inner = [border for border in WORLD.borders if inside.issuperset(border)]
        rim = [at for at in inside if not inside.issuperset(WORLD.territories[at].neighbours)]
        found = (len(inside), continent.bonus, len(inner), len(rim))
        assert found == CONTINENTS[name]
        assert all(WORLD.territories[at].continent == index for at in inside)

    @pytest.mark.parametrize("table", ["parker", "domination"])
    def test_card_designs_are_fourteen_each(self, table: str) -> None:
        designs = Counter(territory.design(table) for territory in WORLD.territories)
        assert designs == {Design.INFANTRY: 14, Design.CAVALRY: 14, Design.ARTILLERY: 14}

    def test_design_tables_agree_on_thirteen(self) -> None:
        lands = WORLD.territories
        assert sum(land.design("parker") == land.design("domination") for land in lands) == 13
        assert WORLD.territories[WORLD.index("alberta")].design("parker") == Design.CAVALRY
        assert WORLD.territories[WORLD.index("alberta")].design("domination") == Design.INFANTRY
        assert WORLD.territories[0].design("nobody") is None

    def test_stars(self) -> None:
        """S001-41: two on every Asian card, one on the others."""
        asia = WORLD.continent_index("asia")
        assert sum(land.stars for land in WORLD.territories) == 54
        assert all((land.stars == 2) == (land.continent == asia) for land in WORLD.territories)

    def test_missions(self) -> None:
        named = [[WORLD.continents[at].id for at in m.continents] for m in WORLD.missions]
        assert tuple(mission.id for mission in WORLD.missions) == MISSIONS
        assert named[:6] == [
            ["asia", "south_america"],
            ["asia", "africa"],
            ["north_america", "africa"],
            ["north_america", "australia"],
            ["europe", "south_america"],
            ["europe", "australia"],
        ]
        assert [mission.third for mission in WORLD.missions[:6]] == [False] * 4 + [True] * 2
        assert [(m.count, m.minimum) for m in WORLD.missions[6:8]] == [(18, 2), (24, 1)]
        assert tuple(mission.colour for mission in WORLD.missions[8:]) == COLOURS

    def test_objectives(self) -> None:
        found = [(o.kind.name.lower(), o.count, o.major) for o in WORLD.objectives]
        assert tuple(objective.id for objective in WORLD.objectives) == OBJECTIVES
        assert found == [
            ("cities", 8, False),
            ("continent", 0, False),
            ("continent", 0, False),
            ("continent", 0, False),
            ("cities_in_turn", 4, False),
            ("enemy_capitals", 1, False),
            ("continents", 2, True),
            ("territories_in_turn", 10, True),
            ("cities", 11, True),
            ("enemy_capitals", 2, True),
            ("continent_in_turn", 0, True),
            ("territories", 18, True),
        ]
        wanted = [WORLD.continents[o.continent].id for o in WORLD.objectives[1:4]]
        assert wanted == ["europe", "north_america", "asia"]

    def test_drawing_shows_this_board(self) -> None:
        drawn = WORLD.geometry()
        assert [land["id"] for land in drawn["territories"]] == [t.id for t in WORLD.territories]
        assert len(drawn["lanes"]) == 25
        assert drawn["credit"] in WORLD.credit


class TestSkerries:
    def test_counts(self) -> None:
        sizes = [len(continent.territories) for continent in SKERRIES.continents]
        assert (len(SKERRIES.territories), sizes) == (12, [4, 3, 3, 2])
        assert len(SKERRIES.borders) == 17
        designs = Counter(land.design("parker") for land in SKERRIES.territories)
        assert set(designs.values()) == {4}
        assert len(SKERRIES.geometry()["lanes"]) == 4

    def test_every_mission_and_objective_of_the_presets_is_there(self) -> None:
        assert tuple(mission.id for mission in SKERRIES.missions) == MISSIONS
        assert tuple(objective.id for objective in SKERRIES.objectives) == OBJECTIVES
        assert [m.kind for m in SKERRIES.missions] == [m.kind for m in WORLD.missions]
        kinds = [(o.kind, o.major) for o in WORLD.objectives]
        assert [(o.kind, o.major) for o in SKERRIES.objectives] == kinds


class TestBundled:
    def test_names(self) -> None:
        assert bundled_boards() == ("skerries", "world")
        assert [Board.load(name).id for name in bundled_boards()] == ["skerries", "world"]

    @pytest.mark.parametrize("board", BOTH)
    def test_same_board_from_its_file(self, board: Board) -> None:
        assert board.path is not None
        assert Board.load(board.path) == Board.load(str(board.path)) == board
        assert Board.parse(board.path.read_text()) == board
        assert hash(Board.parse(board.path.read_text())) == hash(board)

    def test_boards_are_told_apart(self) -> None:
        assert WORLD != SKERRIES
        assert repr(SKERRIES) == "<Board skerries 1: 12 territories>"


class TestNames:
    @pytest.mark.parametrize(
        ("typed", "meant"),
        [
            ("kam", "kamchatka"),
            ("KAMCHATKA", "kamchatka"),
            ("west eur", "western_europe"),
            ("ala", "alaska"),
            ("e aus", "eastern_australia"),
            ("w us", "western_united_states"),
            ("East-Africa", "east_africa"),
            ("eastafrica", "east_africa"),
            ("  east _africa ", "east_africa"),
            ("Russia", "ukraine"),
            ("eastern canada", "quebec"),
            ("Central Africa", "congo"),
            ("southeast asia", "siam"),
            ("mexico", "central_america"),
            ("Jakutien", "yakutsk"),
            ("gt britain", "great_britain"),
            ("Québec", "quebec"),
        ],
    )
    def test_territory(self, typed: str, meant: str) -> None:
        assert WORLD.territories[WORLD.index(typed)].id == meant

    @pytest.mark.parametrize(
        ("typed", "meant"),
        [("Oceania", "australia"), ("australasia", "australia"), ("NA", "north_america")],
    )
    def test_continent(self, typed: str, meant: str) -> None:
        assert WORLD.continents[WORLD.continent_index(typed)].id == meant

    @pytest.mark.parametrize("board", BOTH)
    def test_every_spelling(self, board: Board) -> None:
        for index, land in enumerate(board.territories):
            spellings = (land.id, land.name, land.name.upper(), *land.aliases)
            assert {board.index(text) for text in spellings} == {index}
        for index, continent in enumerate(board.continents):
            spellings = (continent.id, continent.name, *continent.aliases)
            assert {board.continent_index(text) for text in spellings} == {index}

    def test_unknown(self) -> None:
        with pytest.raises(RubiconError) as caught:
            WORLD.index("kamchatca")
        assert caught.value.code == "board/unknown-territory"
        assert "'kamchatca'" in caught.value.message
        assert caught.value.suggestion == "Did you mean Kamchatka?"

    def test_ambiguous(self) -> None:
        with pytest.raises(RubiconError) as caught:
            WORLD.index("central")
        assert caught.value.code == "board/ambiguous-territory"
        meant = "'central' may mean Central America or Congo (Central Africa)."
        assert caught.value.message == meant

    @pytest.mark.parametrize("typed", ["", " - ", "x" * 5000, "\0", "%$"])
    def test_nonsense(self, typed: str) -> None:
        with pytest.raises(RubiconError, match="has no territory") as caught:
            WORLD.index(typed)
        assert len(caught.value.message) < 120
        with pytest.raises(RubiconError, match="has no continent"):
            WORLD.continent_index(typed)

    def test_ambiguous_continent(self) -> None:
        with pytest.raises(RubiconError) as caught:
            WORLD.continent_index("a")
        assert caught.value.code == "board/ambiguous-continent"

    @given(typed=st.text(max_size=12))
    @settings(max_examples=40, deadline=None)
    def test_any_text_is_answered(self, typed: str) -> None:
        with suppress(RubiconError):
            assert 0 <= WORLD.index(typed) < 42


class TestBadBoards:
    def test_small_board_is_good(self) -> None:
        small = Board.parse(SMALL)
        assert small.borders == ((0, 1), (0, 2), (1, 2), (2, 3))
        assert small.title == "Small"
        assert [land.design("any") for land in small.territories] == [0, 1, 2, 0]

    @pytest.mark.parametrize("case", BAD)
    def test_problem_and_its_line(self, case: str) -> None:
        old, new, code, line = BAD[case]
        found = problems(SMALL.replace(old, new, 1))
        assert (line, f"board/{code}") in {problem[:2] for problem in found}

    def test_each_problem_alone(self) -> None:
        """A slip of the pen is one problem, not a rain of them."""
        for case in ("unknown neighbour", "unknown continent", "number in list", "three stars"):
            old, new, *_ = BAD[case]
            assert len(problems(SMALL.replace(old, new, 1))) == 1, case

    def test_all_at_once(self) -> None:
        text = SMALL.replace('["moor"]', '["mor"]', 1).replace("bonus = 1", "bonus = -1")
        text = text.replace('"Hill"', '"Reef"').replace('"land", "sea"', '"land", "see"')
        text = text.replace("version", "vresion") + 'colour = "pink"\n'
        found = [(problem.line, problem.code) for problem in problems(text)]
        assert found == [
            (2, "board/missing-field"),
            (5, "board/unknown-key"),
            (14, "board/bad-value"),
            (24, "board/unknown-neighbour"),
            (30, "board/duplicate-name"),
            (31, "board/duplicate-name"),
            (38, "board/unknown-continent"),
            (39, "board/bad-value"),
        ]

    def test_message_teaches(self) -> None:
        with pytest.raises(BoardError) as caught:
            Board.parse(SMALL.replace('["moor"]', '["mooor"]', 1))
        assert caught.value.code == "board/invalid"
        assert str(caught.value) == (
            "this text: 1 problem found in this board.\n  line 24: territory dale: "
            "there is no territory 'mooor'. Did you mean moor? [board/unknown-neighbour]"
        )

    def test_every_territory_needs_every_design_table(self) -> None:
        lands = ('a = "cavalry", b = "cavalry"', 'b = "artillery"', 'a = "infantry"')
        text = SMALL.replace('name = "Reef"', 'name = "Reef"\ndesigns = "cavalry"')
        for name, designs in zip(("Hill", "Dale", "Moor"), lands, strict=True):
            text = text.replace(f'"{name}"', f'"{name}"\ndesigns = {{ {designs} }}')
        found = [(p.line, p.message.partition("design ")[2]) for p in problems(text)]
        assert found == [
            (24, "in a, this one has none."),
            (30, "in b, this one has none."),
        ]

    def test_limits(self) -> None:
        assert len(Board.parse(ring(128)).territories) == 128
        (problem,) = problems(ring(129))
        assert (problem.line, problem.code) == (10 + 128 * 5, "board/too-many")
        (few,) = problems("format=1\n" + ring(3)[9:].split("[[territory]]")[0])[-1:]
        assert few.code in ("board/too-few", "board/empty-continent")

    @pytest.mark.parametrize(("degree", "good"), [(24, True), (25, False)])
    def test_most_borders(self, degree: int, good: bool) -> None:
        others = ", ".join(f'"t{at}"' for at in range(1, degree + 1))
        text = ring(30).replace('neighbours=["t1"]', f"neighbours=[{others}]", 1)
        text = text.replace('neighbours=["t0"]', "")
        if good:
            assert len(Board.parse(text).territories[0].neighbours) == degree
        else:
            assert [(p.line, p.code) for p in problems(text)] == [(14, "board/too-many")]

    def test_most_continents(self) -> None:
        more = "".join(f'[[continent]]\nid="c{at}"\nname="C{at}"\nbonus=1\n' for at in range(32))
        assert problems(ring(3, more))[0].code == "board/too-many"

    def test_one_way_border(self) -> None:
        board = Board.parse(SMALL.replace('["moor"]', '["moor"]\none_way = ["reef"]', 1))
        assert board.one_way == ((1, 3),)
        record = tables(board, missions_deck=(), objective_pool=())
        assert (record.adjacent[1, 3], record.adjacent[3, 1]) == (1, 0)

    def test_other_ways_to_write_toml(self) -> None:
        text = SMALL.replace('["moor"]', "[\n  'moor', # [\n  \"mor\",\n]", 1)
        assert [(p.line, p.code) for p in problems(text)] == [(26, "board/unknown-neighbour")]
        text = SMALL.replace(
            '\n[[territory]]\nid = "reef"',
            '\n[territory.designs]\nx = "tank"\n[[territory]]\nid = "reef"',
        )
        assert (30, "board/unknown-design") in [problem[:2] for problem in problems(text)]
        inline = 'format = 1\nterritory = [{id = "a"}]\n'
        assert {p.code for p in problems(inline)} >= {"board/missing-field", "board/too-few"}

    def test_a_large_bad_board_is_answered_soon(self) -> None:
        words = ",".join(f'"w{at}"' for at in range(20_000))
        with pytest.raises(BoardError, match="and 19900 more") as caught:
            Board.parse(ring(128).replace('"t1"', words, 1))
        assert len(caught.value.problems) == 20_000


class TestFiles:
    def test_unknown_name(self) -> None:
        with pytest.raises(RubiconError, match="There is skerries or world, or a file") as caught:
            Board.load("wrold")
        assert caught.value.code == "board/unknown-board"

    @pytest.mark.parametrize("name", ["nowhere.toml", "no/where", "a\0b.toml", "x" * 5000 + "/"])
    def test_no_file(self, name: str) -> None:
        with pytest.raises(RubiconError) as caught:
            Board.load(name)
        assert caught.value.code in ("board/not-found", "board/unreadable")

    def test_folder(self, tmp_path: Path) -> None:
        with pytest.raises(RubiconError) as caught:
            Board.load(tmp_path)
        assert caught.value.code == "board/not-found"

    @pytest.mark.parametrize(
        ("content", "code"),
        [
            (b"format = 1\n\xff\xfe\x00", "board/not-text"),
            (b"#" * 300_000, "board/too-large"),
            (b"", "board/invalid"),
            (b"\x00\x01", "board/invalid"),
        ],
    )
    def test_garbage(self, tmp_path: Path, content: bytes, code: str) -> None:
        (tmp_path / "bad.toml").write_bytes(content)
        with pytest.raises(RubiconError, match=r"bad\.toml") as caught:
            Board.load(tmp_path / "bad.toml")
        assert caught.value.code == code

    def test_too_long_a_text(self) -> None:
        with pytest.raises(RubiconError, match="too long"):
            Board.parse("#" * 300_000)

    def test_byte_order_mark_and_line_ends(self, tmp_path: Path) -> None:
        path = tmp_path / "small.toml"
        path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
        assert Board.load(path) == Board.parse(SMALL)

    @pytest.mark.parametrize("drawing", [None, "{", "[]", '{"territories": [{"id": "hill"}]}'])
    def test_bad_drawing(self, tmp_path: Path, drawing: str | None) -> None:
        path = tmp_path / "small.toml"
        path.write_text(SMALL.replace("version = 1", 'version = 1\ngeometry = "x.json"'))
        if drawing is not None:
            (tmp_path / "x.json").write_text(drawing)
        with pytest.raises(RubiconError) as caught:
            Board.load(path).geometry()
        assert caught.value.code == "board/bad-geometry"


class TestAnyText:
    @staticmethod
    def answered(text: str) -> None:
        try:
            Board.parse(text)
        except RubiconError as error:
            last = text.count("\n") + 1
            found = error.problems if isinstance(error, BoardError) else ()
            assert all(1 <= problem.line <= last for problem in found)

    @given(data=st.data())
    @settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
    def test_mutated_board(self, data: st.DataObject) -> None:
        text = SMALL
        scraps = st.sampled_from(["", "\n", '"', "[", "]]", "= 1", "{", "'''", "#", ".", "moor"])
        for _ in range(data.draw(st.integers(1, 4))):
            start = data.draw(st.integers(0, len(text)))
            end = start + data.draw(st.integers(0, 20))
            text = text[:start] + data.draw(scraps | st.text(max_size=5)) + text[end:]
        self.answered(text)

    @given(data=st.data())
    @settings(max_examples=60, deadline=None)
    def test_mixed_values(self, data: st.DataObject) -> None:
        values = st.sampled_from(['"land"', "1", "[]", "[[1]]", "{}", "true", '["hill"]', "1e9"])
        lines = SMALL.split("\n")
        for at in data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=6)):
            key, equals, _ = lines[at].partition("=")
            lines[at] = key + equals + data.draw(values) if equals else lines[at]
        self.answered("\n".join(lines))


class TestTables:
    @pytest.mark.parametrize("board", BOTH)
    def test_borders(self, board: Board) -> None:
        record = tables(board)
        size = len(board.territories)
        assert record.dtype == BOARD_TABLES
        assert (record.territories, record.continents) == (size, len(board.continents))
        assert np.array_equal(record.adjacent, record.adjacent.T)
        assert record.adjacent.sum() == 2 * len(board.borders)
        for at, land in enumerate(board.territories):
            row = list(record.neighbour[at])
            assert row[: record.degree[at]] == list(land.neighbours)
            assert set(row[record.degree[at] :]) == {NO_NEIGHBOUR}
            assert all(low < high for low, high in pairwise(land.neighbours))
        assert not record.degree[size:].any()
        assert (record.neighbour[size:] == NO_NEIGHBOUR).all()

    def test_border_switched_off(self) -> None:
        record = tables(WORLD, east_africa_middle_east=False)
        east, middle = WORLD.index("east africa"), WORLD.index("middle east")
        assert record.adjacent.sum() == 2 * 82
        assert (record.degree[east], record.degree[middle]) == (5, 5)
        assert middle not in record.neighbour[east]

    def test_continents(self) -> None:
        record = tables(WORLD)
        assert list(record.continent_size[:7]) == [9, 4, 7, 6, 12, 4, 0]
        assert list(record.continent_bonus[:7]) == [5, 2, 5, 3, 7, 2, 0]
        assert list(record.continent[:42]) == [land.continent for land in WORLD.territories]
        for number in range(record.continents):
            held = np.flatnonzero(record.continent[:42] == number)
            first, last = record.continent_first[number], record.continent_last[number]
            assert (first, last) == (held[0], held[-1])

    def test_cards(self) -> None:
        record = tables(WORLD)
        assert record.cards == 44
        assert list(np.bincount(record.design[:44])) == [14, 14, 14, 2]
        assert list(record.design[42:44]) == [Design.WILD, Design.WILD]
        assert (record.stars.sum(), record.stars[42:].any()) == (54, False)
        assert record.design[0] == Design.INFANTRY
        assert tables(WORLD, design_table="domination").design[2] == Design.INFANTRY

    @pytest.mark.parametrize("deck", [Deck.PLAIN, Deck.STARS])
    def test_only_one_deck_has_wild_cards(self, deck: Deck) -> None:
        record = tables(WORLD, deck=deck)
        assert record.cards == 42
        assert not (record.design == Design.WILD).any()

    def test_custom_cards(self) -> None:
        designs = {land.name: "cavalry" for land in SKERRIES.territories}
        stars = {land.id: 2 for land in SKERRIES.territories}
        record = tables(SKERRIES, designs=designs, stars=stars)
        assert set(record.design[:12]) == {Design.CAVALRY}
        assert record.stars.sum() == 24

    def test_missions(self) -> None:
        record = tables(WORLD, missions_deck=("M01", "M14"))
        assert list(record.mission_in_deck) == [1] + [0] * 12 + [1]
        kinds = [MissionKind.CONTINENTS] * 6 + [MissionKind.TERRITORIES] * 2
        assert list(record.mission_kind) == kinds + [MissionKind.DESTROY] * 6
        assert (record.mission_first[0], record.mission_second[0]) == (4, 1)
        assert list(record.mission_third) == [0] * 4 + [1] * 2 + [0] * 8
        assert list(record.mission_colour[8:]) == [0, 1, 2, 3, 4, 5]
        assert (record.mission_count[6], record.mission_minimum[6]) == (18, 2)
        assert record.mission_fallback_count == 24

    def test_objectives(self) -> None:
        record = tables(WORLD, objective_pool=OBJECTIVES[1:], objective_class={"OB02": "major"})
        assert list(record.objective_in_pool) == [0] + [1] * 11
        assert list(record.objective_major) == [0, 1] + [0] * 4 + [1] * 6
        assert record.objective_kind[10] == ObjectiveKind.CONTINENT_IN_TURN
        assert list(record.objective_continent[:5]) == [0, 2, 0, 4, 0]
        assert record.objective_count[8] == 11

    def test_records_share_nothing(self) -> None:
        first, second = tables(WORLD), tables(WORLD)
        assert first.tobytes() == second.tobytes()
        first.adjacent[0, 1] = 0
        assert second.adjacent[0, 1] == 1

    @pytest.mark.parametrize(
        ("changed", "code"),
        [
            ({"design_table": "nobody"}, "unknown-design-table"),
            ({"designs": {"alaska": "cavalry"}}, "missing-design"),
            ({"designs": {"alaska": "wild"}}, "unknown-design"),
            ({"designs": {"atlantis": "cavalry"}}, "unknown-territory"),
            ({"stars": {"alaska": 1}}, "missing-stars"),
            ({"stars": {"alaska": 3}}, "bad-stars"),
            ({"wilds": 89}, "bad-wilds"),
            ({"wilds": -1}, "bad-wilds"),
            ({"missions_deck": ("M15",)}, "unknown-mission"),
            ({"objective_pool": ("OB13",)}, "unknown-objective"),
            ({"objective_class": {"OB13": "minor"}}, "unknown-objective"),
            ({"objective_class": {"OB01": "tiny"}}, "unknown-class"),
        ],
    )
    def test_what_cannot_be_had(self, changed: dict[str, Any], code: str) -> None:
        with pytest.raises(RubiconError) as caught:
            tables(WORLD, **changed)
        assert caught.value.code == f"board/{code}"

    def test_board_without_missions(self) -> None:
        board = Board.parse(ring(3))
        assert tables(board, missions_deck=(), objective_pool=()).cards == 5
        with pytest.raises(RubiconError, match="no missions at all"):
            tables(board, objective_pool=())


class TestDocumentation:
    text = (ROOT / "docs" / "boards.md").read_text(encoding="utf-8")

    def test_smallest_board_can_be_loaded(self) -> None:
        example = re.search(r"```toml\n(.*?)```", self.text, re.DOTALL)
        assert example is not None
        assert len(Board.parse(example[1]).borders) == 3

    def test_every_code_is_explained(self) -> None:
        codes = {f"`board/{code}`" for _, _, code, _ in BAD.values()}
        codes |= {f"`board/{code}`" for code in ("too-many", "too-few", "unknown-territory")}
        assert [code for code in sorted(codes) if code not in self.text] == []


@pytest.mark.parametrize("board", BOTH, ids=repr)
def test_every_name_of_a_board_is_there_in_german(board: Board) -> None:
    names = {continent.id: continent.names for continent in board.continents}
    names |= {territory.id: territory.names for territory in board.territories}
    assert [place for place, given in names.items() if "de" not in dict(given)] == []
    assert "de" in dict(board.names)
    for index, territory in enumerate(board.territories):
        assert board.index(dict(territory.names)["de"]) == index
    for index, continent in enumerate(board.continents):
        assert board.continent_index(dict(continent.names)["de"]) == index


def test_a_german_name_makes_no_english_abbreviation_ambiguous() -> None:
    assert WORLD.territories[WORLD.index("o")].id == "ontario"  # and not Ostafrika
    assert WORLD.territories[WORLD.index("ostaf")].id == "east_africa"
    with pytest.raises(RubiconError, match="may mean"):
        WORLD.index("ost")


def test_a_name_in_another_language_has_a_language_and_belongs_to_one_place() -> None:
    unknown = SMALL.replace('name = "Land"', 'name = "Land"\nnames = { German = "Land" }')
    assert "names must be a table of names by language" in problems(unknown)[0].message
    twice = SMALL.replace('name = "Dale"', 'name = "Dale"\nnames = { de = "Hill" }')
    assert "is already a name of" in problems(twice)[0].message
