"""Worker processes: they end with the process that has started them, however that ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing.process import BaseProcess


def exit_with_parent() -> None:
    """Ignore control-C, which is for the parent; exit when the parent is gone.

    To be called in a process that `multiprocessing` has started.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent,), daemon=True).start()


def _exit_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
