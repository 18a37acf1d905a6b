"""Why an action is refused: a number for the kernel, a stable code, a sentence, rule ids."""

from dataclasses import dataclass
from enum import IntEnum

from rubicon.rules.errors import RubiconError


class Refusal(IntEnum):
    """0 is legal; the others are looked up in `REASONS`."""

    LEGAL = 0
    OVER = 1
    CHANCE_OWED = 2
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


@dataclass(frozen=True, slots=True)
class Reason:
    """The words of a refusal; `hint` says what would do."""

    code: str
    sentence: str
    rules: tuple[str, ...]
    hint: str = ""


R = Refusal
REASONS: dict[Refusal, Reason] = {
    R.OVER: Reason("game/over", "The game is over.", ("S001-71", "A-61")),
    R.CHANCE_OWED: Reason(
        "game/chance-owed", "Dice or a card are owed first; nobody can decide before.", ("S000-02",)
    ),
    R.WRONG_PHASE: Reason("action/wrong-phase", "That is not possible now.", ("S002-09",)),
    R.NOT_PLAYING: Reason("seat/not-playing", "That seat does not play (any more).", ("S000-19",)),
    R.MALFORMED: Reason("action/malformed", "That is no action of this game.", ()),
    R.UNKNOWN_TERRITORY: Reason(
        "action/unknown-territory", "There is no such territory on this board.", ()
    ),
    R.NOT_YOUR_TERRITORY: Reason(
        "territory/not-yours", "The territory belongs to somebody else.", ("S001-42", "S001-44")
    ),
    R.ZERO: Reason("action/zero", "At least one army must take part.", ("A-75",)),
    R.OCCUPATION_PENDING: Reason(
        "occupy/pending",
        "The captured territory must be occupied first.",
        ("S000-10",),
        "Say how many armies move in: `occupy N`.",
    ),
    R.DEFENCE_PENDING: Reason(
        "defend/pending",
        "The defender chooses dice first.",
        ("A-29",),
        "Say how many dice: `defend N`.",
    ),
    R.CLAIM_TAKEN: Reason("claim/taken", "The territory is taken.", ("S001-24", "S004-08")),
    R.CAPITAL_FIRST: Reason(
        "claim/capital-first", "The first territory of a seat is its capital.", ("S001-24",)
    ),
    R.CAPITAL_ALREADY: Reason("capital/already", "The capital is founded already.", ("S001-24",)),
    R.CAPITAL_ON_CITY: Reason(
        "capital/on-city", "Under these rules no capital stands on a city.", ("A-59",)
    ),
    R.PLACE_TOO_MANY: Reason("place/too-many", "There are not that many armies.", ("S001-42",)),
    R.PLACE_ONE: Reason("place/one-at-a-time", "One army is placed at a time.", ("A-09",)),
    R.PLACE_OWN_FIRST: Reason(
        "place/own-first", "One's own two armies are placed before the neutral one.", ("A-09",)
    ),
    R.PLACE_NEUTRAL: Reason(
        "place/neutral-army", "The neutral army stands on a neutral territory.", ("A-09",)
    ),
    R.SEALED_ALREADY: Reason("seal/already", "This placement is sealed already.", ("A-07",)),
    R.ARMIES_LEFT: Reason(
        "place/armies-left", "All armies received must be placed first.", ("S001-42", "A-65")
    ),
    R.TRADE_FORCED: Reason(
        "trade/forced", "With so many cards a set must be traded first.", ("S002-24", "S000-21")
    ),
    R.TRADE_STOPS: Reason(
        "trade/not-now", "No set can be traded at this moment.", ("S000-22", "S000-23", "A-84")
    ),
    R.TRADE_LIMIT: Reason("trade/limit", "No further set this turn.", ("A-67", "A-41")),
    R.TRADE_STARS: Reason(
        "trade/stars",
        "These cards are traded for their stars.",
        ("S001-40",),
        "Offer cards one by one, then `trade`.",
    ),
    R.TRADE_SETS: Reason("trade/sets", "These cards are traded in sets of three.", ("S002-19",)),
    R.CARD_NOT_HELD: Reason("trade/not-held", "A card named is not in the hand.", ("A-86",)),
    R.NO_SET: Reason(
        "trade/no-set",
        "Those cards are no set.",
        ("S002-19", "S003-24", "S004-16"),
        "A set is three alike, one of each design, or any two with a wild card.",
    ),
    R.TWO_WILDS: Reason("trade/two-wilds", "A set may hold one wild card only.", ("A-11",)),
    R.BONUS_UNNAMED: Reason(
        "trade/bonus-unnamed",
        "Several pictured territories are yours: say which receives the two armies.",
        ("A-85",),
        "Add `on TERRITORY`.",
    ),
    R.BONUS_NOT_DUE: Reason(
        "trade/no-bonus", "No territory bonus is due for this set.", ("S002-30", "A-13")
    ),
    R.BONUS_NOT_PICTURED: Reason(
        "trade/bonus-elsewhere",
        "The bonus goes on a territory of yours that one of the cards shows.",
        ("S002-29",),
    ),
    R.OFFER_OPEN: Reason(
        "trade/offer-open", "Cards are on offer: trade or withdraw them first.", ("A-41",)
    ),
    R.NOTHING_OFFERED: Reason("trade/nothing-offered", "No card is on offer.", ("S001-37",)),
    R.TOO_FEW_STARS: Reason("trade/too-few-stars", "A trade needs two stars.", ("S001-37",)),
    R.TOO_MANY_STARS: Reason(
        "trade/too-many-stars", "A trade is worth ten stars at the most.", ("S001-37", "A-41")
    ),
    R.OWN_TERRITORY: Reason(
        "attack/own-territory", "The target is one's own territory.", ("S001-44", "A-74")
    ),
    R.NOT_ADJACENT: Reason(
        "attack/not-adjacent", "The two territories share no border.", ("S002-36", "S004-18")
    ),
    R.TOO_FEW_ARMIES: Reason(
        "attack/too-few-armies",
        "An attack needs two armies on the territory it starts from.",
        ("S002-37", "S004-26"),
    ),
    R.TOO_MANY_DICE: Reason(
        "attack/too-many-dice", "Not so many dice with so few armies.", ("A-16", "S004-21")
    ),
    R.DICE_UNSTATED: Reason(
        "attack/dice-unstated", "The number of dice must be stated.", ("A-21",), "Add `dice N`."
    ),
    R.ORDER_OVER: Reason(
        "attack/order-over", "There is no such attack order to go on with.", ("A-70",)
    ),
    R.DEFENCE_DICE: Reason(
        "defend/dice", "The defender cannot roll that many dice.", ("A-17", "S001-46")
    ),
    R.OCCUPY_TOO_FEW: Reason(
        "occupy/too-few", "At least as many armies move in as dice were rolled.", ("S000-11",)
    ),
    R.OCCUPY_TOO_MANY: Reason(
        "occupy/too-many", "One army stays on the territory attacked from.", ("S000-13",)
    ),
    R.OBJECTIVE_NOT_FACE_UP: Reason(
        "objective/not-in-play", "That objective does not lie face up.", ("S001-18", "S001-19")
    ),
    R.OBJECTIVE_TAKEN: Reason("objective/taken", "That objective has an owner.", ("A-91",)),
    R.OBJECTIVE_NOT_MET: Reason("objective/not-met", "Its condition is not met.", ("S001-49",)),
    R.AIRFIELD_UNNAMED: Reason(
        "objective/airfield-unnamed",
        "The reward is an airfield: name a territory of yours for it.",
        ("S001-14",),
        "Add `airfield TERRITORY`.",
    ),
    R.AIRFIELD_NOT_DUE: Reason(
        "objective/no-airfield", "The reward on this objective is no airfield.", ("S001-21",)
    ),
    R.SAME_TERRITORY: Reason(
        "fortify/same-territory", "Armies move between two territories.", ("S002-53",)
    ),
    R.FORTIFY_NOT_ADJACENT: Reason(
        "fortify/not-adjacent", "Armies move to an adjacent territory only.", ("S002-53", "A-20")
    ),
    R.NOT_CONNECTED: Reason(
        "fortify/not-connected",
        "No unbroken chain of one's own territories leads there.",
        ("S001-64",),
    ),
    R.LEAVE_ONE: Reason("fortify/leave-one", "At least one army stays behind.", ("S002-54",)),
    R.NO_STARTING_MANOEUVRE: Reason(
        "fortify/no-starting-manoeuvre",
        "Only a Starting Maneuver moves armies before the attacks.",
        ("S001-66",),
    ),
    R.MISSION_NOT_SHOWN: Reason(
        "reveal/not-asked", "Missions show themselves under these rules.", ("A-34",)
    ),
    R.MISSION_INCOMPLETE: Reason("reveal/incomplete", "The mission is not complete.", ("A-34",)),
    R.CLAIM_OBJECTIVE_FIRST: Reason(
        "objective/pending", "Claim an objective or decline first.", ("S001-49",)
    ),
    R.STANDING_VALUE: Reason("standing/value", "A standing order is 1, 2, max or none.", ("A-29",)),
    R.NOT_YOUR_TURN: Reason(
        "seat/not-your-turn",
        "Nothing is for you to decide now.",
        ("S002-09",),
        "A standing order can be given at any time.",
    ),
    R.ANOTHERS_ACTION: Reason(
        "seat/not-yours", "That is for another seat to say.", (), "Name your own seat."
    ),
}


class Refused(RubiconError):
    """An action that the rules refuse; the game is as it was."""

    def __init__(self, refusal: Refusal, asked: str, situation: str) -> None:
        self.refusal = refusal
        self.reason = REASONS[refusal]
        self.rules = self.reason.rules
        cited = f" [{', '.join(self.rules)}]" if self.rules else ""
        message = f"{asked!r} is refused: {self.reason.sentence}{cited} {situation}".strip()
        super().__init__(self.reason.code, message, self.reason.hint)
