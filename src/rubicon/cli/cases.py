"""`rubicon cases`: run the numbered book of rule cases."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rubicon.rules.case_run import Failure
    from rubicon.rules.case_text import Case, CaseFault

FAILED = 1
UNREADABLE = 2
UNCOMPILED = "NUMBA_DISABLE_JIT"


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--verbose", "-v", is_flag=True, help="List every case, not only those that fail.")
@click.option("--uncompiled", is_flag=True, help="Run the rules without compiling them.")
def command(paths: tuple[Path, ...], verbose: bool, uncompiled: bool) -> int:
    """Run the cases in files or folders of *.case files.

    Ends with a line `N passed, N failed`; exit status 1 if a case fails, 2 if a file cannot be
    understood.
    """
    if uncompiled and os.environ.get(UNCOMPILED, "0") in ("", "0"):
        return _again_uncompiled(paths, verbose)
    return _run(paths, verbose)


def _again_uncompiled(paths: tuple[Path, ...], verbose: bool) -> int:
    """The same in a process whose Numba leaves the rules as they are written."""
    arguments = [str(path) for path in paths] + ["--verbose"] * verbose
    program = [sys.executable, "-m", "rubicon.cli.main", "cases", *arguments]
    return subprocess.run(program, env={**os.environ, UNCOMPILED: "1"}, check=False).returncode


def _run(paths: tuple[Path, ...], verbose: bool) -> int:
    from rubicon.rules.casebook import CaseBook

    book = CaseBook.load(paths)
    if book.faults:
        return _explain(book.faults)
    if not book.cases:
        click.echo("No cases: a folder needs files that end in .case.", err=True)
        return UNREADABLE
    failed = 0
    for case, failures in book.run():
        failed += bool(failures)
        _report(case, failures, verbose)
    click.echo(f"{len(book.cases) - failed} passed, {failed} failed")
    return FAILED if failed else 0


def _explain(faults: list[CaseFault]) -> int:
    for fault in faults:
        click.echo(f"{fault} [{fault.code}]", err=True)
    files = sum(not fault.line.number for fault in faults)
    found = [
        f"{counted(number, what)} cannot be {done}"
        for number, what, done in (
            (files, "file", "read"),
            (len(faults) - files, "line", "understood"),
        )
        if number
    ]
    click.echo(f"{', '.join(found)}; nothing was run.", err=True)
    return UNREADABLE


def counted(number: int, what: str) -> str:
    """`1 line`, or `3 lines`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _report(case: Case, failures: list[Failure], verbose: bool) -> None:
    for failure in failures:
        click.echo(f"{failure}\n")
    if verbose and not failures:
        click.echo(f"passed {case.name} {case.title}")
