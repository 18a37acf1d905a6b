"""A process that hosts games and plays them, until it is killed: `test_kill.py` starts it.

It says on its standard output what it is about to submit (`?`), and what was acknowledged (`!`).
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from rubicon.players.player import Player
from rubicon.table.store import Store
from rubicon.table.submission import Submission
from rubicon.table.table import Published, Table

BETWEEN = "between"  # die behind the commit of a request, before its answer


def say(line: str) -> None:
    """A whole line at once: threads write side by side."""
    os.write(1, f"{line}\n".encode())


def play(table: Table, game: str, retried: dict[str, Submission]) -> None:
    """Play a game as a client does that may have lost the answer to its last submission."""
    if game in retried:
        hand_in(table, retried[game])
    while (snapshot := table.snapshot(game)).ending is None:
        if not snapshot.duties:
            table.wake(game).result()
            continue
        seat, duty = next(iter(snapshot.duties.items()))
        action = Player("greedy", seat, seed=duty).decide(snapshot.game())
        hand_in(table, Submission(game, seat, duty, str(action)))
    say(f"over {game}")


def hand_in(table: Table, submission: Submission) -> None:
    """Submit, and say so before and after."""
    key = f"{submission.game} {submission.seat} {submission.duty}"
    say(f"? {key} {submission.text}")
    receipt = table.submit(submission).result()
    say(f"! {key} {receipt.first} {receipt.last}")


def main() -> None:
    """`playing_server.py URL MODE COUNT GAME…`; on its input what was not acknowledged."""
    url, mode, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    games = sys.argv[4:]
    retried = {}
    for line in sys.stdin.read().splitlines():
        game, seat, duty, text = line.split(" ", 3)
        retried[game] = Submission(game, seat, int(duty), text)
    table = Table(Store.open(url))
    left = [count]

    def watch(published: Published) -> None:
        if mode == BETWEEN and published.snapshot.waits_for == "dice":
            left[0] -= 1
            if left[0] <= 0:
                os.kill(os.getpid(), signal.SIGKILL)

    table.watch(watch)
    threads = [threading.Thread(target=play, args=(table, game, retried)) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    say("done")


if __name__ == "__main__":
    main()
