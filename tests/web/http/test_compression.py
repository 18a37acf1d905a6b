"""Long answers are compressed, but never one that holds a secret beside a text of others."""

from __future__ import annotations

import httpx
import pytest

from tests.web.api.test_api import begun
from tests.web.conftest import RunningServer

LONG = "n" * 40  # characters, as many as a name may have


def coding(answer: httpx.Response) -> str | None:
    """How a successful answer was compressed."""
    assert answer.status_code < 300, answer.text
    found: str | None = answer.headers.get("content-encoding")
    return found


def test_a_game_is_compressed(server: RunningServer) -> None:
    with server.client() as ann, server.http() as http:
        game = begun(ann)
        token = {"authorization": f"Bearer {ann.token}"}
        path = f"/api/v1/games/{game}/"
        assert coding(http.get(path, headers=token)) == "gzip"
        plain = http.get(path, headers=token | {"accept-encoding": "identity"})
        assert coding(plain) is None
        assert plain.json()["id"] == game


def test_a_short_answer_is_not(server: RunningServer) -> None:
    with server.http() as http:
        assert coding(http.get("/healthz")) is None


@pytest.mark.parametrize("path", ["/me", "/me/tokens", "/me/export", "/tables/?which=mine"])
def test_answers_with_secrets_are_not(server: RunningServer, path: str) -> None:
    with server.client(LONG) as ann, server.http() as http:
        token = {"authorization": f"Bearer {ann.token}"}
        for number in range(12):
            ann.open_table(board="skerries", seats=3, title=f"{LONG} {number}")
            ann._session.post("/me/tokens", label=f"{LONG[:35]} {number}")
        answer = http.get(f"/api/v1{path}", headers=token)
        assert coding(answer) is None
        assert path == "/me" or len(answer.content) > 1000


def test_the_openapi_document_is_not(server: RunningServer) -> None:
    with server.http() as http:
        answer = http.get("/api/v1/schema/openapi.json")
    assert coding(answer) is None
    assert len(answer.content) > 100_000  # compressed for each request, it would cost 5 ms


def test_the_event_stream_is_not(server: RunningServer) -> None:
    with server.client() as ann, server.http() as http:
        game = begun(ann)
        parameters = {"games": game, "after": f"{game}:0"}
        with http.stream("GET", "/api/v1/events", params=parameters) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert "content-encoding" not in stream.headers
