"""A writing thread's own connection to a database, made anew where the server has ended it."""

from __future__ import annotations

import select

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from rubicon.table.transactions import driver_of


class KeptConnection:
    """A thread's own connection, made anew where the server has ended it meanwhile."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None

    def connection(self) -> Connection:
        """The connection; OperationalError where there is none to be had."""
        kept = self._connection
        if kept is not None and (kept.invalidated or has_news(kept)):
            self.forget()
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    @property
    def lost(self) -> bool:
        """Whether the server has ended it."""
        kept = self._connection
        if kept is None or kept.closed:
            return False
        return kept.invalidated or bool(driver_of(kept).closed)

    def forget(self) -> None:
        """Let go of it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.invalidate()
                connection.close()
            except SQLAlchemyError:
                pass


def has_news(connection: Connection) -> bool:
    """Whether the server has said something unasked: that is how it says good-bye."""
    if connection.dialect.name == "sqlite":
        return False
    driver = driver_of(connection)
    if driver.closed:
        return True
    poll = select.poll()  # which needs no descriptor of its own
    poll.register(driver, select.POLLIN)
    return bool(poll.poll(0))
