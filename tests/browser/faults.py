"""What goes wrong in pages: a test that opened them fails by it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page

from tests.browser.chromium import OWN_HOSTS


class Faults:
    """Page errors, errors on the console, requests to foreign hosts and crashes."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.expected: list[str] = []
        self.allowed: list[str] = []

    def watch(self, context: BrowserContext) -> None:
        """Collect the faults of all pages that the context will open."""
        context.on("weberror", lambda error: self.found.append(f"page error: {error.error}"))
        context.on("console", self._console)
        context.on("request", lambda request: self._reached(request.url))
        context.on("page", self._opened)

    def expect(self, pattern: str) -> None:
        """Faults with this regular expression belong to the test; one must come."""
        self.expected.append(pattern)

    def allow(self, pattern: str) -> None:
        """Faults with this regular expression may come, as of a request on its way to a kill."""
        self.allowed.append(pattern)

    def check(self) -> None:
        """Fail by a fault that is not expected, or by an expected one that did not come."""
        came = {p for p in self.expected for fault in self.found if re.search(p, fault)}
        strange = [
            fault
            for fault in self.found
            if not any(re.search(p, fault) for p in (*self.expected, *self.allowed))
        ]
        missing = [f"expected, but did not come: {p}" for p in self.expected if p not in came]
        if strange or missing:
            pytest.fail("\n".join(["faults in the browser:", *strange, *missing]), pytrace=False)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.found.append(f"console error: {message.text} ({message.location['url']})")

    def _opened(self, page: Page) -> None:
        page.on("websocket", lambda socket: self._reached(socket.url))
        page.on("crash", lambda crashed: self.found.append(f"the page crashed: {crashed.url}"))

    def _reached(self, url: str) -> None:
        host = urlsplit(url).hostname  # None of data: and blob:
        if host is not None and host not in OWN_HOSTS:
            self.found.append(f"request to a foreign host: {url}")
