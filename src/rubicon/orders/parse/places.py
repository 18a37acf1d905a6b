"""What the words of an order name: its verb, territories, cards and armies."""

from collections.abc import Callable, Iterable, Mapping

from rubicon.orders.errors import OrderProblem, OrderSyntaxError, Replacement
from rubicon.orders.parse.words import (
    ALL,
    AND,
    AT,
    FILLERS,
    FROM,
    TOWARDS,
    Candidates,
    Clause,
    did_you_mean,
    plausible,
)
from rubicon.orders.syntax import AllBut, Armies, Fewest
from rubicon.rules.notation.words import ARROW, COMMA, beginnings, is_number
from rubicon.wording import one_of, quoted

# The first word of an order, and the verb that it means.

# The synonyms of each verb.
ORDERS: Mapping[str, tuple[str, ...]] = {
    "TRADE": ("exchange", "cash"),
    "WITHDRAW": ("retract",),
    "DEPLOY": ("place", "reinforce", "put", "draft"),
    "ATTACK": ("assault", "invade"),
    "ADVANCE": ("occupy",),
    "FORTIFY": ("move",),
    "MANOEUVRE": ("maneuver",),
    "DEFEND": ("defence", "defense", "standing"),
    "CLAIM": ("take",),
    "CAPITAL": ("headquarters", "hq"),
    "OBJECTIVE": (),
    "DECLINE": (),
    "REVEAL": ("show",),
    "SEAL": (),
    "END": ("finish",),
    "STOP": (),
    "PASS": ("skip",),
}
REQUESTS: Mapping[str, tuple[str, ...]] = {
    "STATUS": (),
    "MAP": (),
    "LEGAL": (),
    "HAND": (),
    "RULES": (),
    "HISTORY": ("log",),
    "PREVIEW": (),
    "HELP": (),
    "WAIT": (),
    "CLEAR": (),
    "UNDO": (),
    "ABSENCE": ("absent",),
    "VOTE": (),
    "RESIGN": (),
    "CONFIRM": (),
    "PRESS": (),
    "PROCESS": (),
    "FORK": (),
    "EXTEND": (),
    "REPLACE": (),
    "BOT": (),
    "ANNOUNCE": (),
}
STRUCTURE = ("IF", "ELSE", "ENDPRESS")
# These only show something, so a wrong guess does no harm, and prose may contain them.
INQUIRIES = frozenset(["STATUS", "MAP", "LEGAL", "HAND", "RULES", "HISTORY", "PREVIEW", "HELP"])
# A word of an e-mail's prose must never become one of these by a guess: they end something, cannot
# be taken back, or are addressed to other people. They are neither completed nor corrected.
IN_FULL = frozenset(
    ["END", "STOP", "PASS", "REVEAL", "DECLINE", "SEAL", "WITHDRAW", *STRUCTURE]
    + [word for word in REQUESTS if word not in INQUIRIES | {"WAIT"}]
)
MEANINGS: Mapping[str, str] = {
    name.casefold(): verb
    for verb, others in {**ORDERS, **REQUESTS}.items()
    for name in (verb, *others)
} | {word.casefold(): word for word in STRUCTURE}
GUESSED = tuple(name for name, verb in MEANINGS.items() if verb not in IN_FULL)
TERMINAL_ONLY = frozenset(["again", "save", "quit", "exit", "orders", "explain", "offer"])
ALONE = frozenset(
    ["END", "STOP", "PASS", "REVEAL", "DECLINE", "SEAL", "WITHDRAW", "RESIGN", "UNDO", "CLEAR"]
)
DATED = frozenset(["ABSENCE", "EXTEND", "FORK"])
ALIKE, ALIKE_ALONE = 0.7, 0.65  # likeness from which a word may be a misspelt verb
TOO_SHORT = 2  # words this short resemble a verb by chance
UNKNOWN = ("orders/unknown-order", "orders/in-full", "orders/terminal-only")
HELP_HINT = "HELP lists the orders."
OFFER_HINT = "Name all cards of the trade at once: TRADE alaska, brazil"


class UnknownVerbError(OrderSyntaxError):
    """Words that begin with no verb, nor with anything that resembles one."""

    def __init__(self, problem: OrderProblem, clause: Clause) -> None:
        self.clause = clause
        super().__init__(problem)


def verb_of(clause: Clause) -> str:
    """The verb that the first word means, as it is printed.

    A misspelt verb is noted, and taken for the only one that it can be. UnknownVerbError where no
    verb resembles the word.
    """
    word = clause.word(0)
    if word in MEANINGS:
        return MEANINGS[word]
    if word == ARROW:
        raise quoted_mail(clause.line, clause.words[0].column)
    if word in TERMINAL_ONLY:
        raise UnknownVerbError(_terminal_only(clause), clause)
    if clause.resolver.players(clause.text):
        raise UnknownVerbError(_unknown(clause, HELP_HINT), clause)
    begun = beginnings(word, MEANINGS)
    if len(word) == 1:
        raise _letter(clause, begun)
    found = {MEANINGS[name] for name in begun}
    safe = found - IN_FULL
    if len(safe) == 1:
        return safe.pop()
    if safe:
        message = f"{quoted(word)} may mean {one_of(sorted(safe))}."
        raise clause.error("ambiguous-order", 0, message, "Write more of the word.")
    if found:
        names = one_of(sorted(name.upper() for name in begun))
        message = f"{quoted(word)} is not enough: {names} must be written in full."
        raise clause.error("in-full", 0, message)
    return _guessed(clause, word)


def _unknown(clause: Clause, hint: str) -> OrderProblem:
    message = f"No order begins with {quoted(clause.word(0))}."
    return clause.problem("unknown-order", 0, message, hint)


def _terminal_only(clause: Clause) -> OrderProblem:
    word = clause.word(0)
    message = f"{quoted(word)} is a command of the terminal, not an order."
    hint = OFFER_HINT if word == "offer" else HELP_HINT
    return clause.problem("terminal-only", 0, message, hint)


def _letter(clause: Clause, begun: list[str]) -> OrderSyntaxError:
    """One letter says too little: `I` is no IF, nor is it INVADE."""
    if not begun:
        return UnknownVerbError(_unknown(clause, HELP_HINT), clause)
    message = f"{quoted(clause.word(0))} is too short for an order."
    problem = clause.problem("ambiguous-order", 0, message, "Write more of the word.")
    return UnknownVerbError(problem, clause) if clause.count > 1 else OrderSyntaxError(problem)


def _guessed(clause: Clause, word: str) -> str:
    near = clause.resolver.near_words(word, MEANINGS)
    named = [(like, MEANINGS[name], name.upper()) for like, name, _ in near if name in GUESSED]
    problem = _unknown(clause, did_you_mean(named) or HELP_HINT)
    if clause.resolver.may_search and not _alike(word, near):
        raise UnknownVerbError(problem, clause)
    likely = plausible(named)
    if likely is None:
        raise OrderSyntaxError(problem)
    clause.resolver.note(problem)
    return likely


def _alike(word: str, near: Candidates) -> bool:
    """Whether a word may be a misspelt verb; less likeness is enough for verbs that are alone.

    Verbs that need a date or a number are left out: `Sent` in prose is not `absent`.
    """
    return len(word) > TOO_SHORT and any(
        like >= (ALIKE_ALONE if MEANINGS[name] in ALONE else ALIKE)
        for like, name, _ in near
        if MEANINGS[name] not in DATED
    )


def quoted_mail(line: int, column: int) -> OrderSyntaxError:
    """The error for a line that begins with an arrow or a bar, the mark of quoted e-mail."""
    message = (
        "A line that begins with > or | is quoted e-mail; quoted orders are never carried out."
    )
    return OrderSyntaxError(
        OrderProblem(line, column, "orders/quoted", message, "Delete the line, or the sign.")
    )


# The territories and cards that the words of an order name, and the armies alongside them.

PATH_WORDS = (*TOWARDS, *FROM)  # the words between the territories of a path
BUT = ("but", "except")
FEWEST = ("min", "minimum", "fewest", "least")
LONGEST_NAME = 12  # words
LONGEST_ROW = 8  # words of several names without a separator
MOST_NAMES = 128  # in one list, as many as the largest board has territories
WRITE_PATH = "Write: FROM -> TO"


def territory(part: Clause) -> str:
    """The territory that all of these words name.

    The resolver notes a misspelt name; it is taken for the one territory that it can mean.
    """
    part = _bare(part)
    _check_name(part, "territory")
    found = part.resolver.places(part.text)
    if len(found) == 1:
        return part.resolver.territories.ids[found[0]]
    if found:
        labels = one_of([part.resolver.territories.labels[index] for index in found])
        message = f"{quoted(part.text)} may mean {labels}."
        raise part.error("ambiguous-territory", 0, message, "Write more of the name.")
    return _nearest(part, "territory")


def card(part: Clause) -> str:
    """The card that all of these words name: a territory's, or wild1 or wild2."""
    _check_name(part, "card")
    found = part.resolver.card(part.text)
    if found is not None:
        return found
    if part.text.startswith("wild"):
        message = f"{quoted(part.text)} may mean wild1 or wild2."
        raise part.error("ambiguous-card", 0, message, "Write the number of the wild card.")
    return territory(part)


def each_name(parts: Iterable[Clause], parse: Callable[[Clause], str]) -> tuple[str, ...]:
    """The names that some parts mean, one each.

    One unclear name does not hide the others: the error has the problems of all of them, and the
    names that are clear.
    """
    names: list[str] = []
    problems: list[OrderProblem] = []
    understood: list[Replacement] = []
    for part in parts:
        try:
            name = parse(part)
        except OrderSyntaxError as error:
            problems += [error.problem, *error.others]
        else:
            names.append(name)
            understood.append(part.replaced_by(name))
    if problems:
        raise OrderSyntaxError(problems[0], tuple(problems[1:]), tuple(understood))
    return tuple(names)


def _check_name(part: Clause, what: str) -> None:
    if not part.count:
        raise part.error(f"missing-{what}", 0, f"The name of a {what} is missing here.")
    if COMMA in (word.text for word in part.words):
        at = [word.text for word in part.words].index(COMMA)
        message = f"Only one {what} can be named here."
        raise part.error("extra-words", at, message, "Delete the comma and the words after it.")
    if part.count > LONGEST_NAME:
        raise part.error("extra-words", 0, f"No {what} has a name of so many words.")


def _nearest(part: Clause, what: str) -> str:
    near = part.resolver.near_places(part.text)
    message = f"{part.resolver.board.name} has no {what} {quoted(part.text)}."
    problem = part.problem(f"unknown-{what}", 0, message, did_you_mean(near))
    # `ala kam` without an arrow must not become the one name that resembles both words.
    likely = plausible(near)
    if likely is None or _several(part):
        raise OrderSyntaxError(problem)
    part.resolver.note(problem)
    return likely


def _several(part: Clause) -> bool:
    """Whether the words may be several names without a separator: then none is guessed."""
    if part.count > LONGEST_ROW or any(word.text in (*ALL, *FEWEST) for word in part.words):
        return True
    counts = [count for count in (2, 3) if count <= part.count]
    return any(split_names(part, count, part.resolver.place) for count in counts)


def _bare(part: Clause) -> Clause:
    """The words after `on`, `in` or `at`, and before a comma that nothing follows."""
    start, stop = 0, part.count
    while start < stop - 1 and part.word(start) in AT:
        start += 1
    while start < stop - 1 and part.word(stop - 1) == COMMA:
        stop -= 1
    return part.part(start, stop)


def listed(part: Clause, parse: Callable[[Clause], str]) -> tuple[str, ...]:
    """The names between commas or `and`; at least one."""
    pieces = part.divided(AND)
    if not pieces:
        raise part.error("missing-territory", 0, "The name of a territory is missing here.")
    if len(pieces) > MOST_NAMES:
        raise part.error("too-many", 0, f"A list has at most {MOST_NAMES} names.")
    return each_name(pieces, parse)


def path(part: Clause) -> tuple[str, ...]:
    """Two or more territories; the first is the one that the armies come from."""
    separators = [at for at in range(part.count) if part.word(at) in PATH_WORDS]
    if not separators:
        return _two_names(part)
    if len(separators) > MOST_NAMES:
        raise part.error("too-many", 0, f"A path has at most {MOST_NAMES} territories.")
    ends = [*separators[1:], part.count]
    legs = [part.part(at + 1, end) for at, end in zip(separators, ends, strict=True)]
    first = part.part(0, separators[0])
    sources = [leg for leg, mark in zip(legs, separators, strict=True) if part.word(mark) in FROM]
    if not sources:
        return each_name((first, *legs), territory)
    if len(sources) > 1 or (first.count and legs[-1] is not sources[0]):
        message = "It is not clear which territory comes first."
        raise part.error("unclear-path", separators[-1], message, "Write: FROM -> OVER -> TO")
    others = [leg for leg in ([first] if first.count else []) + legs if leg is not sources[0]]
    names = each_name((sources[0], *others), territory)
    if not others:  # `FROM alaska` alone
        raise _second_missing(part)
    return names


def _two_names(part: Clause) -> tuple[str, ...]:
    """Two territories without an arrow: `ala kam`."""
    if COMMA in (word.text for word in part.words):
        at = [word.text for word in part.words].index(COMMA)
        message = "An arrow was expected between two territories, not a comma."
        raise part.error("extra-words", at, message, WRITE_PATH)
    ways = split_names(part, 2, part.resolver.place)
    if len(ways) == 1:
        return next(iter(ways))
    if ways:
        message = f"{quoted(part.text)} can be two territories in several ways."
        raise part.error(
            "ambiguous-territory", 0, message, f"Write an arrow between them. {WRITE_PATH}"
        )
    # One name is unknown: cut where the other is known, so that the error is about one name.
    for cut in range(min(part.count, LONGEST_ROW) - 1, 0, -1):
        first, second = part.part(0, cut), part.part(cut, part.count)
        if part.resolver.place(first.text) or part.resolver.place(second.text):
            return each_name((first, second), territory)
    if not part.count:
        raise part.error("missing-territory", 0, "Two territories are missing here.", WRITE_PATH)
    territory(part)
    raise _second_missing(part)


def _second_missing(part: Clause) -> OrderSyntaxError:
    message = "A second territory is missing here."
    return part.error("missing-territory", part.count, message, WRITE_PATH)


def split_names(
    part: Clause, count: int, find: Callable[[str], str | None]
) -> set[tuple[str, ...]]:
    """Every way to divide the words into `count` names."""
    if part.count > LONGEST_ROW:
        return set()
    if count == 1:
        name = find(part.text) if part.count else None
        return {(name,)} if name else set()
    ways: set[tuple[str, ...]] = set()
    for cut in range(1, part.count):
        name = find(part.part(0, cut).text)
        if name:
            others = split_names(part.part(cut, part.count), count - 1, find)
            ways |= {(name, *rest) for rest in others}
    return ways


def is_count(word: str) -> bool:
    """Whether a word says how many armies: a number, or `all`."""
    return is_number(word) or word in ALL


def is_amount(word: str) -> bool:
    """Whether a word says how many armies."""
    return is_count(word) or word in FEWEST


def armies(clause: Clause, at: int) -> tuple[Armies, int]:
    """How many armies, and the word after that: a number, ALL, ALL BUT n or MIN."""
    word = clause.word(at)
    if word in FEWEST:
        return Fewest.MIN, at + 1
    if word not in ALL:
        return clause.number(at), at + 1
    if clause.word(at + 1) in BUT:
        return AllBut(clause.number(at + 2, least=0)), at + 3
    return AllBut(), at + 1


def moved(clause: Clause, start: int) -> tuple[str, str, int | AllBut]:
    """Source, target and armies of a move; the armies may be anywhere, and are ALL without."""
    places = [at for at in range(start, clause.count) if is_amount(clause.word(at))]
    first = places[0] if places else clause.count
    number, end = armies(clause, first) if places else (AllBut(), first)
    if isinstance(number, Fewest):
        hint = "Write a number, ALL or ALL BUT 1."
        raise clause.error("bad-number", first, "A move cannot be of as few as possible.", hint)
    left = [at for at in range(start, clause.count) if not first <= at < end]
    ends = path(clause.only(left).without(lambda word: word in FILLERS))
    if len(ends) != 2:
        message = f"A move goes from one territory to another; {len(ends)} are named here."
        raise clause.error("extra-words", start, message, "Write a line for each move.")
    return ends[0], ends[1], number
