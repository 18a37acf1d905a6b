"""Three ways to set up a game at the terminal: quick, choose, by the book."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from rubicon.cli.terminal.display.output import Output
from rubicon.cli.terminal.keyboard import Keyboard
from rubicon.cli.terminal.options import BOOK, CHOOSE, QUICK, SETUPS
from rubicon.rules.board.board import Board
from rubicon.rules.ruleset.errors import RulesetError

if TYPE_CHECKING:
    from rubicon.rules.ruleset.ruleset import Ruleset

CLAIM, PLACE, ARMIES, NEUTRAL = "setup.claim", "setup.place", "setup.armies", "neutral.armies"
QUESTION = """\
How do you want to begin?
  1  quick   Territories are dealt and armies placed for you; you play at once.
  2  choose  Territories are dealt; you place your armies.
  3  book    By the book: you claim territories and place armies in turn."""
PROMPT = "1, 2 or 3 (Enter is 1): "


def with_setup(ruleset: Ruleset, way: str, *, stated: Collection[str]) -> Ruleset:
    """The ruleset set up in one of the three ways; `stated` options stay as they are.

    On a board smaller than the world every way begins with fewer armies.
    """
    ruleset = with_fewer_armies(ruleset, stated)
    if way != BOOK and ruleset.option_text(CLAIM) == "draft" and CLAIM not in stated:
        ruleset = if_possible(ruleset, {CLAIM: "random"})
    if way == CHOOSE and ruleset.option_text(PLACE) == "one_each_round" and PLACE not in stated:
        ruleset = if_possible(ruleset, {PLACE: "all_at_once"})
    return ruleset


def if_possible(ruleset: Ruleset, changes: dict[str, object]) -> Ruleset:
    """The ruleset with the changes; without them where its other options exclude them.

    Capitals, for example, are founded by a player's first claim, so they need a draft.
    """
    try:
        return ruleset.with_options(changes)
    except RulesetError:
        return ruleset


def with_fewer_armies(ruleset: Ruleset, stated: Collection[str]) -> Ruleset:
    """Starting armies in proportion to the board; the preset's numbers are for the world.

    Every player gets at least one army more than territories.
    """
    here, world = len(ruleset.board.territories), len(Board.load("world").territories)
    if here >= world:
        return ruleset
    changes: dict[str, object] = {}
    armies = ruleset.chosen.counts(ARMIES)
    if ARMIES not in stated:
        changes[ARMIES] = {
            players: max(round(int(count) * here / world), -(-here // int(players)) + 1)
            for players, count in armies.items()
        }
    if NEUTRAL not in stated and ruleset.option_text(CLAIM) == "deal_three_piles":
        neutral = int(ruleset.option_text(NEUTRAL))
        changes[NEUTRAL] = max(round(neutral * here / world), -(-here // 3) + 1)
    return if_possible(ruleset, changes)


def quick_note(ruleset: Ruleset) -> str:
    """What the quick set-up does differently from the book."""
    dealt = "Territories are dealt and " if ruleset.option_text(CLAIM) != "draft" else ""
    return (
        f"Quick set-up: {dealt}all armies are placed for you. "
        "`--setup choose` lets you place them, `--setup book` plays by the book."
    )


def ask_setup(keyboard: Keyboard, output: Output) -> str:
    """Ask a person which way to set up; EOFError or KeyboardInterrupt if they leave."""
    output.prose(QUESTION)
    answers = {"": QUICK} | {str(number): way for number, way in enumerate(SETUPS, 1)}
    while True:
        typed = keyboard.read(PROMPT).lower()
        begun = [way for way in SETUPS if typed and way.startswith(typed)]
        if way := answers.get(typed) or next(iter(begun), ""):
            return way
        output.line("Please type 1, 2 or 3.")
