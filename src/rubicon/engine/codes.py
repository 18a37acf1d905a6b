"""The numbers of the engine: values of options, actions, and reasons of refusal."""

from enum import IntEnum

from rubicon.engine.records import inlined

# The numbers of every option that is a choice of words: the one place where they are defined.
#
# The text of a value is its name in lower case: `ClaimMode.DEAL_CARDS` is written `deal_cards`.
# The declarations in `rubicon.rules.options` refer to these enumerations and say what each value
# means.


class FirstPlayer(IntEnum):
    DIE_ROLL = 0
    RANDOM = 1
    GM_ASSIGNED = 2


class ClaimMode(IntEnum):
    DRAFT = 0
    DEAL_CARDS = 1
    DEAL_THREE_PILES = 2
    RANDOM = 3


class Placing(IntEnum):
    ONE_EACH_ROUND = 0
    ALL_AT_ONCE = 1
    TWO_OWN_ONE_NEUTRAL = 2


class TurnOne(IntEnum):
    FIRST_PLACER = 0
    NEW_ROLL = 1


class HqReveal(IntEnum):
    SIMULTANEOUS = 0
    OPEN = 1


class HqNeeded(IntEnum):
    ALL = 0
    SHORT = 1


class MinimumScope(IntEnum):
    TERRITORY_PART = 0
    TURN_TOTAL = 1


class ContinentTiming(IntEnum):
    TURN_START = 0
    SNAPSHOT_END_OF_OWN_TURN = 1
    PLACED_END_OF_OWN_TURN = 2


class Rounding(IntEnum):
    DOWN = 0
    UP = 1


class Deck(IntEnum):
    WITH_WILDS = 0  # written 44
    PLAIN = 1  # written 42
    STARS = 2  # written stars42


class SetValues(IntEnum):
    ESCALATING = 0
    PLUS_ONE = 1
    FIXED = 2
    STARS = 3


class SetCounter(IntEnum):
    GLOBAL = 0
    PER_PLAYER = 1


class ForcedTrade(IntEnum):
    ONE_SET = 0
    ALL_COMPLETE_UP_TO_TWO = 1
    UNTIL_BELOW_5 = 2
    NONE = 3


class BonusCap(IntEnum):
    PER_TURN_2 = 0
    PER_SET_2 = 1
    PER_CARD = 2


class CardTrigger(IntEnum):
    CAPTURED = 0
    CAPTURED_FROM_PLAYER = 1
    CAPTURED_AND_NO_CLAIM = 2


class DrawTime(IntEnum):
    END_OF_ATTACK = 0
    END_OF_TURN = 1


class EliminationTrade(IntEnum):
    BK93 = 0
    NONE = 1
    OPTIONAL = 2


class EmptyPile(IntEnum):
    RESHUFFLE = 0
    NO_CARD = 1


class CardVisibility(IntEnum):
    PUBLIC = 0
    PRIVATE_COUNT_PUBLIC = 1


class AttackDiceCap(IntEnum):
    ARMIES_MINUS_1 = 0
    ARMIES_GUARDED = 1


class DefendDiceCap(IntEnum):
    ARMIES = 0
    TWO_ALWAYS = 1


class ExtraDefenceDie(IntEnum):
    COMPARE_ALL = 0
    BEST_ONLY = 1


class AttackDefault(IntEnum):
    MAX = 0
    MUST_STATE = 1


class DefendDefault(IntEnum):
    TWO = 0
    MAX_LEGAL = 1
    MUST_STATE = 2


class Announce(IntEnum):
    ATTACKER_THEN_DEFENDER = 0
    SEALED = 1
    STANDING_ORDER = 2


class OccupyMinimum(IntEnum):
    LAST_DICE = 0
    ONE = 1


class FortifyReach(IntEnum):
    ADJACENT = 0
    CONNECTED = 1
    ANY = 2
    CONNECTED_MANY = 3


class Rebels(IntEnum):
    NONE = 0
    GM_LIST = 1
    ABANDONED_PLAYER = 2


class NeutralLayout(IntEnum):
    NONE = 0
    FOURTEEN = 1
    SINGLE40 = 2


class NeutralDice(IntEnum):
    OPPONENT_CHOOSES = 0
    ALWAYS_TWO = 1
    MAX_LEGAL = 2


class ResignMode(IntEnum):
    TO_NEUTRAL = 0
    TO_REBELS = 1


class Goal(IntEnum):
    CONQUEST = 0
    MISSION = 1
    OBJECTIVES = 2
    HEADQUARTERS = 3


class MissionKiller(IntEnum):
    ANYONE = 0
    SELF_ELSE_24 = 1


class MissionCheck(IntEnum):
    IMMEDIATE_ANY_PLAYER = 0
    OWN_TURN_END = 1


class UnusedColours(IntEnum):
    REMOVED = 0
    KEPT_24 = 1


class OwnColour(IntEnum):
    FALLBACK_24 = 0
    REDRAW = 1


class MissionReveal(IntEnum):
    AUTO = 0
    MANUAL = 1


class RevisedWin(IntEnum):
    END_OF_OWN_TURN = 0
    IMMEDIATE = 1


class ContinentTurn(IntEnum):
    NO_PRESENCE = 0
    NOT_CONTROLLED = 1


class AirfieldLost(IntEnum):
    SUSPENDED = 0
    TRANSFERS = 1
    REMOVED = 2


class BonusDie(IntEnum):
    DROP_LOWEST = 0
    COMPARE_EXTRA = 1


class RewardStart(IntEnum):
    IMMEDIATE = 0
    NEXT_TURN = 1


class LimitWinner(IntEnum):
    TERRITORIES = 0
    DRAW = 1


# Actions as the engine reads them: one 64-bit integer each.
#
# kind (5 bits) | a (8 bits) | b (8 bits) | c (8 bits) | n (32 bits), lowest bits first. What a,
# b, c and n mean is next to each kind; NOWHERE in an 8-bit field means "none".

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


# Why an action is refused, as a number; `rubicon.rules.refusals` has the sentences.
#
# The sentences live elsewhere so that rewording one does not recompile the engine.


class Refusal(IntEnum):
    """0 is legal; the others are looked up in `REASONS`."""

    LEGAL = 0
    OVER = 1
    CHANCE_PENDING = 2
    WRONG_PHASE = 3
    NOT_PLAYING = 4
    MALFORMED = 5
    UNKNOWN_TERRITORY = 6
    NOT_YOUR_TERRITORY = 7
    ZERO = 8
    OCCUPATION_PENDING = 9
    DEFENCE_PENDING = 10
    CLAIM_TAKEN = 11
    CAPITAL_FIRST = 12
    CAPITAL_ALREADY = 13
    CAPITAL_ON_CITY = 14
    PLACE_TOO_MANY = 15
    PLACE_ONE = 16
    PLACE_OWN_FIRST = 17
    PLACE_NEUTRAL = 18
    SEALED_ALREADY = 19
    ARMIES_LEFT = 20
    TRADE_FORCED = 21
    TRADE_STOPS = 22
    TRADE_LIMIT = 23
    TRADE_STARS = 24
    TRADE_SETS = 25
    CARD_NOT_HELD = 26
    NO_SET = 27
    TWO_WILDS = 28
    BONUS_UNNAMED = 29
    BONUS_NOT_DUE = 30
    BONUS_NOT_PICTURED = 31
    OFFER_OPEN = 32
    NOTHING_OFFERED = 33
    TOO_FEW_STARS = 34
    TOO_MANY_STARS = 35
    OWN_TERRITORY = 36
    NOT_ADJACENT = 37
    TOO_FEW_ARMIES = 38
    TOO_MANY_DICE = 39
    DICE_UNSTATED = 40
    ORDER_OVER = 41
    DEFENCE_DICE = 42
    OCCUPY_TOO_FEW = 43
    OCCUPY_TOO_MANY = 44
    OBJECTIVE_NOT_FACE_UP = 45
    OBJECTIVE_TAKEN = 46
    OBJECTIVE_NOT_MET = 47
    AIRFIELD_UNNAMED = 48
    AIRFIELD_NOT_DUE = 49
    SAME_TERRITORY = 50
    FORTIFY_NOT_ADJACENT = 51
    NOT_CONNECTED = 52
    LEAVE_ONE = 53
    NO_STARTING_MANOEUVRE = 54
    MISSION_NOT_SHOWN = 55
    MISSION_INCOMPLETE = 56
    CLAIM_OBJECTIVE_FIRST = 57
    STANDING_VALUE = 58
    NOT_YOUR_TURN = 59
    ANOTHERS_ACTION = 60
    TRUCE = 61
