"""While a server gets ready, its page says for how long; then the server answers instead."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from rubicon.web.http.connections import listen, url_of
from rubicon.web.http.starting_page import ready_sentence, starting_page


@pytest.fixture
def url() -> Iterator[str]:
    """The page of a server that is ready in 20 s."""
    with listen("127.0.0.1", 0) as listening, starting_page(listening, lambda: 19.2):
        yield url_of(listening)


def answer(url: str, accept: str, method: str = "GET") -> tuple[int, dict[str, str], str]:
    request = urllib.request.Request(url, headers={"Accept": accept}, method=method)
    with pytest.raises(urllib.error.HTTPError) as caught, urllib.request.urlopen(request):
        pass
    with caught.value as error:
        return error.code, dict(error.headers), error.read().decode()


@pytest.mark.parametrize("path", ["/", "/games/abc"])
def test_a_browser_gets_a_page(url: str, path: str) -> None:
    status, headers, page = answer(url + path, "text/html,*/*")
    assert status == 503
    assert headers["Retry-After"] == "20"
    assert "The board is ready in 20 s." in page
    assert "'unsafe-inline'" not in headers["Content-Security-Policy"].split("script-src")[1]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_program_gets_an_error_of_the_api(url: str, method: str) -> None:
    status, headers, text = answer(f"{url}/api/v1/guest", "application/json", method)
    assert status == 503
    assert headers["Content-Type"] == "application/json"
    error = json.loads(text)
    assert error["code"] == "server/starting"
    assert error["seconds"] == 20


def test_a_head_has_no_body(url: str) -> None:
    assert answer(url, "*/*", "HEAD")[2] == ""


def test_the_last_second_is_a_moment() -> None:
    assert ready_sentence(0.4) == "The board is ready in a moment."
    assert ready_sentence(1.4) == "The board is ready in 2 s."


def test_the_next_server_answers_on_the_same_socket() -> None:
    """A visitor who comes between the two waits for the next, and is not turned away."""
    with listen("127.0.0.1", 0) as listening:
        with starting_page(listening, lambda: 1.0):
            answer(url_of(listening), "text/html")
        address, port = listening.getsockname()[:2]
        between = HTTPConnection(address, port, timeout=5)
        between.request("GET", "/")
        with starting_page(listening, lambda: 1.0):
            assert between.getresponse().status == 503
        between.close()
