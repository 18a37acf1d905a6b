"""Expectations about the board and the cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rubicon.casebook.names import (
    CaseContext,
)
from rubicon.casebook.parser import case_error, name_list
from rubicon.casebook.view import (
    HIDDEN_WORD,
    CaseView,
    Check,
    CheckReader,
    arguments,
    names_word,
    nothing,
    number_word,
    seat_number,
    wanted_number,
)
from rubicon.engine.records.position import (
    CARDS,
    HIDDEN,
    CardPlace,
)


def territory(context: CaseContext, words: Sequence[str]) -> Check:
    """`TERRITORY COLOUR ARMIES`, `TERRITORY COLOUR`, `TERRITORY empty`."""
    if words[-1].lower() == "empty":
        t = context.territory(" ".join(words[:-1]))
        return Check("empty", lambda view: _owner_at(view, t))
    t, rest = context.split_owner(words)
    owner = context.owner_word(context.owner(rest[0]))
    if len(rest) == 1:
        return Check(owner, lambda view: _owner_at(view, t))
    armies = wanted_number(arguments(rest, 2, "TERRITORY COLOUR ARMIES")[1])
    return Check(f"{owner} {armies}", lambda view: _owner_at(view, t) + _armies_at(view, t))


def _owner_at(view: CaseView, t: int) -> str:
    return view.context.owner_word(int(view.position.owner[t]))


def _armies_at(view: CaseView, t: int) -> str:
    return f" {number_word(view.position.armies[t])}"


def _territories(context: CaseContext, words: Sequence[str]) -> Check:
    colour, number = arguments(words, 2, "territories COLOUR NUMBER")
    owner = context.owner(colour)
    return Check(wanted_number(number), lambda view: number_word(view.position.territories[owner]))


def _armies(context: CaseContext, words: Sequence[str]) -> Check:
    colour, number = arguments(words, 2, "armies COLOUR NUMBER")
    owner = context.owner(colour)
    return Check(wanted_number(number), lambda view: _total(view, owner))


def _total(view: CaseView, owner: int) -> str:
    armies = view.position.armies[view.position.owner == owner]
    return HIDDEN_WORD if HIDDEN in armies else str(int(armies.sum()))


def _marked(name: str) -> CheckReader:
    """`cities 15`, `cities ural china`, `captured none`."""

    def check(context: CaseContext, words: Sequence[str]) -> Check:
        if len(words) == 1 and words[0].isdecimal():
            return Check(words[0], lambda view: str(len(_marks(view, name))))
        wanted = [] if nothing(words) else context.territory_list(" ".join(words))
        named = names_word(context.territories[t] for t in wanted)
        return Check(named, lambda view: names_word(_marks(view, name)))

    return check


def _marks(view: CaseView, name: str) -> list[str]:
    marks = getattr(view.position, name)
    return [territory for t, territory in enumerate(view.context.territories) if marks[t] != 0]


def _hand(context: CaseContext, words: Sequence[str]) -> Check:
    if len(words) < 2:
        raise case_error("expectation", "Expected `expect hand COLOUR NUMBER|CARD ...|hidden`.")
    seat = context.seat(words[0])
    return _cards(context, words[1:], seat, lambda view: int(view.position.hand[seat]))


def _pile(context: CaseContext, words: Sequence[str]) -> Check:
    return _cards(context, words, CardPlace.PILE, lambda view: int(view.position.pile))


def _discards(context: CaseContext, words: Sequence[str]) -> Check:
    return _cards(context, words, CardPlace.DISCARDS, lambda view: int(view.position.discards))


def _cards(
    context: CaseContext, words: Sequence[str], place: int, count: Callable[[CaseView], int]
) -> Check:
    """The number of cards in a place, their names, or that they are hidden."""
    if len(words) == 1 and words[0].isdecimal():
        return Check(words[0], lambda view: number_word(count(view)))
    if len(words) == 1 and words[0].lower() == HIDDEN_WORD:
        return Check(HIDDEN_WORD, lambda view: _card_names(view, place, count(view)))
    wanted = [] if nothing(words) else [context.card(word) for word in name_list(" ".join(words))]
    named = names_word(context.cards[card] for card in wanted)
    return Check(named, lambda view: _card_names(view, place, count(view)))


def _card_names(view: CaseView, place: int, count: int) -> str:
    cards = view.context.cards
    lying = [cards[card] for card in range(CARDS) if view.position.card[card] == place]
    if not lying and count != 0:
        return HIDDEN_WORD
    return names_word(lying) + ("" if len(lying) == count else " ...")


def _sets(context: CaseContext, words: Sequence[str]) -> Check:
    if len(words) == 1:
        return Check(wanted_number(words[0]), lambda view: number_word(view.position.sets))
    return seat_number("sets", "sets_by_seat")(context, words)


CHECKS: dict[str, CheckReader] = {
    "territories": _territories,
    "armies": _armies,
    "cities": _marked("city"),
    "captured": _marked("captured"),
    "hand": _hand,
    "pile": _pile,
    "discards": _discards,
    "sets": _sets,
}
