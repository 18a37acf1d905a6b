"""Warnings and errors of the log are counted by their event."""

from __future__ import annotations

import logging
import time

import pytest

from rubicon.server.overview import MAX_EVENTS, LogCounts

LOG = logging.getLogger("rubicon.somewhere")


@pytest.fixture
def counts() -> LogCounts:
    return LogCounts()


def test_events_are_counted_from_warnings_on(counts: LogCounts) -> None:
    counts.attach()
    LOG.info("clean shutdown")
    for _ in range(2):
        LOG.warning("mail delivery failed", extra={"game": "secret"})
    LOG.error("request failed")
    counts.detach()
    LOG.error("request failed")
    last, first = counts.events()
    assert (last.event, last.level, last.count) == ("request failed", "error", 1)
    assert (first.event, first.level, first.count) == ("mail delivery failed", "warning", 2)
    assert abs(first.last / 1000 - time.time()) < 60


def test_there_are_only_so_many_events(counts: LogCounts) -> None:
    counts.attach()
    for number in range(MAX_EVENTS + 5):
        LOG.warning("event " + str(number))
    counts.detach()
    events = [each.event for each in counts.events()]
    assert len(events) == MAX_EVENTS
    assert (events[0], "event 0" in events) == (f"event {MAX_EVENTS + 4}", False)
