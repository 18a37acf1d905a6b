"""How many modules and calls an HTTP order crosses until its event is sent: prints JSON.

    python benchmarks/order_path.py [--list]

One attack with its roll is sent to the application in this process, beside a client that watches
the game. Counted are the modules of the package `rubicon` in which a Python function runs between
the request and the event, in all threads, and the calls of such functions. `--list` names them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.hosting import Mover, prepare
from rubicon.mail.writing.game_emails import game_emails
from rubicon.server.server import Server
from rubicon.server.settings import ServerSettings
from rubicon.table.storage.database import Store
from rubicon.web.app import make_app


class CallCounter:
    """Counts the calls of Python functions in `rubicon`, by module, in all threads."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.active = False
        sys.setprofile(self)
        threading.setprofile(self)

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if self.active and event == "call":
            module = str(frame.f_globals.get("__name__", ""))
            if module.startswith("rubicon."):
                self.calls[module] += 1


async def call(app: Any, method: str, path: str, token: str, form: object = None) -> Any:
    """Send a request to an ASGI application; the answer's JSON."""
    body = json.dumps(form).encode() if form is not None else b""
    head = [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode())]
    if form is not None:
        head.append((b"content-type", b"application/json"))
        head.append((b"content-length", str(len(body)).encode()))
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode()}
    scope |= {"query_string": b"", "headers": head, "client": ("127.0.0.1", 1)}
    scope |= {"server": ("localhost", 80), "scheme": "http", "http_version": "1.1", "root_path": ""}
    answer = bytearray()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        answer.extend(message.get("body", b""))

    await app({**scope, "asgi": {"version": "3.0"}}, receive, send)
    return json.loads(answer)


async def watch(app: Any, game: str, heard: asyncio.Queue[bytes]) -> None:
    """Hold a stream of a game's events."""
    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": "/api/v1/events"}
    scope |= {"raw_path": b"/api/v1/events", "query_string": f"games={game}".encode()}
    scope |= {"headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 2), "root_path": ""}
    scope |= {"server": ("localhost", 80), "scheme": "http", "http_version": "1.1"}
    never: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    begun = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        return begun.pop() if begun else await never

    async def send(message: dict[str, Any]) -> None:
        if b"data:" in message.get("body", b""):
            heard.put_nowait(message["body"])

    await app({**scope, "asgi": {"version": "3.0"}}, receive, send)


async def lifespan(app: Any, done: asyncio.Event, ready: asyncio.Event) -> None:
    """Start and stop the application."""
    asked = False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if not asked:
            asked = True
            return {"type": "lifespan.startup"}
        await done.wait()
        return {"type": "lifespan.shutdown"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "lifespan.startup.complete":
            ready.set()

    await app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send)


async def measure(server: Server, mover: Mover, counter: CallCounter) -> None:
    """Send orders, and count the last one."""
    app, done, ready = make_app(server), asyncio.Event(), asyncio.Event()
    life = asyncio.create_task(lifespan(app, done, ready))
    await ready.wait()
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    watching = asyncio.create_task(watch(app, mover.game, heard))
    path = f"/api/v1/games/{mover.game}"
    decision = (await call(app, "GET", path, mover.token))["decision"]
    for last in (False, False, True):  # caches are filled by the first ones
        while not heard.empty():
            heard.get_nowait()
        counter.active = last
        form = {"decision": decision, "text": mover.attack}
        decision = (await call(app, "POST", f"{path}/submit", mover.token, form))["decision"]
        await asyncio.wait_for(heard.get(), 10)
        counter.active = False
        await asyncio.sleep(0.5)
    watching.cancel()
    done.set()
    await life


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    counter = CallCounter()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'table.db'}"
        store = Store.open(url)
        (mover,) = prepare(store, 1)
        store.close()
        asyncio.run(measure(Server(ServerSettings(store=url), game_emails), mover, counter))
    packages = Counter(module.split(".")[1] for module in counter.calls)
    print(
        json.dumps(
            {
                "modules": len(counter.calls),
                "calls": counter.calls.total(),
                "modules_by_package": dict(packages.most_common()),
            }
            | ({"calls_by_module": dict(counter.calls.most_common())} if arguments.list else {}),
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
