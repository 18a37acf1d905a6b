"""Reading outcomes of chance: `6 5 1 v 5 5`, `dice 3 5 2`, `pick alaska`."""

import re
from collections.abc import Sequence

from rubicon.rules.notation.words import LONGEST_LINE, TextError, TypedLine, beginnings, read_line
from rubicon.rules.outcomes import Dice, Outcome, Pick, Roll
from rubicon.suggestions import nearest
from rubicon.wording import one_of, quoted

MOST_DICE = 6
_THING = re.compile(r"[A-Za-z0-9_.-]+")
_ROLL = re.compile(r"[1-6](?: [1-6]){0,5} v [1-6](?: [1-6]){0,5}")
_DICE = re.compile(r"dice(?: [1-6]){1,6}")
_VERSUS = re.compile(r"\b(?:v|vs|versus|against)\b\.?")
_LABELS = re.compile(r"\b(?:a|d|attack|attacker|defence|defense|defender|roll|rolled|dice)\b[:=]?")
_FACES = re.compile(r"[1-6](?:[\s,;+]*[1-6])*")


def parse_outcome(text: str, things: Sequence[str] = (), *, strict: bool = False) -> Outcome:
    """The outcome that a text means; TextError, which quotes the text, where it means none.

    `things` are the things that may be picked, if the caller knows them; then the beginning of a
    name is enough. `strict` accepts only what `str(outcome)` writes.
    """
    exact = _exact(text)
    if exact is not None and (not things or not isinstance(exact, Pick) or exact.thing in things):
        return exact
    line = read_line(text)
    outcome = _read(line, things)
    if strict:
        raise TextError(
            "not-canonical", text, 1, "this is not the exact form.", f"Write: {outcome}"
        )
    return outcome


def _exact(text: object) -> Outcome | None:
    if not isinstance(text, str) or len(text) > LONGEST_LINE:
        return None
    if _ROLL.fullmatch(text):
        attack, defence = text.split(" v ")
        return Roll(_faces(attack), _faces(defence))
    if _DICE.fullmatch(text):
        return Dice(_faces(text.removeprefix("dice ")))
    verb, _, thing = text.partition(" ")
    return Pick(thing) if verb == "pick" and _THING.fullmatch(thing) else None


def _faces(text: str) -> tuple[int, ...]:
    return tuple(int(face) for face in text if face in "123456")


def _read(line: TypedLine, things: Sequence[str]) -> Outcome:
    if line.words[0].text in ("pick", "draw", "pull"):
        return _pick(line, things)
    sides = _VERSUS.split(_unlabelled(line.text))
    if len(sides) == 2:
        return Roll(_side(line, sides[0]), _side(line, sides[1]))
    if len(sides) == 1 and line.words[0].text.startswith(("dice", "die", "roll")):
        return Dice(_side(line, re.sub(r"^\s*die\b", "", sides[0])))
    problem = "an outcome is `6 5 1 v 5 5`, or `dice 3 5 2` (one a seat), or `pick alaska`."
    raise line.error("unknown-outcome", 0, problem, nearest(line.words[0].text, ("dice", "pick")))


def _unlabelled(text: str) -> str:
    """The text without labels and brackets, and with spaces around the words of `65v5`."""
    spread = re.sub(r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)", " ", text.casefold())
    return _LABELS.sub(" ", re.sub(r"[\[\](){}]", " ", spread))


def _side(line: TypedLine, text: str) -> tuple[int, ...]:
    if not _FACES.fullmatch(text.strip()):
        problem = f"{quoted(text.strip(), 40)} are not dice from 1 to 6."
        raise line.error("bad-dice", 0, problem)
    faces = _faces(text)
    if len(faces) > MOST_DICE:
        raise line.error("bad-dice", 0, f"{len(faces)} dice are too many; the most is {MOST_DICE}.")
    return faces


def _pick(line: TypedLine, things: Sequence[str]) -> Outcome:
    name = "_".join(word.text for word in line.words[1:])
    if not name:
        raise line.error("missing-thing", 1, "the name of what was picked is missing.")
    if not things:
        return _unchecked_pick(line)
    found = beginnings(name, things)
    if len(found) == 1:
        return Pick(found[0])
    if found:
        raise line.error("ambiguous-thing", 1, f"{quoted(name)} may mean {one_of(found)}.")
    problem = f"{quoted(name)} cannot be picked now."
    raise line.error("unknown-thing", 1, problem, nearest(name, things))


def _unchecked_pick(line: TypedLine) -> Outcome:
    """A pick that cannot be checked here, as it was typed: ids of missions are in capitals."""
    typed = "_".join(line.text.split()[1:])
    if not _THING.fullmatch(typed):
        raise line.error("unknown-thing", 1, f"{quoted(typed)} is not a possible name.")
    return Pick(typed)
