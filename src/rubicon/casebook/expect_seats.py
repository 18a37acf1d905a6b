"""Expectations about the seats: armies, status, orders, missions, objectives, rewards."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.casebook.names import (
    NOTHING,
    CaseContext,
    place_among,
    word_of,
)
from rubicon.casebook.parser import case_error, name_list
from rubicon.casebook.view import (
    HIDDEN_WORD,
    NONE_WORD,
    CaseView,
    Check,
    CheckReader,
    arguments,
    names_word,
    nothing,
    number_word,
    place_word,
    seat_number,
    wanted_number,
)
from rubicon.engine.records.position import (
    HIDDEN,
    NONE,
    OBJECTIVES,
    REWARDS,
    ObjectivePlace,
    RewardPlace,
    Seat,
    Standing,
)

AWARD_ITEMS = ("territories", "continents", "capitals", "rewards", "total")
STATES = {
    "playing": Seat.PLAYING,
    "eliminated": Seat.ELIMINATED,
    "resigned": Seat.RESIGNED,
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
    return Check(wanted, lambda view: word_of(Seat(int(view.position.status[seat]))))


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
    if mission == NONE:
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
    return HIDDEN_WORD if order == HIDDEN else word_of(Standing(int(order)))


def _objectives(context: CaseContext, words: Sequence[str]) -> Check:
    """`objectives COLOUR OB01 ...|none|NUMBER`, `objectives face-up ...`."""
    if len(words) < 2:
        raise case_error(
            "expectation", "Expected `expect objectives COLOUR|face-up OBJECTIVE ...`."
        )
    place = ObjectivePlace.FACE_UP if words[0].lower() == "face-up" else context.seat(words[0])
    if len(words) == 2 and words[1].isdecimal():
        return Check(words[1], lambda view: str(len(_objectives_at(view, place))))
    wanted = [] if nothing(words[1:]) else name_list(" ".join(words[1:]))
    named = names_word(context.objective_ids[context.objective(word)] for word in wanted)
    return Check(named, lambda view: names_word(_objectives_at(view, place)))


def _objectives_at(view: CaseView, place: int) -> list[str]:
    ids = view.context.objective_ids
    return [ids[i] for i in range(OBJECTIVES) if view.position.objective[i] == place]


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
    held = [token for token in range(REWARDS) if view.position.reward[token] == seat]
    return [view.context.token_word(token) for token in held]


def _on(context: CaseContext, words: Sequence[str]) -> Check:
    name, reward = arguments(words, 2, "on OBJECTIVE REWARD|none")
    objective = context.objective(name)
    wanted = NONE_WORD if nothing([reward]) else context.token_word(context.tokens(reward)[0])
    return Check(wanted, lambda view: _token_on(view, objective))


def _token_on(view: CaseView, objective: int) -> str:
    token = int(view.position.objective_reward[objective])
    return NONE_WORD if token == NONE else view.context.token_word(token)


def _airfield(context: CaseContext, words: Sequence[str]) -> Check:
    if len(words) < 2:
        raise case_error("expectation", "Expected `expect airfield COLOUR TERRITORY ...|none`.")
    seat = context.seat(words[0])
    wanted = [] if nothing(words[1:]) else context.territory_list(" ".join(words[1:]))
    named = names_word(context.territories[t] for t in wanted)
    return Check(named, lambda view: names_word(_airfields_of(view, seat)))


def _airfields_of(view: CaseView, seat: int) -> list[str]:
    position = view.position
    tokens = [token for token in range(REWARDS) if position.reward[token] < RewardPlace.BOX]
    held = [token for token in tokens if position.reward[token] == seat]
    standing = [int(position.airfield[token]) for token in held]
    return [view.context.territories[t] for t in standing if t != NONE]


CHECKS: dict[str, CheckReader] = {
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
