"""The case book: cases of the rules in text, run against the engine.

`docs/cases.md` describes the notation.

    >>> book = CaseBook.parse("case")
    >>> print(book.errors[0])
    case:1: 'case': A case begins with `case`, its id and its title.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from rubicon.casebook.parser import Case, CaseError, CaseLine, case_error, read_cases
from rubicon.casebook.run import CaseFailure, PreparedCase, prepare, run
from rubicon.files import file_fault, read_bounded

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
