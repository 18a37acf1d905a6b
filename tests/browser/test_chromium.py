"""Without Chromium the browser tests are skipped, but not where CI runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.chromium import CHOSEN, chromium_program


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program named chromium."""
    file = tmp_path / "chromium"
    file.touch(0o755)
    return file


def test_it_is_found_in_the_path(program: Path) -> None:
    assert chromium_program({"PATH": str(program.parent)}) == str(program)


def test_it_is_the_one_that_is_named(program: Path) -> None:
    assert chromium_program({CHOSEN: str(program)}) == str(program)


@pytest.mark.parametrize("environment", [{}, {"PATH": ""}, {"CI": ""}, {"CI": "false"}])
def test_without_it_a_test_is_skipped(environment: dict[str, str]) -> None:
    with pytest.raises(pytest.skip.Exception, match="install Debian's chromium or set RUBICON"):
        chromium_program(environment)


def test_without_it_a_test_of_ci_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match="install Debian's chromium or set RUBICON"):
        chromium_program({"CI": "true"})


def test_a_wrong_name_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match="RUBICON_CHROMIUM=/nowhere names no program"):
        chromium_program({CHOSEN: "/nowhere"})
