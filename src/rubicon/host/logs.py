"""The log of a running host: one line an event, as text or JSON, on the standard error.

Modules log with Python's own `logging`, what belongs to an event in `extra`. Names, addresses,
tokens, orders and secrets are in no line: of an error its kind, its code and where it happened are
written, never its message, which may quote what somebody sent.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor

from rubicon.rules.errors import RubiconError

TEXT, JSON = "text", "json"
MOST_FRAMES = 12
QUIET = ("uvicorn", "alembic", "sqlalchemy", "asyncio", "concurrent", "litestar")  # warnings only
_PACKAGES = ("site-packages", "src")


def set_up_logs(form: str = TEXT, stream: TextIO | None = None) -> None:
    """Let everything that is logged in this process come out in one form."""
    output = stream or sys.stderr
    render: Processor
    if form == JSON:
        render = structlog.processors.JSONRenderer(default=str)
    else:
        colours = output.isatty()
        render = structlog.dev.ConsoleRenderer(colors=colours, pad_event_to=28, pad_level=False)
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        _without_messages,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
        keep_exc_info=False,
    )
    handler = logging.StreamHandler(output)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    for name in QUIET:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
        logger.setLevel(logging.WARNING)
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # what it warns of is raised as well
    logging.captureWarnings(True)


def _without_messages(logger: Any, method: str, event: EventDict) -> EventDict:
    """Put in the place of each error what may be told of it."""
    event.pop("color_message", None)  # uvicorn's
    event["event"] = str(event["event"]).partition("\n")[0]  # others append what they hold
    record: logging.LogRecord | None = event.get("_record")
    found = event.pop("exc_info", None) or (record.exc_info if record is not None else None)
    error = found[1] if isinstance(found, tuple) else found
    if record is not None:
        record.exc_info = record.exc_text = None
    if isinstance(error, BaseException):
        event["error"] = error
    for name, value in list(event.items()):
        if isinstance(value, BaseException):
            event[name] = kind_of(value)
            event.setdefault("where", " < ".join(where(value)))
    if event.get("where") == "":
        del event["where"]
    return event


def kind_of(error: BaseException) -> str:
    """What kind of error it is, and what it came of: `StoreAway store/away < OperationalError`."""
    parts, known = [], 0
    cause: BaseException | None = error
    while cause is not None and known < 5:
        code = f" {cause.code}" if isinstance(cause, RubiconError) else ""
        parts.append(type(cause).__name__ + code)
        cause, known = cause.__cause__ or cause.__context__, known + 1
    return " < ".join(parts)


def where(error: BaseException) -> Iterator[str]:
    """Where it happened, the innermost place first: files, lines and functions only."""
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames[-MOST_FRAMES:]):
        yield f"{_short(frame.filename)}:{frame.lineno} {frame.name}"


def _short(file: str) -> str:
    """A file by its place in its package: no folder of this machine."""
    parts = Path(file).parts
    for folder in _PACKAGES:
        if folder in parts:
            return "/".join(parts[len(parts) - parts[::-1].index(folder) :])
    return "/".join(parts[-2:])
