"""Which Chromium the tests drive, and how it is started."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

CHOSEN = "RUBICON_CHROMIUM"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
NO_CHROMIUM = f"no Chromium found: install Debian's chromium or set {CHOSEN}=/path"
PLAIN_HOST = "play.example"  # leads to this machine; pages from it by http are no secure context
OWN_HOSTS = ("127.0.0.1", "localhost", PLAIN_HOST)
RESOLVER_RULES = (
    f"MAP {PLAIN_HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
)
ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",  # a container's /dev/shm is too small
    f"--host-resolver-rules={RESOLVER_RULES}",  # nothing leaves this machine
)
START = 180_000  # milliseconds; a second where nothing else runs


def chromium_program(environment: Mapping[str, str]) -> str:
    """The path of Chromium; without one the test is skipped, or fails where CI is set."""
    path = environment.get("PATH", "")
    if chosen := environment.get(CHOSEN):
        found = shutil.which(chosen, path=path)
        return found or pytest.fail(f"{CHOSEN}={chosen} names no program", pytrace=False)
    for name in PROGRAMS:
        if found := shutil.which(name, path=path):
            return found
    if environment.get("CI", "") not in {"", "0", "false"}:
        pytest.fail(NO_CHROMIUM, pytrace=False)
    pytest.skip(NO_CHROMIUM)


@contextmanager
def started_chromium(program: str) -> Iterator[Browser]:
    """A browser without a window. Until it ends, asyncio.run() fails in this thread."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS, timeout=START)
        with browser:
            yield browser
