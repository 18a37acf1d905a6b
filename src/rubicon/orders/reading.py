"""Reading a text of orders: what people write becomes a sheet, or a list of all that is wrong.

    >>> from rubicon.rules.board import Board
    >>> world = Board.load("world")
    >>> print(read_orders("dep 3 kam; att kam > ala until left 3", world, ["red", "blue"]))
    DEPLOY 3 kamchatka
    ATTACK kamchatka -> alaska UNTIL LEFT 3

`docs/orders.md` has the grammar.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rubicon.orders.correcting import (
    MOST_CHARACTERS,
    NOT_CORRECTED,
    Entry,
    attacks,
    corrected,
    is_final,
    order_length,
    speaks_of_before,
)
from rubicon.orders.order import IfOrder, Order
from rubicon.orders.problems import Fault, OrdersError, Problem
from rubicon.orders.reading_clause import Clause, clause_of
from rubicon.orders.reading_if import Unfinished, conditional, else_branch, unfinished
from rubicon.orders.reading_letter import (
    SIGNATURES,
    ignored_below,
    introduces,
    older_letter,
    passed_over,
    quotes,
)
from rubicon.orders.reading_lines import (
    ANNOUNCE,
    Part,
    Source,
    lines_of,
    order_start,
    parts_of,
    source_of,
)
from rubicon.orders.reading_names import Desk, TooMuch
from rubicon.orders.reading_requests import announcement, recipient, request
from rubicon.orders.reading_turn import READ
from rubicon.orders.reading_verbs import UNKNOWN, quoted_mail, verb_of
from rubicon.orders.request import PressRequest, Request
from rubicon.orders.sheet import Sheet
from rubicon.rules.board import Board
from rubicon.rules.text.words import Word

MOST_PRESS = 20_000  # characters of one message
ENDPRESS = "endpress"
NOT_BEFORE_FINAL = "This is no order, and below it something is asked for that cannot be undone."
NOBODY: Mapping[str, str] = MappingProxyType({})


def read_orders(
    text: str, board: Board, colours: Sequence[str], *, names: Mapping[str, str] = NOBODY
) -> Sheet:
    """The sheet that a text means; OrdersError, with everything that is wrong, where there is none.

    What is surely no order, behind one that is, is passed over: the sheet's `warnings` say so.
    `colours` are the seats of the game, `names` the colours of the players by their names.
    """
    reading = Reading(text, Desk(board, colours, names))
    desk = reading.desk
    try:
        reading.read()
    except TooMuch as error:
        refused = Problem(reading.at or 1, 1, "orders/too-long", str(error), "Send fewer orders.")
        raise OrdersError((refused,), NOT_CORRECTED) from None
    if desk.total:
        text = corrected(reading.entries, reading.ended)
        more = desk.total - len(desk.problems)
        raise OrdersError(tuple(desk.problems), text, more, tuple(reading.warnings))
    return reading.sheet()


@dataclass
class Reading:
    """A text on its way to a sheet."""

    text: str
    desk: Desk
    entries: list[Entry] = field(default_factory=list)
    ended: bool = False
    warnings: list[Problem] = field(default_factory=list)
    at: int = 0  # lines read
    _lines: list[str] = field(default_factory=list)
    _open: Entry | None = None  # an IF that may have its ELSE on the next line
    _adrift: bool = False  # behind an IF without orders: these may be what depends on it

    def sheet(self) -> Sheet:
        """The sheet of a text without problems."""
        meant = [entry.meant for entry in self.entries]
        orders = tuple(order for order in meant if isinstance(order, Order))
        requests = tuple(found for found in meant if isinstance(found, Request))
        return Sheet(orders, requests, self.ended, tuple(self.warnings))

    def read(self) -> None:
        """Read every line up to END or a signature."""
        if not isinstance(self.text, str):
            raise TooMuch(f"Orders are text, not {type(self.text).__name__}.")
        if len(self.text) > MOST_CHARACTERS:
            raise TooMuch(f"A text has at most {MOST_CHARACTERS} characters.")
        self._lines = lines_of(self.text)
        while self.at < len(self._lines) and not self.ended:
            raw = self._lines[self.at]
            self.at += 1
            bare = raw.strip()
            if not bare:
                self._adrift = False
            elif bare in SIGNATURES:
                ignored = ignored_below(self.at, self._lines[self.at :])
                self.warnings += [ignored] if ignored else []
                break
            elif says_something(bare):
                self.desk.check_length(len(raw))
                self._read_line(source_of(self.at, raw))
        self._doubt_warnings()
        self._check_length()

    def _doubt_warnings(self) -> None:
        """Nothing final may be asked for below words that were not understood."""
        last = max(
            (at for at, entry in enumerate(self.entries) if is_final(entry.meant)), default=0
        )
        doubtful = [entry.warning for entry in self.entries[:last] if entry.warning]
        for warning in doubtful:
            self.warnings.remove(warning)
            self.desk.note(replace(warning, code="orders/unknown-order", message=NOT_BEFORE_FINAL))

    def _check_length(self) -> None:
        """TooMuch where the exact text could not be read again."""
        self.desk.characters = 0
        self.desk.count_orders(0, sum(order_length(entry.meant) for entry in self.entries))
        if self.desk.total == 0 and len(str(self.sheet())) > MOST_CHARACTERS:
            raise TooMuch(f"A text has at most {MOST_CHARACTERS} characters.")

    def _read_line(self, source: Source) -> None:
        adrift, known = self._adrift, len(self.entries)
        if introduces(source):
            self.desk.count_orders(1)
            self._lose(older_letter(source), self._lines[self.at - 1 :])
            self.at = len(self._lines)
        elif quotes(source):
            self._lose_quoted(source)
        else:
            self._read_parts(source)
        if adrift:
            for entry in self.entries[known:]:
                entry.meant = None

    def _read_parts(self, source: Source) -> None:
        for part in parts_of(source):
            verb = part.verb
            if verb == "end" and len(part.text) == len("end"):
                self.ended = True
                return
            before, self._open = self._open, None
            if verb == "else" and before is not None:
                self._read_else(before, part)
            elif verb == "else" and self._adrift:
                self.entries.append(Entry([]))
                self._read_else(self.entries[-1], part)
            elif verb == "press":
                self._read_press(part)
            elif verb == ENDPRESS:
                self._stray_endpress(part)
            else:
                self._read_part(part)

    def _lose_quoted(self, source: Source) -> None:
        self.desk.count_orders(1)
        column = source.columns[order_start(source.plain)] + 1
        self._lose(quoted_mail(source.number, column).problem, [source.raw])

    def _lose(self, problem: Problem, lines: list[str]) -> Entry:
        """Note a problem and keep what was written."""
        self.desk.note(problem)
        entry = Entry(lines, None, problem.code in UNKNOWN)
        self.entries.append(entry)
        return entry

    def _read_part(self, part: Part) -> None:
        self.desk.count_orders(1, len(part.raw))
        try:
            meant = self._meant(part)
        except Fault as fault:
            warning = passed_over(part, fault) if self._may_pass_over() else None
            if warning is not None:
                self.warnings.append(warning)
                self.entries.append(Entry([part.raw], None, unknown=True, warning=warning))
                return
            entry = self._lose(fault.problem, [part.raw])
            self._adrift |= isinstance(fault, Unfinished)
            if part.verb == "if":
                self._open = entry
        else:
            self._keep(part, meant)

    def _may_pass_over(self) -> bool:
        """Whether an order stands before, and it is clear where that ends."""
        return not self._adrift and any(entry.meant is not None for entry in self.entries)

    def _keep(self, part: Part, meant: Order | Request) -> None:
        entry = Entry([part.raw], meant)
        if speaks_of_before(meant) and not self._attacked():
            message = "No attack stands before this line, so nothing was won or lost."
            place = part.column(0)
            problem = Problem(part.source.number, place, "orders/no-attack-before", message)
            self._lose(problem, [part.raw])
            return
        self.entries.append(entry)
        if isinstance(meant, IfOrder) and not meant.otherwise:
            self._open = entry

    def _attacked(self) -> bool:
        """Whether an attack stands before; what was not understood may have been one."""
        return any(
            attacks(entry.meant) if entry.meant else not entry.warning for entry in self.entries
        )

    def _meant(self, part: Part) -> Order | Request:
        desk = self.desk
        if part.verb == "if":
            self._check_goes_on(part)
            return conditional(desk, part)
        if part.verb == ANNOUNCE:
            return announcement(_verb_alone(desk, part), part)
        clause = clause_of(desk, part)
        verb = verb_of(clause)
        if part.verb == "else":
            message = "An ELSE was found that no IF stands before."
            raise clause.fault("else-without-if", 0, message)
        return READ[verb](clause) if verb in READ else request(clause, verb)

    def _read_else(self, entry: Entry, part: Part) -> None:
        """ELSE on a line of its own; if it cannot be read, its IF cannot be kept."""
        entry.lines.append(part.raw)
        self.desk.count_orders(0, len(part.raw))
        try:
            self._check_goes_on(part)
            otherwise = else_branch(self.desk, part)
        except Fault as fault:
            self.desk.note(fault.problem)
            entry.meant = None
            self._adrift |= isinstance(fault, Unfinished)
            return
        if isinstance(entry.meant, IfOrder):
            order = entry.meant
            entry.meant = IfOrder(order.condition, order.then, otherwise)

    def _check_goes_on(self, part: Part) -> None:
        """Unfinished where a semicolon ends the line of a condition, and no ELSE follows."""
        behind = part.source.plain[part.stop :].lstrip(" \t.,!")
        following = self._lines[self.at].lstrip() if self.at < len(self._lines) else ""
        other = not following or following.casefold().startswith("else")
        if behind.startswith(";") and not other:
            raise unfinished(part)

    def _read_press(self, part: Part) -> None:
        self.desk.count_orders(1)
        first, start = self.at - 1, self.at
        behind = self._lines[start:]
        length = next((n for n, line in enumerate(behind) if _ends_press(line)), None)
        if length is None:
            message = "This message has no end: a line ENDPRESS was expected."
            problem = Problem(
                part.source.number, part.column(0), "orders/unfinished-press", message
            )
            self._lose(problem, [part.raw, *behind])
            self.at = len(self._lines)
            return
        self.at = start + length + 1
        body = behind[:length]
        try:
            meant = self._press(clause_of(self.desk, part), "\n".join(body))
        except Fault as fault:
            self._lose(fault.problem, [part.raw, *behind[: length + 1]])
        else:
            self.entries.append(Entry(self._lines[first : self.at], meant))

    def _press(self, clause: Clause, text: str) -> Request:
        to = recipient(clause)
        if len(text) > MOST_PRESS:
            message = f"A message has at most {MOST_PRESS} characters; this has {len(text)}."
            raise clause.fault("too-long", 0, message)
        return PressRequest(to, text)

    def _stray_endpress(self, part: Part) -> None:
        """ENDPRESS without PRESS: what stands before it may be the message; none of it is kept."""
        self.desk.count_orders(1)
        first = len(self.entries)
        while first and not self.entries[first - 1].unknown:
            first -= 1
        for entry in self.entries[first:]:
            entry.meant = None
        message = "An ENDPRESS was found that no PRESS stands before."
        place = part.column(0)
        problem = Problem(part.source.number, place, "orders/endpress-without-press", message)
        self._lose(problem, [part.raw])


def says_something(bare: str) -> bool:
    """Whether there is more than comment on a line without the space around it."""
    first = bare.lstrip("; \t") if bare[0] == ";" else bare
    return bool(first) and not first.startswith(("//", "#"))


def _ends_press(line: str) -> bool:
    return 0 < len(line) < len(ENDPRESS) + 40 and line.strip().casefold() == ENDPRESS


def _verb_alone(desk: Desk, part: Part) -> Clause:
    word = Word(part.verb, part.column(0))
    return Clause(desk, part.source.number, (word,), part.column(len(part.verb)))
