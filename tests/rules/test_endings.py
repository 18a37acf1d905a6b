"""Games that end because everybody leaves, at any moment: the board stands, the text reads."""

from typing import Any

import pytest

from rubicon.rules.actions import Resign
from rubicon.rules.game import Game
from rubicon.rules.procedures.sampling import below, generator
from rubicon.rules.record import Record
from rubicon.rules.ruleset import Ruleset, presets
from rubicon.rules.text.positions import parse_position
from tests.rules import lawbook

GAMES = 8
LONGEST = 250


@pytest.mark.parametrize("preset", presets())
def test_everybody_leaves(preset: str, full: bool) -> None:
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
    if game.owed is not None:
        game.settle(game.sample(rng))
    else:
        game.play(game.legal.random(rng))


def _leave(game: Game, rng: Any) -> None:
    """Anybody who still plays resigns, as soon as chance owes nothing."""
    if game.owed is not None:
        game.settle(game.sample(rng))
        return
    staying = [c for c in game.colours if game.allows(Resign(c))]
    game.play(Resign(staying[below(rng, len(staying))]))


def _check_end(game: Game) -> None:
    assert game.winner is not None
    lawbook.check_waiting(game)
    position = game.position
    _, again = parse_position(str(game))
    assert again.tobytes() == position.tobytes()
    assert lawbook.picture(Record.parse(Record.of(game).text()).replay()) == lawbook.picture(game)
    if (position.owner[: len(game.territories)] >= 0).all():
        lawbook.check_board(game)
