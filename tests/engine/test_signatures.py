"""A procedure has one signature: a new one would stop a running server for a minute."""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import types

from rubicon.engine.chance import generator
from rubicon.engine.compiler.jit import widened
from rubicon.engine.records import BOARD_TABLES, POSITION, RULES, Phase, compiled, empty_position
from rubicon.engine.warmup import compilations_heard
from rubicon.players.player import Player
from rubicon.players.warmup import warm_to_play as warm
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset, presets

LIMIT = 1536  # bytes of a position
ENTRIES = 120


def procedures() -> Iterator[tuple[str, Any]]:
    """Every compiled procedure that has been imported."""
    kind = type(compiled(lambda: 0))
    for name, module in list(sys.modules.items()):
        if name.startswith("rubicon"):
            for found in vars(module).values():
                if isinstance(found, kind):
                    yield f"{name}.{found.__name__}", found


def play_a_while(preset: str) -> None:
    game = Game.new(Ruleset.load(preset))
    rng = generator(3)
    bots = {colour: Player("greedy", colour) for colour in game.seats}
    while not game.over and len(game.history) < ENTRIES:
        if game.pending is not None:
            game.settle(game.sample(rng))
        else:
            game.play(bots[game.actors[0]].decide(game))
            game.view(game.colours[0])


def test_no_procedure_gains_a_signature() -> None:
    warm()
    with compilations_heard() as compiled:
        for preset in presets():
            play_a_while(preset)
    assert compiled == []
    found = dict(procedures())
    assert len(found) > 150
    many = {name: len(f.overloads) for name, f in found.items() if len(f.overloads) > 1}
    assert many == {}


def test_one_signature_for_all_widths_of_numbers() -> None:
    widths = (
        types.int8,
        types.int16,
        types.uint8,
        types.int64,
        types.IntEnumMember(Phase, types.int64),
    )
    assert {widened(width) for width in widths} == {types.int64}
    assert widened(types.uint64) == types.uint64


def test_records_are_small_and_not_padded() -> None:
    assert POSITION.itemsize <= LIMIT
    for dtype in (POSITION, RULES, BOARD_TABLES):
        assert sum(dtype[name].itemsize for name in dtype.names or ()) == dtype.itemsize


def test_copies_share_no_memory() -> None:
    position = empty_position()
    copy = position.copy()
    copy.armies[0] = 7
    assert position.armies[0] == 0
    assert np.asarray(position).tobytes() == bytes(POSITION.itemsize)
