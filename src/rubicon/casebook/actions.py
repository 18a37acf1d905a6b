"""What a case names: seats, territories, cards and actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

from rubicon.casebook.parser import case_error, name_list
from rubicon.engine.records import NEUTRAL, NONE, Design, Phase, RewardKind, Standing
from rubicon.errors import RubiconError
from rubicon.orders.parse.action import read_action as typed_action
from rubicon.rules.actions import STANDING_TEXTS, Action, Offer, Trade
from rubicon.rules.board.board import COLOURS, Board
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.wording import nearest

# The meaning of the words of a case under one ruleset, for the seats of one game.

NEUTRALS = ("neutral", "rebels")
NOTHING = ("none", "nothing", "nobody", "-")
ORDERS = {text: order for order, text in STANDING_TEXTS.items()}  # as a position writes them
PHASES = {phase.name.lower().replace("_", "-"): phase for phase in Phase}
DESIGNS = tuple(design.name.lower() for design in Design)
_AMERICAN = {"maneuver": "manoeuvre", "defense": "defence"}

E = TypeVar("E", bound=IntEnum)


def word_of(value: IntEnum) -> str:
    """The name of a value in lower case, as cases write it."""
    return value.name.lower()


def british(word: str) -> str:
    """A reward's name as the rulebook spells it."""
    for american, english in _AMERICAN.items():
        word = word.replace(american, english)
    return word


def plain(word: str) -> str:
    return word.lower().replace("-", "_")


def whole_number(word: str, least: int = 0) -> int:
    """A number of a case, in plain digits."""
    if not word.isascii() or not word.isdecimal() or len(word) > 9 or int(word) < least:
        raise case_error("number", f"{word!r} is not a number from {least} to 999999999.")
    return int(word)


def place_among(word: str, known: Sequence[str], what: str) -> int:
    """The index of a word among known ones; an error with a suggestion for any other."""
    if word.lower() in known:
        return known.index(word.lower())
    raise case_error(
        f"unknown-{what}",
        f"There is no {what} {word!r}; expected one of {', '.join(known)}.",
        nearest(word, known),
    )


@dataclass(frozen=True, slots=True)
class CaseContext:
    """A ruleset and the colours of a game's seats, in the order of play."""

    ruleset: Ruleset
    seats: tuple[str, ...]

    @property
    def board(self) -> Board:
        return self.ruleset.board

    @property
    def territories(self) -> list[str]:
        return [territory.id for territory in self.board.territories]

    @property
    def cards(self) -> list[str]:
        wilds = int(self.ruleset.tables.cards) - len(self.board.territories)
        return self.territories + [f"wild{number}" for number in range(1, wilds + 1)]

    @property
    def objective_ids(self) -> list[str]:
        return [objective.id for objective in self.board.objectives]

    @property
    def mission_ids(self) -> list[str]:
        return [mission.id for mission in self.board.missions]

    def territory(self, text: str) -> int:
        return self.board.index(text)

    def territory_list(self, text: str) -> list[int]:
        return [self.territory(name) for name in name_list(text)]

    def seat(self, word: str) -> int:
        return place_among(word, self.seats, "seat")

    def owner(self, word: str) -> int:
        """A seat, or the neutral armies and rebels."""
        if word.lower() in NEUTRALS:
            return NEUTRAL
        return place_among(word, (*self.seats, *NEUTRALS), "owner")

    def owner_word(self, owner: int) -> str:
        if owner == NEUTRAL:
            return "neutral"
        return self.seats[owner] if owner != NONE else "empty"

    def is_owner(self, word: str) -> bool:
        return word.lower() in (*self.seats, *NEUTRALS, *COLOURS)

    def card(self, word: str) -> int:
        """A card by its territory, or `wild1`, `wild2`."""
        cards = self.cards
        if word.lower() in cards:
            return cards.index(word.lower())
        if word.lower().startswith("wild"):
            raise case_error("unknown-card", f"This deck has no card {word!r}.")
        return self.territory(word)

    def objective(self, word: str) -> int:
        return _upper(word, self.objective_ids, "objective")

    def mission(self, word: str) -> int:
        return _upper(word, self.mission_ids, "mission")

    def tokens(self, word: str) -> list[int]:
        """The reward tokens that a word may mean; both airfields are `airfield`."""
        name = british(plain(word))
        kinds = [word_of(RewardKind(int(kind))) for kind in self.ruleset.rules.reward_kind]
        among_tokens = range(len(kinds))
        for group, prefix in (((0, 1, 2, 3), "minor_"), ((4, 5, 6, 7), "major_")):
            if name.startswith(prefix):
                name, among_tokens = name.removeprefix(prefix), group  # type: ignore[assignment]
        found = [token for token in among_tokens if kinds[token] == name]
        if not found:
            known = tuple(dict.fromkeys(kinds))
            place_among(name, known, "reward")
        return found

    def token_word(self, token: int) -> str:
        return word_of(RewardKind(int(self.ruleset.rules.reward_kind[token])))

    def design(self, word: str) -> Design:
        return Design(place_among(word, DESIGNS, "design"))

    def phase(self, word: str) -> Phase:
        return PHASES[tuple(PHASES)[place_among(word, tuple(PHASES), "phase")]]

    def order(self, word: str) -> Standing:
        return ORDERS[tuple(ORDERS)[place_among(word, tuple(ORDERS), "standing")]]

    def action(self, text: str) -> Action:
        return typed_action(text, self.board, self.seats)

    def split_owner(self, words: Sequence[str]) -> tuple[int, list[str]]:
        """A territory of one or more words, and the words from its owner's colour on."""
        for place in range(1, len(words)):
            if self.is_owner(words[place]):
                return self.territory(" ".join(words[:place])), list(words[place:])
        raise case_error("owner", f"Expected a colour; the seats are {', '.join(self.seats)}.")

    def find(self, text: str) -> str:
        """The id that a text means: of a card, objective, mission, colour, territory or reward."""
        for known in (self.cards, self.objective_ids, self.mission_ids, COLOURS):
            for name in known:
                if text.lower() == name.lower():
                    return name
        try:
            return self.territories[self.territory(text)]
        except RubiconError:
            return self.token_word(self.tokens(text)[0])


def _upper(word: str, known: Iterable[str], what: str) -> int:
    names = tuple(name.lower() for name in known)
    return place_among(word.lower(), names, what)


# The actions of cases: with or without a colour, with cards by name or by design.

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
