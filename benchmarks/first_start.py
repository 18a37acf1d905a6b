"""From a fresh clone to one's own first dice, as somebody new meets it: prints JSON.

    python benchmarks/first_start.py [--keep] [--cold]

It clones this repository into an empty folder, runs `make serve` there with an empty home, and
opens the page as a browser does. When the board is there, it starts a game against two bots as
"Play now" does, and attacks. Any Python 3.11 will do: nothing of Rubicon is imported.

In seconds since `make serve`: `page` is when the server answers for the first time, `board` when
the web app is there, and `dice` when one's own first attack has its dice. `again` is how long a
second start takes from its command to its board.
`promised` has what the page said: seconds until the board, by seconds since `make serve`.
`processor` are the seconds of processor time of all that until the dice, `megabytes` what the
environment takes on disk. With `--cold` the cache of the packages is empty as well; the network
then decides more than the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
URL = re.compile(r"http://127\.0\.0\.1:\d+")
QUICK = {"setup.claim": "random", "setup.place": "all_at_once"}  # as "Play now" chooses
PATIENCE = 900.0  # seconds for everything
PAUSE = 0.1
LEAVES_OUT = ("NUMBA_", "PYTHON", "VIRTUAL_ENV", "XDG_", "RUBICON_", "MAKE", "MFLAGS")


class Started:
    """`make serve` in a clone."""

    def __init__(self, clone: Path, environment: dict[str, str]) -> None:
        self.began = time.monotonic()
        self.said: list[str] = []
        self.process = subprocess.Popen(
            ["make", "serve", "ARGS=--port 0"],
            cwd=clone,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        """Keep what it says, with the time."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(f"{self.seconds:6.1f} {line.rstrip()}")

    @property
    def seconds(self) -> float:
        """Since its command."""
        return round(time.monotonic() - self.began, 1)

    def url(self) -> str:
        """The address of its page, once it has said it."""
        while True:
            for line in tuple(self.said):
                if (found := URL.search(line)) is not None:
                    return found[0]
            self.check()

    def check(self) -> None:
        """Wait a little; exit if it has ended or takes too long."""
        if self.process.poll() is not None or self.seconds > PATIENCE:
            sys.exit("\n".join(["make serve has failed:", *self.said]))
        time.sleep(PAUSE)

    def stop(self) -> None:
        """End the server; make then waits for it, so that its processor time is counted."""
        subprocess.run(["pkill", "-TERM", "-P", str(self.process.pid)], check=True)
        self.process.wait()


def ask(
    url: str, token: str = "", accept: str = "application/json", method: str = "", **body: Any
) -> Any:
    """The answer to a request: its status and its content."""
    headers = {"Accept": accept, "Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = json.dumps(body).encode() if body else None
    try:
        request = urllib.request.Request(url, data, headers, method=method or None)
        with urllib.request.urlopen(request, timeout=60) as got:
            return got.status, got.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def call(url: str, token: str, **body: Any) -> Any:
    """What the API answers; exits where it refuses."""
    status, content = ask(url, token, **body)
    if status >= 300:
        sys.exit(f"{url} answers {status}: {content.decode()}")
    return json.loads(content)


def wait_for_board(started: Started, url: str) -> tuple[float, float, dict[float, int]]:
    """When the page answers, when the board is there, and what the page said meanwhile."""
    page, promised = 0.0, {}
    while True:
        status, content = ask(f"{url}/", accept="text/html")
        page = page or started.seconds
        if status == 200 and b"/assets/" in content:
            return page, started.seconds, promised
        _, error = ask(f"{url}/")
        if (left := re.search(rb'"seconds": (\d+)', error)) is not None:
            promised[started.seconds] = int(left[1])
        started.check()
        time.sleep(1)


def first_dice(started: Started, url: str) -> float:
    """When one's own first attack has its dice; the bots have placed their armies before that."""
    api = f"{url}/api/v1"
    token = call(f"{api}/guest", "", name="Ann")["token"]
    table = {"ruleset": "classic", "seats": 3, "bots": {"1": "greedy", "2": "greedy"}}
    game = call(f"{api}/tables", token, **table, options=QUICK, access="private")["game"]
    ask(f"{api}/tables/{game}/start", token, method="POST")
    while True:
        legal = call(f"{api}/games/{game}/legal", token)
        if legal["decision"] is None:
            started.check()
            continue
        texts = [one["highest"] for one in legal["ranges"]]
        attacks = [text for text in texts if text.startswith("attack")]
        text = (attacks or texts)[0]
        call(f"{api}/games/{game}/submit", token, decision=legal["decision"], text=text)
        if attacks:
            return started.seconds


def megabytes(folder: Path) -> int:
    """What a folder takes on disk."""
    said = subprocess.run(["du", "-sm", folder], capture_output=True, text=True, check=True).stdout
    return int(said.split()[0])


def measure(folder: Path, *, cold: bool) -> dict[str, Any]:
    """Clone, serve and play in an empty folder."""
    clone, home = folder / "rubicon", folder / "home"
    home.mkdir()
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LEAVES_OUT)}
    environment = kept | {"HOME": str(home)}
    if not cold:  # the packages alone, as somebody has them who has installed them before
        caches = Path.home() / ".cache"
        environment |= {"UV_CACHE_DIR": str(caches / "uv"), "PIP_CACHE_DIR": str(caches / "pip")}
        environment["NPM_CONFIG_CACHE"] = str(Path.home() / ".npm")
    started = Started(clone, environment)
    page, board, promised = wait_for_board(started, url := started.url())
    dice = first_dice(started, url)
    started.stop()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    again = Started(clone, environment)
    _, ready, _ = wait_for_board(again, again.url())
    again.stop()
    return {
        "page": page,
        "board": board,
        "dice": dice,
        "again": ready,
        "promised": promised,
        "processor": round(used.ru_utime + used.ru_stime, 1),
        "megabytes": {
            "environment": megabytes(clone / ".venv"),
            "packages of the web app": megabytes(clone / "frontend" / "node_modules"),
        },
        "said": started.said,
    }


def main() -> None:
    """Measure once, in a folder of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cold", action="store_true", help="without a cache of packages")
    parser.add_argument("--keep", action="store_true", help="keep the folder, and print its name")
    options = parser.parse_args()
    if options.keep:
        folder = Path(tempfile.mkdtemp(prefix="first-start-"))
        print(folder, file=sys.stderr)
        print(json.dumps(measure(folder, cold=options.cold), indent=2))
        return
    with tempfile.TemporaryDirectory(prefix="first-start-", ignore_cleanup_errors=True) as name:
        print(json.dumps(measure(Path(name), cold=options.cold), indent=2))


if __name__ == "__main__":
    main()
