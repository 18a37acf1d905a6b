"""Games that end because all players resign, at any moment: board and texts stay valid."""

from typing import Any

import pytest

from rubicon.engine.chance import below, generator
from rubicon.rules.actions import Resign
from rubicon.rules.game import Game
from rubicon.rules.notation.positions import parse_position
from rubicon.rules.record import Record
from rubicon.rules.ruleset.ruleset import Ruleset, presets
from tests.engine import invariants

GAMES = 8
LONGEST = 250


@pytest.mark.parametrize("preset", presets())
def test_all_players_resign(preset: str, full: bool) -> None:
    ruleset = Ruleset.load(preset)
    rng = generator(len(preset))
    fewest, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
    for number in range(GAMES * (20 if full else 1)):
        game = Game.new(ruleset, max(fewest, most - number % 2))
        until = below(rng, 40 if number % 2 else LONGEST)
        while len(game.history) < until and not game.over:
            _go_on(game, rng)
        while not game.over:
            _leave(game, rng)
        _check_end(game)


def _go_on(game: Game, rng: Any) -> None:
    if game.pending is not None:
        game.settle(game.sample(rng))
    else:
        game.play(game.legal.random(rng))


def _leave(game: Game, rng: Any) -> None:
    """A random seat that still plays resigns, as soon as no chance event is pending."""
    if game.pending is not None:
        game.settle(game.sample(rng))
        return
    staying = [c for c in game.colours if game.allows(Resign(c))]
    game.play(Resign(staying[below(rng, len(staying))]))


def _check_end(game: Game) -> None:
    assert game.winner is not None
    invariants.check_waiting(game)
    position = game.position
    _, again = parse_position(str(game))
    assert again.tobytes() == position.tobytes()
    assert invariants.picture(Record.parse(Record.of(game).text()).replay()) == invariants.picture(
        game
    )
    if (position.owner[: len(game.territories)] >= 0).all():
        invariants.check_board(game)
