"""The numbers of every option that is a choice of words: the one place where they are defined.

The text of a value is its name in lower case: `ClaimMode.DEAL_CARDS` is written `deal_cards`. The
declarations in `rubicon.rules.options` refer to these enumerations and say what each value means.
"""

from enum import IntEnum


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
