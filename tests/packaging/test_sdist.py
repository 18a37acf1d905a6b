"""An sdist carries the built web app: whoever installs it needs no Node."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import venv
from pathlib import Path

import pytest

from tests.browser.app.built import built_app
from tests.packaging.test_wheel import clean_environment, run

NODE = "nodejs"
REQUIRED = "import hatch_build; print(hatch_build.get_requires_for_build_wheel())"


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has the build backend, and no Node."""
    folder = tmp_path_factory.mktemp("backend")
    venv.create(folder, with_pip=True, symlinks=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "hatchling")
    return python


@pytest.fixture(scope="module")
def unpacked(backend: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked sdist of these sources."""
    built_app()
    folder = tmp_path_factory.mktemp("sdist")
    run(backend, "-c", f"import hatch_build; hatch_build.build_sdist({str(folder)!r})")
    (file,) = folder.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        archive.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir())


@pytest.mark.full
def test_it_has_the_built_app_and_its_sources(unpacked: Path) -> None:
    app = unpacked / "src" / "rubicon" / "web" / "app_files"
    there = {path.relative_to(app) for path in app.rglob("*") if path.is_file()}
    built = built_app()
    assert there == {path.relative_to(built) for path in built.rglob("*") if path.is_file()}
    assert (unpacked / "frontend" / "src" / "main.ts").is_file()
    assert not (unpacked / "frontend" / "node_modules").exists()


@pytest.mark.full
def test_a_wheel_from_it_needs_no_node(backend: Path, unpacked: Path) -> None:
    def required() -> str:
        command = [str(backend), "-c", REQUIRED]
        found = subprocess.check_output(command, cwd=unpacked, env=clean_environment(), text=True)
        return found

    assert "numba" in required()
    assert NODE not in required()
    (unpacked / "frontend" / "src" / "main.ts").write_text("// changed\n", "utf-8")
    assert NODE in required()


@pytest.mark.full
def test_the_app_of_an_sdist_is_that_of_a_checkout(unpacked: Path) -> None:
    """Python alone tells it: the hash of the sources is the one that was built."""
    code = "import runpy; print(runpy.run_path('frontend/build.py')['sources_hash']())"
    said = run(sys.executable, "-c", code).strip()
    assert (unpacked / "src/rubicon/web/app_files/.sources").read_text("utf-8") == said
