"""The truce (`attack.truce`): legality, legal ranges and bots agree on whom it protects."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rubicon
from rubicon.engine.chance import generator
from rubicon.players.player import PLAYERS, Player
from rubicon.rules.actions import Attack
from rubicon.rules.events import Captured
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.players.arena import Arena

TRUCE = 3  # rounds
OUTSIDERS = {"neutral", "rebels"}


def with_truce(preset: str) -> Ruleset:
    return Ruleset.load(preset, {"attack.truce": TRUCE})


def check_ranges(game: Game) -> None:
    """The list of legal attacks has no player's territory, and leaves out none that is legal."""
    listed = {r.lowest.target for r in game.legal.ranges if isinstance(r.lowest, Attack)}
    owners = {game.territories[t]: game.owner_name(int(game.position.owner[t])) for t in range(42)}
    assert {owners[target] for target in listed} <= OUTSIDERS
    for target in owners:
        for source in owners:
            if game.allows(Attack(source, target, 1)):
                assert target in listed


@pytest.mark.parametrize("bot", sorted(PLAYERS))
@pytest.mark.parametrize("preset", ["classic", "two-player"])
def test_bots_keep_the_truce_and_attack_after_it(preset: str, bot: str) -> None:
    game = Game.new(with_truce(preset))
    rng = generator(3)
    # A greedy bot sits in the last seat: alone, bots that wait to be attacked would attack nobody.
    players = {colour: Player(bot, colour, seed=5) for colour in game.colours[:-1]}
    players[game.colours[-1]] = Player("greedy", game.colours[-1], seed=5)
    captures: list[tuple[int, str]] = []
    checked = 0
    while not game.over and game.position.round_number <= TRUCE + 3:
        number = int(game.position.round_number)
        if game.awaits_chance:
            events = game.settle(game.sample(rng))
        else:
            if 0 < number <= TRUCE and game.phase.name == "ATTACK" and checked < 5:
                checked += 1
                check_ranges(game)
            events = game.play(players[game.actors[0]].decide(game))
        captures += [(number, event.before) for event in events if isinstance(event, Captured)]
    assert {before for number, before in captures if number <= TRUCE} <= OUTSIDERS
    assert any(before not in OUTSIDERS for number, before in captures if number > TRUCE)


def test_the_option_is_written_in_four_source_files() -> None:
    """Everything else about it is derived: its field, its procedure, its refusal, its words."""
    pattern = re.compile(r"attack[._]truce|\bTRUCE\b")
    source = Path(rubicon.__file__).parent
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if pattern.search(path.read_text("utf-8"))
    }
    assert found == {
        "engine/records.py",
        "engine/attack.py",
        "engine/codes.py",
        "rules/options/attack.py",
    }


def test_greedy_games_with_a_truce_end() -> None:
    arena = Arena(with_truce("classic"), 7)
    assert all(int(arena.play(["greedy"] * 3).winner) in range(3) for _ in range(5))


def test_the_refusal_says_what_may_be_done() -> None:
    game = Game.new(with_truce("classic"))
    rng = generator(3)
    players = {colour: Player("greedy", colour, seed=5) for colour in game.colours}
    while game.phase.name != "REINFORCE" or game.position.unplaced[game.position.turn] > 0:
        if game.awaits_chance:
            game.settle(game.sample(rng))
        else:
            game.play(players[game.actors[0]].decide(game))
    refused = next(
        refused
        for source in game.territories
        for target in game.territories
        if (refused := game.refusal(Attack(source, target, 1))) is not None
        and refused.code == "attack/truce"
    )
    assert "A truce is in force" in refused.message
    assert "`end attack`" in refused.suggestion
