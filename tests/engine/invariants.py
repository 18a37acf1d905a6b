"""Invariants: checks that hold in every position of every game, whatever is played."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from rubicon.engine import codes
from rubicon.engine.attack import most_attack_dice
from rubicon.engine.cards import bonus_choices, pictured
from rubicon.engine.chance import below
from rubicon.engine.codes import (
    NUMBER_SHIFT,
    ActionKind,
    Announce,
    AttackDefault,
    CardVisibility,
    HqReveal,
)
from rubicon.engine.legality import actor_of, refusal, refusal_to
from rubicon.engine.records import NEUTRAL, NONE, CardPlace, Phase, Seat, copy_position
from rubicon.errors import RubiconError
from rubicon.rules.actions import Action, Resign, action_of, code_of
from rubicon.rules.events import Awarded, Discarded, Event, Rolled, Traded
from rubicon.rules.game import Game


def picture(game: Game) -> bytes:
    """The bytes of the position."""
    return np.asarray(game.position).tobytes()


def check_board(game: Game) -> None:
    """One owner and at least one army a territory; the counts agree with the board (S000-14)."""
    p = game.position
    size = len(game.territories)
    phase, territories = p.phase, p.territories.tolist()
    owners, armies = p.owner[:size].tolist(), p.armies.tolist()
    assert [owners.count(owner) for owner in range(NEUTRAL + 1)] == territories[: NEUTRAL + 1]
    early = phase == Phase.OVER and NONE in owners  # all seats left while the board was divided
    divided = phase >= Phase.PLACE and not early
    if divided:
        empty = [t for t in range(size) if armies[t] < 1]
        assert empty == ([p.attack_target] if phase == Phase.OCCUPY else [])
        assert min(owners) >= 0
    assert not any(armies[size:])
    status, unplaced = p.status.tolist(), p.unplaced.tolist()
    for seat in range(game.size):
        if status[seat] != Seat.PLAYING:
            assert territories[seat] == 0
            assert unplaced[seat] == 0
        elif divided:
            assert territories[seat] > 0


def check_cards(game: Game) -> None:
    """Hands, pile, discards, offers and headquarters cards are the whole deck."""
    p = game.position
    cards = int(game.tables.cards)
    everywhere, hands = p.card.tolist(), p.hand.tolist()
    places = everywhere[:cards]
    assert places.count(CardPlace.PILE) == p.pile
    assert places.count(CardPlace.DISCARDS) == p.discards
    for seat in range(game.size):
        assert places.count(seat) == hands[seat]
    headquarters = places.count(CardPlace.REMOVED)
    assert headquarters <= game.size
    assert all(place == CardPlace.REMOVED for place in everywhere[cards:])


def check_waiting(game: Game) -> None:
    """Somebody is waited for until the game is over: chance, or a seat that has a choice."""
    if game.over:
        assert game.pending is None
        assert not game.actors
        assert len(game.legal) == 0
    elif game.pending is not None:
        assert game.pending.size > 0
        assert not game.actors
    else:
        assert game.actors
        assert all(len(game.legal_for(colour)) for colour in game.actors)


def armies_about(game: Game) -> int:
    """All armies on the board or waiting to be placed."""
    p = game.position
    waiting = int(p.unplaced[:].sum()) + int(p.neutral_unplaced)
    return int(p.armies[:].sum()) + waiting


def check_armies(game: Game, before: int, was: Any, entry: object, events: Sequence[Event]) -> None:
    """Armies come by awards and trades, and go by losses and the cap; nothing else (S000-05)."""
    if was.phase < Phase.REINFORCE:
        return
    change = 0
    for event in events:
        match event:
            case Awarded():
                change += event.total
            case Rolled():
                change -= event.attacker_lost + event.defender_lost
            case Traded():
                bonus = int(game.rules.cards_territory_bonus) * len(event.bonus)
                change += event.armies + bonus
            case Discarded():
                change -= event.armies
    if isinstance(entry, Resign):
        change -= int(was.unplaced[game.colours.index(entry.seat)])
    if game.position.phase == Phase.CONTINENTS and was.phase != Phase.CONTINENTS:
        change += int(game.position.award_continents)
    assert armies_about(game) == before + change


def mutations(game: Game, code: int, rng: Any) -> list[int]:
    """Neighbours of an action: one part changed, at random or by one."""
    kind, n = code & 31, codes.n_of(code)
    parts = [codes.a_of(code), codes.b_of(code), codes.c_of(code)]
    changed: list[int] = []
    for part in range(3):
        other = parts.copy()
        other[part] = int(below(rng, 256 if below(rng, 4) == 0 else len(game.territories) + 2))
        changed.append(codes.encode(kind, other[0], other[1], other[2], n))
    a, b, c = parts
    changed += [codes.encode(kind, a, b, c, n + 1), codes.encode(kind, a, b, c, max(0, n - 1))]
    changed += [codes.encode(int(below(rng, 32)), a, b, c, n), code | 1 << 62]
    return [int(action) for action in changed]


def canonical(game: Game, code: int) -> int:
    """The listed form of an action that may be said in two ways (A-21, A-85)."""
    kind, n = code & 31, codes.n_of(code)
    cards = (codes.a_of(code), codes.b_of(code), codes.c_of(code))
    if kind == ActionKind.TRADE and n - 1 in cards and max(cards) < game.tables.cards:
        choices = bonus_choices(game.position, game.rules, game.tables, *cards)
        if choices == 1 and pictured(game.position, game.tables, n - 1, game.position.turn):
            return int(codes.encode(kind, *cards, 0))
    if kind == ActionKind.ATTACK and n == 0 and game.rules.attack_default == AttackDefault.MAX:
        dice = int(most_attack_dice(game.position, game.rules, codes.a_of(code)))
        return code | dice << NUMBER_SHIFT
    return code


def check_legality(game: Game, rng: Any, tries: int) -> None:
    """Every listed action is accepted; what is not listed is refused, and changes no byte."""
    rows = all_rows(game)
    before = picture(game)
    chosen = [rows[int(below(rng, len(rows)))] for _ in range(tries)]
    known = {(code, n) for code, low, high in rows for n in (low, high)}
    for code, low, high in chosen:
        for n in (low, high):
            assert refusal(game.position, game.rules, game.tables, code | n << NUMBER_SHIFT) == 0
        for mutation in mutations(game, code | high << NUMBER_SHIFT, rng):
            expected = is_listed(game, mutation, rows, known)
            accepted = refusal(game.position, game.rules, game.tables, mutation) == 0
            assert accepted == expected, describe(game, mutation)
    assert picture(game) == before


def is_listed(
    game: Game, code: int, rows: list[tuple[int, int, int]], known: set[tuple[int, int]]
) -> bool:
    code = canonical(game, code)
    bare, n = code & ((1 << NUMBER_SHIFT) - 1), codes.n_of(code)
    if code >> 61:
        return False
    return (bare, n) in known or any(bare == row and low <= n <= high for row, low, high in rows)


def describe(game: Game, code: int) -> str:
    try:
        return f"{action_of(code, game)} in {game!r}"
    except (ValueError, IndexError):
        return f"{code:#x} in {game!r}"


def all_rows(game: Game) -> list[tuple[int, int, int]]:
    """The ranges of every seat, those out of turn included, as plain numbers."""
    rows = []
    for colour in game.colours:
        legal = game.legal_for(colour, with_out_of_turn=True)
        rows += [(int(a), int(b), int(c)) for a, b, c in legal._rows]
    return rows


def check_refused(game: Game, action: Action) -> None:
    """`Game.play` refuses with a code and a sentence, and changes nothing."""
    before = picture(game)
    with pytest.raises(RubiconError) as refused:
        game.play(action)
    assert "/" in refused.value.code
    assert refused.value.message
    assert picture(game) == before


def check_refusals(game: Game, rng: Any) -> None:
    """A refusal to a seat depends on its view alone; another seat's actions reveal nothing."""
    rows = all_rows(game)
    code, _, high = rows[int(below(rng, len(rows)))]
    codes_tried = mutations(game, code | high << NUMBER_SHIFT, rng)
    codes_tried += [
        row | low << NUMBER_SHIFT for row, low, _ in rows[:: 1 + len(rows) // 4]
    ] + revealing_actions(game)
    for seat in {int(below(rng, game.size)) for _ in range(2)}:
        colour = game.colours[seat]
        hidden = Game.from_position(game.ruleset, twin(game, seat, rng))
        answers = [answer(game, seat, code) for code in codes_tried]
        assert [answer(hidden, seat, code) for code in codes_tried] == answers, colour
        for code, number in zip(codes_tried, answers, strict=True):
            assert number != 0 or actor_of(game.position, code) == seat, describe(game, code)
        refused = [code for code, number in zip(codes_tried, answers, strict=True) if number != 0]
        action = sayable(game, refused[int(below(rng, len(refused)))])
        if action is not None:
            given, same = (which.refusal(action, seat=colour) for which in (game, hidden))
            assert given is not None
            assert same is not None
            assert (given.code, str(given)) == (same.code, str(same))


def revealing_actions(game: Game) -> list[int]:
    """Actions whose legality depends on what only some seats can see."""
    p = game.position
    held = [card for card in range(int(game.tables.cards)) if p.card[card] == p.turn]
    codes_tried = [codes.encode(ActionKind.END_ATTACK, 0, 0, 0, 0)]
    codes_tried += [codes.encode(ActionKind.REVEAL, seat, 0, 0, 0) for seat in range(game.size)]
    codes_tried += [
        codes.encode(ActionKind.PLACE, t, 0, 0, 9) for t in range(0, len(game.territories), 9)
    ]
    codes_tried += [codes.encode(ActionKind.OFFER, card, 0, 0, 0) for card in held[:1]]
    if len(held) > 2:
        first, second, third = held[:3]
        codes_tried.append(codes.encode(ActionKind.TRADE, first, second, third, 0))
    return [int(code) for code in codes_tried]


def answer(game: Game, seat: int, code: int) -> int:
    """The refusal of an action as a seat gets it."""
    return int(refusal_to(game.position, game.rules, game.tables, seat, code))


def sayable(game: Game, code: int) -> Action | None:
    """The action in words, if there are words for it."""
    try:
        action = action_of(code, game)
    except (ValueError, IndexError):
        return None
    return action if code_of(action, game) == code else None


def check_codes(game: Game) -> None:
    """Values and integers of actions are exact inverses."""
    for colour in game.colours:
        for action_range in game.legal_for(colour, with_out_of_turn=True).ranges:
            for action in (action_range.lowest, action_range.highest):
                assert action_of(code_of(action, game), game) == action


def twin(game: Game, seat: int, rng: Any) -> Any:
    """A position that differs from the game's only in what `seat` may not see."""
    other = copy_position(game.position)
    shuffle_unseen_cards(game, other, seat, rng)
    if game.rules.missions_in_play:
        swap_missions(game, other, seat)
    everywhere, standing = other.standing_all, other.standing
    for owner in range(game.size):
        if owner != seat:
            everywhere[owner] = int(below(rng, 4))
    for t, owner in enumerate(other.owner[: len(game.territories)].tolist()):
        if 0 <= owner < game.size and owner != seat:
            standing[t] = int(below(rng, 4))
    if game.phase == Phase.SEALED:
        move_sealed(game, other, seat, rng)
    unshown = game.rules.hq_reveal == HqReveal.SIMULTANEOUS
    if game.phase == Phase.HEADQUARTERS and unshown:
        move_headquarters(game, other, seat, rng)
    if other.order_target != NONE and other.owner[other.order_target] != seat:
        other.order_standing = int(below(rng, 4))
    unsaid = game.rules.dice_announce == Announce.SEALED and seat != other.turn
    if game.phase == Phase.DEFEND and unsaid:
        most = int(most_attack_dice(other, game.rules, int(other.attack_source)))
        other.attack_dice = 1 + int(below(rng, most))
    return other


def shuffle_unseen_cards(game: Game, other: Any, seat: int, rng: Any) -> None:
    """Exchange cards of the pile and of other hands with one another."""
    if game.rules.cards_visibility == CardVisibility.PUBLIC:
        return
    places = other.card
    hidden = [
        card
        for card, place in enumerate(places[: int(game.tables.cards)].tolist())
        if place <= CardPlace.PILE and place != seat
    ]
    for here in hidden:
        there = hidden[int(below(rng, len(hidden)))]
        swap = int(places[here])
        places[here] = places[there]
        places[there] = swap


def swap_missions(game: Game, other: Any, seat: int) -> None:
    holders = [s for s in range(game.size) if s not in (seat, int(other.winner))]
    for first, second in pairwise(holders):
        for field in (other.mission, other.mission_fallback):
            swap = int(field[first])
            field[first] = field[second]
            field[second] = swap


def move_headquarters(game: Game, other: Any, seat: int, rng: Any) -> None:
    """Let other seats have chosen other headquarters."""
    for owner in range(game.size):
        if owner != seat and other.capital[owner] != NONE:
            own = [t for t in range(len(game.territories)) if other.owner[t] == owner]
            other.capital[owner] = own[int(below(rng, len(own)))]


def move_sealed(game: Game, other: Any, seat: int, rng: Any) -> None:
    """Put another seat's sealed armies elsewhere, or take them back if it goes on placing."""
    for owner in range(game.size):
        own = [t for t in range(len(game.territories)) if other.owner[t] == owner]
        if owner == seat or len(own) < 2:
            continue
        spare = int(other.armies[own[0]]) - 1
        other.armies[own[0]] -= spare
        if other.sealed[owner] == 0 and below(rng, 2) == 0:
            other.unplaced[owner] += spare
        else:
            other.armies[own[1]] += spare


def check_views(game: Game, rng: Any) -> None:
    """Two games that differ only in what is hidden look the same (law 4)."""
    for seat, colour in enumerate(game.colours):
        hidden = Game.from_position(game.ruleset, twin(game, seat, rng))
        seen, same = game.view(colour), hidden.view(colour)
        assert seen.tobytes() == same.tobytes(), (colour, differing(seen, same))


def differing(seen: Any, same: Any) -> list[str]:
    """The fields in which two views differ."""
    return [name for name in seen.dtype.names if not np.array_equal(seen[name], same[name])]
