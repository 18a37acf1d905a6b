"""The parts of the planner: features, value model, imagination, and its race of proposals."""

from typing import Any

import numpy as np
import pytest

from rubicon.engine.chance import generator
from rubicon.engine.codes import ActionKind, encode
from rubicon.engine.records import NEUTRAL, POSITION, SEATS, Phase
from rubicon.players.characters import PROPOSERS, TRAITS
from rubicon.players.planner import features as columns
from rubicon.players.planner.features import FEATURES, features
from rubicon.players.planner.search import (
    MOST_TO_TRY,
    claims_to_try,
    drop_those_behind,
    imagine,
    leader_of,
    stacks_to_try,
)
from rubicon.players.planner.value import LEARNED, WEIGHTS, win_chances
from rubicon.players.player import Player
from rubicon.rules.actions import Place
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.players.attack_position import attack_position

RED, BLUE, GREEN = 0, 1, 2


def rows_of(game: Game) -> Any:
    rows = np.ones((SEATS, FEATURES))
    features(game.position, game.rules, game.tables, rows)
    return rows


def chances_in(game: Game) -> Any:
    chances = np.ones(SEATS)
    rows = np.zeros((SEATS, FEATURES))
    win_chances(game.position, game.rules, game.tables, LEARNED[0], rows, chances)
    return chances


def action_code(kind: ActionKind, game: Game, territory: str) -> int:
    return int(encode(kind, game.territories.index(territory), 0, 0, 0))


def continent_of_red() -> Game:
    """Red holds Australia with 6 armies beyond its border, blue has Siam, green all else."""
    australia = {"indonesia": "red 3", "new_guinea": "red 1", "western_australia": "red 1"}
    return attack_position(
        {**australia, "eastern_australia": "red 1", "siam": "blue 9"}, elsewhere="green 2"
    )


def test_features_of_a_known_position() -> None:
    rows = rows_of(continent_of_red())
    all_armies = 1 + 6 + 9 + 2 * 37
    assert rows[RED, columns.ARMIES] == pytest.approx(6 / all_armies)
    assert rows[RED, columns.TERRITORIES] == pytest.approx(4 / 42)
    assert rows[RED, columns.BORDERS] == pytest.approx(1 / 4)
    assert rows[RED, columns.AT_BORDERS] == pytest.approx(3 / 6)
    assert rows[RED, columns.CONNECTED] == 1.0
    assert rows[BLUE, columns.STACK] == 1.0
    assert rows[RED, columns.PLAYING] == pytest.approx(3 / 6)
    assert rows[RED, columns.MOVES] == 1.0
    assert rows[GREEN, columns.WAITS] == pytest.approx(2 / 3)
    assert rows[BLUE, columns.BONUS] == 0.0 < rows[RED, columns.BONUS]


def test_rows_of_empty_seats_are_zeros() -> None:
    assert not rows_of(continent_of_red())[3:].any()


def test_a_seat_beside_a_stronger_one_is_in_danger() -> None:
    game = attack_position({"siam": "blue 1", "china": "red 2"}, elsewhere="green 6")
    weak = rows_of(game)[BLUE]
    assert weak[columns.DANGER] < 0.5, "red moves before it, with two armies"
    assert weak[columns.DANGER_LATER] > 0.9, "green stands beside it with a lot"
    game = attack_position({"siam": "blue 30", "china": "red 2"}, elsewhere="green 1")
    assert rows_of(game)[BLUE, columns.DANGER_LATER] < 0.1


def test_cards_make_a_seat_worth_eliminating() -> None:
    game = attack_position({"siam": "blue 1", "china": "red 40"}, elsewhere="green 3")
    without = rows_of(game)[RED]
    game.position.hand[BLUE] = 4
    worth = rows_of(game)[RED]
    assert without[columns.KILL] > 0.9
    assert without[columns.KILL_CARDS] == 0.0 < worth[columns.KILL_CARDS]


def test_whole_continents_are_broken_and_lost_by_chance() -> None:
    rows = rows_of(continent_of_red())
    assert rows[BLUE, columns.BREAKS] > rows[GREEN, columns.BREAKS] == 0.0, "green is not beside it"
    assert rows[RED, columns.LOSES] == pytest.approx(rows[BLUE, columns.BREAKS])
    safe = rows_of(attack_position({"siam": "blue 1"}, elsewhere="red 9"))
    assert safe[BLUE, columns.BREAKS] < 0.05 * rows[BLUE, columns.BREAKS]


def test_a_continent_that_is_nearly_held_is_completed_by_chance() -> None:
    lands = ("new_guinea", "western_australia", "eastern_australia")
    strong, weak = (
        rows_of(attack_position({"indonesia": "blue 3"} | dict.fromkeys(lands, f"red {armies}")))
        for armies in (6, 1)
    )
    assert strong[RED, columns.COMPLETES] > 0.05
    assert strong[RED, columns.COMPLETES] > 5 * weak[RED, columns.COMPLETES]


def test_neutral_territories_hold_back_and_can_be_taken() -> None:
    lands = {"indonesia": "green 2", "siam": "blue 9", "new_guinea": "red 4"}
    game = attack_position(lands, elsewhere="red 1")
    game.position.owner[game.territories.index("indonesia")] = NEUTRAL
    rows = rows_of(game)
    assert rows[RED, columns.NEUTRAL_ARMIES] == pytest.approx(2 / (2 + 9 + 4 + 39))
    assert rows[RED, columns.NEUTRAL_ARMIES] == rows[BLUE, columns.NEUTRAL_ARMIES]
    assert rows[BLUE, columns.NEUTRAL_OPENINGS] > rows[RED, columns.NEUTRAL_OPENINGS] > 0.0
    assert rows[RED, columns.BEHIND_NEUTRAL] == pytest.approx(2 / 40), "Australia, but for one"
    assert not rows_of(continent_of_red())[:, columns.NEUTRAL_ARMIES :].any()


def test_chances_sum_to_one_over_the_seats_that_play() -> None:
    chances = chances_in(continent_of_red())
    assert chances.sum() == pytest.approx(1.0)
    assert (chances[:3] > 0).all()
    assert not chances[3:].any()


def test_a_much_stronger_seat_has_the_better_chance() -> None:
    chances = chances_in(attack_position({"siam": "red 1"}, elsewhere="blue 5"))
    assert chances[BLUE] > 0.8
    assert chances[BLUE] > chances[RED]


def test_a_game_that_is_over_is_known() -> None:
    game = continent_of_red()
    game.position.phase, game.position.winner = Phase.OVER, GREEN
    assert chances_in(game).tolist() == [0, 0, 1, 0, 0, 0]


def test_the_weights_are_finite() -> None:
    assert all(np.isfinite(LEARNED[name]).all() for name in WEIGHTS.names or ())


def test_what_is_imagined_keeps_hands_and_board() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    position = game.position
    position.card[:] = -1
    position.card[:2] = RED
    position.hand[:3] = 2, 4, 1
    made = np.zeros(1, POSITION)
    made[0] = position
    imagine(made[0], game.rules, game.tables, RED, generator(5))
    held = [int((made[0].card[: game.tables.cards] == seat).sum()) for seat in range(3)]
    assert held == [2, 4, 1]
    assert made[0].card[:2].tolist() == [RED, RED]
    assert (made[0].owner == position.owner).all()
    assert (made[0].armies == position.armies).all()


def test_what_trails_is_dropped() -> None:
    found = np.array([[0.5, 0.6, 0.5, 0.6], [0.1, 0.2, 0.2, 0.1], [0.6, 0.5, 0.6, 0.5]])
    kept = np.ones(3, np.int8)
    agreed = drop_those_behind(found, 4, kept, np.array([7, 8, 7]), 2.0)
    assert kept.tolist() == [1, 0, 1]
    assert agreed, "both that are left propose the same"
    assert leader_of(found, 4, kept) in (0, 2)


def test_close_proposals_that_differ_go_on() -> None:
    found = np.array([[0.5, 0.6, 0.5, 0.6], [0.6, 0.5, 0.6, 0.5]])
    kept = np.ones(2, np.int8)
    assert not drop_those_behind(found, 4, kept, np.array([7, 8]), 2.0)
    assert kept.tolist() == [1, 1]


def test_a_claim_is_tried_in_each_continent() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    game.position.phase, game.position.chance, seat = Phase.CLAIM, 0, RED
    game.position.owner[game.territories.index("china")] = seat
    actions = np.zeros(MOST_TO_TRY, np.int64)
    usual = action_code(ActionKind.CLAIM, game, "japan")
    count = claims_to_try(game.position, game.rules, game.tables, seat, usual, actions)
    assert count == len(set(actions[:count].tolist())) == game.tables.continents + 1
    assert actions[0] == usual
    beside_china = ("india", "siam", "mongolia", "siberia", "ural", "afghanistan")
    assert set(actions[:count].tolist()) & {
        action_code(ActionKind.CLAIM, game, name) for name in beside_china
    }


def test_a_stack_is_tried_on_each_border() -> None:
    lands = {"siam": "red 1", "indonesia": "red 1", "new_guinea": "red 1", "japan": "green 1"}
    game = attack_position(lands)
    game.position.owner[game.territories.index("mongolia")] = NEUTRAL
    game.position.owner[game.territories.index("kamchatka")] = NEUTRAL
    actions = np.zeros(MOST_TO_TRY, np.int64)
    usual = action_code(ActionKind.PLACE, game, "indonesia")
    count = stacks_to_try(game.position, game.tables, GREEN, usual, actions)
    assert actions[:count].tolist() == [usual], "japan has neutral neighbours alone"
    count = stacks_to_try(game.position, game.tables, RED, usual, actions)
    borders = [game.territories.index(name) for name in ("siam", "indonesia", "new_guinea")]
    wanted = {int(encode(ActionKind.PLACE, t, 0, 0, 1)) for t in borders}
    assert set(actions[1:count].tolist()) == wanted


def test_starting_armies_follow_a_stack_and_neutral_ones_do_not() -> None:
    game = Game.new(Ruleset.load("two-player"), 2)
    rng, places = generator(3), []
    while game.phase != Phase.PLACE or game.position.round_number > 0:
        game.settle(game.sample(rng))
    seat = game.seat(game.actors[0])
    own = [t for t in range(game.tables.territories) if game.position.owner[t] == seat]
    bots = {colour: Player("hunter", colour) for colour in game.colours}
    bots[game.colours[seat]].memory.stacked = 1 + own[-1]
    while game.phase == Phase.PLACE:
        colour = game.actors[0]
        action = bots[colour].decide(game)
        if colour == game.colours[seat]:
            assert isinstance(action, Place)
            places.append(game.territories.index(action.territory))
        game.play(action)
    neutral = [t for t in places if game.position.owner[t] == NEUTRAL]
    assert set(places) - set(neutral) == {own[-1]}
    assert len(places) - len(neutral) == 2 * len(neutral)


def test_a_stack_is_taken_where_it_comes_out_better() -> None:
    """The planner places otherwise than the usual character, now and then."""
    changed = 0
    for seed in (3, 4, 5):
        game, rng = Game.new(Ruleset.load("two-player"), 2), generator(seed)
        while game.pending is not None:
            game.settle(game.sample(rng))
        seat = game.actors[0]
        planner, usual = Player("expert", seat, seed=1), Player("hunter", seat, seed=1)
        for _ in range(4):
            while game.actors[0] != seat:
                game.play(Player("hunter", game.actors[0]).decide(game))
            action = planner.decide(game)
            changed += action != usual.decide(game)
            assert planner.memory.stacked == 0, "only minds in which games are played on stack"
            game.play(action)
    assert changed > 0


def test_proposers_differ() -> None:
    for proposers in PROPOSERS:
        assert len({one.tobytes() for one in proposers}) == len(proposers)
    assert PROPOSERS.dtype == TRAITS
