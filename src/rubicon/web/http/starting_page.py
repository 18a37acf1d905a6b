"""The page of a server that is still getting ready: it says for how long, and then reloads.

A small server of its own answers on the socket meanwhile. It stops when the real one is ready;
connections that come in between wait in the socket's queue, so no visitor is turned away.
"""

import json
import math
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
TIMEOUT = 10.0  # seconds for a request to arrive
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

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the log is for requests to the server itself."""


for method in ("HEAD", "POST", "PUT", "PATCH", "DELETE"):
    setattr(StartingAnswer, f"do_{method}", StartingAnswer.do_GET)


class StartingServer(ThreadingHTTPServer):
    """Answers on a socket that listens already."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, listening: socket.socket, left: Left) -> None:
        super().__init__(listening.getsockname()[:2], StartingAnswer, bind_and_activate=False)
        self.socket.close()
        self.socket = listening.dup()
        self.left = left

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: a visitor who goes away early is no fault."""


@contextmanager
def starting_page(listening: socket.socket, left: Left) -> Iterator[None]:
    """Answer all requests with the time that is left, until the block ends."""
    server = StartingServer(listening, left)
    thread = threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
