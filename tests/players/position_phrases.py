"""The phrases of the regression positions: what they say of an account."""

import re
from collections.abc import Callable

from rubicon.engine.records import Seat
from rubicon.rules.actions import (
    Claim,
    EndAttack,
    EndTurn,
    Fortify,
    Occupy,
    Place,
    PlaceCapital,
    Trade,
)
from rubicon.rules.notation.actions import parse_action
from tests.players.told_positions import Account, Told, number


def names_in(text: str) -> list[str]:
    return text.split(" or ")


def attacks(account: Account, what: str) -> bool:
    """An attack on one of these seats or territories, or on anything."""
    wanted = names_in(what) if what else []
    return any(not wanted or {target, owner} & set(wanted) for _, target, owner in account.attacked)


def first_attack(account: Account, what: str) -> bool:
    """The first attack aims at one of these seats or territories."""
    return bool(account.attacked) and bool(set(account.attacked[0][1:]) & set(names_in(what)))


def attacks_from(account: Account, what: str) -> bool:
    return any(source in names_in(what) for source, _, _ in account.attacked)


def rolls_at_most(account: Account, what: str) -> bool:
    return len(account.attacked) <= int(what)


def takes(account: Account, what: str) -> bool:
    """At the end the seat has one of these, which it did not have."""
    me, was, now = account.start.seat(account.seat), account.start.position, account.end.position
    places = [number(account.end, name) for name in names_in(what)]
    return any(was.owner[t] != me and now.owner[t] == me for t in places)


def keeps(account: Account, what: str) -> bool:
    """`5 on alaska`: as many armies of the seat at least, at the end."""
    armies, where = what.split(" on ")
    me, now = account.start.seat(account.seat), account.end.position
    places_kept = [number(account.end, name) for name in names_in(where)]
    return any(now.owner[t] == me and now.armies[t] >= int(armies) for t in places_kept)


def places(account: Account, what: str) -> bool:
    """`5 on alaska`, or `alaska`: so many armies are placed there, or all that are placed."""
    placed = [one for one in account.made if isinstance(one, Place)]
    least, _, where = what.rpartition(" on ")
    there = sum(one.armies for one in placed if one.territory in names_in(where))
    return there > 0 and there >= (int(least) if least else sum(one.armies for one in placed))


def eliminates(account: Account, what: str) -> bool:
    return account.end.position.status[account.end.seat(what)] == Seat.ELIMINATED


def occupies(account: Account, what: str) -> bool:
    """`at least 5`, `at most 5`: the armies that follow the first capture."""
    moved = next((one.armies for one in account.made if isinstance(one, Occupy)), 0)
    _, bound, armies = what.split()
    assert bound in ("least", "most"), what
    return moved >= int(armies) if bound == "least" else moved <= int(armies)


def fortifies(account: Account, what: str) -> bool:
    """The armies move to one of these territories, or anywhere."""
    moves = [one.target for one in account.made if isinstance(one, Fortify)]
    return any(not what or target in names_in(what) for target in moves)


def trades(account: Account, what: str) -> bool:
    """A set with one of these cards, or any set."""
    sets = [one.cards for one in account.made if isinstance(one, Trade)]
    return any(not what or set(cards) & set(names_in(what)) for cards in sets)


def settles_in(account: Account, what: str) -> bool:
    """Claims, or founds its capital in, one of these territories."""
    chosen = [one.territory for one in account.made if isinstance(one, Claim | PlaceCapital)]
    return any(name in names_in(what) for name in chosen)


def stops(account: Account, what: str) -> bool:
    """The first decision is to attack no more, or to end the turn."""
    return isinstance(account.made[0], EndAttack | EndTurn)


def wins(account: Account, what: str) -> bool:
    return account.end.winner == account.seat


PHRASES: dict[str, Callable[[Account, str], bool]] = {
    "attacks from": attacks_from,
    "attacks first": first_attack,
    "attacks": attacks,
    "rolls at most": rolls_at_most,
    "takes": takes,
    "keeps": keeps,
    "places": places,
    "eliminates": eliminates,
    "occupies": occupies,
    "moves to": fortifies,
    "moves": fortifies,
    "trades": trades,
    "settles in": settles_in,
    "stops": stops,
    "wins": wins,
}


def meets(account: Account, phrase: str) -> bool:
    """Whether an account is as a phrase says; any other phrase is the text of the decision."""
    for words, holds in PHRASES.items():
        found = re.fullmatch(rf"{words}(?: (.+))?", phrase)
        if found:
            return holds(account, found[1] or "")
    # A misspelt phrase is no action either, and is refused.
    action = parse_action(phrase, account.start.ruleset.board, account.start.colours)
    return account.made[0] == action


def faults(one: Told, account: Account) -> list[str]:
    """What was not sensible, or senseless."""
    missed = [f"not: {phrase}" for phrase in one.sensible if not meets(account, phrase)]
    return missed + [phrase for phrase in one.senseless if meets(account, phrase)]
