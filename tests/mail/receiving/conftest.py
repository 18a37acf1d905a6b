"""An inbox in memory, and a running server that fills it by LMTP or by SMTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rubicon.mail.mail_server import IncomingMailServer, ListenAt
from tests.mail.receiving.inboxes import PLAY, MemoryInbox


@pytest.fixture
def inbox() -> MemoryInbox:
    return MemoryInbox()


@pytest.fixture(params=["lmtp", "smtp"])
def server(request: pytest.FixtureRequest, inbox: MemoryInbox) -> Iterator[IncomingMailServer]:
    at = ListenAt(lmtp=request.param == "lmtp", host="127.0.0.1", port=0)
    running = IncomingMailServer(at, inbox, frozenset({PLAY}))
    running.start()
    yield running
    running.close()
