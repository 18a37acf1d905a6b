"""What decisions gave away: clear losses only, the same each time, from what the seat saw."""

import numpy as np

from rubicon.engine.codes import ActionKind, encode
from rubicon.engine.records import HIDDEN, CardPlace, Phase
from rubicon.players.review.decisions import DOUBT, SMALL, Decisions, same_action
from rubicon.rules.game import Game
from tests.players.review.reviewed_game import finished_game, review


def first_of(decisions: Decisions, phase: Phase) -> int:
    return next(entry for entry in decisions.codes if decisions.positions[entry].phase == phase)


def test_a_loss_counts_where_it_is_clear() -> None:
    judged = review().judged
    assert any(one.loss > 0.0 for one in judged)
    for one in judged:
        gain = one.better_chance - one.chance
        assert (one.better is not None) == (gain > max(SMALL, DOUBT * one.error))
        assert one.loss == (gain if one.better is not None else 0.0)


def test_the_better_action_was_legal() -> None:
    game = finished_game()
    found = [one for one in review().judged if one.better is not None]
    assert found
    for one in found:
        there = Game.from_position(game.ruleset, game.positions[one.entry])
        assert there.refusal(str(one.better)) is None
        assert str(one.better) != str(game.history[one.entry])


def test_a_decision_is_judged_the_same_each_time() -> None:
    entry = first_of(Decisions(finished_game()), Phase.ATTACK)
    found = [Decisions(finished_game()).screen_one(entry, 8) for _ in "ab"]
    assert found[0] == found[1]


def test_hidden_cards_change_no_judgement() -> None:
    """Other hands are shuffled in the position: the view and so the judgement stay the same."""
    game = finished_game()
    decisions = Decisions(game)
    entry = max(decisions.codes, key=lambda one: int(game.positions[one].hand.sum()))
    screened = decisions.screen_one(entry, 8)
    before = decisions.positions[entry]
    seat = int(before.turn)
    cards = before.card
    hidden = [c for c in range(len(game.cards)) if cards[c] <= CardPlace.PILE and cards[c] != seat]
    assert len({cards[c] for c in hidden}) > 1
    places = [cards[c] for c in hidden]
    changed = before.copy()
    changed.card[hidden] = places[1:] + places[:1]
    decisions.positions = tuple(
        changed if number == entry else position
        for number, position in enumerate(decisions.positions)
    )
    assert decisions.screen_one(entry, 8) == screened
    assert HIDDEN not in places


def test_the_set_up_is_not_judged() -> None:
    decisions = Decisions(finished_game())
    assert all(decisions.positions[entry].round_number > 0 for entry in decisions.codes)


def test_an_attack_with_other_dice_is_the_same_attack() -> None:
    attack = encode(ActionKind.ATTACK, 3, 4, 0, 3)
    assert same_action(attack) == same_action(encode(ActionKind.ATTACK, 3, 4, 1, 0))
    assert same_action(attack) != same_action(encode(ActionKind.ATTACK, 3, 5, 0, 3))
    place = encode(ActionKind.PLACE, 3, 0, 0, 2)
    assert same_action(place) != same_action(encode(ActionKind.PLACE, 3, 0, 0, 3))


def test_what_the_proposers_would_all_do_is_no_mistake() -> None:
    decisions = Decisions(finished_game())
    agreed = [entry for entry in decisions.codes if decisions.screen_one(entry, 1) is None]
    assert agreed
    assert not {one.entry for one in review().judged} & set(agreed)
    assert np.isfinite([one.error for one in review().judged]).all()
