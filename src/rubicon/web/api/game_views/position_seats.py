"""The seats of a position as JSON."""

from __future__ import annotations

from rubicon.engine.phases.cards import next_set_value
from rubicon.engine.records.choices import SetValues
from rubicon.engine.records.position import (
    HIDDEN,
    TERRITORIES,
    Phase,
    Seat,
    Standing,
)
from rubicon.rules.actions import STANDING_TEXTS
from rubicon.rules.game.income import income
from rubicon.rules.game.progress import mission_progress
from rubicon.web.api.game_views.position_bodies import (
    CardView,
    IncomeView,
    MissionView,
    PositionSeatView,
    RewardView,
)
from rubicon.web.api.game_views.position_cards import cards_at
from rubicon.web.api.game_views.position_objectives import progress_view, reward_word
from rubicon.web.api.game_views.seen import Seen


def seat_view(seen: Seen, seat: int) -> PositionSeatView:
    """A seat, as far as the asker may see it."""
    view, rules = seen.view, seen.ruleset.rules
    armies = view.armies[view.owner[:TERRITORIES] == seat]
    unplaced, standing = int(view.unplaced[seat]), int(view.standing_all[seat])
    by_stars = rules.cards_values == SetValues.STARS
    held = view.objective.tolist()
    return {
        "colour": seen.names.colours[seat],
        "status": Seat(int(view.status[seat])).name.lower(),
        "territories": int(view.territories[seat]),
        "armies": None if (armies < 0).any() else int(armies.sum()),
        "income": _income(seen, seat),
        "to_place": None if unplaced == HIDDEN else unplaced,
        "cards": int(view.hand[seat]),
        "hand": _hand(seen, seat),
        "sets_traded": int(view.sets_by_seat[seat]),
        "next_set": None if by_stars else int(next_set_value(view, rules, seat)),
        "capital": seen.territory(int(view.capital[seat])),
        "objectives": [name for o, name in enumerate(seen.names.objectives) if held[o] == seat],
        "rewards": _rewards(seen, seat),
        "mission": _mission(seen, seat),
        "standing": None if standing == HIDDEN else STANDING_TEXTS[Standing(standing)],
        "sealed": bool(view.sealed[seat]),
    }


def _income(seen: Seen, seat: int) -> IncomeView | None:
    view = seen.view
    playing = view.status[seat] == Seat.PLAYING and view.phase != Phase.OVER
    if not view.round_number or not playing:
        return None
    parts = income(seen.ruleset, view, seat)
    return {
        "total": parts.total,
        "territories": parts.territories,
        "cities": parts.cities,
        "continents": parts.continents,
        "capitals": parts.capitals,
        "rewards": parts.rewards,
    }


def _hand(seen: Seen, seat: int) -> list[CardView] | None:
    """The cards of a hand; None where the asker does not see all of them."""
    cards = cards_at(seen, seat)
    return cards if len(cards) == int(seen.view.hand[seat]) else None


def _rewards(seen: Seen, seat: int) -> list[RewardView]:
    if not seen.ruleset.rules.objectives_in_play:
        return []
    view = seen.view
    return [
        {
            "name": reward_word(seen.names.rewards[token]),
            "active": not view.reward_from[token],
            "territory": seen.territory(int(view.airfield[token])),
        }
        for token, owner in enumerate(view.reward.tolist())
        if owner == seat
    ]


def _mission(seen: Seen, seat: int) -> MissionView | None:
    """The mission, where the asker may see it: `view` has none where it is hidden."""
    if not seen.ruleset.rules.missions_in_play:
        return None
    found = mission_progress(seen.ruleset, seen.view, seat)
    if found is None:
        return None
    return {
        "id": seen.names.missions[int(seen.view.mission[seat])],
        "text": found.text,
        "parts": [progress_view(part) for part in found.parts],
        "complete": found.complete,
        "replaced": found.replaced,
    }
