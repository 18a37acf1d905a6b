"""How the seats played, counted from the events of the game."""

from collections import Counter

import pytest

from rubicon.rules.event_diff import Transition, step_events
from rubicon.rules.events import Captured, Eliminated, Rolled
from tests.players.review.reviewed_game import finished_game, review


def test_the_counts_are_those_of_the_events() -> None:
    game = finished_game()
    positions = (*game.positions, game.position)
    rolls: Counter[str] = Counter()
    captures: Counter[str] = Counter()
    out: Counter[str] = Counter()
    for number, entry in enumerate(game.history):
        step = Transition(game.ruleset, game.ids, positions[number], positions[number + 1], entry)
        for event in step_events(step):
            if isinstance(event, Rolled):
                rolls[event.attacker] += 1
            if isinstance(event, Captured):
                captures[event.seat] += 1
            if isinstance(event, Eliminated):
                out[event.by] += 1
    for colour, account in zip(game.colours, review().seats, strict=True):
        style = account.style
        assert style.rolls_a_turn * style.turns == pytest.approx(rolls[colour])
        assert style.captures_a_turn * style.turns == pytest.approx(captures[colour])
        assert style.eliminations == out[colour]


def test_turns_and_hands_are_counted() -> None:
    game = finished_game()
    assert sum(one.style.turns for one in review().seats) == len(review().curve.turns)
    for seat, account in enumerate(review().seats):
        own = [turn.first for turn in review().curve.turns if turn.seat == seat]
        hands = [int(game.positions[entry].hand[seat]) for entry in own]
        assert account.style.cards == pytest.approx(sum(hands) / len(hands))
