"""A process that hosts and plays games until it is killed; `test_kill.py` starts it.

It prints every submission (`?`) and every acknowledgement (`!`).
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from rubicon.players.player import Player
from rubicon.table.game.submission import Submission
from rubicon.table.service.table_service import Step, TableService
from rubicon.table.storage.database import Store

BETWEEN = "between"  # mode: die after the commit of a dice request, before its answer


def say(line: str) -> None:
    """Write a whole line at once: threads write concurrently."""
    os.write(1, f"{line}\n".encode())


def play(table: TableService, game: str, retried: dict[str, Submission]) -> None:
    """Play a game; the last submission is repeated if its response was lost."""
    if game in retried:
        submit_async(table, retried[game])
    while (snapshot := table.snapshot(game)).ending is None:
        if not snapshot.decisions:
            table.wake(game).result()
            continue
        seat, decision = next(iter(snapshot.decisions.items()))
        action = Player("greedy", seat, seed=decision).decide(snapshot.game())
        submit_async(table, Submission(game, seat, decision, str(action)))
    say(f"over {game}")


def submit_async(table: TableService, submission: Submission) -> None:
    """Submit, with a line of output before and after."""
    key = f"{submission.game} {submission.seat} {submission.decision}"
    say(f"? {key} {submission.text}")
    receipt = table.submit(submission).result()
    say(f"! {key} {receipt.first} {receipt.last}")


def main() -> None:
    """`playing_server.py URL MODE COUNT GAME…`; stdin has the unacknowledged submissions."""
    url, mode, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    games = sys.argv[4:]
    retried = {}
    for line in sys.stdin.read().splitlines():
        game, seat, decision, text = line.split(" ", 3)
        retried[game] = Submission(game, seat, int(decision), text)
    table = TableService(Store.open(url))
    left = [count]

    publish = table._publish

    def die_between(step: Step) -> None:
        publish(step)
        if mode == BETWEEN and step.dice_follow:
            left[0] -= 1
            if left[0] <= 0:
                os.kill(os.getpid(), signal.SIGKILL)

    table._publish = die_between  # type: ignore[method-assign]
    threads = [threading.Thread(target=play, args=(table, game, retried)) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    say("done")


if __name__ == "__main__":
    main()
