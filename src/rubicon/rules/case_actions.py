"""The actions that cases write: perhaps behind a colour, perhaps naming cards by their design."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rubicon.rules.actions import Action, Offer, Trade
from rubicon.rules.board import COLOURS
from rubicon.rules.case_names import DESIGNS, Setting, word_of
from rubicon.rules.case_text import among, trouble
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.tables import Design

CARDS_NAMED = {"trade": 3, "offer": 1}
ON = " on "

Deed = Callable[[Game], Action]


class Failed(Exception):
    """A step of a case did not go as the case says."""

    def __init__(self, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")


def read_deed(setting: Setting, text: str, *, unreadable: bool = False) -> Deed:
    """What gives the action that a text means in a game.

    Where the text may be `unreadable`, its error comes with the game and not before.
    """
    colour, text = apart(text)
    try:
        deed = _with_designs(setting, text) or _always(setting.action(text))
        return _decided_by(setting.seats[setting.seat(colour)], deed) if colour else deed
    except RubiconError as error:
        if not unreadable:
            raise
        return _raising(error)


def apart(text: str) -> tuple[str, str]:
    """`COLOUR: ACTION` in its two parts; the colour is "" where none stands there."""
    colour, colon, rest = text.partition(":")
    if colon and colour.strip().lower() in COLOURS:
        return colour.strip().lower(), rest.strip()
    return "", text


def refusal_code(game: Game, deed: Deed) -> str:
    """The code with which an action is refused; "" where it is legal."""
    try:
        refused: RubiconError | None = game.refusal(deed(game))
    except RubiconError as error:
        refused = error
    return refused.code if refused else ""


def is_code(found: str, wanted: str) -> bool:
    """Whether a code is the one that is meant, or of the group that is meant: `text/`."""
    return found == wanted or (wanted.endswith("/") and found.startswith(wanted))


def _always(action: Action) -> Deed:
    return lambda game: action


def _raising(error: RubiconError) -> Deed:
    def deed(game: Game) -> Action:
        raise error

    return deed


def _decided_by(colour: str, deed: Deed) -> Deed:
    """The same, where it is this colour that decides."""

    def checked(game: Game) -> Action:
        action = deed(game)
        actor = game.actor_of(action)
        if actor != colour:
            raise trouble("other-seat", f"{colour} does not decide here; {actor} does.")
        return action

    return checked


def _with_designs(setting: Setting, text: str) -> Deed | None:
    """`trade infantry infantry wild on china`, `offer cavalry`; None where no design is named."""
    verb, _, rest = text.partition(" ")
    named, on, place = rest.partition(ON)
    words = among(named)
    if verb.lower() not in CARDS_NAMED or not any(word.lower() in DESIGNS for word in words):
        return None
    _count(text, len(words), CARDS_NAMED[verb.lower()])
    try:
        asked = [_asked(setting, word) for word in words]
        bonus = setting.territories[setting.territory(place)] if on else None
    except RubiconError as error:
        code = f"text/{error.code.partition('/')[2]}"
        raise RubiconError(code, f"{text!r}: {error.message}", error.suggestion) from None

    def deed(game: Game) -> Action:
        cards = _of_the_hand(setting, game, asked)
        return Trade(cards, bonus) if len(cards) > 1 else Offer(*cards)

    return deed


def _count(text: str, found: int, wanted: int) -> None:
    if found != wanted:
        cards = "three cards were" if wanted > 1 else "one card was"
        code = "text/missing-card" if found < wanted else "text/extra-words"
        raise RubiconError(code, f"{text!r}: {cards} expected; {found} are named.", "")


def _asked(setting: Setting, word: str) -> int | Design:
    """A card of its own, or any of a design."""
    return setting.design(word) if word.lower() in DESIGNS else setting.card(word)


def _of_the_hand(setting: Setting, game: Game, asked: Sequence[int | Design]) -> tuple[str, ...]:
    """The cards that are meant: of a design always the next in the hand of the seat to move."""
    hand = [c for c in range(len(setting.cards)) if game.position.card[c] == game.position.turn]
    free = [card for card in hand if card not in [a for a in asked if not isinstance(a, Design)]]
    cards: list[int] = []
    for one in asked:
        cards.append(_next(setting, game, free, one) if isinstance(one, Design) else one)
        free = [card for card in free if card not in cards]
    return tuple(setting.cards[card] for card in cards)


def _next(setting: Setting, game: Game, free: Sequence[int], design: Design) -> int:
    designs = setting.ruleset.tables.design
    for card in free:
        if designs[card] == design:
            return card
    left = [f"{setting.cards[card]} ({word_of(Design(int(designs[card])))})" for card in free]
    raise Failed(
        f"a further card of the design {word_of(design)} in the hand of {game.turn or 'nobody'}",
        f"the other cards there are: {', '.join(left) or 'none'}",
    )
