"""The adapter to Ray: what it calls, and what it says where Ray is not installed."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from rubicon.errors import RubiconError
from rubicon.lab.arena.blocks import AHEAD, Block, play_block, play_on_ray
from tests.lab.arena.matches import SMALL, timeless


class RayHere(ModuleType):
    """What the adapter calls of Ray, in this process; tasks run when their result is fetched."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.running = False
        self.submitted: list[int] = []

    def init(self, *, log_to_driver: bool) -> None:
        assert not log_to_driver
        self.running = True

    def shutdown(self) -> None:
        self.running = False

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0, "memory": 1e9}

    def remote(self, function: Callable[..., Block]) -> Any:
        made = ModuleType("remote")

        def submit(*task: Any) -> Callable[[], Block]:
            assert self.running
            self.submitted.append(task[1])
            return lambda: function(*task)

        made.__dict__["remote"] = submit
        return made

    def get(self, waiting: Callable[[], Block]) -> Block:
        return waiting()


def test_the_same_blocks_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = RayHere()
    monkeypatch.setitem(sys.modules, "ray", ray)
    numbers = range(AHEAD + 3)
    coming = play_on_ray((SMALL, number) for number in numbers)
    first = next(coming)
    assert ray.submitted == list(range(AHEAD))  # no more than that wait
    found = timeless([first, *coming])
    assert found == timeless(play_block(SMALL, number) for number in numbers)
    assert ray.submitted == list(numbers)
    assert not ray.running


def test_the_cluster_is_left_when_a_match_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = RayHere()
    monkeypatch.setitem(sys.modules, "ray", ray)
    coming = play_on_ray((SMALL, number) for number in range(3))
    next(coming)
    assert ray.running
    coming.close()  # type: ignore[attr-defined]
    assert not ray.running


def test_without_ray_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(RubiconError) as refused:
        next(play_on_ray([(SMALL, 0)]))
    assert refused.value.code == "arena/no-ray"
    assert "pip install rubicon[ray]" in str(refused.value.suggestion)
