"""Features: their values in a position that people can follow, their layout and their names."""

import numpy as np
import pytest

from rubicon.engine.records import NEUTRAL, Phase, Position
from rubicon.lab.batch import Batch
from rubicon.lab.feature_names import (
    FeatureLayout,
    GameFeature,
    SeatFeature,
    TerritoryFeature,
)
from rubicon.odds.battle import battle
from rubicon.odds.rule import DiceRule
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.lab.games import EVERY_RULESET, most_players, random_steps

CLASSIC = Ruleset.load("classic")


def position_with(armies: dict[str, str], elsewhere: str = "blue 3") -> Position:
    """Red attacks; `armies` says `red 5` for each territory that matters."""
    game = Game.new(CLASSIC, 3)
    position = game.position
    position.territories[:] = 0
    for t, name in enumerate(game.territories):
        colour, number = armies.get(name, elsewhere).split()
        owner = NEUTRAL if colour == "neutral" else game.seat(colour)
        position.owner[t] = owner
        position.armies[t] = int(number)
        position.territories[owner] += 1
    position.unplaced[:] = 0
    position.phase, position.first, position.turn, position.round_number = Phase.ATTACK, 0, 0, 5
    position.chance = 0
    position.chance_seats[:] = 0
    return position


def looked_at(armies: dict[str, str], seat: int = 0) -> dict[str, float]:
    """The observation of a seat by the names of the features."""
    batch = Batch(CLASSIC, games=1, start=position_with(armies))
    values = batch.observe([seat])[0].tolist()
    return dict(zip(batch.layout.names(CLASSIC), values, strict=True))


def test_owners_are_relative_to_the_seat() -> None:
    armies = {"alaska": "red 4", "kamchatka": "green 2", "alberta": "neutral 2"}
    for seat, (red, green) in {0: (0, 2), 1: (2, 1), 2: (1, 0)}.items():
        seen = looked_at(armies, seat)
        assert seen[f"alaska owner {red}"] == 1
        assert seen[f"kamchatka owner {green}"] == 1
        assert seen["alberta neutral"] == 1
        owners = [seen[f"alaska owner {other}"] for other in range(6)]
        assert sum(owners) == 1


def test_threats_are_the_exact_odds_of_the_strongest_neighbour() -> None:
    seen = looked_at({"alaska": "red 4", "kamchatka": "green 9", "northwest_territory": "green 5"})
    assert seen["alaska threat"] == pytest.approx(np.log1p(9) / 5)
    chance = battle(9, 4, DiceRule(CLASSIC)).win
    assert seen["alaska threat chance"] == pytest.approx(chance, abs=1e-6)
    assert seen["kamchatka reach chance"] == pytest.approx(
        battle(4, 9, DiceRule(CLASSIC)).win, abs=1e-6
    )
    assert seen["alaska reach chance"] == 0
    weakest = battle(4, 3, DiceRule(CLASSIC)).win  # Blue's three armies on Alberta
    assert seen["alaska attack chance"] == pytest.approx(weakest, abs=1e-6)


def test_neutral_armies_threaten_nobody() -> None:
    everywhere = dict.fromkeys(("kamchatka", "northwest_territory", "alberta"), "neutral 9")
    seen = looked_at({"alaska": "red 4"} | everywhere)
    assert seen["alaska threat"] == 0
    assert seen["alaska threat chance"] == 0
    assert seen["alaska foreign neighbours"] == 1


def test_shares_and_continents() -> None:
    australia = ("indonesia", "new_guinea", "western_australia", "eastern_australia")
    seen = looked_at(dict.fromkeys(australia, "red 2"))
    assert seen["seat 0 continents"] == pytest.approx(0.2)
    assert seen["seat 0 territories"] == pytest.approx(4 / 42)
    assert seen["seat 0 armies share"] == pytest.approx(8 / (8 + 38 * 3))
    assert seen["australia share 0"] == 1
    assert seen["indonesia continent share"] == 1
    assert seen["seat 1 turn"] == 0
    assert seen["seat 0 turn"] == 1


def test_own_cards_are_seen_and_foreign_ones_are_counted() -> None:
    position = position_with({})
    position.card[:3] = [0, 1, 1]
    position.hand[:3] = [1, 2, 0]
    batch = Batch(CLASSIC, games=1, start=position)
    rows = batch.layout.by_territory(batch.observe([0]))[0, :, TerritoryFeature.CARD]
    assert rows[:3].tolist() == [1, 0, 0]
    hands = batch.layout.seats(batch.observe([0]))[0, :3, SeatFeature.CARDS]
    assert hands == pytest.approx([0.1, 0.2, 0])


def test_the_card_rule_is_seen() -> None:
    for values, place in (("escalating", 0), ("plus_one", 1), ("fixed", 2)):
        ruleset = Ruleset.load("classic", {"cards.values": values})
        batch = Batch(ruleset, 3, games=1)
        shown = batch.layout.game(batch.observe())[0]
        block = shown[GameFeature.SET_VALUES : GameFeature.SET_VALUES + 4]
        assert block.tolist() == [float(n == place) for n in range(4)]


@pytest.mark.parametrize(("preset", "board"), EVERY_RULESET)
def test_features_are_finite_and_small(preset: str, board: str | None) -> None:
    ruleset = Ruleset.load(preset, board=board)
    batch = Batch(ruleset, most_players(ruleset), games=8, seed=3)
    phases = np.zeros(15)
    for _ in random_steps(batch, 150):
        seen = batch.observe()
        assert np.isfinite(seen).all()
        assert seen.min() >= 0
        assert seen.max() < 10
        phases += batch.layout.game(seen)[:, :15].sum(axis=0)
        owners = batch.layout.by_territory(seen)[:, :, :8].sum(axis=2)
        assert (owners == 1).all()
    assert phases.sum() == 150 * 8
    assert (phases > 0).sum() >= 4


def test_the_parts_are_views_of_the_whole() -> None:
    batch = Batch(CLASSIC, 3, games=2)
    seen = batch.observe()
    layout = batch.layout
    parts = (layout.game, layout.seats, layout.by_continent, layout.by_territory)
    assert all(np.shares_memory(part(seen), seen) for part in parts)
    assert sum(part(seen)[0].size for part in parts) == layout.size == seen.shape[1]
    assert len(layout.names(CLASSIC)) == layout.size == len(set(layout.names(CLASSIC)))
    assert layout.by_territory(seen).shape == (2, 42, len(TerritoryFeature))


def test_rulesets_on_one_board_have_one_layout() -> None:
    layouts = {FeatureLayout.of(Ruleset.load(preset)) for preset in ("classic", "revised", "email")}
    assert len(layouts) == 1


def test_a_seat_that_is_none_sees_nothing() -> None:
    batch = Batch(CLASSIC, 3, games=2)
    assert not batch.observe([-1, -1]).any()
