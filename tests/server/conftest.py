"""The databases of the tests of the table."""

from tests.table.conftest import new_url, postgres, store, url

__all__ = ["new_url", "postgres", "store", "url"]
