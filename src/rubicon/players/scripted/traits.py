"""The numbers that make a character. Values and weights are in armies unless a comment says so."""

from typing import Annotated

import numpy as np

from rubicon.engine.records.layout import RecordLayout, record_dtype


class Traits(RecordLayout):
    """What a scripted bot values, fears and refuses."""

    # what a capture is worth
    land: Annotated[float, np.float64]  # any territory
    card: Annotated[float, np.float64]  # the card of the turn, as a share of a third of a set
    connection: Annotated[float, np.float64]  # each own neighbour of a target
    continent: Annotated[float, np.float64]  # a continent, in turns of its bonus
    progress: Annotated[float, np.float64]  # a territory of a promising continent, in its bonus
    breaking: Annotated[float, np.float64]  # another's continent, in turns of its bonus
    leader: Annotated[float, np.float64]  # a territory of the leading seat
    others: Annotated[float, np.float64]  # the factor of `land` for seats that do not lead
    grudge: Annotated[float, np.float64]  # a territory of a seat that has taken own territories
    elimination: Annotated[float, np.float64]  # a seat eliminated, cards apart
    spoils: Annotated[float, np.float64]  # an eliminated seat's cards, as a share of their worth
    # what an attack costs
    loss: Annotated[float, np.float64]  # an army lost
    fear: Annotated[float, np.float64]  # a threat to a continent, as a share of its armies
    caution: Annotated[float, np.float64]  # an army that is missing against the strongest neighbour
    battle_chance: Annotated[float, np.float64]  # the chance that a battle needs, 0 to 1
    plan_chance: Annotated[float, np.float64]  # the chance that a plan needs, 0 to 1
    captures: Annotated[float, np.float64]  # the most captures a turn, eliminations apart
    peace: Annotated[float, np.float64]  # 1: attacks only seats that have attacked it
    # where armies stand
    guard: Annotated[float, np.float64]  # the share of a threat that a continent's border keeps
    gate: Annotated[float, np.float64]  # the weight of an army missing at such a border
    stack: Annotated[float, np.float64]  # the weight of an army that stands there already
    target: Annotated[float, np.float64]  # the weight of what can be attacked from there
    # cards and the end
    patience: Annotated[float, np.float64]  # cards in the hand at which a rising set is traded
    closing: Annotated[
        float, np.float64
    ]  # the share of all armies from which it presses on, 0 to 1


TRAITS = record_dtype(Traits)
