"""Databases of both kinds, as in the tests of the table, and houses that send letters."""

from tests.table.conftest import new_url, postgres, store, url

__all__ = ["new_url", "postgres", "store", "url"]
