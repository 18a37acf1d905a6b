"""A batch and the `Game` interface play the same games, and list the same legal actions."""

import numpy as np
import pytest

from rubicon.engine.chance import generator
from rubicon.engine.codes import NUMBER_SHIFT, encode
from rubicon.lab.batch import Batch
from rubicon.players.player import PLAYERS, Player
from rubicon.rules.actions import Action, action_of
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.lab.games import EVERY_RULESET, most_players, without_standing_orders

STEPS = 250
SEED = 11


def actions_of(rows: np.ndarray, names: Game) -> set[Action]:
    """Every action of the ranges of one game."""
    made = set()
    for kind, a, b, c, low, high in rows.tolist():
        code = int(encode(kind, a, b, c, 0))
        made |= {action_of(code | n << NUMBER_SHIFT, names) for n in range(low, high + 1)}
    return made


def settle(game: Game, dice: object) -> None:
    while game.awaits_chance:
        game.settle(game.sample(dice))  # type: ignore[arg-type]


def check_listed(batch: Batch, game: Game, number: int) -> None:
    """The batch lists what the game lists, for the seat that decides first."""
    colour = game.actors[0]
    assert game.colours[int(batch.seats[number])] == colour
    for aside in (False, True):
        legal = batch.legal(with_out_of_turn=aside)
        rows = legal.rows[number, : legal.counts[number]]
        listed = game.legal_for(colour, with_out_of_turn=aside)
        assert len(rows) == listed.range_count
        assert (legal.rows[number, legal.counts[number] :] == -1).all()
        assert actions_of(rows, game) == set(listed)


@pytest.mark.parametrize(("preset", "board"), EVERY_RULESET)
def test_every_position_and_every_legal_action(preset: str, board: str | None, full: bool) -> None:
    ruleset = Ruleset.load(preset, board=board)
    first = without_standing_orders(ruleset, most_players(ruleset))
    batch = Batch(ruleset, games=2, seed=SEED, start=first.position, restart=False)
    games = [first.copy(), first.copy()]
    dice = [generator(SEED), generator(SEED + 1)]
    listed = 0
    for step in range(2000 if full else STEPS):
        for number, game in enumerate(games):
            settle(game, dice[number])
            assert batch.positions[number].tobytes() == game.position.tobytes()
            assert game.over == (batch.seats[number] == -1)
            if not game.over and step % 7 == number:
                check_listed(batch, game, number)
                listed += 1
        actions = batch.random_actions()
        for number, game in enumerate(games):
            if not game.over:
                game.play(action_of(int(actions[number]), game))
        batch.step(actions)
    assert listed > 20


def test_the_game_after_the_next_has_dice_of_its_own() -> None:
    ruleset = Ruleset.load("classic", {"game.round_limit": "1"}, board="skerries")
    batch = Batch(ruleset, 3, games=1, seed=SEED)
    while batch.episodes[0] < 2:
        batch.step(batch.random_actions())
    game = Game.new(ruleset, 3)
    settle(game, generator(SEED + 2 * 2**40))
    assert batch.positions[0].tobytes() == game.position.tobytes()


@pytest.mark.parametrize("bot", PLAYERS)
@pytest.mark.parametrize("preset", ["classic", "secret-mission", "revised", "email"])
def test_a_bot_decides_as_a_player_does(preset: str, bot: str) -> None:
    """The bot of a batch is `Player`: the same views, the same random numbers."""
    ruleset = Ruleset.load(preset, board="skerries")
    first = without_standing_orders(ruleset, 3)
    batch = Batch(ruleset, games=1, seed=SEED, start=first.position, bots=(None, bot, None))
    game, dice = first.copy(), generator(SEED)
    player = Player(bot, game.colours[1], seed=SEED ^ (2**64 - 1))
    decided = 0
    while decided < 200:
        settle(game, dice)
        while game.actors[:1] == (player.seat,):
            game.play(player.decide(game))
            settle(game, dice)
            decided += 1
        if not game.actors or batch.ended[0]:
            break
        assert batch.positions[0].tobytes() == game.position.tobytes()
        actions = batch.random_actions()
        game.play(action_of(int(actions[0]), game))
        batch.step(actions)
    assert decided > 20
