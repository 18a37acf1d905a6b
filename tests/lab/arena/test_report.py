"""The report of a match: one HTML file that needs no network."""

import re
from xml.etree import ElementTree

from rubicon.lab.arena.blocks import play_block
from rubicon.lab.arena.report import bars, lengths, report
from tests.lab.arena.matches import SMALL


def test_the_page_names_all_players_and_loads_nothing() -> None:
    page = report(SMALL, [play_block(SMALL, number) for number in range(2)])
    assert "6 games of classic" in page
    assert all(f"<td>{name}</td>" in page for name in SMALL.players)
    assert not re.findall(r"https?:|src=|href=|<script", page)


def test_every_plot_is_well_formed() -> None:
    page = report(SMALL, [play_block(SMALL, 0)])
    plots = re.findall(r"<svg.*?</svg>", page)
    assert len(plots) == 4
    assert [ElementTree.fromstring(plot).tag for plot in plots] == ["svg"] * 4


def test_bars_are_as_long_as_their_values() -> None:
    plot = ElementTree.fromstring(bars([("a<b", 0.5, ""), ("c", 0.25, "")]))
    long, short = (float(one.attrib["width"]) for one in plot.findall("rect"))
    assert long == 2 * short > 0


def test_lengths_count_every_game() -> None:
    rounds = [3, 3, 4, 40, 41, 17]
    assert sum(count for _, count, _ in lengths(rounds)) == len(rounds)
    assert lengths([5, 5]) == [("5", 2.0, "2")]
