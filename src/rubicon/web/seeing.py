"""A game as a seat sees it: the only way from a position to the outside."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from rubicon.host.host import Host
from rubicon.rules.text.json_forms import action_to_json, position_to_json
from rubicon.table.lives import as_of
from rubicon.table.lobby_showing import show_table
from rubicon.table.lobby_watching import visible_entry, visible_until
from rubicon.table.page import SPECTATORS
from rubicon.table.table import Snapshot, snapshot_of
from rubicon.web.answers import GameTold, LegalTold, PositionTold


def game_as_seen(host: Host, game: str, seat: str) -> GameTold:
    """How a game stands, for a seat or ("") for spectators."""
    snapshot = seen_snapshot(host, game, seat)
    table = host.store.read(partial(show_table, game=game))
    stand = snapshot.game()
    view = stand.view(seat or None)
    return {
        "id": game,
        "title": table.title,
        "state": table.state,
        "you": seat or None,
        "seats": [
            {
                "colour": at.colour,
                "name": at.name,
                "bot": at.bot,
                "stand_in": snapshot.bots.get(at.colour),
            }
            for at in table.seats
        ],
        "settings": table.settings,
        "head": snapshot.head,
        "phase": stand.phase.name.lower(),
        "turn": stand.turn,
        "round": int(view.round_number),
        "asked": {colour: snapshot.due.get(colour) for colour in snapshot.duties},
        "duty": snapshot.duties.get(seat),
        "waits_for": snapshot.waits_for,
        "paused": snapshot.paused,
        "votes": {motion: sorted(seats) for motion, seats in snapshot.votes.items() if seats},
        "witness": snapshot.witness,
        "entropy": snapshot.links_left,
        "link": snapshot.links_wanted.get(seat),
        "opened": snapshot.opened,
        "result": None if snapshot.ending is None else snapshot.ending.result,
        "reason": None if snapshot.ending is None else snapshot.ending.reason,
        "position": cast(PositionTold, position_to_json(snapshot.ruleset, view)),
    }


def legal_as_seen(host: Host, game: str, seat: str) -> LegalTold:
    """What a seat may decide now, and for which duty."""
    snapshot = host.table.snapshot(game)
    duty = snapshot.duties.get(seat)
    stand = snapshot.game()
    families = stand.legal_for(seat).families if duty is not None else ()
    return {
        "duty": duty,
        "families": [
            {
                "text": str(family),
                "size": family.size,
                "lowest": str(family.lowest),
                "highest": str(family.highest),
                "action": action_to_json(family.lowest),
            }
            for family in families
        ],
        "asides": [str(action) for action in stand.legal_for(seat, with_asides=True).families]
        if snapshot.ending is None
        else [],
    }


def seen_snapshot(host: Host, game: str, seat: str) -> Snapshot:
    """How a game stands now, or, for spectators of a table with a delay, how it stood."""
    snapshot = host.table.snapshot(game)
    if seat != SPECTATORS or snapshot.ending is not None:
        return snapshot
    entry = host.store.read(partial(visible_entry, game=game, seat=seat))
    if entry >= snapshot.head:
        return snapshot
    return snapshot_of(host.store.read(partial(as_of, game=game, entry=entry)))


def seen_facts(host: Host, game: str, seat: str, after: int, most: int) -> list[dict[str, Any]]:
    """What a seat was told behind an entry, whole entries only; spectators hear it later."""
    rows = host.table.facts(game, seat, after, most)
    if len(rows) == most:  # the last entry may not be whole
        rows = [row for row in rows if row["entry"] != rows[-1]["entry"]] or rows
    until = host.store.read(partial(visible_until, game=game, seat=seat))
    return [row for row in rows if row["at"] <= until]
