"""The regression positions: what each bot that should know a lesson decides there."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rubicon.engine.chance import generator
from rubicon.errors import RubiconError
from rubicon.rules.actions import Action, Decline, EndAttack, EndTurn
from rubicon.rules.game import Game
from tests.players.position_phrases import faults, meets
from tests.players.told_positions import FOLDER, GROUPS, Account, Decide, Told, all_positions, play

POSITIONS = all_positions()
SEEDS = (1, 2, 3)  # of the bot and of fair dice
RANDOM_SEEDS = 20
FAMILIAR = [
    (one, bot)
    for one in POSITIONS
    for bot in dict.fromkeys((*one.knows, *one.levels))
    if bot not in one.not_yet
]
NOT_YET = [(one, bot) for one in POSITIONS for bot in one.not_yet]


def name(value: object) -> str:
    return value.id if isinstance(value, Told) else str(value)


def idle(game: Game) -> Action:
    """Attacks nobody, moves nothing, trades nothing that it need not."""
    quiet = [one for one in game.legal if isinstance(one, EndAttack | EndTurn | Decline)]
    return quiet[0] if quiet else game.legal[0]


def any_legal(seed: int) -> Decide:
    """Any legal action, each equally likely."""
    rng = generator(seed)
    return lambda game: game.legal.random(rng)


def senseless_accounts(one: Told) -> Iterator[Account]:
    """What the bot `random`, any legal action, and nothing at all make of a position."""
    yield play(one, idle, 0)
    fair = replace(one, dice="fair")
    for seed in range(RANDOM_SEEDS):
        yield play(fair, "random", seed)
        yield play(fair, any_legal(seed), seed)


@cache
def faults_of_random(one: Told) -> float:
    """The share of seeds with which the bot `random` is at fault, with fair dice."""
    fair = replace(one, dice="fair")
    wrong = [bool(faults(one, play(fair, "random", seed))) for seed in range(RANDOM_SEEDS)]
    return sum(wrong) / RANDOM_SEEDS


@pytest.mark.parametrize(("one", "bot"), FAMILIAR, ids=name)
def test_a_bot_decides_sensibly(one: Told, bot: str) -> None:
    for seed in SEEDS:
        account = play(one, bot, seed)
        made = "\n".join(str(action) for action in account.made)
        assert not faults(one, account), f"{one.lesson}\n{one.position}\n{bot} played:\n{made}"


@pytest.mark.parametrize(("one", "bot"), NOT_YET, ids=name)
def test_what_a_bot_does_not_know_yet_is_still_listed_rightly(one: Told, bot: str) -> None:
    failed = any(faults(one, play(one, bot, seed)) for seed in SEEDS)
    assert failed, f"{bot} knows {one.id} now: strike it from `not_yet`."


def test_most_positions_say_which_level_must_know_them() -> None:
    assert sum(bool(one.levels) for one in POSITIONS) >= 0.8 * len(POSITIONS)
    assert {one.levels[0] for one in POSITIONS if one.levels} >= {"beginner", "medium", "expert"}


def test_little_is_not_known_yet() -> None:
    assert len(NOT_YET) <= 7
    assert all(reason for one in POSITIONS for reason in one.not_yet.values())


@pytest.mark.parametrize("one", POSITIONS, ids=name)
def test_senseless_play_fails_it(one: Told) -> None:
    """A position that no decision can fail would say nothing."""
    assert any(faults(one, account) for account in senseless_accounts(one))


def test_random_moves_mostly_fail() -> None:
    at_fault = [one.id for one in POSITIONS if faults_of_random(one) > 0.2]
    assert len(at_fault) >= len(POSITIONS) / 2


def test_there_are_positions_for_every_theme_and_bot() -> None:
    assert len(POSITIONS) >= 40
    assert len({one.id for one in POSITIONS}) == len(POSITIONS)
    assert all(one.sensible or one.senseless for one in POSITIONS)
    known = {bot: sum(bot in one.knows for one in POSITIONS) for bot in GROUPS["all"]}
    assert min(known.values()) >= 10


def test_a_misspelt_phrase_is_no_phrase() -> None:
    account = play(POSITIONS[0], "random", 1)
    with pytest.raises(RubiconError, match="atacks"):
        meets(account, "atacks blue")


def test_the_example_of_the_page_is_one_of_them() -> None:
    page = (Path(__file__).parents[2] / "docs/internals/bots.md").read_text("utf-8")
    example = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert example
    assert example[1] in (FOLDER / "kills.toml").read_text("utf-8")
