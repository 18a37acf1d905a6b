"""The chances to win over a finished game: when the winner led, the bars, the rounds below."""

from __future__ import annotations

import pytest

from rubicon.cli.terminal import summary as module
from rubicon.cli.terminal.summary import (
    WinCurve,
    bar,
    chances_lines,
    round_axis,
    sampled,
    stretched,
    win_curve,
)
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.cli.at_terminal import rubicon
from tests.players.review.reviewed_game import finished_game, review

BOTS = ("--seats", "greedy,random,random", "--watch", "--plain", "--board", "skerries")
Row = tuple[float, float, float]


def seats() -> tuple[int, int, int]:
    """The winner's seat and the others'."""
    game = finished_game()
    assert game.winner is not None
    first = game.seat(game.winner)
    one, other = (seat for seat in range(3) if seat != first)
    return first, one, other


def told(*rows: Row) -> str:
    """The words on a game with these chances at its turns, two turns a round, the winner's first.

    The winner is called W, the others A and B.
    """
    game, order = finished_game(), seats()
    chances = tuple(tuple(row[order.index(seat)] for seat in range(3)) for row in rows)
    curve = WinCurve(tuple(1 + turn // 2 for turn in range(len(rows))), chances)
    (line,) = chances_lines(game, curve)
    for seat, letter in zip(order, "WAB", strict=True):
        line = line.replace(game.colours[seat], letter)
    return line


def test_the_curve_is_that_of_the_review() -> None:
    curve, turns = win_curve(finished_game()), review().curve.turns
    assert curve.rounds == (*(turn.round for turn in turns), turns[-1].round)
    assert curve.chances[:-1] == tuple(tuple(turn.before.tolist()) for turn in turns)
    assert curve.chances[-1] == tuple(turns[-1].after.tolist())
    shares: list[float] = []
    win_curve(finished_game(), shares.append)
    assert shares[-1] == 1.0


def test_a_game_without_a_turn_has_no_curve() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    assert win_curve(game) == WinCurve((), ())
    assert chances_lines(game, win_curve(game)) == []


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            ((0.5, 0.3, 0.2), (0.6, 0.1, 0.3), (1, 0, 0)),
            "W led from the first turn on. The others had at most: A 30% in round 1 and "
            "B 30% in round 1.",
        ),
        (
            ((0.5, 0.3, 0.2), (0.3, 0.6, 0.1), (0.08, 0.52, 0.4), (0.7, 0.1, 0.2), (1, 0, 0)),
            "W led from round 2 on, up from 8% in round 2. The others had at most: "
            "A 60% in round 1 and B 40% in round 2.",
        ),
        (
            ((0.4, 0.3, 0.3), (0.2, 0.8, 0), (1, 0, 0)),
            "W took the lead in the last turn, up from 20% in round 1. The others had at most: "
            "A 80% in round 1 and B 30% in round 1.",
        ),
    ],
)
def test_when_the_winner_led_and_how_near_the_others_came(
    rows: tuple[Row, ...], words: str
) -> None:
    assert told(*rows) == f"Chance to win: {words}"


def test_bars_are_as_high_as_the_chance() -> None:
    assert "".join(map(bar, (0.0, 0.004, 0.01, 0.5, 1.0))) == "  ▁▄█"


def test_a_long_game_is_sampled_and_a_short_one_stretched() -> None:
    assert sampled(5, 3) == [0, 2, 4]
    assert sampled(1, 3) == [0]
    assert stretched(3, 7, most=4) == [0, 0, 1, 1, 2, 2]
    assert stretched(3, 70, most=4) == [0] * 4 + [1] * 4 + [2] * 4
    assert stretched(0, 7, most=4) == []


def test_the_numbers_of_rounds_never_touch() -> None:
    assert round_axis([1, 1, 2, 2, 3]) == "1 2 3"
    assert round_axis([8, 8, 9, 10, 10, 11, 12, 12]) == "8 9  11"
    assert round_axis([9, 10]) == "9"
    assert round_axis([]) == ""


def test_line_mode_tells_the_chances_and_a_failure_takes_nothing_else_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code, printed = rubicon(*BOTS, "--seed", "3")
    assert code == 0
    assert "\nChance to win: " in printed
    assert "The others had at most: " in printed.replace("\n", " ")

    def fail(game: Game) -> WinCurve:
        raise ZeroDivisionError

    monkeypatch.setattr(module, "win_curve", fail)
    code, other = rubicon(*BOTS, "--seed", "3")
    assert code == 0
    assert "Chance to win" not in other
    assert other == printed[: printed.index("Chance to win: ")]
