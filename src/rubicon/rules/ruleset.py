"""A ruleset: one value for every option, on one board, ready for the kernel.

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

from rubicon.rules.board import Board, bundled_boards
from rubicon.rules.board_parts import quoted
from rubicon.rules.errors import RubiconError
from rubicon.rules.followers import stated_with_followers
from rubicon.rules.impossible import Chosen, Impossible, impossibilities
from rubicon.rules.kinds import WrongKind, is_path
from rubicon.rules.option import Value
from rubicon.rules.options import OPTIONS
from rubicon.rules.ruleset_error import Problem, RulesetError
from rubicon.rules.ruleset_file import (
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
from rubicon.rules.ruleset_records import rules_record, tables_record
from rubicon.rules.tables import BoardTables, Rules

DEFAULT_BOARD = "world"


class Origin(NamedTuple):
    """Where a ruleset comes from: the header of its file, and the preset that it extends."""

    name: str
    version: int
    title: str
    description: str
    sources: tuple[str, ...]
    preset: str


@final
@dataclass(frozen=True, repr=False, eq=False)
class Ruleset:
    """The rules of a game, as one value.

    `options` has every option in Python form; `rules` and `tables` are the records of
    `tables.py`, read-only. Rulesets with equal options on equal boards are equal, whatever
    they are called. `Ruleset.load(preset, differences, board=board)` makes an equal one.
    """

    origin: Origin
    board: Board
    options: Mapping[str, Value]
    rules: Rules = field(init=False)  # np.record
    tables: BoardTables = field(init=False)  # np.record

    def __post_init__(self) -> None:
        chosen = Chosen(self.options, self.board)
        rows = list(impossibilities(chosen))
        if rows:
            raise RulesetError(self.name, [_impossible(chosen, row) for row in rows])
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

        Values may be in Python form or text; what follows from an option follows (see
        `docs/options.md`). `board` is a board, its name or its file; without it the file’s own.
        Raises RubiconError (`ruleset/unknown-preset`, `ruleset/cycle`, `ruleset/not-a-name`,
        `ruleset/not-options`, what is wrong with the board) and RulesetError, all at once:
        `ruleset/unknown-option`, `ruleset/bad-value`, `ruleset/impossible` and others.
        """
        if not is_path(preset):
            raise WrongKind("ruleset/not-a-name", preset, "the name of a ruleset", _HOW_TO_LOAD)
        if not options and board is None and not is_file_name(preset):
            return _preset(str(preset))
        files = chain(preset)
        origin = _origin(files)
        stated = _read(origin.name, options or {})
        base = resolved(files) if is_file_name(preset) else preset_options(str(preset))
        chosen = stated_with_followers(base, stated)
        own_boards = [file.board for file in files if file.board]
        wanted = board if board is not None else [DEFAULT_BOARD, *own_boards][-1]
        return Ruleset(origin, wanted if isinstance(wanted, Board) else Board.load(wanted), chosen)

    def with_options(self, options: Mapping[str, object]) -> "Ruleset":
        """This ruleset with other values for some options; raises what `load` raises."""
        stated = _read(self.name, options)
        return Ruleset(self.origin, self.board, stated_with_followers(self.options, stated))

    def called(self, name: str, version: int) -> "Ruleset":
        """This ruleset under a name and version of one's own; it equals this one."""
        origin = Origin(name, version, name, "", (), self.preset)
        return Ruleset(origin, self.board, self.options)

    @property
    def own_name(self) -> tuple[str, int] | None:
        """Its name and version, where they are not those of its preset."""
        own = self.name, self.version
        return None if own == (self.preset, Ruleset.load(self.preset).version) else own

    @property
    def name(self) -> str:
        """The preset’s name, or that of the file."""
        return self.origin.name

    @property
    def version(self) -> int:
        """Raised when the ruleset plays differently."""
        return self.origin.version

    @property
    def title(self) -> str:
        """The name for people."""
        return self.origin.title

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
        """The preset that the ruleset is, or extends."""
        return self.origin.preset

    @property
    def differences(self) -> Mapping[str, str]:
        """The options that make this ruleset out of its preset, as text.

        Those that differ; and those that would follow one of these and do not.
        """
        return _differences(preset_options(self.preset), self.options)

    def option_text(self, name: str) -> str:
        """The value of an option as people write it; raises `ruleset/unknown-option`."""
        if name not in OPTIONS:
            raise RubiconError(*unknown_option(name))
        return OPTIONS[name].text(self.options[name])

    @property
    def chosen(self) -> Chosen:
        """The options with the board, as predicates read them."""
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
        board = _board_name(self.board)
        if board != DEFAULT_BOARD:
            parts.append(f"board={board!r}")
        return f"Ruleset.load({', '.join(parts)})"

    def __reduce__(self) -> tuple[Callable[..., "Ruleset"], tuple[Any, ...]]:
        texts = {name: option.text(self.options[name]) for name, option in _ALL}
        return _restored, (self.origin, self.board, texts)


_ALL = tuple(OPTIONS.items())
_HOW_TO_LOAD = 'Write Ruleset.load("classic"), or Ruleset.load("my.toml").'


def check_ruleset(given: object) -> None:
    """WrongKind, `ruleset/not-one`, for all but a Ruleset."""
    if not isinstance(given, Ruleset):
        raise WrongKind("ruleset/not-one", given, "a ruleset", _HOW_TO_LOAD)


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
    """What would set the option that is named, or any."""
    if name not in OPTIONS:
        return "Write cards.forced=none."
    return f"Write {name}=VALUE; it can be {OPTIONS[name].kind.allowed()}."


@cache
def _preset(name: str) -> Ruleset:
    files = chain(name)
    return Ruleset(_origin(files), Board.load(DEFAULT_BOARD), preset_options(name))


def _origin(files: tuple[RulesetFile, ...]) -> Origin:
    """The header of the last file; the preset is the last that comes with Rubicon."""
    last = files[-1]
    preset = [file.name for file in files if file.bundled][-1]
    return Origin(last.name, last.version, last.title, last.description, last.sources, preset)


def _read(source: str, options: Mapping[str, object]) -> dict[str, Value]:
    if not isinstance(options, Mapping):
        suggestion = 'Write {"cards.forced": "none"}.'
        raise WrongKind("ruleset/not-options", options, "a dict of options", suggestion)
    stated, wrong = read_options(options)
    if wrong:
        raise RulesetError(source, wrong)
    return stated


def _impossible(chosen: Chosen, row: Impossible) -> Problem:
    return Problem("ruleset/impossible", f"{row.given(chosen)}: {row.reason}")


def _differences(base: Mapping[str, Value], options: Mapping[str, Value]) -> Mapping[str, str]:
    stated = {name: value for name, value in options.items() if value != base[name]}
    while True:
        made = stated_with_followers(base, stated)
        moved = {name: options[name] for name in OPTIONS if made[name] != options[name]}
        if not moved:
            in_order = [name for name in OPTIONS if name in stated]
            return MappingProxyType({n: OPTIONS[n].text(stated[n]) for n in in_order})
        stated.update(moved)


def _board_name(board: Board) -> str:
    bundled = board.id in bundled_boards() and Board.load(board.id) == board
    return board.id if bundled else str(board.path or board.id)


def _restored(origin: Origin, board: Board, texts: Mapping[str, str]) -> Ruleset:
    return Ruleset(origin, board, {name: OPTIONS[name].read(text) for name, text in texts.items()})
