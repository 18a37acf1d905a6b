"""`rubicon cases`: run rule cases."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rubicon.wording import numbered

if TYPE_CHECKING:
    from rubicon.casebook.parser import Case, CaseError
    from rubicon.casebook.run import CaseFailure

FAILED = 1
UNREADABLE = 2
UNCOMPILED = "NUMBA_DISABLE_JIT"
PACKAGE = Path(__file__).resolve().parents[1]
AGAIN = (
    "import sys; sys.path.insert(0, sys.argv.pop(1));"
    "from rubicon.cli.main import main; sys.exit(main())"
)


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--verbose", "-v", is_flag=True, help="List every case, not only those that fail.")
@click.option(
    "--uncompiled", is_flag=True, help="Run the rules in plain Python, without compiling them."
)
def command(paths: tuple[Path, ...], verbose: bool, uncompiled: bool) -> int:
    """Run the cases in files or folders of *.case files.

    The last line is `N passed, N failed`. The exit status is 1 if a case fails, and 2 if a file
    cannot be read.
    """
    if uncompiled and os.environ.get(UNCOMPILED, "0") in ("", "0"):
        return _again_uncompiled(paths, verbose)
    return _run(paths, verbose)


def _again_uncompiled(paths: tuple[Path, ...], verbose: bool) -> int:
    """Run the cases in its own process, with NUMBA_DISABLE_JIT=1."""
    arguments = [str(path) for path in paths] + ["--verbose"] * verbose
    # With -P nothing is imported from the current folder, which may be anyone's.
    program = [sys.executable, "-P", "-c", AGAIN, str(PACKAGE.parent), "cases", *arguments]
    return subprocess.run(program, env={**os.environ, UNCOMPILED: "1"}, check=False).returncode


def _run(paths: tuple[Path, ...], verbose: bool) -> int:
    from rubicon.casebook.run import CaseBook

    book = CaseBook.load(paths)
    if book.errors:
        return _explain(book.errors)
    if not book.cases:
        click.echo("No cases found. A folder of cases has files that end in .case.", err=True)
        return UNREADABLE
    failed = 0
    for case, failures in book.run():
        failed += bool(failures)
        _report(case, failures, verbose)
    click.echo(f"{len(book.cases) - failed} passed, {failed} failed")
    return FAILED if failed else 0


def _explain(errors: list[CaseError]) -> int:
    for error in errors:
        click.echo(f"{error} [{error.code}]", err=True)
    files = sum(not error.line.number for error in errors)
    found = [
        f"{numbered(number, what)} cannot be {done}"
        for number, what, done in (
            (files, "file", "read"),
            (len(errors) - files, "line", "understood"),
        )
        if number
    ]
    click.echo(f"{', '.join(found)}; nothing was run.", err=True)
    return UNREADABLE


def _report(case: Case, failures: list[CaseFailure], verbose: bool) -> None:
    for failure in failures:
        click.echo(f"{failure}\n")
    if verbose and not failures:
        click.echo(f"passed {case.name} {case.title}")
