"""Options that follow others: who states one need not state those that go with it.

A follower moves an option only where no value was stated for it beside the other one or later.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rubicon.rules.option import EMPTY, Value
from rubicon.rules.options import OPTIONS

ANY = "*"  # any value but an empty table


@dataclass(frozen=True)
class Follower:
    """Stating `option` as `value` moves `then` to `becomes`, if it is one of `only_from`."""

    option: str
    value: str
    then: str
    becomes: str
    only_from: tuple[str, ...] = ()  # empty: from any value


def _rows(option: str, value: str, *moves: str) -> tuple[Follower, ...]:
    """Rows from texts such as `setup.claim = draft if deal_cards random`."""
    return tuple(_row(option, value, move) for move in moves)


def _row(option: str, value: str, move: str) -> Follower:
    target, _, condition = move.partition(" if ")
    then, _, becomes = target.partition(" = ")
    return Follower(option, value, then, becomes, tuple(condition.split()))


_NO_PILES = (
    "neutral.layout = none if fourteen",
    "setup.place = one_each_round if two_own_one_neutral",
)
_NO_NEUTRAL = ("neutral.layout = none if fourteen single40", _NO_PILES[1])
_PILES = (
    "neutral.layout = fourteen",
    "setup.claim = deal_three_piles",
    "setup.place = two_own_one_neutral",
)
_PLAIN_DECK = ("cards.values = escalating if stars",)
_SET_DECK = ("cards.deck = 44 if stars42",)
_REVISED = (
    "setup.cities = board if 0",
    "setup.capitals = true",
)
_WITHOUT_MISSIONS = ("missions.deck = none",)
_WITHOUT_OBJECTIVES = ("objectives.pool = none",)

FOLLOWERS: tuple[Follower, ...] = (
    # set-up and neutral armies
    *_rows("neutral.layout", "fourteen", *_PILES[1:]),
    *_rows("setup.claim", "deal_three_piles", _PILES[0], _PILES[2]),
    *_rows("setup.place", "two_own_one_neutral", *_PILES[:2]),
    *_rows("neutral.layout", "single40", "setup.claim = draft", "setup.place = one_each_round"),
    *_rows("neutral.layout", "none", "setup.claim = draft if deal_three_piles", _NO_PILES[1]),
    *_rows("setup.claim", "draft", *_NO_PILES),
    *_rows("setup.claim", "deal_cards", *_NO_NEUTRAL),
    *_rows("setup.claim", "random", *_NO_NEUTRAL),
    *_rows("setup.capitals", "true", "setup.claim = draft if deal_cards random"),
    # rebels
    *_rows("rebels.setup", "none", "player.resign = to_neutral"),
    *_rows("rebels.setup", "abandoned_player", "player.resign = to_rebels"),
    *_rows("player.resign", "to_rebels", "rebels.setup = abandoned_player if none"),
    *_rows("player.resign", "to_neutral", "rebels.setup = none if abandoned_player"),
    # cards
    *_rows("cards.deck", "44", "cards.wilds = 2", *_PLAIN_DECK),
    *_rows("cards.deck", "42", "cards.wilds = 0", *_PLAIN_DECK),
    *_rows(
        "cards.deck",
        "stars42",
        "cards.wilds = 0",
        "cards.values = stars",
        "cards.forced = none",
        "cards.territory_bonus = 0",
        "elim.trade = none",
    ),
    *_rows("cards.wilds", "0", "cards.deck = 42 if 44"),
    *_rows("cards.wilds", "2", "cards.deck = 44"),
    *_rows("cards.values", "stars", "cards.deck = stars42"),
    *_rows("cards.values", "escalating", *_SET_DECK),
    *_rows("cards.values", "plus_one", *_SET_DECK),
    *_rows("cards.values", "fixed", *_SET_DECK),
    *_rows("cards.custom_designs", ANY, "cards.design_table = custom"),
    *_rows("cards.design_table", "parker", "cards.custom_designs = none"),
    *_rows("cards.design_table", "domination", "cards.custom_designs = none"),
    *_rows("stars.custom", ANY, "stars.table = custom"),
    *_rows("stars.table", "asia_two", "stars.custom = none"),
    # the goal, missions (A-33, 4.3), objectives
    *_rows("victory.goal", "conquest", *_WITHOUT_MISSIONS),
    *_rows("victory.goal", "mission", "missions.deck = us12 if none", *_WITHOUT_OBJECTIVES),
    *_rows(
        "victory.goal",
        "objectives",
        "objectives.pool = seed11 if none",
        *_REVISED,
        *_WITHOUT_MISSIONS,
    ),
    *_rows(
        "victory.goal",
        "headquarters",
        "setup.capitals = false",
        *_WITHOUT_OBJECTIVES,
        *_WITHOUT_MISSIONS,
    ),
    *_rows("missions.deck", "none", "victory.goal = conquest if mission", "missions.custom = none"),
    *_rows(
        "missions.deck",
        "us12",
        "missions.killer = anyone",
        "missions.unused_colours = removed",
        "victory.goal = mission if conquest",
        "missions.custom = none",
    ),
    *_rows(
        "missions.deck",
        "euro14",
        "missions.killer = self_else_24",
        "missions.unused_colours = kept_24",
        "victory.goal = mission if conquest",
        "missions.custom = none",
    ),
    *_rows("missions.deck", "custom", "victory.goal = mission if conquest"),
    *_rows("missions.custom", ANY, "missions.deck = custom"),
    *_rows("objectives.pool", "none", "victory.goal = conquest if objectives"),
    *_rows("objectives.pool", "seed11", *_REVISED),
    *_rows("objectives.pool", "r08_12", *_REVISED),
)


def stated_with_followers(
    options: Mapping[str, Value], stated: Mapping[str, Value]
) -> dict[str, Value]:
    """The options with those stated, and what follows from stating them."""
    result = {**options, **stated}
    settled = set(stated)
    waiting = [name for name in OPTIONS if name in stated]
    while waiting:
        for follower in _moving(waiting.pop(0), result, settled):
            settled.add(follower.then)
            waiting.append(follower.then)
            result[follower.then] = OPTIONS[follower.then].read(follower.becomes)
    return result


def _moving(name: str, options: Mapping[str, Value], settled: set[str]) -> Iterable[Follower]:
    """The followers of an option that find their condition met."""
    value = OPTIONS[name].text(options[name])
    for follower in FOLLOWERS:
        if follower.option != name or follower.then in settled:
            continue
        if value != follower.value and (follower.value != ANY or value == EMPTY):
            continue
        now = OPTIONS[follower.then].text(options[follower.then])
        if now != follower.becomes and (not follower.only_from or now in follower.only_from):
            yield follower
