"""What streams get of the commits of another server: every one, or a visible gap."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from rubicon.table.errors import StoreUnavailable
from rubicon.table.storage.notifications import Change, ChangeKind
from rubicon.web.api.broadcast import Broadcaster, BroadcastEvent, Subscription

GAME = "g"


class Pages:
    """The notifications of a game by log index, as a table reads them."""

    def __init__(self, told: dict[int, str]) -> None:
        self.told = told
        self.away = False

    def notifications(self, game: str, index: int) -> list[dict[str, Any]]:
        """The notifications of spectators for one index."""
        if self.away:
            raise StoreUnavailable("it is being restarted")
        if index not in self.told:
            return []
        row = {"seat": "", "index": index, "kind": "events", "at": 0, "body": self.told[index]}
        return [row]


def heard(pages: Sequence[Change], told: dict[int, str], away: int = -1) -> list[BroadcastEvent]:
    """What one stream is given for pages that another host has told of."""

    async def listen() -> list[BroadcastEvent]:
        table = Pages(told)
        broadcaster: Any = Broadcaster(table)  # type: ignore[arg-type]
        broadcaster.open(asyncio.get_running_loop())
        subscription = Subscription({GAME: ""})
        broadcaster.subscribe(subscription)
        for page in pages:
            table.away = page.number == away
            broadcaster.peer_changed(page)
            await asyncio.sleep(0)
        given = [await subscription.get() for _ in range(len(subscription))]
        return [each for each in given if each is not None]

    return asyncio.run(listen())


def page(since: int, number: int) -> Change:
    """A page of another host."""
    return Change(ChangeKind.GAME, GAME, number, since)


def test_a_request_and_its_dice_are_told_as_one() -> None:
    given = heard([page(1, 3), page(3, 5), page(5, 6)], {5: "[1]", 6: "[2]"})
    assert [(told.since, told.index, b"[" in told.data) for told in given] == [
        (1, 5, True),
        (5, 6, True),
    ]


def test_a_page_that_was_missed_leaves_a_gap_that_a_stream_sees() -> None:
    given = heard([page(1, 3), page(5, 6)], {5: "[1]", 6: "[2]"})  # 3 to 5 was never heard of
    assert [(told.since, told.index) for told in given] == [(5, 6)]
    given = heard([page(1, 3), page(5, 7), page(7, 8)], {5: "[1]", 8: "[2]"})
    assert [(told.since, told.index) for told in given] == [(5, 8)]


def test_whoever_only_hears_how_far_a_game_is_looks_for_itself() -> None:
    given = heard([page(1, 3), page(5, 5), page(5, 6)], {5: "[1]", 6: "[2]"})
    assert [(told.since, told.index, told.data) for told in given][:1] == [(5, 5, b"")]
    assert [(told.since, told.index) for told in given][1:] == [(5, 6)]


@pytest.mark.parametrize("away", [5, 6])
def test_what_the_store_cannot_tell_now_is_left_to_each_stream(away: int) -> None:
    given = heard([page(1, 5), page(5, 6)], {5: "[1]", 6: "[2]"}, away)
    looked = [(told.since, told.index) for told in given if not told.data]
    assert looked == [(away, away)]
    assert [told.index for told in given] == [5, 6]
