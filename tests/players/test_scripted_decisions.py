"""What the scripted bots do in constructed positions."""

import pytest

from rubicon.engine.records import Phase, Seat
from rubicon.players.characters import CHARACTERS
from rubicon.players.player import Player
from rubicon.rules.actions import Action, Attack, EndAttack, Place
from rubicon.rules.game import Game
from tests.players.attack_position import attack_position

SCRIPTED = [one.name for one in CHARACTERS]
AMBITIOUS = ["hunter", "kingslayer", "economist", "expander"]


def decision(bot: str, game: Game) -> Action:
    return Player(bot, "red").decide(game)


def settle_with_luck(game: Game) -> None:
    """The pending roll, as well as it can fall for the attacker."""
    dice, against = game.position.attack_dice, game.position.defence_dice
    game.settle(f"{' '.join('6' * dice)} v {' '.join('1' * against)}")


def attacks_of_a_turn(bot: str, game: Game, most: int = 200) -> list[Action]:
    """Red's decisions up to the end of its attacks, with the best of luck."""
    player = Player(bot, "red")
    made: list[Action] = []
    while len(made) < most and not game.over:
        if game.pending is not None:
            settle_with_luck(game)
            continue
        if game.phase == Phase.DEFEND:
            game.play("defend 1")
            continue
        action = player.decide(game)
        if isinstance(action, EndAttack):
            break
        made.append(action)
        game.play(action)
    return made


@pytest.mark.parametrize("bot", AMBITIOUS)
def test_it_breaks_the_continent_of_another(bot: str) -> None:
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
    assert decision(bot, game) == Attack("siam", "indonesia", 3)


@pytest.mark.parametrize("bot", AMBITIOUS)
def test_it_attacks_the_weaker_neighbour(bot: str) -> None:
    game = attack_position(
        {"brazil": "red 7", "venezuela": "green 2", "north_africa": "blue 9", "peru": "blue 9"},
    )
    assert decision(bot, game) == Attack("brazil", "venezuela", 3)


@pytest.mark.parametrize("bot", SCRIPTED)
def test_it_does_not_attack_what_is_far_stronger(bot: str) -> None:
    game = attack_position({"brazil": "red 3"}, elsewhere="blue 9")
    assert decision(bot, game) == EndAttack()


@pytest.mark.parametrize("bot", SCRIPTED)
def test_it_presses_a_won_game_to_its_end(bot: str) -> None:
    game = attack_position({"brazil": "blue 3", "japan": "green 3"}, elsewhere="red 4")
    assert isinstance(decision(bot, game), Attack)


def eliminable(cards: int = 4) -> Game:
    """Green is left with South America and its cards; red has armies to place at its border."""
    game = attack_position(
        {
            "central_america": "red 6",
            "venezuela": "green 2",
            "peru": "green 1",
            "brazil": "green 2",
            "argentina": "green 1",
            "north_africa": "blue 9",
            "japan": "red 3",
        },
        elsewhere="blue 5",
    )
    position = game.position
    position.phase = Phase.REINFORCE
    position.unplaced[0] = 8
    position.hand[:3] = 2, 0, cards
    position.card[:6] = 0, 0, 2, 2, 2, 2
    position.pile = int((position.card == 6).sum())
    return game


def test_the_hunter_places_for_an_elimination_and_carries_it_out() -> None:
    game = eliminable()
    made = attacks_of_a_turn("hunter", game)
    assert made[0] == Place("central_america", 8)
    assert game.position.status[2] == Seat.ELIMINATED
    # The six cards that red then holds were traded, and their armies placed, before it went on.
    assert game.position.sets >= 1
    assert game.position.unplaced[0] == 0


def test_nobody_is_hunted_who_is_too_strong() -> None:
    game = eliminable()
    game.position.armies[game.position.owner == 2] = 9
    attacks_of_a_turn("hunter", game, most=1)
    assert game.position.status[2] == Seat.PLAYING
    assert Player("hunter", "red").decide(game) != Attack("central_america", "venezuela", 3)


def test_the_peaceful_bot_fights_back_and_spares_the_others() -> None:
    game = attack_position(
        {"brazil": "red 9", "venezuela": "red 2", "peru": "green 1", "north_africa": "green 1"}
    )
    player = Player("peaceful", "red")
    assert player.decide(game) == EndAttack()
    position = game.position
    position.owner[game.territories.index("venezuela")] = 1
    position.territories[:2] += [-1, 1]
    attack = player.decide(game)
    assert isinstance(attack, Attack)
    assert position.owner[game.territories.index(attack.target)] == 1
