"""The parser of order texts: an OrderText, or a list of everything that is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rubicon.orders import syntax
from rubicon.orders.errors import OrderProblem, OrdersError, OrderSyntaxError
from rubicon.orders.parse import repair
from rubicon.orders.parse.places import IN_FULL, MEANINGS, UNKNOWN, quoted_mail, territory, verb_of
from rubicon.orders.parse.requests import (
    SIGNATURES,
    announcement,
    ignored_below,
    ignored_words,
    introduces,
    quoted_mail_below,
    quotes,
    recipient,
    request,
    seat_of,
)
from rubicon.orders.parse.turn import PARSERS, placed_without_verb
from rubicon.orders.parse.words import (
    ANNOUNCE,
    Clause,
    NameResolver,
    Part,
    SourceLine,
    TooLongError,
    clause_of,
    divided,
    lines_of,
    order_start,
    parts_of,
    source_of,
)
from rubicon.rules.board.board import Board
from rubicon.rules.notation.words import Word, beginnings

# Parses IF: a condition, the orders after it, and those after ELSE.

COMPARISONS: Mapping[str, syntax.Comparison] = {
    "<": syntax.Comparison.LESS,
    "<=": syntax.Comparison.AT_MOST,
    "=<": syntax.Comparison.AT_MOST,
    "≤": syntax.Comparison.AT_MOST,
    "=": syntax.Comparison.EQUAL,
    "==": syntax.Comparison.EQUAL,
    "<>": syntax.Comparison.NOT_EQUAL,
    "!=": syntax.Comparison.NOT_EQUAL,
    "≠": syntax.Comparison.NOT_EQUAL,
    ">=": syntax.Comparison.AT_LEAST,
    "=>": syntax.Comparison.AT_LEAST,
    "≥": syntax.Comparison.AT_LEAST,
    ">": syntax.Comparison.MORE,
}
EXAMPLE = "Write: IF WON: ATTACK kam -> irk"
NO_COLON = "A colon is missing after the condition."
NO_ORDERS = "The orders of a condition are missing; write them on its line."
CONDITIONS = "WON, FAILED, CARD, ELIMINATED red or kamchatka > 3"
SHORTEST_VERB = 3  # letters of a verb in a condition without a colon
LONGEST_HINT = 80  # characters of a line that is shown with its colon
_COMPARISON = re.compile(r"<=|=<|<>|>=|=>|!=|==|[<>=≤≥≠]")
_THEN = re.compile(r":(?:\s*then(?!\S))?|(?<!\S)then(?![^\s:])\s*:?", re.IGNORECASE)
_ELSE = re.compile(r"(?<![^\s;:.,!])else(?![^\s:;])\s*:?", re.IGNORECASE)
_BARE_ELSE = re.compile(r"else\s*:?", re.IGNORECASE)
_WORD = re.compile(r"[^\s;:,]+")


class UnfinishedIfError(OrderSyntaxError):
    """A condition without orders on its line: its orders may be on the next lines."""


def unfinished(part: Part) -> UnfinishedIfError:
    """The error for a line on which the orders of a condition are missing."""
    return UnfinishedIfError(_problem(part, part.stop - part.start, "empty-if", NO_ORDERS))


def conditional(resolver: NameResolver, part: Part) -> syntax.IfOrder:
    """The order on a line that begins with IF."""
    # The first colon or THEN ends the condition; names and numbers contain neither.
    found = _THEN.search(part.text)
    if found is None:
        at = _without_colon(resolver, part)
        condition, body = part.cut(len("if"), at), part.cut(at, len(part.text))
    else:
        condition = part.cut(len("if"), found.start())
        body = part.cut(found.end(), len(part.text))
    if body.start >= body.stop:
        raise unfinished(part)
    parsed = _condition(resolver, condition)
    then, otherwise = _branches(resolver, body, part)
    return syntax.IfOrder(parsed, then, otherwise)


def _without_colon(resolver: NameResolver, part: Part) -> int:
    """Where the orders begin on a line without a colon; the missing colon is noted.

    The first verb after the first word of the condition begins them. The problem is noted and
    parsing goes on, so that the corrected text has the line with its colon.
    """
    words = list(_WORD.finditer(part.text))[2:]
    at = next((word.start() for word in words if _is_verb(word[0].casefold())), None)
    if at is None:
        raise UnfinishedIfError(_problem(part, len(part.text), "missing-colon", NO_COLON))
    written = f"{part.text[:at].rstrip()}: {part.text[at:]}"
    hint = f"Write: {written}" if len(written) <= LONGEST_HINT else EXAMPLE
    resolver.note(_problem(part, at, "missing-colon", NO_COLON, hint))
    return at


def _is_verb(word: str) -> bool:
    """Whether a word is the verb of an order, or its beginning where one can be left unfinished."""
    if word in MEANINGS:
        return MEANINGS[word] in PARSERS
    found = {MEANINGS[name] for name in beginnings(word, MEANINGS)}
    return len(word) >= SHORTEST_VERB and len(found) == 1 and found < PARSERS.keys() - IN_FULL


def _problem(
    part: Part, at: int, code: str, message: str, suggestion: str = EXAMPLE
) -> OrderProblem:
    return OrderProblem(part.source.number, part.column(at), f"orders/{code}", message, suggestion)


Branch = tuple[syntax.SimpleOrder, ...]


def _branches(resolver: NameResolver, body: Part, whole: Part) -> tuple[Branch, Branch]:
    found = list(_ELSE.finditer(body.text))
    if len(found) > 1:
        message, hint = "A condition has only one ELSE.", "Write a second IF on a separate line."
        raise OrderSyntaxError(_problem(body, found[1].start(), "second-else", message, hint))
    end = found[0].start() if found else len(body.text)
    then = _branch(resolver, body.cut(0, end), whole)
    if not found:
        return then, ()
    return then, _branch(resolver, body.cut(found[0].end(), len(body.text)), whole)


def else_branch(resolver: NameResolver, part: Part) -> Branch:
    """The orders on a line that begins with ELSE."""
    found = _BARE_ELSE.match(part.text)
    return _branch(resolver, part.cut(found.end() if found else 0, len(part.text)), part)


def _branch(resolver: NameResolver, body: Part, whole: Part) -> Branch:
    pieces = divided(body)
    if not pieces:
        raise unfinished(whole)
    resolver.count_orders(len(pieces))
    return tuple(_simple(resolver, piece) for piece in pieces)


def _simple(resolver: NameResolver, piece: Part) -> syntax.SimpleOrder:
    clause = clause_of(resolver, piece)
    if clause.word(0) not in MEANINGS and (placed := placed_without_verb(clause)):
        return placed
    verb = verb_of(clause)
    if verb == "IF":
        message = "A condition cannot be inside another condition."
        raise clause.error("nested-if", 0, message, "Write two lines.")
    if verb not in PARSERS:
        message = f"{verb} cannot depend on a condition."
        raise clause.error("not-in-if", 0, message, "Write it on a separate line.")
    return PARSERS[verb](clause)


def _condition(resolver: NameResolver, part: Part) -> syntax.Condition:
    if part.start >= part.stop:
        hint = f"Write one of: {CONDITIONS}"
        raise OrderSyntaxError(
            _problem(part, 0, "missing-condition", "A condition is missing after IF.", hint)
        )
    # A comparison is searched before the words are split: `kam>=5` has no spaces.
    found = _COMPARISON.search(part.text)
    if found is not None:
        return _holds(resolver, part, found)
    clause = clause_of(resolver, part)
    rest = clause.part(1, clause.count)
    match clause.word(0):
        case "won":
            return syntax.WonCondition(territory(rest) if rest.count else None)
        case "failed":
            return syntax.FailedCondition(territory(rest) if rest.count else None)
        case "card":
            clause.nothing_from(1)
            return syntax.CardEarned()
        case "eliminated":
            return syntax.EliminatedCondition(seat_of(rest, in_full=False))
    message = "This is no condition."
    raise clause.error("unknown-condition", 0, message, f"Write one of: {CONDITIONS}")


def _holds(resolver: NameResolver, part: Part, found: re.Match[str]) -> syntax.Condition:
    behind = part.cut(found.end(), len(part.text))
    number = clause_of(resolver, behind)
    named = clause_of(resolver, part.cut(0, found.start()))
    armies = number.number(0, least=0)
    number.without(lambda word: word in ("armies", "army"), 1).nothing_from(1)
    return syntax.Holds(territory(named), COMPARISONS[found.group()], armies)


# A whole text, line by line. `docs/orders.md` has the grammar.

MOST_PRESS = 20_000  # characters of one message
ENDPRESS = "endpress"
NOT_BEFORE_FINAL = "This is no order, and a request below it cannot be taken back."
NO_NAMES: Mapping[str, str] = MappingProxyType({})


def read_orders(
    text: str, board: Board, colours: Sequence[str], *, names: Mapping[str, str] = NO_NAMES
) -> syntax.OrderText:
    """Parse a text; OrdersError, with all its problems, where anything in it is wrong.

    Words after an order that are surely no order are ignored; `OrderText.warnings` lists them.
    `colours` are the seats of the game; `names` maps the players' names to their colours.
    """
    parser = OrdersParser(text, NameResolver(board, colours, names))
    resolver = parser.resolver
    try:
        parser.read()
    except TooLongError as error:
        refused = OrderProblem(
            parser.at or 1, 1, "orders/too-long", str(error), "Send fewer orders."
        )
        raise OrdersError((refused,), repair.NOT_CORRECTED) from None
    if resolver.total:
        text = repair.corrected(parser.entries, parser.ended)
        more = resolver.total - len(resolver.problems)
        problems = sorted(resolver.problems, key=lambda problem: (problem.line, problem.column))
        raise OrdersError(tuple(problems), text, more, tuple(parser.warnings))
    return parser.order_text()


@dataclass
class OrdersParser:
    """The state of parsing one text, line by line."""

    text: str
    resolver: NameResolver
    entries: list[repair.ParsedEntry] = field(default_factory=list)
    ended: bool = False
    warnings: list[OrderProblem] = field(default_factory=list)
    at: int = 0  # number of lines read
    _lines: list[str] = field(default_factory=list)
    _open: repair.ParsedEntry | None = None  # an IF whose ELSE may be on the next line
    # After an IF without orders, up to a blank line: the next lines may be what depends on it, so
    # they are parsed for their problems, but never executed.
    _after_bare_if: bool = False

    def order_text(self) -> syntax.OrderText:
        """The result for a text without problems."""
        parsed = [entry.parsed for entry in self.entries]
        orders = tuple(order for order in parsed if isinstance(order, syntax.Order))
        requests = tuple(found for found in parsed if isinstance(found, syntax.Request))
        places = tuple(
            entry.place for entry in self.entries if isinstance(entry.parsed, syntax.Request)
        )
        warnings = tuple(self.warnings)
        stretches = tuple(
            (*entry.place, len(entry.lines[0]))
            for entry in self.entries
            if isinstance(entry.parsed, syntax.Order)
        )
        found = syntax.OrderText(orders, requests, self.ended, warnings)
        return replace(found, request_places=places, order_places=stretches)

    def read(self) -> None:
        """Parse every line up to END or a signature."""
        if not isinstance(self.text, str):
            raise TooLongError(f"Orders are text, not {type(self.text).__name__}.")
        if len(self.text) > repair.MOST_CHARACTERS:
            raise TooLongError(f"A text has at most {repair.MOST_CHARACTERS:,} characters.")
        self._lines = lines_of(self.text)
        while self.at < len(self._lines) and not self.ended:
            raw = self._lines[self.at]
            self.at += 1
            bare = raw.strip()
            if not bare:
                self._after_bare_if = False
            elif bare in SIGNATURES:
                ignored = ignored_below(self.at, self._lines[self.at :])
                self.warnings += [ignored] if ignored else []
                break
            elif _has_orders(bare):
                self.resolver.check_length(len(raw))
                self._read_line(source_of(self.at, raw))
        if self.ended:
            self._find_preview_below()
        self._withdraw_warnings()
        self._check_length()

    def _find_preview_below(self) -> None:
        """PREVIEW counts below END, too: who asks what would happen must not see it happen."""
        for number, raw in enumerate(self._lines[self.at :], self.at + 1):
            bare = raw.strip()
            if bare in SIGNATURES:
                return
            if bare.rstrip(".").casefold() == syntax.Ask.PREVIEW.casefold():
                place = number, len(raw) - len(raw.lstrip()) + 1
                self.entries.append(
                    repair.ParsedEntry([raw], syntax.AskRequest(syntax.Ask.PREVIEW), place=place)
                )
                return

    def _withdraw_warnings(self) -> None:
        """Words above a final request are never ignored: the request may belong to them."""
        last = max(
            (at for at, entry in enumerate(self.entries) if repair.is_final(entry.parsed)),
            default=0,
        )
        doubtful = [entry.warning for entry in self.entries[:last] if entry.warning]
        for warning in doubtful:
            self.warnings.remove(warning)
            problem = replace(warning, code="orders/unknown-order", message=NOT_BEFORE_FINAL)
            self.resolver.note(problem)

    def _check_length(self) -> None:
        """TooLongError where the exact text, which may be longer, could not be parsed again."""
        self.resolver.characters = 0
        self.resolver.count_orders(
            0, sum(repair.order_length(entry.parsed) for entry in self.entries)
        )
        if self.resolver.total == 0 and len(str(self.order_text())) > repair.MOST_CHARACTERS:
            raise TooLongError(f"A text has at most {repair.MOST_CHARACTERS:,} characters.")

    def _read_line(self, source: SourceLine) -> None:
        after_bare_if, known = self._after_bare_if, len(self.entries)
        if introduces(source):
            self.resolver.count_orders(1)
            self._reject(quoted_mail_below(source), self._lines[self.at - 1 :])
            self.at = len(self._lines)
        elif quotes(source):
            self._reject_quoted(source)
        else:
            self._read_parts(source)
        if after_bare_if:
            for entry in self.entries[known:]:
                entry.parsed = None

    def _read_parts(self, source: SourceLine) -> None:
        for part in parts_of(source):
            verb = part.verb
            if verb == "end" and len(part.text) == len("end"):
                self.ended = True
                return
            before, self._open = self._open, None
            if verb == "else" and before is not None:
                self._read_else(before, part)
            elif verb == "else" and self._after_bare_if:
                self.entries.append(repair.ParsedEntry([]))
                self._read_else(self.entries[-1], part)
            elif verb == "press":
                self._read_press(part)
            elif verb == ENDPRESS:
                self._stray_endpress(part)
            else:
                self._read_part(part)

    def _reject_quoted(self, source: SourceLine) -> None:
        self.resolver.count_orders(1)
        column = source.columns[order_start(source.plain)] + 1
        self._reject(quoted_mail(source.number, column).problem, [source.raw])

    def _reject(self, problem: OrderProblem, lines: list[str]) -> repair.ParsedEntry:
        """Note a problem; the lines become a comment of the corrected text."""
        self.resolver.note(problem)
        entry = repair.ParsedEntry(lines, None, problem.code in UNKNOWN)
        self.entries.append(entry)
        return entry

    def _read_part(self, part: Part) -> None:
        self.resolver.count_orders(1, len(part.raw))
        try:
            parsed = self._parsed(part)
        except OrderSyntaxError as error:
            warning = ignored_words(part, error) if self._may_ignore() else None
            if warning is not None:
                self.warnings.append(warning)
                entry = repair.ParsedEntry([part.raw], None, unknown=True, warning=warning)
                self.entries.append(entry)
                return
            entry = self._reject(error.problem, [repair.with_replacements(part, error.understood)])
            for problem in error.others:
                self.resolver.note(problem)
            self._after_bare_if |= isinstance(error, UnfinishedIfError)
            if part.verb == "if":
                self._open = entry
        else:
            self._keep(part, parsed)

    def _may_ignore(self) -> bool:
        """Whether an order comes before, and it is clear where that order ends."""
        return not self._after_bare_if and any(entry.parsed is not None for entry in self.entries)

    def _keep(self, part: Part, parsed: syntax.Order | syntax.Request) -> None:
        entry = repair.ParsedEntry([part.raw], parsed, place=_place(part))
        if repair.depends_on_last_attack(parsed) and not self._attacked():
            message = "WON and FAILED alone mean the last attack, but there is no attack before."
            hint = "Name the territory: IF WON kamchatka: ..."
            place = part.column(0)
            code = "orders/no-attack-before"
            self._reject(OrderProblem(part.source.number, place, code, message, hint), [part.raw])
            return
        self.entries.append(entry)
        warning = repair.warning_about(parsed, part, self.resolver.territories)
        self.warnings += [warning] if warning else []
        if isinstance(parsed, syntax.IfOrder) and not parsed.otherwise:
            self._open = entry

    def _attacked(self) -> bool:
        """Whether an attack comes before; an entry that was not understood may have been one."""
        return any(
            repair.attacks(entry.parsed) if entry.parsed else not entry.warning
            for entry in self.entries
        )

    def _parsed(self, part: Part) -> syntax.Order | syntax.Request:
        resolver = self.resolver
        if part.verb == "if":
            self._check_goes_on(part)
            return conditional(resolver, part)
        if part.verb == ANNOUNCE:
            return announcement(_verb_alone(resolver, part), part)
        clause = clause_of(resolver, part)
        if clause.word(0) not in MEANINGS and (placed := placed_without_verb(clause)):
            return placed
        verb = verb_of(clause)
        if part.verb == "else":
            message = "There is no IF before this ELSE."
            hint = "Write ELSE after the orders of an IF, or on the next line."
            raise clause.error("else-without-if", 0, message, hint)
        return PARSERS[verb](clause) if verb in PARSERS else request(clause, verb)

    def _read_else(self, entry: repair.ParsedEntry, part: Part) -> None:
        """ELSE on its own line; if it cannot be parsed, its IF is dropped too."""
        entry.lines.append(part.raw)
        self.resolver.count_orders(0, len(part.raw))
        try:
            self._check_goes_on(part)
            otherwise = else_branch(self.resolver, part)
        except OrderSyntaxError as error:
            for problem in (error.problem, *error.others):
                self.resolver.note(problem)
            entry.parsed = None
            self._after_bare_if |= isinstance(error, UnfinishedIfError)
            return
        if isinstance(entry.parsed, syntax.IfOrder):
            order = entry.parsed
            entry.parsed = syntax.IfOrder(order.condition, order.then, otherwise)

    def _check_goes_on(self, part: Part) -> None:
        """UnfinishedIfError where a semicolon ends the line of a condition and no ELSE follows."""
        behind = part.source.plain[part.stop :].lstrip(" \t.,!")
        next_line = self._lines[self.at].lstrip() if self.at < len(self._lines) else ""
        other = not next_line or next_line.casefold().startswith("else")
        if behind.startswith(";") and not other:
            raise unfinished(part)

    def _read_press(self, part: Part) -> None:
        self.resolver.count_orders(1)
        first, start = self.at - 1, self.at
        behind = self._lines[start:]
        length = next((n for n, line in enumerate(behind) if _ends_press(line)), None)
        if length is None:
            message = "This message has no end."
            hint = "Write ENDPRESS on a separate line below it."
            line, place = part.source.number, part.column(0)
            problem = OrderProblem(line, place, "orders/unfinished-press", message, hint)
            self._reject(problem, [part.raw, *behind])
            self.at = len(self._lines)
            return
        self.at = start + length + 1
        body = behind[:length]
        try:
            parsed = self._press(clause_of(self.resolver, part), "\n".join(body))
        except OrderSyntaxError as error:
            self._reject(error.problem, [part.raw, *behind[: length + 1]])
        else:
            lines = self._lines[first : self.at]
            self.entries.append(repair.ParsedEntry(lines, parsed, place=_place(part)))

    def _press(self, clause: Clause, text: str) -> syntax.Request:
        to = recipient(clause)
        if len(text) > MOST_PRESS:
            message = (
                f"A message has at most {MOST_PRESS:,} characters; this one has {len(text):,}."
            )
            raise clause.error("too-long", 0, message, "Send two messages.")
        return syntax.PressRequest(to, text)

    def _stray_endpress(self, part: Part) -> None:
        """ENDPRESS without PRESS: the lines above it may be the message, so all are dropped."""
        self.resolver.count_orders(1)
        first = len(self.entries)
        while first and not self.entries[first - 1].unknown:
            first -= 1
        for entry in self.entries[first:]:
            entry.parsed = None
        message = "There is no PRESS before this ENDPRESS."
        hint = "Begin the message with a line like: PRESS TO blue"
        line, place = part.source.number, part.column(0)
        code = "orders/endpress-without-press"
        self._reject(OrderProblem(line, place, code, message, hint), [part.raw])


def _has_orders(bare: str) -> bool:
    """Whether a line, without the spaces around it, is more than a comment."""
    first = bare.lstrip("; \t") if bare[0] == ";" else bare
    return bool(first) and not first.startswith(("//", "#"))


def _place(part: Part) -> tuple[int, int]:
    return part.source.number, part.column(0)


def _ends_press(line: str) -> bool:
    return 0 < len(line) < len(ENDPRESS) + 40 and line.strip().casefold() == ENDPRESS


def _verb_alone(resolver: NameResolver, part: Part) -> Clause:
    word = Word(part.verb, part.column(0))
    return Clause(resolver, part.source.number, (word,), part.column(len(part.verb)))
