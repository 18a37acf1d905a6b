"""Work in threads, which compiled games share well: they hold no lock of the interpreter."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def in_threads(threads: int, work: Callable[[Item], None], items: Iterable[Item]) -> None:
    """Do the work for each item; Ctrl-C waits for items that have begun, and drops the others."""
    with ThreadPoolExecutor(threads) as pool:
        try:
            list(pool.map(work, items))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
