"""Flat choices: the mask marks legal actions, every one of them once, and leaves no range out."""

import numpy as np
import pytest

from rubicon.engine.codes import ActionKind, c_of, encode, kind_of
from rubicon.engine.legality import refusal_to
from rubicon.lab.batch import Batch
from rubicon.lab.legal_actions import FlatActions
from rubicon.rules.actions import action_of
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.lab.games import EVERY_RULESET, most_players, small_game, without_standing_orders

PARTS = (1 << 29) - 1  # of an action without its number


def meanings(batch: Batch) -> list[dict[int, int]]:
    """By game, the action that each legal choice means."""
    mask = batch.mask().copy()
    found: list[dict[int, int]] = [{} for _ in range(len(batch))]
    columns = [np.flatnonzero(row) for row in mask]
    for step in range(max(map(len, columns))):
        chosen = [c[min(step, len(c) - 1)] if len(c) else 0 for c in columns]
        for number, action in enumerate(batch.flat_actions(chosen).tolist()):
            if len(columns[number]):
                found[number][int(chosen[number])] = action
    return found


def check_choices(batch: Batch, number: int, choices: dict[int, int]) -> None:
    """Each choice is a legal action, no two are the same, and every range has a choice."""
    seat = int(batch.seats[number])
    game = batch.game(number)
    position, rules, tables = batch.positions[number], batch.ruleset.rules, batch.ruleset.tables
    assert len(set(choices.values())) == len(choices)
    for choice, action in choices.items():
        assert refusal_to(position, rules, tables, seat, action) == 0
        said = str(action_of(action, game)).split()[0]
        assert batch.flat.names[choice].startswith(said)
    legal = batch.legal()
    reached = {action & PARTS for action in choices.values()}
    designs = {picture(batch, action) for action in reached}
    for kind, a, b, c, _, _ in legal.rows[number, : legal.counts[number]].tolist():
        code = int(encode(kind, a, b, c, 0))
        assert code in reached or (kind == ActionKind.TRADE and picture(batch, code) in designs)


def picture(batch: Batch, action: int) -> tuple[int, ...]:
    """The designs of the cards of a trade, in order; () for another action."""
    if kind_of(action) != ActionKind.TRADE:
        return ()
    cards = (action >> 5 & 255, action >> 13 & 255, int(c_of(action)))
    return tuple(sorted(int(batch.ruleset.tables.design[card]) for card in cards))


@pytest.mark.parametrize(("preset", "board"), EVERY_RULESET)
def test_choices_are_legal_and_complete(preset: str, board: str | None, full: bool) -> None:
    ruleset = Ruleset.load(preset, board=board)
    start = without_standing_orders(ruleset, most_players(ruleset)).position
    batch = Batch(ruleset, games=6, seed=21, start=start)
    rng = np.random.default_rng(1)
    checked = 0
    for step in range(1500 if full else 200):
        if step % 25 == 0:
            for number, choices in enumerate(meanings(batch)):
                check_choices(batch, number, choices)
                checked += len(choices)
        mask = batch.mask()
        chosen = [int(rng.choice(np.flatnonzero(row))) for row in mask]
        batch.step(batch.flat_actions(chosen))
    assert checked > 200


def test_the_list_has_a_name_for_every_choice() -> None:
    for preset in ("classic", "revised", "secret-mission"):
        flat = FlatActions.of(Ruleset.load(preset))
        assert len(flat.names) == flat.size == len(set(flat.names))
    classic = FlatActions.of(Ruleset.load("classic"))
    assert "attack alaska -> kamchatka dice 3" in classic.names
    assert "reveal" not in classic.names
    assert "reveal" in FlatActions.of(Ruleset.load("secret-mission")).names


def test_rulesets_with_equal_reach_share_a_list() -> None:
    names = [FlatActions.of(Ruleset.load(preset)).names for preset in ("classic", "digest")]
    assert names[0] == names[1]


def test_a_choice_that_means_nothing_is_no_action() -> None:
    batch = Batch(small_game(), 3, games=3)
    closed = [int(np.flatnonzero(~row)[0]) for row in batch.mask()]
    assert batch.flat_actions(closed).tolist() == [-1] * 3


def test_amounts_are_lowest_quarter_half_and_highest() -> None:
    ruleset = small_game()
    batch = Batch(ruleset, 3, games=1, seed=1)
    while batch.positions[0]["phase"] != 6:
        batch.step(batch.random_actions())
    position = batch.game(0).position
    position.unplaced[int(batch.seats[0])] = 9
    again = Batch(ruleset, games=1, start=position)
    placed = [n for n in np.flatnonzero(again.mask()[0]) if again.flat.names[n].startswith("place")]
    armies = [int(again.flat_actions([int(n)])[0]) >> 29 for n in placed[:4]]
    assert armies == [1, 3, 5, 9]


def test_a_finished_mission_can_be_shown() -> None:
    ruleset = small_game("secret-mission", **{"missions.reveal": "manual"})
    batch = Batch(ruleset, 3, games=1, seed=1)
    while batch.positions[0]["phase"] != 7:
        batch.step(batch.random_actions())
    position, seat = batch.game(0).position, int(batch.seats[0])
    for t in range(int(ruleset.tables.territories)):
        position.territories[position.owner[t]] -= 1
        position.territories[seat] += 1
        position.owner[t] = seat
    position.mission[seat] = 0
    position.mission_fallback[seat] = 1
    again = Batch(ruleset, games=1, start=position, restart=False)
    reveal = again.flat.names.index("reveal")
    assert again.mask()[0, reveal]
    again.step(again.flat_actions([reveal]))
    assert again.winners[0] == seat
    assert again.rewards[0, seat] == 1
