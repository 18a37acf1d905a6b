"""The fields of a board file: their names, types and values, and how they are read."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple

from rubicon.engine.records.position import TERRITORIES
from rubicon.engine.records.tables import Design, MissionKind, ObjectiveKind
from rubicon.rules.board.line_numbers import LineNumbers
from rubicon.rules.board.model import COLOURS, OPTIONS, BoardProblem
from rubicon.rules.board.names import words
from rubicon.wording import one_of, quoted

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
FILE = FieldType("a plain file name beside the board", _text, _FILE.fullmatch)
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
