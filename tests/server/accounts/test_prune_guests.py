"""Unused guests are deleted; every other account stays."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, Table, insert, select, update

from rubicon.server.accounts import UNUSED, Accounts, IssuedToken, prune_guests
from rubicon.server.webhooks import NewWebhook, add_webhook, webhooks_of
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store

GAME: dict[str, Any] = {"id": "g", "state": "lobby", "title": "", "access": "open"}
GAME |= {"ruleset": "{}", "settings": "{}", "created": 0, "changed": 0, "head": -1}


@pytest.fixture
def accounts(store: Store) -> Accounts:
    accounts = Accounts(store, ("greedy", "medium"))
    accounts.create_admin_token()
    return accounts


def names(store: Store) -> set[str]:
    """Who has an account."""
    return set(store.read(lambda c: c.execute(select(schema.account.c.name)).scalars()))


def clear(store: Store, *, unseen_for: int) -> int:
    """Make all accounts unseen for so many milliseconds, and prune."""

    def job(connection: Connection) -> int:
        seen = now(connection) - unseen_for
        connection.execute(update(schema.account).values(seen=seen))
        return prune_guests(connection)

    return store.write(job).result()


def test_guests_that_left_something_behind_are_kept(store: Store, accounts: Accounts) -> None:
    people = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")
    guests: dict[str, IssuedToken] = {name: accounts.create_guest(name).result() for name in people}
    ids = {name: guest.account.id for name, guest in guests.items()}

    def leave_something(connection: Connection) -> None:
        left: list[tuple[Table, dict[str, Any]]] = [
            (schema.seat, {"number": 0, "colour": "red", "account": ids["Bob"], "name": "Bob"}),
            (schema.kicked, {"account": ids["Cid"]}),
            (schema.chat, {"account": ids["Dot"], "seat": "red", "to": "", "text": "hi", "at": 0}),
        ]
        connection.execute(insert(schema.game), GAME | {"host": ids["Ann"]})
        for table, row in left:
            connection.execute(insert(table), {"game": "g"} | row)
        kept = schema.account.c.id == ids["Eve"]
        connection.execute(update(schema.account).where(kept).values(email="eve@example.org"))

    store.write(leave_something).result()
    assert clear(store, unseen_for=UNUSED - 60_000) == 0
    assert clear(store, unseen_for=UNUSED + 60_000) == 1
    assert names(store) == {"admin", "Ann", "Bob", "Cid", "Dot", "Eve"}
    assert clear(store, unseen_for=2 * UNUSED) == 0
    accounts.invalidate()
    assert accounts.authenticate(guests["Fay"].token) is None
    assert accounts.authenticate(guests["Ann"].token) == guests["Ann"].account


def test_many_guests_are_deleted_in_batches(
    store: Store, accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rubicon.server.accounts.BATCH", 2)
    for number in range(5):
        accounts.create_guest(f"Guest {number}").result()
    assert [clear(store, unseen_for=2 * UNUSED) for _ in range(4)] == [2, 2, 1, 0]
    assert names(store) == {"admin"}


def test_an_unused_guest_is_deleted_with_its_webhooks(store: Store, accounts: Accounts) -> None:
    guest = accounts.create_guest("Ann").result().account.id
    wanted = NewWebhook(url="https://hooks.example.org/x")
    store.write(lambda connection: add_webhook(connection, guest, wanted)).result()
    assert clear(store, unseen_for=UNUSED + 1000) == 1
    assert store.read(lambda connection: webhooks_of(connection, guest)) == []
