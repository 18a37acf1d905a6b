"""Mistyped lines, and the words on the screen."""

from __future__ import annotations

import re

import pytest

from rubicon.cli.terminal.board import short_name
from rubicon.cli.terminal.commands import help_lines
from rubicon.cli.terminal.console import UNICODE, make_output
from rubicon.cli.terminal.narration import Narration
from rubicon.cli.terminal.opening import LONGEST_NAME, open_session, read_seats
from rubicon.cli.terminal.prompt import CommandLoop
from rubicon.cli.terminal.status import TOGETHER, listed, prompt_word
from rubicon.engine.records import Phase
from rubicon.rules.actions import Roll
from rubicon.rules.events import (
    Captured,
    Decided,
    Discarded,
    Drew,
    Rolled,
    SpoilsTaken,
    Traded,
)
from tests.cli.at_terminal import CHOOSE, Printed, rubicon
from tests.cli.bot_keyboard import options


def test_where_a_capital_is_due_it_is_called_so() -> None:
    typed = "claim alaska\ncapital alaska\nquit\n"
    _, printed = rubicon("revised", "--setup", "book", "--seed", "1", typed=typed)
    assert "R  found a capital" in printed
    assert "red capital 30> claim alaska" in printed
    assert "Write: capital alaska" in printed
    after = printed.partition("red makes Alaska its capital")[2]
    assert "R  claim a territory" in after
    assert "red claim 29> quit" in after


@pytest.mark.parametrize("count", ["-1", "x", "0", "5 5"])
def test_only_a_number_of_lines_is_accepted(count: str) -> None:
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed=f"log {count}\nquit\n")
    assert "[orders/bad-number]" in printed or "[orders/extra-words]" in printed


def test_the_log_is_as_long_as_it_is_asked_for() -> None:
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed="log 2\nlog 999\nquit\n")
    short, _, long = printed.partition("log 2\n")[2].partition("log 999\n")
    assert short.count("are dealt") == 1
    assert "first dice" not in short
    assert "first dice" in long


@pytest.mark.parametrize("line", ["pl brazil -1", "pl brazil 2.5", "occ +3", "fort a > b 1,5"])
def test_an_odd_number_is_not_taken_for_a_name(line: str) -> None:
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed=f"{line}\nquit\n")
    said = printed.partition(f"> {line}\n")[2]
    assert "[orders/" in said
    assert "red places" not in said


def test_names_of_people_are_as_long_as_promised() -> None:
    longest = "x" * LONGEST_NAME
    names = [chair.name for chair in read_seats(f"me:{longest},me:{longest},me:Ann,me:Ann", ())]
    assert len(set(names)) == 4
    assert max(map(len, names)) == LONGEST_NAME


def test_names_on_the_map_stay_names() -> None:
    assert short_name("Western United States", 17, UNICODE) == "W United States"
    assert short_name("Western United States", 12, UNICODE) == "W US"
    assert short_name("Great Britain", 12, UNICODE) == "Gt Britain"
    assert short_name("Great Britain", 13, UNICODE) == "Great Britain"


def test_what_is_held_is_listed_whole_or_counted() -> None:
    held = ["North America", "South America", "Europe", "Africa", "Asia"]
    assert listed(held[:2], 40) == "North America, South America"
    assert listed(held, 40) == "N America, S America, Europe and 2 more"
    assert listed(held[:2], 24) == "N America, S America"
    assert listed(held, 3) == "5 of them"


def test_dice_stay_together_in_a_line() -> None:
    narration = Narration(UNICODE, {})
    for roll in (Roll((6, 3, 1), (5, 5)), Roll((6, 1, 1), (4, 3)), Roll((6, 4, 2), (3,))):
        narration.add(Rolled("blue", "green", "alberta", "northwest_territory", roll, 1, 1))
    narration.add(Captured("blue", "northwest_territory", "green"))
    narration.add(Decided("blue", "occupy 5"))
    lines = narration.take()
    assert "\N{NO-BREAK SPACE}" not in "".join(lines)
    assert any("6 4 2 v 3" in line for line in lines)
    assert any("5 move in" in line for line in lines)


def test_the_story_has_the_names_of_territories_and_not_their_ids() -> None:
    names = {"new_guinea": f"New{TOGETHER}Guinea", "siam": "Siam"}
    narration = Narration(UNICODE, names)
    narration.add(Decided("red", "place new_guinea 3"))
    narration.add(Traded("red", ("new_guinea", "siam", "wild1"), 6, ("siam",)))
    narration.add(Drew("red", "new_guinea"))
    narration.add(SpoilsTaken("red", "blue", ("siam", "new_guinea"), ()))
    narration.add(Discarded("new_guinea", 2))
    narration.add(Decided("red", "fortify siam -> new_guinea 2"))
    assert narration.take() == [
        "red places 3 armies on New Guinea",
        "red trades New Guinea, Siam and a wild card for 6 armies and 2 on Siam",
        "red draws the card New Guinea",
        "red takes the cards of blue: Siam and New Guinea",
        "2 armies above the cap are lost on New Guinea",
        "red moves 2 armies from Siam to New Guinea",
    ]


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("claim siam", "red claims Siam"),
        ("place siam 1", "red places 1 army on Siam"),
        ("place siam 1200", "red places 1,200 armies on Siam"),
        ("objective control_asia", "red claims the objective control_asia"),
        ("objective x airfield siam", "red claims the objective x and puts the airfield on Siam"),
        ("resign red", "red resigns"),
        ("reveal red", "red shows its mission"),
    ],
)
def test_decisions_are_told_in_sentences(action: str, sentence: str) -> None:
    narration = Narration(UNICODE, {"siam": "Siam"})
    narration.add(Decided("red", action))
    assert narration.take() == [sentence]


def test_legal_lists_the_names_of_territories() -> None:
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed="legal\nquit\n")
    listed = printed.partition("> legal")[2].partition("> quit")[0]
    assert "East Africa" in listed
    assert "east_africa" not in listed


def test_an_advance_is_asked_for_by_the_word_that_gives_it() -> None:
    assert prompt_word(Phase.OCCUPY) == "advance"
    assert prompt_word(Phase.FORTIFY) == "fortify"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("brazil", "Brazil is a territory. Write: deploy 21 TERRITORY"),
        ("brazil ten", "[orders/unknown-order]"),
        ("3 brazl", "Did you mean Brazil"),
        ("frobnicate", "HELP lists the orders."),
    ],
)
def test_a_territory_without_a_verb_is_recognised(typed: str, told: str) -> None:
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed=f"{typed}\nquit\n")
    assert told in " ".join(printed.split())


def test_the_rest_goes_to_a_territory_without_a_verb() -> None:
    _, printed = rubicon(*CHOOSE, "--seed", "4", typed="brazil 20; rest egypt\nquit\n")
    assert "red places 1 army on Egypt" in printed


def test_help_finds_a_word_inside_the_texts() -> None:
    assert [text.partition(" ")[0] for text in help_lines("until")] == ["attack"]
    assert help_lines("zz") == ["There is no word 'zz'. `help` lists all words."]


def test_a_free_territory_is_nobodys() -> None:
    typed = "map alaska\nquit\n"
    _, printed = rubicon("--setup", "book", "--seed", "1", typed=typed)
    assert "(nobody's)" in printed
    assert "nobody 0" not in printed


def test_end_while_territories_are_claimed_says_so() -> None:
    _, printed = rubicon("--setup", "book", "--seed", "1", typed="end\nquit\n")
    assert "Claim a territory now" in " ".join(printed.split())


@pytest.mark.parametrize(
    ("typed", "draft"),
    [
        ("dep 3 brazl", "DEPLOY 3 brazil"),
        ("dep 3 xyzzyx", "dep 3 xyzzyx"),
        ("frobnicate", ""),
        ("atack", ""),
    ],
)
def test_the_next_prompt_has_the_corrected_line(typed: str, draft: str) -> None:
    session = open_session(options("classic", "me,greedy,greedy"))
    session.output = make_output(plain=True, stream=Printed())
    loop = CommandLoop(session)
    loop.commands.colour = session.advance() or ""
    loop.obey(typed)
    assert loop.keyboard.draft == draft


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("defend max", "From now on as many dice as possible will defend your territories."),
        ("defend 1 brazil", "From now on 1 die will defend Brazil."),
        ("defend ask", "From now on you are asked for the dice that defend your territories."),
    ],
)
def test_a_standing_order_is_confirmed(typed: str, told: str) -> None:
    _, printed = rubicon("--setup", "quick", "--seed", "4", typed=f"{typed}\nquit\n")
    assert told in " ".join(printed.split())


@pytest.mark.parametrize("typed", ["att", "att fennick", "fort", "deploy", "deploy x fennick"])
def test_no_hint_names_a_territory_of_another_board(typed: str) -> None:
    arguments = ("--board", "skerries", "--setup", "quick", "--seed", "4")
    _, printed = rubicon(*arguments, typed=f"{typed}\nquit\n")
    assert "[orders/" in printed
    assert not re.search("alaska|kamchatka|ural", printed, re.IGNORECASE)
