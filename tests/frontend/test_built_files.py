"""What the build makes: small, the same every time, without inline scripts or foreign addresses."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.app.built import BUILD, ROOT, built_app

BOARDS = ROOT / "src" / "rubicon" / "rules" / "board" / "boards"
KB = 1000
# Gzipped. What a game loads, with one language and its part in the dice; then all screens together.
GAME_SCRIPT, GAME_STYLE, GEOMETRY = 120 * KB, 11 * KB, 60 * KB
SCRIPT, STYLE, FONTS = 270 * KB, 32 * KB, 60 * KB
ADDRESS = re.compile(r"""(?:https?:)?//[\w-]+(?:\.[\w-]+)+[^\s"'`)<>]*""")
# Names of namespaces, and pages that errors name: none is ever requested.
NOT_REQUESTED = ("http://www.w3.org/", "https://svelte.dev/e/")
# In built scripts: `from"./a.js"` and `import"./a.js"`, but not `import("./a.js")`, which waits.
IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*["'`]\./([^"'`]+\.js)["'`]""")
TEXTS = {".html", ".js", ".css", ".svg", ".webmanifest"}


@pytest.fixture(scope="module")
def app() -> Path:
    """The folder of the built app."""
    return built_app()


def gzipped(files: list[Path]) -> int:
    """Bytes of all files, each compressed as the server does."""
    assert files
    return sum(len(gzip.compress(file.read_bytes(), 9, mtime=0)) for file in files)


def imported(app: Path, names: set[str]) -> set[Path]:
    """Scripts with all that they import at once."""
    found: set[Path] = set()
    waiting = {app / "assets" / name for name in names}
    while waiting:
        file = waiting.pop()
        found.add(file)
        names = set(IMPORTED.findall(file.read_text("utf-8")))
        waiting |= {file.parent / name for name in names} - found
    return found


def named(app: Path, page: str, kind: str) -> set[str]:
    """The scripts or styles that a page names."""
    return set(re.findall(rf'"/assets/([^"]+\.{kind})"', (app / page).read_text("utf-8")))


def test_a_game_loads_little_script(app: Path) -> None:
    names = named(app, "game.html", "js")
    catalogues = {name for name in names if name.startswith("catalogue-")}
    assert len(catalogues) == 2  # a page loads one of them
    scripts = imported(app, names - catalogues)
    # All that a game imports statically is named in its page: nothing waits for another file.
    assert {file.name for file in scripts} == names - catalogues
    dice = {file.name for file in (app / "assets").glob("dice.svelte-*.js")}
    worker = {file.name for file in (app / "assets").glob("stream_worker-*.js")}
    assert dice
    assert worker
    scripts |= imported(app, dice | worker) | {app / "theme.js", app / "early.js"}
    largest = max(gzipped([app / "assets" / name]) for name in catalogues)
    assert gzipped(sorted(scripts)) + largest <= GAME_SCRIPT


def test_a_game_loads_few_styles(app: Path) -> None:
    assert gzipped([app / "assets" / name for name in named(app, "game.html", "css")]) <= GAME_STYLE


def test_the_start_page_loads_nothing_of_a_game(app: Path) -> None:
    start = {file.name for file in (app / "assets").glob("Start-*.js")}
    assert start
    scripts = imported(app, start | named(app, "index.html", "js"))
    assert not [file.name for file in scripts if file.name.startswith(("game-", "catalogue-"))]


@pytest.mark.parametrize(("pattern", "most"), [("*.js", SCRIPT), ("*.css", STYLE)])
def test_it_is_small(app: Path, pattern: str, most: int) -> None:
    assert gzipped(sorted(app.rglob(pattern))) <= most


def test_the_fonts_are_small(app: Path) -> None:
    files = sorted(app.rglob("*.woff2"))
    assert files
    assert sum(file.stat().st_size for file in files) <= FONTS


def test_the_shapes_of_a_board_are_small() -> None:
    files = sorted(BOARDS.glob("*.geometry.json"))
    assert files
    assert [file.name for file in files if gzipped([file]) > GEOMETRY] == []


def test_the_page_has_no_inline_script_or_style(app: Path) -> None:
    page = (app / "index.html").read_text("utf-8")
    scripts = re.findall(r"<script\b([^>]*)>(.*?)</script>", page, re.DOTALL)
    assert scripts
    assert all("src=" in attributes and content.strip() == "" for attributes, content in scripts)
    assert not re.search(r"<style\b|\sstyle=|\son\w+=|javascript:", page)


def test_no_script_makes_code_of_text(app: Path) -> None:
    for file in app.rglob("*.js"):
        assert not re.search(r"\beval\(|new Function\(", file.read_text("utf-8")), file.name


def test_no_file_names_a_foreign_address(app: Path) -> None:
    for file in app.rglob("*"):
        if file.suffix in TEXTS:
            found = ADDRESS.findall(file.read_text("utf-8"))
            assert [each for each in found if not each.startswith(NOT_REQUESTED)] == [], file.name


def test_an_address_would_be_found() -> None:
    for text in ('src="//cdn.example.org/a.js"', "@import url(https://fonts.example.com/css);"):
        assert ADDRESS.search(text)
    assert not ADDRESS.search("// a comment. And more")


def test_the_build_is_the_same_every_time(app: Path, tmp_path: Path) -> None:
    """In another folder, by another name, at another time."""
    copy = tmp_path / "another-checkout"
    shutil.copytree(
        ROOT / "frontend", copy / "frontend", ignore=shutil.ignore_patterns("node_modules")
    )
    (copy / "frontend" / "node_modules").symlink_to(ROOT / "frontend" / "node_modules")
    for document in (
        Path("tests/web/api/openapi.json"),
        Path("docs/check_dice.js"),
        Path("docs/example.dice"),
    ):
        (copy / document).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / document, copy / document)
    subprocess.run([sys.executable, str(copy / "frontend" / BUILD.name)], check=True)
    again = copy / "src" / "rubicon" / "web" / "app_files"

    def content(folder: Path) -> dict[str, bytes]:
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}

    assert content(again) == content(app)
