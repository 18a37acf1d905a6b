"""The league that trains the value model."""

import json
import random
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import numpy as np
import pytest

from research import league, league_games
from research.fitting import Examples, model_of
from research.folders import add_line, read_lines
from research.league import Fits, LeagueFolder, main
from research.league_games import (
    LEAGUE_KINDS,
    LeagueTables,
    Pair,
    Player,
    advantages,
    group_of,
    in_the_pool,
    play_league_part,
    summary,
)
from research.playing import KINDS, QUICK, Noted, read_parts
from rubicon.errors import RubiconError
from rubicon.players.characters import EXPERT, NAMES
from rubicon.players.planner.features import FEATURES
from rubicon.players.planner.value import LEARNED, load_weights

DUEL = next(one for one, kind in enumerate(LEAGUE_KINDS) if kind.ruleset == "two-player")
SIX = next(one for one, kind in enumerate(LEAGUE_KINDS) if kind.players == 6)
SEED = 10**12


def other_model() -> Any:
    other = LEARNED.copy()
    other["last"] += 1
    return other


def won_by(winner: int) -> Noted:
    """A game of which nothing was noted."""
    return Noted(np.zeros((0, 6, FEATURES)), np.zeros((0, 6)), np.zeros(0), winner)


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
        return Noted(np.zeros((1, 6, FEATURES)), np.ones((1, 6), np.int8), np.zeros(6), 0)

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
        return Noted(np.zeros((0, 6, FEATURES)), np.zeros((0, 6)), policies, 0)

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
    monkeypatch.setattr(league_games, "kind_of", lambda rng: DUEL)
    block = Pair(LEARNED.copy(), LEARNED, SEED).block(number, LeagueTables())
    assert block == {"block": number, "kind": "duels", "advantage": 0, "unfinished": 0}


def test_in_a_block_the_two_change_places(seated: list[Any]) -> None:
    pair = Pair(other_model(), LEARNED, SEED)
    for number in range(40):
        seated.clear()
        pair.block(number, LeagueTables())
        (kind, first, seed), (same_kind, second, same_seed) = seated
        assert (kind, seed) == (same_kind, same_seed)
        for one, other in zip(first, second, strict=True):
            if isinstance(one, str):
                assert one == other
                assert number % 2
            else:
                assert (one is pair.candidate) != (other is pair.candidate)
        if number % 2:
            assert not any(player is LEARNED for player in first)
        else:
            share = sum(player is pair.candidate for player in first)
            assert share in (len(first) // 2, (len(first) + 1) // 2)


def test_who_always_wins_has_all_the_advantage(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(other_model(), LEARNED, SEED)

    def play(self: Any, kind: int, players: list[Player], seed: int, one_in: int) -> Any:
        best = [seat for seat, one in enumerate(players) if one is pair.candidate]
        others = [seat for seat, one in enumerate(players) if isinstance(one, str)]
        return won_by((best or others or [0])[0])

    monkeypatch.setattr(LeagueTables, "play", play)
    tables = LeagueTables()
    found = [pair.block(number, tables) for number in range(40)]
    assert advantages(found) == [1.0] * 40
    swapped = Pair(LEARNED, pair.candidate, SEED)
    assert advantages([swapped.block(number, tables) for number in range(40)]) == [-1.0] * 40
    monkeypatch.setattr(LeagueTables, "play", lambda *_: won_by(-1))
    nobody = pair.block(0, tables)
    assert (nobody["advantage"], nobody["unfinished"]) == (0, 2)


def test_a_summary_tells_tables_and_kinds_apart() -> None:
    kinds = ["duels", "rising cards", "duels", "other cards"]
    given = [
        {"block": number, "kind": kind, "advantage": number / 2, "unfinished": 1}
        for number, kind in enumerate(kinds)
    ]
    found = summary(given)
    assert found["all"]["advantage"] == 0.75
    assert found["at one table"]["advantage"] == 0.5
    assert found["with the pool"]["advantage"] == 1.0
    assert found["duels"] == {"blocks": 2, "advantage": 0.5, "low": 0.0, "high": 1.0}
    assert found["unfinished games"] == 4
    assert {group_of(kind) for kind in LEAGUE_KINDS} == {*kinds, "other rulesets"}


def examples_that_differ(games: int) -> Examples:
    """Four turns a game; the seat with the highest first feature wins."""
    rng = np.random.default_rng(3)
    rows = rng.random((4 * games, 6, FEATURES)).astype(np.float16)
    playing = np.zeros((4 * games, 6), np.int8)
    playing[:, :3] = 1
    winner = rows[:, :3, 0].argmax(1).astype(np.int8)
    return Examples(rows, playing, np.zeros_like(playing), winner, np.repeat(np.arange(games), 4))


def test_a_fit_does_not_see_every_tenth_game_of_both_kinds() -> None:
    fits = Fits(examples_that_differ(100), model_of(LEARNED))
    unseen = set(fits.unseen.game.tolist())
    assert unseen == {game for game in range(100) if game % 20 in (0, 1)}
    assert unseen.isdisjoint(fits.seen.game.tolist())
    assert len(fits.seen) + len(fits.unseen) == 400


def test_the_fit_with_the_lowest_loss_on_games_not_seen_is_kept() -> None:
    fits = Fits(examples_that_differ(200), model_of(LEARNED))
    fits.add(0.5, 2, 1)
    fits.add(1.0, 3, 1)
    found = fits.account()
    assert found["better"]
    curves = found["losses by lambda and epoch"]
    assert [len(curve) for curve in curves.values()] == [2, 3]
    assert curves[str(found["lambda"])][found["epoch"] - 1] == min(map(min, curves.values()))
    assert fits.loss(fits.best, fits.unseen) == min(map(min, curves.values())) < fits.before


def test_where_no_fit_is_better_the_champion_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("research.league.RATE", 10.0)  # it learns nothing so
    fits = Fits(examples_that_differ(20), model_of(LEARNED))
    fits.add(1.0, 2, 1)
    found = fits.account()
    assert not found["better"]
    assert (fits.best["last"] == LEARNED["last"][0]).all()
    assert found["loss of the champion"] == found["loss of the candidate"]


def asked_for(folder: Path, *others: str) -> list[str]:
    asked = [str(folder), "--games", "4", "--threads", "2", "--epochs", "1", "--blocks", "4"]
    return [*asked, "--confirming", "2", *others]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of two duels, two blocks between two looks, and each fit counts as a better one."""
    for module in (league, league_games):
        monkeypatch.setattr(module, "PART", 2)
    monkeypatch.setattr(league, "LOOK", 2)
    monkeypatch.setattr(league_games, "kind_of", lambda rng: DUEL)
    real = Fits.account
    monkeypatch.setattr(Fits, "account", lambda self: real(self) | {"better": True})


def verdicts(monkeypatch: pytest.MonkeyPatch, quick: float, usual: float) -> None:
    """All blocks end so: those in which all think little, and those with usual thinking."""

    def block(self: Pair, number: int, tables: LeagueTables) -> dict[str, Any]:
        little = (tables.notes[0].thinking == QUICK[0]).all()
        advantage = quick if little else usual
        return {"block": number, "kind": "duels", "advantage": advantage, "unfinished": 0}

    monkeypatch.setattr(Pair, "block", block)


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
    assert line["fit"]["turns"] == len(read_parts(tmp_path / "games-1"))
    assert line["test"]["at the stop"]["blocks"] == 4
    assert not line["promoted"], "four blocks are too few for a verdict"
    monkeypatch.setattr(LeagueTables, "play", None)  # nothing is played again
    assert main(asked_for(tmp_path)) == 0
    assert capsys.readouterr().out.splitlines() == printed[-1:]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("quick", "usual", "promoted"), [(1.0, 0.5, True), (1.0, -0.5, False), (-1.0, 1.0, False)]
)
def test_only_who_wins_more_is_the_next_champion(
    quick: float, usual: float, promoted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    champions: list[tuple[Any, int]] = []

    def part(number: int, seed: int, champion: Any, former: list[Any]) -> Any:
        champions.append((champion, len(former)))
        return play_league_part(number, seed, champion, former)

    monkeypatch.setattr(league, "play_league_part", part)
    verdicts(monkeypatch, quick, usual)
    asked = [*asked_for(tmp_path), "--generations", "2", "--blocks", "40", "--threads", "1"]
    assert main(asked) == 0
    (first, none), *_, (second, former) = champions
    assert (first == LEARNED).all()
    assert none == 0
    candidate = load_weights(tmp_path / "candidate-1.npz")
    assert (second == (candidate if promoted else LEARNED)).all()
    assert former == promoted
    one, other = read_lines(tmp_path / "log.jsonl")
    assert one["test"]["verdict"] == ("H1" if quick > 0 else "H0")
    assert ("confirmation" in one) == (quick > 0)
    assert one["promoted"] == promoted
    assert other["champion"] == promoted
    assert other["fit"]["games"] > one["fit"]["games"], "a fit sees the games of all generations"


@pytest.mark.usefixtures("small")
def test_who_loses_to_the_champion_is_not_promoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It wins more on the average, as it beats the pool."""

    def block(self: Pair, number: int, tables: LeagueTables) -> dict[str, Any]:
        advantage = 1.0 if number % 2 else -0.1
        return {"block": number, "kind": "duels", "advantage": advantage, "unfinished": 0}

    monkeypatch.setattr(Pair, "block", block)
    assert main([*asked_for(tmp_path), "--blocks", "100"]) == 0
    (line,) = read_lines(tmp_path / "log.jsonl")
    assert line["test"]["verdict"] == "H1"
    assert not line["promoted"]
    assert "confirmation" not in line


@pytest.mark.usefixtures("small")
def test_a_fit_that_is_no_better_is_not_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Fits, "account", lambda self: {"better": False})
    monkeypatch.setattr(Pair, "block", None)
    assert main(asked_for(tmp_path)) == 0
    (line,) = read_lines(tmp_path / "log.jsonl")
    assert not line["promoted"]


@pytest.mark.usefixtures("small")
def test_what_was_stopped_while_it_played_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [*asked_for(tmp_path), "--games", "20"]
    stopped = Event()

    def stop(number: int, *others: Any) -> Any:
        if number == 2:  # the other thread waits until the command has been stopped
            stopped.set()
            raise KeyboardInterrupt
        if number == 3:
            assert stopped.wait(60)
            sleep(0.5)
        return play_league_part(number, *others)

    monkeypatch.setattr(league, "play_league_part", stop)
    assert main(asked) == 130
    assert "goes on from here" in capsys.readouterr().out
    kept = {path.name for path in (tmp_path / "games-1").iterdir()}
    assert kept >= {"part-0.npz", "part-1.npz"}
    assert kept <= {"part-0.npz", "part-1.npz", "part-3.npz", "part-4.npz"}
    played: list[int] = []

    def going_on(number: int, *others: Any) -> Any:
        played.append(number)
        return play_league_part(number, *others)

    monkeypatch.setattr(league, "play_league_part", going_on)
    assert main(asked) == 0
    assert played[0] == 2
    assert not {0, 1} & set(played)
    assert len({path.name for path in (tmp_path / "games-1").iterdir()}) == 10


@pytest.mark.usefixtures("small")
def test_what_was_stopped_in_a_test_goes_on_with_the_same_candidate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, played = Pair.block, list[int]()
    asked = [*asked_for(tmp_path), "--threads", "1"]
    stopping = iter([False, False, True])

    def stopped(self: Pair, number: int, tables: LeagueTables) -> dict[str, Any]:
        if next(stopping):
            raise KeyboardInterrupt
        return real(self, number, tables)

    monkeypatch.setattr(Pair, "block", stopped)
    assert main(asked) == 130
    candidate = (tmp_path / "candidate-1.npz").read_bytes()
    monkeypatch.setattr(Fits, "add", None)  # nothing is fitted again

    def going_on(self: Pair, number: int, tables: LeagueTables) -> dict[str, Any]:
        played.append(number)
        return real(self, number, tables)

    monkeypatch.setattr(Pair, "block", going_on)
    assert main(asked) == 0
    assert played == [2, 3]
    assert (tmp_path / "candidate-1.npz").read_bytes() == candidate


@pytest.mark.usefixtures("small")
def test_a_folder_keeps_to_the_settings_and_the_champion_that_it_began_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(league, "Generation", None)
    other = other_model()
    done = [*asked_for(tmp_path)]
    (tmp_path / "log.jsonl").write_text('{"generation": 1, "promoted": false}\n')
    assert main(done) == 0
    monkeypatch.setattr(league, "LEARNED", other)
    assert main(done) == 0
    assert (load_weights(tmp_path / "champion-0.npz") == LEARNED).all()
    assert main([*done, "--games", "8", "--lambda", "1"]) == 2
    error = capsys.readouterr().err
    assert "was begun with games 4, lambda [0.7, 0.8, 0.9]" in error
    assert "league/other-settings" in error


def test_two_programs_do_not_train_in_one_folder(tmp_path: Path) -> None:
    refused = pytest.raises(RubiconError, match="Another program trains in")
    with LeagueFolder(tmp_path, {}, LEARNED), refused:
        LeagueFolder(tmp_path, {}, LEARNED)
    LeagueFolder(tmp_path, {}, LEARNED).close()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--games", "50"], "multiple of 40"),
        (["--games", "0"], "multiple of 40"),
        (["--blocks", "1"], "at least 2"),
        (["--confirming", "0"], "at least 2"),
        (["--threads", "0"], "at least 1"),
        (["--lambda", "0.8", "1.5"], "from 0 to 1"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(
    given: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path / "league"), *given])
    assert said in capsys.readouterr().err
    assert not (tmp_path / "league").exists()


def test_a_line_that_was_cut_off_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    assert read_lines(path) == []
    add_line(path, {"block": 0})
    with path.open("a") as file:
        file.write('{"block": 1, "adv')
    assert read_lines(path) == [{"block": 0}]
    add_line(path, {"block": 1})
    assert read_lines(path) == [{"block": 0}, {"block": 1}]
