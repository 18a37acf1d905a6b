"""A pending decision as JSON: what it is about, and the legal actions."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, cast

from rubicon.engine.cards import FORCING_HAND, trade_forced
from rubicon.engine.records import HIDDEN, Phase
from rubicon.odds.outlook import chance_to_hold, roll_outcomes
from rubicon.rules.actions import STANDING_TEXTS, Attack, DefendWith, Fortify, StandingOrder, Trade
from rubicon.rules.game import Game
from rubicon.rules.legal import ActionRange, Legal
from rubicon.rules.notation.json_format import action_to_json
from rubicon.rules.situation import capital_due
from rubicon.table.game.snapshot import Snapshot
from rubicon.web.api.position import (
    OccupationView,
    PendingBattleView,
    Seen,
    battle_view,
    occupation_view,
)
from rubicon.wording import numbered

# The shape of legal actions, and of what a decision is about, in JSON.

ActionKindName = Literal[
    "claim",
    "place_capital",
    "place",
    "seal",
    "offer",
    "withdraw",
    "trade",
    "attack",
    "defend_with",
    "occupy",
    "end_attack",
    "claim_objective",
    "decline",
    "fortify",
    "end_turn",
    "standing_order",
    "resign",
    "reveal_mission",
]


class ActionRangeView(TypedDict):
    """Legal actions that differ in one number only.

    `lowest` and `highest` are texts, `action` is the lowest one as JSON: all can be submitted.
    `number` is the field of `action` that may be any number from `least` to `most`, or null.
    `values` are the possible values of a standing order. `source` and `target` are the
    territories of an attack or a move; `target` alone is where something is placed or claimed.
    """

    kind: ActionKindName
    text: str
    size: int
    lowest: str
    highest: str
    action: dict[str, Any]
    number: str | None
    least: int | None
    most: int | None
    values: list[str]
    source: str | None
    target: str | None
    cards: list[str]


class RollOutcomeView(TypedDict):
    """The armies that one roll costs both sides, and its chance (0 to 1)."""

    attacker_loses: int
    defender_loses: int
    chance: float


class DefenceChoiceView(TypedDict):
    """A number of dice, and what a roll with it may cost; empty where dice are still hidden."""

    dice: int
    outcomes: list[RollOutcomeView]


class DecisionView(TypedDict):
    """What a decision is about, and its title in plain words.

    The kinds: `claim`, `choose_capital`, `place`, `trade`, `attack`, `defend`, `occupy`,
    `claim_objective`, `fortify`. `reason` says why it is forced, or is empty. A defence has
    `battle`, `choices` and `hold`, the chance to hold the territory if the attack goes on to the
    end (null for very large armies).
    """

    kind: str
    title: str
    reason: str
    to_place: int
    battle: PendingBattleView | None
    choices: list[DefenceChoiceView]
    hold: float | None
    occupation: OccupationView | None


class LegalActionsView(TypedDict):
    """The legal actions for the pending decision, and those that are legal out of turn.

    `ranges` are at most `limit` of `total`, from the one with the number `offset` on.
    """

    decision: int | None
    about: DecisionView | None
    total: int
    offset: int
    ranges: list[ActionRangeView]
    out_of_turn: list[ActionRangeView]


# What a pending decision is about, in words and as data.

KINDS = {
    Phase.CLAIM: "claim",
    Phase.PLACE: "place",
    Phase.SEALED: "place",
    Phase.HEADQUARTERS: "choose_capital",
    Phase.ATTACK: "attack",
    Phase.DEFEND: "defend",
    Phase.OCCUPY: "occupy",
    Phase.TRADE: "trade",
    Phase.OBJECTIVE: "claim_objective",
    Phase.FORTIFY: "fortify",
    Phase.CONTINENTS: "place",
}


def decision_view(seen: Seen) -> DecisionView:
    """The pending decision of the asker's seat."""
    view, to_place = seen.view, int(seen.view.unplaced[seen.seat])
    kind = _kind(seen, to_place)
    defends = kind == "defend"
    return {
        "kind": kind,
        "title": _title(seen, kind, to_place),
        "reason": _reason(seen) if kind == "trade" else "",
        "to_place": to_place,
        "battle": battle_view(seen) if defends else None,
        "choices": _choices(seen) if defends else [],
        "hold": chance_to_hold(seen.ruleset, view) if defends else None,
        "occupation": occupation_view(seen),
    }


def _kind(seen: Seen, to_place: int) -> str:
    view = seen.view
    # One phase of the engine can ask for several things, in the order of the rulebook.
    if view.phase in (Phase.REINFORCE, Phase.TRADE):
        if trade_forced(view, seen.ruleset.rules, seen.ruleset.tables):
            return "trade"
        if to_place:
            return "place"
        return "trade" if view.phase == Phase.TRADE else "attack"
    if capital_due(seen.ruleset, view):
        return "choose_capital"
    return KINDS[Phase(int(view.phase))]


def _title(seen: Seen, kind: str, to_place: int) -> str:
    view = seen.view
    match kind:
        case "defend":
            dice = int(view.attack_dice)
            rolled = "" if dice == HIDDEN else f" against {numbered(dice, 'die', 'dice')}"
            return f"Defend {_name(seen, view.attack_target)}{rolled}"
        case "occupy":
            return f"Move armies into {_name(seen, view.attack_target)}"
        case "place":
            return f"Place {numbered(to_place, 'army', 'armies')}" if to_place else "Place armies"
        case "trade":
            return "Trade a set of cards"
        case "claim":
            return "Claim a territory"
        case "choose_capital":
            headquarters = view.phase == Phase.HEADQUARTERS
            return "Choose your headquarters" if headquarters else "Found your capital"
        case "claim_objective":
            return "Claim an objective, or decline"
        case "fortify":
            return "Move armies, or end your turn"
    return "Attack, or end your attacks"


def _reason(seen: Seen) -> str:
    view = seen.view
    cards = numbered(int(view.hand[seen.seat]), "card", "cards")
    if not trade_forced(view, seen.ruleset.rules, seen.ruleset.tables):
        return ""
    if view.phase == Phase.TRADE:
        return f"You won cards and hold {cards}: you must trade until you hold fewer than 5."
    if view.hand[seen.seat] >= FORCING_HAND:
        return f"You hold {cards}: with 5 or more you must trade a set."
    return "You began your turn with 5 or more cards: you must trade a second set."


def _name(seen: Seen, t: int) -> str:
    return seen.ruleset.board.territories[int(t)].name


def _choices(seen: Seen) -> list[DefenceChoiceView]:
    legal = Legal(seen.view, seen.ruleset, seen.names, seen.seat)
    numbers = [action.dice for action in legal if isinstance(action, DefendWith)]
    return [
        {
            "dice": number,
            "outcomes": [
                {
                    "attacker_loses": one.attacker_loses,
                    "defender_loses": one.defender_loses,
                    "chance": one.chance,
                }
                for one in roll_outcomes(seen.ruleset, seen.view, number)
            ],
        }
        for number in numbers
    ]


# Legal actions as JSON.

MAX_RANGES = 2000  # of one answer: more than nearly every position has
NUMBERS = ("armies", "dice")  # the fields of actions that a range leaves open


def legal_actions_view(snapshot: Snapshot, seat: str, offset: int, limit: int) -> LegalActionsView:
    """A seat's legal actions for its pending decision, and those out of turn."""
    game, decision = snapshot.game(), snapshot.decisions.get(seat)
    own = game.legal_for(seat) if decision is not None else None
    ranges = () if own is None else own.ranges_between(offset, offset + limit)
    return {
        "decision": decision,
        "about": None if own is None else decision_view(Seen.by(game, seat)),
        "total": 0 if own is None else own.range_count,
        "offset": offset,
        "ranges": [range_view(each) for each in ranges],
        "out_of_turn": _out_of_turn(snapshot, game, seat),
    }


def _out_of_turn(snapshot: Snapshot, game: Game, seat: str) -> list[ActionRangeView]:
    if snapshot.ending is not None:
        return []
    return [range_view(each) for each in game.out_of_turn_for(seat).ranges]


def range_view(action_range: ActionRange) -> ActionRangeView:
    """A range of actions."""
    action, highest = action_range.lowest, action_range.highest
    fields = action_to_json(action)
    standing = isinstance(action, StandingOrder)
    number = next((name for name in NUMBERS if name in fields), None)
    open_number = None if standing or fields.get(number or "") is None else number
    moves = isinstance(action, Attack | Fortify)
    return {
        "kind": cast(ActionKindName, fields["action"]),
        "text": str(action_range),
        "size": action_range.size,
        "lowest": str(action),
        "highest": str(highest),
        "action": fields,
        "number": open_number,
        "least": None if open_number is None else getattr(action, open_number),
        "most": None if open_number is None else getattr(highest, open_number),
        "values": list(STANDING_TEXTS.values()) if standing else [],
        "source": fields["source"] if moves else None,
        "target": fields["target"] if moves else fields.get("territory", fields.get("airfield")),
        "cards": list(action.cards) if isinstance(action, Trade) else _card(fields.get("card")),
    }


def _card(card: str | None) -> list[str]:
    return [] if card is None else [card]
