"""The files of the web app as the server sends them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.web.http import static_files
from tests.web.conftest import RunningServer

PAGE = '<!doctype html><script src="/theme.js"></script>'
SCRIPT = "export const script = 1;\n" * 100


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A small app in the place of the real one."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(PAGE, "utf-8")
    (tmp_path / "assets" / "main-0a1b.js").write_text(SCRIPT, "utf-8")
    (tmp_path / "offline.html").write_text(PAGE, "utf-8")
    (tmp_path / "icon.svg").write_text("<svg/>", "utf-8")
    monkeypatch.setattr(static_files, "FOLDER", tmp_path)
    static_files.app_files.cache_clear()
    yield
    static_files.app_files.cache_clear()


@pytest.mark.parametrize("path", ["/", "/new", "/games/abc", "/games/abc/review", "/rules/classic"])
def test_the_apps_addresses_have_its_page(server: RunningServer, built: None, path: str) -> None:
    with server.http() as http:
        page = http.get(path)
    assert (page.status_code, page.text) == (200, PAGE)
    policy = page.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


def test_a_game_has_a_page_of_its_own(server: RunningServer, built: None) -> None:
    (static_files.FOLDER / static_files.GAME_PAGE).write_text(f"{PAGE}game", "utf-8")
    static_files.app_files.cache_clear()
    with server.http() as http:
        game, review, table = map(http.get, ("/games/abc", "/games/abc/review", "/tables/abc"))
        assert http.get(f"/{static_files.GAME_PAGE}").status_code == 404
    assert [each.text for each in (game, review, table)] == [f"{PAGE}game", PAGE, PAGE]
    assert "script-src 'self';" in game.headers["content-security-policy"]


def test_a_file_with_a_hash_is_kept_for_ever(server: RunningServer, built: None) -> None:
    with server.http() as http:
        script = http.get("/assets/main-0a1b.js")
        plain = http.get("/assets/main-0a1b.js", headers={"accept-encoding": "identity"})
    assert script.text == plain.text == SCRIPT
    assert script.headers["content-encoding"] == "gzip"
    assert int(script.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), 9, mtime=0))
    assert "immutable" in script.headers["cache-control"]
    assert re.fullmatch(
        r"text/javascript\b.*|application/javascript", script.headers["content-type"]
    )


def test_other_files_are_asked_for_again(server: RunningServer, built: None) -> None:
    with server.http() as http:
        first = http.get("/icon.svg")
        again = http.get("/icon.svg", headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, first.headers["content-type"]) == (200, "image/svg+xml")
    assert first.headers["cache-control"] == "no-cache"
    assert (again.status_code, again.content) == (304, b"")


def test_every_page_has_the_policy(server: RunningServer, built: None) -> None:
    with server.http() as http:
        policies = [
            http.get(path).headers.get("content-security-policy")
            for path in ("/", "/admin", "/players/abc", "/offline.html", "/icon.svg")
        ]
    assert policies == [static_files.POLICY] * 4 + [None]


@pytest.mark.parametrize(
    "path",
    ["/index.html", "/assets/index.html", "/assets/..%2Findex.html", "/%2e%2e/secret", "/none.js"],
)
def test_nothing_else_is_sent(server: RunningServer, built: None, path: str) -> None:
    with server.http() as http:
        assert http.get(path).status_code == 404


def test_without_the_built_app_the_page_says_what_to_do(
    server: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_files, "FOLDER", tmp_path)
    static_files.app_files.cache_clear()
    with server.http() as http:
        page = http.get("/")
    static_files.app_files.cache_clear()
    assert page.status_code == 200
    assert "make serve" in page.text
