"""People: guests, tokens that are stored nowhere, and the way out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from rubicon.host.accounts import MOST_TOKENS, SEEN_EVERY, Accounts
from rubicon.rules.errors import RubiconError
from rubicon.table import schema
from rubicon.table.store import Store

BOTS = ("greedy", "random")


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    store = Store.open(f"sqlite:///{tmp_path}/people.db")
    schema.metadata.create_all(store.engine)
    yield Accounts(store, BOTS)
    store.close()


def test_a_guest_is_known_by_the_token_and_by_nothing_else(accounts: Accounts) -> None:
    ann = accounts.guest("Ann").result()
    assert accounts.of_token(ann.token) == ann.account
    assert accounts.of_token(ann.token.upper()) == ann.account  # letters are read in any case
    for other in ("", ann.token[:-1], "a" * 26, "ä" * 26, ann.token + "a"):
        assert accounts.of_token(other) is None


def test_no_token_stands_in_the_store(accounts: Accounts) -> None:
    token = accounts.guest("Ann").result().token
    rows = accounts.store.read(lambda c: c.execute(select(schema.token)).all())
    assert len(rows) == 1
    assert token.encode() not in rows[0].digest
    assert token not in str(rows)


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\nb", "greedy", "Greedy 2", "random"])
def test_names_that_nobody_may_have(accounts: Accounts, name: str) -> None:
    with pytest.raises(RubiconError) as caught:
        accounts.guest(name)
    assert caught.value.code == "lobby/name"


def test_a_revoked_token_is_useless_at_once(accounts: Accounts) -> None:
    ann = accounts.guest("Ann").result()
    program = accounts.issue(ann.account, "bot").result()
    assert accounts.of_token(program.token) == ann.account
    with pytest.raises(RubiconError):
        accounts.issue(ann.account, "bot").result()
    accounts.revoke(ann.account, "bot").result()
    assert accounts.of_token(program.token) is None
    assert accounts.of_token(ann.token) == ann.account
    with pytest.raises(RubiconError):
        accounts.revoke(ann.account, "bot").result()


def test_nobody_has_tokens_without_end(accounts: Accounts) -> None:
    ann = accounts.guest("Ann").result()
    for number in range(MOST_TOKENS - 1):
        accounts.issue(ann.account, f"bot {number}").result()
    with pytest.raises(RubiconError) as caught:
        accounts.issue(ann.account, "one more").result()
    assert caught.value.code == "token/too-many"


def test_erasing_leaves_no_name(accounts: Accounts) -> None:
    ann = accounts.guest("Ann Example").result()
    assert "Ann Example" in json.dumps(accounts.export(ann.account))
    accounts.erase(ann.account).result()
    assert accounts.of_token(ann.token) is None
    rows = accounts.store.read(lambda c: c.execute(select(schema.account)).all())
    assert "Example" not in str(rows)


def test_the_admins_token_is_shown_once_and_survives_a_restart(accounts: Accounts) -> None:
    token = accounts.admin_token()
    assert token is not None
    assert accounts.admin_token() is None
    again = Accounts(accounts.store, BOTS)
    admin = again.of_token(token)
    assert admin is not None
    assert admin.admin
    ann = again.guest("Ann").result()
    assert not ann.account.admin


def test_it_is_noted_now_and_then_when_somebody_was_here_last(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = accounts.guest("Ann").result()

    def seen() -> int:
        accounts.store.write(lambda _: None).result()  # behind whatever was queued before
        wanted = select(schema.account.c.seen)
        return int(accounts.store.read(lambda c: c.execute(wanted).scalar_one()))

    first = seen()
    for later, noted in ((SEEN_EVERY - 1, first), (SEEN_EVERY, first + SEEN_EVERY)):
        monkeypatch.setattr("rubicon.host.accounts.now", lambda _, at=first + later: at)
        accounts.forget()
        assert accounts.of_token(ann.token) == ann.account
        assert seen() == noted
