"""What a case may expect of the turn: who is to act, what is owed, what is allowed."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.rules.actions import Occupy
from rubicon.rules.case_actions import Deed, Failed, is_code, read_deed, refusal_code
from rubicon.rules.case_names import (
    NOBODY,
    PHASES,
    Setting,
    place_among,
    whole_number,
    word_of,
)
from rubicon.rules.case_scene import (
    NONE_WORD,
    Probe,
    Reader,
    Scene,
    arguments,
    names_word,
    nothing,
    number_word,
    wanted_number,
)
from rubicon.rules.case_text import trouble
from rubicon.rules.outcomes import Owed
from rubicon.rules.position import (
    DRAWN,
    NONE,
    Chance,
    Phase,
)


def _phase(setting: Setting, words: Sequence[str]) -> Probe:
    phase = setting.phase(arguments(words, 1, "phase NAME")[0])
    return Probe(phase_word(phase), lambda scene: phase_word(Phase(int(scene.position.phase))))


def phase_word(phase: Phase) -> str:
    return next(word for word, known in PHASES.items() if known == phase)


def _seat_named(name: str) -> Reader:
    """`turn COLOUR`, `first COLOUR`."""

    def probe(setting: Setting, words: Sequence[str]) -> Probe:
        seat = setting.seat(arguments(words, 1, f"{name} COLOUR")[0])
        return Probe(
            setting.seats[seat],
            lambda scene: scene.setting.owner_word(int(getattr(scene.position, name))),
        )

    return probe


def _number(name: str, field: str | None = None) -> Reader:
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
    kind = kinds[place_among(words[0], kinds, "kind")]
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


PROBES: dict[str, Reader] = {
    "phase": _phase,
    "turn": _seat_named("turn"),
    "first": _seat_named("first"),
    "round": _number("round", "round_number"),
    "moves": _number("moves", "moves_left"),
    "acts": _acts,
    "over": _over,
    "winner": _winner,
    "occupy": _occupy,
    "owed": _owed,
    "legal": _legal,
    "illegal": _illegal,
}
