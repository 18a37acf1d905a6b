"""The key moments of a finished game as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from rubicon.server.key_moments import ContinentHeld, FoughtBattle, KeyMoments
from rubicon.web.api.game_views.review_bodies import KeyMomentView


def key_moment_views(found: KeyMoments, at: list[tuple[int, int]]) -> list[KeyMomentView]:
    """The key moments in order; `at` has the log index and the round of each entry."""
    return [_view(entry, at, view) for entry, view in sorted(_views(found), key=lambda one: one[0])]


def _view(entry: int, at: list[tuple[int, int]], view: KeyMomentView) -> KeyMomentView:
    index, round_number = at[entry]
    return {**view, "index": index, "round": round_number}


def _views(found: KeyMoments) -> Iterator[tuple[int, KeyMomentView]]:
    """Each with the entry that ends it; index and round are filled in later."""
    for out in found.eliminations:
        yield out.entry, {**_EMPTY, "kind": "elimination", "seat": out.by, "other": out.seat}
    for gone in found.resignations:
        yield gone.entry, {**_EMPTY, "kind": "resignation", "seat": gone.seat}
    for held in found.continents:
        yield held.entry, _continent(held, "continent_won", held.seat, None)
        if held.until is not None:
            yield held.until, _continent(held, "continent_lost", held.seat, held.lost_to)
    known = {one.entry for one in (found.luckiest, found.unluckiest) if one is not None}
    for battle in found.battles:
        if battle.entry not in known:
            yield battle.entry, _battle(battle, "battle")
    if found.luckiest is not None:
        yield found.luckiest.entry, _battle(found.luckiest, "luckiest")
    if found.unluckiest is not None:
        yield found.unluckiest.entry, _battle(found.unluckiest, "unluckiest")


_EMPTY: KeyMomentView = {
    "index": 0,
    "round": 0,
    "kind": "battle",
    "seat": "",
    "other": None,
    "battle": None,
    "continent": None,
}


def _continent(
    held: ContinentHeld, kind: Literal["continent_won", "continent_lost"], seat: str, by: str | None
) -> KeyMomentView:
    return {
        **_EMPTY,
        "kind": kind,
        "seat": seat,
        "other": by,
        "continent": {"continent": held.continent, "turns": held.turns, "armies": held.armies},
    }


def _battle(
    battle: FoughtBattle, kind: Literal["battle", "luckiest", "unluckiest"]
) -> KeyMomentView:
    return {
        **_EMPTY,
        "kind": kind,
        "seat": battle.attacker,
        "other": battle.defender,
        "battle": {
            "source": battle.source,
            "target": battle.target,
            "rolls": battle.rolls,
            "attacker_lost": battle.attacker_lost,
            "defender_lost": battle.defender_lost,
            "luck": battle.luck,
            "taken": battle.taken,
        },
    }
