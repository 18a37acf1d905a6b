"""The league that trains the value model."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rubicon.lab.training import league, league_games
from rubicon.lab.training.json_lines import add_line, read_lines
from rubicon.lab.training.league import League, arguments_of, main
from rubicon.lab.training.league_games import (
    LEAGUE_KINDS,
    LeagueTables,
    Player,
    in_the_pool,
    play_league_part,
)
from rubicon.lab.training.playing import KINDS, read_parts
from rubicon.lab.training.promotion import advantage
from rubicon.players.level_play import EXPERT
from rubicon.players.planner.features import FEATURES
from rubicon.players.planner.weights import LEARNED, load_weights
from rubicon.players.registry import NAMES

DUEL = next(one for one, kind in enumerate(LEAGUE_KINDS) if kind.ruleset == "two-player")
SIX = next(one for one, kind in enumerate(LEAGUE_KINDS) if kind.players == 6)
SEED = 10**12


def other_model() -> Any:
    other = LEARNED.copy()
    other["last"] += 1
    return other


def said(player: Player, champion: Any) -> str:
    """Who sits in a seat, as a word."""
    if isinstance(player, str):
        return player
    return "champion" if player is champion else "another"


@pytest.fixture
def seated(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, list[Player], int]]:
    """Kind, players and seed of each game; nothing is played, and the first seat wins."""
    seen: list[tuple[int, list[Player], int]] = []

    def play(self: Any, kind: int, players: list[Player], seed: int, one_in: int) -> Any:
        seen.append((kind, list(players), seed))
        return np.zeros((1, 6, FEATURES)), np.ones((1, 6), np.int8), 0

    monkeypatch.setattr(LeagueTables, "play", play)
    return seen


def test_the_league_plays_every_kind_of_training_game() -> None:
    assert len(LEAGUE_KINDS) == len(KINDS)
    assert all(
        1 <= ours.one_in <= kind.one_in for ours, kind in zip(LEAGUE_KINDS, KINDS, strict=True)
    )
    assert min(kind.weight for kind in LEAGUE_KINDS) > 0


def test_the_pool_has_scripted_bots_and_champions_of_before() -> None:
    former = other_model()
    rng = random.Random(3)
    tables = [in_the_pool(rng, 6, LEARNED, [former]) for _ in range(300)]
    words = [[said(player, LEARNED) for player in table] for table in tables]
    assert all(1 <= table.count("champion") <= 3 for table in words)
    others = [word for table in words for word in table if word != "champion"]
    assert 0.2 < others.count("another") / len(others) < 0.3
    assert {"hunter", "turtle", "kingslayer", "economist"} <= set(others)


def test_without_champions_of_before_the_pool_is_scripted() -> None:
    tables = [in_the_pool(random.Random(seed), 4, LEARNED, ()) for seed in range(50)]
    assert "another" not in {said(player, LEARNED) for table in tables for player in table}


def test_half_of_the_games_are_among_champions(seated: list[Any]) -> None:
    examples = play_league_part(3, SEED, LEARNED, ())
    assert examples.game.tolist() == [seed for _, _, seed in seated]
    assert [seed - SEED for _, _, seed in seated] == list(range(120, 160))
    for kind, players, seed in seated:
        assert len(players) == LEAGUE_KINDS[kind].players
        alone = all(player is LEARNED for player in players)
        assert alone == (seed % 2 == 0)
    assert len({kind for kind, _, _ in seated}) > 5


def test_a_part_is_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league_games, "PART", 2)
    monkeypatch.setattr(league_games, "kind_of", lambda rng: DUEL)
    one, again = (play_league_part(0, SEED, LEARNED, ()) for _ in range(2))
    assert len(one) > 2
    assert (one.rows == again.rows).all()
    assert (one.game == again.game).all()
    other = play_league_part(1, SEED, LEARNED, ())
    assert len(other) != len(one) or (other.rows != one.rows).any()


def test_each_seat_plays_by_its_own_model(monkeypatch: pytest.MonkeyPatch) -> None:
    tables, other = LeagueTables(), other_model()
    seen: list[Any] = []

    def played(policies: Any, seed: int, one_in: int) -> Any:
        seen.append((policies.tolist(), tables.notes[SIX].weights.copy()))
        return np.zeros((0, 6, FEATURES)), np.zeros((0, 6)), 0

    monkeypatch.setattr(tables.notes[SIX], "play", played)
    tables.play(SIX, [LEARNED, other, "turtle", LEARNED, other, "greedy"], 5, 1)
    tables.play(SIX, [LEARNED] * 6, 5, 1)
    (first, weights), (second, alike) = seen
    assert first == [EXPERT, EXPERT, NAMES["turtle"], EXPERT, EXPERT, NAMES["greedy"]]
    assert [(weights[seat] == other[0]) for seat in (0, 1, 3, 4)] == [False, True, False, True]
    assert second == [EXPERT] * 6
    assert all(alike[seat] == LEARNED[0] for seat in range(6))


@pytest.mark.parametrize("number", range(8))
def test_a_copy_of_the_champion_has_no_advantage(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rubicon.lab.training.promotion.kind_of", lambda rng: DUEL)
    assert advantage(LeagueTables(), number, SEED, LEARNED.copy(), LEARNED) == 0


def test_in_a_block_the_two_change_places(seated: list[Any]) -> None:
    candidate = other_model()
    for number in range(40):
        seated.clear()
        advantage(LeagueTables(), number, SEED, candidate, LEARNED)
        (kind, first, seed), (same_kind, second, same_seed) = seated
        assert (kind, seed) == (same_kind, same_seed)
        for one, other in zip(first, second, strict=True):
            if isinstance(one, str):
                assert one == other
                assert number % 2
            else:
                assert (one is candidate) != (other is candidate)
        if number % 2:
            assert not any(player is LEARNED for player in first)
        else:
            share = sum(player is candidate for player in first)
            assert share in (len(first) // 2, (len(first) + 1) // 2)


def test_who_always_wins_has_all_the_advantage(monkeypatch: pytest.MonkeyPatch) -> None:
    candidate = other_model()

    def play(self: Any, kind: int, players: list[Player], seed: int, one_in: int) -> Any:
        best = [seat for seat, one in enumerate(players) if one is candidate]
        others = [seat for seat, one in enumerate(players) if isinstance(one, str)]
        return None, None, (best or others or [0])[0]

    monkeypatch.setattr(LeagueTables, "play", play)
    tables = LeagueTables()
    assert {advantage(tables, one, SEED, candidate, LEARNED) for one in range(40)} == {1.0}
    monkeypatch.setattr(LeagueTables, "play", lambda *_: (None, None, -1))
    assert advantage(tables, 0, SEED, candidate, LEARNED) == 0


def asked_for(folder: Path, generations: int = 1) -> list[str]:
    asked = [str(folder), "--generations", str(generations), "--games", "4", "--threads", "2"]
    return [*asked, "--epochs", "1", "--blocks", "2"]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of two duels, and one block between two looks."""
    monkeypatch.setattr(league, "PART", 2)
    monkeypatch.setattr(league_games, "PART", 2)
    monkeypatch.setattr(league, "ROUND", 1)
    monkeypatch.setattr(league_games, "kind_of", lambda rng: DUEL)
    monkeypatch.setattr("rubicon.lab.training.promotion.kind_of", lambda rng: DUEL)


@pytest.mark.usefixtures("small")
def test_a_generation_is_played_fitted_and_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked_for(tmp_path)) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "2 of 2, 0 min left" in "\n".join(printed)
    line = json.loads(printed[-1])
    assert line["generation"] == 1
    assert line["champion"] == 0
    assert line["games"] <= 4
    assert line["turns"] == len(read_parts(tmp_path / "games-1"))
    assert line["blocks"] == 2
    assert not line["promoted"], "two blocks are too few for a verdict"
    assert load_weights(tmp_path / "candidate-1.npz") != LEARNED
    monkeypatch.setattr(LeagueTables, "play", None)  # nothing is played again
    assert main(asked_for(tmp_path)) == 0
    assert capsys.readouterr().out.splitlines() == printed[-1:]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("better", [True, False])
def test_only_who_wins_more_is_the_next_champion(
    better: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    champions: list[tuple[Any, int]] = []

    def part(number: int, seed: int, champion: Any, former: list[Any]) -> Any:
        champions.append((champion, len(former)))
        return play_league_part(number, seed, champion, former)

    monkeypatch.setattr(league, "play_league_part", part)
    monkeypatch.setattr(league, "advantage", lambda *_: 1.0 if better else -1.0)
    asked = asked_for(tmp_path, 2)
    assert main([*asked, "--blocks", "40", "--threads", "1"]) == 0
    (first, none), *_, (second, former) = champions
    assert first is LEARNED
    assert none == 0
    candidate = load_weights(tmp_path / "candidate-1.npz")
    assert (second == (candidate if better else LEARNED)).all()
    assert former == better
    lines = League(arguments_of(asked)).generations()
    assert [one["verdict"] for one in lines] == [("H1" if better else "H0")] * 2
    assert [one["champion"] for one in lines] == [0, int(better)]
    assert lines[1]["games"] > lines[0]["games"], "a fit sees the games of all generations"


@pytest.mark.usefixtures("small")
def test_what_was_stopped_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [*asked_for(tmp_path), "--games", "20", "--threads", "1"]

    def stopped(number: int, *others: Any) -> Any:
        if number == 3:
            raise KeyboardInterrupt
        return play_league_part(number, *others)

    monkeypatch.setattr(league, "play_league_part", stopped)
    assert main(asked) == 130
    assert "goes on from here" in capsys.readouterr().out
    kept = {path.name for path in (tmp_path / "games-1").iterdir()}
    assert {"part-0.npz", "part-1.npz", "part-2.npz"} <= kept
    assert "part-3.npz" not in kept
    assert len(kept) < 10, "what had not begun is dropped"
    played: list[int] = []

    def going_on(number: int, *others: Any) -> Any:
        played.append(number)
        return play_league_part(number, *others)

    monkeypatch.setattr(league, "play_league_part", going_on)
    assert main(asked) == 0
    assert 3 in played
    assert not {0, 1, 2} & set(played)


def test_a_line_that_was_cut_off_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    assert read_lines(path) == []
    add_line(path, {"block": 0})
    with path.open("a") as file:
        file.write('{"block": 1, "adv')
    assert read_lines(path) == [{"block": 0}]
    add_line(path, {"block": 1})
    assert read_lines(path) == [{"block": 0}, {"block": 1}]
