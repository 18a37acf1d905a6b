"""What a pending decision is about, in words and as data."""

from __future__ import annotations

from rubicon.engine.phases.cards import FORCING_HAND, trade_forced
from rubicon.engine.records.position import HIDDEN, Phase
from rubicon.odds.defence import chance_to_hold, roll_outcomes
from rubicon.rules.actions import DefendWith
from rubicon.rules.game.legal import Legal
from rubicon.rules.game.situation import capital_due
from rubicon.web.api.game_views.legal_bodies import DecisionView, DefenceChoiceView
from rubicon.web.api.game_views.position import battle_view, occupation_view
from rubicon.web.api.game_views.seen import Seen
from rubicon.wording import numbered

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
