"""The odds equal battles that the engine plays out over every roll, exactly."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rubicon.engine.attack import most_attack_dice, most_defence_dice
from rubicon.engine.chance import battle_losses
from rubicon.engine.records import Phase
from rubicon.odds.battle import Armies, exact_battle
from rubicon.odds.rule import AMPLE, DiceRule, roll_table
from rubicon.rules.ruleset.ruleset import Ruleset, presets
from tests.odds.played_out import SOURCE, played_out, rolled, scene, set_armies, target_of

SIZES = [(2, 1), (3, 1), (2, 2), (4, 2), (3, 3)]
REWARDS: list[dict[str, bool]] = [
    {"attack_die": True},
    {"defence_die": True},
    {"attack_airfield": True},
    {"defence_airfield": True},
    {"attack_airfield": True, "defence_airfield": True},
]
UNUSUAL: list[dict[str, str]] = [
    {"attack.dice_cap": "armies_guarded", "defend.dice_cap": "two_always"},
    {"defend.dice_cap": "two_always", "defend.extra_die": "best_only"},
    {"attack.dice_cap": "armies_guarded", "occupy.min": "one"},
]


def endings(rule: DiceRule, attack: int, defend: int) -> dict[Armies, Fraction]:
    """The odds under test."""
    lines = exact_battle(attack, defend, rule).lines
    return {(line.attack, line.defend): line.chance for line in lines}


@pytest.mark.parametrize("preset", presets())
def test_every_preset(preset: str) -> None:
    rule = DiceRule.of(preset)
    for attack, defend in SIZES:
        assert endings(rule, attack, defend) == played_out(rule, attack, defend)


@pytest.mark.parametrize("options", UNUSUAL, ids=str)
def test_unusual_options(options: dict[str, str]) -> None:
    rule = DiceRule(Ruleset.load("classic", options))
    for attack, defend in SIZES:
        assert endings(rule, attack, defend) == played_out(rule, attack, defend)


@pytest.mark.parametrize("preset", ["classic", "email", "two-player"])
def test_neutral_armies(preset: str) -> None:
    rule = DiceRule.of(preset, neutral=True)
    for attack, defend in ((2, 1), (4, 2)):
        assert endings(rule, attack, defend) == played_out(rule, attack, defend)


@pytest.mark.parametrize("facts", REWARDS, ids=str)
def test_rewards(facts: dict[str, Any]) -> None:
    rule = DiceRule.of("revised", **facts)
    for attack, defend in ((2, 1), (3, 2)):
        assert endings(rule, attack, defend) == played_out(rule, attack, defend)


def test_bonus_dice_that_are_compared_too() -> None:
    ruleset = Ruleset.load("revised", {"bonus_die": "compare_extra"})
    rule = DiceRule(ruleset, attack_die=True)
    assert endings(rule, 3, 2) == played_out(rule, 3, 2)
    both = DiceRule(ruleset, attack_die=True, defence_die=True)
    assert endings(both, 2, 2) == played_out(both, 2, 2)


@pytest.mark.parametrize(("dice", "reply"), [*product((1, 2, 3), (1, 2))])
def test_chosen_dice(dice: int, reply: int) -> None:
    rule = DiceRule.of("classic", attack_dice=dice, defend_dice=reply)
    assert endings(rule, 4, 2) == played_out(DiceRule.of("classic"), 4, 2, dice, reply)


def test_one_roll_in_a_game_that_is_played() -> None:
    """Through the checked interface of the game, one roll."""
    rule = DiceRule.of("classic")
    game = scene(rule, 2, 1)
    target = game.territories[target_of(game)]
    game.play(f"attack {game.territories[SOURCE]} > {target} 1")
    game.play("defend 1")
    fallen = 0
    for attack, defence in product(range(1, 7), repeat=2):
        trial = game.copy()
        trial.settle(f"{attack} v {defence}")
        fallen += trial.phase == Phase.OCCUPY
    assert Fraction(fallen, 36) == exact_battle(2, 1, rule).win == Fraction(15, 36)


@pytest.mark.parametrize("preset", presets())
def test_more_armies_than_ample_change_nothing(preset: str) -> None:
    rule = DiceRule.of(preset)
    rules = rule.ruleset.rules
    game = scene(rule, AMPLE, AMPLE)
    dice = most_attack_dice(game.position, rules, SOURCE)
    reply = most_defence_dice(game.position, rules, target_of(game))
    for attack, defend in ((AMPLE, 1000), (1000, AMPLE), (2**20, 2**20)):
        set_armies(game, attack, defend)
        assert most_attack_dice(game.position, rules, SOURCE) == dice
        assert most_defence_dice(game.position, rules, target_of(game)) == reply
        for rolled_by in product(range(0, 6**dice, 7), range(6**reply)):
            few = battle_losses(rules, AMPLE, AMPLE, dice, reply, 0, 0, 0, 0, *rolled_by)
            assert battle_losses(rules, attack, defend, dice, reply, 0, 0, 0, 0, *rolled_by) == few


def test_a_rule_is_read_from_a_position() -> None:
    for facts in ({}, *REWARDS, {"neutral": True}):
        rule = DiceRule.of("revised", **facts)
        game = scene(rule, 5, 4)
        found = DiceRule.between(rule.ruleset, game.position, SOURCE, target_of(game))
        assert found == rule


def test_the_fewest_that_move_in_are_those_of_the_engine() -> None:
    for preset, name in (
        ("classic", "three"),
        ("basic", "three"),
        ("email", "three"),
        ("capital", "three"),
    ):
        occupy = roll_table(DiceRule.of(preset)).occupy
        assert occupy[2, 3] == 1, name
        assert occupy[4, 3] == 3
        assert occupy[AMPLE, 2] == 2
    one = roll_table(DiceRule(Ruleset.load("classic", {"occupy.min": "one"}))).occupy
    assert set(one[2:, 1:].ravel().tolist()) == {1}


def test_every_roll_costs_armies() -> None:
    for preset in presets():
        table = roll_table(DiceRule.of(preset))
        assert not table.counts[..., 0, 0].any()
        sums = table.counts.sum(axis=(4, 5))
        assert ((sums == 0) | (sums == table.totals)).all()


def test_the_known_numbers_of_a_roll() -> None:
    found = rolled(DiceRule.of("classic"), (4, 2), 3, 2)
    assert found == {
        (4, 0): Fraction(2890, 7776),
        (3, 1): Fraction(2611, 7776),
        (2, 2): Fraction(2275, 7776),
    }
