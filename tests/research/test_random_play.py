"""The benchmark's random play is legal, and ends, under every ruleset."""

import numpy as np
import pytest

from benchmarks.engine import measure
from benchmarks.random_play import BenchmarkState, benchmark_state, play_games
from rubicon.engine.chance import generator
from rubicon.engine.legal_actions import range_buffer
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset, presets

TURNS = 150
# Values that make other choices than the presets do where the play has choices of its own.
VARIANTS = (
    ("classic", {"elim.trade": "optional"}),
    ("classic", {"elim.trade": "none", "cards.forced": "none"}),
    ("classic", {"attack.truce": "2"}),
    ("classic", {"setup.place": "all_at_once"}),
    ("classic", {"cards.territory_bonus_cap": "per_card"}),
    ("classic", {"dice.announce": "standing_order", "defend.default": "must_state"}),
    ("digest", {"elim.trade": "optional", "cards.two_wilds_ok": "true"}),
    ("revised", {"cards.values": "escalating"}),
    ("revised", {"stars.trades_per_draft": "unlimited"}),
    ("email", {"continent.timing": "placed_end_of_own_turn"}),
)


def played(ruleset: Ruleset, players: int, games: int, turns: int) -> BenchmarkState:
    """The counters after so many games, with every action's refusal computed."""
    position = Game.new(ruleset, players).position
    positions = np.array([np.asarray(position)] * 2)
    state = benchmark_state(checked=True)
    here = (positions, ruleset.rules, ruleset.tables, generator(7), range_buffer())
    play_games(*here, state, games, turns)
    return state


@pytest.mark.parametrize("preset", presets())
def test_the_play_is_legal_under_every_preset(preset: str, full: bool) -> None:
    ruleset = Ruleset.load(preset)
    for players in {ruleset.rules.players_min, ruleset.rules.players_max}:
        state = played(ruleset, players, 200 if full else 12, TURNS)
        assert state.refused == 0
        assert state.rolls > 0


@pytest.mark.parametrize(("preset", "options"), VARIANTS)
def test_the_play_is_legal_under_other_values(preset: str, options: dict[str, str]) -> None:
    state = played(Ruleset.load(preset, options), 3, 12, TURNS)
    assert state.refused == 0
    assert state.rolls > 0


@pytest.mark.timeout(60)
def test_a_measurement_by_mail_ends() -> None:
    """Sealed placements are open to all seats at once: the first that has not sealed goes on."""
    result = measure("email", 3, checked=True, seed=1, seconds=0.05, turns=TURNS)
    assert result.games > result.unfinished


def test_rulesets_are_compared_over_the_same_number_of_turns() -> None:
    for preset in ("classic", "digest"):
        result = measure(preset, 3, checked=False, seed=1, seconds=0.05, turns=20)
        assert result.turn_cap == 20
        assert result.turns_per_game <= 20
