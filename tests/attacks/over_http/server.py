"""A real server on a port, in this process: so that its operator can patch it."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import uvicorn

from rubicon.mail.writing.game_emails import game_emails
from rubicon.server.server import Server
from rubicon.server.settings import ServerSettings
from rubicon.web.app import HttpServer, make_app
from rubicon.web.http.connections import bounded_connections, listen, url_of
from tests.web.conftest import NO_LIMITS, RunningServer

START_TIMEOUT = 60.0  # seconds
MOST_CONNECTIONS = 500


class PortServer:
    """A server that listens on a port; `stop` and `start` restart it on the same one."""

    def __init__(self, folder: Path) -> None:
        store = {"store": f"sqlite:///{folder}/table.db"}
        self.settings = replace(ServerSettings(), **(store | NO_LIMITS))
        self._port = 0
        self.start()

    def start(self) -> None:
        """Listen."""
        listening = listen("127.0.0.1", self._port)
        self._port = listening.getsockname()[1]
        self.server = Server(self.settings, game_emails)
        admin = self.server.accounts.create_admin_token()
        url = url_of(listening)
        self.server.listening_at(url)
        folder = Path(self.settings.store.removeprefix("sqlite:///")).parent
        self.running = RunningServer(url=url, admin=admin or "", folder=folder)
        app = make_app(self.server)
        connections = bounded_connections(
            timeout=self.settings.request_timeout,
            per_address=0,
            max_connections=MOST_CONNECTIONS,
            proxy="",
        )
        config = uvicorn.Config(
            app, http=connections, ws="none", log_config=None, timeout_graceful_shutdown=2
        )
        self._broadcaster = app.state.broadcaster
        self._http = HttpServer(config, self._broadcaster)
        self._listening = listening
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Shut it down cleanly, its database too."""
        self._http.should_exit = True
        self._http._loop.call_soon_threadsafe(self._broadcaster.close)  # type: ignore[attr-defined]
        self._thread.join(START_TIMEOUT)
        assert not self._thread.is_alive()
        self._listening.close()

    def _run(self) -> None:
        async def run() -> None:
            self._http._loop = asyncio.get_running_loop()  # type: ignore[attr-defined]
            await self._http.serve(sockets=[self._listening])

        with asyncio.Runner(loop_factory=self._http.config.get_loop_factory()) as runner:
            runner.run(run())
