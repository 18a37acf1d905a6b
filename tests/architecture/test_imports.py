"""Imports go down only, late ones included; third-party packages by layer; no cycles."""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
PACKAGE = "rubicon"

# The packages from the ground up: what each may import of ours and of others.
ENGINE_UP = {"engine", "rules"}
LAYERS: dict[str, set[str]] = {
    "engine": set(),
    "rules": {"engine"},
    "rulebook": ENGINE_UP,
    "dice": set(),
    "telling": ENGINE_UP,
    "odds": ENGINE_UP,
    "orders": {*ENGINE_UP, "odds"},
    "casebook": {*ENGINE_UP, "orders"},
    "players": {*ENGINE_UP, "telling", "odds", "orders"},
    "lab": {*ENGINE_UP, "odds", "players"},
    "table": {*ENGINE_UP, "telling", "dice", "orders"},
    "server": {*ENGINE_UP, "telling", "dice", "orders", "odds", "players", "table"},
    "client": {"dice", "engine", "orders", "rules"},
    "mail": {*ENGINE_UP, "telling", "rulebook", "odds", "orders", "table", "server"},
    "web": {*ENGINE_UP, "telling", "rulebook", "dice", "orders", "odds", "table", "server"},
}
# Of `web` it uses the bounds of a connection, and of requests from one address.
LAYERS["dice_server"] = {"dice", "web"}
LAYERS["cli"] = set(LAYERS)
LAYERS["__main__"] = {"cli"}  # python -m rubicon
# Modules of the package itself, which every layer may use.
SHARED = {
    "errors",
    "files",
    "networks",
    "processes",
    "wording",
}
PACKAGES = {
    "engine": {"numpy", "numba"},
    "rules": {"numpy", "msgspec"},
    "rulebook": set(),
    "casebook": {"numpy"},
    "dice": {"cryptography"},
    "telling": set(),
    "odds": {"numpy", "numba"},
    "orders": {"numpy", "numba"},
    "players": {"numpy", "numba"},
    "lab": {"numpy", "numba", "gymnasium", "pettingzoo", "pyarrow"},
    "table": {
        "numpy",
        "msgspec",
        "sqlalchemy",
        "alembic",
        "psycopg",
        "prometheus_client",
        "cachetools",
    },
    "server": {
        "numpy",
        "sqlalchemy",
        "aiosmtplib",
        "cryptography",
        "httpx",
        "structlog",
        "prometheus_client",
        "cachetools",
        "webauthn",
    },
    "client": {"httpx", "msgspec"},
    "mail": {"msgspec", "jinja2", "markupsafe", "PIL", "sqlalchemy", "aiosmtpd", "imap_tools"},
    "web": {
        "litestar",
        "httptools",
        "msgspec",
        "uvicorn",
        "structlog",
        "prometheus_client",
        "sqlalchemy",
        "cachetools",
        "jinja2",
        "segno",
    },
    "dice_server": {"litestar", "uvicorn"},
    "cli": {"numpy", "click", "rich", "prompt_toolkit"},
}
ONE_ROOM = 400  # lines: two modules that one reads together
MOST_IMPORTS = 0.06  # of all lines
# Modules that something else than an import leads to: commands, routes, migrations, plug-ins, and
# what `import rubicon` offers.
ENTRY_POINT = re.compile(
    r"rubicon\.(cli\.\w+|web\.api\.\w+|.*\.__main__|table\.storage\.migrations\..*|rules\.options\.\w+"
    r"|lab\.(gymnasium|pettingzoo)_env|__main__)"
)
MOST_POSITIONAL = 5  # arguments in a call of a class
# Classes that are still called with more: this set only shrinks.
CALLED_AT_LENGTH = {"Request"}  # of the dice protocol
NAMELESS = {"utils", "util", "common", "helpers", "models", "core", "misc"}
RULES = {"engine", "rules"}
# Who takes part in the dice makes secrets of its own: that is all that is left to chance.
PARTICIPANTS = {"rubicon.dice.client", "rubicon.dice.server", "rubicon.dice.dice_server"}
# Says how long the compilation of the rules takes; the rules know nothing of it.
COMPILES = {"rubicon.engine.compiler.workers"}
# Chance and time come from outside.
OUTSIDE = {"asyncio", "datetime", "random", "secrets", "socket", "threading", "time", "uuid"}


def module_of(file: Path) -> str:
    """The dotted name of a source file."""
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(file): file for file in sorted((SOURCE / PACKAGE).rglob("*.py"))}


@cache
def tree_of(module: str) -> ast.Module:
    """The syntax tree of one of our modules."""
    return ast.parse(FILES[module].read_text("utf-8"))


def layer_of(module: str) -> str:
    """The layer of one of our modules; "" for the package itself and what every layer uses."""
    first = [*module.split("."), ""][1]
    return "" if first in SHARED else first


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
    for node in import_statements(tree_of(module), with_types):
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


def above(module: str) -> list[str]:
    """The modules that a module imports although its layer may not."""
    layer = layer_of(module)
    allowed = {"", layer} | LAYERS.get(layer, set())
    return [name for name in imports(module) if is_ours(name) and layer_of(name) not in allowed]


def found_in(
    search: Callable[[str], Iterable[str]], modules: Iterable[str]
) -> dict[str, list[str]]:
    """What `search` finds, by the module it finds it in."""
    return {module: found for module in modules if (found := sorted(search(module)))}


def test_every_layer_is_in_the_table() -> None:
    layers = {layer_of(module) for module in FILES} - {""}
    assert layers <= LAYERS.keys(), "add the layer, and what it may import, to LAYERS and PACKAGES"


def test_imports_go_down_only() -> None:
    public = {PACKAGE}  # the names that `import rubicon` offers, loaded when asked for
    assert found_in(above, FILES.keys() - public) == {}


def test_packages_of_others_by_layer() -> None:
    def foreign(module: str) -> set[str]:
        allowed = PACKAGES.get(layer_of(module), set()) | sys.stdlib_module_names
        return {name.partition(".")[0] for name in imports(module) if not is_ours(name)} - allowed

    assert found_in(foreign, FILES) == {}


def test_rules_and_dice_have_no_clock_and_no_chance_of_their_own() -> None:
    def outside(module: str) -> set[str]:
        return {name.partition(".")[0] for name in imports(module)} & OUTSIDE

    others = PARTICIPANTS | COMPILES
    pure = (m for m in FILES if layer_of(m) in {*RULES, "dice"} and m not in others)
    assert found_in(outside, pure) == {}


def test_a_module_is_named_for_what_it_holds() -> None:
    assert not [module for module in FILES if NAMELESS & set(module.split("."))]


def test_no_import_circle_not_even_of_types() -> None:
    graph = {
        module: {name for name in imports(module) if name in FILES} - {module} for module in FILES
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def importers() -> dict[str, set[str]]:
    """The modules that import each module of ours."""
    found: dict[str, set[str]] = {module: set() for module in FILES}
    for module in FILES:
        for name in set(imports(module)) & FILES.keys() - {module}:
            found[name].add(module)
    return found


def size_of(module: str) -> int:
    """The lines of a module."""
    return len(FILES[module].read_text("utf-8").splitlines())


def test_no_module_is_a_fragment_of_another() -> None:
    """What one module alone imports belongs into it, unless the two fill more than one room."""

    def fragment(module: str, users: set[str]) -> bool:
        if len(users) > 1 or ENTRY_POINT.fullmatch(module) or FILES[module].name == "__init__.py":
            return False
        beside = [user for user in users if layer_of(user) == layer_of(module)]
        return not users or any(size_of(module) + size_of(user) <= ONE_ROOM for user in beside)

    assert [module for module, users in importers().items() if fragment(module, users)] == []


def import_lines(module: str) -> int:
    """The lines of a module that only import."""
    nodes = import_statements(tree_of(module), with_types=True)
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def test_few_lines_are_imports() -> None:
    share = sum(map(import_lines, FILES)) / sum(map(size_of, FILES))
    assert share <= MOST_IMPORTS, f"{share:.1%}: modules that import much of each other are one"


def test_no_class_name_is_defined_twice() -> None:
    homes: dict[str, list[str]] = {}
    for module in FILES:
        for node in tree_of(module).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(module)
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}


def classes_called_at_length(module: str) -> Iterator[str]:
    """The classes of ours that a module calls with more positional arguments than one can read."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Call) and len(node.args) > MOST_POSITIONAL:
            name = ast.unparse(node.func).rpartition(".")[2]
            if name == "cls" or name in CLASSES:
                yield name


CLASSES = {
    node.name
    for module in FILES
    for node in ast.walk(tree_of(module))
    if isinstance(node, ast.ClassDef)
}


def test_a_class_is_called_with_at_most_five_positional_arguments() -> None:
    found = {name for module in FILES for name in classes_called_at_length(module)}
    assert found <= CALLED_AT_LENGTH, "name the arguments: Class(field=...)"


def untyped_positions(module: str) -> Iterator[str]:
    """The parameters, fields and variables called `position` that are `Any` or `object`."""
    for node in ast.walk(tree_of(module)):
        match node:
            case ast.arg(arg="position", annotation=ast.Name(id="Any" | "object")):
                yield f"line {node.lineno}"
            case ast.AnnAssign(
                target=ast.Name(id="position") | ast.Attribute(attr="position"),
                annotation=ast.Name(id="Any" | "object"),
            ):
                yield f"line {node.lineno}"


def test_every_position_is_typed() -> None:
    assert found_in(untyped_positions, FILES) == {}


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
