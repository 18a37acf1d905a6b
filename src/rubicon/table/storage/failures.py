"""Classifies database errors: is the database unavailable, and was anything stored?"""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    TimeoutError,
)

from rubicon.table.errors import StoreUnavailable, TableError

# SQLSTATE classes after which PostgreSQL has certainly rolled the transaction back.
_ROLLED_BACK = {"22", "23", "40", "42", "53", "54", "55"}
_STATEMENT_TIMEOUT = "57014"
_CONFLICTS = {"40001", "40P01"}  # serialization failure, deadlock


def is_unavailable(error: BaseException) -> bool:
    """Whether the database has failed, and not the job."""
    if isinstance(error, DBAPIError):
        return isinstance(error, OperationalError | InterfaceError | InternalError)
    return isinstance(error, TimeoutError)  # of the connection pool


def unavailable(error: BaseException) -> StoreUnavailable:
    """The error for clients, with the original as its cause."""
    failure = error if isinstance(error, StoreUnavailable) else StoreUnavailable(reason(error))
    if failure is not error:
        failure.__cause__ = error
    return failure


def is_worth_a_retry(error: BaseException) -> bool:
    """Whether the transaction has lost a race with another server: a retry may succeed."""
    return isinstance(error, IntegrityError) or _state(error) in _CONFLICTS


def was_rolled_back(error: BaseException) -> bool:
    """Whether the transaction has certainly stored nothing."""
    if isinstance(error, TypeError | KeyError | ValueError):
        return True  # rows that cannot be encoded: nothing was sent
    if isinstance(getattr(error, "orig", None), sqlite3.Error):
        return True  # a commit that fails leaves the transaction open, and it is rolled back
    state = _state(error) or ""
    return state[:2] in _ROLLED_BACK or state == _STATEMENT_TIMEOUT


def is_broken(error: BaseException) -> bool:
    """Whether the connection must not be used again."""
    if isinstance(getattr(error, "orig", None), sqlite3.Error):
        return is_unavailable(error)
    return is_unavailable(error) and not was_rolled_back(error)


def reason(error: BaseException) -> str:
    """The first line of an error. Never the statement or its values, which may be secret."""
    if isinstance(error, TableError):
        return error.message
    original = getattr(error, "orig", None) or error
    return str(original).strip().partition("\n")[0][:200] or type(original).__name__


def _state(error: BaseException) -> str | None:
    return getattr(getattr(error, "orig", None), "sqlstate", None)
