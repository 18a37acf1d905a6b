"""Checks of the repository as a whole: no machine paths, no missing docstrings."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
MACHINE_PATH = re.compile(r"(?<![\w.:~/*)}-])/(?:work|root|home|Users|tmp/v)(?:/|\b)")
SHORT = 10  # lines of a definition that needs no docstring

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def repository_files() -> list[Path]:
    """The files that git tracks, and new ones that it does not ignore."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    if listing.returncode:
        pytest.skip("not a checkout")
    files = (ROOT / name for name in listing.stdout.split("\0") if name)
    return [file for file in files if file.is_file()]


def relative(file: Path) -> str:
    """A file's path from the root of the repository."""
    return file.relative_to(ROOT).as_posix()


def text_of(file: Path) -> str:
    """The text of a file; "" if it is not UTF-8."""
    try:
        return file.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-test.lock"])
def test_a_lock_names_exact_versions_and_no_addresses(lock: str) -> None:
    lines = (ROOT / lock).read_text("utf-8").splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; [^/@]+)?", line), line


def test_nothing_names_a_package_index_or_a_mirror() -> None:
    option = re.compile(r"--(extra-)?index-url|--find-links|--trusted-host|PIP_INDEX|UV_INDEX")
    build = [
        file for file in repository_files() if file.suffix in {"", ".toml", ".lock", ".cfg", ".yml"}
    ]
    assert [relative(file) for file in build if option.search(text_of(file))] == []


def test_nothing_names_a_path_of_one_machine() -> None:
    found = {
        f"{relative(file)}:{number}"
        for file in repository_files()
        for number, line in enumerate(text_of(file).splitlines(), 1)
        if MACHINE_PATH.search(line)
    }
    assert found == set()


def test_changelog_fragments_are_not_empty() -> None:
    fragments = {file.name for file in (ROOT / "changelog.d").glob("*.md")} - {"README.md"}
    assert fragments or (ROOT / "CHANGELOG.md").exists()
    for name in fragments:
        assert (ROOT / "changelog.d" / name).read_text("utf-8").strip(), name


def test_modules_have_docstrings() -> None:
    assert [relative(file) for file in SOURCES if not ast.get_docstring(tree_of(file))] == []


def test_long_public_definitions_have_docstrings() -> None:
    undocumented = [
        f"{relative(file)}:{node.lineno} {node.name}"
        for file in SOURCES
        for node in tree_of(file).body
        if isinstance(node, Definition)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
        and not needs_no_docstring(node)
    ]
    assert undocumented == []


@cache
def tree_of(file: Path) -> ast.Module:
    """The syntax tree of a source file."""
    return ast.parse(text_of(file))


def needs_no_docstring(node: Definition) -> bool:
    """Whether a definition is short, or a list of names."""
    bases = node.bases if isinstance(node, ast.ClassDef) else []
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    return lines <= SHORT or any(ast.unparse(base).endswith("Enum") for base in bases)
