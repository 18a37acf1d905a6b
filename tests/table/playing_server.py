"""A process that hosts and plays games until it is killed; `test_kill.py` starts it.

It prints every submission (`?`) and every acknowledgement (`!`); every head of a dice transcript
that a player's program has checked (`=`), and what went wrong (`alarm`).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

from rubicon.players.player import Player
from rubicon.table.commands.submit import Submission
from rubicon.table.storage.database import Store
from rubicon.table.table_service import Step, TableService
from tests.table.dice_programs import DicePrograms, seats_with_programs

BETWEEN = "between"  # mode: die after the commit of a dice request, before its answer


def say(line: str) -> None:
    """Write a whole line at once: threads write concurrently."""
    os.write(1, f"{line}\n".encode())


def play(table: TableService, game: str, folder: Path, retried: Submission | None) -> None:
    """Play a game; the last submission is repeated if its response was lost."""
    try:
        seats = seats_with_programs(game, table.snapshot(game).game().colours)
        programs = DicePrograms(table, game, seats, folder, lambda head: say(f"= {game} {head}"))
        programs.begin()
        if retried is not None:
            submit(table, programs, retried)
        while (snapshot := table.snapshot(game)).ending is None:
            if not snapshot.decisions:
                programs.wait(table.wake(game))
                continue
            seat, decision = next(iter(snapshot.decisions.items()))
            action = Player("greedy", seat, seed=decision).decide(snapshot.game())
            submit(table, programs, Submission(game, seat, decision, str(action)))
        programs.look()
        say(f"over {game}")
    except Exception as error:
        say(f"alarm {game} {error!r}")
        raise


def submit(table: TableService, programs: DicePrograms, submission: Submission) -> None:
    """Submit, signed where the seat has a program, with a line of output before and after."""
    game, seat, decision = submission.game, submission.seat, submission.decision
    text = submission.text
    say(f"? {game} {seat} {decision} {text}")
    signed = programs.signed(seat, decision, text)
    receipt = programs.wait(table.submit(Submission(game, seat, decision, text, signed=signed)))
    say(f"! {game} {seat} {decision} {receipt.first} {receipt.last}")


def main() -> None:
    """`playing_server.py URL FOLDER MODE COUNT GAME…`; stdin has the unacknowledged submissions.

    The folder is that of the programs' journals.
    """
    url, folder, mode, count = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    games = sys.argv[5:]
    retried = {}
    for line in sys.stdin.read().splitlines():
        game, seat, decision, text = line.split(" ", 3)
        retried[game] = Submission(game, seat, int(decision), text)
    table = TableService(Store.open(url))
    left = [count]

    publish = table._publish

    def die_between(step: Step) -> None:
        publish(step)
        if mode == BETWEEN and (step.dice_follow or step.links_wanted):
            left[0] -= 1
            if left[0] <= 0:
                os.kill(os.getpid(), signal.SIGKILL)

    table._publish = die_between  # type: ignore[method-assign]
    threads = [
        threading.Thread(target=play, args=(table, game, folder, retried.get(game)))
        for game in games
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    say("done")


if __name__ == "__main__":
    main()
