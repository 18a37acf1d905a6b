"""Waiting for what must come by itself, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable

SOON = 30.0  # seconds


def until(wanted: Callable[[], bool], seconds: float = SOON) -> None:
    """Wait for something that must come."""
    latest = time.monotonic() + seconds
    while not wanted():
        assert time.monotonic() < latest, "it never came"
        time.sleep(0.01)
