"""What the odds routes answer; the work process computes it too, so nothing here knows of HTTP."""

from __future__ import annotations

from rubicon.errors import RubiconError
from rubicon.odds.outlook import outlooks
from rubicon.odds.rule import DiceRule
from rubicon.orders.preview.targets import TargetOdds, target_odds
from rubicon.rules.game.game import Game
from rubicon.server.seat_game import SeatGame
from rubicon.web.api.catalog.odds_responses import (
    BattleOddsView,
    GameOddsView,
    TargetOddsView,
    stop_view,
)


def battle_odds(attack: int, defend: tuple[int, ...], rule: DiceRule) -> BattleOddsView:
    """The odds of a battle, or of an attack along a path, under every stop rule."""
    stops = [stop_view(outlook) for outlook in outlooks(attack, defend, rule)]
    return {
        "attack": attack,
        "defend": sum(defend),
        "path": list(defend),
        "win": stops[0]["taken"],
        "expected_attack_losses": stops[0]["expected_attack_losses"],
        "expected_defend_losses": stops[0]["expected_defend_losses"],
        "stops": stops,
    }


def game_odds(
    seen: SeatGame, source: str, stop: str, armies: int | None, target: str | None
) -> GameOddsView:
    """The odds of a seat's attacks from one territory; the arguments are those of `AskOdds`."""
    game = seen.game()
    board = game.ruleset.board
    start = board.index(source)
    found = target_odds(game, seen.seat, source, stop, armies=armies)
    standing = armies or int(game.view(seen.seat).armies[start])
    if target is None:
        targets = [_target(game, odds, 0) for odds in found]
    else:
        wanted = board.index(target)
        targets = [_target(game, odds, standing) for odds in found if odds.target == wanted]
        if not targets:
            message = f"{_name(game, wanted)} is no target of {_name(game, start)}."
            hint = "Without a target the answer has all of them."
            raise RubiconError("odds/no-target", message, hint)
    return {"source": board.territories[start].id, "targets": targets}


def _name(game: Game, territory: int) -> str:
    return game.ruleset.board.territories[territory].name


def _target(game: Game, odds: TargetOdds, standing: int) -> TargetOddsView:
    """One target; with the odds of every stop of an attack with `standing` armies, if any."""
    every = outlooks(standing, (odds.armies,), odds.rule) if standing and odds.outlook else ()
    return {
        "target": game.territories[odds.target],
        "armies": odds.armies,
        "odds": None if odds.outlook is None else stop_view(odds.outlook),
        "stops": [stop_view(outlook) for outlook in every],
    }
