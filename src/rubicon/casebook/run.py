"""Runs cases and reports those that fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Self

from rubicon.casebook.actions import CaseContext, StepFailed
from rubicon.casebook.parser import Case, CaseError, CaseLine, case_error, read_cases
from rubicon.casebook.position import PositionWriter, first_position
from rubicon.casebook.steps import CaseState, CaseStep, read_step
from rubicon.casebook.view import show_position
from rubicon.errors import RubiconError
from rubicon.files import file_fault, read_bounded
from rubicon.rules.board.board import COLOURS
from rubicon.rules.game import Game
from rubicon.rules.ruleset.file import DEFAULT_PRESET
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from rubicon.wording import nearest

# Running a case: under each of its presets, step by step, until a step fails.


@dataclass(frozen=True, slots=True)
class PreparedCase:
    """A case under one preset, understood and ready to run."""

    case: Case
    preset: str
    context: CaseContext
    game: Game | None
    steps: tuple[CaseStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFailure:
    """A step that failed: what it expected, what was found, and the position before it."""

    case: Case
    preset: str
    line: CaseLine
    expected: str
    found: str
    position: tuple[str, ...]

    def __str__(self) -> str:
        case = self.case
        lines = [
            f"FAILED {case.name} under {self.preset}: {case.title}",
            f"  {case.source}:{self.line.number}: {self.line.text}",
            f"  expected: {self.expected}",
            f"  found:    {self.found}",
        ]
        if self.position:
            lines.append("  position before this step:")
        return "\n".join([*lines, *(f"    {line}" for line in self.position)])


def prepare(case: Case) -> tuple[list[PreparedCase], list[CaseError]]:
    """A case under each of its presets, and everything that is wrong with it, each error once.

    A case that is not sound is only checked: none is prepared.
    """
    ready: list[PreparedCase] = []
    errors: dict[tuple[int, str], CaseError] = {}
    presets = tuple(_presets(case, errors))
    if not presets and (errors or not case.sound):
        _add_new(errors, _errors_apart(case, DEFAULT_PRESET))
    for preset in presets:
        prepared, wrong = _prepare(case, preset)
        if prepared is not None and case.sound:
            ready.append(prepared)
        _add_new(errors, wrong)
    if case.sound and not ready and not errors:
        error = case_error("no-preset", "No preset admits this number of seats.")
        errors[0, ""] = CaseError(case.source, case.line, error)
    return ready, list(errors.values())


def _add_new(errors: dict[tuple[int, str], CaseError], wrong: list[CaseError]) -> None:
    for error in wrong:
        errors.setdefault((error.line.number, error.message), error)


def _presets(case: Case, errors: dict[tuple[int, str], CaseError]) -> Iterator[str]:
    known = preset_names()
    named = () if case.for_all else case.presets
    for name in (*named, *case.without):
        if name not in known:
            _unknown_preset(case, name, errors)
    chosen = known if case.for_all else named
    yield from (name for name in chosen if name in known and name not in case.without)


def _unknown_preset(case: Case, name: str, errors: dict[tuple[int, str], CaseError]) -> None:
    text = f"There is no preset {name!r}; expected one of {', '.join(preset_names())}."
    error = case_error("unknown-preset", text, nearest(name, preset_names()))
    line = case.preset_line or case.line
    errors[line.number, name] = CaseError(case.source, line, error)


def _prepare(case: Case, preset: str) -> tuple[PreparedCase | None, list[CaseError]]:
    """The case under a preset; None without errors where its number of seats does not fit."""
    try:
        options = tuple((name, value) for _, name, value in case.options)
        ruleset = _ruleset(preset, case.board, options)
    except RubiconError as error:
        error = CaseError(case.source, _option_line(case, error), error)
        return None, [error, *_errors_apart(case, preset)]
    # `presets all` means those that admit the number of seats; a named preset must admit it.
    least, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
    seats = case.seats or COLOURS[: _seats_of(case) or (least if case.sound else most)]
    if not least <= len(seats) <= most:
        if case.for_all:
            return None, []
        text = f"{preset} is for {least} to {most} players, not for {len(seats)}."
        return None, [CaseError(case.source, case.line, case_error("seats", text))]
    return _understand(case, preset, CaseContext(ruleset, tuple(seats)))


def _errors_apart(case: Case, preset: str) -> list[CaseError]:
    """The other errors of a case with a wrong preset or option, to be reported with that one."""
    ruleset = _ruleset(preset, "", ())
    seats = case.seats or COLOURS[: max(_seats_of(case), int(ruleset.rules.players_min))]
    if not ruleset.rules.players_min <= len(seats) <= ruleset.rules.players_max:
        return []
    return _understand(case, preset, CaseContext(ruleset, tuple(seats)))[1]


@cache
def _ruleset(preset: str, board: str, options: tuple[tuple[str, str], ...]) -> Ruleset:
    return Ruleset.load(preset, dict(options), board=board or None)


def _option_line(case: Case, error: RubiconError) -> CaseLine:
    """The line of the option that an error speaks of."""
    # A ruleset knows nothing of lines, but its error names the option.
    for line, name, _ in case.options:
        if name in error.message:
            return line
    return case.options[0][0] if case.options else case.line


def _seats_of(case: Case) -> int:
    """The number of players with which the case starts a game, if it says so."""
    for step in case.steps:
        if step.keyword == "start" and len(step.words) > 1 and step.words[1].isdecimal():
            return int(step.words[1])
    return 0


def _understand(
    case: Case, preset: str, context: CaseContext
) -> tuple[PreparedCase | None, list[CaseError]]:
    errors = [
        CaseError(
            case.source,
            case.line,
            case_error("seats", f"There is no colour {colour!r}; colours: {', '.join(COLOURS)}."),
        )
        for colour in context.seats
        if colour not in COLOURS
    ]
    if errors:
        return None, errors
    game, errors = _opening_position(case, context)
    steps: list[CaseStep] = []
    for line in case.steps:
        try:
            steps.append(read_step(context, line))
        except RubiconError as error:
            errors.append(CaseError(case.source, line, error))
    if errors:
        return None, errors
    return PreparedCase(case, preset, context, game, tuple(steps)), []


def _opening_position(case: Case, context: CaseContext) -> tuple[Game | None, list[CaseError]]:
    if not case.position:
        return None, []
    try:
        # A position does not check its seats: a new game refuses those that the ruleset has not.
        Game.new(context.ruleset, colours=context.seats)
    except RubiconError as error:
        return None, [CaseError(case.source, case.line, error)]
    writer = PositionWriter(context, first_position(context), case.source)
    writer.write(case.position)
    if not writer.errors and case.sound:
        writer.finish(case.line)
    if writer.errors:
        return None, writer.errors
    return Game.from_position(context.ruleset, writer.position), []


def run(prepared: PreparedCase) -> CaseFailure | None:
    """Run a case under one preset; None where all is as it says."""
    state = CaseState(prepared.context, prepared.game.copy() if prepared.game else None)
    for step in prepared.steps:
        # The failure report shows the position before the step, so a copy is made.
        before = state.game.copy() if state.game else None
        failed = _attempt(state, step)
        if failed is not None:
            shown = show_position(prepared.context, before.position) if before else []
            return CaseFailure(
                case=prepared.case,
                preset=prepared.preset,
                line=step.line,
                expected=failed.expected,
                found=failed.found,
                position=tuple(shown),
            )
    return None


def _refusal_text(error: RubiconError) -> str:
    return f"{error.code}: {error.message} {error.suggestion}".strip()


def _attempt(state: CaseState, step: CaseStep) -> StepFailed | None:
    try:
        step.run(state)
    except StepFailed as failed:
        return failed
    except RubiconError as error:
        return StepFailed("this to be possible", _refusal_text(error))
    except Exception as error:  # an engine bug fails its case; the other cases still run
        return StepFailed(
            "this to be possible", f"an error inside the engine: {type(error).__name__}: {error}"
        )
    return None


# The case book: cases as text, run against the engine. `docs/cases.md` describes the notation.

SUFFIX = ".case"
_LARGEST_FILE = 4_000_000


@dataclass(slots=True)
class CaseBook:
    """The cases of some files, ready to run, and every line that cannot be understood."""

    cases: list[Case] = field(default_factory=list)
    errors: list[CaseError] = field(default_factory=list)
    prepared: dict[str, list[PreparedCase]] = field(default_factory=dict)

    @classmethod
    def load(cls, paths: Iterable[str | Path]) -> Self:
        """All cases of these files, and of all `*.case` files in these folders."""
        book = cls()
        for path in paths:
            for file in case_files(Path(path)):
                book._add_file(file)
        return book

    @classmethod
    def parse(cls, text: str, source: str = "case") -> Self:
        """The cases in a text."""
        book = cls()
        book._add(text, source)
        return book

    def _add_file(self, path: Path) -> None:
        try:
            text = _plain(read_bounded(path, _LARGEST_FILE).decode("utf-8"))
        except (OSError, ValueError) as error:
            unreadable = case_error("unreadable", f"This file cannot be read: {file_fault(error)}.")
            self.errors.append(CaseError(str(path), CaseLine(0, path.name), unreadable))
        else:
            self._add(text, str(path))

    def _add(self, text: str, source: str) -> None:
        cases, errors = read_cases(text, source)
        for case in cases:
            errors += self._add_case(case)
        self.errors += sorted(errors, key=lambda error: error.line.number)

    def _add_case(self, case: Case) -> list[CaseError]:
        """Add a case if it is sound; what is wrong with it."""
        if case.sound and case.name in self.prepared:
            known = next(known for known in self.cases if known.name == case.name)
            text = f"There is a case {case.name} in {known.source}:{known.line.number} already."
            error = case_error("twice", text, "Give it another id.")
            return [CaseError(case.source, case.line, error)]
        prepared, errors = prepare(case)
        if case.sound:
            self.cases.append(case)
            self.prepared[case.name] = prepared
        return errors

    def run(self) -> Iterator[tuple[Case, list[CaseFailure]]]:
        """Run every case under each of its presets."""
        for case in self.cases:
            found = (run(prepared) for prepared in self.prepared[case.name])
            yield case, [failure for failure in found if failure is not None]


def _plain(text: str) -> str:
    """The text with `\\n` at the end of every line."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def case_files(path: Path) -> list[Path]:
    """The file itself, or all `*.case` files in the folder and the folders below it."""
    return sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
