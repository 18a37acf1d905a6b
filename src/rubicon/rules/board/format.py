"""The format of board files: what they hold, and what must be written where."""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from rubicon.engine.records import NONE, TERRITORIES, Design, MissionKind, ObjectiveKind
from rubicon.errors import RubiconError
from rubicon.wording import one_of, quoted

# The parts of a board, and the error that lists what is wrong with a board file.

COLOURS = ("red", "blue", "green", "yellow", "grey", "black")
OPTIONS = ("map.east_africa_middle_east",)  # the options that may switch a border off

MOST_SHOWN = 100  # problems in one message; `BoardError.problems` has all of them

Border: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Territory:
    """A territory; `neighbours` are the territories that it can attack if every option is on."""

    id: str
    name: str
    names: tuple[tuple[str, str], ...]  # (language, name), for languages besides English
    aliases: tuple[str, ...]
    continent: int
    neighbours: tuple[int, ...]
    designs: tuple[tuple[str, Design], ...]  # (design table, design); "" is every table
    stars: int

    def design(self, table: str) -> Design | None:
        """The design of its card in a design table; None if the board has no such table."""
        designs = dict(self.designs)
        return designs.get(table, designs.get(""))


@dataclass(frozen=True, slots=True)
class Continent:
    """A continent; `bonus` is the armies a turn for the owner of all of it (S001-36)."""

    id: str
    name: str
    names: tuple[tuple[str, str], ...]  # (language, name), for languages besides English
    aliases: tuple[str, ...]
    bonus: int
    territories: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OptionalBorder:
    """A border that exists only while an option is true (rulebook 1.1)."""

    option: str
    between: Border


@dataclass(frozen=True, slots=True)
class Mission:
    """A secret mission (rulebook 4.2); only the kind DESTROY has a `colour`."""

    id: str
    text: str
    kind: MissionKind
    continents: tuple[int, ...] = ()
    third: bool = False
    count: int = 0
    minimum: int = 0
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Objective:
    """An objective of the revised game (rulebook 5.1); `continent` is NONE where it names none."""

    id: str
    text: str
    kind: ObjectiveKind
    major: bool
    count: int = 0
    continent: int = NONE


@dataclass(frozen=True, slots=True)
class BoardParts:
    """The contents of a board file. Indices follow the order of the file."""

    id: str
    name: str
    names: tuple[tuple[str, str], ...]  # (language, name)
    title: str
    version: int
    source: str
    credit: str
    cities: int
    mission_fallback: int
    continents: tuple[Continent, ...]
    territories: tuple[Territory, ...]
    borders: tuple[Border, ...]  # (lower, higher), ascending, optional ones included
    one_way: tuple[Border, ...]  # (from, to)
    optional_borders: tuple[OptionalBorder, ...]
    missions: tuple[Mission, ...]
    objectives: tuple[Objective, ...]
    geometry_file: str
    path: Path | None = field(default=None, compare=False)


class BoardProblem(NamedTuple):
    """One thing that is wrong with a board file; lines count from 1."""

    line: int
    code: str
    message: str


class BoardError(RubiconError):
    """A board file with errors; `problems` lists all of them by line."""

    def __init__(self, source: str, problems: tuple[BoardProblem, ...]) -> None:
        self.source = source
        self.problems = problems
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        shown = [f"\n  line {line}: {text} [{code}]" for line, code, text in problems[:MOST_SHOWN]]
        rest = len(problems) - len(shown)
        found = "".join(shown) + (f"\n  and {rest} more" if rest else "")
        super().__init__("board/invalid", f"{source}: {count} found in this board.{found}")


# Finding a territory or a continent by the name that a person types.

_APOSTROPHE = re.compile(r"['\u2019]")
_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> tuple[str, ...]:
    """The words of a name, without case, accents, apostrophes and separators."""
    bare = _APOSTROPHE.sub("", text)
    # Decomposed letters lose their accents: `Côte` and `Cote` are one name.
    if not bare.isascii():
        letters = unicodedata.normalize("NFKD", bare)
        bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return tuple(_WORD.findall(bare.casefold()))


def compact(text: str) -> str:
    """The words run together: two names with equal compact forms are the same name."""
    return "".join(words(text))


class BoardNames:
    """All spellings of a list of things; each thing is its index.

    `translated` has their names in other languages. A text is looked for among them only where no
    spelling fits it, so that a translation makes no abbreviation ambiguous.
    """

    __slots__ = ("_exact", "_spellings", "_translated")

    def __init__(
        self, spellings: Iterable[Iterable[str]], translated: Iterable[Iterable[str]] = ()
    ) -> None:
        others = list(translated)
        self._translated = BoardNames(others) if others else None
        named = [
            (words(text), index, text) for index, texts in enumerate(spellings) for text in texts
        ]
        self._spellings = [("".join(parts), parts, index, text) for parts, index, text in named]
        self._exact = {joined: index for joined, _, index, _ in self._spellings}

    def find(self, text: str) -> dict[int, str]:
        """The things that a text may mean: the one with exactly this name, else all that begin so.

        `text` may shorten a name as a whole (`kam`) or word by word (`e aus`). The values are the
        spellings that matched.
        """
        typed = words(text)
        if not typed:
            return {}
        run = "".join(typed)
        if (exact := self._exact.get(run)) is not None:
            return {exact: text}
        met = [
            (at, name)
            for joined, parts, at, name in self._spellings
            if joined.startswith(run) or (len(typed) > 1 and _begins(parts, typed))
        ]
        if not met and self._translated is not None:
            return self._translated.find(text)
        # Of several spellings of one thing the first in the file is shown.
        return dict(reversed(met))

    def nearest(self, text: str, most: int = 3) -> tuple[int, ...]:
        """The things with the most similar spelling, the most similar first; may be empty."""
        close = get_close_matches(compact(text)[:100], list(self._exact), 2 * most, 0.6)
        return tuple(dict.fromkeys(self._exact[name] for name in close))[:most]


def _begins(name: tuple[str, ...], typed: tuple[str, ...]) -> bool:
    """Whether each word begins the word of a name in the same place."""
    pairs = zip(name, typed, strict=False)
    return len(typed) <= len(name) and all(whole.startswith(part) for whole, part in pairs)


# The line numbers of tables, keys and words in a TOML text, which `tomllib` does not give.

_TOKEN = re.compile(
    r"""
      \#[^\n]*
    | \"{3} (?: \\. | [^\\] )*? \"{3,5}
    | '{3} .*? '{3,5}
    | " (?: \\. | [^"\\\n] )* "
    | ' [^'\n]* '
    | [\[\]{}=,\n]
    | [^\s\[\]{}=,\#"']+
    """,
    re.VERBOSE | re.DOTALL,
)

Place: TypeAlias = tuple[str | int, ...]


class Token(NamedTuple):
    """A word, a string, a bracket, a comma, an equals sign or the end of a line."""

    text: str
    line: int


class LineNumbers:
    """The lines of each `[[section]]`, of its keys and of the words in their values.

    The text is not validated; for a place that is not found, `line` gives the nearest one.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[Place, int] = {}
        self._seen: Counter[str] = Counter()
        self._section: Place = ()
        for statement in _statements(text):
            if statement[0].text == "[":
                self._header(statement)
            else:
                self._pair(statement)

    def line(self, section: str, number: int = 0, *within: str) -> int:
        """The line of a section, a key or a word, as precise as it is known; 1 if nothing is."""
        places: list[Place] = [(section, number, *within[:end]) for end in range(len(within) + 1)]
        for place in (*reversed(places), (section,)):
            if place in self._lines:
                return self._lines[place]
        return 1

    def _header(self, statement: list[Token]) -> None:
        name, *inner = _path(token for token in statement if token.text not in "[]")
        if not inner:
            self._section = (name, self._seen[name])
            self._seen[name] += 1
        else:
            self._section = (name, max(0, self._seen[name] - 1), *inner)
        self._note(statement[0].line, *self._section)
        self._note(statement[0].line, name)

    def _pair(self, statement: list[Token]) -> None:
        cut = next((at for at, token in enumerate(statement) if token.text == "="), 0)
        place = (*self._section, *_path(statement[:cut]))
        for end in range(max(1, len(self._section)), len(place) + 1):
            self._note(statement[0].line, *place[:end])
        for token in statement[cut:]:
            self._note(token.line, *place[:3], _bare(token.text))

    def _note(self, line: int, *place: str | int) -> None:
        self._lines.setdefault(place, line)


def _statements(text: str) -> Iterator[list[Token]]:
    """The statements: headers, and keys with values, which may span several lines."""
    statement: list[Token] = []
    depth = 0
    for token in _tokens(text):
        if token.text != "\n":
            depth += (token.text in "[{") - (token.text in "]}")
            statement.append(token)
        elif depth <= 0 and statement:
            yield statement
            statement, depth = [], 0
    if statement:
        yield statement


def _tokens(text: str) -> Iterator[Token]:
    line, counted = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        if match[0][0] != "#":
            yield Token(match[0], line)


def _path(tokens: Iterator[Token] | list[Token]) -> tuple[str, ...]:
    return tuple("".join(_bare(token.text) for token in tokens).split("."))


def _bare(text: str) -> str:
    return text.strip("\"'")


# The fields of a board file: their names, types and values, and how they are read.

FORMAT = 1
MOST_BONUS = 999
MOST_STARS = 2  # S001-09: one or two stars on a card

_ID = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_LANGUAGE = re.compile(r"[a-z]{2}")
_FILE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}")


class FieldType(NamedTuple):
    """The type and values of a field; `expected` describes both for messages."""

    expected: str
    typed: Callable[[object], bool]
    fits: Callable[[Any], object]


class Field(NamedTuple):
    """A field of a table in the file."""

    kind: FieldType
    required: bool = True


def _text(value: object) -> bool:
    return isinstance(value, str)


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _design(value: object) -> bool:
    return _text(value) or (isinstance(value, dict) and all(map(_text, value.values())))


def _texts_by_language(value: object) -> bool:
    return isinstance(value, dict) and all(map(_text, value.values()))


def _names_by_language(value: dict[str, str]) -> bool:
    return all(map(_LANGUAGE.fullmatch, value)) and all(map(_name, value.values()))


def _line(value: str) -> bool:
    return 0 < len(value) <= 300 and value.isprintable()


def _name(value: str) -> bool:
    return _line(value) and len(value) <= 60 and words(value) != ()


def _few_names(value: list[str]) -> bool:
    return len(value) <= 12 and all(map(_name, value))


def _any(_: object) -> bool:
    return True


def _number(low: int, high: int) -> FieldType:
    expected = f"a whole number from {low} to {high}"
    return FieldType(expected, lambda value: type(value) is int, lambda value: low <= value <= high)


def _choice(choices: list[str]) -> FieldType:
    return FieldType(one_of(choices), _text, lambda value: value in choices)


def _kinds(kinds: type[MissionKind] | type[ObjectiveKind]) -> FieldType:
    return _choice([kind.name.lower() for kind in kinds])


ID = FieldType(
    "an id of letters, digits and underscores that begins with a letter", _text, _ID.fullmatch
)
NAME = FieldType("a name of 1 to 60 characters", _text, _name)
LINE = FieldType("a text of 1 to 300 characters in one line", _text, _line)
NAMES = FieldType("a list of up to 12 names", _texts, _few_names)
LANGUAGES = FieldType(
    'a table of names by language, such as { de = "Island" }',
    _texts_by_language,
    _names_by_language,
)
IDS = FieldType("a list of ids", _texts, _any)
PAIR = FieldType("a list of two ids", _texts, lambda value: len(value) == 2)
FLAG = FieldType("true or false", lambda value: type(value) is bool, _any)
DESIGNS = FieldType("a design, or a table of designs", _design, bool)
FILE = FieldType("the name of a file in the board's folder", _text, _FILE.fullmatch)
COUNT = _number(1, TERRITORIES)
DESIGN_NAMES = [design.name.lower() for design in Design if design is not Design.WILD]

FIELDS: dict[str, dict[str, Field]] = {
    "board": {
        "id": Field(ID),
        "name": Field(NAME),
        "names": Field(LANGUAGES, required=False),
        "title": Field(LINE, required=False),
        "version": Field(_number(1, 9999)),
        "source": Field(LINE, required=False),
        "credit": Field(LINE, required=False),
        "cities": Field(_number(0, TERRITORIES), required=False),
        "mission_fallback": Field(COUNT, required=False),
        "geometry": Field(FILE, required=False),
    },
    "continent": {
        "id": Field(ID),
        "name": Field(NAME),
        "names": Field(LANGUAGES, required=False),
        "aliases": Field(NAMES, required=False),
        "bonus": Field(_number(0, MOST_BONUS)),
    },
    "territory": {
        "id": Field(ID),
        "name": Field(NAME),
        "names": Field(LANGUAGES, required=False),
        "aliases": Field(NAMES, required=False),
        "continent": Field(ID),
        "neighbours": Field(IDS, required=False),
        "one_way": Field(IDS, required=False),
        "designs": Field(DESIGNS, required=False),
        "stars": Field(_number(1, MOST_STARS), required=False),
    },
    "optional_border": {
        "option": Field(_choice(list(OPTIONS))),
        "between": Field(PAIR),
    },
    "mission": {
        "id": Field(ID),
        "text": Field(LINE),
        "kind": Field(_kinds(MissionKind)),
        "continents": Field(IDS, required=False),
        "third": Field(FLAG, required=False),
        "count": Field(COUNT, required=False),
        "minimum": Field(_number(1, MOST_BONUS), required=False),
        "colour": Field(_choice(list(COLOURS)), required=False),
    },
    "objective": {
        "id": Field(ID),
        "text": Field(LINE),
        "class": Field(_choice(["minor", "major"])),
        "kind": Field(_kinds(ObjectiveKind)),
        "count": Field(COUNT, required=False),
        "continent": Field(ID, required=False),
    },
}


class TomlTable(NamedTuple):
    """One table of the file, with its fields that have a valid value."""

    section: str
    number: int
    values: dict[str, Any]
    given: frozenset[str] = frozenset()  # names of all fields, valid or not

    @property
    def label(self) -> str:
        """The table's name in messages: `territory alaska`, or its number if it has no id."""
        if "id" in self.values:
            return f"{self.section} {self.values['id']}"
        return self.section if self.section == "board" else f"{self.section} {self.number + 1}"


@dataclass(slots=True)
class BoardDraft:
    """A board file that is being read, with the problems found so far."""

    lines: LineNumbers = field(default_factory=lambda: LineNumbers(""))
    problems: list[BoardProblem] = field(default_factory=list)
    entries: dict[str, list[TomlTable]] = field(default_factory=dict)

    def report(self, entry: TomlTable, code: str, message: str, *within: str) -> None:
        """Add a problem of a table, at the line of a key or of a word in its value."""
        line = self.lines.line(entry.section, entry.number, *within)
        self.problems.append(BoardProblem(line, f"board/{code}", f"{entry.label}: {message}"))

    def ids(self, section: str) -> dict[str, int]:
        """The index of every id of a section; the first index if an id is given twice."""
        found: dict[str, int] = {}
        for index, entry in enumerate(self.entries[section]):
            found.setdefault(entry.values.get("id", ""), index)
        found.pop("", None)
        return found


def read_fields(text: str) -> BoardDraft:
    """The tables of a board file, and every field whose value is wrong on its own."""
    draft = BoardDraft()
    document = _document(text, draft.problems)
    if document is not None:
        draft.lines = LineNumbers(text)
        _check_sections(document, draft)
        for section in FIELDS:
            tables = _tables(document, section, draft)
            draft.entries[section] = [
                _entry(section, number, table, draft) for number, table in enumerate(tables)
            ]
    return draft


def _document(text: str, problems: list[BoardProblem]) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except RecursionError:
        problems.append(BoardProblem(1, "board/syntax", "The text is nested too deeply."))
    except ValueError as error:
        found = re.search(r" \(at line (\d+), .*\)$", str(error))
        reason = str(error).partition(";")[0]  # the rest of the message is for programmers
        line = int(found[1]) if found else text.rstrip().count("\n") + 1
        problems.append(BoardProblem(line, "board/syntax", f"This is not TOML: {reason}."))
    return None


def _check_sections(document: Mapping[str, Any], draft: BoardDraft) -> None:
    for key in document.keys() - FIELDS.keys() - {"format"}:
        _unknown_key(draft, TomlTable(key, 0, {}), "the board", key, [*FIELDS, "format"])
    given = document.get("format")
    if given != FORMAT or type(given) is not int:
        message = f"The first line must be: format = {FORMAT}."
        if given is not None:
            message = f"The format of a board is {FORMAT}, not {quoted(given)}."
        draft.problems.append(BoardProblem(draft.lines.line("format"), "board/format", message))


def _unknown_key(draft: BoardDraft, at: TomlTable, where: str, key: str, known: list[str]) -> None:
    message = f"{where} has no field {quoted(key)}.{_did_you_mean(key, known)}"
    line = draft.lines.line(at.section, at.number, key)
    draft.problems.append(BoardProblem(line, "board/unknown-key", message))


def _did_you_mean(given: str, known: list[str]) -> str:
    close = get_close_matches(given.lower()[:60], known, 1)
    return f" Did you mean {close[0]}?" if close else ""


def _tables(document: Mapping[str, Any], section: str, draft: BoardDraft) -> list[dict[str, Any]]:
    """The tables of a section; an empty list where there are none or another value."""
    given = document.get(section, [])
    if section == "board":
        given = [document.get(section, {})]
    if isinstance(given, list) and all(isinstance(table, dict) for table in given):
        return given
    shape = "[board]" if section == "board" else f"[[{section}]]"
    message = f"{section} must be written as {shape} tables, not {quoted(given)}."
    draft.problems.append(BoardProblem(draft.lines.line(section), "board/wrong-type", message))
    return []


def _entry(section: str, number: int, table: dict[str, Any], draft: BoardDraft) -> TomlTable:
    known = FIELDS[section]
    # The id is needed first, for the messages about the other fields.
    named = {"id": table["id"]} if isinstance(table.get("id"), str) else {}
    entry = TomlTable(section, number, named, frozenset(table))
    for key in table.keys() - known.keys():
        _unknown_key(draft, entry, entry.label, key, list(known))
    for key, (kind, required) in known.items():
        if key in table:
            _keep(entry, key, kind, table[key], draft)
        elif required:
            draft.report(entry, "missing-field", f"the field {key} is missing.")
    return entry


def _keep(entry: TomlTable, key: str, kind: FieldType, value: Any, draft: BoardDraft) -> None:
    if kind.typed(value) and kind.fits(value):
        entry.values[key] = value
        return
    code = "bad-value" if kind.typed(value) else "wrong-type"
    draft.report(entry, code, f"{key} must be {kind.expected}, not {quoted(value)}.", key)
    # The checks across fields look only at valid values; of a list of ids the valid ones stay.
    entry.values.pop(key, None)
    if kind is IDS and isinstance(value, list):
        entry.values[key] = [item for item in value if isinstance(item, str)]
