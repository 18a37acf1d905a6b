"""Cards, objectives, rewards and missions in a position's text: lists of names, by place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rubicon.rules.position import HIDDEN, NONE, CardPlace, ObjectivePlace, RewardPlace
from rubicon.rules.text.position_fields import HIDDEN_WORD, Names

CARD_LISTS = {
    "discards": CardPlace.DISCARDS,
    "removed": CardPlace.REMOVED,
    "offered": CardPlace.OFFERED,
}
LATER = "~"  # behind a reward that works only from the next turn on
FALLBACK = ":24"  # behind a mission that now means 24 territories

Tokens = Iterator[tuple[str, str]]


class Misread(ValueError):
    """A value of a field that cannot be read, and why."""


def _list(names: list[str]) -> str:
    return ",".join(names)


def cards_hidden(position: Any, names: Names) -> bool:
    """Whether some card lies where one may not see it."""
    return bool((position.card[: len(names.cards)] == HIDDEN).any())


def _cards_at(position: Any, names: Names, place: int) -> list[str]:
    lies = position.card.tolist()
    return [name for card, name in enumerate(names.cards) if lies[card] == place]


def table_cards(position: Any, names: Names) -> Tokens:
    """The cards that lie neither in a hand nor where most lie."""
    hidden = cards_hidden(position, names)
    if hidden:
        yield "cards", HIDDEN_WORD
        if pile := _cards_at(position, names, CardPlace.PILE):
            yield "pile", _list(pile)
    for key, place in CARD_LISTS.items():
        if cards := _cards_at(position, names, place):
            yield key, _list(cards)
    yield from _size("pile_size", position.pile, _cards_at(position, names, CardPlace.PILE))
    discards = _cards_at(position, names, CardPlace.DISCARDS)
    yield from _size("discards_size", position.discards, discards)


def _size(key: str, size: int, seen: list[str]) -> Tokens:
    """How many cards there are, where that is more than can be seen."""
    if size != len(seen):
        yield key, str(int(size))


def seat_cards(position: Any, names: Names, seat: int) -> Tokens:
    """The cards of a seat, and how many they are where not all can be seen."""
    cards = _cards_at(position, names, seat)
    if cards:
        yield "hand", _list(cards)
    yield from _size("hand_size", position.hand[seat], cards)


def read_cards(position: Any, names: Names, place: int, text: str) -> None:
    """Put the named cards there; none may be named twice."""
    for word in text.split(","):
        card = _index(names.cards, word, "card")
        if position.card[card] not in (CardPlace.PILE, HIDDEN):
            raise Misread(f"the card {word} is counted twice")
        position.card[card] = place


def _index(known: Any, word: str, what: str) -> int:
    if word not in known:
        raise Misread(f"{word[:30]!r} is no {what}")
    return int(known.index(word))


def face_up(position: Any, names: Names) -> Tokens:
    """The objectives that lie face up, with the rewards on them."""
    if objectives := _objectives_at(position, names, ObjectivePlace.FACE_UP):
        yield "face_up", _list(objectives)


def seat_objectives(position: Any, names: Names, seat: int) -> Tokens:
    """The objectives that a seat has claimed, and its rewards."""
    if objectives := _objectives_at(position, names, seat):
        yield "objectives", _list(objectives)
    if rewards := [
        _reward(position, names, token)
        for token in range(len(names.rewards))
        if position.reward[token] == seat
    ]:
        yield "rewards", _list(rewards)


def _objectives_at(position: Any, names: Names, place: int) -> list[str]:
    found = []
    for number, name in enumerate(names.objectives):
        if position.objective[number] == place:
            token = int(position.objective_reward[number])
            found.append(name if token == NONE else f"{name}:{names.rewards[token]}")
    return found


def _reward(position: Any, names: Names, token: int) -> str:
    later = LATER if position.reward_from[token] else ""
    place = int(position.airfield[token])
    where = "" if place == NONE else f"@{names.territories[place]}"
    return names.rewards[token] + where + later


def read_objectives(position: Any, names: Names, place: int, text: str) -> None:
    """Put the named objectives there, and the rewards on them."""
    for word in text.split(","):
        name, colon, reward = word.partition(":")
        number = _index(names.objectives, name, "objective")
        if position.objective[number] != ObjectivePlace.BOX:
            raise Misread(f"the objective {name} is counted twice")
        position.objective[number] = place
        if colon:
            token = _free_token(position, names, reward)
            position.objective_reward[number] = token
            position.reward[token] = RewardPlace.ON_OBJECTIVE


def read_rewards(position: Any, names: Names, seat: int, text: str) -> None:
    """Give the named rewards to a seat."""
    for word in text.split(","):
        now = word.removesuffix(LATER)
        name, at, territory = now.partition("@")
        token = _free_token(position, names, name)
        position.reward[token] = seat
        position.reward_from[token] = int(now != word)
        if at:
            position.airfield[token] = _index(names.territories, territory, "territory")


def _free_token(position: Any, names: Names, name: str) -> int:
    token = _index(names.rewards, name, "reward")
    if position.reward[token] != RewardPlace.BOX:
        raise Misread(f"the reward {name} is counted twice")
    return token


def seat_mission(position: Any, names: Names, seat: int) -> Tokens:
    """The mission of a seat; hidden is not the same as none."""
    mission, fallback = int(position.mission[seat]), int(position.mission_fallback[seat])
    if fallback == HIDDEN:
        yield "mission", HIDDEN_WORD
    elif mission != NONE:
        yield "mission", names.missions[mission] + (FALLBACK if fallback else "")


def read_mission(position: Any, names: Names, seat: int, text: str) -> None:
    """Give a mission to a seat."""
    if text == HIDDEN_WORD:
        position.mission[seat] = position.mission_fallback[seat] = HIDDEN
        return
    name = text.removesuffix(FALLBACK)
    position.mission[seat] = _index(names.missions, name, "mission")
    position.mission_fallback[seat] = int(name != text)
