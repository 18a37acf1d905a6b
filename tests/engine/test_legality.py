"""Legality is stated once: the listed ranges and the refusal function agree on every action.

For each preset and for each single value of every option, a random game on the small board is
played, and in a few positions of it every action is asked for: each kind, with each territory,
card and seat, and with every number next to a limit. An action is legal if and only if it is
listed, to the seat that it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import pytest

from rubicon.engine.chance import Generator, below, generator
from rubicon.engine.codes import (
    A_SHIFT,
    B_SHIFT,
    C_SHIFT,
    NOWHERE,
    NUMBER_SHIFT,
    ActionKind,
    encode,
)
from rubicon.engine.legality import actor_of, refusal, refusal_to
from rubicon.engine.records import NONE, OBJECTIVES, BoardTables, Phase, Position, Rules
from rubicon.errors import RubiconError
from rubicon.rules.actions import Action
from rubicon.rules.game import Game
from rubicon.rules.options.option import Use
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.ruleset.ruleset import Ruleset, presets
from tests.engine import invariants

BOARD = "skerries"
STEPS = 220
POSITIONS = 4  # of a game, at most
FULL_POSITIONS = 60
# Values of options that are no choice between words.
SAMPLES = {
    "army_cap": ["4"],
    "attack.truce": ["2"],
    "cards.max_sets_per_start": ["1"],
    "fortify.count": ["2"],
    "game.round_limit": ["2"],
    "neutral.armies": ["30"],
    "reinforce.min": ["5"],
    "setup.starting_cards": ["1:2 2:3 3:4"],
}
PAIRS = (ActionKind.ATTACK, ActionKind.FORTIFY)
WITH_TERRITORY = (ActionKind.CLAIM, ActionKind.CAPITAL, ActionKind.PLACE)
WITH_SEAT = (ActionKind.SEAL, ActionKind.RESIGN, ActionKind.REVEAL)
WITH_NUMBER = {
    ActionKind.PLACE,
    ActionKind.ATTACK,
    ActionKind.DEFEND,
    ActionKind.OCCUPY,
    ActionKind.FORTIFY,
    ActionKind.STANDING,
}
NUMBERS = (0, 1, 2, 3, 4, 2**31)
KINDS = 32  # five bits, more than there are kinds


def variations() -> Iterator[tuple[str, str, str]]:
    """(preset, option, value): each value of each option, under a preset that allows it.

    The presets take turns, so that an option's values meet different rulesets; those that change
    no number in the rules of the small board are left out.
    """
    names = list(presets())
    for place, option in enumerate(OPTIONS.values()):
        if option.use not in (Use.RULES, Use.BOARD):
            continue
        for value in (*option.values, *SAMPLES.get(option.name, ())):
            for turn in range(len(names)):
                preset = names[(place + turn) % len(names)]
                if varied(preset, option.name, value) is not None:
                    yield preset, option.name, value
                    break


def varied(preset: str, option: str, value: str) -> Ruleset | None:
    """A preset with another value for one option; None where that is impossible or no change."""
    base = Ruleset.load(preset, board=BOARD)
    try:
        other = base.with_options({option: value})
    except RubiconError:
        return None
    same = (base.rules.tobytes(), base.tables.tobytes())
    return None if (other.rules.tobytes(), other.tables.tobytes()) == same else other


def bare_actions(game: Game) -> Iterator[int]:
    """Every action without its number: all parts that can be named, and some that cannot."""
    places = [*range(len(game.territories) + 1), NOWHERE]
    seats = range(game.size + 1)
    for kind in range(KINDS):
        if kind in PAIRS:
            parts = product(places, places, (0, 1) if kind == ActionKind.ATTACK else (0,))
        elif kind in WITH_TERRITORY:
            parts = product(places, (0, 1), (0, 1))
        elif kind in WITH_SEAT:
            parts = product(seats, (0, 1), (0,))
        elif kind == ActionKind.OFFER:
            parts = product(range(len(game.cards) + 1), (0,), (0,))
        elif kind == ActionKind.OBJECTIVE:
            parts = product(range(OBJECTIVES + 1), places, (0,))
        elif kind == ActionKind.STANDING:
            parts = product(seats, places, (0,))
        elif kind == ActionKind.TRADE:
            continue
        else:
            parts = product((0, 1), (0, 1), (0, 1))
        for a, b, c in parts:
            yield kind | a << A_SHIFT | b << B_SHIFT | c << C_SHIFT
    yield encode(ActionKind.ATTACK, 0, 1, 2, 0)
    yield encode(ActionKind.FORTIFY, 0, 1, 1, 0)
    cards = len(game.cards)
    for a, b, c in [*combinations(range(cards), 3), (0, 0, 1), (1, 0, 2), (0, 1, cards)]:
        yield encode(ActionKind.TRADE, a, b, c, 0)


def numbers(game: Game, bare: int, listed: list[tuple[int, int]]) -> set[int]:
    """Numbers to try: none, a few, and those on both sides of each limit."""
    kind = bare & (KINDS - 1)
    found = set(NUMBERS if kind in WITH_NUMBER else NUMBERS[:2])
    if kind == ActionKind.TRADE and listed:
        found |= set(range(len(game.territories) + 2))
    for low, high in listed:
        found |= {max(0, low - 1), low, (low + high) // 2, high, high + 1}
    return found


def check_position(game: Game) -> int:
    """Compare list and refusal on all actions; return how many are legal."""
    listed: dict[int, list[tuple[int, int]]] = {}
    for seat, colour in enumerate(game.colours):
        for row in game.legal_for(colour, with_out_of_turn=True)._rows.tolist():
            code, low, high = row
            assert refusal_to(*place(game), seat, code | high << NUMBER_SHIFT) == 0
            listed.setdefault(code, []).append((low, high))
    decisions = game.legal._rows.tolist()
    assert all((low, high) in listed[code] for code, low, high in decisions)
    before, legal, tried = game.position.tobytes(), 0, set()
    here = place(game)
    for bare in bare_actions(game):
        tried.add(bare)
        ranges = listed.get(bare, [])
        for number in numbers(game, bare, ranges):
            code = bare | number << NUMBER_SHIFT
            accepted = refusal(*here, code) == 0
            expected = bool(ranges) and is_listed(game, code, ranges)
            assert accepted == expected, invariants.describe(game, code)
            if accepted:
                legal += 1
                assert actor_of(game.position, code) != NONE
    assert listed.keys() <= tried
    assert game.position.tobytes() == before
    return legal


def is_listed(game: Game, code: int, ranges: list[tuple[int, int]]) -> bool:
    """Whether an action is in one of the ranges, in the one of its spellings that is listed."""
    number = invariants.canonical(game, code) >> NUMBER_SHIFT
    return any(low <= number <= high for low, high in ranges)


def place(game: Game) -> tuple[Position, Rules, BoardTables]:
    return game.position, game.rules, game.tables


def decide(game: Game, rng: Generator) -> Action:
    """A random range, so that a game moves on; once in a while an action out of turn."""
    colour = game.actors[below(rng, len(game.actors))]
    out_of_turn = below(rng, 50) == 0
    ranges = game.legal_for(colour, with_out_of_turn=out_of_turn).ranges
    chosen = ranges[below(rng, len(ranges))]
    return chosen.highest if below(rng, 3) else chosen.lowest


def check_game(ruleset: Ruleset, seed: int, positions: int) -> None:
    """Play a random game and check its first position of each situation."""
    rng = generator(seed)
    rules = ruleset.rules
    game = Game.new(ruleset, min(rules.players_max, rules.players_min + seed % 2))
    seen: set[tuple[object, ...]] = set()
    legal = 0
    for _ in range(STEPS):
        if game.over or len(seen) >= positions:
            break
        p = game.position
        hand = p.hand[p.turn] >= 3 if p.first != NONE else False
        situation = (p.phase, p.chance != 0, hand, p.unplaced[p.turn] > 0, p.round_number > 1)
        if situation not in seen and (p.phase >= Phase.REINFORCE or p.chance == 0):
            seen.add(situation)
            legal += check_position(game)
        if game.pending is not None:
            game.settle(game.sample(rng))
        else:
            game.play(decide(game, rng))
    assert legal


@pytest.mark.parametrize("preset", presets())
def test_list_and_refusal_agree(preset: str, full: bool) -> None:
    for seed in range(8 if full else 2):
        check_game(
            Ruleset.load(preset, board=BOARD), seed, FULL_POSITIONS if full else 2 * POSITIONS
        )


@pytest.mark.parametrize(("preset", "option", "value"), list(variations()))
def test_list_and_refusal_agree_for_every_value(
    preset: str, option: str, value: str, full: bool
) -> None:
    ruleset = varied(preset, option, value)
    assert ruleset is not None
    check_game(ruleset, len(option + value), FULL_POSITIONS if full else POSITIONS)


def test_every_value_is_varied_or_the_usual_one() -> None:
    """A value that no preset can be changed to is a preset's own, which is played as such."""
    tried = {(option, value) for _, option, value in variations()}
    for option in OPTIONS.values():
        if option.use != Use.RULES:
            continue
        for value in option.values:
            if (option.name, value) not in tried:
                texts = {Ruleset.load(preset).option_text(option.name) for preset in presets()}
                assert value in texts, f"{option.name}={value} is never played"
