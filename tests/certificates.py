"""Certificates that nobody trusts by itself, for servers of tests on this machine."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def self_signed(folder: Path) -> Path:
    """A certificate for 127.0.0.1 with its key, in one file; `cert` beside it is what to trust."""
    if shutil.which("openssl") is None:
        pytest.skip("a certificate cannot be made: openssl is not installed")
    made = "req -x509 -newkey rsa:2048 -nodes -days 2 -keyout key -out cert -subj /CN=127.0.0.1"
    named = "-addext subjectAltName=IP:127.0.0.1"
    command = ["openssl", *made.split(" "), *named.split(" ")]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (folder / "both").write_bytes((folder / "key").read_bytes() + (folder / "cert").read_bytes())
    return folder / "both"
