"""Random games of every preset, player count and board, watched at every step."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from rubicon.engine.chance import below, generator
from rubicon.engine.codes import MissionReveal
from rubicon.engine.ownership import change_owner
from rubicon.engine.records import Phase, Seat, Standing
from rubicon.errors import RubiconError
from rubicon.rules.actions import (
    Action,
    Dice,
    EndAttack,
    EndTurn,
    Outcome,
    Pick,
    Resign,
    RevealMission,
    Roll,
    StandingOrder,
)
from rubicon.rules.board.board import bundled_boards
from rubicon.rules.game import Game
from rubicon.rules.notation.actions import parse_action, parse_outcome
from rubicon.rules.notation.positions import parse_position, position_text
from rubicon.rules.options.option import Use
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.record import Record
from rubicon.rules.ruleset.ruleset import Ruleset, presets
from tests.engine import invariants

STEPS, FULL_STEPS = 180, 20_000
LOOK = 3  # every so many steps legality is checked
LOOK_CLOSELY, FULL_LOOK_CLOSELY = 20, 9  # and every so many the slower laws
RESIGNS = 300  # one decision in so many is a resignation
CHANGES = 12  # of options that are tried in a variant
VARIANTS, FULL_VARIANTS = 1, 100  # of each preset


def tables() -> list[tuple[str, int, str]]:
    found = []
    for board in bundled_boards():
        for preset in presets():
            rules = Ruleset.load(preset, board=board).rules
            for players in range(int(rules.players_min), int(rules.players_max) + 1):
                found.append((preset, players, board))
    return found


def choose(game: Game, rng: Any) -> Action:
    """A random range first, so that a game moves on; now and then an action out of turn."""
    out_of_turn = choose_out_of_turn(game, rng)
    if out_of_turn is not None:
        return out_of_turn
    colour = game.actors[int(below(rng, len(game.actors)))]
    legal = game.legal_for(colour)
    for ending in (EndAttack(), EndTurn()):
        if below(rng, 6) == 0 and ending in legal:
            return ending
    action_range = legal.ranges[int(below(rng, len(legal.ranges)))]
    return action_range.highest if below(rng, 2) else action_range.lowest


def choose_out_of_turn(game: Game, rng: Any) -> Action | None:
    """Now and then an action out of turn, of a seat that still plays."""
    status = game.position.status
    playing = [colour for seat, colour in enumerate(game.colours) if status[seat] == Seat.PLAYING]
    if game.rules.missions_reveal == MissionReveal.MANUAL:
        for colour in playing:
            if game.allows(RevealMission(colour)):
                return RevealMission(colour)
    colour = playing[int(below(rng, len(playing)))]
    if below(rng, 40) == 0:
        return StandingOrder(colour, None, Standing(int(below(rng, 4))))
    return Resign(colour) if below(rng, RESIGNS) == 0 else None


def check_texts(game: Game) -> None:
    """The position's text is an exact inverse, of the game and of every view of it."""
    text = position_text(game.ruleset, game.position)
    ruleset, position = parse_position(text)
    assert ruleset == game.ruleset
    assert str(Game.from_position(ruleset, position)) == text
    assert np.asarray(position).tobytes() == invariants.picture(game)


def check_outcomes_refused(game: Game) -> None:
    """What chance does not owe is not taken."""
    before = invariants.picture(game)
    for wrong in (Roll((7,), (1,)), Roll((1,) * 5, (1,)), Dice((9,)), Pick("nowhere")):
        with pytest.raises(RubiconError) as refused:
            game.settle(wrong)
        assert refused.value.code.startswith("outcome/")
    assert invariants.picture(game) == before


def step(game: Game, rng: Any, number: int, look_closely: int) -> None:
    """One decision or outcome, with the laws before and after it."""
    was, before = game.position.copy(), invariants.armies_about(game)
    closely = number % look_closely == 0
    entry: Action | Outcome
    if game.pending is not None:
        if closely:
            check_outcomes_refused(game)
        entry = game.sample(rng)
        assert parse_outcome(str(entry)) == entry
        events = game.settle(entry)
    else:
        if number % LOOK == 0:
            invariants.check_legality(game, rng, 6 if closely else 1)
        entry = choose(game, rng)
        assert parse_action(str(entry), game.ruleset.board, game.colours) == entry
        events = game.play(entry, seat=game.actor_of(entry))
    invariants.check_board(game)
    invariants.check_cards(game)
    invariants.check_armies(game, before, was, entry, events)
    if closely:
        invariants.check_waiting(game)
        invariants.check_codes(game)
        invariants.check_views(game, rng)
        if not game.over:
            invariants.check_refusals(game, rng)
        check_texts(game)


@pytest.mark.parametrize(("preset", "players", "board"), tables())
def test_invariants(preset: str, players: int, board: str, full: bool) -> None:
    rng = generator(players * 1000 + len(preset))
    game = Game.new(Ruleset.load(preset, board=board), players)
    play_with_checks(game, rng, full)


def play_with_checks(game: Game, rng: Any, full: bool) -> None:
    """So many steps of a game, unless it ends, and its record."""
    for number in range(FULL_STEPS if full else STEPS):
        if game.over:
            break
        step(game, rng, number, FULL_LOOK_CLOSELY if full else LOOK_CLOSELY)
    invariants.check_waiting(game)
    replayed = Record.parse(Record.of(game).text()).replay()
    assert invariants.picture(replayed) == invariants.picture(game)


def varied(preset: str, rng: Any) -> Ruleset:
    """A preset with other values for some of its options, as far as they go together."""
    ruleset = Ruleset.load(preset)
    free = [option for option in OPTIONS.values() if option.use == Use.RULES and not option.fixed]
    for _ in range(CHANGES):
        option = free[int(below(rng, len(free)))]
        values = list(option.values)
        if values:
            with suppress(RubiconError):
                value = values[int(below(rng, len(values)))]
                ruleset = ruleset.with_options({option.name: value})
    return ruleset


@pytest.mark.parametrize("preset", presets())
def test_invariants_of_variants(preset: str, full: bool) -> None:
    rng = generator(len(preset))
    for _ in range(FULL_VARIANTS if full else VARIANTS):
        ruleset = varied(preset, rng)
        fewest, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
        players = fewest + int(below(rng, most - fewest + 1))
        play_with_checks(Game.new(ruleset, players), rng, full=False)


@pytest.mark.parametrize("check", ["immediate_any_player", "own_turn_end"])
def test_a_mission_is_shown(check: str) -> None:
    """Where missions are shown by hand, a seat may show one that is complete, and no other."""
    options = {"missions.reveal": "manual", "missions.check": check}
    game = Game.new(Ruleset.load("secret-mission", options), 3)
    rng = generator(5)
    while game.phase != Phase.ATTACK or game.pending is not None:
        step(game, rng, 1, LOOK_CLOSELY)
    position, seat = game.position, int(game.position.turn)
    for t in range(len(game.territories)):
        owner = int(position.owner[t])
        if position.territories[seat] < 24 and position.territories[owner] > 1:
            change_owner(position, t, seat)
    position.mission_fallback[seat] = 1
    game = Game.from_position(game.ruleset, position)
    reveal = RevealMission(game.colours[seat])
    assert all(game.allows(RevealMission(c)) == (c == reveal.seat) for c in game.colours)
    step(game, rng, 0, 1)
    assert game.history == (reveal,)
    assert game.winner == reveal.seat


@pytest.mark.parametrize("preset", presets())
def test_same_seed_same_bytes(preset: str) -> None:
    pictures = []
    for _ in range(2):
        rng = generator(11)
        game = Game.new(Ruleset.load(preset))
        for _ in range(150):
            if game.pending is not None:
                game.settle(game.sample(rng))
            elif not game.over:
                game.play(game.legal.random(rng))
        pictures.append(invariants.picture(game))
    assert pictures[0] == pictures[1]
