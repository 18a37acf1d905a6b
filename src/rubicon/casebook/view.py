"""What a case reads of a game: what a seat sees, whose turn it is, and the game as a
failure shows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rubicon.casebook.actions import (
    NOTHING,
    PHASES,
    ActionSource,
    CaseContext,
    StepFailed,
    is_code,
    place_among,
    read_action,
    refusal_code,
    whole_number,
    word_of,
)
from rubicon.casebook.parser import case_error
from rubicon.engine import records
from rubicon.engine.records import Position
from rubicon.rules.actions import Occupy, PendingChance
from rubicon.rules.events import Event, seen_by
from rubicon.rules.game import Game

# The state that an expectation reads: a game, the events of the last step, and their words.

HIDDEN_WORD = "hidden"
NONE_WORD = "none"


@dataclass(slots=True)
class CaseView:
    """A game and the position to read: the game's own, or what a seat sees."""

    game: Game
    context: CaseContext
    position: Position
    events: Sequence[Event] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """How one value is read as text, and the text that is wanted."""

    wanted: str
    read: Callable[[CaseView], str]


CheckReader = Callable[
    [CaseContext, Sequence[str]], Check
]  # of the words after an expectation's first


def seen(view: CaseView, seer: str) -> CaseView:
    """What a seat may see of a view."""
    told = (seen_by(event, seer, view.game.ruleset) for event in view.events)
    events = tuple(event for event in told if event is not None)
    return CaseView(view.game, view.context, view.game.view(seer), events)


def number_word(number: int) -> str:
    return HIDDEN_WORD if number == records.HIDDEN else str(int(number))


def names_word(names: Iterable[str]) -> str:
    return " ".join(sorted(names)) or NONE_WORD


def place_word(context: CaseContext, t: int) -> str:
    return NONE_WORD if t == records.NONE else context.territories[t]


def arguments(words: Sequence[str], count: int, form: str) -> Sequence[str]:
    if len(words) != count:
        raise case_error("expectation", f"Expected `expect {form}`.")
    return words


def wanted_number(word: str) -> str:
    return HIDDEN_WORD if word.lower() == HIDDEN_WORD else str(whole_number(word))


def nothing(words: Sequence[str]) -> bool:
    """Whether the words are one of `none`, `nothing`, `nobody` and `-`."""
    return len(words) == 1 and words[0].lower() in NOTHING


def seat_number(word: str, name: str) -> CheckReader:
    """`WORD COLOUR NUMBER` for a field that has one number a seat."""

    def check(context: CaseContext, words: Sequence[str]) -> Check:
        colour, number = arguments(words, 2, f"{word} COLOUR NUMBER")
        seat = context.seat(colour)
        return Check(
            wanted_number(number), lambda view: number_word(getattr(view.position, name)[seat])
        )

    return check


# Expectations about the turn: the seats to decide, the pending chance, the legal actions.

MOST_LISTED = 5  # ranges of legal actions that a failure shows


def _phase(context: CaseContext, words: Sequence[str]) -> Check:
    phase = context.phase(arguments(words, 1, "phase NAME")[0])
    return Check(
        phase_word(phase), lambda view: phase_word(records.Phase(int(view.position.phase)))
    )


def phase_word(phase: records.Phase) -> str:
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
    if winner == records.DRAWN:
        return "draw"
    return NONE_WORD if winner == records.NONE else view.context.seats[winner]


def _occupy(context: CaseContext, words: Sequence[str]) -> Check:
    """`occupy 2 to 5`, `occupy 3`: the numbers of armies that may move in."""
    numbers = [str(whole_number(word)) for word in words if word.lower() != "to"]
    if len(numbers) not in (1, 2):
        raise case_error("expectation", "Expected `expect occupy NUMBER [to NUMBER]`.")
    return Check(f"{numbers[0]} to {numbers[-1]}", _occupation)


def _occupation(view: CaseView) -> str:
    position = view.game.position
    if position.phase != records.Phase.OCCUPY:
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
    kinds = tuple(
        _chance_word(chance) for chance in records.Chance if chance != records.Chance.NONE
    )
    kind = kinds[place_among(words[0], kinds, "kind")]
    wanted = " ".join((kind, *(word.lower() for word in words[1:])))
    return Check(wanted, lambda view: _pending_word(view.game.pending, len(words)))


def _chance_word(chance: records.Chance) -> str:
    return word_of(chance).replace("_", "-")


def _pending_word(pending: PendingChance | None, words: int) -> str:
    if pending is None:
        return NONE_WORD
    if words == 1:
        return _chance_word(pending.chance)
    if pending.chance == records.Chance.BATTLE:
        return f"battle {pending.attack_dice} v {pending.defence_dice}"
    if pending.chance == records.Chance.DICE:
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


TURN_CHECKS: dict[str, CheckReader] = {
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


# A position as the lines of a case, for the report of a failure.


def show_position(context: CaseContext, position: Position) -> list[str]:
    """The lines of a case that describe a position, as far as cases can say it."""
    lines = [*_turn(context, position), *_board(context, position)]
    for seat, colour in enumerate(context.seats):
        lines += _seat(context, position, seat, colour)
    return lines + _table(context, position)


def _turn(context: CaseContext, position: Position) -> list[str]:
    winner = int(position.winner)
    if winner != records.NONE:
        won = "nobody wins" if winner == records.DRAWN else f"{context.seats[winner]} wins"
        return [f"phase over  # {won}"]
    phase = phase_word(records.Phase(int(position.phase)))
    seat = context.owner_word(int(position.turn))
    pending = word_of(records.Chance(int(position.chance)))
    wait = f"  # pending: {pending}" if position.chance else ""
    return [f"turn {seat}", f"round {position.round_number}", f"phase {phase}{wait}"]


def _board(context: CaseContext, position: Position) -> list[str]:
    """Territories; the most frequent owner and number of armies are the `others`."""
    held = [
        (context.owner_word(int(position.owner[t])), int(position.armies[t]))
        for t in range(len(context.territories))
    ]
    usual, count = Counter(held).most_common(1)[0]
    lines = [
        f"{name} {owner} {armies}"
        for name, (owner, armies) in zip(context.territories, held, strict=True)
        if (owner, armies) != usual or count == 1
    ]
    if count > 1:
        lines.append(f"others {usual[0]} {usual[1]}")
    return lines + _marks(context, position)


def _marks(context: CaseContext, position: Position) -> list[str]:
    lines = []
    for field, word in (("captured", "captured"), ("city", "cities")):
        marks = getattr(position, field)
        names = [name for t, name in enumerate(context.territories) if marks[t]]
        lines += [f"{word} {names_word(names)}"] if names else []
    return lines


def _seat(context: CaseContext, position: Position, seat: int, colour: str) -> list[str]:
    cards = [name for card, name in enumerate(context.cards) if position.card[card] == seat]
    lines = [f"hand {colour} {names_word(cards)}"] if cards else []
    if position.unplaced[seat]:
        lines.append(f"unplaced {colour} {position.unplaced[seat]}")
    if position.status[seat] == records.Seat.RESIGNED:
        lines.append(f"resigned {colour}")
    if position.capital[seat] != records.NONE:
        lines.append(f"capital {colour} {context.territories[position.capital[seat]]}")
    if position.mission[seat] != records.NONE:
        fallback = " fallback" if position.mission_fallback[seat] else ""
        lines.append(f"mission {colour} {context.mission_ids[position.mission[seat]]}{fallback}")
    lines += _prizes(context, position, seat, colour)
    return lines + _orders(context, position, seat, colour)


def _prizes(context: CaseContext, position: Position, seat: int, colour: str) -> list[str]:
    ids = context.objective_ids
    won = [ids[i] for i in range(records.OBJECTIVES) if position.objective[i] == seat]
    tokens = [token for token in range(records.REWARDS) if position.reward[token] == seat]
    lines = [f"objective {colour} {names_word(won)}"] if won else []
    for token in tokens:
        where = int(position.airfield[token])
        if where != records.NONE:
            lines.append(f"airfield {colour} {context.territories[where]}")
        else:
            lines.append(f"reward {colour} {context.token_word(token)}")
    return lines


def _orders(context: CaseContext, position: Position, seat: int, colour: str) -> list[str]:
    texts = {records.Standing.ONE: "1", records.Standing.TWO: "2", records.Standing.MAXIMUM: "max"}
    lines = []
    if position.standing_all[seat] in texts:
        lines.append(
            f"standing {colour} all {texts[records.Standing(int(position.standing_all[seat]))]}"
        )
    for t, name in enumerate(context.territories):
        if position.owner[t] == seat and position.standing[t] in texts:
            lines.append(
                f"standing {colour} {name} {texts[records.Standing(int(position.standing[t]))]}"
            )
    return lines


def _table(context: CaseContext, position: Position) -> list[str]:
    lines = [f"pile {position.pile}", f"discards {position.discards}"]
    if position.sets:
        lines.append(f"sets {position.sets}")
    for objective in range(records.OBJECTIVES):
        if position.objective[objective] == records.ObjectivePlace.FACE_UP:
            lines.append(f"objectives {context.objective_ids[objective]}")
            token = int(position.objective_reward[objective])
            if token != records.NONE:
                name = context.objective_ids[objective]
                lines.append(f"on {name} {context.token_word(token)}")
    return lines
