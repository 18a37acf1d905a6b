"""The words and the chart of a review."""

import pytest

from rubicon.cli.review import percent, points
from rubicon.cli.terminal.summary import bar
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller

TELLER = Storyteller(
    Names(places={"alaska": "Alaska", "northwest_territory": "Northwest Territory"})
)


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (
            "attack northwest_territory -> alaska dice 3",
            "red attacks Alaska from Northwest Territory",
        ),
        ("occupy 1", "red moves 1 army into Alaska"),
        ("end attack", "red stops attacking"),
        ("end turn", "red ends the turn"),
        ("trade alaska wild1 ural", "red trades Alaska, a wild card and ural"),
        ("trade alaska ural siam on alaska", "red trades Alaska, ural and siam"),
        ("trade", "red trades cards"),
        ("resign red", "red resigns"),
        ("place northwest_territory 4", "red places 4 armies on Northwest Territory"),
    ],
)  # fmt: skip
def test_actions_are_told_in_words(action: str, sentence: str) -> None:
    assert TELLER.decision("red", action, "Alaska") == sentence


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("attack northwest_territory -> alaska dice 3", "attack Alaska from Northwest Territory"),
        ("occupy 39", "move 39 armies in"),
        ("place northwest_territory 1", "place 1 army on Northwest Territory"),
        ("fortify alaska -> ural 4", "move 4 armies from Alaska to ural"),
        ("trade alaska ural siam", "trade Alaska, ural and siam"),
        ("end attack", "stop attacking"),
        ("end turn", "end the turn"),
        ("objective africa", "claim the objective africa"),
        ("decline", "decline"),
    ],
)  # fmt: skip
def test_what_is_better_is_told_in_words(action: str, words: str) -> None:
    assert TELLER.advice(action) == words


def test_a_bar_is_as_high_as_its_chance() -> None:
    bars = "".join(bar(share / 8) for share in range(9))
    assert bars == " ▁▂▃▄▅▆▇█"
    assert bar(0.006) == "▁"


def test_nothing_is_called_certain_that_is_not() -> None:
    assert [percent(one) for one in (0.0, 0.001, 0.256, 0.999, 1.0)] == [
        "0 %", "under 1 %", "26 %", "over 99 %", "100 %",
    ]  # fmt: skip
    assert (points(0.123), points(-0.02), points(-0.001)) == ("+12", "-2", "+0")
