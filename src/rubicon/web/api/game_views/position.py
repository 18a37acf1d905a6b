"""A position as JSON."""

from __future__ import annotations

from rubicon.engine.phases.cards import card_earned
from rubicon.engine.records.choices import Goal
from rubicon.engine.records.position import (
    DRAWN,
    HIDDEN,
    NONE,
    Chance,
    Phase,
    RewardPlace,
    Standing,
)
from rubicon.engine.records.tables import RewardKind
from rubicon.rules.actions import STANDING_TEXTS
from rubicon.rules.game.pieces import pieces_on_board
from rubicon.rules.game.situation import phase_shown, phase_words
from rubicon.web.api.game_views.position_bodies import (
    OccupationView,
    PendingBattleView,
    PositionView,
    TerritoryView,
)
from rubicon.web.api.game_views.position_cards import cards_view
from rubicon.web.api.game_views.position_objectives import objective_views
from rubicon.web.api.game_views.position_seats import seat_view
from rubicon.web.api.game_views.seen import Seen

SETUP = (Phase.FIRST_PLAYER, Phase.DEAL, Phase.CLAIM, Phase.PLACE, Phase.SEALED, Phase.HEADQUARTERS)


def position_view(seen: Seen, *, pieces: bool = False) -> PositionView:
    """A position as an asker may see it; `pieces` adds the armies as pieces."""
    ruleset, view = seen.ruleset, seen.view
    begun = view.first != NONE
    acting = int(view.turn)
    shown: PositionView = {
        "ruleset": {"name": ruleset.name, "version": int(ruleset.version)},
        "options": dict(ruleset.differences),
        "board": {"name": ruleset.board.id, "version": int(ruleset.board.version)},
        "territories": _territories(seen),
        "continents": _continents(seen),
        "seats": [seat_view(seen, seat) for seat in range(int(view.seats))],
        "cards": cards_view(seen),
        "objectives": objective_views(seen),
        "phase": Phase(int(view.phase)).name.lower(),
        "phase_shown": phase_shown(view).name.lower(),
        "phase_text": phase_words(ruleset, view),
        "turn": seen.colour(acting) if begun else None,
        "first": seen.colour(int(view.first)),
        "round": int(view.round_number),
        "winner": seen.colour(int(view.winner)),
        "drawn": bool(view.winner == DRAWN),
        "to_place": _unhidden(int(view.unplaced[acting])) if begun else None,
        "neutral_to_place": int(view.neutral_unplaced),
        "moves_left": int(view.moves_left),
        "card_earned": bool(card_earned(view, ruleset.rules)),
        "chance": Chance(int(view.chance)).name.lower() if view.chance else None,
        "battle": battle_view(seen),
        "occupation": occupation_view(seen),
    }
    if pieces:
        shown["pieces"] = pieces_on_board(ruleset, view)
    return shown


def _unhidden(number: int) -> int | None:
    return None if number == HIDDEN else number


def _territories(seen: Seen) -> dict[str, TerritoryView]:
    view, owned = seen.view, seen.ruleset.rules.victory_goal == Goal.HEADQUARTERS
    capitals = {int(view.capital[seat]): seat for seat in range(int(view.seats))}
    airfields = _airfields(seen)
    # From lists: NumPy is slow cell by cell.
    cells = zip(
        seen.names.territories,
        view.owner.tolist(),
        view.armies.tolist(),
        view.captured.tolist(),
        view.city.tolist(),
        view.standing.tolist(),
        strict=False,
    )
    found: dict[str, TerritoryView] = {}
    for t, (name, owner, armies, captured, city, standing) in enumerate(cells):
        whose = seen.colour(capitals.get(t, NONE))
        found[name] = {
            "owner": seen.owner(owner),
            "armies": _unhidden(armies),
            "captured": bool(captured),
            "city": bool(city),
            "capital": None if owned else whose,
            "headquarters": whose if owned else None,
            "airfield": seen.colour(airfields.get(t, NONE)),
            "standing": standing_text(standing) if owner == seen.seat != NONE else None,
        }
    return found


def standing_text(standing: int) -> str | None:
    """A standing order as its text; None where it is hidden."""
    return None if standing == HIDDEN else STANDING_TEXTS[Standing(standing)]


def _airfields(seen: Seen) -> dict[int, int]:
    """The seat of the airfield on each territory that has one."""
    if not seen.ruleset.rules.objectives_in_play:
        return {}
    view, kinds = seen.view, seen.ruleset.rules.reward_kind.tolist()
    return {
        int(view.airfield[token]): owner
        for token, owner in enumerate(view.reward.tolist())
        if owner < RewardPlace.ON_OBJECTIVE and kinds[token] == RewardKind.AIRFIELD
    }


def _continents(seen: Seen) -> dict[str, str | None]:
    owner = seen.view.owner.tolist()
    found: dict[str, str | None] = {}
    for continent in seen.ruleset.board.continents:
        owners = {owner[t] for t in continent.territories}
        found[continent.id] = seen.owner(owners.pop()) if len(owners) == 1 else None
    return found


def battle_view(seen: Seen) -> PendingBattleView | None:
    """The attack that waits for the defender or for dice."""
    view = seen.view
    source, target = int(view.attack_source), int(view.attack_target)
    if view.phase != Phase.DEFEND and view.chance != Chance.BATTLE:
        return None
    announced = view.chance == Chance.BATTLE
    return {
        "source": seen.names.territories[source],
        "target": seen.names.territories[target],
        "attacker": seen.names.owner_name(int(view.owner[source])),
        "defender": seen.names.owner_name(int(view.owner[target])),
        "attack_dice": _unhidden(int(view.attack_dice)),
        "defence_dice": int(view.defence_dice) if announced else None,
        "attack_extra": int(view.attack_extra),
        "defence_extra": int(view.defence_extra),
        "attack_airfield": bool(view.attack_plus),
        "defence_airfield": bool(view.defence_plus),
    }


def occupation_view(seen: Seen) -> OccupationView | None:
    """The armies that may move into the territory just captured."""
    view = seen.view
    if view.phase != Phase.OCCUPY:
        return None
    source = int(view.attack_source)
    return {
        "source": seen.names.territories[source],
        "target": seen.names.territories[int(view.attack_target)],
        "lowest": int(view.occupy_minimum),
        "highest": int(view.armies[source]) - 1,
    }
