"""The cards of a position as JSON: piles, values of sets, stars."""

from __future__ import annotations

from rubicon.engine.phases.cards import (
    FEWEST_STARS,
    MOST_STARS,
    set_value,
    stars_value,
)
from rubicon.engine.records.choices import SetCounter, SetValues
from rubicon.engine.records.position import NONE, CardPlace
from rubicon.engine.records.tables import Design
from rubicon.web.api.game_views.position_bodies import CardsView, CardView, SetTrackView
from rubicon.web.api.game_views.seen import Seen

PAST_SETS, COMING_SETS = 3, 4  # shown beside the value of the next set


def cards_view(seen: Seen) -> CardsView:
    """The cards that are in no hand."""
    view, rules = seen.view, seen.ruleset.rules
    by_stars = rules.cards_values == SetValues.STARS
    stars = range(FEWEST_STARS, MOST_STARS + 1)
    return {
        "pile": int(view.pile),
        "discards": int(view.discards),
        "discarded": cards_at(seen, CardPlace.DISCARDS),
        "offered": cards_at(seen, CardPlace.OFFERED),
        "sets_traded": int(view.sets),
        "values": SetValues(int(rules.cards_values)).name.lower(),
        "track": None if by_stars else _track(seen),
        "stars": [{"stars": n, "armies": int(stars_value(n))} for n in stars] if by_stars else None,
    }


def cards_at(seen: Seen, place: int) -> list[CardView]:
    """The cards that the asker sees at a place: a seat, or a CardPlace."""
    places = seen.view.card.tolist()
    return [_card(seen, card) for card in range(len(seen.names.cards)) if places[card] == place]


def _card(seen: Seen, card: int) -> CardView:
    by_stars = seen.ruleset.rules.cards_values == SetValues.STARS
    tables, name = seen.ruleset.tables, seen.names.cards[card]
    design = Design(int(tables.design[card])).name.lower()
    return {
        "id": name,
        "territory": name if card < len(seen.names.territories) else None,
        "design": None if by_stars else design,
        "stars": int(tables.stars[card]) if by_stars else None,
    }


def _track(seen: Seen) -> SetTrackView:
    view, rules = seen.view, seen.ruleset.rules
    seat = int(view.turn) if seen.seat == NONE else seen.seat
    own = rules.cards_counter == SetCounter.PER_PLAYER
    traded = int(view.sets_by_seat[seat]) if own else int(view.sets)
    values = [int(set_value(rules, number)) for number in range(traded + 1 + COMING_SETS)]
    past = values[max(0, traded - PAST_SETS) : traded]
    return {"past": past, "next": values[traded], "coming": values[traded + 1 :]}
