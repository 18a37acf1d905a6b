"""Cards, objectives, rewards and missions in a position's text: lists of names, by place."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.engine.records.position import (
    HIDDEN,
    NONE,
    CardPlace,
    ObjectivePlace,
    Position,
    RewardPlace,
)
from rubicon.rules.notation.position_fields import HIDDEN_WORD, NotWritable, PositionNames

CARD_LISTS = {
    "discards": int(CardPlace.DISCARDS),
    "removed": int(CardPlace.REMOVED),
    "offered": int(CardPlace.OFFERED),
}
LATER = "~"  # after a reward that works only from the next turn on
FALLBACK = ":24"  # after a mission that now means 24 territories
_PLACES = {CardPlace.PILE, *CARD_LISTS.values()}

# Places by name, and the names that lie there in board order.
Lists = dict[int, list[str]]


class BadFieldValue(ValueError):
    """A value of a field that cannot be read, and why."""


# Cards


def card_lists(cells: Position, names: PositionNames) -> Lists:
    """The named cards by the place where they lie; NotWritable where that is no place."""
    lists: Lists = {}
    for place, name in zip(cells.card, names.cards, strict=False):
        lists.setdefault(place, []).append(name)
    if not lists.keys() <= {HIDDEN, *_PLACES, *range(len(names.colours))}:
        raise NotWritable
    return lists


def table_cards(cells: Position, lists: Lists) -> dict[str, str]:
    """The cards that lie neither in a hand nor where most lie."""
    fields: dict[str, str] = {}
    hidden = HIDDEN in lists
    pile, discards = lists.get(CardPlace.PILE, []), lists.get(CardPlace.DISCARDS, [])
    if hidden:
        fields["cards"] = HIDDEN_WORD
        if pile:
            fields["pile"] = ",".join(pile)
    for key, place in CARD_LISTS.items():
        if place in lists:
            fields[key] = ",".join(lists[place])
    _write_size(fields, "pile_size", cells.pile, len(pile), hidden)
    _write_size(fields, "discards_size", cells.discards, len(discards), hidden)
    return fields


def seat_cards(cells: Position, lists: Lists, seat: int) -> dict[str, str]:
    """The cards of a seat, and how many they are where not all can be seen."""
    cards = lists.get(seat, [])
    fields = {"hand": ",".join(cards)} if cards else {}
    _write_size(fields, "hand_size", cells.hand[seat], len(cards), HIDDEN in lists)
    return fields


def _write_size(fields: dict[str, str], key: str, size: int, seen: int, hidden: bool) -> None:
    """How many cards there are, where that is more than can be seen."""
    if size == seen:
        return
    if size < seen or not hidden:  # nothing hidden: the number follows from the names
        raise NotWritable
    fields[key] = str(size)


def read_cards(cells: Position, names: PositionNames, place: int, text: str) -> None:
    """Put the named cards there; none may be named twice."""
    for word in text.split(","):
        card = _index(names.cards, word, "card")
        if cells.card[card] not in (CardPlace.PILE, HIDDEN):
            raise BadFieldValue(f"the card {word} is counted twice")
        cells.card[card] = place


def _index(known: Sequence[str], word: str, what: str) -> int:
    if word not in known:
        raise BadFieldValue(f"there is no {what} {word[:30]!r}")
    return known.index(word)


# Objectives and rewards


def objective_lists(cells: Position, default: Position, names: PositionNames) -> Lists:
    """The objectives in the game by place, each with the reward that lies on it."""
    lists: Lists = {}
    shown = (ObjectivePlace.FACE_UP, *range(len(names.colours)))
    covered: list[int] = []
    for number, name in enumerate(names.objectives):
        place, token = cells.objective[number], cells.objective_reward[number]
        if place not in shown:
            if (place, token) != (default.objective[number], default.objective_reward[number]):
                raise NotWritable
            continue
        if token != NONE:
            covered.append(token)
        reward = "" if token == NONE else f":{_reward_name(names, token)}"
        lists.setdefault(place, []).append(name + reward)
    on_objective = [t for t, p in enumerate(cells.reward) if p == RewardPlace.ON_OBJECTIVE]
    if sorted(covered) != on_objective:
        raise NotWritable
    return lists


def _reward_name(names: PositionNames, token: int) -> str:
    if not 0 <= token < len(names.rewards) or names.rewards.index(names.rewards[token]) != token:
        raise NotWritable  # two tokens of one name cannot be told apart
    return names.rewards[token]


def reward_lists(cells: Position, default: Position, names: PositionNames) -> Lists:
    """The rewards of each seat."""
    lists: Lists = {}
    for token, place in enumerate(cells.reward):
        details = cells.reward_from[token], cells.airfield[token]
        if 0 <= place < len(names.colours):
            lists.setdefault(place, []).append(_reward(names, token, *details))
            continue
        known = (default.reward[token], RewardPlace.ON_OBJECTIVE)
        if place not in known or details != (default.reward_from[token], default.airfield[token]):
            raise NotWritable
    return lists


def _reward(names: PositionNames, token: int, later: int, airfield: int) -> str:
    if later not in (0, 1) or not NONE <= airfield < len(names.territories):
        raise NotWritable
    where = "" if airfield == NONE else f"@{names.territories[airfield]}"
    return _reward_name(names, token) + where + LATER * later


def read_objectives(cells: Position, names: PositionNames, place: int, text: str) -> None:
    """Put the named objectives there, and the rewards on them."""
    for word in text.split(","):
        name, colon, reward = word.partition(":")
        number = _index(names.objectives, name, "objective")
        if cells.objective[number] != ObjectivePlace.BOX:
            raise BadFieldValue(f"the objective {name} is counted twice")
        cells.objective[number] = place
        if colon:
            token = _free_token(cells, names, reward)
            cells.objective_reward[number] = token
            cells.reward[token] = int(RewardPlace.ON_OBJECTIVE)


def read_rewards(cells: Position, names: PositionNames, seat: int, text: str) -> None:
    """Give the named rewards to a seat."""
    for word in text.split(","):
        now = word.removesuffix(LATER)
        name, at, territory = now.partition("@")
        token = _free_token(cells, names, name)
        cells.reward[token] = seat
        cells.reward_from[token] = int(now != word)
        if at:
            cells.airfield[token] = _index(names.territories, territory, "territory")


def _free_token(cells: Position, names: PositionNames, name: str) -> int:
    token = _index(names.rewards, name, "reward")
    if cells.reward[token] != RewardPlace.BOX:
        raise BadFieldValue(f"the reward {name} is counted twice")
    return token


# Missions


def seat_mission(cells: Position, names: PositionNames, seat: int) -> dict[str, str]:
    """The mission of a seat; a hidden one is not the same as none."""
    mission, fallback = cells.mission[seat], cells.mission_fallback[seat]
    if mission == NONE:
        if fallback not in (0, HIDDEN):
            raise NotWritable
        return {"mission": HIDDEN_WORD} if fallback == HIDDEN else {}
    if not 0 <= mission < len(names.missions) or fallback not in (0, 1):
        raise NotWritable
    return {"mission": names.missions[mission] + FALLBACK * fallback}


def read_mission(cells: Position, names: PositionNames, seat: int, text: str) -> None:
    """Give a mission to a seat."""
    if text == HIDDEN_WORD:
        cells.mission[seat] = cells.mission_fallback[seat] = HIDDEN
        return
    name = text.removesuffix(FALLBACK)
    cells.mission[seat] = _index(names.missions, name, "mission")
    cells.mission_fallback[seat] = int(name != text)
