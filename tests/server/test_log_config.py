"""The log: one format, fields beside the event, and nothing secret."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import aiosmtpd.smtp
import httpx
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from rubicon.server.log_config import JSON, TEXT, configure_logging
from rubicon.table.errors import StoreUnavailable

SECRET = "attack skye -> mull by Ann of ann@example.org"


@pytest.fixture
def kept() -> Iterator[None]:
    """The log of the tests themselves stays as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers, root.level = handlers, level
    logging.captureWarnings(False)


def written(form: str) -> io.StringIO:
    stream = io.StringIO()
    configure_logging(form, stream)
    return stream


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def fail() -> None:
    raise ValueError(SECRET)


@pytest.mark.usefixtures("kept")
def test_an_event_is_one_line_of_json() -> None:
    stream = written(JSON)
    logging.getLogger("rubicon.server").info("started", extra={"games": 3})
    (line,) = lines(stream)
    assert (line["event"], line["games"], line["level"]) == ("started", 3, "info")
    assert line["logger"] == "rubicon.server"
    assert str(line["timestamp"]).endswith("Z")


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("form", [TEXT, JSON])
@pytest.mark.parametrize("logger", ["rubicon.web.http.errors", "uvicorn.error", "asyncio"])
def test_errors_are_logged_without_their_messages(form: str, logger: str) -> None:
    stream = written(form)
    try:
        try:
            fail()
        except ValueError as error:
            raise StoreUnavailable(SECRET) from error
    except StoreUnavailable as error:
        logging.getLogger(logger).error("failed\n%s", SECRET, exc_info=error)
        logging.getLogger(logger).error("again", extra={"error": error})
    said = stream.getvalue()
    assert said.count("StoreUnavailable database/unavailable < ValueError") == 2
    assert "test_log_config.py" in said
    assert "skye" not in said
    assert "Traceback" not in said
    assert len(said.splitlines()) == 2


@pytest.mark.usefixtures("kept")
def test_query_parameters_are_not_logged() -> None:
    stream = written(JSON)
    engine = create_engine("sqlite://", hide_parameters=True)
    with engine.connect() as connection, pytest.raises(SQLAlchemyError) as caught:
        connection.execute(text("INSERT INTO nowhere VALUES (:name)"), {"name": SECRET})
    engine.dispose()
    assert "skye" not in str(caught.value)
    logging.getLogger("rubicon.table").error("failed", exc_info=caught.value)
    (line,) = lines(stream)
    assert str(line["error"]).startswith("OperationalError")


@pytest.mark.usefixtures("kept")
def test_libraries_log_warnings_only() -> None:
    stream = written(TEXT)
    for name in ("uvicorn.error", "alembic.runtime.migration", "sqlalchemy.engine.Engine"):
        logging.getLogger(name).info("all is well")
        logging.getLogger(name).warning("something is wrong")
    assert stream.getvalue().count("something is wrong") == 3
    assert "all is well" not in stream.getvalue()


@pytest.mark.usefixtures("kept")
def test_addresses_of_requests_and_of_e_mails_are_not_logged() -> None:
    stream = written(TEXT)
    transport = httpx.MockTransport(lambda request: httpx.Response(204))
    with httpx.Client(transport=transport) as http:
        http.post("https://discord.example/api/webhooks/1/SECRET")
    aiosmtpd.smtp.log.info("%r recip: %s", ("127.0.0.1", 25), "play+SECRET@risk.example.org")
    aiosmtpd.smtp.log.warning("%r unrecognised: %s", ("127.0.0.1", 25), "SECRET")
    assert "SECRET" not in stream.getvalue()
