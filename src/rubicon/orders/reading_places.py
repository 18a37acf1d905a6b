"""The territories and cards that the words of an order name, and the armies beside them."""

from collections.abc import Callable

from rubicon.orders.order import AllBut, Armies, Fewest
from rubicon.orders.problems import Fault
from rubicon.orders.reading_clause import AND, AT, FILLERS, Clause
from rubicon.orders.reading_names import did_you_mean, plausible
from rubicon.rules.board_parts import one_of, quoted
from rubicon.rules.text.phrases import ALL, FROM, TOWARDS
from rubicon.rules.text.words import COMMA, is_number

MARKS = (*TOWARDS, *FROM)
BUT = ("but", "except")
FEWEST = ("min", "minimum", "fewest", "least")
LONGEST_NAME = 12  # words
LONGEST_ROW = 8  # words of several names that nothing divides
MOST_NAMES = 128  # in one list, as many as the largest board has territories


def territory(part: Clause) -> str:
    """The territory that all of these words name.

    A misspelt one is noted, and taken for the only one that it can be.
    """
    part = _bare(part)
    _check_name(part, "territory")
    found = part.desk.places(part.text)
    if len(found) == 1:
        return part.desk.finder.ids[found[0]]
    if found:
        meant = one_of([part.desk.finder.labels[index] for index in found])
        message = f"{quoted(part.text)} may mean {meant}."
        raise part.fault("ambiguous-territory", 0, message, "Write more of the name.")
    return _nearest(part, "territory")


def card(part: Clause) -> str:
    """The card that all of these words name: a territory's, or wild1 or wild2."""
    _check_name(part, "card")
    found = part.desk.card(part.text)
    if found is not None:
        return found
    if part.text.startswith("wild"):
        message = f"{quoted(part.text)} is not clear; the wild cards are wild1 and wild2."
        raise part.fault("ambiguous-card", 0, message)
    return territory(part)


def _check_name(part: Clause, what: str) -> None:
    if not part.count:
        raise part.fault(f"missing-{what}", 0, f"A {what} was expected here.")
    if COMMA in (word.text for word in part.words):
        at = [word.text for word in part.words].index(COMMA)
        raise part.fault("extra-words", at, f"The name of one {what} was expected, not several.")
    if part.count > LONGEST_NAME:
        raise part.fault("extra-words", 0, f"No {what} has so many words.")


def _nearest(part: Clause, what: str) -> str:
    near = part.desk.near_places(part.text)
    message = f"{part.desk.board.name} has no {what} {quoted(part.text)}."
    problem = part.problem(f"unknown-{what}", 0, message, did_you_mean(near))
    meant = plausible(near)
    if meant is None or _several(part):
        raise Fault(problem)
    part.desk.note(problem)
    return meant


def _several(part: Clause) -> bool:
    """Whether the words may be several names that nothing divides: then none is guessed."""
    if part.count > LONGEST_ROW or any(word.text in (*ALL, *FEWEST) for word in part.words):
        return True
    return any(row(part, count, part.desk.place) for count in (2, 3) if count <= part.count)


def _bare(part: Clause) -> Clause:
    """The words behind `on`, `in` or `at`, and before a comma that nothing follows."""
    start, stop = 0, part.count
    while start < stop - 1 and part.word(start) in AT:
        start += 1
    while start < stop - 1 and part.word(stop - 1) == COMMA:
        stop -= 1
    return part.part(start, stop)


def listed(part: Clause, read: Callable[[Clause], str]) -> tuple[str, ...]:
    """The names between commas or `and`; at least one."""
    pieces = part.divided(AND)
    if not pieces:
        raise part.fault("missing-territory", 0, "A name was expected here.")
    if len(pieces) > MOST_NAMES:
        raise part.fault("too-many", 0, f"A list has at most {MOST_NAMES} names.")
    return tuple(read(piece) for piece in pieces)


def path(part: Clause) -> tuple[str, ...]:
    """Two or more territories, the first of them the one that is set out from."""
    marks = [at for at in range(part.count) if part.word(at) in MARKS]
    if not marks:
        return two_in_a_row(part)
    if len(marks) > MOST_NAMES:
        raise part.fault("too-many", 0, f"A path has at most {MOST_NAMES} territories.")
    legs = [part.part(at + 1, end) for at, end in zip(marks, [*marks[1:], part.count], strict=True)]
    first = part.part(0, marks[0])
    sources = [leg for leg, mark in zip(legs, marks, strict=True) if part.word(mark) in FROM]
    if not sources:
        return tuple(territory(leg) for leg in (first, *legs))
    if len(sources) > 1 or (first.count and legs[-1] is not sources[0]):
        message = "It is not clear which territory comes first."
        raise part.fault("unclear-path", marks[-1], message, "Write: alaska -> kamchatka -> japan")
    others = [leg for leg in ([first] if first.count else []) + legs if leg is not sources[0]]
    return tuple(territory(leg) for leg in (sources[0], *others))


def two_in_a_row(part: Clause) -> tuple[str, ...]:
    """Two territories that nothing divides: `ala kam`."""
    if COMMA in (word.text for word in part.words):
        at = [word.text for word in part.words].index(COMMA)
        message = "An arrow was expected between the territories of a path, not a comma."
        raise part.fault("extra-words", at, message)
    ways = row(part, 2, part.desk.place)
    if len(ways) == 1:
        return next(iter(ways))
    if ways:
        message = f"{quoted(part.text)} can be divided into names in several ways."
        raise part.fault("ambiguous-territory", 0, message, "Write an arrow between the names.")
    for cut in range(min(part.count, LONGEST_ROW) - 1, 0, -1):
        first, second = part.part(0, cut), part.part(cut, part.count)
        if part.desk.place(first.text):
            return territory(first), territory(second)
        if part.desk.place(second.text):
            return territory(first), territory(second)
    territory(part)
    raise part.fault("missing-territory", part.count, "A second territory was expected here.")


def row(part: Clause, count: int, read: Callable[[str], str | None]) -> set[tuple[str, ...]]:
    """Every way to divide the words into so many names."""
    if part.count > LONGEST_ROW:
        return set()
    if count == 1:
        name = read(part.text) if part.count else None
        return {(name,)} if name else set()
    ways: set[tuple[str, ...]] = set()
    for cut in range(1, part.count):
        name = read(part.part(0, cut).text)
        if name:
            others = row(part.part(cut, part.count), count - 1, read)
            ways |= {(name, *rest) for rest in others}
    return ways


def is_amount(word: str) -> bool:
    """Whether a word says how many armies."""
    return is_number(word) or word in ALL or word in FEWEST


def armies(clause: Clause, at: int) -> tuple[Armies, int]:
    """How many armies, and where the words go on: a number, ALL, ALL BUT n or MIN."""
    word = clause.word(at)
    if word in FEWEST:
        return Fewest.MIN, at + 1
    if word not in ALL:
        return clause.number(at), at + 1
    if clause.word(at + 1) in BUT:
        return AllBut(clause.number(at + 2, least=0)), at + 3
    return AllBut(), at + 1


def moved(clause: Clause, start: int) -> tuple[str, str, int | AllBut]:
    """Source, target and armies of a move; the armies may stand anywhere."""
    places = [at for at in range(start, clause.count) if is_amount(clause.word(at))]
    if not places:
        message = "How many armies? A number, ALL or ALL BUT 1 was expected."
        raise clause.fault("missing-number", clause.count, message)
    number, end = armies(clause, places[0])
    if isinstance(number, Fewest):
        raise clause.fault("bad-number", places[0], "A number, ALL or ALL BUT 1 was expected.")
    left = [at for at in range(start, clause.count) if not places[0] <= at < end]
    ends = path(clause.only(left).without(lambda word: word in FILLERS))
    if len(ends) != 2:
        raise clause.fault("extra-words", start, "A move has two ends; there are more here.")
    return ends[0], ends[1], number
