"""The quick set-up: a bot decides for a person, but the person's armies stand spread out."""

from __future__ import annotations

from rubicon.engine.records.position import Position
from rubicon.players.player import Player
from rubicon.rules.actions import Action, Place
from rubicon.rules.game.game import Game

SETUP_BOT = "greedy"  # claims territories and chooses the headquarters


class QuickSetup:
    """Decides for one seat during the set-up.

    The bot concentrates its armies for an attack that it has in mind, up to two thirds of them on
    one territory. A person has no such plan yet, so `spread` places one army after the other.
    """

    def __init__(self, seat: str, *, seed: int) -> None:
        self._bot = Player(SETUP_BOT, seat, seed=seed)

    def decide(self, game: Game) -> Action:
        """The action of the seat, which must have a pending decision."""
        action = self._bot.decide(game)
        return spread(game, self._bot.seat, action) if isinstance(action, Place) else action


def spread(game: Game, seat: str, place: Place) -> Place:
    """One army on the weakest border of the player whose territory a bot has chosen.

    Borders come first, then territories with fewer armies, then those with more neighbours to
    fear. The bot's own choice stands where the rules allow none of these.
    """
    view, board = game.view(seat), game.ruleset.board
    owner = view.owner[board.index(place.territory)]

    def urgency(t: int) -> tuple[bool, int, int]:
        foreign = foreign_neighbours(game, view, t)
        return foreign == 0, int(view.armies[t]), -foreign

    mine = [t for t in range(len(board.territories)) if view.owner[t] == owner]
    for t in sorted(mine, key=urgency):
        choice = Place(board.territories[t].id, 1)
        if game.refusal(choice, seat=seat) is None:
            return choice
    return place


def foreign_neighbours(game: Game, view: Position, territory: int) -> int:
    """How many neighbours of a territory belong to others."""
    tables = game.tables
    around = (int(tables.neighbour[territory, i]) for i in range(int(tables.degree[territory])))
    return sum(bool(view.owner[other] != view.owner[territory]) for other in around)
