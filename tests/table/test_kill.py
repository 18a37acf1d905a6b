"""Kill -9 of a hosting process, again and again: nothing acknowledged is lost or done twice."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from functools import partial
from pathlib import Path
from subprocess import PIPE

import pytest

from rubicon.dice.verify import verify
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.game.game_cache import dice_of, rebuilt
from rubicon.table.service.table_service import TableService
from rubicon.table.settings import Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from rubicon.table.storage.event_log import LineKind, LogLine, lines_of
from tests.conftest import FULL
from tests.table.hosted import Hosted

KILLS = 100 if FULL else 3
GAMES = 60 if FULL else 8
PROGRAM = Path(__file__).with_name("playing_server.py")


class Witness:
    """The submissions of a client, and the acknowledged ones."""

    def __init__(self) -> None:
        self.asked: dict[str, str] = {}  # per game: the submission without an answer
        self.acknowledged: dict[tuple[str, str, int], tuple[str, int]] = {}
        self.over: set[str] = set()

    def hear(self, line: str) -> None:
        """A line of the process; the last one may be cut."""
        mark, _, rest = line.partition(" ")
        if mark == "?":
            self.asked[rest.split(" ", 1)[0]] = rest
        elif mark == "!":
            game, seat, decision, first, _ = rest.split(" ")
            text = self.asked.pop(game).split(" ", 3)[3]
            known = self.acknowledged.setdefault((game, seat, int(decision)), (text, int(first)))
            assert known == (text, int(first))
        elif mark == "over":
            self.over.add(rest)


def begin_games(url: str) -> list[str]:
    """Games on the small board that have begun."""
    store = Store.open(url)
    schema.metadata.create_all(store.engine)
    table = TableService(store)
    ruleset = Ruleset.load("classic", board="skerries")
    games = [f"game{number}" for number in range(GAMES)]
    for game in games:
        Hosted(table, game).begin(ruleset, 3, Settings())
    store.close()
    return games


def run_and_kill(url: str, mode: str, count: int, games: list[str], witness: Witness) -> bool:
    """Let it play for a while, and kill it, if it does not do so itself; whether it was killed.

    All of its games may be over before: then it ends in peace.
    """
    program = [sys.executable, str(PROGRAM), url, mode, str(count), *games]
    with subprocess.Popen(program, stdin=PIPE, stdout=PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{line}\n" for line in witness.asked.values()))
        process.stdin.close()
        killer = threading.Timer(60, process.kill)
        killer.start()
        for heard, line in enumerate(process.stdout, 1):
            if line.endswith("\n"):
                witness.hear(line.strip())
            if mode == "load" and heard == count:
                process.kill()
        killer.cancel()
    killed = process.returncode == -signal.SIGKILL
    assert killed or (process.returncode == 0 and witness.over >= set(games))
    return killed


def check(url: str, games: list[str], witness: Witness) -> None:
    """Check that the log has every acknowledged submission once."""
    store = Store.open(url)
    table = TableService(store)
    for game in games:
        table.wake(game).result(30)
        lines = store.read(partial(lines_of, game=game))
        check_lines(game, lines, witness)
        chain = store.read(partial(dice_of, game=game))
        verdict = verify(chain)
        assert verdict.ok
        assert verdict.draws == sum(line.kind is LineKind.OUTCOME for line in lines)
        assert store.read(partial(rebuilt, game=game)).head == lines[-1].index
    store.close()


def check_lines(game: str, lines: list[LogLine], witness: Witness) -> None:
    """Check that the log has every acknowledged action once, and one answer to each request."""
    taken = Counter((line.seat, line.decision) for line in lines if line.kind is LineKind.ACTION)
    assert not [key for key, times in taken.items() if times > 1]
    for (of, seat, decision), (text, first) in witness.acknowledged.items():
        if of == game:
            line = lines[first]
            assert (line.kind, line.seat, line.decision, line.text) == (
                LineKind.ACTION,
                seat,
                decision,
                text,
            )
    kinds = [line.kind for line in lines]
    behind = [kinds[place + 1] for place, kind in enumerate(kinds) if kind is LineKind.REQUEST]
    assert set(behind) <= {LineKind.OUTCOME}


@pytest.mark.parametrize("mode", ["load", "between"])
def test_killed_again_and_again(mode: str, url: str) -> None:
    games, witness, rng = begin_games(url), Witness(), random.Random(7)
    killed = 0
    while killed < KILLS:
        left = [game for game in games if game not in witness.over]
        most = 120 if mode == "load" else 25
        killed += run_and_kill(url, mode, rng.randrange(1, most), left[:8], witness)
    check(url, games, witness)
    assert len(witness.acknowledged) > KILLS
