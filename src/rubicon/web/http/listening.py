"""The socket on which a server listens."""

from __future__ import annotations

import errno
import socket

from rubicon.errors import RubiconError

BACKLOG = 2048


def listen(address: str, port: int) -> socket.socket:
    """A listening socket; RubiconError `serve/port` if the port cannot be used."""
    address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # Without the protocol asyncio's own loop, as on Windows, sets no TCP_NODELAY: an answer that is
    # sent in two parts then waits 40 ms.
    listening = socket.socket(address_family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
    except OSError as error:
        listening.close()
        in_use = error.errno == errno.EADDRINUSE
        reason = "the port is already in use" if in_use else error.strerror or "not possible"
        message = f"Rubicon cannot listen on {address}, port {port}: {reason}."
        suggestion = "Choose another port; --port 0 picks a free one."
        raise RubiconError("serve/port", message, suggestion) from None
    listening.listen(BACKLOG)
    return listening


def url_of(listening: socket.socket) -> str:
    """The URL by which a browser on this machine reaches a socket."""
    address, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(address, address)
    return f"http://{shown}:{port}"
