"""What the bots of a game are after, for who watches bots alone."""

from __future__ import annotations

from rubicon.players.player import Player
from rubicon.players.review.reason import place_names, reason_of, reason_sentence
from rubicon.players.seating import SeatedPlayer
from rubicon.rules.actions import Action
from rubicon.rules.board.board import Board
from rubicon.rules.game.game import Game


class BotAims:
    """Tells an aim when it is a new one: a plan lasts for many decisions."""

    def __init__(self, board: Board) -> None:
        self.names = place_names(board)
        self.told = ""

    def new(self, game: Game, bot: SeatedPlayer | None, action: Action) -> str:
        """`red: breaks blue's Africa, 71 %`, before the action is played; "" where nothing is new.

        Without a chance there is no plan: then the line of the action says all. Bots that anybody
        has written say nothing.
        """
        if not isinstance(bot, Player):
            return ""
        seat = game.seat(bot.seat)
        reason = reason_of(game, game.view(bot.seat), seat, action, bot.memory)
        if reason is None or reason.chance is None:
            return ""
        aim = f"{bot.seat}: {reason_sentence(reason, self.names)}"
        if aim == self.told:
            return ""
        self.told = aim
        return aim
