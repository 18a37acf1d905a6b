"""Every decision as one number of a fixed list, for programs that want a flat, masked choice.

The list depends on the board and on three facts of the ruleset: whether armies fortify beyond
neighbours, and whether there are objectives or missions. Numbers of armies come in four amounts,
and a set of cards is named by its designs, so a flat choice says less than a range and a number.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations

import numpy as np

from rubicon.engine.phases.attack import MOST_ATTACK_DICE, MOST_DEFENCE_DICE
from rubicon.engine.records.action_codes import ActionKind
from rubicon.engine.records.choices import FortifyReach
from rubicon.engine.records.position import NONE, OBJECTIVES
from rubicon.engine.records.tables import Design
from rubicon.lab.flat_actions import DESIGNS, FLAT_TABLES, FlatTables
from rubicon.rules.ruleset.ruleset import Ruleset

AMOUNTS = ("lowest", "quarter", "half", "highest")


@dataclass(frozen=True, slots=True)
class FlatActions:
    """The list of flat choices of a ruleset: its length, the name of each, and its tables."""

    size: int
    names: tuple[str, ...]
    tables: FlatTables

    @classmethod
    def of(cls, ruleset: Ruleset) -> "FlatActions":
        """The list for a ruleset on its board."""
        tables: FlatTables = np.zeros(1, FLAT_TABLES)[0]
        np.asarray(tables.border)[:] = NONE
        borders = [(int(a), int(b)) for a, b in np.argwhere(np.asarray(ruleset.tables.adjacent))]
        for number, (a, b) in enumerate(borders):
            tables.border[a, b] = number
        for number, designs in enumerate(combinations_with_replacement(range(DESIGNS), 3)):
            for a, b, c in permutations(designs):
                tables.design_set[(a * DESIGNS + b) * DESIGNS + c] = number
        tables.pairs = int(ruleset.rules.fortify_reach != FortifyReach.ADJACENT)
        names: list[str] = []
        for kind, block in _blocks(ruleset, borders):
            tables.start[kind] = len(names) if block else NONE
            names += block
            if kind == ActionKind.ATTACK:
                tables.again = len(names) - MOST_ATTACK_DICE
        return cls(len(names), tuple(names), tables)


def _blocks(
    ruleset: Ruleset, borders: list[tuple[int, int]]
) -> Iterator[tuple[ActionKind, list[str]]]:
    """The kinds of decisions in the order of the list, with the names of their numbers."""
    places = [territory.id for territory in ruleset.board.territories]
    pairs = [f"{places[a]} -> {places[b]}" for a, b in borders]
    moves = pairs
    if ruleset.rules.fortify_reach != FortifyReach.ADJACENT:
        moves = [f"{a} -> {b}" for a in places for b in places]
    attack_dice = [f"dice {dice + 1}" for dice in range(MOST_ATTACK_DICE)]
    sets = combinations_with_replacement([design.name.lower() for design in Design], 3)
    objectives = [objective.id for objective in ruleset.board.objectives]
    objectives += [f"objective {number + 1}" for number in range(len(objectives), OBJECTIVES)]
    airfields = ["", *(f" airfield {place}" for place in places)]
    claims = [f"objective {one}{place}" for one in objectives for place in airfields]
    yield ActionKind.CLAIM, [f"claim {place}" for place in places]
    yield ActionKind.CAPITAL, [f"capital {place}" for place in places]
    yield ActionKind.PLACE, [f"place {place} {much}" for place in places for much in AMOUNTS]
    yield ActionKind.SEAL, ["seal"]
    yield ActionKind.OFFER, [f"offer card {card}" for card in range(int(ruleset.tables.cards))]
    yield ActionKind.WITHDRAW, ["withdraw"]
    yield ActionKind.TRADE, [f"trade {' '.join(designs)}" for designs in sets]
    yield ActionKind.TRADE_OFFER, ["trade"]
    ordered = [f"attack {pair} {dice}" for pair in (*pairs, "again") for dice in attack_dice]
    yield ActionKind.ATTACK, ordered
    yield ActionKind.DEFEND, [f"defend {dice + 1}" for dice in range(MOST_DEFENCE_DICE)]
    yield ActionKind.OCCUPY, [f"occupy {much}" for much in AMOUNTS]
    yield ActionKind.END_ATTACK, ["end attack"]
    yield ActionKind.OBJECTIVE, claims if ruleset.rules.objectives_in_play else []
    yield ActionKind.DECLINE, ["decline"]
    yield ActionKind.FORTIFY, [f"fortify {pair} {much}" for pair in moves for much in AMOUNTS]
    yield ActionKind.END_TURN, ["end turn"]
    yield ActionKind.STANDING, []
    yield ActionKind.RESIGN, []
    yield ActionKind.REVEAL, ["reveal"] if ruleset.rules.missions_in_play else []
