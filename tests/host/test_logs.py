"""The log: one form for all, what belongs to an event beside it, and nothing that is secret."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from rubicon.host.logs import JSON, TEXT, set_up_logs
from rubicon.table.errors import StoreAway

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
    set_up_logs(form, stream)
    return stream


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def fail() -> None:
    raise ValueError(SECRET)


@pytest.mark.usefixtures("kept")
def test_an_event_is_one_line_of_json() -> None:
    stream = written(JSON)
    logging.getLogger("rubicon.host").info("started", extra={"games": 3})
    (line,) = lines(stream)
    assert (line["event"], line["games"], line["level"]) == ("started", 3, "info")
    assert line["logger"] == "rubicon.host"
    assert str(line["timestamp"]).endswith("Z")


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("form", [TEXT, JSON])
@pytest.mark.parametrize("logger", ["rubicon.web.errors", "uvicorn.error", "asyncio"])
def test_of_an_error_its_kind_and_place_are_told_but_not_its_message(
    form: str, logger: str
) -> None:
    stream = written(form)
    try:
        try:
            fail()
        except ValueError as error:
            raise StoreAway(SECRET) from error
    except StoreAway as error:
        logging.getLogger(logger).error("failed\n%s", SECRET, exc_info=error)
        logging.getLogger(logger).error("again", extra={"error": error})
    said = stream.getvalue()
    assert said.count("StoreAway store/away < ValueError") == 2
    assert "test_logs.py" in said
    assert "skye" not in said
    assert "Traceback" not in said
    assert len(said.splitlines()) == 2


@pytest.mark.usefixtures("kept")
def test_what_the_database_was_given_is_in_no_line() -> None:
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
def test_others_are_heard_when_something_is_wrong_only() -> None:
    stream = written(TEXT)
    for name in ("uvicorn.error", "alembic.runtime.migration", "sqlalchemy.engine.Engine"):
        logging.getLogger(name).info("all is well")
        logging.getLogger(name).warning("something is wrong")
    assert stream.getvalue().count("something is wrong") == 3
    assert "all is well" not in stream.getvalue()
