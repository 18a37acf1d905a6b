"""The app's own tests (Vitest) pass; where one fails, what it says is shown.

`make check` runs the app's type check.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.browser.app.built import BUILD, built_app


def test_the_tests_of_the_app_pass() -> None:
    built_app()
    command = [sys.executable, str(BUILD), "test"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        said = f"{done.stdout}\n{done.stderr}".strip()
        pytest.fail(f"python frontend/build.py test fails:\n{said}", pytrace=False)
    assert "passed" in done.stdout
