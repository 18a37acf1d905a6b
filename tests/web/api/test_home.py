"""The HTML pages: they escape what people write, and load nothing from other sites."""

from __future__ import annotations

import json
import re
from functools import partial
from html.parser import HTMLParser

import pytest

from rubicon.client import Client
from rubicon.web.api import api_index
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


@pytest.mark.parametrize("path", ["/", "/api/v1"])
def test_pages_are_valid_and_load_nothing(server: RunningServer, path: str) -> None:
    with server.client("<b>Eve</b>") as eve, server.http() as http:
        eve.open_table(board="skerries", seats=3, title='"><script>alert(1)</script>')
        page = http.get(path)
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
        for path in ("/", "/api/v1"):
            for reference in re.findall(r'href="([^"]+)"', http.get(path).text):
                assert http.get(reference).status_code == 200, reference


def test_open_tables_and_games_to_watch_are_listed(server: RunningServer) -> None:
    with server.client("Ann") as ann, server.http() as http:
        wish = {"board": "skerries", "seats": 3, "bots": {1: "greedy", 2: "greedy"}}
        running = ann.open_table(**wish, title="It runs")["game"]
        ann.start(running)
        ann.open_table(board="skerries", seats=3, title="It waits", access="private")
        ann.open_table(board="skerries", seats=3, title="For all")
        page = http.get("/").text
    joinable, _, watchable = page.partition("Games to watch")
    assert "For all" in joinable
    assert "2 of 3 seats free" in joinable
    assert "It runs" in watchable
    assert running in watchable
    assert "It waits" not in page


def test_the_program_on_the_home_page_runs(server: RunningServer) -> None:
    with server.http() as http:
        page = http.get("/").text
    program = re.search(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    assert program is not None
    code = program[1].replace("&gt;", ">")
    assert f'Client("{server.url}")' in code
    played: list[str] = []

    class Short(Client):
        """One who leaves after some turns."""

        def submit(self, game: str, *more: object, **options: object) -> dict[str, object]:
            """Submit, and resign a little later."""
            played.append(game)
            told = super().submit(game, *more, **options)  # type: ignore[arg-type]
            if len(played) == 5:
                super().out_of_turn(game, f"resign {told['seat']}")
            return told

    exec(
        code.replace("from rubicon.client import Client", ""),
        {"Client": partial(Short, transport=server.transport)},
    )
    assert len(played) >= 5


def test_the_api_page_lists_every_route_with_its_fields(server: RunningServer) -> None:
    with server.http() as http:
        schema = json.loads(http.get("/api/v1/schema/openapi.json").text)
        page = http.get("/api/v1").text
    for path in schema["paths"]:
        assert f"<code>{path}</code>" in page
    assert "Submit a decision or orders" in page
    assert "text, at most 65,536 characters" in page
    assert "same text for the same decision" in " ".join(page.split())


@pytest.mark.parametrize("host", ['a");import os#', "<b>", "x" * 300, "[::1", ""])
def test_the_home_page_ignores_invalid_host_headers(server: RunningServer, host: str) -> None:
    with server.http() as http:
        page = http.get("/", headers={"host": host})
    if page.status_code == 200:
        assert f'Client("{server.url}")' in page.text
    else:
        assert page.status_code == 400


def test_the_page_of_the_api_is_made_once(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server.http() as http:
        first = http.get("/api/v1")
        monkeypatch.setattr(api_index, "_sections", None)  # it would fail to be called
        again = http.get("/api/v1", params={"another": "query"})
    assert (again.status_code, again.text) == (200, first.text)
