"""A ruleset: one value for every option, on one board, ready for the engine.

    >>> email = Ruleset.load("email")
    >>> email.option_text("continent.timing")
    'snapshot_end_of_own_turn'
    >>> Ruleset.load("classic", {"cards.forced": "none"})
    Ruleset.load('classic', {'cards.forced': 'none'})

`docs/options.md` lists the options, `docs/rulesets.md` says how to write a ruleset.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, final

from rubicon.arguments import WrongType, is_path
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.errors import RubiconError
from rubicon.rules.board.board import Board, board_name
from rubicon.rules.options.chosen import Chosen
from rubicon.rules.options.conflicts import conflicts
from rubicon.rules.options.implied import with_implied
from rubicon.rules.options.kinds import Value
from rubicon.rules.options.option import Conflict
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.ruleset.errors import RulesetError, RulesetProblem
from rubicon.rules.ruleset.file import (
    DEFAULT_PRESET,
    PRESETS,
    RulesetFile,
    chain,
    is_file_name,
    preset_options,
    read_options,
    resolved,
    unknown_option,
)
from rubicon.rules.ruleset.records import rules_record, tables_record
from rubicon.wording import quoted

DEFAULT_BOARD = "world"


class Origin(NamedTuple):
    """Where a ruleset comes from: the header of its file, and the preset that it extends."""

    name: str
    version: int
    title: str
    label: str
    description: str
    sources: tuple[str, ...]
    preset: str


@final
@dataclass(frozen=True, repr=False, eq=False)
class Ruleset:
    """The rules of a game, as one value.

    `options` has every option in Python form; `rules` and `tables` are the engine's records
    (`engine.records.tables`), read-only. Rulesets with equal options on equal boards are equal,
    whatever their names. `Ruleset.load(preset, differences, board=board)` makes an equal one.
    """

    origin: Origin
    board: Board
    options: Mapping[str, Value]
    rules: Rules = field(init=False)  # np.record
    tables: BoardTables = field(init=False)  # np.record

    def __post_init__(self) -> None:
        chosen = Chosen(self.options, self.board)
        found = list(conflicts(chosen))
        if found:
            raise RulesetError(self.name, [_impossible(chosen, conflict) for conflict in found])
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))
        object.__setattr__(self, "rules", rules_record(chosen))
        object.__setattr__(self, "tables", tables_record(chosen))

    @staticmethod
    def load(
        preset: str | os.PathLike[str] = DEFAULT_PRESET,
        options: Mapping[str, object] | None = None,
        *,
        board: str | os.PathLike[str] | Board | None = None,
    ) -> "Ruleset":
        """A preset, or the ruleset in a file (`my.toml`), with other values for some options.

        Values may be in Python form or text; values that they imply come along (see
        `docs/options.md`). `board` is a board, its name or its file; without it the file's own.
        Raises RubiconError (`ruleset/unknown-preset`, `ruleset/cycle`, `ruleset/not-a-name`,
        `ruleset/not-options`, and errors of the board) and RulesetError with all problems at
        once: `ruleset/unknown-option`, `ruleset/bad-value`, `ruleset/impossible` and others.
        """
        if not is_path(preset):
            raise WrongType("ruleset/not-a-name", preset, "the name of a ruleset", _HOW_TO_LOAD)
        if not options and board is None and not is_file_name(preset):
            return _preset(str(preset))
        files = chain(preset)
        origin = _origin(files)
        stated = _read(origin.name, options or {})
        base = resolved(files) if is_file_name(preset) else preset_options(str(preset))
        chosen = with_implied(base, stated)
        own_boards = [file.board for file in files if file.board]
        wanted = board if board is not None else [DEFAULT_BOARD, *own_boards][-1]
        return Ruleset(origin, wanted if isinstance(wanted, Board) else Board.load(wanted), chosen)

    def with_options(self, options: Mapping[str, object]) -> "Ruleset":
        """This ruleset with other values for some options; raises the errors of `load`."""
        stated = _read(self.name, options)
        return Ruleset(self.origin, self.board, with_implied(self.options, stated))

    def called(self, name: str, version: int) -> "Ruleset":
        """This ruleset under another name and version; the two are equal."""
        origin = Origin(
            name=name,
            version=version,
            title=name,
            label="",
            description="",
            sources=(),
            preset=self.preset,
        )
        return Ruleset(origin, self.board, self.options)

    @property
    def own_name(self) -> tuple[str, int] | None:
        """Its name and version; None where they are those of its preset."""
        own = self.name, self.version
        return None if own == (self.preset, Ruleset.load(self.preset).version) else own

    @property
    def name(self) -> str:
        """The name of the preset, or of the file."""
        return self.origin.name

    @property
    def version(self) -> int:
        """A whole number that grows when the ruleset plays differently."""
        return self.origin.version

    @property
    def title(self) -> str:
        """The name for people."""
        return self.origin.title

    @property
    def label(self) -> str:
        """A word or two for a list of rulesets: the title where the file has no label."""
        return self.origin.label or self.title

    @property
    def description(self) -> str:
        """A sentence or two about the game."""
        return self.origin.description

    @property
    def sources(self) -> tuple[str, ...]:
        """The documents that the ruleset follows."""
        return self.origin.sources

    @property
    def preset(self) -> str:
        """The name of the preset that the ruleset is, or extends."""
        return self.origin.preset

    @property
    def differences(self) -> Mapping[str, str]:
        """The options that make this ruleset out of its preset, as text.

        Options that differ, and options that would be implied by these and are not.
        """
        return _differences(preset_options(self.preset), self.options)

    def option_text(self, name: str) -> str:
        """The text of an option's value; raises RubiconError, `ruleset/unknown-option`."""
        if name not in OPTIONS:
            raise RubiconError(*unknown_option(name))
        return OPTIONS[name].text(self.options[name])

    @property
    def chosen(self) -> Chosen:
        """The options with the board, as conditions and sentences read them."""
        return Chosen(self.options, self.board)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ruleset):
            return NotImplemented
        return self.options == other.options and self.board == other.board

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.board.id, *(option.text(self.options[name]) for name, option in _ALL)))

    def __repr__(self) -> str:
        parts = [repr(self.preset)]
        if self.differences:
            parts.append(repr(dict(self.differences)))
        board = board_name(self.board)
        if board != DEFAULT_BOARD:
            parts.append(f"board={board!r}")
        return f"Ruleset.load({', '.join(parts)})"

    def __reduce__(self) -> tuple[Callable[..., "Ruleset"], tuple[Any, ...]]:
        texts = {name: option.text(self.options[name]) for name, option in _ALL}
        return _restored, (self.origin, self.board, texts)


_ALL = tuple(OPTIONS.items())
_HOW_TO_LOAD = 'Write Ruleset.load("classic"), or Ruleset.load("my.toml").'


def check_ruleset(given: object) -> None:
    """WrongType, `ruleset/not-one`, for all but a Ruleset."""
    if not isinstance(given, Ruleset):
        raise WrongType("ruleset/not-one", given, "a ruleset", _HOW_TO_LOAD)


def preset_names() -> tuple[str, ...]:
    """The names of the presets."""
    return PRESETS


def presets() -> Mapping[str, Ruleset]:
    """The presets by name, on the world board."""
    return MappingProxyType({name: _preset(name) for name in PRESETS})


def parse_override(text: str) -> tuple[str, str]:
    """Name and value of `cards.forced=none`; raises RubiconError, `ruleset/bad-override`."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        message = f"{quoted(text)} does not set an option."
        raise RubiconError("ruleset/bad-override", message, _how_to_set(text.strip()))
    return name.strip(), value.strip()


def _how_to_set(name: str) -> str:
    """How to write a value for this option."""
    if name not in OPTIONS:
        return "Write OPTION=VALUE, as in cards.forced=none."
    return f"Write {name}=VALUE; it can be {OPTIONS[name].kind.allowed()}."


@cache
def _preset(name: str) -> Ruleset:
    files = chain(name)
    return Ruleset(_origin(files), Board.load(DEFAULT_BOARD), preset_options(name))


def _origin(files: tuple[RulesetFile, ...]) -> Origin:
    """The header of the last file; the preset is the last that comes with Rubicon."""
    last = files[-1]
    preset = [file.name for file in files if file.bundled][-1]
    return Origin(
        name=last.name,
        version=last.version,
        title=last.title,
        label=last.label,
        description=last.description,
        sources=last.sources,
        preset=preset,
    )


def _read(source: str, options: Mapping[str, object]) -> dict[str, Value]:
    if not isinstance(options, Mapping):
        suggestion = 'Write {"cards.forced": "none"}.'
        raise WrongType("ruleset/not-options", options, "a dict of options", suggestion)
    stated, wrong = read_options(options)
    if wrong:
        raise RulesetError(source, wrong)
    return stated


def _impossible(chosen: Chosen, conflict: Conflict) -> RulesetProblem:
    message = f"{conflict.given(chosen)}: {conflict.explained(chosen)}"
    return RulesetProblem("ruleset/impossible", message)


def _differences(base: Mapping[str, Value], options: Mapping[str, Value]) -> Mapping[str, str]:
    stated = {name: value for name, value in options.items() if value != base[name]}
    while True:
        made = with_implied(base, stated)
        moved = {name: options[name] for name in OPTIONS if made[name] != options[name]}
        if not moved:
            in_order = [name for name in OPTIONS if name in stated]
            return MappingProxyType({n: OPTIONS[n].text(stated[n]) for n in in_order})
        stated.update(moved)


def _restored(origin: Origin, board: Board, texts: Mapping[str, str]) -> Ruleset:
    return Ruleset(origin, board, {name: OPTIONS[name].read(text) for name, text in texts.items()})
