"""Legal actions as JSON."""

from __future__ import annotations

from typing import cast

from rubicon.rules.actions import STANDING_TEXTS, Attack, Fortify, StandingOrder, Trade
from rubicon.rules.game.game import Game
from rubicon.rules.game.legal import ActionRange
from rubicon.rules.notation.json_format import action_to_json
from rubicon.table.game.snapshot import Snapshot
from rubicon.web.api.game_views.decision import decision_view
from rubicon.web.api.game_views.legal_bodies import (
    ActionKindName,
    ActionRangeView,
    LegalActionsView,
)
from rubicon.web.api.game_views.seen import Seen

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
