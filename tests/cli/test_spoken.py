"""`--plain` in sentences: a screen reader can read every line on its own."""

from __future__ import annotations

import re

import pytest

from rubicon.cli.terminal.console import ASCII, UNICODE
from rubicon.cli.terminal.narration import Narration, attack_line, in_short, is_attack
from rubicon.cli.terminal.status import border_sentences, continent_sentences, turn_sentences
from rubicon.rules.actions import Roll
from rubicon.rules.events import Awarded, Drew, Rolled
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import Storyteller
from rubicon.telling.turns import BattleRolls
from tests.cli.at_terminal import rubicon

PLAIN = ("--plain", "--seed", "3", "--setup", "quick")


def test_a_turn_begins_with_sentences_and_draws_nothing() -> None:
    _, printed = rubicon(*PLAIN, typed="quit\n")
    told = " ".join(printed.partition("Round 1, reinforce.")[2].split())
    assert told.startswith("You are red. You have 35 armies in 14 territories, 4 to place")
    assert "Blue medium: 38 armies in 14 territories" in told
    assert "all of South America" in told
    assert "Your borders, the strongest enemies first:" in told
    assert "12 more. `borders` lists all" in told
    assert not re.search(r"---|\w   +\w", printed)


def test_borders_continents_and_the_whole_map_can_be_asked_for() -> None:
    _, printed = rubicon(*PLAIN, typed="borders\nmap europe\nmap\nmap NAf\nquit\n")
    told = " ".join(printed.split())
    assert "Iceland, 2 armies: Greenland green 1, Great Britain green 1." in told
    assert told.count("Europe, 5 armies for all of it: Iceland red 2") == 2
    assert told.count("Australia, 2 armies for all of it:") == 1
    assert "North Africa (blue 1) borders on:" in told


def test_an_unknown_place_is_refused_as_before() -> None:
    _, printed = rubicon(*PLAIN, typed="map atlantis\nquit\n")
    assert "atlantis" in printed
    assert "[board/unknown-territory]" in printed


def test_hidden_armies_and_free_territories_are_told_as_such() -> None:
    game = Game.new(Ruleset.load("classic"))
    view = game.view("red")
    assert "Alaska free" in continent_sentences(game, view, 0)[0]
    assert border_sentences(game, view, 0) == ["None of your territories borders on an enemy."]
    assert turn_sentences(game, view, 0)[1].startswith("You have 0 armies in 0 territories")


@pytest.mark.parametrize("symbols", [UNICODE, ASCII])
@pytest.mark.parametrize(
    ("captured", "short"),
    [(0, "red Ukraine {} N Europe {}1 {}1"), (4, "red takes N Europe {}1 {}1")],
)
def test_an_attack_has_a_short_form_for_narrow_places(
    symbols: object, captured: int, short: str
) -> None:
    chosen = UNICODE if symbols is UNICODE else ASCII
    names = Names(places={"ukraine": "Ukraine", "northern_europe": "Northern Europe"})
    roll = Roll((6, 4, 2), (4, 4))
    battle = BattleRolls.of(Rolled("red", "blue", "ukraine", "northern_europe", roll, 1, 1))
    battle.taken, battle.moved = bool(captured), captured
    signs = [chosen.minus] * 2 if captured else [chosen.arrow, *[chosen.minus] * 2]
    (line,) = attack_line(battle, Storyteller(names), chosen).rows(None)
    assert "6 4 2 v 4 4" in line
    assert is_attack(line)
    assert in_short(line) == short.format(*signs)


def test_other_lines_of_the_story_stay_but_for_the_items_of_an_award() -> None:
    narration = Narration(UNICODE, {})
    narration.add(Drew("blue", None))
    narration.add(Awarded("red", 4, 0, 0, 0))
    drew, award = narration.take()
    assert (drew, in_short(drew)) == ("blue draws a card", "blue draws a card")
    assert award == "red receives 4 armies: territories 4, continents 0"
    assert in_short(award) == "red receives 4 armies"
    assert not is_attack(award)
