"""While a server gets ready, its page says for how long; then the server answers instead."""

import errno
import json
import socket
import socketserver
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from rubicon.web.http import starting_page as module
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


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_a_program_gets_an_error_of_the_api(url: str, method: str) -> None:
    status, headers, text = answer(f"{url}/api/v1/guest", "application/json", method)
    assert status == 503
    assert headers["Content-Type"] == "application/json"
    assert headers["Retry-After"] == "20"
    assert headers["Server"] == "Rubicon"
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


# It stays small, whatever clients do.

HALF = b"GET / HTTP/1.1\r\nHost:"  # of a request
PATIENCE = 8.0  # seconds; less than TIMEOUT


def connected(listening: socket.socket) -> socket.socket:
    client = socket.create_connection(listening.getsockname()[:2], timeout=PATIENCE)
    client.sendall(HALF)
    return client


def is_ended(client: socket.socket) -> bool:
    """Close a connection; whether the server has ended it before."""
    with client:
        try:
            while client.recv(4096):
                pass
        except ConnectionResetError:
            pass
        except TimeoutError:
            return False
        return True


def test_a_connection_too_many_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CONNECTIONS", 2, raising=False)
    with listen("127.0.0.1", 0) as listening, starting_page(listening, lambda: 1.0):
        first, second, third = (connected(listening) for _ in range(3))
        assert is_ended(third)
        first.sendall(b" a\r\n\r\n")
        assert is_ended(first)  # it is answered, and makes room
        answer(url_of(listening), "text/html")
        second.close()


def test_a_slow_request_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its time counts from its beginning, not from its last byte."""
    monkeypatch.setattr(module, "TIMEOUT", 0.0)
    with (
        listen("127.0.0.1", 0) as listening,
        starting_page(listening, lambda: 1.0),
    ):
        assert is_ended(connected(listening))


def test_no_thread_is_left_when_the_server_takes_over() -> None:
    before = set(threading.enumerate())
    with listen("127.0.0.1", 0) as listening:
        with starting_page(listening, lambda: 1.0):
            client = connected(listening)
            answer(url_of(listening), "text/html")  # so the first is accepted
        assert set(threading.enumerate()) <= before
        assert is_ended(client)


def test_without_free_files_the_loop_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    pauses: list[float] = []
    monkeypatch.setattr(socketserver.TCPServer, "get_request", none_left)
    with listen("127.0.0.1", 0) as listening:
        server = module.StartingServer(listening, lambda: 1.0)
        monkeypatch.setattr("time.sleep", pauses.append)
        with pytest.raises(OSError, match="Too many"):
            server.get_request()
        server.server_close()
    assert pauses == [module.POLL]
