"""SVGs and histograms."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.odds.battle import battle, exact_battle
from rubicon.odds.campaign import campaign, parse_targets
from rubicon.odds.plot import HEIGHT, WIDTH, bars, battle_svg, campaign_svg, percent, shared_bars
from rubicon.odds.rule import DiceRule, Stop

CLASSIC = DiceRule.of("classic")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(("attack", "defend"), [(2, 1), (10, 7), (40, 3), (2, 40), (1000, 1000)])
@pytest.mark.parametrize("stop", [Stop(), Stop(left=2), Stop(left=3000)])
def test_a_battle_stays_on_the_page(attack: int, defend: int, stop: Stop) -> None:
    root = ElementTree.fromstring(battle_svg(battle(attack, defend, CLASSIC, stop)))
    found = root.findall(f".//{SVG}rect")
    assert len(found) > 1
    for part in found:
        x, y, width, height = (float(part.get(name, "0")) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + width <= WIDTH
        assert 0 <= y <= y + height <= HEIGHT


def test_captions_do_not_overlap() -> None:
    for attack, defend in ((3, 1), (1000, 1000), (2, 40)):
        root = ElementTree.fromstring(battle_svg(battle(attack, defend, CLASSIC)))
        centres = [
            float(text.get("x", "0"))
            for text in root.findall(f"{SVG}text")
            if (text.text or "").startswith("armies left")
        ]
        assert centres == sorted(centres)
        assert len(centres) < 2 or centres[1] - centres[0] > 180


def test_fractions_can_be_drawn() -> None:
    drawn = battle_svg(battle(6, 5, CLASSIC))
    assert battle_svg(exact_battle(6, 5, CLASSIC)) == drawn
    assert "50.6 %" in drawn


def test_a_campaign_has_a_row_for_each_territory() -> None:
    drawn = campaign_svg(campaign(20, parse_targets("3,5(2)(4,1)"), CLASSIC))
    root = ElementTree.fromstring(drawn)
    assert len(root.findall(f"{SVG}rect[@class='won']")) == 5
    assert "prefers-color-scheme: dark" in drawn


@given(st.dictionaries(st.integers(0, 500), st.floats(0, 1), max_size=80), st.integers(1, 30))
def test_bars_hold_everything(chances: dict[int, float], most: int) -> None:
    found = bars(chances, most)
    assert len(found) <= most
    assert sum(bar.chance for bar in found) == pytest.approx(sum(chances.values()))
    for before, after in pairwise(found):
        assert before.high < after.low


def test_bars_are_shared_by_width() -> None:
    wide, narrow = shared_bars([dict.fromkeys(range(30), 0.03), {1: 0.1}], 20)
    assert len(wide) > 10
    assert len(narrow) == 1
    assert shared_bars([{}, {3: 1.0}], 10)[0] == []


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.7264, "72.6 %"),
        (0.99991, "99.99 %"),
        (0.00012, "0.01 %"),
        (1e-9, "under 0.0001 %"),
        (1 - 1e-12, "over 99.9999 %"),
    ],
)
def test_percentages_are_0_or_100_only_exactly(chance: float, text: str) -> None:
    assert percent(chance) == text
