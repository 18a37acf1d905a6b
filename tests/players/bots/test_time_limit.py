"""The limit of time for code in this process."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from rubicon.players.bot_seat import TimeUp, within


def test_what_is_done_in_time_is_returned_and_no_alarm_is_left() -> None:
    before = signal.getsignal(signal.SIGALRM)
    assert within(30.0, lambda: 7) == 7
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_who_catches_the_alarm_gets_another() -> None:
    caught = []

    def stubborn() -> None:
        try:
            time.sleep(60)
        except TimeUp as error:
            caught.append(error)
        time.sleep(60)

    with pytest.raises(TimeUp):
        within(0.1, stubborn)
    assert len(caught) == 1
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_other_threads_have_no_limit() -> None:
    done: list[None] = []
    thread = threading.Thread(target=lambda: done.append(within(0.001, lambda: time.sleep(0.05))))
    thread.start()
    thread.join()
    assert done == [None]
