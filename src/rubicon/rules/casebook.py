"""The case book: numbered cases of the rules, written as text and run against the engine.

`docs/cases.md` describes the notation.

    >>> book = CaseBook.parse("case")
    >>> print(book.faults[0])
    case:1: 'case': A case begins with `case`, its id and its title.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from rubicon.rules.bounded import read_bounded
from rubicon.rules.case_run import Failure, Trial, prepare, run
from rubicon.rules.case_text import Case, CaseFault, Line, read_cases, trouble

SUFFIX = ".case"
_LARGEST_FILE = 4_000_000


@dataclass(slots=True)
class CaseBook:
    """Cases that were read, and every line that could not be understood."""

    cases: list[Case] = field(default_factory=list)
    faults: list[CaseFault] = field(default_factory=list)
    trials: dict[str, list[Trial]] = field(default_factory=dict)

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
            fault = trouble("unreadable", f"This file cannot be read: {_why(error)}.")
            self.faults.append(CaseFault(str(path), Line(0, path.name), fault))
        else:
            self._add(text, str(path))

    def _add(self, text: str, source: str) -> None:
        cases, faults = read_cases(text, source)
        self.faults += faults
        for case in cases:
            self._add_case(case)

    def _add_case(self, case: Case) -> None:
        if case.name in self.trials:
            elsewhere = next(known for known in self.cases if known.name == case.name)
            where = f"{elsewhere.source}:{elsewhere.line.number}"
            error = trouble("twice", f"There is a case {case.name} in {where} already.")
            self.faults.append(CaseFault(case.source, case.line, error))
            return
        trials, faults = prepare(case)
        self.cases.append(case)
        self.trials[case.name] = trials
        self.faults += sorted(faults, key=lambda fault: fault.line.number)

    def run(self) -> Iterator[tuple[Case, list[Failure]]]:
        """Run every case under each of its presets."""
        for case in self.cases:
            found = (run(trial) for trial in self.trials[case.name])
            yield case, [failure for failure in found if failure is not None]


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return getattr(error, "strerror", None) or str(error)


def _plain(text: str) -> str:
    """A text in which every line ends as it does here."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def case_files(path: Path) -> list[Path]:
    """The case files that a path means: itself, or all in the folder and those below."""
    return sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
