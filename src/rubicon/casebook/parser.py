"""Reading case files: lines become cases; what the lines mean is judged later.

The notation is described in `docs/cases.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rubicon.errors import RubiconError
from rubicon.wording import nearest

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
class CaseLine:
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


class CaseError(RubiconError):
    """A line of a case file that cannot be understood, with its file and number."""

    def __init__(self, source: str, line: CaseLine, error: RubiconError) -> None:
        self.source = source
        self.line = line
        quote = line.text[:_LONGEST_QUOTE]
        where = f"{source}:{line.number}: {quote!r}" if line.number else source
        super().__init__(error.code, f"{where}: {error.message}", error.suggestion)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A position, what is done, and what must follow; as written.

    A case with a line that cannot be read is not `sound`: it is looked through for further errors
    and never run.
    """

    source: str
    line: CaseLine
    name: str
    title: str
    rules: tuple[str, ...] = ()
    presets: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    preset_line: CaseLine | None = None
    board: str = ""
    options: tuple[tuple[CaseLine, str, str], ...] = ()
    seats: tuple[str, ...] = ()
    position: tuple[CaseLine, ...] = ()
    steps: tuple[CaseLine, ...] = ()
    sound: bool = True

    @property
    def for_all(self) -> bool:
        """Whether the case runs under every preset that admits its number of seats."""
        return self.presets == (ALL,)


def case_error(code: str, message: str, suggestion: str = "") -> RubiconError:
    """An error of the case notation; `code` without its group."""
    return RubiconError(f"case/{code}", message, suggestion)


def name_list(text: str) -> tuple[str, ...]:
    """The names in a list: separated by commas where there are any, else by spaces."""
    if "," in text:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return tuple(text.split())


@dataclass(slots=True)
class _CaseDraft:
    """A case whose lines are being read."""

    line: CaseLine
    name: str
    title: str
    rules: list[str] = field(default_factory=list)
    presets: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    preset_line: CaseLine | None = None
    board: str = ""
    options: list[tuple[CaseLine, str, str]] = field(default_factory=list)
    seats: list[str] = field(default_factory=list)
    position: list[CaseLine] = field(default_factory=list)
    steps: list[CaseLine] = field(default_factory=list)

    sound: bool = True

    def finished(self, source: str) -> Case:
        return Case(
            source=source,
            line=self.line,
            name=self.name,
            title=self.title,
            rules=tuple(self.rules),
            presets=tuple(self.presets),
            without=tuple(self.without),
            preset_line=self.preset_line,
            board=self.board,
            options=tuple(self.options),
            seats=tuple(self.seats),
            position=tuple(self.position),
            steps=tuple(self.steps),
            sound=self.sound,
        )


def _lines(text: str) -> list[CaseLine]:
    """The lines without comments, margins and blank lines."""
    # A comment may follow any line; no word of the format contains a `#`.
    bare = (line.partition("#")[0].strip() for line in text.split("\n"))
    return [CaseLine(number, " ".join(line.split())) for number, line in enumerate(bare, 1) if line]


def _begin(line: CaseLine) -> _CaseDraft:
    name, _, title = line.rest.partition(" ")
    if not _CASE_ID.fullmatch(name):
        raise case_error("no-name", "A case begins with `case`, its id and its title.")
    return _CaseDraft(line, name, title.strip())


def _rules(draft: _CaseDraft, line: CaseLine) -> None:
    if not line.rest:
        raise case_error("no-rules", "Expected `rules ID ...`: the rules that the case shows.")
    draft.rules += name_list(line.rest)


def _preset(draft: _CaseDraft, line: CaseLine) -> None:
    names = list(name_list(line.rest))
    if EXCEPT in names:
        split = names.index(EXCEPT)
        names, draft.without = names[:split], names[split + 1 :]
    if not names or (ALL in names and len(names) > 1) or (draft.without and names != [ALL]):
        raise case_error(
            "preset", "Expected `preset NAME ...`, `presets all` or `presets all except NAME ...`."
        )
    if draft.presets:
        raise case_error("twice", "The case has a line `preset` already.")
    draft.presets, draft.preset_line = names, line


def _board(draft: _CaseDraft, line: CaseLine) -> None:
    if draft.board or not line.rest:
        raise case_error("board", "Expected one line `board NAME`.")
    draft.board = line.rest


def _option(draft: _CaseDraft, line: CaseLine) -> None:
    name, _, value = line.rest.replace("=", " ").partition(" ")
    if not name or not value.strip():
        raise case_error("option", "Expected `option NAME VALUE`.")
    draft.options.append((line, name, value.strip()))


def _seats(draft: _CaseDraft, line: CaseLine) -> None:
    if draft.seats:
        raise case_error("twice", "The case has a line `seats` already.")
    seats = [name.lower() for name in name_list(line.rest)]
    if not seats or len(set(seats)) < len(seats):
        raise case_error("seats", "Expected different colours in the order of play.")
    draft.seats = seats


_HEADERS: dict[str, Callable[[_CaseDraft, CaseLine], None]] = {
    "rules": _rules,
    "preset": _preset,
    "presets": _preset,
    "board": _board,
    "option": _option,
    "seats": _seats,
}


def _take(draft: _CaseDraft, line: CaseLine) -> None:
    """Add a line to the case that is being read."""
    if line.keyword in STEP_WORDS:
        draft.steps.append(line)
    elif draft.steps:
        _misplaced(line)
    elif line.keyword in _HEADERS:
        _HEADERS[line.keyword](draft, line)
    else:
        draft.position.append(line)


def _misplaced(line: CaseLine) -> None:
    if line.keyword in HEADER_WORDS or line.keyword in POSITION_WORDS:
        raise case_error("misplaced", "This line belongs before the first step of the case.")
    raise case_error(
        "unknown-word",
        f"There is no step {line.words[0]!r}; expected one of {', '.join(STEP_WORDS)}.",
        nearest(line.words[0], STEP_WORDS),
    )


def _missing(draft: _CaseDraft) -> Iterator[RubiconError]:
    """What a case lacks as a whole."""
    if not draft.presets:
        yield case_error("no-preset", "The case names no preset.", "Add a line `preset classic`.")
    if not any(step.keyword in ("expect", "refused") for step in draft.steps):
        yield case_error(
            "no-expectation",
            "The case expects nothing, so it can never fail.",
            "Add a line `expect ...` or `refused ...`.",
        )
    starts = sum(step.keyword == "start" for step in draft.steps)
    if starts > 1 or (starts and draft.position):
        yield case_error("start", "A case has either a position or one step `start`.")


def read_cases(text: str, source: str = "case") -> tuple[list[Case], list[CaseError]]:
    """The cases of one file, and every line of it that cannot be read.

    Among the cases are those with such lines, so that their other lines can be checked too.
    """
    drafts: list[_CaseDraft] = []
    errors: list[CaseError] = []
    for line in _lines(text):
        try:
            if line.keyword == "case":
                drafts.append(_CaseDraft(line, line.rest, ""))
                drafts[-1] = _begin(line)
            elif drafts:
                _take(drafts[-1], line)
            else:
                raise case_error("no-case", "A file begins with a line `case ID TITLE`.")
        except RubiconError as error:
            # The other lines of the case are read on, so that all its errors are reported at once.
            errors.append(CaseError(source, line, error))
            if drafts:
                drafts[-1].sound = False
    errors += _whole_errors(drafts, source)
    errors.sort(key=lambda error: error.line.number)
    return [draft.finished(source) for draft in drafts if draft.name], errors


def _whole_errors(drafts: list[_CaseDraft], source: str) -> Iterator[CaseError]:
    """What is wrong with cases as a whole: a name twice, something missing."""
    names: set[str] = set()
    for draft in drafts:
        found = list(_missing(draft)) if draft.name and draft.sound else []
        if draft.name in names:
            text = f"There is a case {draft.name} in this file already."
            found.append(case_error("twice", text, "Give it another id."))
        names.add(draft.name)
        if found:
            draft.sound = False
        yield from (CaseError(source, draft.line, error) for error in found)
