"""What a case may expect: each expectation reads one thing of a game and compares texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

from rubicon.rules.actions import Occupy
from rubicon.rules.case_actions import Deed, Failed, is_code, read_deed, refusal_code
from rubicon.rules.case_names import (
    NOBODY,
    PHASES,
    Setting,
    one_of,
    whole_number,
    word_of,
)
from rubicon.rules.case_scene import (
    HIDDEN_WORD,
    NONE_WORD,
    Probe,
    Scene,
    arguments,
    names_word,
    nothing,
    number_word,
    place_word,
    seen,
    wanted_number,
)
from rubicon.rules.case_text import among, nearest, trouble
from rubicon.rules.errors import RubiconError
from rubicon.rules.events import Event
from rubicon.rules.outcomes import Owed
from rubicon.rules.position import (
    CARDS,
    DRAWN,
    HIDDEN,
    NONE,
    OBJECTIVES,
    REWARDS,
    CardPlace,
    Chance,
    ObjectivePlace,
    Phase,
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


@dataclass(frozen=True, slots=True)
class Expectation:
    """A probe, perhaps negated, perhaps through the eyes of a seat."""

    text: str
    probe: Probe
    negated: bool = False
    seer: str | None = None

    def found(self, scene: Scene) -> str | None:
        """What is there instead; None where the expectation holds."""
        found = self.probe.read(scene if self.seer is None else seen(scene, self.seer))
        if (found == self.probe.wanted) != self.negated:
            return None
        return found


def read_expectation(setting: Setting, text: str) -> Expectation:
    """The expectation that a line states, without its first word."""
    words = text.split()
    seer: str | None = None
    if words[:2] == ["seen", "by"] and len(words) > 2:
        seer = setting.seats[setting.seat(words[2])]
        words = words[3:]
    negated = words[:1] == ["not"]
    words = words[negated:]
    if not words:
        raise trouble("expectation", "Expected something after `expect`.")
    try:
        return Expectation(text, _probe(setting, words), negated, seer)
    except RubiconError as error:
        if "and" not in words:
            raise
        problem = "One `expect` line holds one expectation, and a list is written without `and`."
        raise trouble("expectation", f"{problem} {error.message}", error.suggestion) from None


def _probe(setting: Setting, words: list[str]) -> Probe:
    if words[0].lower() in _PROBES:
        return _PROBES[words[0].lower()](setting, words[1:])
    try:
        return _territory(setting, words)
    except RubiconError as error:
        hint = nearest(words[0], _PROBES)
        if error.suggestion or not hint:
            raise
        raise trouble("unknown-word", error.message, hint) from None


# the board


def _territory(setting: Setting, words: Sequence[str]) -> Probe:
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


def _marked(name: str) -> Callable[[Setting, Sequence[str]], Probe]:
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


# cards


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
    return _seat_number("sets", "sets_by_seat")(setting, words)


# the seats


def _seat_number(word: str, name: str) -> Callable[[Setting, Sequence[str]], Probe]:
    """`WORD COLOUR NUMBER` for a field that has one number a seat."""

    def probe(setting: Setting, words: Sequence[str]) -> Probe:
        colour, number = arguments(words, 2, f"{word} COLOUR NUMBER")
        seat = setting.seat(colour)
        return Probe(
            wanted_number(number), lambda scene: number_word(getattr(scene.position, name)[seat])
        )

    return probe


def _unplaced(setting: Setting, words: Sequence[str]) -> Probe:
    if len(words) == 2 and words[0].lower() == "neutral":
        return Probe(
            wanted_number(words[1]),
            lambda scene: number_word(scene.position.neutral_unplaced),
        )
    return _seat_number("unplaced", "unplaced")(setting, words)


def _award(setting: Setting, words: Sequence[str]) -> Probe:
    """`award COLOUR TOTAL` or `award COLOUR ITEM NUMBER ...`."""
    if len(words) == 2:
        words = (words[0], "total", words[1])
    if len(words) < 3 or len(words) % 2 == 0:
        raise trouble("expectation", "Expected `expect award COLOUR [ITEM NUMBER ...]`.")
    seat = setting.seat(words[0])
    items = [AWARD_ITEMS[one_of(word, AWARD_ITEMS, "item")] for word in words[1::2]]
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
    wanted = tuple(STATES)[one_of(word, tuple(STATES), "status")]
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


# objectives and rewards


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


# the turn


def _phase(setting: Setting, words: Sequence[str]) -> Probe:
    phase = setting.phase(arguments(words, 1, "phase NAME")[0])
    return Probe(phase_word(phase), lambda scene: phase_word(Phase(int(scene.position.phase))))


def phase_word(phase: Phase) -> str:
    return next(word for word, known in PHASES.items() if known == phase)


def _seat_named(name: str) -> Callable[[Setting, Sequence[str]], Probe]:
    """`turn COLOUR`, `first COLOUR`."""

    def probe(setting: Setting, words: Sequence[str]) -> Probe:
        seat = setting.seat(arguments(words, 1, f"{name} COLOUR")[0])
        return Probe(
            setting.seats[seat],
            lambda scene: scene.setting.owner_word(int(getattr(scene.position, name))),
        )

    return probe


def _number(name: str, field: str | None = None) -> Callable[[Setting, Sequence[str]], Probe]:
    """`round NUMBER` and the like."""

    def probe(setting: Setting, words: Sequence[str]) -> Probe:
        wanted = wanted_number(arguments(words, 1, f"{name} NUMBER")[0])
        return Probe(wanted, lambda scene: number_word(getattr(scene.position, field or name)))

    return probe


def _acts(setting: Setting, words: Sequence[str]) -> Probe:
    wanted = [] if nothing(words) else [setting.seat(word) for word in words]
    if not words:
        raise trouble("expectation", "Expected `expect acts COLOUR ...|nobody`.")
    named = names_word(setting.seats[seat] for seat in wanted)
    return Probe(named, lambda scene: names_word(scene.game.actors))


def _over(setting: Setting, words: Sequence[str]) -> Probe:
    arguments(words, 0, "over")
    return Probe("over", lambda scene: "over" if scene.game.over else "still going on")


def _winner(setting: Setting, words: Sequence[str]) -> Probe:
    (word,) = arguments(words, 1, "winner COLOUR|none|draw")
    if word.lower() in (*NOBODY, "draw"):
        wanted = "draw" if word.lower() == "draw" else NONE_WORD
    else:
        wanted = setting.seats[setting.seat(word)]
    return Probe(wanted, _winner_word)


def _winner_word(scene: Scene) -> str:
    winner = int(scene.game.position.winner)
    if winner == DRAWN:
        return "draw"
    return NONE_WORD if winner == NONE else scene.setting.seats[winner]


def _occupy(setting: Setting, words: Sequence[str]) -> Probe:
    """`occupy 2 to 5`, `occupy 3`: the numbers of armies that may move in."""
    numbers = [str(whole_number(word)) for word in words if word.lower() != "to"]
    if len(numbers) not in (1, 2):
        raise trouble("expectation", "Expected `expect occupy NUMBER [to NUMBER]`.")
    return Probe(f"{numbers[0]} to {numbers[-1]}", _occupation)


def _occupation(scene: Scene) -> str:
    position = scene.game.position
    if position.phase != Phase.OCCUPY:
        return "no occupation is owed"
    armies = range(int(position.armies[position.attack_source]) + 2)
    may = [number for number in armies if scene.game.refusal(Occupy(number)) is None]
    return f"{may[0]} to {may[-1]}" if may else "no number of armies"


def _owed(setting: Setting, words: Sequence[str]) -> Probe:
    """`owed nothing`, `owed battle 3 v 2`, `owed dice red blue`, `owed card 9`."""
    if not words:
        raise trouble("expectation", "Expected `expect owed nothing|KIND [NUMBER]`.")
    if nothing(words):
        return Probe(NONE_WORD, lambda scene: _owed_word(scene.game.owed, 1))
    kinds = tuple(_chance_word(chance) for chance in Chance if chance != Chance.NONE)
    kind = kinds[one_of(words[0], kinds, "kind")]
    wanted = " ".join((kind, *(word.lower() for word in words[1:])))
    return Probe(wanted, lambda scene: _owed_word(scene.game.owed, len(words)))


def _chance_word(chance: Chance) -> str:
    return word_of(chance).replace("_", "-")


def _owed_word(owed: Owed | None, words: int) -> str:
    if owed is None:
        return NONE_WORD
    if words == 1:
        return _chance_word(owed.chance)
    if owed.chance == Chance.BATTLE:
        return f"battle {owed.attack_dice} v {owed.defence_dice}"
    if owed.chance == Chance.DICE:
        return " ".join(("dice", *owed.seats))
    return f"{_chance_word(owed.chance)} {len(owed.things)}"


def _legal(setting: Setting, words: Sequence[str]) -> Probe:
    deed = read_deed(setting, " ".join(words))
    return Probe("legal", lambda scene: _verdict(scene, deed))


def _verdict(scene: Scene, deed: Deed) -> str:
    """`legal`, or why not."""
    try:
        return refusal_code(scene.game, deed) or "legal"
    except Failed as failed:
        return failed.found


def _illegal(setting: Setting, words: Sequence[str]) -> Probe:
    """`illegal [CODE] ACTION`."""
    code = words[0] if words and "/" in words[0] else ""
    deed = read_deed(setting, " ".join(words[bool(code) :]), unreadable=bool(code))
    return Probe(code or "illegal", lambda scene: _refusal(scene, deed, code))


def _refusal(scene: Scene, deed: Deed, code: str) -> str:
    found = refusal_code(scene.game, deed)
    if not code:
        return "illegal" if found else "legal"
    return code if is_code(found, code) else found or "legal"


def _event(setting: Setting, words: Sequence[str]) -> Probe:
    """`event KIND`, `event KIND NUMBER`."""
    if len(words) not in (1, 2):
        raise trouble("expectation", "Expected `expect event KIND [NUMBER]`.")
    kind = EVENT_KINDS[one_of(words[0], EVENT_KINDS, "kind of event")]
    if len(words) == 1:
        return Probe(kind, lambda scene: kind if _events(scene, kind) else _kinds(scene))
    return Probe(str(whole_number(words[1])), lambda scene: str(_events(scene, kind)))


def _events(scene: Scene, kind: str) -> int:
    return sum(event_kind(type(event)) == kind for event in scene.events)


def _kinds(scene: Scene) -> str:
    return " ".join(event_kind(type(event)) for event in scene.events) or NONE_WORD


def event_kind(kind: type) -> str:
    """The kind of an event in words: `SpoilsTaken` is `spoils-taken`."""
    return re.sub("(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


EVENT_KINDS = tuple(event_kind(kind) for kind in get_args(Event))


def _told(setting: Setting, words: Sequence[str]) -> Probe:
    """`told TEXT`: one of the events reads so."""
    text = " ".join(words)
    if not text:
        raise trouble("expectation", "Expected `expect told TEXT`.")
    return Probe(text, lambda scene: _telling(scene, text))


def _telling(scene: Scene, text: str) -> str:
    lines = [str(event) for event in scene.events]
    return text if text in lines else "; ".join(lines) or NONE_WORD


_PROBES: dict[str, Callable[[Setting, Sequence[str]], Probe]] = {
    "territories": _territories,
    "armies": _armies,
    "cities": _marked("city"),
    "captured": _marked("captured"),
    "hand": _hand,
    "pile": _pile,
    "discards": _discards,
    "sets": _sets,
    "unplaced": _unplaced,
    "award": _award,
    "snapshot": _seat_number("snapshot", "snapshot"),
    "status": _status,
    "capital": _capital,
    "headquarters": _capital,
    "mission": _mission,
    "standing": _standing,
    "objectives": _objectives,
    "rewards": _rewards,
    "on": _on,
    "airfield": _airfield,
    "phase": _phase,
    "turn": _seat_named("turn"),
    "first": _seat_named("first"),
    "round": _number("round", "round_number"),
    "moves": _number("moves", "moves_left"),
    "acts": _acts,
    "over": _over,
    "event": _event,
    "told": _told,
    "winner": _winner,
    "occupy": _occupy,
    "owed": _owed,
    "legal": _legal,
    "illegal": _illegal,
}
PROBE_WORDS = tuple(_PROBES)
