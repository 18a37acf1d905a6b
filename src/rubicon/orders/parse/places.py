"""The territories and cards that the words of an order name, and the armies beside them."""

from collections.abc import Callable, Iterable

from rubicon.orders.errors import OrderProblem, OrderSyntaxError, Replacement
from rubicon.orders.parse.clause import AND, AT, FILLERS, Clause
from rubicon.orders.parse.names import did_you_mean, plausible
from rubicon.orders.syntax import AllBut, Armies, Fewest
from rubicon.rules.notation.phrases import ALL, FROM, TOWARDS
from rubicon.rules.notation.words import COMMA, is_number
from rubicon.wording import one_of, quoted

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
        raise part.error("extra-words", at, message, "Delete the comma and the words behind it.")
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
    """The words behind `on`, `in` or `at`, and before a comma that nothing follows."""
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
    return each_name((sources[0], *others), territory)


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
    message = "A second territory is missing here."
    raise part.error("missing-territory", part.count, message, WRITE_PATH)


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


def is_amount(word: str) -> bool:
    """Whether a word says how many armies."""
    return is_number(word) or word in ALL or word in FEWEST


def armies(clause: Clause, at: int) -> tuple[Armies, int]:
    """How many armies, and the word behind that: a number, ALL, ALL BUT n or MIN."""
    word = clause.word(at)
    if word in FEWEST:
        return Fewest.MIN, at + 1
    if word not in ALL:
        return clause.number(at), at + 1
    if clause.word(at + 1) in BUT:
        return AllBut(clause.number(at + 2, least=0)), at + 3
    return AllBut(), at + 1


def moved(clause: Clause, start: int) -> tuple[str, str, int | AllBut]:
    """Source, target and armies of a move; the armies may stand anywhere, and are ALL without."""
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
