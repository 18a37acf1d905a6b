"""One action as people type it: an order of the order language that is a single action.

    >>> from rubicon.rules.board.board import Board
    >>> world = Board.load("world")
    >>> str(read_action("att kam from ala 3", world, ("red", "blue")))
    'attack alaska -> kamchatka dice 3'

What no order text holds is read here alone: `offer`, `again`, and the colour of a seat. Numbers
must be written, since the board does not say how many armies `all` are. `docs/notation.md` has
examples.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rubicon.engine.records import Standing
from rubicon.orders import syntax
from rubicon.orders.errors import OrderProblem, OrderSyntaxError
from rubicon.orders.parse.places import (
    ORDERS,
    PATH_WORDS,
    card,
    is_amount,
    split_names,
    territory,
)
from rubicon.orders.parse.turn import BONUS, DEFENCE, DICE, PARSERS
from rubicon.orders.parse.words import AND, AT, FILLERS, TOWARDS, Clause, NameResolver, TooLongError
from rubicon.rules import actions
from rubicon.rules.actions import Action
from rubicon.rules.board.board import Board
from rubicon.rules.notation.actions import exact_action, objective_id
from rubicon.rules.notation.words import COMMA, TextError, beginnings, read_line
from rubicon.wording import nearest, one_of, quoted

# The verbs that an order text has not, or in which they mean something else.
ALONE: Mapping[str, tuple[str, ...]] = {
    "OFFER": ("lay",),
    "SEAL": ("sealed",),
    "STANDING": (),
    "RESIGN": ("surrender",),
    "FORTIFY": ("manoeuvre", "maneuver"),  # the phase says which of the two moves it is
}
VERBS: Mapping[str, str] = {
    word.casefold(): verb
    for verbs in (ORDERS, ALONE)
    for verb, words in verbs.items()
    for word in (verb, *words)
}
IN_FULL = ("RESIGN",)  # leaving a game cannot be undone, so this word is never completed
EVERYWHERE = ("all", "everywhere")
TROOPS = ("army", "armies", "troop", "troops")
CARDS = 3  # of a set
ENDINGS: Mapping[str, Action] = {"attack": actions.EndAttack(), "turn": actions.EndTurn()}
STANDING = {
    syntax.DefenceDice.MAX: Standing.MAXIMUM,
    syntax.DefenceDice.ONE: Standing.ONE,
    syntax.DefenceDice.TWO: Standing.TWO,
    syntax.DefenceDice.ASK: Standing.NONE,
}
CODES = re.compile(
    "(?:unknown|ambiguous|missing)-(?:verb|territory|card|colour|objective|number)"
    "|bad-number|not-three-cards"
)


def read_action(text: str, board: Board, colours: Sequence[str], *, strict: bool = False) -> Action:
    """The action that a text means; TextError, which quotes the text, where it means none.

    `strict` accepts only what `str(action)` writes.
    """
    exact = exact_action(text, board, colours)
    if exact is not None:
        return exact
    line = read_line(text)
    # The exact form in other letter case or spacing may have numbers that no order has, such as 0.
    plain = exact_action(" ".join(word.text for word in line.words), board, colours)
    if plain is not None and not strict:
        return plain
    resolver = NameResolver(board, colours, {})
    clause = Clause(resolver, 1, line.words, len(line.text) + 1)
    try:
        action = READERS[_verb(clause)](clause)
        # A misspelt name is noted and corrected: an order text asks again, and so does this.
        problems = resolver.problems
    except OrderSyntaxError as error:
        problems = [error.problem]
    except TooLongError as error:
        raise TextError("too-long", line.text, 1, str(error)) from None
    if problems:
        raise _text_error(line.text, problems[0])
    if strict:
        raise TextError("not-canonical", text, 1, "this is not the exact form.", f"Write: {action}")
    return action


def _text_error(text: str, problem: OrderProblem) -> TextError:
    """A problem of an order as the error of a line; its code is one of `text/…`."""
    code = problem.code.partition("/")[2]
    code = code if CODES.fullmatch(code) else "extra-words"
    return TextError(code, text, problem.column, problem.message, problem.suggestion)


def _verb(clause: Clause) -> str:
    word = clause.word(0)
    found = {VERBS[name] for name in beginnings(word, VERBS)}
    if len(found) == 1:
        verb = found.pop()
        if verb not in IN_FULL or word in VERBS:
            return verb
        raise clause.error("ambiguous-verb", 0, f"{verb.lower()!r} must be written in full.")
    if found:
        message = f"{quoted(word)} may mean {one_of(sorted(verb.lower() for verb in found))}."
        raise clause.error("ambiguous-verb", 0, message, "Write more of it.")
    hint = nearest(word, VERBS) or f"Verbs: {', '.join(READERS).lower()}."
    raise clause.error("unknown-verb", 0, f"No action begins with {quoted(word)}.", hint)


def _attack(clause: Clause) -> Action:
    again = clause.count > 1 and clause.word(clause.count - 1) == "again"
    clause = _bare(clause.part(0, clause.count - again))
    order = PARSERS["ATTACK"](clause)
    assert isinstance(order, syntax.AttackOrder)
    marks = [at for at in range(1, clause.count) if clause.word(at) in PATH_WORDS]
    if order.stops or order.advance is not None or len(order.path) > 2:
        message = "One action is one roll across one border."
        raise clause.error("extra-words", marks[1] if len(marks) > 1 else 1, message)
    source, target = order.path
    return actions.Attack(source, target, order.dice, again)


def _bare(clause: Clause, *others: str) -> Clause:
    """The clause without words that change nothing: a comma between two names is a space."""
    return clause.without(lambda word: word in (COMMA, *TROOPS, *others), 1)


def _fortify(clause: Clause) -> Action:
    clause = _bare(clause, *DICE)
    order = PARSERS["FORTIFY"](clause)
    assert isinstance(order, syntax.FortifyOrder)
    return actions.Fortify(order.source, order.target, _number(clause, order.armies))


def _place(clause: Clause) -> Action:
    clause = _bare(clause, *DICE)
    order = PARSERS["DEPLOY"](clause)
    assert isinstance(order, syntax.DeployOrder)
    if len(order.placements) > 1:
        raise clause.error("extra-words", 1, "One action places armies in one territory.")
    ((armies, where),) = order.placements
    return actions.Place(where, _number(clause, armies))


def _occupy(clause: Clause) -> Action:
    order = PARSERS["ADVANCE"](_bare(clause, *DICE))
    assert isinstance(order, syntax.AdvanceOrder)
    return actions.Occupy(_number(clause, order.armies))


def _number(clause: Clause, armies: object) -> int:
    """The armies of an order, where they are a number; ALL and MIN depend on the position."""
    if isinstance(armies, int):
        return armies
    places = [at for at in range(1, clause.count) if is_amount(clause.word(at))]
    message = "A number is missing here."
    raise clause.error("missing-number", places[0] if places else clause.count, message)


def _defend(clause: Clause) -> Action:
    bare = clause.without(lambda word: word in (*FILLERS, *DICE), 1)
    bare.nothing_from(2)
    return actions.DefendWith(bare.number(1))


def _claim(clause: Clause) -> Action:
    """A territory, or an objective: `claim objective 7`, `claim OB07`."""
    named = clause.word(1) == "objective"
    clause = clause.without(lambda word: word in ("for", "objective"), 1)
    if named or (clause.word(1).startswith("ob") and objective_id(clause.word(1))):
        return _objective(clause)
    order = PARSERS["CLAIM"](clause)
    assert isinstance(order, syntax.ClaimOrder)
    return actions.Claim(_only(clause, order.territories))


def _capital(clause: Clause) -> Action:
    order = PARSERS["CAPITAL"](clause)
    assert isinstance(order, syntax.CapitalOrder)
    return actions.PlaceCapital(_only(clause, order.territories))


def _only(clause: Clause, names: Sequence[str]) -> str:
    if len(names) > 1:
        raise clause.error("extra-words", 2, "One action names one territory.")
    return names[0]


def _objective(clause: Clause) -> Action:
    """`objective 7`, `objective OB07 airfield brazil`, with or without the small words."""
    name = objective_id(clause.word(1))
    if name is None:
        code = "unknown-objective" if clause.count > 1 else "missing-objective"
        raise clause.error(code, 1, "An objective from OB01 to OB12 is needed here.")
    at = 3 if clause.word(2) in ("airfield", "with") else 2
    if at >= clause.count:
        clause.nothing_from(2)
        return actions.ClaimObjective(name)
    return actions.ClaimObjective(name, territory(clause.part(at, clause.count)))


def _trade(clause: Clause) -> Action:
    if clause.count == 1:
        return actions.Trade()
    marks = [at for at in range(1, clause.count) if clause.word(at) in BONUS]
    end = marks[0] if marks else clause.count
    cards = _cards(clause.part(1, end))
    return actions.Trade(cards, territory(clause.part(end + 1, clause.count)) if marks else None)


def _cards(named: Clause) -> tuple[str, ...]:
    pieces = named.divided(AND)
    if len(pieces) > 1:
        if len(pieces) != CARDS:
            message = f"A set is three cards, and {len(pieces)} are named."
            raise named.error("not-three-cards", 0, message)
        return tuple(_card(piece) for piece in pieces)
    ways = split_names(named, CARDS, named.resolver.card)
    if len(ways) == 1:
        return next(iter(ways))
    if ways:
        message = "It is not clear where the name of a card ends."
        raise named.error("ambiguous-card", 0, message, "Write commas between the cards.")
    raise _not_a_set(named)


def _not_a_set(named: Clause) -> OrderSyntaxError:
    """Why words are not three cards: one is missing, one is too many, or one is unknown."""
    card_of = named.resolver.card
    if not named.count or any(split_names(named, fewer, card_of) for fewer in range(1, CARDS)):
        return named.error("missing-card", named.count, "A set is three cards.")
    for end in range(named.count - 1, CARDS - 1, -1):
        if split_names(named.part(0, end), CARDS, card_of):
            return named.error("extra-words", end, "A set is three cards.")
    unknown = next((at for at in range(named.count) if not card_of(named.word(at))), 0)
    return named.error("unknown-card", unknown, f"There is no card {quoted(named.word(unknown))}.")


def _card(named: Clause) -> str:
    try:
        return card(named)
    except OrderSyntaxError as error:
        code = error.problem.code.replace("-territory", "-card")
        raise OrderSyntaxError(replace(error.problem, code=code)) from None


def _offer(clause: Clause) -> Action:
    return actions.Offer(_card(clause.part(1, clause.count)))


def _end(clause: Clause) -> Action:
    """`end attack` or `end turn`."""
    if clause.count == 1:
        message = "This may mean the attack or the turn."
        raise clause.error("ambiguous-verb", 1, message, "Write `end attack` or `end turn`.")
    found = beginnings(clause.word(1), ENDINGS)
    if not found:
        raise clause.error("unknown-verb", 1, "`attack` or `turn` is needed here.")
    clause.nothing_from(2)
    return ENDINGS[found[0]]


def _alone(action: Action) -> Callable[[Clause], Action]:
    def read(clause: Clause) -> Action:
        clause.nothing_from(1)
        return action

    return read


def _of_seat(kind: Callable[[str], Action]) -> Callable[[Clause], Action]:
    def read(clause: Clause) -> Action:
        bare = clause.without(lambda word: word == "mission", 1)
        bare.nothing_from(2)
        return kind(_colour(bare, 1))

    return read


def _colour(clause: Clause, at: int) -> str:
    """The colour that a word or its beginning means."""
    word = clause.word(at)
    colours = clause.resolver.colours
    found = beginnings(word, colours) if word else []
    if len(found) == 1:
        return found[0]
    if found:
        message = f"{quoted(word)} may mean {one_of(found)}."
        raise clause.error("ambiguous-colour", at, message, "Write more of it.")
    if not word:
        raise clause.error("missing-colour", at, "A colour is missing here.")
    message = f"There is no colour {quoted(word)}; expected {one_of(list(colours))}."
    raise clause.error("unknown-colour", at, message, nearest(word, colours))


def _standing(clause: Clause) -> Action:
    """`standing red alaska 2`; without the territory everywhere."""
    bare = clause.without(lambda word: word in ("order", *AT, *TOWARDS, *FILLERS, *DICE, COMMA), 1)
    last = bare.count - 1
    dice = bare.word(last)
    if last < 1 or dice not in DEFENCE or dice in EVERYWHERE:
        message = "The number of dice is missing: 1, 2, max or none."
        raise bare.error("missing-number", max(last, 1), message)
    # A territory may begin like a colour; only a word that fits one colour alone is taken as one.
    if last < 2 or len(beginnings(bare.word(1), bare.resolver.colours)) != 1:
        raise bare.error("missing-colour", bare.count, "A colour is missing here.")
    where = bare.part(2, last)
    everywhere = not where.count or (where.count == 1 and where.word(0) in EVERYWHERE)
    order = STANDING[DEFENCE[dice]]
    return actions.StandingOrder(_colour(bare, 1), None if everywhere else territory(where), order)


READERS: Mapping[str, Callable[[Clause], Action]] = {
    "CLAIM": _claim,
    "CAPITAL": _capital,
    "DEPLOY": _place,
    "SEAL": _of_seat(actions.Seal),
    "OFFER": _offer,
    "WITHDRAW": _alone(actions.Withdraw()),
    "TRADE": _trade,
    "ATTACK": _attack,
    "DEFEND": _defend,
    "ADVANCE": _occupy,
    "END": _end,
    "STOP": _alone(actions.EndAttack()),
    "PASS": _alone(actions.EndTurn()),
    "OBJECTIVE": _objective,
    "DECLINE": _alone(actions.Decline()),
    "FORTIFY": _fortify,
    "STANDING": _standing,
    "RESIGN": _of_seat(actions.Resign),
    "REVEAL": _of_seat(actions.RevealMission),
}
