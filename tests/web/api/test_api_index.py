"""The page of the API: it loads nothing, and lists what there is."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from rubicon.web.http import pages
from tests.web.conftest import RunningServer

VOID = {"meta", "link", "br"}


class Whole(HTMLParser):
    """Notes tags that are not closed, and everything that a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.refers: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        self.refers += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_endtag(self, tag: str) -> None:
        """It is closed."""
        assert self.open.pop() == tag


def test_the_page_of_the_api_is_valid_and_loads_nothing(server: RunningServer) -> None:
    with server.client("<b>Eve</b>") as eve, server.http() as http:
        eve.open_table(board="skerries", seats=3, title='"><script>alert(1)</script>')
        page = http.get("/api/v1")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
    reader = Whole()
    reader.feed(page.text)
    assert reader.open == []
    assert not reader.tags & {"script", "img", "link", "iframe", "form"}
    assert all(re.fullmatch(r"/[\w/.]*", reference) for reference in reader.refers)
    assert "prefers-color-scheme: dark" in page.text
    assert "width=device-width" in page.text


def test_links_on_the_pages_work(server: RunningServer) -> None:
    with server.http() as http:
        for reference in re.findall(r'href="([^"]+)"', http.get("/api/v1").text):
            assert http.get(reference).status_code == 200, reference


def test_the_api_page_lists_every_route_with_its_fields(server: RunningServer) -> None:
    with server.http() as http:
        schema = json.loads(http.get("/api/v1/schema/openapi.json").text)
        page = http.get("/api/v1").text
    for path in schema["paths"]:
        assert f"<code>{path}</code>" in page
    assert "Submit a decision or orders" in page
    assert "text, at most 65,536 characters" in page
    assert "same text for the same decision" in " ".join(page.split())


def test_the_page_of_the_api_is_made_once(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server.http() as http:
        first = http.get("/api/v1")
        monkeypatch.setattr(pages, "_sections", None)  # it would fail to be called
        again = http.get("/api/v1", params={"another": "query"})
    assert (again.status_code, again.text) == (200, first.text)
