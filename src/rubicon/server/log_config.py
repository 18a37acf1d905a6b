"""The server's log: one line an event, as text or JSON, on standard error.

Modules use Python's `logging`, with the fields of an event in `extra`. No line contains names,
addresses, tokens, orders or secrets. An error is logged by its type, code and place, never by its
message, which may quote what a client sent.
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

from rubicon.errors import RubiconError

TEXT, JSON = "text", "json"
MAX_FRAMES = 12
# Libraries whose informational messages repeat ours. httpx logs the address of each request, which
# is a secret where it is that of a webhook.
WARNINGS_ONLY = ("uvicorn", "alembic", "sqlalchemy", "asyncio", "concurrent", "litestar", "httpx")
# Libraries whose warnings do no good: those of psycopg are raised as errors too; aiosmtpd
# ("mail.log") quotes what a mail server says, with the addresses of people and their tokens.
ERRORS_ONLY = ("psycopg", "mail.log")
_PACKAGES = ("site-packages", "src")


def configure_logging(log_format: str = TEXT, stream: TextIO | None = None) -> None:
    """Send everything that is logged in this process to one stream in one format."""
    output = stream or sys.stderr
    render: Processor
    if log_format == JSON:
        render = structlog.processors.JSONRenderer(default=str)
    else:
        colours = output.isatty()
        render = structlog.dev.ConsoleRenderer(colors=colours, pad_event_to=28, pad_level=False)
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        _describe_errors,
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
    for name in WARNINGS_ONLY:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
        logger.setLevel(logging.WARNING)
    for name in ERRORS_ONLY:
        logging.getLogger(name).setLevel(logging.ERROR)
    logging.captureWarnings(True)


def _describe_errors(logger: Any, method: str, event: EventDict) -> EventDict:
    """Replace each exception by its type, code and place."""
    event.pop("color_message", None)  # uvicorn's copy of the message, with terminal colours
    event["event"] = str(event["event"]).partition("\n")[0]  # libraries append data after it
    record: logging.LogRecord | None = event.get("_record")
    found = event.pop("exc_info", None) or (record.exc_info if record is not None else None)
    error = found[1] if isinstance(found, tuple) else found
    if record is not None:
        record.exc_info = record.exc_text = None
    if isinstance(error, BaseException):
        event["error"] = error
    for name, value in list(event.items()):
        if isinstance(value, BaseException):
            event[name] = describe(value)
            event.setdefault("where", " < ".join(where(value)))
    if event.get("where") == "":
        del event["where"]
    return event


def describe(error: BaseException) -> str:
    """The types and codes of an error and its causes, such as `StoreUnavailable CODE < OSError`."""
    parts, depth = [], 0
    cause: BaseException | None = error
    while cause is not None and depth < 5:
        code = f" {cause.code}" if isinstance(cause, RubiconError) else ""
        parts.append(type(cause).__name__ + code)
        cause, depth = cause.__cause__ or cause.__context__, depth + 1
    return " < ".join(parts)


def where(error: BaseException) -> Iterator[str]:
    """The places of an error's traceback, innermost first: file, line and function."""
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames[-MAX_FRAMES:]):
        yield f"{_short(frame.filename)}:{frame.lineno} {frame.name}"


def _short(file: str) -> str:
    """A file's path inside its package: folders of this machine stay out of the log."""
    parts = Path(file).parts
    for folder in _PACKAGES:
        if folder in parts:
            return "/".join(parts[len(parts) - parts[::-1].index(folder) :])
    return "/".join(parts[-2:])
