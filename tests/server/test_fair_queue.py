"""Tables share the time of the bot processes, whatever their bots take."""

from __future__ import annotations

from rubicon.server.bot_runner import FairQueue


def served(seconds: dict[str, float], turns: int) -> list[str]:
    """Which tables are served, where each always has a decision waiting that takes so long."""
    queue = FairQueue[str]()
    for table in seconds:
        queue.add(table, table)
    order = []
    for _ in range(turns):
        taken = queue.take()
        assert taken is not None
        order.append(taken)
        queue.add(taken, taken)
        queue.spent(taken, seconds[taken])
    return order


def test_a_slow_table_does_not_starve_a_quick_one() -> None:
    order = served({"slow": 1.0, "quick": 0.01}, 400)
    given = {"slow": order.count("slow") * 1.0, "quick": order.count("quick") * 0.01}
    assert order.count("slow") >= 2
    assert abs(given["slow"] - given["quick"]) <= 1.0


def test_a_table_that_comes_later_waits_for_no_flood() -> None:
    queue = FairQueue[str]()
    for number in range(50):
        for _ in range(20):
            queue.add(f"slow {number}", "slow")
    for number in range(100):
        assert queue.take() == "slow"
        queue.spent(f"slow {number % 50}", 1.0)
    queue.add("late", "late")
    taken = [queue.take() for _ in range(51)]
    assert "late" in taken


def test_one_table_with_many_decisions_counts_as_one() -> None:
    queue = FairQueue[str]()
    for number in range(100):
        queue.add("flood", f"flood {number}")
    queue.add("other", "other")
    first = queue.take()
    queue.spent("flood", 0.5)
    assert first == "flood 0"
    assert queue.take() == "other"


def test_an_idle_table_has_saved_up_nothing() -> None:
    queue = FairQueue[str]()
    queue.add("busy", "busy")
    for _ in range(10):
        queue.take()
        queue.add("busy", "busy")
        queue.spent("busy", 1.0)
    for _ in range(10):
        queue.add("idle", "idle")
    taken = []
    for _ in range(4):
        taken.append(str(queue.take()))
        queue.spent(taken[-1], 2.0)
    assert "busy" in taken


def test_nothing_waits_in_an_empty_queue() -> None:
    queue = FairQueue[str]()
    assert queue.take() is None
    queue.add("table", "work")
    assert queue.take() == "work"
    assert queue.take() is None
