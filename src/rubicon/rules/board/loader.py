"""Board files: loaded, and checked with every problem that they have."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rubicon.engine import records
from rubicon.errors import RubiconError
from rubicon.rules.board import format
from rubicon.wording import one_of, quoted, quoted_path

# Checks across the fields of a board file: names, borders, cards, missions.

MOST = {
    "continent": records.CONTINENTS,
    "territory": records.TERRITORIES,
    "mission": records.MISSIONS,
    "objective": records.OBJECTIVES,
    "optional_border": records.TERRITORIES,
}
NUMBERED = {"mission": "M", "objective": "OB"}  # their ids stand for their places in the file
MOST_SUGGESTIONS = 30  # finding the most similar name is slow

MISSION_NEEDS = {
    "continents": ("continents",),
    "territories": ("count",),
    "destroy": ("colour",),
}
MISSION_ALLOWS = {
    "continents": ("continents", "third"),
    "territories": ("count", "minimum"),
    "destroy": ("colour",),
}
OBJECTIVE_NEEDS = {
    "cities": ("count",),
    "continent": ("continent",),
    "cities_in_turn": ("count",),
    "enemy_capitals": ("count",),
    "continents": ("count",),
    "territories_in_turn": ("count",),
    "continent_in_turn": (),
    "territories": ("count",),
}


def check(draft: format.BoardDraft) -> None:
    """Report every problem of a board whose fields have been read."""
    # Too many tables would make the checks slow, so nothing else is checked then.
    if not _few_enough(draft):
        return
    for section in ("continent", "territory", "mission", "objective"):
        _check_ids(draft, section)
    for section, prefix in NUMBERED.items():
        _check_order(draft, section, prefix)
    for section in ("continent", "territory"):
        _check_names(draft, section)
    _check_continents(draft)
    _check_borders(draft)
    _check_designs(draft)
    _check_missions(draft)
    _check_objectives(draft)
    _check_counts(draft)


def _few_enough(draft: format.BoardDraft) -> bool:
    over = [section for section, most in MOST.items() if len(draft.entries[section]) > most]
    for section in over:
        first = draft.entries[section][MOST[section]]
        given = len(draft.entries[section])
        message = f"this board has {given} {section} tables; at most {MOST[section]} will fit."
        draft.report(first, "too-many", message)
    for section, least in (("continent", 1), ("territory", 2)):
        if len(draft.entries[section]) < least:
            message = f"A board needs at least {least} [[{section}]] tables."
            draft.problems.append(format.BoardProblem(1, "board/too-few", message))
    return not over


def _check_ids(draft: format.BoardDraft, section: str) -> None:
    ids = draft.ids(section)
    for index, entry in enumerate(draft.entries[section]):
        first = ids.get(entry.values.get("id", ""), index)
        if first != index:
            line = draft.lines.line(section, first, "id")
            draft.report(entry, "duplicate-id", f"this id is used already, in line {line}.", "id")


def _check_order(draft: format.BoardDraft, section: str, prefix: str) -> None:
    """Missions and objectives are in ascending order, since texts name them by number."""
    before = ""
    for number, entry in enumerate(draft.entries[section], 1):
        name = str(entry.values.get("id", ""))
        if name in draft.ids(section) and draft.ids(section)[name] != number - 1:
            continue  # a duplicate, which is reported already
        if name and name < before:
            message = f"{section}s must be in ascending order of ids; {before} is before this one."
            draft.report(entry, "wrong-order", message, "id")
        elif re.fullmatch(rf"{prefix}\d\d", name) and name != f"{prefix}{number:02}":
            message = f"{quoted(name)} is the id of another place; this is {section} {number}."
            draft.report(entry, "wrong-order", message, "id")
        before = max(before, name)


def _check_names(draft: format.BoardDraft, section: str) -> None:
    taken: dict[str, format.TomlTable] = {}
    for entry in draft.entries[section]:
        for key, text in _spellings(entry):
            other = taken.setdefault(format.compact(text), entry)
            if other is not entry and other.values.get("id") != entry.values.get("id"):
                message = f"{quoted(text)} is already a name of {other.label}."
                draft.report(entry, "duplicate-name", message, key, text)


def _spellings(entry: format.TomlTable) -> Iterator[tuple[str, str]]:
    for key in ("id", "name"):
        if key in entry.values:
            yield key, entry.values[key]
    for alias in entry.values.get("aliases", ()):
        yield "aliases", alias
    for name in entry.values.get("names", {}).values():
        yield "names", name


def _names(draft: format.BoardDraft, section: str) -> format.BoardNames:
    entries = draft.entries[section]
    return format.BoardNames([text for _, text in _spellings(entry)] for entry in entries)


def _resolve(
    draft: format.BoardDraft,
    entry: format.TomlTable,
    key: str,
    section: str,
    names: format.BoardNames,
) -> list[int]:
    """The indices of the ids in a field.

    An unknown id counts as the most similar one, so that one typing error causes one problem only.
    """
    given = entry.values.get(key, [])
    ids = draft.ids(section)
    found = []
    for text in [given] if isinstance(given, str) else given:
        likely = [ids[text]] if text in ids else _report_unknown(draft, entry, key, text, names)
        found += likely
    return found


def _report_unknown(
    draft: format.BoardDraft, entry: format.TomlTable, key: str, text: str, names: format.BoardNames
) -> list[int]:
    section = "continent" if key.startswith("continent") else "territory"
    code = "unknown-neighbour" if key in ("neighbours", "one_way") else f"unknown-{section}"
    near = names.nearest(text, 1) if len(draft.problems) < MOST_SUGGESTIONS else ()
    close = [draft.entries[section][index].values.get("id") for index in near]
    hint = f" Did you mean {close[0]}?" if close and close[0] else ""
    draft.report(entry, code, f"there is no {section} {quoted(text)}.{hint}", key, text)
    return list(near)


def _check_continents(draft: format.BoardDraft) -> None:
    names = _names(draft, "continent")
    used: set[int] = set()
    for entry in draft.entries["territory"]:
        used.update(_resolve(draft, entry, "continent", "continent", names))
    for index, entry in enumerate(draft.entries["continent"]):
        if index not in used:
            draft.report(entry, "empty-continent", "this continent has no territory.")


def _check_borders(draft: format.BoardDraft) -> None:
    names = _names(draft, "territory")
    both: set[format.Border] = set()
    single: dict[format.Border, format.TomlTable] = {}
    for index, entry in enumerate(draft.entries["territory"]):
        for key in ("neighbours", "one_way"):
            _check_ends(draft, entry, key)
            for end in _resolve(draft, entry, key, "territory", names):
                if key == "neighbours":
                    both |= {(index, end), (end, index)}
                else:
                    single[index, end] = entry
    _check_one_way(draft, both, single)
    for index, entry in enumerate(draft.entries["territory"]):
        _check_degree(draft, entry, sum(start == index for start, _ in both | single.keys()))
    # Optional borders do not count: a game may be played without them.
    _check_reach(draft, (both | single.keys()) - _check_optional(draft, both, names))


def _check_ends(draft: format.BoardDraft, entry: format.TomlTable, key: str) -> None:
    for word, times in Counter(entry.values.get(key, ())).items():
        if word == entry.values.get("id"):
            draft.report(entry, "own-neighbour", "a territory cannot border itself.", key, word)
        if times > 1:
            message = f"{key} names {quoted(word)} {times} times."
            draft.report(entry, "duplicate-border", message, key, word)


def _check_one_way(
    draft: format.BoardDraft,
    both: set[format.Border],
    single: dict[format.Border, format.TomlTable],
) -> None:
    for (start, end), entry in single.items():
        word = draft.entries["territory"][end].values.get("id", "")
        message = f"the border to {word} is declared one-way, and also "
        if (start, end) in both:
            draft.report(entry, "border-conflict", message + "as an ordinary one.", "one_way", word)
        elif start < end and (end, start) in single:
            reason = message + "one-way from there; use neighbours."
            draft.report(entry, "border-conflict", reason, "one_way", word)


def _check_degree(draft: format.BoardDraft, entry: format.TomlTable, degree: int) -> None:
    if degree > records.NEIGHBOURS:
        message = f"it has {degree} borders; at most {records.NEIGHBOURS} will fit."
        draft.report(entry, "too-many", message, "neighbours")


def _check_optional(
    draft: format.BoardDraft, both: set[format.Border], names: format.BoardNames
) -> set[format.Border]:
    removable: set[format.Border] = set()
    for entry in draft.entries["optional_border"]:
        ends = _resolve(draft, entry, "between", "territory", names)
        if len(ends) == 2 and (ends[0], ends[1]) not in both:
            message = "these two are not declared as neighbours."
            draft.report(entry, "unknown-border", message, "between")
        elif len(ends) == 2:
            removable |= {(ends[0], ends[1]), (ends[1], ends[0])}
    return removable


def _check_reach(draft: format.BoardDraft, edges: set[format.Border]) -> None:
    territories = draft.entries["territory"]
    without = " without the optional borders" if draft.entries["optional_border"] else ""
    # One-way borders: a territory must be reachable from the first, and the first from it.
    there = _reached(edges)
    back = _reached({(end, start) for start, end in edges})
    for index, entry in enumerate(territories):
        first = territories[0].label.removeprefix("territory ")
        if index not in there:
            draft.report(entry, "unreachable", f"no way leads here from {first}{without}.")
        elif index not in back:
            draft.report(entry, "unreachable", f"no way leads from here to {first}{without}.")


def _reached(edges: set[format.Border]) -> set[int]:
    """All territories that can be reached from the first."""
    # A search from the first territory; waiting holds those whose neighbours are still unknown.
    ways: dict[int, list[int]] = {}
    for start, end in edges:
        ways.setdefault(start, []).append(end)
    reached, waiting = {0}, [0]
    while waiting:
        new = set(ways.get(waiting.pop(), ())) - reached
        reached |= new
        waiting += new
    return reached


def _check_designs(draft: format.BoardDraft) -> None:
    territories = draft.entries["territory"]
    given = [entry.values["designs"] for entry in territories if "designs" in entry.values]
    tables = {table for designs in given if isinstance(designs, dict) for table in designs}
    for entry in territories if given else []:
        designs = entry.values.get("designs", {})
        by_table = designs if isinstance(designs, dict) else {"": designs}
        for design in by_table.values():
            _check_design(draft, entry, design)
        missing = sorted(tables - by_table.keys())
        if "designs" not in entry.given or (by_table and missing and "" not in by_table):
            where = f" in {one_of(missing)}" if missing else ""
            message = f"other territories have a card design{where}, this one has none."
            draft.report(entry, "missing-design", message, "designs")


def _check_design(draft: format.BoardDraft, entry: format.TomlTable, design: str) -> None:
    if design not in format.DESIGN_NAMES:
        message = f"a design is {one_of(format.DESIGN_NAMES)}, not {quoted(design)}."
        draft.report(entry, "unknown-design", message, "designs", design)


def _check_missions(draft: format.BoardDraft) -> None:
    names = _names(draft, "continent")
    for entry in draft.entries["mission"]:
        kind = entry.values.get("kind", "")
        _check_keys(draft, entry, MISSION_NEEDS.get(kind, ()), MISSION_ALLOWS.get(kind))
        continents = _resolve(draft, entry, "continents", "continent", names)
        if kind == "continents" and "continents" in entry.values and len(set(continents)) != 2:
            message = "a mission names two different continents; third = true asks for one more."
            draft.report(entry, "bad-value", message, "continents")


def _check_objectives(draft: format.BoardDraft) -> None:
    names = _names(draft, "continent")
    for entry in draft.entries["objective"]:
        needs = OBJECTIVE_NEEDS.get(entry.values.get("kind", ""))
        _check_keys(draft, entry, needs or (), needs)
        _resolve(draft, entry, "continent", "continent", names)


def _check_keys(
    draft: format.BoardDraft,
    entry: format.TomlTable,
    needs: Iterable[str],
    allows: tuple[str, ...] | None,
) -> None:
    kind = entry.values.get("kind")
    for key in needs:
        if key not in entry.given:
            message = f"kind {kind} needs the field {key}."
            draft.report(entry, "missing-field", message, "kind")
    general = ("id", "text", "class", "kind")
    for key in entry.values if allows is not None else ():
        if key not in (*general, *(allows or ())):
            draft.report(entry, "unknown-key", f"kind {kind} has no field {key}.", key)


def _check_counts(draft: format.BoardDraft) -> None:
    size = len(draft.entries["territory"])
    for board in draft.entries["board"]:
        _at_most(draft, board, "cities", size)
        _at_most(draft, board, "mission_fallback", size)
        if draft.entries["mission"] and "mission_fallback" not in board.values:
            draft.report(board, "missing-field", "a board with missions needs mission_fallback.")
        limits = {
            "cities": board.values.get("cities", 0),
            "cities_in_turn": board.values.get("cities", 0),
            "continents": len(draft.entries["continent"]),
        }
        for entry in (*draft.entries["mission"], *draft.entries["objective"]):
            _at_most(draft, entry, "count", limits.get(entry.values.get("kind", ""), size))


def _at_most(draft: format.BoardDraft, entry: format.TomlTable, key: str, most: int) -> None:
    given = entry.values.get(key, 0)
    if given > most:
        message = f"{key} is {given}, but this board has only {most} of them."
        draft.report(entry, "bad-value", message, key)


# Reading a board file: the board, or everything that is wrong with the file at once.

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


def parse(text: str, source: str = "this text", path: Path | None = None) -> format.BoardParts:
    """The board that a TOML text describes; BoardError with every problem of it otherwise."""
    if len(text) > LARGEST:
        raise RubiconError("board/too-large", f"{source} is too long for a board.")
    draft = format.read_fields(text)
    if draft.entries:
        check(draft)
    if draft.problems:
        raise format.BoardError(source, tuple(sorted(dict.fromkeys(draft.problems))))
    return _parts(draft, path)


def _parts(draft: format.BoardDraft, path: Path | None) -> format.BoardParts:
    board = draft.entries["board"][0].values
    both = _edges(draft, "neighbours")
    one_way = _edges(draft, "one_way")
    return format.BoardParts(
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


def _edges(draft: format.BoardDraft, key: str) -> list[format.Border]:
    ids = draft.ids("territory")
    return [
        (index, ids[end])
        for index, entry in enumerate(draft.entries["territory"])
        for end in entry.values.get(key, ())
    ]


def _continents(draft: format.BoardDraft) -> tuple[format.Continent, ...]:
    lies_in = [entry.values["continent"] for entry in draft.entries["territory"]]
    return tuple(
        format.Continent(
            id=entry.values["id"],
            name=entry.values["name"],
            names=_by_language(entry.values),
            aliases=tuple(entry.values.get("aliases", ())),
            bonus=entry.values["bonus"],
            territories=tuple(at for at, to in enumerate(lies_in) if to == entry.values["id"]),
        )
        for entry in draft.entries["continent"]
    )


def _territories(
    draft: format.BoardDraft, edges: set[format.Border]
) -> tuple[format.Territory, ...]:
    continents = draft.ids("continent")
    return tuple(
        format.Territory(
            id=entry.values["id"],
            name=entry.values["name"],
            names=_by_language(entry.values),
            aliases=tuple(entry.values.get("aliases", ())),
            continent=continents[entry.values["continent"]],
            neighbours=tuple(sorted(end for start, end in edges if start == index)),
            designs=_designs(entry.values.get("designs", format.DESIGN_NAMES[index % 3])),
            stars=entry.values.get("stars", 1),
        )
        for index, entry in enumerate(draft.entries["territory"])
    )


def _by_language(values: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(values.get("names", {}).items()))


def _designs(given: str | dict[str, str]) -> tuple[tuple[str, records.Design], ...]:
    tables = {"": given} if isinstance(given, str) else given
    return tuple((table, records.Design[design.upper()]) for table, design in tables.items())


def _optional_borders(draft: format.BoardDraft) -> tuple[format.OptionalBorder, ...]:
    ids = draft.ids("territory")
    given = [entry.values for entry in draft.entries["optional_border"]]
    ends = [sorted(ids[end] for end in values["between"]) for values in given]
    return tuple(
        format.OptionalBorder(values["option"], (low, high))
        for values, (low, high) in zip(given, ends, strict=True)
    )


def _mission(draft: format.BoardDraft, values: dict[str, Any]) -> format.Mission:
    continents = draft.ids("continent")
    kind = records.MissionKind[values["kind"].upper()]
    return format.Mission(
        id=values["id"],
        text=values["text"],
        kind=kind,
        continents=tuple(continents[name] for name in values.get("continents", ())),
        third=values.get("third", False),
        count=values.get("count", 0),
        minimum=values.get("minimum", 1 if kind is records.MissionKind.TERRITORIES else 0),
        colour=values.get("colour", ""),
    )


def _objective(draft: format.BoardDraft, values: dict[str, Any]) -> format.Objective:
    named = values.get("continent")
    return format.Objective(
        id=values["id"],
        text=values["text"],
        kind=records.ObjectiveKind[values["kind"].upper()],
        major=values["class"] == "major",
        count=values.get("count", 0),
        continent=draft.ids("continent")[named] if named else records.NONE,
    )
