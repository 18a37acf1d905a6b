"""A server with a few tables, for the pictures of its lobby."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rubicon.client import Client
from tests.web.conftest import start, stop

BOTS = {1: "greedy", 2: "greedy"}
LIVE = {"clock": "live", "decision_time": 180}
DAYS = {"clock": "days", "decision_time": 2 * 86400}


@contextmanager
def tables_on_a_server(folder: Path) -> Iterator[str]:
    """The address of a server where the person has three tables, and others have opened tables.

    The account is kept below the folder, as if it were the configuration.
    """
    running = start(folder)
    try:
        ann, otto, mia = (running.client(name) for name in ("Ann", "Otto", "Mia"))
        begin(ann, title="Sunday table", settings=LIVE)
        begin(ann, title="Lunch", ruleset="capital", settings=DAYS)
        club = str(ann.open_table(title="Club night", seats=4, bots={1: "hard"})["game"])
        ann.say(club, "Who comes tonight?")
        otto.join(club)
        otto.say(club, "I do, and Mia later. Keep a seat for her.")
        otto.open_table(title="Friday six", seats=6, bots=BOTS, settings=LIVE)
        mia.open_table(title="Slow and fair", ruleset="revised", seats=5, settings=DAYS)
        mia.open_table(title="Try it", ruleset="secret-mission", seats=3, bots={1: "easy"})
        accounts = folder / "rubicon" / "accounts.json"
        accounts.parent.mkdir(exist_ok=True)
        accounts.write_text(json.dumps({running.url: ann.token}), "utf-8")
        accounts.chmod(0o600)
        yield running.url
    finally:
        stop(running)


def begin(client: Client, **table: object) -> None:
    """Begin a game with bots on all other seats."""
    game = str(client.open_table(seats=3, bots=BOTS, **table)["game"])
    client.start(game)
