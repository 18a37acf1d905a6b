"""Accounts: guests, tokens of which only digests are stored, export and deletion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from rubicon.errors import RubiconError
from rubicon.server.accounts import MAX_TOKENS, SEEN_INTERVAL, Accounts
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store

BOTS = ("greedy", "medium", "random")


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    store = Store.open(f"sqlite:///{tmp_path}/people.db")
    schema.metadata.create_all(store.engine)
    yield Accounts(store, BOTS)
    store.close()


def test_a_guest_is_authenticated_by_the_token_only(accounts: Accounts) -> None:
    ann = accounts.create_guest("Ann").result()
    assert accounts.authenticate(ann.token) == ann.account
    assert accounts.authenticate(ann.token.upper()) == ann.account  # case-insensitive
    for other in ("", ann.token[:-1], "a" * 26, "ä" * 26, ann.token + "a"):
        assert accounts.authenticate(other) is None


def test_tokens_are_stored_as_digests_only(accounts: Accounts) -> None:
    token = accounts.create_guest("Ann").result().token
    rows = accounts.store.read(lambda c: c.execute(select(schema.token)).all())
    assert len(rows) == 1
    assert token.encode() not in rows[0].digest
    assert token not in str(rows)


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\nb", "greedy", "Greedy 2", "random"])
def test_invalid_names_are_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(RubiconError) as caught:
        accounts.create_guest(name)
    assert caught.value.code == "lobby/name"


def test_a_revoked_token_stops_working_at_once(accounts: Accounts) -> None:
    ann = accounts.create_guest("Ann").result()
    program = accounts.issue_token(ann.account, "bot").result()
    assert accounts.authenticate(program.token) == ann.account
    with pytest.raises(RubiconError):
        accounts.issue_token(ann.account, "bot").result()
    accounts.revoke_token(ann.account, "bot").result()
    assert accounts.authenticate(program.token) is None
    assert accounts.authenticate(ann.token) == ann.account
    with pytest.raises(RubiconError):
        accounts.revoke_token(ann.account, "bot").result()


def test_the_number_of_tokens_is_limited(accounts: Accounts) -> None:
    ann = accounts.create_guest("Ann").result()
    for number in range(MAX_TOKENS - 1):
        accounts.issue_token(ann.account, f"bot {number}").result()
    with pytest.raises(RubiconError) as caught:
        accounts.issue_token(ann.account, "one more").result()
    assert caught.value.code == "token/too-many"


def test_erasing_an_account_leaves_no_name(accounts: Accounts) -> None:
    ann = accounts.create_guest("Ann Example").result()
    assert "Ann Example" in json.dumps(accounts.export(ann.account))
    accounts.erase(ann.account).result()
    assert accounts.authenticate(ann.token) is None
    rows = accounts.store.read(lambda c: c.execute(select(schema.account)).all())
    assert "Example" not in str(rows)


def test_the_admin_token_is_created_once_and_survives_a_restart(accounts: Accounts) -> None:
    token = accounts.create_admin_token()
    assert token is not None
    assert accounts.create_admin_token() is None
    again = Accounts(accounts.store, BOTS)
    admin = again.authenticate(token)
    assert admin is not None
    assert admin.admin
    ann = again.create_guest("Ann").result()
    assert not ann.account.admin


def test_the_time_an_account_was_last_seen_is_stored_once_a_minute(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = accounts.create_guest("Ann").result()

    def seen() -> int:
        accounts.store.write(lambda _: None).result()  # behind whatever was queued before
        wanted = select(schema.account.c.seen)
        return int(accounts.store.read(lambda c: c.execute(wanted).scalar_one()))

    first = seen()
    for later, noted in ((SEEN_INTERVAL - 1, first), (SEEN_INTERVAL, first + SEEN_INTERVAL)):
        monkeypatch.setattr("rubicon.server.accounts.now", lambda _, at=first + later: at)
        accounts.invalidate()
        assert accounts.authenticate(ann.token) == ann.account
        assert seen() == noted
