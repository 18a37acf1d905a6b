"""Reading an action: its exact text, and what people type instead.

    >>> from rubicon.rules.board import Board
    >>> world = Board.load("world")
    >>> str(parse_action("att kam from ala 3", world, ("red", "blue")))
    'attack alaska -> kamchatka dice 3'

`docs/notation.md` has the grammar.
"""

from collections.abc import Callable, Mapping, Sequence

from rubicon.rules.actions import Action, EndAttack, EndTurn
from rubicon.rules.board import Board
from rubicon.rules.board_parts import one_of, quoted
from rubicon.rules.suggestions import nearest
from rubicon.rules.text.exact_actions import exact_action
from rubicon.rules.text.phrases import PHRASES, Asked
from rubicon.rules.text.words import TextError, beginnings, read_line

# What people type, by the first word of the exact text.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "claim": ("take",),
    "capital": ("headquarters", "hq"),
    "place": ("deploy", "reinforce", "draft", "put"),
    "seal": ("sealed",),
    "offer": ("lay",),
    "withdraw": ("retract",),
    "trade": ("exchange", "cash"),
    "attack": ("assault", "invade"),
    "defend": ("defence", "defense"),
    "occupy": ("advance",),
    "end": ("finish",),
    "stop": (),
    "pass": ("skip",),
    "objective": (),
    "decline": (),
    "fortify": ("manoeuvre", "maneuver", "move"),
    "standing": (),
    "resign": ("surrender",),
    "reveal": ("show",),
}
IN_FULL = ("resign",)  # too dangerous to be guessed
_VERBS = {word: verb for verb, words in SYNONYMS.items() for word in (verb, *words)}


def parse_action(
    text: str,
    board: Board,
    colours: Sequence[str],
    *,
    strict: bool = False,
    seat: str | None = None,
    passing: Action | None = None,
    most: Callable[[Action], int] | None = None,
) -> Action:
    """The action that a text means; TextError, which quotes it, where there is none.

    `strict` takes only what `str(action)` writes. Otherwise `seat` is the colour of who speaks,
    `passing` what `pass` means now, and `most(action)` the number that `all` stands for.
    """
    exact = exact_action(text, board, colours)
    if exact is not None:
        return exact
    asked = Asked(read_line(text), board, tuple(colours), seat, most)
    action = _read(asked, passing)
    if strict:
        raise TextError("not-canonical", text, 1, "this is not exact.", f"Write: {action}")
    return action


def _read(asked: Asked, passing: Action | None) -> Action:
    verb = _verb(asked)
    if verb == "end":
        return _ending(asked)
    if verb == "stop":
        return _alone(asked, EndAttack())
    if verb == "pass":
        return _alone(asked, passing or EndTurn())
    return PHRASES[verb](asked)


def _verb(asked: Asked) -> str:
    word = asked.line.words[0].text
    found = {_VERBS[name] for name in beginnings(word, _VERBS)}
    if len(found) == 1:
        verb = found.pop()
        if verb not in IN_FULL or word in _VERBS:
            return verb
        raise asked.error("ambiguous-verb", 0, f"{verb!r} must be written in full.")
    if found:
        problem = f"{quoted(word)} may mean {one_of(sorted(found))}."
        raise asked.error("ambiguous-verb", 0, problem, "Write more of it.")
    hint = nearest(word, _VERBS) or f"Verbs: {', '.join(PHRASES)}, end."
    raise asked.error("unknown-verb", 0, f"no action begins with {quoted(word)}.", hint)


def _ending(asked: Asked) -> Action:
    """`end attack` or `end turn`."""
    endings: dict[str, Action] = {"attack": EndAttack(), "turn": EndTurn()}
    words = [word.text for word in asked.line.words[1:]]
    if not words:
        raise asked.error("ambiguous-verb", 1, "end the attack, or the turn?", "Write end turn.")
    found = beginnings(words[0], endings)
    if not found:
        raise asked.error("unknown-verb", 1, "`attack` or `turn` was expected.")
    asked.nothing_from(2)
    return endings[found[0]]


def _alone(asked: Asked, action: Action) -> Action:
    asked.nothing_from(1)
    return action
