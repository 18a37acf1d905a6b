"""What is handed on to streams: every page, or a gap that each stream sees and reads for itself."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from rubicon.table.errors import StoreAway
from rubicon.table.listening import Change, What
from rubicon.web.hub import Hub, Reader, Told

GAME = "g"


class Pages:
    """The notices of a game by entry, as a table reads them."""

    def __init__(self, told: dict[int, str]) -> None:
        self.told = told
        self.away = False

    def notices(self, game: str, entry: int) -> list[dict[str, Any]]:
        """What an entry brought the spectators."""
        if self.away:
            raise StoreAway("it is being restarted")
        if entry not in self.told:
            return []
        row = {"seat": "", "entry": entry, "kind": "facts", "at": 0, "body": self.told[entry]}
        return [row]


def heard(pages: Sequence[Change], told: dict[int, str], away: int = -1) -> list[Told]:
    """What one stream is given for pages that another host has told of."""

    async def listen() -> list[Told]:
        table = Pages(told)
        hub: Any = Hub(table)  # type: ignore[arg-type]
        hub.open(asyncio.get_running_loop())
        reader = Reader({GAME: ""})
        hub.join(reader)
        for page in pages:
            table.away = page.number == away
            hub.hear_elsewhere(page)
            await asyncio.sleep(0)
        given = [await reader.next() for _ in range(len(reader))]
        return [each for each in given if each is not None]

    return asyncio.run(listen())


def page(since: int, number: int) -> Change:
    """A page of another host."""
    return Change(What.PAGE, GAME, number, since)


def test_a_request_and_its_dice_are_told_as_one() -> None:
    given = heard([page(1, 3), page(3, 5), page(5, 6)], {5: "[1]", 6: "[2]"})
    assert [(told.since, told.entry, b"[" in told.data) for told in given] == [
        (1, 5, True),
        (5, 6, True),
    ]


def test_a_page_that_was_missed_leaves_a_gap_that_a_stream_sees() -> None:
    given = heard([page(1, 3), page(5, 6)], {5: "[1]", 6: "[2]"})  # 3 to 5 was never heard of
    assert [(told.since, told.entry) for told in given] == [(5, 6)]
    given = heard([page(1, 3), page(5, 7), page(7, 8)], {5: "[1]", 8: "[2]"})
    assert [(told.since, told.entry) for told in given] == [(5, 8)]


def test_whoever_only_hears_how_far_a_game_is_looks_for_itself() -> None:
    given = heard([page(1, 3), page(5, 5), page(5, 6)], {5: "[1]", 6: "[2]"})
    assert [(told.since, told.entry, told.data) for told in given][:1] == [(5, 5, b"")]
    assert [(told.since, told.entry) for told in given][1:] == [(5, 6)]


@pytest.mark.parametrize("away", [5, 6])
def test_what_the_store_cannot_tell_now_is_left_to_each_stream(away: int) -> None:
    given = heard([page(1, 5), page(5, 6)], {5: "[1]", 6: "[2]"}, away)
    looked = [(told.since, told.entry) for told in given if not told.data]
    assert looked == [(away, away)]
    assert [told.entry for told in given] == [5, 6]
