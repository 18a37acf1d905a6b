"""Constructed positions in which red attacks."""

from rubicon.engine.records import Phase
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset


def attack_position(armies: dict[str, str], *, elsewhere: str = "blue 3") -> Game:
    """Red attacks; `armies` says `red 5` for each territory that matters."""
    game = Game.new(Ruleset.load("classic"), 3)
    position = game.position
    for t, name in enumerate(game.territories):
        colour, number = armies.get(name, elsewhere).split()
        position.owner[t] = game.seat(colour)
        position.armies[t] = int(number)
    for seat in range(3):
        position.territories[seat] = int((position.owner == seat).sum())
        position.unplaced[seat] = 0
    position.phase, position.first, position.turn, position.round_number = Phase.ATTACK, 0, 0, 5
    position.chance = 0
    position.chance_seats[:] = 0
    return game
