"""Actions as the engine reads them: one 64-bit integer each.

kind (5 bits) | a (8 bits) | b (8 bits) | c (8 bits) | n (32 bits), lowest bits first.
What a, b, c and n mean stands beside each kind; NOWHERE in an 8-bit field means "none".
"""

from enum import IntEnum

from rubicon.engine.records.layout import inlined

NOWHERE = 255
A_SHIFT, B_SHIFT, C_SHIFT, NUMBER_SHIFT = 5, 13, 21, 29
DEFENCE_BITS = 8  # room for the faces of three defence dice; those of the attack lie above
DEFENCE_MASK = (1 << DEFENCE_BITS) - 1


class ActionKind(IntEnum):
    CLAIM = 0  # a territory
    CAPITAL = 1  # a territory: the capital, or the headquarters
    PLACE = 2  # a territory, n armies
    SEAL = 3  # a seat
    OFFER = 4  # a card
    WITHDRAW = 5
    TRADE = 6  # a, b, c cards in ascending order, n territory of the bonus + 1 (0: not named)
    TRADE_OFFER = 7  # the cards offered, for their stars
    ATTACK = 8  # a source, b target, c 1: the same attack order goes on, n dice (0: not stated)
    DEFEND = 9  # n dice
    OCCUPY = 10  # n armies
    END_ATTACK = 11
    OBJECTIVE = 12  # a objective, b territory for its airfield
    DECLINE = 13  # claim nothing; trade no more
    FORTIFY = 14  # a source, b target, n armies
    END_TURN = 15
    STANDING = 16  # a seat, b territory (NOWHERE: all), n Standing
    RESIGN = 17  # a seat
    REVEAL = 18  # a seat: shows a mission that is complete


@inlined
def encode(kind: int, a: int, b: int, c: int, n: int) -> int:
    """The integer of an action."""
    low = kind | (int(a) << A_SHIFT) | (int(b) << B_SHIFT)
    return low | (int(c) << C_SHIFT) | (int(n) << NUMBER_SHIFT)


@inlined
def kind_of(action: int) -> int:
    return action & 31


@inlined
def a_of(action: int) -> int:
    return (action >> A_SHIFT) & 255


@inlined
def b_of(action: int) -> int:
    return (action >> B_SHIFT) & 255


@inlined
def c_of(action: int) -> int:
    return (action >> C_SHIFT) & 255


@inlined
def n_of(action: int) -> int:
    return (action >> NUMBER_SHIFT) & 0xFFFFFFFF
