"""The messages to a program: what they say is read back, and they tell no secrets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rubicon.engine.chance import generator
from rubicon.engine.records import HIDDEN, CardPlace, Phase
from rubicon.errors import RubiconError
from rubicon.players.player import Player
from rubicon.players.program import decide, hello, line_of, over, read_line
from rubicon.players.seating import game_of
from rubicon.players.view import View
from rubicon.rules.game import Game
from rubicon.rules.notation.actions import parse_action
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from tests.players.played import first_turn, player_count


def everything(game: Game, seat: str) -> bytes:
    """All that a program in this seat would be told at this moment."""
    view = View(game, seat)
    messages = (hello(game, seat, 7, 30.0), decide(view, 1, 30.0), over(game, seat))
    return b"".join(map(line_of, messages))


def other_secrets(game: Game, seat: str, rng: np.random.Generator) -> Game:
    """The same game, with other values wherever something is hidden from the seat."""
    other, view = game.copy(), game.view(seat)
    position: Any = other.position
    hidden = np.flatnonzero(np.asarray(view.card) == HIDDEN)
    position.card[hidden] = rng.permutation(np.asarray(position.card)[hidden])
    for number in range(game.size):
        if view.mission[number] == HIDDEN and position.mission[number] != HIDDEN:
            position.mission[number] = (position.mission[number] + 1) % 14
        if view.standing_all[number] == HIDDEN:
            position.standing_all[number] = rng.integers(0, 4)
        if view.capital[number] == HIDDEN and game.phase == Phase.HEADQUARTERS:
            position.capital[number] = rng.choice(np.flatnonzero(position.owner == number))
        if view.unplaced[number] == HIDDEN:
            position.unplaced[number] = rng.integers(0, 9)
    sealed = np.asarray(view.armies) == HIDDEN
    position.armies[sealed] = rng.integers(1, 9, sealed.sum())
    return other


@pytest.mark.parametrize("preset", preset_names())
def test_nothing_hidden_is_told(preset: str) -> None:
    """Games that differ in what is hidden from a seat give the same messages to it."""
    game = Game.new(Ruleset.load(preset), player_count(preset))
    dice, rng = generator(5), np.random.default_rng(5)
    bots = {seat: Player("greedy", seat, seed=5) for seat in game.seats}
    compared, differed = 0, 0
    while not game.over and game.position.round_number < 7:
        if game.pending is not None:
            game.settle(game.sample(dice))
            continue
        seat = game.actors[0]
        if len(game.history) % 5 == 0:
            other = other_secrets(game, seat, rng)
            assert everything(other, seat) == everything(game, seat)
            compared += 1
            differed += str(other) != str(game)
        game.play(bots[seat].decide(game))
    assert compared > 10
    assert differed > 5


def test_a_card_of_another_is_not_named() -> None:
    """What would make that test fail."""
    game = first_turn()
    seat = game.seat(game.actors[0])
    other = (seat + 1) % 3
    assert game.position.card[3] == CardPlace.PILE
    game.position.card[3] = other
    game.position.hand[other] += 1
    game.position.pile -= 1
    told, known = (decide(View(game, game.colours[who]), 1, 1.0) for who in (seat, other))
    assert told["view"]["cards"] == []
    assert told["view"]["seats"][game.colours[other]]["cards"] == 1
    assert "hand=" not in told["position"]
    assert known["view"]["cards"] == [game.cards[3]]
    assert f"hand={game.cards[3]}" in known["position"]


@pytest.mark.parametrize("preset", preset_names())
def test_a_question_is_read_back_exactly(preset: str) -> None:
    game = first_turn(preset)
    seat = game.actors[0]
    question = read_line(line_of(decide(View(game, seat), 3, 30.0)))
    assert game_of(question, seat).position.tobytes() == game.view(seat).tobytes()
    for one, legal in zip(question["legal"], game.legal_for(seat).ranges, strict=True):
        board = game.ruleset.board
        assert parse_action(one["lowest"], board, game.colours) == legal.lowest
        assert parse_action(one["highest"], board, game.colours) == legal.highest
        assert one["size"] == legal.size


def test_a_hello_has_the_board() -> None:
    game = Game.new(Ruleset.load("classic", {"cards.values": "fixed"}), 3)
    told = read_line(line_of(hello(game, "blue", 7, 30.0)))
    assert (told["seat"], told["seed"], told["ruleset"]) == ("blue", 7, "classic")
    assert told["options"] == {"cards.values": "fixed"}
    alaska = told["board"]["territories"]["alaska"]
    assert alaska["continent"] == "north_america"
    assert "kamchatka" in alaska["neighbours"]
    assert told["board"]["continents"]["north_america"]["bonus"] == 5
    assert len(told["board"]["territories"]) == 42


@pytest.mark.parametrize(
    "line", [b"\n", b"[]\n", b"7\n", b'{"a": 1}\n', b'{"kind": 1}\n', b"\xff\n"]
)
def test_a_line_that_is_no_message_is_refused(line: bytes) -> None:
    with pytest.raises(RubiconError) as caught:
        read_line(line)
    assert caught.value.code == "player/not-json"
