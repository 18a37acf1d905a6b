"""Whole games of the scripted bots: legal, finished, repeatable, and won against greedy bots."""

import random
from typing import Any

import numpy as np
import pytest

from rubicon.engine.chance import generator
from rubicon.engine.legality import refusal
from rubicon.engine.records import Phase, Standing
from rubicon.players.characters import CHARACTERS
from rubicon.players.memory import (
    MEMORY,
    WORKINGS,
    empty_memory,
    memory_from_bytes,
    memory_to_bytes,
    remember,
)
from rubicon.players.player import PLAYERS, Player
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from tests.players.arena import Arena
from tests.players.recorded_games import moments

SCRIPTED = [one.name for one in CHARACTERS]
BOARDS = ("world", "skerries")
# Values that make other choices than the presets do where a bot has choices of its own.
VARIANTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("classic", {"elim.trade": "optional"}),
    ("classic", {"attack.truce": "3"}),
    ("classic", {"setup.place": "all_at_once", "dice.announce": "standing_order"}),
    ("classic", {"cards.territory_bonus_cap": "per_card", "cards.values": "fixed"}),
    ("classic", {"game.round_limit": "9", "fortify.reach": "connected_many"}),
    ("digest", {"elim.trade": "optional", "cards.values": "plus_one"}),
    ("revised", {"stars.trades_per_draft": "unlimited", "fortify.reach": "adjacent"}),
    ("email", {"continent.timing": "placed_end_of_own_turn"}),
)
ROUNDS = 150  # a game that is not over then never ends


def check_games(ruleset: Ruleset, games: int, seed: int) -> None:
    """Games of drawn bots, for every number of players: each decision is legal, each game ends."""
    drawn = random.Random(seed)
    rules, board = ruleset.rules, ruleset.tables
    for players in range(int(rules.players_min), int(rules.players_max) + 1):
        for number in range(games):
            bots = drawn.choices(SCRIPTED, k=players)
            if number % 4 == 3:  # bots of one kind may wait for each other
                bots = bots[:1] * players
            standing = drawn.choice([Standing.NONE, Standing.MAXIMUM])
            shown = f"{ruleset} {bots} {seed}"
            game = moments(ruleset, bots, drawn.randrange(10**6), rounds=ROUNDS, standing=standing)
            for moment in game:
                assert refusal(moment.position, rules, board, moment.action) == 0, shown
            assert moment.position.round_number < ROUNDS, shown


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("preset", preset_names())
def test_every_decision_is_legal_and_every_game_ends(preset: str, board: str, full: bool) -> None:
    check_games(Ruleset.load(preset, board=board), 200 if full else 2, seed=4)


@pytest.mark.parametrize(("preset", "options"), VARIANTS)
def test_other_options_are_played_too(preset: str, options: dict[str, str], full: bool) -> None:
    check_games(Ruleset.load(preset, options), 100 if full else 2, seed=8)


@pytest.mark.parametrize("bot", SCRIPTED)
def test_games_between_bots_of_one_kind_end(bot: str, full: bool) -> None:
    arena = Arena(Ruleset.load("classic"), seed=9)
    games = 500 if full else 10
    assert all(arena.play([bot] * 6, ROUNDS).phase == Phase.OVER for _ in range(games))


@pytest.mark.parametrize("values", ["escalating", "fixed"])
@pytest.mark.parametrize("bot", SCRIPTED)
def test_no_scripted_bot_loses_to_five_greedy_bots(bot: str, values: str, full: bool) -> None:
    """In each seat in turn; a sixth of the games would be a fair share."""
    arena = Arena(Ruleset.load("classic", {"cards.values": values}), seed=1)
    games = 1200 if full else 180
    wins = 0
    for number in range(games):
        bots = ["greedy"] * 6
        bots[number % 6] = bot
        wins += int(arena.play(bots).winner) == number % 6
    assert wins > games / 6


def test_the_same_seed_plays_the_same_game() -> None:
    bots = SCRIPTED[:6]
    ends = [Arena(Ruleset.load("classic"), seed=4).play(bots).tobytes() for _ in "ab"]
    assert ends[0] == ends[1]


def actions_of(preset: str, bots: list[str], seed: int, *, noise: bool) -> list[int]:
    """The actions of a game; with `noise`, each decision finds nonsense in the workings."""
    drawn = np.random.default_rng(seed)
    actions = []
    for moment in moments(Ruleset.load(preset), bots, seed, rounds=ROUNDS):
        actions.append(moment.action)
        work: Any = moment.memory.work
        for name in (WORKINGS.names or ()) if noise else ():
            if name != "plan":  # territories of older plans have lower numbers
                most = work["plan"] if name == "marked" else 9
                work[name] = drawn.integers(0, most, size=work[name].shape, endpoint=True)
    return actions


@pytest.mark.parametrize("preset", preset_names())
def test_what_is_left_in_the_workings_means_nothing(preset: str, full: bool) -> None:
    players = int(Ruleset.load(preset).rules.players_max)
    drawn = random.Random(7)
    for seed in range(100 if full else 3):
        bots = drawn.choices(SCRIPTED, k=players)
        plain = actions_of(preset, bots, seed, noise=False)
        assert actions_of(preset, bots, seed, noise=True) == plain, bots


def test_decisions_depend_on_view_and_memory_alone() -> None:
    """A second player, with the first one's memory as the server sends it, decides the same."""
    for preset in ("classic", "revised"):
        game = Game.new(Ruleset.load(preset), 4)
        rng = generator(3)
        first = {colour: Player("hunter", colour, seed=5) for colour in game.colours}
        decisions = 0
        while not game.over and decisions < 400:
            if game.pending is not None:
                game.settle(game.sample(rng))
                continue
            one = first[game.actors[0]]
            memory = memory_from_bytes(memory_to_bytes(one.memory))
            other = Player("hunter", one.seat, seed=5, memory=memory)
            other._rng = one._rng.copy()
            action = one.decide(game)
            assert other.decide(game) == action
            assert memory_to_bytes(other.memory) == memory_to_bytes(one.memory)
            game.play(action)
            decisions += 1


def test_a_bot_that_forgets_everything_still_plays_well() -> None:
    """As on a server that restarts before each decision."""
    wins, games = 0, 24
    for number in range(games):
        game = Game.new(Ruleset.load("classic"), 3)
        rng = generator(number)
        mine = game.colours[number % 3]
        while not game.over:
            if game.pending is not None:
                game.settle(game.sample(rng))
                continue
            seat = game.actors[0]
            bot = "hunter" if seat == mine else "greedy"
            game.play(Player(bot, seat, seed=len(game.history)).decide(game))
        wins += game.winner == mine
    assert wins > games / 3


def test_a_memory_keeps_who_has_taken_what() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    position = game.position
    position.owner[:42] = 1
    position.owner[:3] = 0
    position.round_number = 2
    memory = empty_memory()
    remember(memory, position, game.tables, 0)
    position.owner[1] = 2
    remember(memory, position, game.tables, 0)
    kept = memory_from_bytes(memory_to_bytes(memory))
    assert kept.taken[:3].tolist() == [0, 0, 1]
    assert memory_from_bytes(b"") == np.zeros(1, MEMORY)[0]


@pytest.mark.parametrize("bot", PLAYERS)
def test_every_bot_can_be_asked_for_by_name(bot: str) -> None:
    assert Player(bot, "red").name == bot
