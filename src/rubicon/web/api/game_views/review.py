"""The review of a finished game as JSON."""

from __future__ import annotations

from rubicon.engine.records.position import NONE
from rubicon.rules.game.turns import TurnStart
from rubicon.server.game_reviews import GameLuck, MomentPosition, RollRow
from rubicon.table.admin.review import Moment
from rubicon.web.api.game_views.position import position_view
from rubicon.web.api.game_views.review_bodies import (
    BattleRollView,
    LuckView,
    MomentPositionView,
    MomentView,
    TurnView,
)
from rubicon.web.api.game_views.seen import Seen


def moment_view(moment: Moment) -> MomentView:
    """A moment."""
    return {
        "index": moment.index,
        "at": moment.at,
        "round": moment.round,
        "turn": moment.turn,
        "mover": moment.mover,
        "kind": moment.kind,
        "text": moment.text,
    }


def moment_position_view(found: MomentPosition) -> MomentPositionView:
    """The position after a moment of a game that is over, with everything open."""
    game = found.position.game()
    openly = Seen(game.ruleset, game.ids, game.position, NONE)
    return {
        "moment": None if found.moment is None else moment_view(found.moment),
        "position": position_view(openly),
    }


def luck_view(luck: GameLuck) -> LuckView:
    """The luck of a game."""
    return {
        "seats": [
            {
                "colour": colour,
                "rolls": one.rolls,
                "lost": one.lost,
                "expected_lost": one.expected_lost,
                "destroyed": one.destroyed,
                "expected_destroyed": one.expected_destroyed,
                "balance": one.balance,
                "deviation": one.deviation,
                "percentile": one.percentile,
                "faces": list(one.faces),
            }
            for colour, one in luck.seats.items()
        ],
        "faces": list(luck.faces.faces),
        "chi_squared": luck.faces.chi_squared,
        "chance": luck.faces.chance,
    }


def roll_view(row: RollRow) -> BattleRollView:
    """One roll of a battle."""
    return {
        "index": row.index,
        "round": row.round,
        "attacker": row.attacker,
        "defender": row.defender,
        "source": row.source,
        "target": row.target,
        "attack_dice": list(row.attack_dice),
        "defence_dice": list(row.defence_dice),
        "winners": list(row.winners),
        "attacker_lost": row.attacker_lost,
        "defender_lost": row.defender_lost,
        "expected_attacker_lost": row.expected_attacker_lost,
        "expected_defender_lost": row.expected_defender_lost,
    }


def turn_view(index: int, turn: TurnStart) -> TurnView:
    """The beginning of a turn."""
    return {
        "index": index,
        "number": turn.number,
        "round": turn.round,
        "seat": turn.seat,
        "seats": {
            colour: {
                "territories": one.territories,
                "armies": one.armies,
                "income": one.income,
            }
            for colour, one in turn.strength.items()
        },
    }
