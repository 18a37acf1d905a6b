"""What Python calls of the compiled code is loaded at the start, never compiled in a game."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rubicon
from rubicon.engine.records import compiled
from rubicon.engine.warmup import KERNELS as OF_ENGINE
from rubicon.lab.warmup import KERNELS as OF_LAB
from rubicon.odds.warmup import KERNELS as OF_ODDS
from rubicon.players.warmup import KERNELS as OF_PLAYERS

SOURCE = Path(rubicon.__file__).parent
DECORATORS = {"compiled", "inlined", "unlocked"}
PROCEDURE: Any = type(compiled(lambda: 0))
KERNELS = (*OF_ENGINE, *OF_ODDS, *OF_PLAYERS, *OF_LAB)
ENTRY_POINTS = [procedure for kernel in KERNELS for procedure, _ in kernel.entry_points]


def is_compiled(node: ast.AST) -> bool:
    """Whether a statement defines a procedure: the compiler sees it, Python does not run it."""
    return isinstance(node, ast.FunctionDef) and any(
        ast.unparse(decorator).rpartition(".")[2] in DECORATORS for decorator in node.decorator_list
    )


def python_code(node: ast.AST) -> Iterator[ast.AST]:
    """Everything below `node` that Python runs."""
    for child in ast.iter_child_nodes(node):
        if not is_compiled(child):
            yield child
            yield from python_code(child)


def imported(tree: ast.Module) -> dict[str, Any]:
    """What the names are that a module imports from this package."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "rubicon":
            for name in node.names:
                module = importlib.import_module(str(node.module))
                found[name.asname or name.name] = getattr(module, name.name, None)
    return found


def module_of(file: Path) -> str:
    """The dotted name of a source file."""
    return ".".join(("rubicon", *file.relative_to(SOURCE).with_suffix("").parts))


def procedures_called(file: Path) -> Iterator[Any]:
    """The procedures that the Python code of a module names."""
    tree = ast.parse(file.read_text("utf-8"))
    own = [n.name for n in tree.body if isinstance(n, ast.FunctionDef) and is_compiled(n)]
    module = importlib.import_module(module_of(file)) if own else None
    known = imported(tree) | {name: getattr(module, name) for name in own}
    for node in python_code(tree):
        if isinstance(node, ast.Name):
            yield known.get(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield getattr(known.get(node.value.id), node.attr, None)


def test_every_procedure_that_python_calls_is_an_entry_point_of_a_kernel() -> None:
    strangers = {
        (procedure.__module__, procedure.__name__, file.relative_to(SOURCE).as_posix())
        for file in SOURCE.rglob("*.py")
        if file.name != "warmup.py"
        for procedure in procedures_called(file)
        if isinstance(procedure, PROCEDURE) and procedure not in ENTRY_POINTS
    }
    assert sorted(strangers) == []


def test_no_entry_point_is_in_two_kernels() -> None:
    assert len(ENTRY_POINTS) == len(set(ENTRY_POINTS))
