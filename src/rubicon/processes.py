"""Worker processes: they end with the process that has started them, however that ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing import util
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any


def exit_with_parent() -> None:
    """Ignore control-C, which is for the parent; exit when the parent is gone.

    To be called in a process that `multiprocessing` has started.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent,), daemon=True).start()


def spawn_context() -> SpawnContext:
    """The context for processes that are not forked: a fork would copy locks of other threads.

    Python starts them with `-c`, which looks for modules in the current folder first. That may be
    anyone's, so they get the option -P; the sys.path of this process follows later, as always.
    """
    private: Any = util  # no public function takes an option
    private._args_from_interpreter_flags = _options
    return multiprocessing.get_context("spawn")


_interpreter_options: Any = vars(util)["_args_from_interpreter_flags"]


def _options() -> list[str]:
    options: list[str] = _interpreter_options()
    return options if "-P" in options else [*options, "-P"]


def _exit_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
