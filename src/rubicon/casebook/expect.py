"""What a case expects, compared with the game."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

from rubicon.casebook.actions import NOTHING, CaseContext, place_among, whole_number, word_of
from rubicon.casebook.parser import case_error, name_list
from rubicon.casebook.view import (
    HIDDEN_WORD,
    NONE_WORD,
    TURN_CHECKS,
    CaseView,
    Check,
    CheckReader,
    arguments,
    names_word,
    nothing,
    number_word,
    place_word,
    seat_number,
    seen,
    wanted_number,
)
from rubicon.engine import records
from rubicon.errors import RubiconError
from rubicon.rules.events import Event
from rubicon.wording import nearest

# Expectations about the board and the cards.


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
    return HIDDEN_WORD if records.HIDDEN in armies else str(int(armies.sum()))


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
    return _cards(context, words, records.CardPlace.PILE, lambda view: int(view.position.pile))


def _discards(context: CaseContext, words: Sequence[str]) -> Check:
    return _cards(
        context, words, records.CardPlace.DISCARDS, lambda view: int(view.position.discards)
    )


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
    lying = [cards[card] for card in range(records.CARDS) if view.position.card[card] == place]
    if not lying and count != 0:
        return HIDDEN_WORD
    return names_word(lying) + ("" if len(lying) == count else " ...")


def _sets(context: CaseContext, words: Sequence[str]) -> Check:
    if len(words) == 1:
        return Check(wanted_number(words[0]), lambda view: number_word(view.position.sets))
    return seat_number("sets", "sets_by_seat")(context, words)


BOARD_CHECKS: dict[str, CheckReader] = {
    "territories": _territories,
    "armies": _armies,
    "cities": _marked("city"),
    "captured": _marked("captured"),
    "hand": _hand,
    "pile": _pile,
    "discards": _discards,
    "sets": _sets,
}


# Expectations about the events of the last step.


def _event(context: CaseContext, words: Sequence[str]) -> Check:
    """`event KIND`, `event KIND NUMBER`."""
    if len(words) not in (1, 2):
        raise case_error("expectation", "Expected `expect event KIND [NUMBER]`.")
    kind = EVENT_KINDS[place_among(words[0], EVENT_KINDS, "kind of event")]
    if len(words) == 1:
        return Check(kind, lambda view: kind if _events(view, kind) else _kinds(view))
    return Check(str(whole_number(words[1])), lambda view: str(_events(view, kind)))


def _events(view: CaseView, kind: str) -> int:
    return sum(event_kind(type(event)) == kind for event in view.events)


def _kinds(view: CaseView) -> str:
    return " ".join(event_kind(type(event)) for event in view.events) or NONE_WORD


def event_kind(kind: type) -> str:
    """The kind of an event in words: `SpoilsTaken` is `spoils-taken`."""
    return re.sub("(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


EVENT_KINDS = tuple(event_kind(kind) for kind in get_args(Event))


def _told(context: CaseContext, words: Sequence[str]) -> Check:
    """`told TEXT`: one of the events has this text."""
    text = " ".join(words)
    if not text:
        raise case_error("expectation", "Expected `expect told TEXT`.")
    return Check(text, lambda view: _telling(view, text))


def _telling(view: CaseView, text: str) -> str:
    lines = [str(event) for event in view.events]
    return text if text in lines else "; ".join(lines) or NONE_WORD


EVENT_CHECKS: dict[str, CheckReader] = {
    "event": _event,
    "told": _told,
}


# Expectations about the seats: armies, status, orders, missions, objectives, rewards.

AWARD_ITEMS = ("territories", "continents", "capitals", "rewards", "total")
STATES = {
    "playing": records.Seat.PLAYING,
    "eliminated": records.Seat.ELIMINATED,
    "resigned": records.Seat.RESIGNED,
}


def _unplaced(context: CaseContext, words: Sequence[str]) -> Check:
    if len(words) == 2 and words[0].lower() == "neutral":
        return Check(
            wanted_number(words[1]),
            lambda view: number_word(view.position.neutral_unplaced),
        )
    return seat_number("unplaced", "unplaced")(context, words)


def _award(context: CaseContext, words: Sequence[str]) -> Check:
    """`award COLOUR TOTAL` or `award COLOUR ITEM NUMBER ...`."""
    if len(words) == 2:
        words = (words[0], "total", words[1])
    if len(words) < 3 or len(words) % 2 == 0:
        raise case_error("expectation", "Expected `expect award COLOUR [ITEM NUMBER ...]`.")
    seat = context.seat(words[0])
    items = [AWARD_ITEMS[place_among(word, AWARD_ITEMS, "item")] for word in words[1::2]]
    numbers = [wanted_number(word) for word in words[2::2]]
    wanted = " ".join(f"{i} {n}" for i, n in zip(items, numbers, strict=True))
    return Check(wanted, lambda view: _awarded(view, seat, items))


def _awarded(view: CaseView, seat: int, items: list[str]) -> str:
    position = view.position
    if position.turn != seat:
        return f"the award of {view.context.seats[position.turn]}"
    numbers = {item: int(getattr(position, f"award_{item}")) for item in AWARD_ITEMS[:-1]}
    numbers["total"] = sum(numbers.values())
    return " ".join(f"{item} {numbers[item]}" for item in items)


def _status(context: CaseContext, words: Sequence[str]) -> Check:
    colour, word = arguments(words, 2, "status COLOUR playing|eliminated|resigned")
    seat = context.seat(colour)
    wanted = tuple(STATES)[place_among(word, tuple(STATES), "status")]
    return Check(wanted, lambda view: word_of(records.Seat(int(view.position.status[seat]))))


def _capital(context: CaseContext, words: Sequence[str]) -> Check:
    if len(words) < 2:
        raise case_error("expectation", "Expected `expect capital COLOUR TERRITORY|none|hidden`.")
    seat, rest = context.seat(words[0]), words[1:]
    if nothing(rest) or rest[0].lower() == HIDDEN_WORD:
        wanted = NONE_WORD
    else:
        wanted = context.territories[context.territory(" ".join(rest))]
    return Check(wanted, lambda view: place_word(context, int(view.position.capital[seat])))


def _mission(context: CaseContext, words: Sequence[str]) -> Check:
    """`mission COLOUR MISSION`, `... fallback`, `... none`, `... hidden`."""
    if len(words) not in (2, 3) or words[2:] not in ([], ["fallback"]):
        raise case_error("expectation", "Expected `expect mission COLOUR MISSION [fallback]`.")
    seat = context.seat(words[0])
    if words[1].lower() in (*NOTHING, HIDDEN_WORD):
        wanted = NONE_WORD
    else:
        wanted = " ".join((context.mission_ids[context.mission(words[1])], *words[2:]))
    return Check(wanted, lambda view: _mission_word(view, seat))


def _mission_word(view: CaseView, seat: int) -> str:
    mission = int(view.position.mission[seat])
    if mission == records.NONE:
        return NONE_WORD
    fallback = " fallback" if view.position.mission_fallback[seat] == 1 else ""
    return view.context.mission_ids[mission] + fallback


def _standing(context: CaseContext, words: Sequence[str]) -> Check:
    if len(words) < 3:
        raise case_error("expectation", "Expected `expect standing COLOUR all|TERRITORY ORDER`.")
    seat, place = context.seat(words[0]), " ".join(words[1:-1])
    hidden = words[-1].lower() == HIDDEN_WORD
    wanted = HIDDEN_WORD if hidden else word_of(context.order(words[-1]))
    if place.lower() == "all":
        return Check(wanted, lambda view: _order_word(view.position.standing_all[seat]))
    t = context.territory(place)
    return Check(wanted, lambda view: _order_word(view.position.standing[t]))


def _order_word(order: int) -> str:
    return HIDDEN_WORD if order == records.HIDDEN else word_of(records.Standing(int(order)))


def _objectives(context: CaseContext, words: Sequence[str]) -> Check:
    """`objectives COLOUR OB01 ...|none|NUMBER`, `objectives face-up ...`."""
    if len(words) < 2:
        raise case_error(
            "expectation", "Expected `expect objectives COLOUR|face-up OBJECTIVE ...`."
        )
    place = (
        records.ObjectivePlace.FACE_UP if words[0].lower() == "face-up" else context.seat(words[0])
    )
    if len(words) == 2 and words[1].isdecimal():
        return Check(words[1], lambda view: str(len(_objectives_at(view, place))))
    wanted = [] if nothing(words[1:]) else name_list(" ".join(words[1:]))
    named = names_word(context.objective_ids[context.objective(word)] for word in wanted)
    return Check(named, lambda view: names_word(_objectives_at(view, place)))


def _objectives_at(view: CaseView, place: int) -> list[str]:
    ids = view.context.objective_ids
    return [ids[i] for i in range(records.OBJECTIVES) if view.position.objective[i] == place]


def _rewards(context: CaseContext, words: Sequence[str]) -> Check:
    """`rewards COLOUR REWARD ...|none|NUMBER`."""
    if len(words) < 2:
        raise case_error("expectation", "Expected `expect rewards COLOUR REWARD ...`.")
    seat = context.seat(words[0])
    if len(words) == 2 and words[1].isdecimal():
        return Check(words[1], lambda view: str(len(_rewards_of(view, seat))))
    wanted = [] if nothing(words[1:]) else name_list(" ".join(words[1:]))
    named = names_word(context.token_word(context.tokens(word)[0]) for word in wanted)
    return Check(named, lambda view: names_word(_rewards_of(view, seat)))


def _rewards_of(view: CaseView, seat: int) -> list[str]:
    held = [token for token in range(records.REWARDS) if view.position.reward[token] == seat]
    return [view.context.token_word(token) for token in held]


def _on(context: CaseContext, words: Sequence[str]) -> Check:
    name, reward = arguments(words, 2, "on OBJECTIVE REWARD|none")
    objective = context.objective(name)
    wanted = NONE_WORD if nothing([reward]) else context.token_word(context.tokens(reward)[0])
    return Check(wanted, lambda view: _token_on(view, objective))


def _token_on(view: CaseView, objective: int) -> str:
    token = int(view.position.objective_reward[objective])
    return NONE_WORD if token == records.NONE else view.context.token_word(token)


def _airfield(context: CaseContext, words: Sequence[str]) -> Check:
    if len(words) < 2:
        raise case_error("expectation", "Expected `expect airfield COLOUR TERRITORY ...|none`.")
    seat = context.seat(words[0])
    wanted = [] if nothing(words[1:]) else context.territory_list(" ".join(words[1:]))
    named = names_word(context.territories[t] for t in wanted)
    return Check(named, lambda view: names_word(_airfields_of(view, seat)))


def _airfields_of(view: CaseView, seat: int) -> list[str]:
    position = view.position
    tokens = [
        token
        for token in range(records.REWARDS)
        if position.reward[token] < records.RewardPlace.BOX
    ]
    held = [token for token in tokens if position.reward[token] == seat]
    standing = [int(position.airfield[token]) for token in held]
    return [view.context.territories[t] for t in standing if t != records.NONE]


SEAT_CHECKS: dict[str, CheckReader] = {
    "unplaced": _unplaced,
    "award": _award,
    "snapshot": seat_number("snapshot", "snapshot"),
    "status": _status,
    "capital": _capital,
    "headquarters": _capital,
    "mission": _mission,
    "standing": _standing,
    "objectives": _objectives,
    "rewards": _rewards,
    "on": _on,
    "airfield": _airfield,
}


# An expectation of a case: one value of the game, compared as text with the wanted one.

ALL_CHECKS = {
    **BOARD_CHECKS,
    **SEAT_CHECKS,
    **TURN_CHECKS,
    **EVENT_CHECKS,
}


@dataclass(frozen=True, slots=True)
class Expectation:
    """A check, perhaps negated, perhaps through the eyes of a seat."""

    text: str
    check: Check
    negated: bool = False
    seer: str | None = None

    def found(self, view: CaseView) -> str | None:
        """The value that is there instead; None if the expectation holds."""
        found = self.check.read(view if self.seer is None else seen(view, self.seer))
        if (found == self.check.wanted) != self.negated:
            return None
        return found


def read_expectation(context: CaseContext, text: str) -> Expectation:
    """The expectation of a line, which is given without its first word."""
    words, negated = text.split(), False
    seer: str | None = None
    while words[:1] == ["not"] or (words[:2] == ["seen", "by"] and len(words) > 2):
        if words[0] == "not":
            negated, words = not negated, words[1:]
        else:
            seer, words = context.seats[context.seat(words[2])], words[3:]
    if not words:
        raise case_error("expectation", "Expected something after `expect`.")
    try:
        return Expectation(text, _check(context, words), negated, seer)
    except RubiconError as error:
        if "and" not in words:
            raise
        problem = "One `expect` line holds one expectation, and a list is written without `and`."
        raise case_error("expectation", f"{problem} {error.message}", error.suggestion) from None


def _check(context: CaseContext, words: list[str]) -> Check:
    if words[0].lower() in ALL_CHECKS:
        return ALL_CHECKS[words[0].lower()](context, words[1:])
    try:
        return territory(context, words)
    except RubiconError as error:
        hint = nearest(words[0], ALL_CHECKS)
        if error.suggestion or not hint:
            raise
        raise case_error("unknown-word", error.message, hint) from None
