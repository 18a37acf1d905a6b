"""The page of a server that is still getting ready: it says for how long, and then reloads.

A small server of its own answers on the socket meanwhile. It stops when the real one is ready;
connections that come in between wait in the socket's queue, so no visitor is turned away.
"""

import json
import math
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from rubicon.web.http.pages import render

SCRIPT = """
const left = document.getElementById("left");
const ask = async () => {
  try {
    const answer = await fetch("/", { headers: { accept: "application/json" }, cache: "no-store" });
    if (answer.status !== 503) { location.reload(); return; }
    left.textContent = (await answer.json()).message;
  } catch { /* the server is between two programs: ask again */ }
  setTimeout(ask, 500);
};
setTimeout(ask, 500);
"""
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{nonce}';"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TIMEOUT = 10.0  # seconds for a connection, from its beginning to the end of the answer
MAX_CONNECTIONS = 100  # at once, each with a thread; one more is closed, and its client asks again
POLL = 0.1  # seconds between two looks at the time
Left = Callable[[], float]  # seconds until the server is ready


def ready_sentence(seconds: float) -> str:
    """When the board is ready, for people."""
    whole = math.ceil(seconds)
    return f"The board is ready in {whole} s." if whole > 1 else "The board is ready in a moment."


class StartingAnswer(BaseHTTPRequestHandler):
    """One request: a browser gets the page, a program the error of the API; both 503."""

    timeout = TIMEOUT
    server: "StartingServer"

    def do_GET(self) -> None:
        """Answer any request in the same way."""
        left = self.server.left()
        sentence = ready_sentence(left)
        if "text/html" in self.headers.get("accept", ""):
            nonce = secrets.token_urlsafe(16)
            body = render("starting.html", sentence=sentence, script=SCRIPT, nonce=nonce)
            self._send(body.encode(), "text/html; charset=utf-8", left, nonce)
        else:
            error = {
                "code": "server/starting",
                "message": sentence,
                "suggestion": "Try again then.",
                "seconds": math.ceil(left),
            }
            self._send(json.dumps(error).encode(), "application/json", left)

    def _send(self, body: bytes, kind: str, left: float, nonce: str = "") -> None:
        self.send_response(503)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY.format(nonce=nonce))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Retry-After", str(max(1, math.ceil(left))))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def version_string(self) -> str:
        """The header Server; without this it would show the version of Python."""
        return "Rubicon"

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the log is for requests to the server itself."""


for method in ("HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
    setattr(StartingAnswer, f"do_{method}", StartingAnswer.do_GET)


class StartingServer(ThreadingHTTPServer):
    """Answers on a socket that listens already.

    Each connection is for one request. It is ended after a time, however slowly bytes still come,
    and none is left when the server is closed.
    """

    daemon_threads = False  # so that `server_close` waits for them

    def __init__(self, listening: socket.socket, left: Left) -> None:
        super().__init__(listening.getsockname()[:2], StartingAnswer, bind_and_activate=False)
        self.socket.close()
        self.socket = listening.dup()
        self.left = left
        self._ends: dict[socket.socket, float] = {}  # when each open connection is ended
        self._lock = threading.Lock()

    def get_request(self) -> tuple[socket.socket, Any]:
        """Accept a connection; where that fails, wait a moment."""
        try:
            return super().get_request()
        except OSError:
            # Without a free file descriptor the connection stays in the queue, and without a pause
            # the loop would use a whole processor.
            time.sleep(POLL)
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, if there are not too many."""
        with self._lock:
            is_free = len(self._ends) < MAX_CONNECTIONS
            if is_free:
                self._ends[request] = time.monotonic() + TIMEOUT
        if is_free:
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        with self._lock:
            self._ends.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """End the connections that have taken too long; the loop calls it again and again."""
        self._end_connections(time.monotonic())

    def server_close(self) -> None:
        """End all connections and their threads."""
        self._end_connections(math.inf)
        super().server_close()

    def _end_connections(self, now: float) -> None:
        """Let the threads of connections that end by now read the end of the input."""
        # Under the lock: a socket that is closed meanwhile may have given its number to another.
        with self._lock:
            for request in [one for one, end in self._ends.items() if end <= now]:
                with suppress(OSError):  # the client has ended it already
                    request.shutdown(socket.SHUT_RD)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: a visitor who goes away early is no fault."""


@contextmanager
def starting_page(listening: socket.socket, left: Left) -> Iterator[None]:
    """Answer all requests with the time that is left, until the block ends."""
    server = StartingServer(listening, left)
    thread = threading.Thread(target=server.serve_forever, args=(POLL,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
