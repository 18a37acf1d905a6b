"""The actions of cases: with or without a colour, with cards by name or by design."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rubicon.casebook.names import DESIGNS, CaseContext, word_of
from rubicon.casebook.parser import case_error, name_list
from rubicon.engine.records.tables import Design
from rubicon.errors import RubiconError
from rubicon.rules.actions import Action, Offer, Trade
from rubicon.rules.board.board import COLOURS
from rubicon.rules.game.game import Game

CARDS_NAMED = {"trade": 3, "offer": 1}
ON = " on "

ActionSource = Callable[[Game], Action]


class StepFailed(Exception):
    """A step of a case did not have the result that the case expects."""

    def __init__(self, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")


def read_action(context: CaseContext, text: str, *, unreadable: bool = False) -> ActionSource:
    """A function that gives the action of a text in a game.

    If the text may be `unreadable`, its error is raised by that function and not here.
    """
    colour, text = split_colour(text)
    try:
        source = _with_designs(context, text) or _always(context.action(text))
        return _decided_by(context.seats[context.seat(colour)], source) if colour else source
    except RubiconError as error:
        if not unreadable:
            raise
        return _raising(error)


def split_colour(text: str) -> tuple[str, str]:
    """`COLOUR: ACTION` in its two parts; the colour is "" if none is written."""
    colour, colon, rest = text.partition(":")
    if colon and colour.strip().lower() in COLOURS:
        return colour.strip().lower(), rest.strip()
    return "", text


def refusal_code(game: Game, source: ActionSource) -> str:
    """The code with which an action is refused; "" if it is legal."""
    try:
        refused: RubiconError | None = game.refusal(source(game))
    except RubiconError as error:
        refused = error
    return refused.code if refused else ""


def is_code(found: str, wanted: str) -> bool:
    """Whether a code is the wanted one, or of the wanted group: `text/`."""
    return found == wanted or (wanted.endswith("/") and found.startswith(wanted))


def _always(action: Action) -> ActionSource:
    return lambda game: action


def _raising(error: RubiconError) -> ActionSource:
    def source(game: Game) -> Action:
        raise error

    return source


def _decided_by(colour: str, source: ActionSource) -> ActionSource:
    """The same action, if it is this colour's decision."""

    def checked(game: Game) -> Action:
        action = source(game)
        if game.over or game.awaits_chance:  # then no seat decides, and the rules say why
            return action
        actor = game.actor_of(action)
        if actor != colour:
            raise case_error("other-seat", f"This is not {colour}'s decision; it is {actor}'s.")
        return action

    return checked


def _with_designs(context: CaseContext, text: str) -> ActionSource | None:
    """`trade infantry infantry wild on china`, `offer cavalry`; None if no design is named."""
    verb, _, rest = text.partition(" ")
    named, on, place = rest.partition(ON)
    words = name_list(named)
    if verb.lower() not in CARDS_NAMED or not any(word.lower() in DESIGNS for word in words):
        return None
    _count(text, len(words), CARDS_NAMED[verb.lower()])
    try:
        asked = [_asked(context, word) for word in words]
        bonus = context.territories[context.territory(place)] if on else None
    except RubiconError as error:
        code = f"text/{error.code.partition('/')[2]}"
        raise RubiconError(code, f"{text!r}: {error.message}", error.suggestion) from None

    def source(game: Game) -> Action:
        cards = _of_the_hand(context, game, asked)
        return Trade(cards, bonus) if len(cards) > 1 else Offer(*cards)

    return source


def _count(text: str, found: int, wanted: int) -> None:
    if found != wanted:
        cards = "three cards were" if wanted > 1 else "one card was"
        code = "text/missing-card" if found < wanted else "text/extra-words"
        raise RubiconError(code, f"{text!r}: {cards} expected, and {found} named.", "")


def _asked(context: CaseContext, word: str) -> int | Design:
    """The number of a named card, or a design."""
    return context.design(word) if word.lower() in DESIGNS else context.card(word)


def _of_the_hand(
    context: CaseContext, game: Game, asked: Sequence[int | Design]
) -> tuple[str, ...]:
    """The cards of a trade: for a design the next one in the hand of the seat to move."""
    hand = [c for c in range(len(context.cards)) if game.position.card[c] == game.position.turn]
    free = [card for card in hand if card not in [a for a in asked if not isinstance(a, Design)]]
    cards: list[int] = []
    for one in asked:
        cards.append(_next(context, game, free, one) if isinstance(one, Design) else one)
        free = [card for card in free if card not in cards]
    return tuple(context.cards[card] for card in cards)


def _next(context: CaseContext, game: Game, free: Sequence[int], design: Design) -> int:
    designs = context.ruleset.tables.design
    for card in free:
        if designs[card] == design:
            return card
    left = [f"{context.cards[card]} ({word_of(Design(int(designs[card])))})" for card in free]
    raise StepFailed(
        f"a further card of the design {word_of(design)} in the hand of {game.turn or 'nobody'}",
        f"the other cards in it: {', '.join(left) or 'none'}",
    )
