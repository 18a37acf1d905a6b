"""The scripted bots play in character: what people recognise can be measured."""

from collections import Counter
from statistics import median
from typing import Any

import numpy as np
import pytest

from rubicon.engine.codes import ActionKind, a_of, b_of, kind_of
from rubicon.engine.records import NEUTRAL, BoardTables, Phase, Position, Seat
from rubicon.players.characters import BOTS, CHARACTERS, NAMES
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.players.recorded_games import Moment, moments

SCRIPTED = [one.name for one in CHARACTERS]
GAMES = 21  # every bot leaves out one game in seven
ROUNDS = 7  # later a seat may be about to win, and every bot presses on then
CLASSIC = Ruleset.load("classic")


class Conduct(Counter[str]):
    """What a bot did, by the name of the count; `turns` counts its turns."""

    def a_turn(self, name: str) -> float:
        """The count of a turn."""
        return self[name] / self["turns"]


def armies_of(position: Position, seat: int) -> int:
    return int(position.armies[position.owner == seat].sum())


def leads(position: Position, seat: int, other: int) -> bool:
    """Whether `other` has most armies and territories among the opponents of a seat."""
    strength = {
        opponent: armies_of(position, opponent) + 0.7 * position.territories[opponent]
        for opponent in range(position.seats)
        if opponent != seat and position.status[opponent] == Seat.PLAYING
    }
    return max(strength, key=lambda opponent: strength[opponent]) == other


def continents_of(position: Position, board: BoardTables, seat: int) -> int:
    owners: Any = np.asarray(position.owner)[: board.territories]
    continents: Any = np.asarray(board.continent)[: board.territories]
    return sum(bool((owners[continents == c] == seat).all()) for c in range(board.continents))


def largest_mass(position: Position, board: BoardTables, seat: int) -> int:
    """The size of a seat's largest connected mass, in territories."""
    left = {t for t in range(board.territories) if position.owner[t] == seat}
    most = 0
    while left:
        waiting, mass = [left.pop()], 1
        while waiting:
            t = waiting.pop()
            for other in board.neighbour[t][: board.degree[t]]:
                if other in left:
                    left.discard(other)
                    waiting.append(int(other))
                    mass += 1
        most = max(most, mass)
    return most


def watch_turn(conduct: Conduct, moment: Moment) -> None:
    """Count what the board shows at the start of a turn."""
    position = moment.position
    conduct["turns"] += 1
    conduct["continents"] += continents_of(position, CLASSIC.tables, moment.seat)
    conduct["mass"] += largest_mass(position, CLASSIC.tables, moment.seat)


def watch_attack(conduct: Conduct, moment: Moment, target: int) -> None:
    """Count the beginning of a battle, and whom it hits."""
    conduct["attacks"] += 1
    owner = int(moment.position.owner[target])
    if owner != NEUTRAL and leads(moment.position, moment.seat, owner):
        conduct["attacks on the leader"] += 1


@pytest.fixture(scope="module")
def conducts() -> dict[str, Conduct]:
    """The conduct of each bot in the same fields, up to round `ROUNDS`."""
    found = {name: Conduct() for name in SCRIPTED}
    for number in range(GAMES):
        bots = [SCRIPTED[(number + place) % len(SCRIPTED)] for place in range(6)]
        turn, battle, captures = (0, 0), (0, 0), 0
        for moment in moments(CLASSIC, bots, number, rounds=ROUNDS):
            if moment.position.phase < Phase.REINFORCE:
                continue
            conduct = found[bots[moment.seat]]
            if turn != (moment.seat, moment.position.round_number):
                turn, battle, captures = (moment.seat, moment.position.round_number), (0, 0), 0
                watch_turn(conduct, moment)
            kind = kind_of(moment.action)
            if kind == ActionKind.ATTACK and battle != (a_of(moment.action), b_of(moment.action)):
                battle = a_of(moment.action), b_of(moment.action)
                watch_attack(conduct, moment, battle[1])
            if kind == ActionKind.OCCUPY:
                captures += 1
                conduct["captures"] += 1
                conduct["turns of several captures"] += int(captures == 2)
    return found


def others(conducts: dict[str, Conduct], but: str, name: str) -> list[float]:
    return [one.a_turn(name) for bot, one in conducts.items() if bot != but]


def test_the_turtle_attacks_less_than_most(conducts: dict[str, Conduct]) -> None:
    attacks = [one.a_turn("attacks") for one in conducts.values()]
    assert conducts["turtle"].a_turn("attacks") < median(attacks)


def test_the_farmer_takes_one_territory_a_turn(conducts: dict[str, Conduct]) -> None:
    farmer = conducts["farmer"]
    assert farmer.a_turn("turns of several captures") < 0.15
    assert 0.8 < farmer.a_turn("captures") < 2.0


def test_the_economist_holds_more_continents_than_most(conducts: dict[str, Conduct]) -> None:
    held = sorted(one.a_turn("continents") for one in conducts.values())
    assert conducts["economist"].a_turn("continents") >= held[-2]


def test_the_expander_has_the_largest_connected_mass(conducts: dict[str, Conduct]) -> None:
    assert conducts["expander"].a_turn("mass") > max(others(conducts, "expander", "mass"))


def test_the_kingslayer_attacks_the_leader_most(conducts: dict[str, Conduct]) -> None:
    share = {bot: one["attacks on the leader"] / one["attacks"] for bot, one in conducts.items()}
    assert max(share, key=lambda bot: share[bot]) == "kingslayer"


@pytest.mark.parametrize("seed", range(6))
def test_the_peaceful_bot_attacks_nobody_who_left_it_alone(seed: int) -> None:
    """A seat that holds, or has attacked, what was the peaceful bot's has not left it alone."""
    bots = ["peaceful", *SCRIPTED[:5]]
    mine: set[int] = set()
    hostile: set[int] = {NEUTRAL}
    attacked: set[int] = set()
    for moment in moments(CLASSIC, bots, seed, rounds=15):
        position = moment.position
        hostile |= {int(position.owner[t]) for t in mine} - {0}
        mine |= {t for t in range(42) if position.owner[t] == 0}
        pressing = armies_of(position, 0) > 0.5 * int(position.armies[:42].sum())
        left = sum(position.status[seat] == Seat.PLAYING for seat in range(6))
        attacks = moment.seat == 0 and kind_of(moment.action) == ActionKind.ATTACK
        if attacks and left > 2 and not pressing:
            attacked.add(int(position.owner[b_of(moment.action)]))
    assert attacked <= hostile


def test_names_and_numbers_are_unique() -> None:
    assert len(NAMES) == len(BOTS) == len(set(NAMES.values()))
    assert all(bot.line.endswith(".") and len(bot.line) < 80 for bot in BOTS)
