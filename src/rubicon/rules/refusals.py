"""Why an action is refused: the engine's number, a stable code, a sentence, a hint, rule ids.

The sentences are general. `rubicon.rules.refusal_details` adds the numbers and names of a position.
"""

from rubicon.engine.codes import Refusal
from rubicon.errors import RubiconError
from rubicon.rules.options.option import RefusalText
from rubicon.rules.options.registry import OPTIONS

R = Refusal
REASONS: dict[Refusal, RefusalText] = {
    R.OVER: RefusalText("game/over", "The game is over.", rules=("S001-71", "A-61")),
    R.CHANCE_PENDING: RefusalText(
        "game/chance-owed",
        "The game waits for dice or a card.",
        "Wait for the roll or the draw, then decide.",
        rules=("S000-02",),
    ),
    R.WRONG_PHASE: RefusalText(
        "action/wrong-phase", "That is not possible in this phase of the turn.", rules=("S002-09",)
    ),
    R.NOT_PLAYING: RefusalText(
        "seat/not-playing", "That player is out of the game.", rules=("S000-19",)
    ),
    R.MALFORMED: RefusalText("action/malformed", "This is not an action of the game."),
    R.UNKNOWN_TERRITORY: RefusalText(
        "action/unknown-territory", "There is no such territory on this board."
    ),
    R.NOT_YOUR_TERRITORY: RefusalText(
        "territory/not-yours",
        "That territory is not yours.",
        "Choose one of your own territories.",
        rules=("S001-42", "S001-44"),
    ),
    R.ZERO: RefusalText(
        "action/zero", "The number of armies or dice is 0.", "Give at least 1.", rules=("A-75",)
    ),
    R.OCCUPATION_PENDING: RefusalText(
        "occupy/pending",
        "The captured territory must be occupied first.",
        "Say how many armies move in: `advance N`.",
        rules=("S000-10",),
    ),
    R.DEFENCE_PENDING: RefusalText(
        "defend/pending",
        "The defender chooses dice first.",
        "The defender says how many: `defend N`.",
        rules=("A-29",),
    ),
    R.CLAIM_TAKEN: RefusalText(
        "claim/taken",
        "That territory is taken.",
        "Choose a territory without an owner.",
        rules=("S001-24", "S004-08"),
    ),
    R.CAPITAL_FIRST: RefusalText(
        "claim/capital-first",
        "Your first territory is your capital.",
        "Write `capital TERRITORY`.",
        rules=("S001-24",),
    ),
    R.CAPITAL_ALREADY: RefusalText(
        "capital/already",
        "You have a capital already.",
        "Write `claim TERRITORY`.",
        rules=("S001-24",),
    ),
    R.CAPITAL_ON_CITY: RefusalText(
        "capital/on-city",
        "In this game a capital cannot be placed on a city.",
        "Choose a territory without a city.",
        rules=("A-59",),
    ),
    R.PLACE_TOO_MANY: RefusalText(
        "place/too-many", "Not enough armies left to place.", rules=("S001-42",)
    ),
    R.PLACE_ONE: RefusalText(
        "place/one-at-a-time",
        "Armies are placed one at a time now.",
        "Write `place TERRITORY 1`.",
        rules=("A-09",),
    ),
    R.PLACE_OWN_FIRST: RefusalText(
        "place/own-first",
        "Your own two armies are placed before the neutral one.",
        "Choose one of your own territories.",
        rules=("A-09",),
    ),
    R.PLACE_NEUTRAL: RefusalText(
        "place/neutral-army",
        "The army to place now is neutral.",
        "Choose a neutral territory.",
        rules=("A-09",),
    ),
    R.SEALED_ALREADY: RefusalText(
        "seal/already",
        "This placement is sealed already.",
        "Wait for the other players.",
        rules=("A-07",),
    ),
    R.ARMIES_LEFT: RefusalText(
        "place/armies-left",
        "You have armies left to place.",
        "Place all of them first: `deploy N TERRITORY`.",
        rules=("S001-42", "A-65"),
    ),
    R.TRADE_FORCED: RefusalText(
        "trade/forced",
        "You hold so many cards that you must trade a set first.",
        "Write `trade CARD CARD CARD`.",
        rules=("S002-24", "S000-21"),
    ),
    R.TRADE_STOPS: RefusalText(
        "trade/not-now",
        "You cannot trade cards now.",
        "Cards are traded in the first step of a turn, before the attacks.",
        rules=("S000-22", "S000-23", "A-84"),
    ),
    R.TRADE_LIMIT: RefusalText(
        "trade/limit", "You cannot trade another set this turn.", rules=("A-67", "A-41")
    ),
    R.TRADE_STARS: RefusalText(
        "trade/stars",
        "In this game cards are traded for their stars.",
        "Offer cards one by one (`offer CARD`), then write `trade`.",
        rules=("S001-40",),
    ),
    R.TRADE_SETS: RefusalText(
        "trade/sets",
        "In this game cards are traded in sets of three.",
        "Write `trade CARD CARD CARD`.",
        rules=("S002-19",),
    ),
    R.CARD_NOT_HELD: RefusalText(
        "trade/not-held", "You do not hold all of these cards.", rules=("A-86",)
    ),
    R.NO_SET: RefusalText(
        "trade/no-set",
        "These cards are not a set.",
        "A set is three alike, one of each design, or any two with a wild card.",
        rules=("S002-19", "S003-24", "S004-16"),
    ),
    R.TWO_WILDS: RefusalText(
        "trade/two-wilds",
        "In this game a set holds at most one wild card.",
        "Replace one of the wild cards.",
        rules=("A-11",),
    ),
    R.BONUS_UNNAMED: RefusalText(
        "trade/bonus-unnamed",
        "You own several of the territories on these cards.",
        "Say which of them receives the two armies: add `on TERRITORY`.",
        rules=("A-85",),
    ),
    R.BONUS_NOT_DUE: RefusalText(
        "trade/no-bonus",
        "This set brings no armies for a territory on its cards.",
        "Leave out `on TERRITORY`.",
        rules=("S002-30", "A-13"),
    ),
    R.BONUS_NOT_PICTURED: RefusalText(
        "trade/bonus-elsewhere",
        "The two armies go on a territory of yours that one of the cards shows.",
        rules=("S002-29",),
    ),
    R.OFFER_OPEN: RefusalText(
        "trade/offer-open",
        "Your cards are still on offer.",
        "Write `trade` or `withdraw` first.",
        rules=("A-41",),
    ),
    R.NOTHING_OFFERED: RefusalText(
        "trade/nothing-offered",
        "No card is on offer.",
        "Offer one first: `offer CARD`.",
        rules=("S001-37",),
    ),
    R.TOO_FEW_STARS: RefusalText(
        "trade/too-few-stars",
        "A trade needs at least two stars.",
        "Offer another card, or `withdraw`.",
        rules=("S001-37",),
    ),
    R.TOO_MANY_STARS: RefusalText(
        "trade/too-many-stars",
        "A trade is worth ten stars at most.",
        "Write `trade` or `withdraw`.",
        rules=("S001-37", "A-41"),
    ),
    R.OWN_TERRITORY: RefusalText(
        "attack/own-territory",
        "You cannot attack your own territory.",
        rules=("S001-44", "A-74"),
    ),
    R.NOT_ADJACENT: RefusalText(
        "attack/not-adjacent",
        "The two territories share no border.",
        rules=("S002-36", "S004-18"),
    ),
    R.TOO_FEW_ARMIES: RefusalText(
        "attack/too-few-armies",
        "An attack needs at least two armies on the territory it starts from.",
        rules=("S002-37", "S004-26"),
    ),
    R.TOO_MANY_DICE: RefusalText(
        "attack/too-many-dice",
        "Too few armies for that many dice.",
        rules=("A-16", "S004-21"),
    ),
    R.DICE_UNSTATED: RefusalText(
        "attack/dice-unstated",
        "The number of dice is missing.",
        "Add `dice N`.",
        rules=("A-21",),
    ),
    R.ORDER_OVER: RefusalText(
        "attack/order-over",
        "There is no attack between these territories to go on with.",
        "Leave out `again` to begin a new attack.",
        rules=("A-70",),
    ),
    R.DEFENCE_DICE: RefusalText(
        "defend/dice",
        "You cannot defend with that many dice.",
        rules=("A-17", "S001-46"),
    ),
    R.OCCUPY_TOO_FEW: RefusalText(
        "occupy/too-few",
        "Too few armies move in: it takes at least as many as dice were rolled.",
        rules=("S000-11",),
    ),
    R.OCCUPY_TOO_MANY: RefusalText(
        "occupy/too-many",
        "Too many armies move in: one stays on the territory attacked from.",
        rules=("S000-13",),
    ),
    R.OBJECTIVE_NOT_FACE_UP: RefusalText(
        "objective/not-in-play",
        "That objective is not face up.",
        rules=("S001-18", "S001-19"),
    ),
    R.OBJECTIVE_TAKEN: RefusalText(
        "objective/taken", "That objective has been claimed already.", rules=("A-91",)
    ),
    R.OBJECTIVE_NOT_MET: RefusalText(
        "objective/not-met",
        "You have not met the condition of this objective.",
        "Claim another one, or write `decline`.",
        rules=("S001-49",),
    ),
    R.AIRFIELD_UNNAMED: RefusalText(
        "objective/airfield-unnamed",
        "The reward on this objective is an airfield, which needs a territory of yours.",
        "Add `airfield TERRITORY`.",
        rules=("S001-14",),
    ),
    R.AIRFIELD_NOT_DUE: RefusalText(
        "objective/no-airfield",
        "The reward on this objective is not an airfield.",
        "Leave out `airfield TERRITORY`.",
        rules=("S001-21",),
    ),
    R.SAME_TERRITORY: RefusalText(
        "fortify/same-territory",
        "Source and target are the same territory.",
        "Name two of your territories.",
        rules=("S002-53",),
    ),
    R.FORTIFY_NOT_ADJACENT: RefusalText(
        "fortify/not-adjacent",
        "In this game armies move only to an adjacent territory.",
        rules=("S002-53", "A-20"),
    ),
    R.NOT_CONNECTED: RefusalText(
        "fortify/not-connected",
        "Your territories do not connect the two.",
        "Move armies only along an unbroken chain of your own territories.",
        rules=("S001-64",),
    ),
    R.LEAVE_ONE: RefusalText(
        "fortify/leave-one", "At least one army must stay behind.", rules=("S002-54",)
    ),
    R.NO_STARTING_MANOEUVRE: RefusalText(
        "fortify/no-starting-manoeuvre",
        "Only a Starting Manoeuvre reward lets you move armies before your attacks.",
        "Fortify after your attacks.",
        rules=("S001-66",),
    ),
    R.MISSION_NOT_SHOWN: RefusalText(
        "reveal/not-asked",
        "In this game missions are not shown by hand, or not now.",
        rules=("A-34",),
    ),
    R.MISSION_INCOMPLETE: RefusalText(
        "reveal/incomplete", "Your mission is not complete yet.", rules=("A-34",)
    ),
    R.CLAIM_OBJECTIVE_FIRST: RefusalText(
        "objective/pending",
        "You must claim an objective or decline first.",
        "Write `objective OB01` with its number, or `decline`.",
        rules=("S001-49",),
    ),
    R.STANDING_VALUE: RefusalText(
        "standing/value", "A standing order is 1, 2, max or none.", rules=("A-29",)
    ),
    R.NOT_YOUR_TURN: RefusalText(
        "seat/not-your-turn",
        "It is not for you to decide now.",
        "Wait for your turn; a standing order can be given at any time.",
        rules=("S002-09",),
    ),
    R.ANOTHERS_ACTION: RefusalText(
        "seat/not-yours",
        "Only that player can decide this.",
        "Name your own colour.",
    ),
}
# Refusals that exist because of one option are worded in its declaration.
for _option in OPTIONS.values():
    REASONS.update(_option.refusals)


class Refused(RubiconError):
    """An action that the rules refuse; the game is as it was.

    `message` says what is wrong and `suggestion` what to do, both in a player's words. `code` and
    `rules`, the ids of the rules that it rests on, are for programs and for fine print.
    """

    status = 422

    def __init__(
        self, refusal: Refusal, asked: str = "", sentence: str = "", hint: str = ""
    ) -> None:
        text = REASONS[refusal]
        self.refusal = refusal
        self.asked = asked
        self.rules = text.rules
        super().__init__(text.code, sentence or text.sentence, hint or text.hint)

    @property
    def references(self) -> str:
        """The code and the rule ids: `attack/not-adjacent, S002-36, S004-18`."""
        return ", ".join((self.code, *self.rules))

    def as_dict(self) -> dict[str, object]:
        """The error as programs get it, with the ids of the rules."""
        return super().as_dict() | {"rules": list(self.rules)}

    def __str__(self) -> str:
        return f"{self.message} {self.suggestion}".strip() + f" [{self.references}]"
