"""Limits for each address."""

from __future__ import annotations

import asyncio

import pytest

from rubicon.networks import limited_address
from rubicon.web.api.broadcast import MAX_QUEUED, BroadcastEvent, Subscription
from rubicon.web.http.connections import ConcurrencyLimiter, RateLimiter


@pytest.mark.parametrize(
    ("address", "limited"),
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
def test_an_ipv6_network_counts_as_one_address(address: str, limited: str) -> None:
    assert limited_address(address) == limited


def test_a_bucket_refills() -> None:
    at = [0.0]
    limiter = RateLimiter("test", 60, 60, burst=3, timer=lambda: at[0])
    assert [limiter.take("a") for _ in range(3)] == [0.0, 0.0, 0.0]
    assert limiter.take("a") == pytest.approx(1.0)
    assert limiter.take("b") == 0.0
    at[0] = 1.5
    assert limiter.take("a") == 0.0
    assert limiter.take("a") == pytest.approx(0.5)


def test_zero_means_no_limit() -> None:
    assert not any(RateLimiter("test", 0, 60).take("a") for _ in range(1000))
    limiter = ConcurrencyLimiter("test", 0)
    assert all(limiter.acquire("a") for _ in range(1000))


def test_a_concurrency_limiter_counts_releases() -> None:
    limiter = ConcurrencyLimiter("test", 2)
    assert [limiter.acquire("a") for _ in range(3)] == [True, True, False]
    assert limiter.acquire("b")
    limiter.release("a")
    assert limiter.acquire("a")


def test_a_flood_is_logged_once_a_minute(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = [1000.0]
    monkeypatch.setattr("rubicon.web.http.connections.time.monotonic", lambda: at[0])
    limiter = ConcurrencyLimiter("streams_per_address", 1)
    for _ in range(101):
        limiter.acquire("192.0.2.7")
    at[0] += 61
    limiter.acquire("192.0.2.7")
    assert [record.getMessage() for record in caplog.records] == ["rate limit exceeded"] * 2
    assert [vars(record)["rejected"] for record in caplog.records] == [1, 100]
    assert "192.0.2.7" not in caplog.text


def test_the_queue_of_a_slow_client_is_bounded_and_then_ends() -> None:
    subscription = Subscription({"game": "red"})
    for index in range(MAX_QUEUED + 1):
        event = BroadcastEvent(game="game", seat="red", since=index, index=index, data=b"x")
        subscription.put(event)
    assert len(subscription) == 1
    assert asyncio.run(subscription.get()) is None
