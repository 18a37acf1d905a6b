"""Batches: the same games from the same seed, results, bots, and what is refused."""

from typing import Any

import numpy as np
import pytest

from rubicon.engine.chance import GENERATOR, generator
from rubicon.engine.records import DRAWN, POSITION, Phase
from rubicon.errors import RubiconError
from rubicon.lab.batch import Batch
from rubicon.lab.stepping import seed_generator
from rubicon.rules.actions import EndTurn, code_of
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.lab.games import pictures, random_steps, small_game


def test_the_same_seed_gives_the_same_games() -> None:
    made = [Batch(small_game(), 3, games=8, seed=4, bots=(None, "greedy", "random")) for _ in "ab"]
    first, second = ([actions.tolist() for actions in random_steps(one, 120)] for one in made)
    assert first == second
    assert pictures(made[0]) == pictures(made[1])
    assert len(set(pictures(made[0]))) == 8


@pytest.mark.parametrize("bots", [(), (None, "greedy", "random")])
def test_a_game_goes_the_same_way_in_a_batch_of_any_size(bots: Any) -> None:
    short = small_game(**{"game.round_limit": "2"})
    many = Batch(short, 3, games=40, seed=100, bots=bots)
    one = Batch(short, 3, games=1, seed=117, bots=bots)
    for actions in random_steps(many, 400):
        assert one.random_actions()[0] == actions[17]
        one.step(actions[17:18])
    assert pictures(one) == pictures(many)[17:18]
    assert one.episodes[0] == many.episodes[17]
    assert many.episodes.max() > 0


def test_actions_alone_decide_a_game() -> None:
    """Random actions come from a generator of their own: the games do not depend on asking."""
    drawn = Batch(small_game(), 3, games=3, seed=9, bots=(None, "random", "random"))
    actions = list(random_steps(drawn, 60))
    given = Batch(small_game(), 3, games=3, seed=9, bots=(None, "random", "random"))
    for one in actions:
        given.step(one)
    assert pictures(given) == pictures(drawn)


@pytest.mark.parametrize("seed", [0, 1, 7, 2**40, 2**64 - 1])
def test_a_generator_is_seeded_as_the_engine_does(seed: int) -> None:
    made = np.zeros(1, GENERATOR)
    with np.errstate(over="ignore"):
        seed_generator(made[0], np.uint64(seed))
    assert made[0] == generator(seed)


def test_a_win_counts_one_for_the_winner() -> None:
    batch = Batch(small_game("two-player"), games=16, seed=2, restart=False, bots=("greedy", None))
    for _ in random_steps(batch, 600):
        for number in np.flatnonzero(batch.ended):
            winner = int(batch.winners[number])
            if winner == -1:
                assert batch.rewards[number].sum() == 0
            else:
                assert batch.rewards[number].tolist() == [float(s == winner) for s in range(6)]
                assert batch.positions[number]["winner"] == winner
        assert not batch.rewards[batch.ended == 0].any()
    assert (batch.seats == -1).sum() > 8


def test_a_draw_is_shared_by_those_who_still_play() -> None:
    ruleset = small_game(**{"game.round_limit": "1", "game.limit_winner": "draw"})
    batch = Batch(ruleset, 4, games=4, seed=3, restart=False, bots=("random",) * 4)
    assert (batch.winners == DRAWN).all()
    for number, position in enumerate(batch.positions):
        playing = (position["status"] == 1)[:4]
        shares = np.where(playing, 1 / playing.sum(), 0)
        assert np.allclose(batch.rewards[number, :4], shares)


def test_a_game_is_cut_off_after_the_last_round() -> None:
    batch = Batch(small_game(), 3, games=4, seed=3, restart=False, round_cap=1)
    for _ in random_steps(batch, 2000):
        if (batch.seats == -1).all():
            break
    assert (batch.seats == -1).all()
    cut = batch.positions["phase"] != Phase.OVER
    assert cut.any()
    assert (batch.truncated <= cut).all()
    assert (batch.winners[cut] == -1).all()
    assert (batch.positions["round_number"][cut] == 2).all()


def test_a_game_without_learners_left_ends() -> None:
    batch = Batch(small_game(), 4, games=64, seed=3, bots=(None, "greedy", "greedy", "greedy"))
    left = 0
    for _ in random_steps(batch, 300):
        without = (batch.ended > 0) & (batch.winners == -1)
        assert not batch.truncated.any()
        assert not batch.rewards[without].any()
        left += int(without.sum())
    assert left > 0


def test_bots_alone_play_a_game_a_step() -> None:
    batch = Batch(small_game(), 3, games=5, bots=("greedy", "random", "random"))
    assert batch.ended.tolist() == [1] * 5
    for step in range(1, 4):
        batch.step(np.zeros(5, np.int64))
        assert batch.episodes.tolist() == [step] * 5
        assert (batch.rewards.sum(axis=1) == (batch.winners >= 0)).all()


def test_bots_of_each_game() -> None:
    seatings = [(None, "greedy", "greedy"), ("greedy", None, "random")] * 2
    batch = Batch(small_game(), 3, games=4, bots=seatings)
    for _ in random_steps(batch, 30):
        assert batch.seats.tolist() == [0, 1, 0, 1]


def test_games_can_be_started_again() -> None:
    batch = Batch(small_game(), 3, games=3, seed=5)
    for _ in random_steps(batch, 60):
        pass
    midway = pictures(batch)
    batch.start_again([1])
    assert batch.episodes.tolist() == [0, 1, 0]
    now = pictures(batch)
    assert (now[0], now[2]) == (midway[0], midway[2])
    assert now[1] != midway[1]


def test_games_start_from_a_position() -> None:
    game = Game.new(small_game(), 3)
    rng = generator(1)
    while len(game.history) < 60:
        game.settle(game.sample(rng)) if game.awaits_chance else game.play(game.legal.random(rng))
    while game.awaits_chance:
        game.settle(game.sample(rng))
    batch = Batch(small_game(), games=2, start=game.position)
    assert pictures(batch) == [game.position.tobytes()] * 2
    assert str(batch.game(1)) == str(game)


def test_views_share_the_memory_of_the_batch() -> None:
    batch = Batch(small_game(), 3, games=4)
    assert batch.positions.dtype == POSITION
    views = (batch.positions, batch.seats, batch.rewards, batch.winners, batch.episodes)
    before = [np.asarray(one).tobytes() for one in views]
    for _ in random_steps(batch, 600):
        pass
    assert [np.asarray(one).tobytes() for one in views] != before


def illegal(batch: Batch, actions: Any) -> RubiconError:
    before = pictures(batch)
    with pytest.raises(RubiconError) as caught:
        batch.step(actions)
    assert pictures(batch) == before
    return caught.value


def test_an_illegal_action_changes_no_game() -> None:
    ruleset = Ruleset.load("classic")
    batch = Batch(ruleset, 3, games=4, seed=1)
    actions = batch.random_actions()
    actions[2] = code_of(EndTurn(), batch.game(2).ids)
    error = illegal(batch, actions)
    assert error.code == "lab/illegal"
    assert "Game 2" in str(error)
    assert "end turn" in str(error)


@pytest.mark.parametrize("code", [31, -5, 2**62, 99 << 29, 0b11 << 40 | 7])
def test_a_number_that_is_no_action(code: int) -> None:
    batch = Batch(small_game(), 3, games=2)
    actions = batch.random_actions()
    actions[1] = code
    error = illegal(batch, actions)
    assert error.code == "lab/illegal"
    assert f"{code} is no action" in error.message


@pytest.mark.parametrize("actions", [[], [1], [[1, 2]], ["a", "b"], [1.5, 2.5], None])
def test_actions_are_one_number_for_each_game(actions: Any) -> None:
    assert illegal(Batch(small_game(), 3, games=2), actions).code == "lab/number"


@pytest.mark.parametrize(
    "bots", ["greedy", ("greedy",), ("gredy", None, None), [(None,) * 3] * 2, (1, 2, 3), 7]
)
def test_seatings_that_are_none(bots: Any) -> None:
    with pytest.raises(RubiconError) as caught:
        Batch(small_game(), 3, games=4, bots=bots)
    assert caught.value.code == "lab/bots"
    assert "greedy" in caught.value.suggestion


@pytest.mark.parametrize("wrong", [{"games": 0}, {"games": 1.5}, {"seed": "7"}, {"round_cap": -1}])
def test_numbers_that_are_none(wrong: Any) -> None:
    with pytest.raises(RubiconError) as caught:
        Batch(small_game(), 3, **wrong)
    assert caught.value.code == "lab/number"


@pytest.mark.parametrize("games", [[4], [-1], [0.5], 7])
def test_games_that_do_not_exist_are_not_started(games: Any) -> None:
    with pytest.raises(RubiconError) as caught:
        Batch(small_game(), 3, games=4).start_again(games)
    assert caught.value.code == "lab/number"


@pytest.mark.parametrize("seats", [3, [0, 1], [[0]] * 4])
def test_seats_that_do_not_exist_see_nothing(seats: Any) -> None:
    with pytest.raises(RubiconError) as caught:
        Batch(small_game(), 3, games=4).observe(seats)
    assert caught.value.code == "lab/number"


def test_games_start_again_with_other_seeds_and_bots() -> None:
    batch = Batch(small_game(), 3, games=4, seed=1)
    for _ in random_steps(batch, 50):
        pass
    batch.start_again(seed=30, bots=("greedy", None, "greedy"))
    fresh = Batch(small_game(), 3, games=4, seed=30, bots=("greedy", None, "greedy"))
    for actions in random_steps(fresh, 50):
        assert batch.random_actions().tolist() == actions.tolist()
        batch.step(actions)
    assert pictures(batch) == pictures(fresh)
