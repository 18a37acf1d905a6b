"""The environments pass the checkers of Gymnasium and PettingZoo, and play whole games."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from rubicon.errors import RubiconError
from rubicon.lab.feature_names import VERSION
from rubicon.lab.gymnasium_env import ENVIRONMENT, RiskEnv
from rubicon.lab.pettingzoo_env import RiskAEC

SMALL: dict[str, Any] = {"board": "skerries"}
SHORT: dict[str, Any] = SMALL | {"options": {"game.round_limit": "4"}}
RULESETS: list[dict[str, Any]] = [
    SMALL,
    {"preset": "secret-mission", "players": 4},
    {"preset": "revised"},
    {"preset": "email"},
]


def choice(rng: np.random.Generator, mask: np.ndarray) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("settings", RULESETS)
def test_gymnasium_finds_no_fault(settings: dict[str, Any]) -> None:
    check_env(gymnasium.make(ENVIRONMENT, opponents="greedy", **settings).unwrapped)


@pytest.mark.parametrize("settings", RULESETS)
def test_pettingzoo_finds_no_fault(settings: dict[str, Any], full: bool) -> None:
    api_test(RiskAEC(**settings), num_cycles=2000 if full else 100)


@pytest.mark.parametrize("bots", [(), ("greedy", None, None)])
def test_pettingzoo_finds_that_seeds_decide(bots: tuple[str | None, ...]) -> None:
    seed_test(lambda: RiskAEC("classic", 3, bots=bots, **SMALL), num_cycles=100)


def test_the_id_has_the_version_of_the_observation() -> None:
    assert f"rubicon/Risk-v{VERSION}" == ENVIRONMENT
    assert RiskAEC.metadata["name"] == f"risk_v{VERSION}"


def episode(env: RiskEnv, seed: int) -> tuple[float, bool, int]:
    """Play at random; the reward, whether the game was cut off, and the seat."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    while True:
        assert env.observation_space.contains(env._seen(legal=True)[0])
        _, reward, terminated, truncated, info = env.step(
            np.int64(choice(rng, info["action_mask"]))
        )
        if terminated or truncated:
            return reward, truncated, env.seat


def test_an_episode_ends_with_the_win_share() -> None:
    env = RiskEnv("classic", 3, opponents="random", **SHORT)
    played = [episode(env, seed) for seed in range(30)]
    assert {0.0, 1.0} <= {reward for reward, _, _ in played}
    assert all(0 <= reward <= 1 for reward, _, _ in played)
    assert {seat for _, _, seat in played} == {0, 1, 2}
    assert not any(cut for _, cut, _ in played)
    assert episode(env, 3) == played[3]


def test_an_episode_is_cut_off() -> None:
    env = RiskEnv("classic", 3, opponents="random", seat=1, round_cap=1, **SMALL)
    assert episode(env, 1) == (0.0, True, 1)


def test_an_illegal_choice_changes_nothing() -> None:
    env = RiskEnv("classic", 3, **SMALL)
    before, info = env.reset(seed=1)
    closed = np.int64(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, terminated, truncated, told = env.step(closed)
    assert np.array_equal(before, after)
    assert (reward, terminated, truncated, told["legal"]) == (0.0, False, False, False)


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"opponents": "gredy"}, "lab/bots"),
        ({"opponents": ["greedy"]}, "lab/bots"),
        ({"opponents": [None, "greedy"]}, "lab/bots"),
        ({"seat": 3}, "lab/seat"),
        ({"preset": "clasic"}, "ruleset/unknown-preset"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], code: str) -> None:
    with pytest.raises(RubiconError) as caught:
        RiskEnv(**{"players": 3, **settings})
    assert caught.value.code == code
    assert "bots=(" not in str(caught.value)  # that is how a batch is told


def play_table(env: RiskAEC, seed: int) -> dict[str, float]:
    """Play a table at random; the sum of each agent's rewards."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(100_000):
        _, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        env.step(None if terminated or truncated else choice(rng, info["action_mask"]))
    assert env.agents == []
    return total


def test_a_table_shares_one_win() -> None:
    env = RiskAEC("classic", 4, **SHORT)
    totals = [play_table(env, seed) for seed in range(8)]
    assert [sum(total.values()) for total in totals] == pytest.approx([1] * 8)
    assert len({max(total, key=lambda one: total[one]) for total in totals}) > 1


def test_an_illegal_choice_at_a_table_is_refused() -> None:
    env = RiskAEC("classic", 3, **SMALL)
    mask = env.infos[env.agent_selection]["action_mask"]
    for wrong in (None, int(np.flatnonzero(mask == 0)[0]), -1, len(mask)):
        with pytest.raises(RubiconError) as caught:
            env.step(wrong)
        assert caught.value.code == "lab/illegal"


def test_a_table_has_an_agent() -> None:
    with pytest.raises(RubiconError) as caught:
        RiskAEC("classic", 3, bots=("greedy",) * 3)
    assert caught.value.code == "lab/bots"


def test_rendering_shows_the_position() -> None:
    env = RiskEnv("classic", 3, render_mode="ansi", **SMALL)
    env.reset(seed=1)
    assert env.render() == str(env.batch.game(0))
    assert "classic" in env.render()
