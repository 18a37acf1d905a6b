"""The built app: `make` builds it before the tests, and without `make` the first test does."""

from __future__ import annotations

import fcntl
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
BUILD = ROOT / "frontend" / "build.py"
APP = ROOT / "src" / "rubicon" / "web" / "app_files"
LOCK = Path(tempfile.gettempdir()) / "rubicon-app.lock"


@cache
def built_app() -> Path:
    """The folder of the built app, as its sources are now; several workers do not build at once."""
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run([sys.executable, str(BUILD)], check=True)
    assert (APP / "index.html").is_file()
    return APP
