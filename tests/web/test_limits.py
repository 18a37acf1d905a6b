"""Limits by address: what is one address, and how often it may ask."""

from __future__ import annotations

import asyncio

import pytest

from rubicon.web.hub import MOST_WAITING, Reader, Told
from rubicon.web.limits import Crowd, Limiter, neighbourhood


@pytest.mark.parametrize(
    ("address", "home"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("anybody", "anybody"),
        ("", ""),
    ],
)
def test_an_address_is_a_home(address: str, home: str) -> None:
    assert neighbourhood(address) == home


def test_a_bucket_fills_again() -> None:
    at = [0.0]
    limiter = Limiter(60, 60, 3, clock=lambda: at[0])
    assert [limiter.wait("a") for _ in range(3)] == [0.0, 0.0, 0.0]
    assert limiter.wait("a") == pytest.approx(1.0)
    assert limiter.wait("b") == 0.0
    at[0] = 1.5
    assert limiter.wait("a") == 0.0
    assert limiter.wait("a") == pytest.approx(0.5)


def test_no_limit_is_none() -> None:
    assert not any(Limiter(0, 60).wait("a") for _ in range(1000))
    crowd = Crowd(0)
    assert all(crowd.enter("a") for _ in range(1000))


def test_a_crowd_counts_who_leaves() -> None:
    crowd = Crowd(2)
    assert [crowd.enter("a") for _ in range(3)] == [True, True, False]
    assert crowd.enter("b")
    crowd.leave("a")
    assert crowd.enter("a")


def test_what_waits_for_a_slow_reader_is_bounded_and_then_ends() -> None:
    reader = Reader({"game": "red"})
    for entry in range(MOST_WAITING + 1):
        reader.give(Told("game", "red", entry, entry, b"x"))
    assert len(reader) == 1
    assert asyncio.run(reader.next()) is None
