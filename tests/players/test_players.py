"""The bots: games end, nothing hidden is read, and the greedy player does what people expect."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rubicon.engine.chance import generator
from rubicon.engine.legal_actions import range_buffer
from rubicon.engine.records import HIDDEN, CardPlace, Phase, Standing, copy_position
from rubicon.errors import RubiconError
from rubicon.players.characters import NAMES
from rubicon.players.memory import memory_from_bytes, memory_to_bytes
from rubicon.players.player import PLAYERS, Player, choose
from rubicon.rules.actions import Action, Attack, EndAttack, Occupy, Trade
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from tests.conftest import FULL
from tests.players.arena import Arena
from tests.players.attack_position import attack_position

CAP = 500
GAMES = 1000  # of every preset, at full size


def player_counts(preset: str) -> range:
    rules = Ruleset.load(preset).rules
    return range(int(rules.players_min), int(rules.players_max) + 1)


def finished_share(
    ruleset: Ruleset, players: int, bot: str, games: int, seed: int, round_cap: int = CAP
) -> float:
    """Which part of so many games, all seats played by one bot, ends within `round_cap` rounds."""
    arena = Arena(ruleset, seed)
    ends = [arena.play([bot] * players, round_cap).phase for _ in range(games)]
    return ends.count(Phase.OVER) / games


EVERY_TABLE = [(preset, count) for preset in preset_names() for count in player_counts(preset)]


@pytest.mark.parametrize(("preset", "players"), EVERY_TABLE)
def test_greedy_games_end(preset: str, players: int, full: bool) -> None:
    games = GAMES if full else 8
    assert finished_share(Ruleset.load(preset), players, "greedy", games, seed=7) == 1.0


@pytest.mark.parametrize("preset", preset_names())
def test_greedy_games_end_on_a_small_board(preset: str, full: bool) -> None:
    ruleset = Ruleset.load(preset, board="skerries")
    players = max(player_counts(preset))
    assert finished_share(ruleset, players, "greedy", GAMES if full else 8, seed=11) == 1.0


@pytest.mark.parametrize("preset", preset_names())
def test_nearly_all_random_games_end(preset: str, full: bool) -> None:
    players = min(player_counts(preset))
    games = 200 if full else 4
    assert finished_share(Ruleset.load(preset), players, "random", games, 3, 1000) >= 0.95


@pytest.mark.parametrize("preset", ["classic", "secret-mission", "revised", "capital"])
def test_greedy_beats_random(preset: str, full: bool) -> None:
    arena = Arena(Ruleset.load(preset), seed=5)
    games = 300 if full else 30
    wins = 0
    for number in range(games):
        bots = ["random"] * 3
        bots[number % 3] = "greedy"
        wins += int(arena.play(bots).winner) == number % 3
    assert wins > 0.8 * games


def test_the_same_seed_plays_the_same_game() -> None:
    ends = [Arena(Ruleset.load("classic"), seed=4).play(["greedy"] * 3).tobytes() for _ in "ab"]
    assert ends[0] == ends[1]


def moments(
    preset: str, count: int, seed: int, bot: str = "greedy"
) -> Iterator[tuple[Game, Player]]:
    """A game as it stands whenever a bot is about to decide; greedy bots sit in every other seat.

    Alone, bots that attack only who has attacked them would never attack.
    """
    game = Game.new(Ruleset.load(preset), count, standing=Standing.NONE)
    rng = generator(seed)
    bots = {
        colour: Player(("greedy", bot)[number % 2], colour, seed=seed)
        for number, colour in enumerate(game.colours)
    }
    while not game.over and game.position.round_number < 12:
        if game.pending is not None:
            game.settle(game.sample(rng))
            continue
        player = bots[game.actors[0]]
        yield game, player
        game.play(player.decide(game))


@pytest.mark.parametrize("bot", PLAYERS)
@pytest.mark.parametrize("preset", preset_names())
def test_every_decision_is_legal(preset: str, bot: str) -> None:
    """`Game.play` refuses illegal actions; every preset."""
    assert sum(1 for _ in moments(preset, min(player_counts(preset)), 2, bot)) > 20


def with_noise(game: Game, seat: int, rng: Any) -> Any:
    """What a seat sees, with any other value wherever something is hidden."""
    view = game.view(game.colours[seat])
    others = [number for number in range(game.size) if number != seat]
    hidden = view.card == HIDDEN
    view.card[hidden] = rng.choice([*others, int(CardPlace.PILE)], hidden.sum())
    for name, most in (("standing", 4), ("standing_all", 4), ("mission_fallback", 2)):
        field = view[name]
        field[field == HIDDEN] = rng.integers(0, most, (field == HIDDEN).sum())
    for other in others:
        if view.mission[other] == HIDDEN and game.position.mission[other] != HIDDEN:
            view.mission[other] = rng.integers(0, 14)
        if view.unplaced[other] == HIDDEN:
            view.unplaced[other] = rng.integers(0, 30)
        if view.capital[other] == HIDDEN and game.phase == Phase.HEADQUARTERS:
            view.capital[other] = rng.choice(np.flatnonzero(game.position.owner == other))
    sealed = view.armies == HIDDEN
    view.armies[sealed] = rng.integers(1, 40, sealed.sum())
    if view.order_standing == HIDDEN:
        view.order_standing = rng.integers(0, 4)
    if view.attack_dice == HIDDEN:
        view.attack_dice = rng.integers(1, 4)
    return view


def decision(game: Game, view: Any, seat: int, player: Player) -> int:
    """What a player would decide; its own memory stays as it is."""
    memory = memory_from_bytes(memory_to_bytes(player.memory))
    with np.errstate(over="ignore"):
        return int(
            choose(
                NAMES[player.name],
                view,
                game.rules,
                game.tables,
                seat,
                memory,
                range_buffer(),
                generator(seat),
            )
        )


@pytest.mark.parametrize("bot", PLAYERS)
@pytest.mark.parametrize("preset", preset_names())
def test_what_is_hidden_changes_no_decision(preset: str, bot: str) -> None:
    rng = np.random.default_rng(1)
    seen = set()
    players = min(4, max(player_counts(preset)))
    every = 3 if FULL else 9
    for number, (game, player) in enumerate(moments(preset, players, seed=6, bot=bot)):
        if player.name != bot or (number % every and game.phase in seen):
            continue
        seen.add(game.phase)
        seat = game.seat(player.seat)
        usual = decision(game, game.view(player.seat), seat, player)
        for _ in range(3):
            assert decision(game, with_noise(game, seat, rng), seat, player) == usual
    assert {Phase.REINFORCE, Phase.ATTACK} <= seen


def test_a_player_never_looks_at_the_position() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    while game.pending is not None:
        game.settle(game.sample(generator(1)))
    colour = game.actors[0]
    view = game.view(colour)

    class Blind(Game):
        """A game that shows nothing but views."""

        def view(self, colour: str | None = None) -> Any:
            return copy_position(view)

    blind = Blind(game.ruleset, game.position)
    blind.position = None  # type: ignore[assignment]  # reading it would fail
    assert Player("greedy", colour).decide(blind) is not None


@pytest.mark.parametrize("seed", [None, "7", 1.5, np.random.default_rng(7)])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(RubiconError) as caught:
        Player("greedy", "red", seed=seed)
    assert caught.value.code == "player/seed"


def test_a_bot_decides_in_a_game_only() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    same = [Player("greedy", "red", seed=seed) for seed in (7, np.int64(7))]  # type: ignore[arg-type]
    assert same[0]._rng == same[1]._rng
    wrong: Any
    for wrong in (None, game.view("red"), "game"):
        with pytest.raises(RubiconError) as caught:
            same[0].decide(wrong)
        assert caught.value.code == "player/not-a-game"


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(RubiconError, match="no bot 'gredy'"):
        Player("gredy", "red")


# Mistakes that players report of other programs' bots.


def greedy(game: Game) -> Action:
    return Player("greedy", "red").decide(game)


def test_it_breaks_the_continent_of_another() -> None:
    game = attack_position(
        {
            "siam": "red 9",
            "indonesia": "blue 2",
            "new_guinea": "blue 1",
            "western_australia": "blue 1",
            "eastern_australia": "blue 1",
            "india": "green 2",
            "china": "green 2",
        },
        elsewhere="green 3",
    )
    assert greedy(game) == Attack("siam", "indonesia", 3)


def test_it_attacks_the_weaker_neighbour() -> None:
    game = attack_position(
        {"brazil": "red 7", "venezuela": "green 2", "north_africa": "blue 9", "peru": "blue 9"},
    )
    assert greedy(game) == Attack("brazil", "venezuela", 3)


def test_it_finishes_a_weak_player_who_holds_cards() -> None:
    game = attack_position({"egypt": "red 12", "congo": "red 1", "east_africa": "green 2"})
    game.position.hand[2] = 4
    game.position.card[:4] = 2
    assert greedy(game) == Attack("egypt", "east_africa", 3)


def test_it_moves_in_with_all_it_has() -> None:
    game = attack_position({"egypt": "red 12", "congo": "red 1"})
    game.play("attack egypt -> southern_europe dice 3")
    while game.phase != Phase.OCCUPY:
        if game.pending is not None:
            game.settle("6 6 6 v 1 1" if game.pending.defence_dice == 2 else "6 6 6 v 1")
        else:
            game.play("attack egypt -> southern_europe dice 3")
    assert greedy(game) == Occupy(11)


def test_it_does_not_attack_what_is_far_stronger() -> None:
    game = attack_position({"brazil": "red 3"}, elsewhere="blue 9")
    assert greedy(game) == EndAttack()


def test_it_presses_a_won_game_to_its_end() -> None:
    game = attack_position({"brazil": "blue 3", "japan": "green 3"}, elsewhere="red 4")
    assert isinstance(greedy(game), Attack)


def test_it_keeps_wild_cards_for_later() -> None:
    game = attack_position({"alaska": "red 5"})
    game.position.phase = Phase.REINFORCE
    by_design: dict[int, list[int]] = {}
    for card in range(42):
        by_design.setdefault(int(game.tables.design[card]), []).append(card)
    hand = [by_design[0][1], by_design[1][1], by_design[2][1], 42]
    game.position.card[hand] = 0
    game.position.hand[0] = 4
    traded = greedy(game)
    assert isinstance(traded, Trade)
    assert "wild1" not in traded.cards
