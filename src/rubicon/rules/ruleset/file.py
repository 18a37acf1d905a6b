"""Ruleset files: read, written, and what is wrong in them."""

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from rubicon.errors import NotFound, RubiconError
from rubicon.files import TooLarge, read_bounded
from rubicon.rules.options.kinds import BadValue, Value
from rubicon.rules.options.registry import ELSEWHERE, LEFT_OUT, OPTIONS, with_implied
from rubicon.wording import listed, nearest, quoted

# The problems of a ruleset, reported together.


class RulesetProblem(NamedTuple):
    """One problem: a code, what is wrong, and what to do about it (or "")."""

    code: str
    message: str
    suggestion: str = ""

    def __str__(self) -> str:
        return f"{self.message} {self.suggestion}".strip()


class RulesetError(RubiconError):
    """A ruleset that cannot be played, with all its problems.

    Its code is that of the problems, or `ruleset/invalid` where they have different codes.
    """

    def __init__(self, source: str, problems: Sequence[RulesetProblem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        codes = {problem.code for problem in self.problems}
        code = codes.pop() if len(codes) == 1 else "ruleset/invalid"
        if len(self.problems) == 1:
            only = self.problems[0]
            super().__init__(code, f"{source}: {only.message}", only.suggestion)
            return
        found = "".join(f"\n  {problem} [{problem.code}]" for problem in self.problems)
        super().__init__(code, f"{source}: {len(self.problems)} problems found.{found}")

    def __reduce__(self) -> tuple[type["RulesetError"], tuple[str, tuple[RulesetProblem, ...]]]:
        return type(self), (self.source, self.problems)


# Ruleset files: TOML with a header, the ruleset that they extend, and values for options.

PRESETS = (
    "classic",
    "secret-mission",
    "two-player",
    "two-player-50",
    "email",
    "basic",
    "revised",
    "revised-conquest",
    "capital",
    "digest",
)
DEFAULT_PRESET = PRESETS[0]
FOLDER = Path(__file__).with_name("presets")
LARGEST = 256 * 1024  # bytes
DEEPEST = 3  # tables in tables
LONGEST_CHAIN = 50  # files that extend each other
LONGEST_NAME = 255  # it is written in every position
LARGEST_VERSION = 10**9
MOST_SIMILAR = 4  # options named in a hint

HEADER: Mapping[str, type] = {
    "format": int,
    "name": str,
    "title": str,
    "label": str,
    "description": str,
    "version": int,
    "sources": list,
    "extends": str,
    "board": str,
    "options": dict,
}


@dataclass(frozen=True)
class RulesetFile:
    """The contents of one file; `stated` holds values in Python form."""

    name: str
    title: str
    label: str
    description: str
    version: int
    sources: tuple[str, ...]
    extends: str  # "" for none
    board: str
    stated: Mapping[str, Value]
    path: Path

    @property
    def bundled(self) -> bool:
        """Whether it is a preset."""
        return self.path.parent == FOLDER


def is_file_name(name: str | os.PathLike[str]) -> bool:
    """Whether a name is a file and not a preset: a path, or a text with a slash or `.toml`."""
    return not isinstance(name, str) or "/" in name or os.sep in name or name.endswith(".toml")


def chain(name: str | os.PathLike[str]) -> tuple[RulesetFile, ...]:
    """A ruleset and those that it extends, the outermost preset first.

    Raises RubiconError: `ruleset/unknown-preset`, `ruleset/cycle` and the errors of `read_file`.
    """
    if not is_file_name(name):
        return _preset_chain(str(name))
    files: list[RulesetFile] = []
    path = Path(name)
    while True:
        _refuse_cycle(path, files)
        files.append(read_file(path))
        extends = files[-1].extends or DEFAULT_PRESET
        if not is_file_name(extends):
            return (*_preset_chain(extends), *reversed(files))
        path = path.parent / extends


def _refuse_cycle(path: Path, files: list[RulesetFile]) -> None:
    seen = [file.path.resolve() for file in files]
    if path.resolve() in seen or len(seen) >= LONGEST_CHAIN:
        round_trip = " extends ".join(quoted(file.path.name) for file in files)
        message = f"These rulesets extend each other: {round_trip} extends {quoted(path.name)}."
        raise RubiconError("ruleset/cycle", message, "Let one of them extend a preset.")


@cache
def _preset_chain(name: str) -> tuple[RulesetFile, ...]:
    if name not in PRESETS:
        message = f"Unknown ruleset {quoted(name)}."
        hint = nearest(name, PRESETS) or f"Rulesets: {', '.join(PRESETS)}, or a file."
        raise NotFound("ruleset/unknown-preset", message, hint)
    file = read_file(FOLDER / f"{name}.toml")
    return (*(_preset_chain(file.extends) if file.extends else ()), file)


@cache
def preset_options(name: str) -> Mapping[str, Value]:
    """The value of every option in a preset."""
    return resolved(chain(name))


def resolved(files: tuple[RulesetFile, ...]) -> dict[str, Value]:
    """The value of every option after these files, each on top of the one before."""
    options = {option.name: option.default for option in OPTIONS.values()}
    for file in files:
        options = with_implied(options, file.stated)
    return options


def read_file(path: Path) -> RulesetFile:
    """The file at `path`.

    Raises RubiconError: `ruleset/not-found`, `unreadable`, `too-large`, `not-toml`; and
    RulesetError with all problems of the file: `ruleset/unknown-field`, `bad-field`,
    `unknown-option`, `bad-value`, `left-out`.
    """
    document = _document(path)
    problems = list(_header_problems(document))
    options = document.get("options", {})
    given = dict(_flat(options)) if isinstance(options, dict) else {}
    stated, wrong = read_options(given)
    if problems or wrong:
        raise RulesetError(path.name, [*problems, *wrong])
    return RulesetFile(
        name=document.get("name", path.stem),
        title=document.get("title", document.get("name", path.stem)),
        label=document.get("label", ""),
        description=document.get("description", ""),
        version=document.get("version", 1),
        sources=tuple(document.get("sources", ())),
        extends=document.get("extends", ""),
        board=_board(document.get("board", ""), path),
        stated=stated,
        path=path,
    )


def _board(name: str, path: Path) -> str:
    """The board; the path of a board file is relative to the ruleset's file."""
    return str(path.parent / name) if name and is_file_name(name) else name


def _document(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_bounded(path, LARGEST).decode("utf-8"))
    except TooLarge as error:
        message = f"{quoted(str(path))} is larger than {LARGEST // 1024} KiB."
        raise RubiconError("ruleset/too-large", message) from error
    except FileNotFoundError:
        message = f"No such file: {quoted(str(path))}."
        raise RubiconError("ruleset/not-found", message) from None
    except OSError as error:
        message = f"{quoted(str(path))} cannot be read: {error.strerror or error}."
        raise RubiconError("ruleset/unreadable", message) from error
    except UnicodeDecodeError as error:
        message = f"{quoted(str(path))} is not TOML: it is not UTF-8 text."
        raise RubiconError("ruleset/not-toml", message) from error
    except (ValueError, RecursionError) as error:
        message = f"{quoted(str(path))} is not TOML: {error}."
        raise RubiconError("ruleset/not-toml", message) from error


def _header_problems(document: Mapping[str, Any]) -> Iterator[RulesetProblem]:
    for name, value in document.items():
        expected = HEADER.get(name)
        if expected is None:
            hint = nearest(name, HEADER) or "Options are written below [options]."
            message = f"Unknown field {quoted(name)}."
            yield RulesetProblem("ruleset/unknown-field", message, hint)
        elif type(value) is not expected or not fits(name, value):
            message = f"{name} cannot be {quoted(value)}."
            yield RulesetProblem("ruleset/bad-field", message, _FIELD_HINTS[expected])
    if document.get("format", 1) != 1:
        yield RulesetProblem("ruleset/bad-field", "Unknown format.", "Write format = 1.")


_FIELD_HINTS = {
    int: f"It takes a whole number from 1 to {LARGEST_VERSION}.",
    str: f"It takes a text; a name, at least one letter and at most {LONGEST_NAME}.",
    list: "It takes a list of texts.",
    dict: "It takes a table.",
}


def fits(name: str, value: Any) -> bool:
    """Whether a header field may have a value that is of the right type."""
    if isinstance(value, list):
        return all(isinstance(entry, str) for entry in value)
    if name == "name":
        return 0 < len(value) <= LONGEST_NAME
    return not isinstance(value, int) or 1 <= value <= LARGEST_VERSION


def _flat(table: Mapping[str, Any], before: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The options of a table; tables in tables become dots in their names."""
    for key, value in table.items():
        name = f"{before}.{key}" if before else key
        if isinstance(value, dict) and name not in OPTIONS and depth < DEEPEST and _leads_on(name):
            yield from _flat(value, name, depth + 1)
        else:
            yield name, value


def _leads_on(name: str) -> bool:
    return any(option.startswith(f"{name}.") for option in OPTIONS)


def read_options(given: Mapping[str, object]) -> tuple[dict[str, Value], list[RulesetProblem]]:
    """The given options in Python form, and the problems with those that cannot be read."""
    stated: dict[str, Value] = {}
    wrong: list[RulesetProblem] = []
    for name, value in given.items():
        problem = option_problem(name, value)
        if problem is None:
            stated[name] = OPTIONS[name].read(value)
        else:
            wrong.append(problem)
    return stated, wrong


def option_problem(name: str, given: object) -> RulesetProblem | None:
    """Why an option cannot have a value: `ruleset/unknown-option`, `left-out`, `bad-value`."""
    option = OPTIONS.get(name)
    if option is None:
        return unknown_option(name)
    try:
        option.read(given)
    except BadValue as error:
        what = f"{option.name} = {quoted(given)} {error.reason}."
        return RulesetProblem("ruleset/bad-value", what, error.suggestion)
    return None


def unknown_option(name: object) -> RulesetProblem:
    """The problem of an option that does not exist, or is known and not built."""
    if name in LEFT_OUT:
        message = f"{name} ({LEFT_OUT[str(name)]}) is an expert variation that is not built."
        return RulesetProblem("ruleset/left-out", message)
    message = f"Unknown option {quoted(name)}."
    return RulesetProblem("ruleset/unknown-option", message, similar_options(str(name)))


def similar_options(name: str) -> str:
    """A hint at the options that may be meant.

    Options with all words of the name come first (`dice.cap`: attack.dice_cap and
    defend.dice_cap), then the one that is spelled most like it.
    """
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    words = _words(name)
    close = [option for option in OPTIONS if words and words <= _words(option)]
    if 0 < len(close) <= MOST_SIMILAR:
        return f"Did you mean {listed(close, 'or')}?"
    return nearest(name, OPTIONS) or "docs/options.md lists all options."


def _words(name: str) -> set[str]:
    return set(name.lower().replace(".", " ").replace("_", " ").split())
