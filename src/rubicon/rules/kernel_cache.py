"""Where compiled procedures are kept, and when they are stale.

Numba keeps machine code on disk, but watches only the file of the compiled function: a change in a
procedure that it calls, or in a constant that it reads, goes unnoticed. Here the stamp is a hash
of every module of this package that the function's module imports, directly or not.
"""

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self

import numba.core.config
from numba.core.caching import _CacheLocator
from numba.misc.appdirs import AppDirs

config: Any = numba.core.config  # its switches are made at run time, unseen by a type checker

PACKAGE = Path(__file__).resolve().parents[1]
LOCATOR = f"{__name__}.SourceLocator"

COMMENT = re.compile(r"#.*")
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<module>[\w.]+)[ \t]+import[ \t]*(?P<names>\([^)]*\)|.*)"
    r"|import[ \t]+(?P<modules>.*))",
    re.MULTILINE,
)


class Source(NamedTuple):
    """One module as it was when this process first looked."""

    digest: bytes
    imports: frozenset[Path]


def module_file(name: str) -> Path | None:
    """The file of a module of this package; None for any other module."""
    first, *rest = name.split(".")
    if first != PACKAGE.name:
        return None
    base = PACKAGE.joinpath(*rest)
    candidates = (base / "__init__.py", base.parent / f"{base.name}.py")
    return next((file for file in candidates if file.is_file()), None)


def imported_names(code: str) -> Iterator[tuple[str, str]]:
    """What is imported anywhere in `code`: (full name, the module that surely exists)."""
    for found in IMPORT.finditer(COMMENT.sub("", code)):
        module = found["module"]
        for part in (found["names"] or found["modules"]).strip("() \t\n").split(","):
            for name in part.split()[:1]:  # without `as …`; none behind the last comma
                yield (f"{module}.{name}", module) if module else (name, name)


def imported_files(code: str) -> Iterator[Path]:
    """The modules of this package that `code` imports; a package imported as such is all of it."""
    for full_name, module in imported_names(code):
        file = module_file(full_name) or module_file(module)
        if file is None:
            continue
        yield file
        if file.name == "__init__.py":
            yield from file.parent.rglob("*.py")


@cache
def read(file: Path) -> Source:
    """Read a module once in a process, so that every function of it gets the same stamp."""
    content = file.read_bytes()
    code = content.decode("utf-8", "replace")
    return Source(hashlib.sha256(content).digest(), frozenset(imported_files(code)))


@cache
def stamp(file: Path) -> str:
    """A hash of a module and of all it imports from this package, directly or not."""
    seen = {file}
    waiting = [file]
    while waiting:
        new = read(waiting.pop()).imports - seen
        seen |= new
        waiting.extend(new)
    total = hashlib.sha256()
    for name, digest in sorted((source.name, read(source).digest) for source in seen):
        total.update(name.encode() + digest)
    return total.hexdigest()[:16]


def build() -> str:
    """The switches that change machine code but that Numba leaves out of the key of its cache."""
    checked = int(bool(config.BOUNDSCHECK))
    debug = int(bool(config.DEBUGINFO_DEFAULT))
    return f"o{int(config.OPT)}b{checked}d{debug}"


def candidate_folders(directory: Path) -> Iterator[Path]:
    """Where the machine code of the modules in `directory` may be kept, best first."""
    apart = f"{directory.name}_{hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]}"
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR) / apart
    yield directory / "__pycache__"
    yield Path(AppDirs(appname=PACKAGE.name, appauthor=False).user_cache_dir) / apart


@cache
def folder_for(directory: Path) -> Path | None:
    """The first candidate that can be written, made if need be."""
    for folder in candidate_folders(directory):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    return None


def source_of(function: Callable[..., Any]) -> Path:
    """The file in which a function is written."""
    return Path(function.__code__.co_filename).resolve()


def can_keep(function: Callable[..., Any]) -> bool:
    """Whether there is a source to watch and a folder to write to."""
    source = source_of(function)
    return source.is_file() and folder_for(source.parent) is not None


@cache
def forget_older(folder: Path, module: str, disambiguator: str) -> None:
    """Remove what was compiled from older sources of `module` by this Python."""
    build_name, _, current = disambiguator.partition("-")
    python = f"py{sys.version_info[0]}{sys.version_info[1]}"
    older = re.compile(
        rf"{re.escape(module)}\.[^-]*-{build_name}-(?!{current})[0-9a-f]{{16}}\.{python}\w*\."
        r"(nbi|\d+\.nbc)"
    )
    for file in folder.iterdir():
        if older.fullmatch(file.name):
            file.unlink(missing_ok=True)


class SourceLocator(_CacheLocator):
    """Tells Numba where the machine code of one function lies and which sources it came from.

    The stamp is also part of the file's name, so that a process that is stopped between writing
    Numba's index and its data cannot leave old code under a new stamp.
    """

    def __init__(self, source: Path, folder: Path) -> None:
        self._py_file = str(source)  # Numba names it in a warning
        self.source = source
        self.folder = folder

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Self | None:
        """The locator of a function, or None where nothing can be kept."""
        source = source_of(py_func)
        folder = folder_for(source.parent) if source.is_file() else None
        return None if folder is None else cls(source, folder)

    def ensure_cache_path(self) -> None:
        """Called by Numba before it writes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        forget_older(self.folder, self.source.stem, self.get_disambiguator())

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self.folder)

    def get_source_stamp(self) -> str:
        """What must be equal for machine code to be fresh."""
        return stamp(self.source)

    def get_disambiguator(self) -> str:
        """The part of the file's name that tells one build of a function from another."""
        return f"{build()}-{stamp(self.source)}"


@contextmanager
def in_force() -> Iterator[None]:
    """Have Numba ask `SourceLocator` for functions decorated meanwhile, and only for those."""
    previous = config.CACHE_LOCATOR_CLASSES
    config.CACHE_LOCATOR_CLASSES = LOCATOR
    try:
        yield
    finally:
        config.CACHE_LOCATOR_CLASSES = previous
