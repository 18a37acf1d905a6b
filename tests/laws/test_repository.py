"""What holds for the repository as a whole."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
MACHINE_PATH = re.compile(r"(?<![\w.:~/*)}-])/(?:work|root|home|Users|tmp/v)(?:/|\b)")
LONGEST = 600  # lines in a file
SHORT = 10  # lines of a function whose name may say everything

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def ours() -> list[Path]:
    """The files that git tracks or would track."""
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
    """A file as people name it."""
    return file.relative_to(ROOT).as_posix()


def text_of(file: Path) -> str:
    """The text of a file; "" if it is none."""
    try:
        return file.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


def test_the_lock_names_exact_versions_and_no_addresses() -> None:
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; [^/@]+)?", line), line


def test_nothing_names_a_package_index_or_a_mirror() -> None:
    option = re.compile(r"--(extra-)?index-url|--find-links|--trusted-host|PIP_INDEX|UV_INDEX")
    build = [file for file in ours() if file.suffix in {"", ".toml", ".lock", ".cfg", ".yml"}]
    assert [relative(file) for file in build if option.search(text_of(file))] == []


def test_nothing_names_a_path_of_one_machine() -> None:
    found = {
        f"{relative(file)}:{number}"
        for file in ours()
        for number, line in enumerate(text_of(file).splitlines(), 1)
        if MACHINE_PATH.search(line)
    }
    assert found == set()


def test_changes_are_told() -> None:
    fragments = {file.name for file in (ROOT / "changelog.d").glob("*.md")} - {"README.md"}
    assert fragments or (ROOT / "CHANGELOG.md").exists()
    for name in fragments:
        assert (ROOT / "changelog.d" / name).read_text("utf-8").strip(), name


@pytest.mark.parametrize("file", SOURCES, ids=relative)
def test_a_file_can_be_read_in_one_sitting(file: Path) -> None:
    assert len(text_of(file).splitlines()) <= LONGEST


@pytest.mark.parametrize("file", SOURCES, ids=relative)
def test_what_is_public_says_what_it_is(file: Path) -> None:
    tree = ast.parse(text_of(file))
    assert ast.get_docstring(tree), "the module"
    silent = [
        node.name
        for node in tree.body
        if isinstance(node, Definition)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
        and not speaks_for_itself(node)
    ]
    assert silent == []


def speaks_for_itself(node: Definition) -> bool:
    """Whether it is short, or a list of names."""
    bases = node.bases if isinstance(node, ast.ClassDef) else []
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    return lines <= SHORT or any(ast.unparse(base).endswith("Enum") for base in bases)
