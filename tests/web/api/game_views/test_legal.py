"""Ranges of legal actions need no text to be read, and a decision says what it is about."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import get_args

import pytest

from rubicon.engine.chance import generator
from rubicon.engine.records import Phase
from rubicon.rules.actions import Attack, DefendWith, Fortify, Place, StandingOrder
from rubicon.rules.game import Game
from rubicon.rules.notation.json_format import ACTIONS, action_from_json
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from rubicon.web.api.decisions import ActionKindName, DecisionView, decision_view, range_view
from rubicon.web.api.position import Seen
from tests.web.api.game_views.scenes import at_phase, played


@pytest.mark.parametrize("preset", preset_names())
def test_a_range_holds_its_actions_as_json(preset: str) -> None:
    game = played(preset, 150, players=2 if preset.startswith("two") else 3)
    while game.awaits_chance:
        game.settle(_first(game))
    colour = game.actors[0]
    ranges = game.legal_for(colour).ranges + game.out_of_turn_for(colour).ranges
    assert ranges
    for one in ranges:
        told = range_view(one)
        assert action_from_json(told["action"]) == one.lowest
        assert (told["lowest"], told["highest"]) == (str(one.lowest), str(one.highest))
        if told["number"] is not None and told["least"] is not None and told["most"] is not None:
            assert told["most"] - told["least"] + 1 == told["size"]
            highest = told["action"] | {told["number"]: told["most"]}
            assert action_from_json(highest) == one.highest
        if isinstance(one.lowest, Attack | Fortify):
            assert (told["source"], told["target"]) == (one.lowest.source, one.lowest.target)
        if isinstance(one.lowest, Place):
            assert told["target"] == one.lowest.territory
        if isinstance(one.lowest, StandingOrder):
            assert told["values"] == ["none", "1", "2", "max"]
            assert len(told["values"]) == told["size"]


def _first(game: Game) -> str:
    pending = game.pending
    assert pending is not None
    if pending.things:
        return f"pick {pending.things[0]}"
    if pending.seats:
        return "dice " + " ".join("123456"[: len(pending.seats)])
    return " ".join("6" * pending.attack_dice) + " v " + " ".join("1" * pending.defence_dice)


def test_out_of_turn_actions_are_apart() -> None:
    game = played("classic", 150)
    while game.awaits_chance:
        game.settle(_first(game))
    colour = game.actors[0]
    decisions = set(game.legal_for(colour))
    others = set(game.out_of_turn_for(colour))
    assert decisions
    assert not decisions & others
    assert decisions | others == set(game.legal_for(colour, with_out_of_turn=True))


def test_ranges_can_be_read_page_by_page() -> None:
    game = at_phase("classic", Phase.FORTIFY)
    legal = game.legal
    pages = [legal.ranges_between(at, at + 2) for at in range(0, legal.range_count, 2)]
    assert tuple(each for page in pages for each in page) == legal.ranges


def asked_of(game: Game) -> DecisionView:
    """What the acting seat is told of its decision."""
    return decision_view(Seen.by(game, game.actors[0]))


def test_a_defender_sees_the_exact_odds_of_each_number_of_dice() -> None:
    game = Game.new(
        Ruleset.load("classic").with_options({"dice.announce": "attacker_then_defender"}), 3
    )
    game = _attacked(game)
    told = asked_of(game)
    assert told["kind"] == "defend"
    assert told["battle"] is not None
    dice = told["battle"]["attack_dice"]
    assert dice is not None
    target = game.ruleset.board.territories[int(game.position.attack_target)].name
    assert told["title"] == f"Defend {target} against {dice} {'die' if dice == 1 else 'dice'}"
    choices = [action.dice for action in game.legal if isinstance(action, DefendWith)]
    assert [choice["dice"] for choice in told["choices"]] == choices
    for choice in told["choices"]:
        expected = by_hand(dice, choice["dice"])
        found = {
            (one["attacker_loses"], one["defender_loses"]): one["chance"]
            for one in choice["outcomes"]
        }
        assert found == pytest.approx({key: float(value) for key, value in expected.items()})
    assert told["hold"] is not None
    assert 0 < told["hold"] < 1


def by_hand(attack: int, defence: int) -> dict[tuple[int, int], Fraction]:
    """The losses of one roll, by counting every roll."""
    found: dict[tuple[int, int], Fraction] = {}
    for faces in product(range(1, 7), repeat=attack + defence):
        pairs = list(
            zip(
                sorted(faces[:attack], reverse=True),
                sorted(faces[attack:], reverse=True),
                strict=False,
            )
        )
        won = sum(mine > theirs for mine, theirs in pairs)
        key = len(pairs) - won, won
        found[key] = found.get(key, Fraction(0)) + Fraction(1, 6 ** (attack + defence))
    return found


def _attacked(game: Game) -> Game:
    """The same game when a defender must choose."""
    for colour in game.colours:
        game.play(f"standing {colour} all none")
    rng = generator(3)
    while game.phase != Phase.DEFEND:
        assert not game.over
        if game.awaits_chance:
            game.settle(game.sample(rng))
        else:
            game.play(game.legal.random(rng))
    return game


def test_an_occupation_says_how_many_may_move() -> None:
    told = asked_of(at_phase("classic", Phase.OCCUPY))
    assert (told["kind"], told["reason"]) == ("occupy", "")
    assert told["occupation"] is not None
    assert told["occupation"]["lowest"] <= told["occupation"]["highest"]


def test_a_forced_trade_says_why() -> None:
    for seed in range(1, 40):
        game = played("classic", 400, seed=seed)
        if game.awaits_chance or game.over or game.phase != Phase.REINFORCE:
            continue
        told = asked_of(game)
        cards = int(game.position.hand[game.seat(game.actors[0])])
        assert (told["kind"] == "trade") is (cards >= 5)
        if cards >= 5:
            assert told["reason"] == f"You hold {cards} cards: with 5 or more you must trade a set."
            return
    pytest.fail("no game with five cards was found")


def test_the_kinds_of_ranges_are_all_actions_there_are() -> None:
    assert set(get_args(ActionKindName)) == set(ACTIONS)
