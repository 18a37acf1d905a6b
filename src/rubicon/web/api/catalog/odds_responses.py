"""What clients get of the odds of a battle."""

from __future__ import annotations

from typing import TypedDict

from rubicon.odds.outlook import Outlook

DIGITS = 6  # of a chance in a distribution, behind the point


class StopOddsView(TypedDict):
    """The odds of an attack that ends when at most `left` armies are left.

    `taken_left` parts the chance `taken` by n, the armies left before any move in: the chance of n
    is at index n. `held_left` does the same for an attack that ends before. On a path, n counts
    the armies on the territory from which was attacked last.
    """

    left: int
    taken: float
    held: float
    expected_attack_losses: float
    expected_defend_losses: float
    taken_left: list[float]
    held_left: list[float]


class BattleOddsView(TypedDict):
    """The chance to win a battle (0 to 1), and the average number of armies that it costs.

    `defend` counts all defenders of a path, `path` those of each territory. `win` and the losses
    are those of an attack to the end; `stops` has the odds for each number of armies at which it
    may end, for large attacks only some of them.
    """

    attack: int
    defend: int
    path: list[int]
    win: float
    expected_attack_losses: float
    expected_defend_losses: float
    stops: list[StopOddsView]


class TargetOddsView(TypedDict):
    """A territory that can be attacked, its armies, and the odds under the stop that was asked.

    `odds` is null where there are too few armies to attack, more than 300, or hidden ones. `stops`
    has the odds of every stop "until n left"; only where one target was asked for.
    """

    target: str
    armies: int
    odds: StopOddsView | None
    stops: list[StopOddsView]


class GameOddsView(TypedDict):
    """The odds of an attack from one territory against each of its targets."""

    source: str
    targets: list[TargetOddsView]


def stop_view(outlook: Outlook) -> StopOddsView:
    """The odds under one stop rule."""
    return {
        "left": outlook.stop.left,
        "taken": outlook.taken,
        "held": outlook.held,
        "expected_attack_losses": outlook.expected_attack_losses,
        "expected_defend_losses": outlook.expected_defend_losses,
        "taken_left": [round(chance, DIGITS) for chance in outlook.taken_left],
        "held_left": [round(chance, DIGITS) for chance in outlook.held_left],
    }
