"""Ports for servers of the tests."""

from __future__ import annotations

import random
import socket

# Below the ports that systems give to connections: none of those takes a port while its server is
# started again.
FIRST, LAST = 12000, 32000


def free_port() -> int:
    """A port that nothing uses now."""
    while True:
        port = random.SystemRandom().randint(FIRST, LAST)  # other tests run beside this one
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
