"""What is typed in a game and cannot be meant, and how the screen says what is due."""

from __future__ import annotations

import pytest

from rubicon.cli.terminal.board_view import short_name
from rubicon.cli.terminal.paint import FANCY
from rubicon.cli.terminal.seats import LONGEST_NAME, read_seats
from rubicon.cli.terminal.status import listed
from rubicon.cli.terminal.story import Story
from rubicon.rules.events import Captured, Decided, Rolled
from rubicon.rules.outcomes import Roll
from tests.cli.at_terminal import QUICK, rubicon


def test_where_a_capital_is_due_it_is_called_so() -> None:
    _, printed = rubicon("revised", "--seed", "1", typed="claim alaska\ncapital alaska\nquit\n")
    assert "R  found a capital" in printed
    assert "red capital 30> claim alaska" in printed
    assert "  Write: capital alaska" in printed
    after = printed.partition("red: capital alaska")[2]
    assert "R  claim a territory" in after
    assert "red claim 29> quit" in after


@pytest.mark.parametrize("count", ["-1", "x", "0", "\u00b2", "5 5"])
def test_no_number_of_lines_is_refused(count: str) -> None:
    _, printed = rubicon(*QUICK, "--seed", "4", typed=f"log {count}\nquit\n")
    assert f"[play/bad-number] {count!r} is no number of lines." in printed


def test_the_log_is_as_long_as_it_is_asked_for() -> None:
    _, printed = rubicon(*QUICK, "--seed", "4", typed="log 002\nlog 99999999999\nquit\n")
    short, _, long = printed.partition("log 002")[2].partition("log 99999999999")
    assert short.count("are dealt") == 1
    assert "first dice" not in short
    assert "first dice" in long


@pytest.mark.parametrize("line", ["pl brazil -1", "pl brazil 2.5", "occ +3", "fort a > b 1,5"])
def test_an_odd_number_is_not_taken_for_a_name(line: str) -> None:
    _, printed = rubicon(*QUICK, "--seed", "4", typed=f"{line}\nquit\n")
    assert f"[play/bad-number] {line.rsplit(maxsplit=1)[-1]!r} is no number of armies" in printed


def test_names_of_people_are_as_long_as_promised() -> None:
    longest = "x" * LONGEST_NAME
    names = [chair.name for chair in read_seats(f"me:{longest},me:{longest},me:Ann,me:Ann", ())]
    assert len(set(names)) == 4
    assert max(map(len, names)) == LONGEST_NAME


def test_names_on_the_map_stay_names() -> None:
    assert short_name("Western United States", 17, FANCY) == "W United States"
    assert short_name("Western United States", 12, FANCY) == "W US"
    assert short_name("Great Britain", 12, FANCY) == "Gt Britain"
    assert short_name("Great Britain", 13, FANCY) == "Great Britain"


def test_what_is_held_is_listed_whole_or_counted() -> None:
    held = ["North America", "South America", "Europe", "Africa", "Asia"]
    assert listed(held[:2], 40) == "North America, South America"
    assert listed(held, 40) == "N America, S America, Europe and 2 more"
    assert listed(held[:2], 24) == "N America, S America"
    assert listed(held, 3) == "5 of them"


def test_dice_stay_together_in_a_line() -> None:
    story = Story(FANCY)
    for roll in (Roll((6, 3, 1), (5, 5)), Roll((6, 1, 1), (4, 3)), Roll((6, 4, 2), (3,))):
        story.hear(Rolled("blue", "green", "alberta", "northwest_territory", roll, 1, 1))
    story.hear(Captured("blue", "northwest_territory", "green"))
    story.hear(Decided("blue", "occupy 5"))
    lines = story.take()
    assert "\N{NO-BREAK SPACE}" not in "".join(lines)
    assert any("6 4 2 v 3" in line for line in lines)
    assert any("5 move in" in line for line in lines)
