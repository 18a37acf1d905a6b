"""Checks across the fields of a board file: names, borders, cards, missions."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from rubicon.engine.records.position import MISSIONS, OBJECTIVES, TERRITORIES
from rubicon.engine.records.tables import CONTINENTS, NEIGHBOURS
from rubicon.rules.board.model import BoardProblem, Border
from rubicon.rules.board.names import BoardNames, compact
from rubicon.rules.board.schema import DESIGN_NAMES, BoardDraft, TomlTable
from rubicon.wording import one_of, quoted

MOST = {
    "continent": CONTINENTS,
    "territory": TERRITORIES,
    "mission": MISSIONS,
    "objective": OBJECTIVES,
    "optional_border": TERRITORIES,
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


def check(draft: BoardDraft) -> None:
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


def _few_enough(draft: BoardDraft) -> bool:
    over = [section for section, most in MOST.items() if len(draft.entries[section]) > most]
    for section in over:
        first = draft.entries[section][MOST[section]]
        given = len(draft.entries[section])
        message = f"this board has {given} {section} tables; at most {MOST[section]} will fit."
        draft.report(first, "too-many", message)
    for section, least in (("continent", 1), ("territory", 2)):
        if len(draft.entries[section]) < least:
            message = f"A board needs at least {least} [[{section}]] tables."
            draft.problems.append(BoardProblem(1, "board/too-few", message))
    return not over


def _check_ids(draft: BoardDraft, section: str) -> None:
    ids = draft.ids(section)
    for index, entry in enumerate(draft.entries[section]):
        first = ids.get(entry.values.get("id", ""), index)
        if first != index:
            line = draft.lines.line(section, first, "id")
            draft.report(entry, "duplicate-id", f"this id is used already, in line {line}.", "id")


def _check_order(draft: BoardDraft, section: str, prefix: str) -> None:
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


def _check_names(draft: BoardDraft, section: str) -> None:
    taken: dict[str, TomlTable] = {}
    for entry in draft.entries[section]:
        for key, text in _spellings(entry):
            other = taken.setdefault(compact(text), entry)
            if other is not entry and other.values.get("id") != entry.values.get("id"):
                message = f"{quoted(text)} is already a name of {other.label}."
                draft.report(entry, "duplicate-name", message, key, text)


def _spellings(entry: TomlTable) -> Iterator[tuple[str, str]]:
    for key in ("id", "name"):
        if key in entry.values:
            yield key, entry.values[key]
    for alias in entry.values.get("aliases", ()):
        yield "aliases", alias
    for name in entry.values.get("names", {}).values():
        yield "names", name


def _names(draft: BoardDraft, section: str) -> BoardNames:
    entries = draft.entries[section]
    return BoardNames([text for _, text in _spellings(entry)] for entry in entries)


def _resolve(
    draft: BoardDraft, entry: TomlTable, key: str, section: str, names: BoardNames
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
    draft: BoardDraft, entry: TomlTable, key: str, text: str, names: BoardNames
) -> list[int]:
    section = "continent" if key.startswith("continent") else "territory"
    code = "unknown-neighbour" if key in ("neighbours", "one_way") else f"unknown-{section}"
    near = names.nearest(text, 1) if len(draft.problems) < MOST_SUGGESTIONS else ()
    close = [draft.entries[section][index].values.get("id") for index in near]
    hint = f" Did you mean {close[0]}?" if close and close[0] else ""
    draft.report(entry, code, f"there is no {section} {quoted(text)}.{hint}", key, text)
    return list(near)


def _check_continents(draft: BoardDraft) -> None:
    names = _names(draft, "continent")
    used: set[int] = set()
    for entry in draft.entries["territory"]:
        used.update(_resolve(draft, entry, "continent", "continent", names))
    for index, entry in enumerate(draft.entries["continent"]):
        if index not in used:
            draft.report(entry, "empty-continent", "this continent has no territory.")


def _check_borders(draft: BoardDraft) -> None:
    names = _names(draft, "territory")
    both: set[Border] = set()
    single: dict[Border, TomlTable] = {}
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


def _check_ends(draft: BoardDraft, entry: TomlTable, key: str) -> None:
    for word, times in Counter(entry.values.get(key, ())).items():
        if word == entry.values.get("id"):
            draft.report(entry, "own-neighbour", "a territory cannot border itself.", key, word)
        if times > 1:
            message = f"{key} names {quoted(word)} {times} times."
            draft.report(entry, "duplicate-border", message, key, word)


def _check_one_way(draft: BoardDraft, both: set[Border], single: dict[Border, TomlTable]) -> None:
    for (start, end), entry in single.items():
        word = draft.entries["territory"][end].values.get("id", "")
        message = f"the border to {word} is declared one-way, and also "
        if (start, end) in both:
            draft.report(entry, "border-conflict", message + "as an ordinary one.", "one_way", word)
        elif start < end and (end, start) in single:
            reason = message + "one-way from there; use neighbours."
            draft.report(entry, "border-conflict", reason, "one_way", word)


def _check_degree(draft: BoardDraft, entry: TomlTable, degree: int) -> None:
    if degree > NEIGHBOURS:
        message = f"it has {degree} borders; at most {NEIGHBOURS} will fit."
        draft.report(entry, "too-many", message, "neighbours")


def _check_optional(draft: BoardDraft, both: set[Border], names: BoardNames) -> set[Border]:
    removable: set[Border] = set()
    for entry in draft.entries["optional_border"]:
        ends = _resolve(draft, entry, "between", "territory", names)
        if len(ends) == 2 and (ends[0], ends[1]) not in both:
            message = "these two are not declared as neighbours."
            draft.report(entry, "unknown-border", message, "between")
        elif len(ends) == 2:
            removable |= {(ends[0], ends[1]), (ends[1], ends[0])}
    return removable


def _check_reach(draft: BoardDraft, edges: set[Border]) -> None:
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


def _reached(edges: set[Border]) -> set[int]:
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


def _check_designs(draft: BoardDraft) -> None:
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


def _check_design(draft: BoardDraft, entry: TomlTable, design: str) -> None:
    if design not in DESIGN_NAMES:
        message = f"a design is {one_of(DESIGN_NAMES)}, not {quoted(design)}."
        draft.report(entry, "unknown-design", message, "designs", design)


def _check_missions(draft: BoardDraft) -> None:
    names = _names(draft, "continent")
    for entry in draft.entries["mission"]:
        kind = entry.values.get("kind", "")
        _check_keys(draft, entry, MISSION_NEEDS.get(kind, ()), MISSION_ALLOWS.get(kind))
        continents = _resolve(draft, entry, "continents", "continent", names)
        if kind == "continents" and "continents" in entry.values and len(set(continents)) != 2:
            message = "a mission names two different continents; third = true asks for one more."
            draft.report(entry, "bad-value", message, "continents")


def _check_objectives(draft: BoardDraft) -> None:
    names = _names(draft, "continent")
    for entry in draft.entries["objective"]:
        needs = OBJECTIVE_NEEDS.get(entry.values.get("kind", ""))
        _check_keys(draft, entry, needs or (), needs)
        _resolve(draft, entry, "continent", "continent", names)


def _check_keys(
    draft: BoardDraft, entry: TomlTable, needs: Iterable[str], allows: tuple[str, ...] | None
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


def _check_counts(draft: BoardDraft) -> None:
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


def _at_most(draft: BoardDraft, entry: TomlTable, key: str, most: int) -> None:
    given = entry.values.get(key, 0)
    if given > most:
        message = f"{key} is {given}, but this board has only {most} of them."
        draft.report(entry, "bad-value", message, key)
