"""Reading actions: the exact text, and the freer forms that people type.

    >>> from rubicon.rules.board.board import Board
    >>> world = Board.load("world")
    >>> str(parse_action("att kam from ala 3", world, ("red", "blue")))
    'attack alaska -> kamchatka dice 3'

`docs/notation.md` has the grammar.
"""

from collections.abc import Callable, Mapping, Sequence

from rubicon.rules.actions import Action, EndAttack, EndTurn
from rubicon.rules.board.board import Board
from rubicon.rules.notation.exact_actions import exact_action
from rubicon.rules.notation.phrases import PHRASES, ActionPhrase
from rubicon.rules.notation.words import TextError, beginnings, read_line
from rubicon.suggestions import nearest
from rubicon.wording import one_of, quoted

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
IN_FULL = ("resign",)  # leaving a game cannot be undone, so this word is never completed
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
    """The action that a text means; TextError, which quotes the text, where it means none.

    `strict` accepts only what `str(action)` writes. Otherwise `seat` is the colour of the seat that
    acts, `passing` the action that `pass` means now, and `most(action)` the number for `all`.
    """
    exact = exact_action(text, board, colours)
    if exact is not None:
        return exact
    phrase = ActionPhrase(read_line(text), board, tuple(colours), seat, most)
    action = _read(phrase, passing)
    if strict:
        raise TextError("not-canonical", text, 1, "this is not the exact form.", f"Write: {action}")
    return action


def _read(phrase: ActionPhrase, passing: Action | None) -> Action:
    verb = _verb(phrase)
    if verb == "end":
        return _ending(phrase)
    if verb == "stop":
        return _alone(phrase, EndAttack())
    if verb == "pass":
        return _alone(phrase, passing or EndTurn())
    return PHRASES[verb](phrase)


def _verb(phrase: ActionPhrase) -> str:
    word = phrase.line.words[0].text
    found = {_VERBS[name] for name in beginnings(word, _VERBS)}
    if len(found) == 1:
        verb = found.pop()
        if verb not in IN_FULL or word in _VERBS:
            return verb
        raise phrase.error("ambiguous-verb", 0, f"{verb!r} must be written in full.")
    if found:
        problem = f"{quoted(word)} may mean {one_of(sorted(found))}."
        raise phrase.error("ambiguous-verb", 0, problem, "Write more of it.")
    hint = nearest(word, _VERBS) or f"Verbs: {', '.join(PHRASES)}, end."
    raise phrase.error("unknown-verb", 0, f"no action begins with {quoted(word)}.", hint)


def _ending(phrase: ActionPhrase) -> Action:
    """`end attack` or `end turn`."""
    endings: dict[str, Action] = {"attack": EndAttack(), "turn": EndTurn()}
    words = [word.text for word in phrase.line.words[1:]]
    if not words:
        raise phrase.error(
            "ambiguous-verb",
            1,
            "this may mean the attack or the turn.",
            "Write `end attack` or `end turn`.",
        )
    found = beginnings(words[0], endings)
    if not found:
        raise phrase.error("unknown-verb", 1, "`attack` or `turn` is needed here.")
    phrase.nothing_from(2)
    return endings[found[0]]


def _alone(phrase: ActionPhrase, action: Action) -> Action:
    phrase.nothing_from(1)
    return action
