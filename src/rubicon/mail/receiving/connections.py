"""Which connections to the mail server are open, and which of them makes room for another peer.

Where all places are taken, a peer that has few of them gets one from the peer that has the most. So
nobody shuts out others by holding connections, unless from as many addresses as there are places.
"""

from __future__ import annotations

import asyncio
from asyncio.events import TimerHandle
from collections import Counter
from dataclasses import dataclass

from rubicon.networks import limited_address

MOST_CONNECTIONS = 40
MOST_OF_PEER = 20  # one mail server may bring all our e-mails
MESSAGE_SECONDS = 120.0  # until a message has come, and from each message to the next one
SESSION_SECONDS = 600.0
# A connection so young is left alone by peers who have as many as its own: it is enough for an
# e-mail, where many peers push each other out.
SPARED_SECONDS = 5.0
TOO_MANY_CONNECTIONS = b"421 4.3.2 Too many connections, try again later\r\n"
TOO_SLOW = b"421 4.4.2 No e-mail came in time, try again later\r\n"


@dataclass(slots=True)
class _Place:
    """The place of a connection; `since` it has brought no message, in seconds of the loop."""

    peer: str
    opened: float
    since: float
    timer: TimerHandle


class Connections:
    """The open connections, which are counted in all and by peer."""

    def __init__(self) -> None:
        self._open: dict[asyncio.BaseTransport, _Place] = {}

    def admit(self, transport: asyncio.Transport) -> bool:
        """Whether the connection has a place now; another one may be ended for it."""
        peer = limited_address(str((transport.get_extra_info("peername") or ("",))[0]))
        of_peer = Counter(place.peer for place in self._open.values())
        if of_peer[peer] >= MOST_OF_PEER:
            return False
        if len(self._open) >= MOST_CONNECTIONS and not self._make_room(peer, of_peer):
            return False
        at = asyncio.get_running_loop().time()
        self._open[transport] = _Place(peer, at, at, self._timer(transport, at, at))
        return True

    def note_message(self, transport: asyncio.BaseTransport) -> None:
        """A connection has brought a message: it has time for another one."""
        place = self._open.get(transport)
        if place is not None and isinstance(transport, asyncio.Transport):
            place.timer.cancel()
            place.since = asyncio.get_running_loop().time()
            place.timer = self._timer(transport, place.opened, place.since)

    def remove(self, transport: asyncio.BaseTransport) -> None:
        """Forget a connection."""
        place = self._open.pop(transport, None)
        if place is not None:
            place.timer.cancel()  # it would keep the connection in memory

    def close(self) -> None:
        """Cut off all of them."""
        for transport in list(self._open):
            transport.close()

    def _make_room(self, peer: str, of_peer: Counter[str]) -> bool:
        """End the connection of the peer with the most that has brought nothing for longest."""
        most = max(of_peer.values())
        if most < of_peer[peer] + 1:
            return False
        held = ((one, place) for one, place in self._open.items() if of_peer[place.peer] == most)
        oldest, place = min(held, key=lambda pair: pair[1].since)
        age = asyncio.get_running_loop().time() - place.since
        if most == of_peer[peer] + 1 and age < SPARED_SECONDS:
            return False
        self._end(oldest, TOO_MANY_CONNECTIONS)
        return True

    def _timer(self, transport: asyncio.Transport, opened: float, since: float) -> TimerHandle:
        """Ends a connection whose time is over."""
        at = min(opened + SESSION_SECONDS, since + MESSAGE_SECONDS)
        return asyncio.get_running_loop().call_at(at, self._end, transport, TOO_SLOW)

    def _end(self, transport: asyncio.BaseTransport, reply: bytes) -> None:
        self.remove(transport)
        assert isinstance(transport, asyncio.Transport)
        end(transport, reply)


def end(transport: asyncio.Transport, reply: bytes) -> None:
    """End a connection with a last reply, at once: a peer that reads nothing is not waited for."""
    transport.write(reply)
    if transport.get_write_buffer_size():
        transport.abort()
    else:
        transport.close()
