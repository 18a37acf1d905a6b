"""What a case may expect of the board and the cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rubicon.rules.case_names import (
    Setting,
)
from rubicon.rules.case_scene import (
    HIDDEN_WORD,
    Probe,
    Reader,
    Scene,
    arguments,
    names_word,
    nothing,
    number_word,
    seat_number,
    wanted_number,
)
from rubicon.rules.case_text import among, trouble
from rubicon.rules.position import (
    CARDS,
    HIDDEN,
    CardPlace,
)


def territory(setting: Setting, words: Sequence[str]) -> Probe:
    """`TERRITORY COLOUR ARMIES`, `TERRITORY COLOUR`, `TERRITORY empty`."""
    if words[-1].lower() == "empty":
        t = setting.territory(" ".join(words[:-1]))
        return Probe("empty", lambda scene: _owner_at(scene, t))
    t, rest = setting.split_owner(words)
    owner = setting.owner_word(setting.owner(rest[0]))
    if len(rest) == 1:
        return Probe(owner, lambda scene: _owner_at(scene, t))
    armies = wanted_number(arguments(rest, 2, "TERRITORY COLOUR ARMIES")[1])
    return Probe(f"{owner} {armies}", lambda scene: _owner_at(scene, t) + _armies_at(scene, t))


def _owner_at(scene: Scene, t: int) -> str:
    return scene.setting.owner_word(int(scene.position.owner[t]))


def _armies_at(scene: Scene, t: int) -> str:
    return f" {number_word(scene.position.armies[t])}"


def _territories(setting: Setting, words: Sequence[str]) -> Probe:
    colour, number = arguments(words, 2, "territories COLOUR NUMBER")
    owner = setting.owner(colour)
    return Probe(
        wanted_number(number), lambda scene: number_word(scene.position.territories[owner])
    )


def _armies(setting: Setting, words: Sequence[str]) -> Probe:
    colour, number = arguments(words, 2, "armies COLOUR NUMBER")
    owner = setting.owner(colour)
    return Probe(wanted_number(number), lambda scene: _total(scene, owner))


def _total(scene: Scene, owner: int) -> str:
    armies = scene.position.armies[scene.position.owner == owner]
    return HIDDEN_WORD if HIDDEN in armies else str(int(armies.sum()))


def _marked(name: str) -> Reader:
    """`cities 15`, `cities ural china`, `captured none`."""

    def probe(setting: Setting, words: Sequence[str]) -> Probe:
        if len(words) == 1 and words[0].isdecimal():
            return Probe(words[0], lambda scene: str(len(_marks(scene, name))))
        wanted = [] if nothing(words) else setting.territory_list(" ".join(words))
        named = names_word(setting.territories[t] for t in wanted)
        return Probe(named, lambda scene: names_word(_marks(scene, name)))

    return probe


def _marks(scene: Scene, name: str) -> list[str]:
    marks = getattr(scene.position, name)
    return [territory for t, territory in enumerate(scene.setting.territories) if marks[t] != 0]


def _hand(setting: Setting, words: Sequence[str]) -> Probe:
    if len(words) < 2:
        raise trouble("expectation", "Expected `expect hand COLOUR NUMBER|CARD ...|hidden`.")
    seat = setting.seat(words[0])
    return _cards(setting, words[1:], seat, lambda scene: int(scene.position.hand[seat]))


def _pile(setting: Setting, words: Sequence[str]) -> Probe:
    return _cards(setting, words, CardPlace.PILE, lambda scene: int(scene.position.pile))


def _discards(setting: Setting, words: Sequence[str]) -> Probe:
    return _cards(setting, words, CardPlace.DISCARDS, lambda scene: int(scene.position.discards))


def _cards(
    setting: Setting, words: Sequence[str], place: int, count: Callable[[Scene], int]
) -> Probe:
    """How many cards lie there, which, or that none of them is to be seen."""
    if len(words) == 1 and words[0].isdecimal():
        return Probe(words[0], lambda scene: number_word(count(scene)))
    if len(words) == 1 and words[0].lower() == HIDDEN_WORD:
        return Probe(HIDDEN_WORD, lambda scene: _card_names(scene, place, count(scene)))
    wanted = [] if nothing(words) else [setting.card(word) for word in among(" ".join(words))]
    named = names_word(setting.cards[card] for card in wanted)
    return Probe(named, lambda scene: _card_names(scene, place, count(scene)))


def _card_names(scene: Scene, place: int, count: int) -> str:
    cards = scene.setting.cards
    lying = [cards[card] for card in range(CARDS) if scene.position.card[card] == place]
    if not lying and count != 0:
        return HIDDEN_WORD
    return names_word(lying) + ("" if len(lying) == count else " ...")


def _sets(setting: Setting, words: Sequence[str]) -> Probe:
    if len(words) == 1:
        return Probe(wanted_number(words[0]), lambda scene: number_word(scene.position.sets))
    return seat_number("sets", "sets_by_seat")(setting, words)


PROBES: dict[str, Reader] = {
    "territories": _territories,
    "armies": _armies,
    "cities": _marked("city"),
    "captured": _marked("captured"),
    "hand": _hand,
    "pile": _pile,
    "discards": _discards,
    "sets": _sets,
}
