"""A table server and an independent dice server, both killed again and again in the middle."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from rubicon.cli.main import main
from rubicon.client import ApiError, Client
from rubicon.dice.lines.entry import Entry
from rubicon.dice.verify import verify
from tests.conftest import FULL
from tests.dice_server.running import DiceServerProcess, dice_server
from tests.web.conftest import ServerProcess, start, stop

KILLS = 30 if FULL else 2  # of each of the two
SETTINGS = {"dice": "independent"}
TABLE = {"board": "skerries", "seats": 3, "bots": {1: "greedy", 2: "greedy"}, "settings": SETTINGS}


class Restarted:
    """The table server, which listens on one port however often it is killed."""

    def __init__(self, folder: Path, dice: DiceServerProcess) -> None:
        self._environment = {"RUBICON_DICE_SERVER": dice.url}
        self.server = self._start(folder)
        self._environment["RUBICON_PORT"] = str(urlsplit(self.server.url).port)

    def _start(self, folder: Path) -> ServerProcess:
        return start(folder, **self._environment)

    def kill(self) -> None:
        """Kill it in the middle of whatever it does."""
        self.server.process.kill()
        self.server.process.communicate(timeout=30)

    def start(self) -> None:
        """Start it again."""
        self.server = self._start(self.server.folder)


def play(ann: Client, game: str, rng: random.Random) -> None:
    """Play to the end, by chance; what a killed server did not answer is repeated."""
    while True:
        try:
            turn = ann.wait(game)
            if turn is None:
                return
            ann.submit(game, turn.decision, rng.choice(turn.legal))
        except ApiError as error:
            if error.status not in (0, 409, 503):
                raise


def kill_in_turn(
    victims: list[Restarted | DiceServerProcess],
    answered: Callable[[], int],
    playing: threading.Thread,
) -> int:
    """Kill each in turn whenever a few more requests were answered; how many kills there were."""
    rng, kills, next_at = random.Random(5), 0, 3
    while kills < KILLS * len(victims) and playing.is_alive():
        if answered() >= next_at:
            victim = victims[kills % len(victims)]
            victim.kill()
            victim.start()
            kills, next_at = kills + 1, answered() + rng.randrange(2, 5)
    return kills


def test_both_are_killed_and_every_roll_is_made_once(tmp_path: Path) -> None:
    (tmp_path / "dice").mkdir()
    (tmp_path / "table").mkdir()
    with dice_server(tmp_path / "dice") as dice:
        table = Restarted(tmp_path / "table", dice)
        with table.server.client() as ann:
            game = ann.open_table(**TABLE)["game"]
            ann.start(game)
            playing = threading.Thread(target=play, args=(ann, game, random.Random(3)))
            playing.start()
            kills = kill_in_turn([dice, table], lambda: len(dice.log(game).answered), playing)
            playing.join()
            assert kills == 2 * KILLS
            text = ann.transcript(game)
        log = dice.log(game)
        stop(table.server)
    entries = [Entry.parse(line) for line in text.splitlines()]
    verdict = verify(entries)
    assert verdict.ok
    assert verdict.dice_server == verdict.requests == log.total > 0
    assert list(log.problems(entries)) == []
    (tmp_path / "dice.jsonl").write_text(text, "utf-8")
    assert main(["verify", str(tmp_path / "dice.jsonl")]) == 0
    store = f"sqlite:///{tmp_path}/table/rubicon.db"
    assert main(["table", "verify", "--store", store]) == 0
