"""Passkeys sign in to the account that has added them, and forged ones to none."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, select, update

from rubicon.server.accounts import UNUSED, Account, Accounts, merge_guest, prune_guests
from rubicon.server.passkeys import (
    MAX_PASSKEYS,
    VALID,
    KnownPasskey,
    NewPasskeyAnswer,
    PasskeyOrigin,
    Passkeys,
    SignInAnswer,
    check_new,
)
from rubicon.table.errors import TableError
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store
from tests.server.accounts.authenticator import Authenticator
from tests.server.mail.mailing import Later
from tests.waiting import SOON

WHERE = PasskeyOrigin("https://risk.example.org", "risk.example.org")
ELSEWHERE = PasskeyOrigin("https://evil.example.org", "evil.example.org")


class PasskeyFixture:
    """Accounts and their passkeys, with a clock that can be put forward."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.accounts = Accounts(store, ())
        self.clock = Later()
        self.passkeys = Passkeys(self.accounts, self.clock)

    def guest(self, name: str = "Ann") -> Account:
        """A new guest."""
        return self.accounts.create_guest(name).result(SOON).account

    def add(self, account: Account, device: Authenticator, name: str = "Phone") -> KnownPasskey:
        """Add a passkey to an account."""
        answer = device.create(self.passkeys.begin_register(account, WHERE))
        return self.passkeys.register(account, WHERE, answer, name).result(SOON)

    def sign_in(self, device: Authenticator) -> Account:
        """Sign in; whoever the new token is for."""
        return self.use(device.get(self.passkeys.begin_sign_in(WHERE)))

    def use(self, answer: SignInAnswer) -> Account:
        """Whoever an answer signs in."""
        token = self.passkeys.sign_in(WHERE, answer).result(SOON).token
        account = self.accounts.authenticate(token)
        assert account is not None
        return account


@pytest.fixture
def people(store: Store) -> PasskeyFixture:
    return PasskeyFixture(store)


def device(where: PasskeyOrigin = WHERE, **more: Any) -> Authenticator:
    """A new passkey of a browser at a page."""
    return Authenticator(where.origin, where.site, **more)


def refusal(action: Callable[[], object]) -> str:
    """The code with which something is refused."""
    with pytest.raises(TableError) as caught:
        action()
    return caught.value.code


def test_a_passkey_signs_in_to_the_account_that_added_it(people: PasskeyFixture) -> None:
    ann, bob = people.guest("Ann"), people.guest("Bob")
    phone, laptop, other = device(), device(counter=0), device()
    added = people.add(ann, phone, " Phone ")
    people.add(ann, laptop, "Laptop")
    people.add(bob, other)
    assert [people.sign_in(each) for each in (laptop, laptop, other)] == [ann, ann, bob]
    assert people.sign_in(phone) == ann
    first, second = people.passkeys.of_account(ann)
    assert (first.name, second.name, added.used) == ("Phone", "Laptop", None)
    assert first.used is not None
    assert second.used is not None
    assert added.created <= second.created <= second.used <= first.used


def test_a_removed_passkey_signs_in_no_more(people: PasskeyFixture) -> None:
    ann, bob, phone = people.guest("Ann"), people.guest("Bob"), device()
    added = people.add(ann, phone)
    assert refusal(lambda: people.passkeys.remove(bob, added.id).result(SOON)) == "passkey/unknown"
    assert people.sign_in(phone) == ann
    people.passkeys.remove(ann, added.id).result(SOON)
    assert people.passkeys.of_account(ann) == []
    assert refusal(lambda: people.sign_in(phone)) == "passkey/refused"


def test_a_challenge_works_once_and_for_five_minutes(people: PasskeyFixture) -> None:
    ann, phone = people.guest(), device(counter=0)
    people.add(ann, phone)
    options = people.passkeys.begin_sign_in(WHERE)
    assert people.use(phone.get(options)) == ann
    assert refusal(lambda: people.use(phone.get(options))) == "passkey/challenge"
    options = people.passkeys.begin_sign_in(WHERE)
    late = people.passkeys.begin_register(ann, WHERE)
    people.clock.pass_by(VALID)
    assert refusal(lambda: people.use(phone.get(options))) == "passkey/challenge"
    answer = device().create(late)
    assert (
        refusal(lambda: people.passkeys.register(ann, WHERE, answer, "Late").result(SOON))
        == "passkey/challenge"
    )
    assert len(people.passkeys.of_account(ann)) == 1


def test_a_challenge_for_one_account_adds_no_passkey_to_another(people: PasskeyFixture) -> None:
    ann, eve = people.guest("Ann"), people.guest("Eve")
    answer = device().create(people.passkeys.begin_register(ann, WHERE))
    assert (
        refusal(lambda: people.passkeys.register(eve, WHERE, answer, "Mine")) == "passkey/challenge"
    )
    for_sign_in = people.passkeys.begin_sign_in(WHERE)
    mixed = device().create(people.passkeys.begin_register(eve, WHERE) | for_sign_in)
    assert (
        refusal(lambda: people.passkeys.register(eve, WHERE, mixed, "Mine")) == "passkey/challenge"
    )
    assert people.passkeys.of_account(eve) == []


def test_an_answer_that_was_made_at_another_page_is_refused(people: PasskeyFixture) -> None:
    ann, phone = people.guest(), device()
    people.add(ann, phone)
    options = people.passkeys.begin_sign_in(WHERE)
    there = replace(phone, origin=ELSEWHERE.origin)
    assert refusal(lambda: people.use(there.get(options))) == "passkey/origin"
    for_other_site = replace(phone, site=ELSEWHERE.site)
    assert refusal(lambda: people.use(for_other_site.get(options))) == "passkey/refused"
    begun = people.passkeys.begin_register(ann, WHERE)
    for where, code in ((ELSEWHERE, "passkey/origin"), (WHERE, "passkey/refused")):
        answer = device(PasskeyOrigin(where.origin, ELSEWHERE.site)).create(begun)
        adding = partial(people.passkeys.register, ann, WHERE, answer, "Evil")
        assert refusal(adding) == code


def test_a_passkey_signs_in_to_no_other_account(people: PasskeyFixture) -> None:
    ann, eve = people.guest("Ann"), people.guest("Eve")
    of_ann, of_eve = device(), device()
    people.add(ann, of_ann)
    people.add(eve, of_eve)
    answer = of_eve.get(people.passkeys.begin_sign_in(WHERE))
    named = replace(answer, account=ann.id)
    taken = replace(answer, id=of_ann.id)
    both = replace(answer, id=of_ann.id, account=ann.id)
    for forged in (named, taken, both):
        assert refusal(partial(people.use, forged)) == "passkey/refused"
    assert people.use(answer) == eve


def test_the_passkey_of_somebody_else_cannot_be_added(people: PasskeyFixture) -> None:
    ann, eve, phone = people.guest("Ann"), people.guest("Eve"), device()
    people.add(ann, phone)
    assert refusal(lambda: people.add(eve, replace(phone))) == "passkey/known"
    assert people.sign_in(replace(phone, account=ann.id)) == ann


def test_a_changed_signature_or_a_changed_text_is_refused(people: PasskeyFixture) -> None:
    ann, phone = people.guest(), device()
    people.add(ann, phone)
    answer = phone.get(people.passkeys.begin_sign_in(WHERE))
    other = phone.get(people.passkeys.begin_sign_in(WHERE))
    content = json.loads(answer.client_data) | {"more": 1}
    for forged in (
        replace(answer, signature=answer.signature[:-1] + bytes([answer.signature[-1] ^ 1])),
        replace(answer, signature=b""),
        replace(answer, client_data=json.dumps(content).encode()),
        replace(answer, authenticator_data=other.authenticator_data),
        replace(
            answer, client_data=answer.client_data.replace(b"webauthn.get", b"webauthn.create")
        ),
    ):
        assert refusal(partial(people.use, forged)) == "passkey/refused"
    assert people.use(answer) == ann


def test_a_copy_whose_counter_lags_behind_is_refused(people: PasskeyFixture) -> None:
    ann, phone = people.guest(), device()
    people.add(ann, phone)
    copy = replace(phone)
    people.sign_in(phone)
    people.sign_in(phone)
    assert refusal(lambda: people.sign_in(copy)) == "passkey/refused"
    assert people.sign_in(phone) == ann


def test_names_and_numbers_of_passkeys_are_limited(people: PasskeyFixture) -> None:
    ann = people.guest()
    for name in ("", " ", "x" * 41, "a\nb"):
        assert refusal(partial(people.add, ann, device(), name)) == "passkey/name"
    begun = people.passkeys.begin_register(ann, WHERE)
    for number in range(MAX_PASSKEYS):
        people.add(ann, device(), str(number))
    assert refusal(lambda: people.passkeys.begin_register(ann, WHERE)) == "passkey/too-many"
    late = people.passkeys.register(ann, WHERE, device().create(begun), "More")
    assert refusal(lambda: late.result(SOON)) == "passkey/too-many"
    assert len(people.passkeys.of_account(ann)) == MAX_PASSKEYS


def test_without_a_secure_origin_there_are_none(people: PasskeyFixture) -> None:
    ann = people.guest()
    assert refusal(lambda: people.passkeys.begin_register(ann, None)) == "passkey/off"
    assert refusal(lambda: people.passkeys.begin_sign_in(None)) == "passkey/off"
    admin = Account("admin", "admin", admin=True)
    assert refusal(lambda: people.passkeys.begin_register(admin, WHERE)) == "passkey/admin"


def test_an_account_is_exported_and_erased_with_its_passkeys(people: PasskeyFixture) -> None:
    ann, phone = people.guest(), device()
    people.add(ann, phone)
    exported = people.accounts.export(ann)["passkeys"]
    assert [each["name"] for each in exported] == ["Phone"]
    people.accounts.erase(ann).result(SOON)
    assert refusal(lambda: people.sign_in(phone)) == "passkey/refused"
    rows = people.store.read(lambda connection: connection.execute(select(schema.passkey)).all())
    assert rows == []


def test_the_passkey_of_a_guest_does_not_get_into_the_account_it_is_merged_into(
    people: PasskeyFixture,
) -> None:
    eve, ann = people.guest("Eve"), people.guest("Ann")
    of_eve, of_ann = device(), device()
    people.add(eve, of_eve)
    people.add(ann, of_ann)
    people.store.write(lambda connection: merge_guest(connection, eve.id, ann.id)).result(SOON)
    assert refusal(lambda: people.sign_in(of_eve)) == "passkey/refused"
    assert people.sign_in(of_ann) == ann


def test_a_guest_with_a_passkey_is_not_unused(people: PasskeyFixture) -> None:
    ann, phone = people.guest("Ann"), device()
    people.add(ann, phone)
    people.guest("Bob")

    def prune(connection: Connection) -> int:
        connection.execute(update(schema.account).values(seen=now(connection) - UNUSED - 1))
        return prune_guests(connection)

    assert people.store.write(prune).result(SOON) == 1
    assert people.sign_in(phone) == ann


def outcome(answer: NewPasskeyAnswer) -> str:
    """The code with which an answer is refused; empty if it is taken."""
    try:
        check_new(answer, b"a", WHERE)
    except TableError as error:
        return error.code
    return ""


@given(attestation=st.binary(max_size=300), at=st.integers(0, 200), to=st.binary(max_size=4))
def test_whatever_is_sent_is_taken_or_refused_in_words(
    attestation: bytes, at: int, to: bytes
) -> None:
    good = device().create({"user": {"id": "YQ"}, "challenge": "YQ"})
    assert outcome(good) == ""
    changed = good.attestation[:at] + to + good.attestation[at + len(to) :]
    assert outcome(replace(good, attestation=changed)) in ("", "passkey/refused")
    assert outcome(replace(good, attestation=attestation)) == "passkey/refused"
    assert outcome(replace(good, id=good.id + b"x")) == "passkey/refused"
