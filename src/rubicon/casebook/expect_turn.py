"""Expectations about the turn: the seats to decide, the pending chance, the legal actions."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.casebook.actions import ActionSource, StepFailed, is_code, read_action, refusal_code
from rubicon.casebook.names import (
    NOTHING,
    PHASES,
    CaseContext,
    place_among,
    whole_number,
    word_of,
)
from rubicon.casebook.parser import case_error
from rubicon.casebook.view import (
    NONE_WORD,
    CaseView,
    Check,
    CheckReader,
    arguments,
    names_word,
    nothing,
    number_word,
    wanted_number,
)
from rubicon.engine.records.position import (
    DRAWN,
    NONE,
    Chance,
    Phase,
)
from rubicon.rules.actions import Occupy
from rubicon.rules.outcomes import PendingChance

MOST_LISTED = 5  # ranges of legal actions that a failure shows


def _phase(context: CaseContext, words: Sequence[str]) -> Check:
    phase = context.phase(arguments(words, 1, "phase NAME")[0])
    return Check(phase_word(phase), lambda view: phase_word(Phase(int(view.position.phase))))


def phase_word(phase: Phase) -> str:
    return next(word for word, known in PHASES.items() if known == phase)


def _seat_named(name: str) -> CheckReader:
    """`turn COLOUR`, `first COLOUR`."""

    def check(context: CaseContext, words: Sequence[str]) -> Check:
        seat = context.seat(arguments(words, 1, f"{name} COLOUR")[0])
        return Check(
            context.seats[seat],
            lambda view: view.context.owner_word(int(getattr(view.position, name))),
        )

    return check


def _number(name: str, field: str | None = None) -> CheckReader:
    """`round NUMBER` and the like."""

    def check(context: CaseContext, words: Sequence[str]) -> Check:
        wanted = wanted_number(arguments(words, 1, f"{name} NUMBER")[0])
        return Check(wanted, lambda view: number_word(getattr(view.position, field or name)))

    return check


def _acts(context: CaseContext, words: Sequence[str]) -> Check:
    wanted = [] if nothing(words) else [context.seat(word) for word in words]
    if not words:
        raise case_error("expectation", "Expected `expect acts COLOUR ...|nobody`.")
    named = names_word(context.seats[seat] for seat in wanted)
    return Check(named, lambda view: names_word(view.game.actors))


def _over(context: CaseContext, words: Sequence[str]) -> Check:
    arguments(words, 0, "over")
    return Check("over", lambda view: "over" if view.game.over else "still going on")


def _winner(context: CaseContext, words: Sequence[str]) -> Check:
    (word,) = arguments(words, 1, "winner COLOUR|none|draw")
    if word.lower() in (*NOTHING, "draw"):
        wanted = "draw" if word.lower() == "draw" else NONE_WORD
    else:
        wanted = context.seats[context.seat(word)]
    return Check(wanted, _winner_word)


def _winner_word(view: CaseView) -> str:
    winner = int(view.game.position.winner)
    if winner == DRAWN:
        return "draw"
    return NONE_WORD if winner == NONE else view.context.seats[winner]


def _occupy(context: CaseContext, words: Sequence[str]) -> Check:
    """`occupy 2 to 5`, `occupy 3`: the numbers of armies that may move in."""
    numbers = [str(whole_number(word)) for word in words if word.lower() != "to"]
    if len(numbers) not in (1, 2):
        raise case_error("expectation", "Expected `expect occupy NUMBER [to NUMBER]`.")
    return Check(f"{numbers[0]} to {numbers[-1]}", _occupation)


def _occupation(view: CaseView) -> str:
    position = view.game.position
    if position.phase != Phase.OCCUPY:
        return "no territory to occupy"
    armies = range(int(position.armies[position.attack_source]) + 2)
    may = [number for number in armies if view.game.refusal(Occupy(number)) is None]
    return f"{may[0]} to {may[-1]}" if may else "no number of armies"


def _pending(context: CaseContext, words: Sequence[str]) -> Check:
    """`pending nothing`, `pending battle 3 v 2`, `pending dice red blue`, `pending card 9`."""
    if not words:
        raise case_error("expectation", "Expected `expect pending nothing|KIND [NUMBER]`.")
    if nothing(words):
        return Check(NONE_WORD, lambda view: _pending_word(view.game.pending, 1))
    kinds = tuple(_chance_word(chance) for chance in Chance if chance != Chance.NONE)
    kind = kinds[place_among(words[0], kinds, "kind")]
    wanted = " ".join((kind, *(word.lower() for word in words[1:])))
    return Check(wanted, lambda view: _pending_word(view.game.pending, len(words)))


def _chance_word(chance: Chance) -> str:
    return word_of(chance).replace("_", "-")


def _pending_word(pending: PendingChance | None, words: int) -> str:
    if pending is None:
        return NONE_WORD
    if words == 1:
        return _chance_word(pending.chance)
    if pending.chance == Chance.BATTLE:
        return f"battle {pending.attack_dice} v {pending.defence_dice}"
    if pending.chance == Chance.DICE:
        return " ".join(("dice", *pending.seats))
    return f"{_chance_word(pending.chance)} {len(pending.things)}"


def _legal(context: CaseContext, words: Sequence[str]) -> Check:
    """`legal ACTION`; `legal none`, `legal none VERB`: no action, or none that begins so."""
    if words and nothing(words[:1]):
        verb = " ".join(words[1:]).lower()
        return Check(NONE_WORD, lambda view: _listed(view, verb))
    source = read_action(context, " ".join(words))
    return Check("legal", lambda view: _verdict(view, source))


def _listed(view: CaseView, verb: str) -> str:
    """The ranges of legal actions that begin with a verb; all of them for ""."""
    listed = [str(one) for one in view.game.legal.ranges]
    ranges = [one for one in listed if not verb or f"{one} ".startswith(f"{verb} ")]
    shown = "; ".join(ranges[:MOST_LISTED])
    more = f"; and {len(ranges) - MOST_LISTED} more" if len(ranges) > MOST_LISTED else ""
    return shown + more or NONE_WORD


def _verdict(view: CaseView, source: ActionSource) -> str:
    """`legal`, or why not."""
    try:
        return refusal_code(view.game, source) or "legal"
    except StepFailed as failed:
        return failed.found


def _illegal(context: CaseContext, words: Sequence[str]) -> Check:
    """`illegal [CODE] ACTION`."""
    code = words[0] if words and "/" in words[0] else ""
    source = read_action(context, " ".join(words[bool(code) :]), unreadable=bool(code))
    return Check(code or "illegal", lambda view: _refusal(view, source, code))


def _refusal(view: CaseView, source: ActionSource, code: str) -> str:
    found = refusal_code(view.game, source)
    if not code:
        return "illegal" if found else "legal"
    return code if is_code(found, code) else found or "legal"


CHECKS: dict[str, CheckReader] = {
    "phase": _phase,
    "turn": _seat_named("turn"),
    "first": _seat_named("first"),
    "round": _number("round", "round_number"),
    "moves": _number("moves", "moves_left"),
    "acts": _acts,
    "over": _over,
    "winner": _winner,
    "occupy": _occupy,
    "pending": _pending,
    "legal": _legal,
    "illegal": _illegal,
}
