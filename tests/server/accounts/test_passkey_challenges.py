"""A challenge is good for one purpose, one account and one use, within five minutes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, func, select

from rubicon.server.accounts import Accounts
from rubicon.server.passkeys import VALID, PasskeyChallenges, Purpose
from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from tests.waiting import SOON

AT = 1_700_000_000_000


@pytest.fixture
def challenges(store: Store) -> PasskeyChallenges:
    return PasskeyChallenges(Accounts(store, ()))


def used(
    store: Store,
    challenges: PasskeyChallenges,
    challenge: bytes,
    *,
    purpose: Purpose = Purpose.SIGN_IN,
    account: str = "",
    at: int = AT,
) -> bool:
    """Whether a challenge could be used."""

    def job(connection: Connection) -> None:
        challenges.use(connection, challenge, purpose, account, at)

    error = store.write(job).exception(SOON)
    assert error is None or (isinstance(error, TableError) and error.code == "passkey/challenge")
    return error is None


def stored(store: Store) -> int:
    """How many challenges the database knows."""
    counted = select(func.count()).select_from(schema.used_challenge)
    return int(store.read(lambda connection: connection.execute(counted).scalar_one()))


def test_it_is_used_once(store: Store, challenges: PasskeyChallenges) -> None:
    challenge = challenges.new(Purpose.SIGN_IN, "", AT)
    assert [used(store, challenges, challenge) for _ in range(2)] == [True, False]


def test_of_uses_at_the_same_time_one_succeeds(store: Store, challenges: PasskeyChallenges) -> None:
    challenge = challenges.new(Purpose.SIGN_IN, "", AT)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: used(store, challenges, challenge), range(8)))
    assert sorted(found) == [False] * 7 + [True]


@pytest.mark.parametrize(
    ("age", "good"), [(0, True), (VALID - 1, True), (VALID, False), (-1, False)]
)
def test_it_expires_after_five_minutes(
    store: Store, challenges: PasskeyChallenges, age: int, good: bool
) -> None:
    challenge = challenges.new(Purpose.SIGN_IN, "", AT)
    assert used(store, challenges, challenge, at=AT + age) == good


def test_it_is_for_one_purpose_and_one_account(store: Store, challenges: PasskeyChallenges) -> None:
    challenge = challenges.new(Purpose.REGISTER, "ann", AT)
    assert not used(store, challenges, challenge, purpose=Purpose.REGISTER, account="eve")
    assert not used(store, challenges, challenge, purpose=Purpose.SIGN_IN, account="ann")
    assert not used(store, challenges, challenge)
    assert used(store, challenges, challenge, purpose=Purpose.REGISTER, account="ann")


def test_one_that_was_made_elsewhere_or_changed_is_refused(
    store: Store, challenges: PasskeyChallenges
) -> None:
    good = challenges.new(Purpose.SIGN_IN, "", AT)
    nonce, at, signature = good.split(b".")
    later = b".".join([nonce, str(int(at) + VALID).encode(), signature])
    shapes = (b"", b"..", b"a.b.c", b"a.1.", b"\xff.\xff.\xff", "a.².c".encode(), good + b".")
    for forged in (later, b"x" + good, good[:-1], *shapes):
        assert not used(store, challenges, forged), forged
        with pytest.raises(TableError):
            challenges.check(forged, Purpose.SIGN_IN, "")
    assert used(store, challenges, good)


def test_only_used_ones_are_stored_and_only_until_they_expire(
    store: Store, challenges: PasskeyChallenges
) -> None:
    for _ in range(100):
        challenges.new(Purpose.SIGN_IN, "", AT)
    assert stored(store) == 0
    for minute in range(20):
        at = AT + minute * 60_000
        assert used(store, challenges, challenges.new(Purpose.SIGN_IN, "", at), at=at)
    assert stored(store) == 5
