"""Imports go down only, late ones included; third-party packages by room; no cycles."""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
PACKAGE = "rubicon"

# The rooms from the ground up: what each may import of ours and of others.
ROOMS: dict[str, set[str]] = {
    "rules": set(),
    "dice": {"rules"},  # its errors only
    "odds": {"rules"},
    "orders": {"rules", "odds"},
    "players": {"rules"},
    "table": {"rules", "dice", "orders"},
    "host": {"rules", "orders", "odds", "players", "table"},
    "client": set(),
    "web": {"rules", "dice", "orders", "odds", "table", "host"},
    "cli": {"rules", "dice", "odds", "orders", "players", "table", "host", "web"},
}
PACKAGES = {
    "rules": {"numpy", "numba"},
    "dice": set(),
    "odds": {"numpy", "numba"},
    "orders": {"numpy", "numba"},
    "players": {"numpy", "numba"},
    "table": {"numpy", "msgspec", "sqlalchemy", "alembic", "psycopg"},
    "host": {"numpy", "sqlalchemy", "aiosmtplib", "structlog"},
    "client": {"httpx", "msgspec"},
    "web": {"litestar", "msgspec", "uvicorn", "structlog", "prometheus_client", "sqlalchemy"},
    "cli": {"numpy", "click", "rich", "prompt_toolkit"},
}
NAMELESS = {"utils", "util", "common", "helpers", "models", "core", "misc"}
# Chance and time come from outside.
OUTSIDE = {"asyncio", "datetime", "random", "secrets", "socket", "threading", "time", "uuid"}


def module_of(file: Path) -> str:
    """The dotted name of a source file."""
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(file): file for file in sorted((SOURCE / PACKAGE).rglob("*.py"))}


def room_of(module: str) -> str:
    """The room of one of our modules; "" for the package itself."""
    return [*module.split("."), ""][1]


def is_for_types(node: ast.AST) -> bool:
    """Whether a statement is `if TYPE_CHECKING:`."""
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def import_statements(node: ast.AST, with_types: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import below `node`, in functions too."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    only_for_types = is_for_types(node) and not with_types
    children = node.orelse if only_for_types and isinstance(node, ast.If) else None
    for child in ast.iter_child_nodes(node) if children is None else children:
        yield from import_statements(child, with_types)


def imports(module: str, with_types: bool = True) -> Iterator[str]:
    """The full names of the modules that a module imports; for ours, never a name inside one."""
    for node in import_statements(ast.parse(FILES[module].read_text("utf-8")), with_types):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
            continue
        assert not node.level, f"{module}: relative import"
        for name in node.names:
            full = f"{node.module}.{name.name}"
            yield full if full in FILES else str(node.module)


def is_ours(name: str) -> bool:
    """Whether a module is of this package."""
    return name.partition(".")[0] == PACKAGE


def test_every_room_is_in_the_table() -> None:
    rooms = {room_of(module) for module in FILES} - {""}
    assert rooms <= ROOMS.keys(), "add the room, and what it may import, to ROOMS and PACKAGES"


@pytest.mark.parametrize("module", FILES)
def test_imports_go_down_only(module: str) -> None:
    room = room_of(module)
    allowed = {"", room} | ROOMS.get(room, set(ROOMS))
    above = [name for name in imports(module) if is_ours(name) and room_of(name) not in allowed]
    assert not above, f"{module} ({room}) may import only from {sorted(allowed)}"


@pytest.mark.parametrize("module", FILES)
def test_packages_of_others_by_room(module: str) -> None:
    allowed = PACKAGES.get(room_of(module), set()) | sys.stdlib_module_names
    theirs = {name.partition(".")[0] for name in imports(module) if not is_ours(name)}
    assert theirs <= allowed


@pytest.mark.parametrize("module", [module for module in FILES if room_of(module) == "rules"])
def test_rules_have_no_clock_and_no_chance(module: str) -> None:
    assert not {name.partition(".")[0] for name in imports(module)} & OUTSIDE


@pytest.mark.parametrize("module", [module for module in FILES if room_of(module) == "dice"])
def test_dice_know_no_rules_and_have_no_chance_of_their_own(module: str) -> None:
    ours = {name for name in imports(module) if is_ours(name) and room_of(name) != "dice"}
    assert ours <= {"rubicon.rules.errors"}
    assert not {name.partition(".")[0] for name in imports(module)} & OUTSIDE


def test_a_module_is_named_for_what_it_holds() -> None:
    assert not [module for module in FILES if NAMELESS & set(module.split("."))]


def test_no_cycles() -> None:
    graph = {
        module: {name for name in imports(module, with_types=False) if name in FILES} - {module}
        for module in FILES
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_the_reader_sees_late_imports_and_tells_types_apart() -> None:
    code = (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    import a\nelse:\n    import b\n"
        "def f():\n    if f:\n        import c\n"
    )

    def names(with_types: bool) -> list[str]:
        found = import_statements(ast.parse(code), with_types)
        return [node.names[0].name for node in found if isinstance(node, ast.Import)]

    assert names(with_types=True) == ["a", "b", "c"]
    assert names(with_types=False) == ["b", "c"]
