"""`Game` checks every step for the seat that takes it, and reveals nothing to other seats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rubicon.engine.attack import attack
from rubicon.engine.chance import generator
from rubicon.engine.legal_actions import ROOM
from rubicon.engine.ownership import change_owner
from rubicon.engine.records import NEUTRAL, Phase, RewardKind, RewardPlace, Standing
from rubicon.errors import RubiconError
from rubicon.rules import legal
from rubicon.rules.actions import EndAttack, Pick, Place, Resign, RevealMission, Seal, StandingOrder
from rubicon.rules.game import Game
from rubicon.rules.refusals import Refused
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.engine import invariants


def in_phase(ruleset: Ruleset, phase: Phase, players: int = 3, seed: int = 1) -> Game:
    """A random game that has come to a phase with a pending decision."""
    rng = generator(seed)
    game = Game.new(ruleset, players)
    while game.phase != phase or game.pending is not None:
        if game.pending is not None:
            game.settle(game.sample(rng))
        else:
            game.play(game.legal.random(rng))
    return game


def refused(game: Game, action: Any, seat: str) -> str:
    """The code with which `play` refuses; the game is unchanged."""
    before = invariants.picture(game)
    with pytest.raises(Refused) as error:
        game.play(action, seat=seat)
    again = game.refusal(action, seat=seat)
    assert again is not None
    assert (again.code, str(again)) == (error.value.code, str(error.value))
    assert invariants.picture(game) == before
    return error.value.code


def test_only_the_seat_to_move_decides() -> None:
    game = in_phase(Ruleset.load("classic"), Phase.REINFORCE)
    (mine,) = game.actors
    others = [colour for colour in game.colours if colour != mine]
    place = game.legal_for(mine)[0]
    assert [refused(game, place, other) for other in others] == ["seat/not-your-turn"] * 2
    assert refused(game, EndAttack(), others[0]) == "seat/not-your-turn"
    assert refused(game, EndAttack(), mine) == "place/armies-left"
    assert game.refusal(place, seat=mine) is None
    game.play(place, seat=mine)


def test_a_seat_acts_for_itself_only() -> None:
    game = in_phase(Ruleset.load("secret-mission"), Phase.REINFORCE)
    other = next(colour for colour in game.colours if colour not in game.actors)
    for theirs in (Resign(game.actors[0]), RevealMission(game.actors[0])):
        assert refused(game, theirs, other) == "seat/not-yours"
    order = StandingOrder(other, None, Standing.ONE)
    assert refused(game, order, game.actors[0]) == "seat/not-yours"
    game.play(order, seat=other)
    game.play(Resign(other), seat=other)
    assert refused(game, order, other) == "seat/not-playing"


def test_a_refusal_does_not_reveal_sealed_armies() -> None:
    ruleset = Ruleset.load("classic", {"setup.place": "all_at_once"})
    game = in_phase(ruleset, Phase.SEALED)
    other, owner = game.colours[:2]
    territory = game.territories[game.position.owner[:].tolist().index(1)]
    waiting = int(game.position.unplaced[1])
    for armies in (waiting, waiting + 1):
        assert refused(game, Place(territory, armies), other) == "territory/not-yours"
    assert refused(game, Seal(owner), other) == "seat/not-yours"
    assert refused(game, Place(territory, waiting + 1), owner) == "place/too-many"


def test_a_public_reason_is_given_to_every_seat() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    assert refused(game, EndAttack(), "red") == "game/chance-owed"
    game = in_phase(Ruleset.load("classic"), Phase.REINFORCE)
    for colour in game.colours[:2]:
        game.play(Resign(colour), seat=colour)
    assert game.over
    assert refused(game, EndAttack(), game.colours[0]) == "game/over"


def test_an_unknown_seat_is_refused() -> None:
    game = in_phase(Ruleset.load("classic"), Phase.REINFORCE)
    with pytest.raises(RubiconError) as error:
        game.refusal(EndAttack(), seat="mauve")
    assert error.value.code == "seat/unknown"


def test_a_refused_undo_does_not_name_the_card_drawn() -> None:
    game, rng = in_phase(Ruleset.load("classic"), Phase.ATTACK), generator(2)
    while not (game.history and isinstance(game.history[-1], Pick) and game.turn):
        game.settle(game.sample(rng)) if game.pending else game.play(game.legal.random(rng))
    with pytest.raises(RubiconError) as error:
        game.undo()
    assert error.value.code == "undo/chance"
    assert str(game.history[-1]) not in str(error.value)


def test_a_reward_on_an_objective_does_not_help_neutral_armies() -> None:
    """RW6: the extra die is its owner's; an unclaimed token helps no seat."""
    game = in_phase(Ruleset.load("revised"), Phase.ATTACK)
    rules: Any = game.rules
    token = rules.reward_kind.tolist().index(RewardKind.DEFENCE_DIE)
    position = game.position
    assert position.reward[token] == RewardPlace.ON_OBJECTIVE
    source = next(t for t in range(len(game.territories)) if position.owner[t] == position.turn)
    target = int(game.tables.neighbour[source, 0])
    change_owner(position, target, NEUTRAL)
    position.armies[source] = position.armies[target] = 5
    attack(position, rules, game.tables, source, target, 3, 0)
    assert position.defence_extra == 0
    assert position.defence_plus == 0


def test_no_range_is_dropped_where_the_room_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand of the whole deck fills nearly all the room of a buffer; a larger deck, more."""
    ruleset = Ruleset.load("classic", {"cards.forced": "none", "cards.two_wilds_ok": "true"})
    game = in_phase(ruleset, Phase.REINFORCE)
    position, seat = game.position, int(game.position.turn)
    for t in range(1, len(game.territories)):
        change_owner(position, t, seat)
    position.card[: len(game.cards)] = seat
    position.hand[:] = 0
    position.hand[seat] = len(game.cards)
    position.pile = position.discards = 0
    rows = game.legal._rows
    assert ROOM * 3 // 4 < len(rows) < ROOM
    assert len(np.unique(rows, axis=0)) == len(rows)
    monkeypatch.setattr(legal, "FIRST_ROOM", 100)
    assert np.array_equal(game.legal._rows, rows)
