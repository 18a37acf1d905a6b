"""What a case may expect of the seats: what each has, and what it aims at."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.rules.case_names import (
    NOBODY,
    Setting,
    place_among,
    word_of,
)
from rubicon.rules.case_scene import (
    HIDDEN_WORD,
    NONE_WORD,
    Probe,
    Reader,
    Scene,
    arguments,
    names_word,
    nothing,
    number_word,
    place_word,
    seat_number,
    wanted_number,
)
from rubicon.rules.case_text import among, trouble
from rubicon.rules.position import (
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


def _unplaced(setting: Setting, words: Sequence[str]) -> Probe:
    if len(words) == 2 and words[0].lower() == "neutral":
        return Probe(
            wanted_number(words[1]),
            lambda scene: number_word(scene.position.neutral_unplaced),
        )
    return seat_number("unplaced", "unplaced")(setting, words)


def _award(setting: Setting, words: Sequence[str]) -> Probe:
    """`award COLOUR TOTAL` or `award COLOUR ITEM NUMBER ...`."""
    if len(words) == 2:
        words = (words[0], "total", words[1])
    if len(words) < 3 or len(words) % 2 == 0:
        raise trouble("expectation", "Expected `expect award COLOUR [ITEM NUMBER ...]`.")
    seat = setting.seat(words[0])
    items = [AWARD_ITEMS[place_among(word, AWARD_ITEMS, "item")] for word in words[1::2]]
    numbers = [wanted_number(word) for word in words[2::2]]
    wanted = " ".join(f"{i} {n}" for i, n in zip(items, numbers, strict=True))
    return Probe(wanted, lambda scene: _awarded(scene, seat, items))


def _awarded(scene: Scene, seat: int, items: list[str]) -> str:
    position = scene.position
    if position.turn != seat:
        return f"the award of {scene.setting.seats[position.turn]}"
    numbers = {item: int(getattr(position, f"award_{item}")) for item in AWARD_ITEMS[:-1]}
    numbers["total"] = sum(numbers.values())
    return " ".join(f"{item} {numbers[item]}" for item in items)


def _status(setting: Setting, words: Sequence[str]) -> Probe:
    colour, word = arguments(words, 2, "status COLOUR playing|eliminated|resigned")
    seat = setting.seat(colour)
    wanted = tuple(STATES)[place_among(word, tuple(STATES), "status")]
    return Probe(wanted, lambda scene: word_of(Seat(int(scene.position.status[seat]))))


def _capital(setting: Setting, words: Sequence[str]) -> Probe:
    if len(words) < 2:
        raise trouble("expectation", "Expected `expect capital COLOUR TERRITORY|none|hidden`.")
    seat, rest = setting.seat(words[0]), words[1:]
    if nothing(rest) or rest[0].lower() == HIDDEN_WORD:
        wanted = NONE_WORD
    else:
        wanted = setting.territories[setting.territory(" ".join(rest))]
    return Probe(wanted, lambda scene: place_word(setting, int(scene.position.capital[seat])))


def _mission(setting: Setting, words: Sequence[str]) -> Probe:
    """`mission COLOUR MISSION`, `... fallback`, `... none`, `... hidden`."""
    if len(words) not in (2, 3) or words[2:] not in ([], ["fallback"]):
        raise trouble("expectation", "Expected `expect mission COLOUR MISSION [fallback]`.")
    seat = setting.seat(words[0])
    if words[1].lower() in (*NOBODY, HIDDEN_WORD):
        wanted = NONE_WORD
    else:
        wanted = " ".join((setting.mission_ids[setting.mission(words[1])], *words[2:]))
    return Probe(wanted, lambda scene: _mission_word(scene, seat))


def _mission_word(scene: Scene, seat: int) -> str:
    mission = int(scene.position.mission[seat])
    if mission == NONE:
        return NONE_WORD
    fallback = " fallback" if scene.position.mission_fallback[seat] == 1 else ""
    return scene.setting.mission_ids[mission] + fallback


def _standing(setting: Setting, words: Sequence[str]) -> Probe:
    if len(words) < 3:
        raise trouble("expectation", "Expected `expect standing COLOUR all|TERRITORY ORDER`.")
    seat, place = setting.seat(words[0]), " ".join(words[1:-1])
    hidden = words[-1].lower() == HIDDEN_WORD
    wanted = HIDDEN_WORD if hidden else word_of(setting.order(words[-1]))
    if place.lower() == "all":
        return Probe(wanted, lambda scene: _order_word(scene.position.standing_all[seat]))
    t = setting.territory(place)
    return Probe(wanted, lambda scene: _order_word(scene.position.standing[t]))


def _order_word(order: int) -> str:
    return HIDDEN_WORD if order == HIDDEN else word_of(Standing(int(order)))


def _objectives(setting: Setting, words: Sequence[str]) -> Probe:
    """`objectives COLOUR OB01 ...|none|NUMBER`, `objectives face-up ...`."""
    if len(words) < 2:
        raise trouble("expectation", "Expected `expect objectives COLOUR|face-up OBJECTIVE ...`.")
    place = ObjectivePlace.FACE_UP if words[0].lower() == "face-up" else setting.seat(words[0])
    if len(words) == 2 and words[1].isdecimal():
        return Probe(words[1], lambda scene: str(len(_objectives_at(scene, place))))
    wanted = [] if nothing(words[1:]) else among(" ".join(words[1:]))
    named = names_word(setting.objective_ids[setting.objective(word)] for word in wanted)
    return Probe(named, lambda scene: names_word(_objectives_at(scene, place)))


def _objectives_at(scene: Scene, place: int) -> list[str]:
    ids = scene.setting.objective_ids
    return [ids[i] for i in range(OBJECTIVES) if scene.position.objective[i] == place]


def _rewards(setting: Setting, words: Sequence[str]) -> Probe:
    """`rewards COLOUR REWARD ...|none|NUMBER`."""
    if len(words) < 2:
        raise trouble("expectation", "Expected `expect rewards COLOUR REWARD ...`.")
    seat = setting.seat(words[0])
    if len(words) == 2 and words[1].isdecimal():
        return Probe(words[1], lambda scene: str(len(_rewards_of(scene, seat))))
    wanted = [] if nothing(words[1:]) else among(" ".join(words[1:]))
    named = names_word(setting.token_word(setting.tokens(word)[0]) for word in wanted)
    return Probe(named, lambda scene: names_word(_rewards_of(scene, seat)))


def _rewards_of(scene: Scene, seat: int) -> list[str]:
    held = [token for token in range(REWARDS) if scene.position.reward[token] == seat]
    return [scene.setting.token_word(token) for token in held]


def _on(setting: Setting, words: Sequence[str]) -> Probe:
    name, reward = arguments(words, 2, "on OBJECTIVE REWARD|none")
    objective = setting.objective(name)
    wanted = NONE_WORD if nothing([reward]) else setting.token_word(setting.tokens(reward)[0])
    return Probe(wanted, lambda scene: _token_on(scene, objective))


def _token_on(scene: Scene, objective: int) -> str:
    token = int(scene.position.objective_reward[objective])
    return NONE_WORD if token == NONE else scene.setting.token_word(token)


def _airfield(setting: Setting, words: Sequence[str]) -> Probe:
    if len(words) < 2:
        raise trouble("expectation", "Expected `expect airfield COLOUR TERRITORY ...|none`.")
    seat = setting.seat(words[0])
    wanted = [] if nothing(words[1:]) else setting.territory_list(" ".join(words[1:]))
    named = names_word(setting.territories[t] for t in wanted)
    return Probe(named, lambda scene: names_word(_airfields_of(scene, seat)))


def _airfields_of(scene: Scene, seat: int) -> list[str]:
    position = scene.position
    tokens = [token for token in range(REWARDS) if position.reward[token] < RewardPlace.BOX]
    held = [token for token in tokens if position.reward[token] == seat]
    standing = [int(position.airfield[token]) for token in held]
    return [scene.setting.territories[t] for t in standing if t != NONE]


PROBES: dict[str, Reader] = {
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
