"""Blocks that the machines of a Ray cluster play; the same blocks as in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from rubicon.errors import RubiconError
from rubicon.lab.arena.blocks import AHEAD, Block, Task, in_order, play_block


def ray_module() -> Any:
    """Ray, imported. Raises RubiconError: `arena/no-ray`."""
    try:
        return import_module("ray")
    except ModuleNotFoundError as error:
        raise RubiconError(
            "arena/no-ray",
            "Ray is not installed.",
            "Install it with `pip install rubicon[ray]`, or leave out --ray and use --processes.",
        ) from error


def play_on_ray(tasks: Iterable[Task]) -> Iterator[Block]:
    """Play blocks on all cores of a cluster; they come in order.

    The cluster is that of the environment variable RAY_ADDRESS, or a new one on this machine.
    """
    ray = ray_module()
    ray.init(log_to_driver=False)
    try:
        remote = ray.remote(play_block)
        cores = int(ray.cluster_resources().get("CPU", 1))
        yield from in_order(lambda task: remote.remote(*task), ray.get, tasks, AHEAD * cores)
    finally:
        ray.shutdown()
