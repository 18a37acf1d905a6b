"""Reading a board file: the board, or everything that is wrong with the file at once."""

from pathlib import Path
from typing import Any

from rubicon.engine.records.position import NONE
from rubicon.engine.records.tables import Design, MissionKind, ObjectiveKind
from rubicon.errors import RubiconError
from rubicon.rules.board.checks import check
from rubicon.rules.board.model import (
    BoardError,
    BoardParts,
    Border,
    Continent,
    Mission,
    Objective,
    OptionalBorder,
    Territory,
)
from rubicon.rules.board.schema import DESIGN_NAMES, BoardDraft, read_fields
from rubicon.wording import quoted_path

LARGEST = 262_144  # bytes; 128 territories with all their aliases take a fifth of this


def read_text(path: Path) -> str:
    """The text of a board file; RubiconError if it cannot be read or cannot be a board."""
    try:
        if not path.is_file():
            raise RubiconError("board/not-found", f"There is no board file {quoted_path(path)}.")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = f"{quoted_path(path)} cannot be read: {error}."
        raise RubiconError("board/unreadable", reason) from error
    if len(content) > LARGEST:
        reason = f"{quoted_path(path)} has more than {LARGEST} bytes, too many for a board."
        raise RubiconError("board/too-large", reason)
    return _decoded(content, path)


def _decoded(content: bytes, path: Path) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reason = f"{quoted_path(path)} is not UTF-8 text: see line {line}."
        raise RubiconError("board/not-text", reason, "A board is a TOML file.") from error


def parse(text: str, source: str = "this text", path: Path | None = None) -> BoardParts:
    """The board that a TOML text describes; BoardError with every problem of it otherwise."""
    if len(text) > LARGEST:
        raise RubiconError("board/too-large", f"{source} is too long for a board.")
    draft = read_fields(text)
    if draft.entries:
        check(draft)
    if draft.problems:
        raise BoardError(source, tuple(sorted(dict.fromkeys(draft.problems))))
    return _parts(draft, path)


def _parts(draft: BoardDraft, path: Path | None) -> BoardParts:
    board = draft.entries["board"][0].values
    both = _edges(draft, "neighbours")
    one_way = _edges(draft, "one_way")
    return BoardParts(
        id=board["id"],
        name=board["name"],
        names=_by_language(board),
        title=board.get("title", board["name"]),
        version=board["version"],
        source=board.get("source", ""),
        credit=board.get("credit", ""),
        cities=board.get("cities", 0),
        mission_fallback=board.get("mission_fallback", 0),
        continents=_continents(draft),
        territories=_territories(draft, {*both, *((b, a) for a, b in both), *one_way}),
        borders=tuple(sorted({(min(border), max(border)) for border in both})),
        one_way=tuple(sorted(one_way)),
        optional_borders=_optional_borders(draft),
        missions=tuple(_mission(draft, entry.values) for entry in draft.entries["mission"]),
        objectives=tuple(_objective(draft, entry.values) for entry in draft.entries["objective"]),
        geometry_file=board.get("geometry", ""),
        path=path,
    )


def _edges(draft: BoardDraft, key: str) -> list[Border]:
    ids = draft.ids("territory")
    return [
        (index, ids[end])
        for index, entry in enumerate(draft.entries["territory"])
        for end in entry.values.get(key, ())
    ]


def _continents(draft: BoardDraft) -> tuple[Continent, ...]:
    lies_in = [entry.values["continent"] for entry in draft.entries["territory"]]
    return tuple(
        Continent(
            id=entry.values["id"],
            name=entry.values["name"],
            names=_by_language(entry.values),
            aliases=tuple(entry.values.get("aliases", ())),
            bonus=entry.values["bonus"],
            territories=tuple(at for at, to in enumerate(lies_in) if to == entry.values["id"]),
        )
        for entry in draft.entries["continent"]
    )


def _territories(draft: BoardDraft, edges: set[Border]) -> tuple[Territory, ...]:
    continents = draft.ids("continent")
    return tuple(
        Territory(
            id=entry.values["id"],
            name=entry.values["name"],
            names=_by_language(entry.values),
            aliases=tuple(entry.values.get("aliases", ())),
            continent=continents[entry.values["continent"]],
            neighbours=tuple(sorted(end for start, end in edges if start == index)),
            designs=_designs(entry.values.get("designs", DESIGN_NAMES[index % 3])),
            stars=entry.values.get("stars", 1),
        )
        for index, entry in enumerate(draft.entries["territory"])
    )


def _by_language(values: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(values.get("names", {}).items()))


def _designs(given: str | dict[str, str]) -> tuple[tuple[str, Design], ...]:
    tables = {"": given} if isinstance(given, str) else given
    return tuple((table, Design[design.upper()]) for table, design in tables.items())


def _optional_borders(draft: BoardDraft) -> tuple[OptionalBorder, ...]:
    ids = draft.ids("territory")
    given = [entry.values for entry in draft.entries["optional_border"]]
    ends = [sorted(ids[end] for end in values["between"]) for values in given]
    return tuple(
        OptionalBorder(values["option"], (low, high))
        for values, (low, high) in zip(given, ends, strict=True)
    )


def _mission(draft: BoardDraft, values: dict[str, Any]) -> Mission:
    continents = draft.ids("continent")
    kind = MissionKind[values["kind"].upper()]
    return Mission(
        id=values["id"],
        text=values["text"],
        kind=kind,
        continents=tuple(continents[name] for name in values.get("continents", ())),
        third=values.get("third", False),
        count=values.get("count", 0),
        minimum=values.get("minimum", 1 if kind is MissionKind.TERRITORIES else 0),
        colour=values.get("colour", ""),
    )


def _objective(draft: BoardDraft, values: dict[str, Any]) -> Objective:
    named = values.get("continent")
    return Objective(
        id=values["id"],
        text=values["text"],
        kind=ObjectiveKind[values["kind"].upper()],
        major=values["class"] == "major",
        count=values.get("count", 0),
        continent=draft.ids("continent")[named] if named else NONE,
    )
