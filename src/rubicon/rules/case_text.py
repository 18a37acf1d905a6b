"""Reading case files: lines become cases; what the lines mean is not judged here.

The notation is described in `docs/cases.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from rubicon.rules.errors import RubiconError
from rubicon.rules.suggestions import nearest

POSITION_WORDS = (
    "others",
    "continent",
    "hand",
    "pile",
    "discards",
    "sets",
    "cities",
    "capital",
    "headquarters",
    "objectives",
    "objective",
    "on",
    "reward",
    "airfield",
    "mission",
    "snapshot",
    "captured",
    "held",
    "standing",
    "unplaced",
    "turn",
    "phase",
    "first",
    "round",
    "resigned",
)
STEP_WORDS = ("start", "begin", "do", "refused", "chance", "until", "expect")
HEADER_WORDS = ("rules", "preset", "presets", "board", "option", "seats")
WORDS = ("case", *HEADER_WORDS, *POSITION_WORDS, *STEP_WORDS)
ALL = "all"
EXCEPT = "except"

_CASE_ID = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
_LONGEST_QUOTE = 100


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a case file, without comment and margins."""

    number: int
    text: str

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text.split())

    @property
    def keyword(self) -> str:
        return self.words[0].lower()

    @property
    def rest(self) -> str:
        """What follows the first word."""
        return self.text.partition(" ")[2].strip()


class CaseFault(RubiconError):
    """A line of a case file that cannot be understood."""

    def __init__(self, source: str, line: Line, error: RubiconError) -> None:
        self.source = source
        self.line = line
        quote = line.text[:_LONGEST_QUOTE]
        where = f"{source}:{line.number}: {quote!r}" if line.number else source
        super().__init__(error.code, f"{where}: {error.message}", error.suggestion)


@dataclass(frozen=True, slots=True)
class Case:
    """A position, what is done, and what must follow; as written."""

    source: str
    line: Line
    name: str
    title: str
    rules: tuple[str, ...] = ()
    presets: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    preset_line: Line | None = None
    board: str = ""
    options: tuple[tuple[Line, str, str], ...] = ()
    seats: tuple[str, ...] = ()
    position: tuple[Line, ...] = ()
    steps: tuple[Line, ...] = ()

    @property
    def for_all(self) -> bool:
        """Whether the case runs under every preset that admits its number of seats."""
        return self.presets == (ALL,)


def trouble(code: str, message: str, suggestion: str = "") -> RubiconError:
    """An error of the case notation."""
    return RubiconError(f"case/{code}", message, suggestion)


def among(text: str) -> tuple[str, ...]:
    """A list of names: divided at commas where there are any, else at spaces."""
    if "," in text:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return tuple(text.split())


@dataclass(slots=True)
class _Draft:
    """A case while its lines are read."""

    line: Line
    name: str
    title: str
    rules: list[str] = field(default_factory=list)
    presets: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    preset_line: Line | None = None
    board: str = ""
    options: list[tuple[Line, str, str]] = field(default_factory=list)
    seats: list[str] = field(default_factory=list)
    position: list[Line] = field(default_factory=list)
    steps: list[Line] = field(default_factory=list)

    def finished(self, source: str) -> Case:
        return Case(
            source,
            self.line,
            self.name,
            self.title,
            tuple(self.rules),
            tuple(self.presets),
            tuple(self.without),
            self.preset_line,
            self.board,
            tuple(self.options),
            tuple(self.seats),
            tuple(self.position),
            tuple(self.steps),
        )


def _lines(text: str) -> list[Line]:
    """The lines that say something."""
    bare = (line.partition("#")[0].strip() for line in text.split("\n"))
    return [Line(number, " ".join(line.split())) for number, line in enumerate(bare, 1) if line]


def _begin(line: Line) -> _Draft:
    name, _, title = line.rest.partition(" ")
    if not _CASE_ID.fullmatch(name):
        raise trouble("no-name", "A case begins with `case`, its id and its title.")
    return _Draft(line, name, title.strip())


def _rules(draft: _Draft, line: Line) -> None:
    if not line.rest:
        raise trouble("no-rules", "`rules` names the rules that the case shows.")
    draft.rules += among(line.rest)


def _preset(draft: _Draft, line: Line) -> None:
    names = list(among(line.rest))
    if EXCEPT in names:
        split = names.index(EXCEPT)
        names, draft.without = names[:split], names[split + 1 :]
    if not names or (ALL in names and len(names) > 1) or (draft.without and names != [ALL]):
        raise trouble(
            "preset", "Expected `preset NAME ...`, `presets all` or `presets all except NAME ...`."
        )
    if draft.presets:
        raise trouble("twice", "The preset is named already.")
    draft.presets, draft.preset_line = names, line


def _board(draft: _Draft, line: Line) -> None:
    if draft.board or not line.rest:
        raise trouble("board", "Expected one line `board NAME`.")
    draft.board = line.rest


def _option(draft: _Draft, line: Line) -> None:
    name, _, value = line.rest.replace("=", " ").partition(" ")
    if not name or not value.strip():
        raise trouble("option", "Expected `option NAME VALUE`.")
    draft.options.append((line, name, value.strip()))


def _seats(draft: _Draft, line: Line) -> None:
    if draft.seats:
        raise trouble("twice", "The seats are named already.")
    draft.seats += [name.lower() for name in among(line.rest)]
    if not draft.seats or len(set(draft.seats)) < len(draft.seats):
        raise trouble("seats", "Expected different colours in the order of play.")


_HEADERS: dict[str, Callable[[_Draft, Line], None]] = {
    "rules": _rules,
    "preset": _preset,
    "presets": _preset,
    "board": _board,
    "option": _option,
    "seats": _seats,
}


def _take(draft: _Draft, line: Line) -> None:
    """Add a line to the case that is being read."""
    if line.keyword in STEP_WORDS:
        draft.steps.append(line)
    elif draft.steps:
        _misplaced(line)
    elif line.keyword in _HEADERS:
        _HEADERS[line.keyword](draft, line)
    else:
        draft.position.append(line)


def _misplaced(line: Line) -> None:
    if line.keyword in HEADER_WORDS or line.keyword in POSITION_WORDS:
        raise trouble("misplaced", "The position stands before the first step of the case.")
    raise trouble(
        "unknown-word",
        f"{line.words[0]!r} begins no step; expected one of {', '.join(STEP_WORDS)}.",
        nearest(line.words[0], STEP_WORDS),
    )


def _complete(draft: _Draft) -> None:
    if not draft.presets:
        raise trouble("no-preset", "The case names no preset.", "Add a line `preset classic`.")
    if not any(step.keyword in ("expect", "refused") for step in draft.steps):
        raise trouble("no-expectation", "The case expects nothing, so it can never fail.")
    starts = sum(step.keyword == "start" for step in draft.steps)
    if starts > 1 or (starts and draft.position):
        raise trouble("start", "A case has a position, or starts one new game.")


def read_cases(text: str, source: str = "case") -> tuple[list[Case], list[CaseFault]]:
    """The cases of one file and everything in it that cannot be understood."""
    drafts: list[_Draft] = []
    faults: list[CaseFault] = []
    sound: set[int] = set()
    for line in _lines(text):
        try:
            if line.keyword == "case":
                drafts.append(_Draft(line, line.rest, ""))
                drafts[-1] = _begin(line)
                sound.add(id(drafts[-1]))
            elif drafts:
                _take(drafts[-1], line)
            else:
                raise trouble("no-case", "A file begins with a line `case ID TITLE`.")
        except RubiconError as error:
            faults.append(CaseFault(source, line, error))
            if drafts:
                sound.discard(id(drafts[-1]))
    return _finished(drafts, sound, source, faults), faults


def _finished(
    drafts: list[_Draft], sound: set[int], source: str, faults: list[CaseFault]
) -> list[Case]:
    cases: list[Case] = []
    names: set[str] = set()
    for draft in drafts:
        try:
            if draft.name in names:
                raise trouble("twice", f"There is a case {draft.name} in this file already.")
            names.add(draft.name)
            if id(draft) in sound:
                _complete(draft)
                cases.append(draft.finished(source))
        except RubiconError as error:
            faults.append(CaseFault(source, draft.line, error))
    faults.sort(key=lambda fault: fault.line.number)
    return cases
