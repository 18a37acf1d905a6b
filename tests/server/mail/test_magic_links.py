"""One-time links: they work once, for one address, and reveal nothing to strangers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from rubicon.errors import RubiconError
from rubicon.server.accounts import MAX_BROWSERS, Account, Accounts, IssuedToken
from rubicon.server.email_links import (
    MAX_PER_ACCOUNT,
    MAX_PER_ADDRESS,
    MagicLinks,
    UnsubscribeLinks,
)
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from tests.server.mail.mailing import DAY, HOUR, IDENTITY, Later

ANN = "ann@example.org"


class MagicLinkFixture:
    """Accounts, their links, and the e-mails that were sent."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.accounts = Accounts(store, ())
        self.messages: list[EmailMessage] = []
        self.clock = Later()
        self.links = MagicLinks(self.accounts, IDENTITY, self.messages.append, self.clock)

    def guest(self, name: str = "Ann") -> Account:
        """A new guest."""
        return self.accounts.create_guest(name).result().account

    def save(self, account: Account, email: str = ANN) -> str:
        """Ask for a link; its token."""
        self.links.save_account(account, email).result()
        return self.token()

    def token(self) -> str:
        """The token in the last e-mail."""
        found = re.search(r"/sign-in/(\w+)", self.messages[-1].get_content())
        assert found is not None
        return found[1]

    def saved(self, name: str = "Ann", email: str = ANN) -> Account:
        """An account that is saved under an address."""
        account = self.guest(name)
        self.use(self.save(account, email))
        return account

    def use(self, token: str) -> IssuedToken:
        """Use a link."""
        return self.links.use(token).result()

    def seat(self, game: str, *accounts: Account | None) -> None:
        """A game with seats."""

        def job(connection: Any) -> None:
            row = {"id": game, "state": "running", "title": game, "access": "open", "head": 0}
            row |= {"ruleset": "{}", "settings": "{}", "created": 0, "changed": 0}
            host = accounts[0].id if accounts[0] is not None else None
            connection.execute(insert(schema.game), row | {"host": host})
            for number, account in enumerate(accounts):
                seat: dict[str, Any] = {"game": game, "number": number, "colour": f"c{number}"}
                seat["account"] = None if account is None else account.id
                seat["name"] = "" if account is None else account.name
                connection.execute(insert(schema.seat), seat)
                if account is not None:
                    text = f"{account.name} was here"
                    said: dict[str, Any] = {
                        "game": game,
                        "account": account.id,
                        "seat": f"c{number}",
                    }
                    said |= {"to": "", "text": text, "at": 1}
                    connection.execute(insert(schema.chat), said)

        self.store.write(job).result()

    def rows(self, table: Any) -> list[dict[str, Any]]:
        """What is stored."""
        found = self.store.read(lambda c: c.execute(select(table)).all())
        return [dict(row._mapping) for row in found]


@pytest.fixture
def mail(store: Store) -> MagicLinkFixture:
    return MagicLinkFixture(store)


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(RubiconError) as caught:
        yield
    assert caught.value.code == code


def test_a_link_saves_the_address_and_signs_in_once(mail: MagicLinkFixture) -> None:
    ann = mail.guest()
    token = mail.save(ann, " Ann@Example.ORG ")
    assert str(mail.messages[0]["To"]) == ANN
    assert mail.accounts.profile(ann).email is None
    assert mail.links.inspect(token).account.id == ann.id
    assert mail.links.inspect(token).address == ANN
    issued = mail.use(token)
    assert issued.account == ann
    assert mail.accounts.authenticate(issued.token) == ann
    assert mail.accounts.profile(ann).email == ANN
    for again in (mail.use, mail.links.inspect):
        with refused("link/unknown"):
            again(token)


def test_concurrent_uses_of_a_link_succeed_once(mail: MagicLinkFixture) -> None:
    token = mail.save(mail.guest())

    def use(_: int) -> bool:
        try:
            mail.use(token)
        except RubiconError as error:
            return error.code == "link/unknown"
        return False

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(use, range(4))) == [False, True, True, True]


def test_a_link_is_no_token_and_only_its_digest_is_stored(mail: MagicLinkFixture) -> None:
    ann = mail.guest()
    token = mail.save(ann)
    assert mail.accounts.authenticate(token) is None
    rows = mail.rows(schema.token)
    assert not any(token.encode() in bytes(row["digest"]) for row in rows)
    assert token not in str(rows)
    assert [label["kind"] for label in mail.accounts.tokens(ann)] == ["cookie"]
    with refused("token/unknown"):
        mail.accounts.revoke_token(ann, "e-mail").result()
    mail.use(token)
    assert mail.accounts.authenticate(token) is None


@pytest.mark.parametrize("token", ["", "a" * 26, "A" * 25, "ä" * 26, "a" * 1000])
def test_invalid_links_are_refused(mail: MagicLinkFixture, token: str) -> None:
    with refused("link/unknown"):
        mail.links.inspect(token)
    with refused("link/unknown"):
        mail.use(token)


def test_a_link_expires_after_a_day(mail: MagicLinkFixture) -> None:
    token = mail.save(mail.guest())
    mail.clock.pass_by(DAY - HOUR)
    mail.links.inspect(token)
    mail.clock.pass_by(2 * HOUR)
    with refused("link/unknown"):
        mail.use(token)


def test_a_sign_in_link_opens_the_account_of_its_address(mail: MagicLinkFixture) -> None:
    ann = mail.saved()
    sent = len(mail.messages)
    mail.links.request_sign_in("ANN@example.org").result()
    assert mail.messages[-1]["Subject"] == "Sign in to Rubicon"
    assert mail.use(mail.token()).account == ann
    mail.links.request_sign_in("eve@example.org").result()
    assert len(mail.messages) == sent + 1


def test_a_link_that_arrives_ends_that_an_address_refuses_emails(mail: MagicLinkFixture) -> None:
    ann = mail.saved()
    own = schema.account.c.id == ann.id
    refuses = update(schema.account).where(own).values(unreachable=1)
    mail.accounts.store.write(lambda c: c.execute(refuses).rowcount).result()
    mail.links.request_sign_in(ANN).result()
    mail.use(mail.token())
    found = select(schema.account.c.unreachable).where(own)
    assert mail.accounts.store.read(lambda c: c.execute(found).scalar_one()) is None


def test_seats_of_a_guest_move_to_the_account_of_the_address(
    mail: MagicLinkFixture,
) -> None:
    ann = mail.saved("Ann")
    guest, bob = mail.guest("Ann again"), mail.guest("Bob")
    mail.seat("mine", guest, bob)
    mail.seat("both", ann, guest)
    token = mail.save(guest)
    assert mail.messages[-1]["Subject"] == "Sign in to Rubicon"
    assert mail.links.inspect(token).account == ann
    assert mail.use(token).account == ann
    seats = {(row["game"], row["colour"]): row for row in mail.rows(schema.seat)}
    assert (seats["mine", "c0"]["account"], seats["mine", "c0"]["name"]) == (ann.id, "Ann again")
    assert seats["mine", "c1"]["account"] == bob.id
    assert seats["both", "c0"]["account"] == ann.id
    assert (seats["both", "c1"]["account"], seats["both", "c1"]["name"]) == (None, "c1")
    hosts = {row["id"]: row["host"] for row in mail.rows(schema.game)}
    assert hosts == {"mine": ann.id, "both": ann.id}
    said = {(row["game"], row["account"]) for row in mail.rows(schema.chat)}
    assert said == {("mine", ann.id), ("mine", bob.id), ("both", ann.id)}
    (gone,) = [row for row in mail.rows(schema.account) if row["id"] == guest.id]
    assert (gone["name"], gone["email"]) == ("gone", None)
    assert not [row for row in mail.rows(schema.token) if row["account"] == guest.id]


def test_a_removed_guest_stays_removed_after_a_merge(mail: MagicLinkFixture) -> None:
    ann, guest = mail.saved(), mail.guest("Two")
    mail.seat("mine", mail.guest("Bob"))
    row = {"game": "mine", "account": guest.id}
    mail.store.write(lambda c: c.execute(insert(schema.kicked), row).rowcount).result()
    mail.use(mail.save(guest))
    assert mail.rows(schema.kicked) == [{"game": "mine", "account": ann.id}]


def test_two_saved_accounts_are_not_merged(mail: MagicLinkFixture) -> None:
    ann, bob = mail.saved(), mail.saved("Bob", "bob@example.org")
    mail.seat("mine", bob)
    assert mail.use(mail.save(bob, ANN)).account == ann
    assert mail.rows(schema.seat)[0]["account"] == bob.id
    assert mail.accounts.profile(bob).email == "bob@example.org"


def test_two_guests_with_one_address_are_merged(mail: MagicLinkFixture) -> None:
    one, two = mail.guest("One"), mail.guest("Two")
    first, second = mail.save(one), mail.save(two)
    assert mail.use(first).account == one
    assert mail.links.inspect(second).account == one
    assert mail.use(second).account == one


def test_a_new_address_replaces_the_old_one(mail: MagicLinkFixture) -> None:
    ann = mail.saved()
    mail.use(mail.save(ann, "new@example.org"))
    assert mail.accounts.profile(ann).email == "new@example.org"
    sent = len(mail.messages)
    mail.links.request_sign_in(ANN).result()
    assert len(mail.messages) == sent


def test_an_address_gets_three_emails_an_hour_without_an_error(mail: MagicLinkFixture) -> None:
    ann = mail.saved()
    for _ in range(5):
        mail.links.request_sign_in(ANN).result()
    mail.links.save_account(mail.guest("Eve"), ANN).result()
    mail.links.save_account(ann, ANN).result()
    assert len(mail.messages) == MAX_PER_ADDRESS
    mail.clock.pass_by(HOUR + 1)
    mail.links.request_sign_in(ANN).result()
    assert len(mail.messages) == MAX_PER_ADDRESS + 1


def test_an_account_can_ask_for_ten_emails_an_hour(mail: MagicLinkFixture) -> None:
    eve = mail.guest("Eve")
    for number in range(MAX_PER_ACCOUNT):
        mail.links.save_account(eve, f"p{number}@example.org").result()
    with refused("link/rate-limited"):
        mail.links.save_account(eve, "more@example.org").result()
    assert len(mail.messages) == MAX_PER_ACCOUNT
    mail.clock.pass_by(HOUR + 1)
    mail.links.save_account(eve, "more@example.org").result()


def test_invalid_addresses_are_refused(mail: MagicLinkFixture) -> None:
    with refused("email/address"):
        mail.links.save_account(mail.guest(), "ann")
    with refused("email/address"):
        mail.links.request_sign_in("ann@example.org\nBcc: eve@example.org")


def test_the_admin_account_gets_no_address(mail: MagicLinkFixture) -> None:
    token = mail.accounts.create_admin_token()
    assert token is not None
    admin = mail.accounts.authenticate(token)
    assert admin is not None
    with refused("email/admin"):
        mail.links.save_account(admin, ANN)


def test_erasing_an_account_deletes_its_links_and_address(mail: MagicLinkFixture) -> None:
    ann = mail.saved()
    pending = mail.save(ann, "new@example.org")
    exported = json.dumps(mail.accounts.export(ann))
    assert ANN in exported
    assert "new@example.org" in exported
    assert pending not in exported
    mail.accounts.erase(ann).result()
    with refused("link/unknown"):
        mail.use(pending)
    assert "example.org" not in str(mail.rows(schema.account) + mail.rows(schema.token))


def test_expired_links_are_deleted(mail: MagicLinkFixture) -> None:
    ann = mail.guest()
    mail.use(mail.save(ann))
    mail.save(ann)
    mail.clock.pass_by(2 * DAY)
    mail.save(ann)
    kinds = sorted(row["kind"] for row in mail.rows(schema.token))
    assert kinds == ["cookie", "cookie", "link"]


def test_the_number_of_browsers_of_an_account_is_limited(mail: MagicLinkFixture) -> None:
    first = mail.accounts.create_guest("Ann").result()
    for _ in range(MAX_BROWSERS + 2):
        mail.clock.pass_by(HOUR)
        mail.use(mail.save(first.account))
    assert len(mail.accounts.tokens(first.account)) == MAX_BROWSERS


def test_unsubscribe_links_work_while_the_address_is_the_same(
    mail: MagicLinkFixture,
) -> None:
    unsubscribe, ann = UnsubscribeLinks(mail.accounts), mail.saved()
    _, _, account, mark = unsubscribe.path(ann.id, ANN).split("/")
    assert account == ann.id
    unsubscribe.check(account, mark)
    assert mail.accounts.profile(ann).emails
    for wrong in ("", mark[:-1], "a" * 26, "ä", mark + "a"):
        with refused("unsubscribe/unknown"):
            unsubscribe.check(account, wrong)
        with refused("unsubscribe/unknown"):
            unsubscribe.unsubscribe(account, wrong).result()
    with refused("unsubscribe/unknown"):
        unsubscribe.check("nobody", mark)
    unsubscribe.unsubscribe(account, mark.upper()).result()
    unsubscribe.unsubscribe(account, mark).result()
    assert not mail.accounts.profile(ann).emails
    mail.accounts.set_emails(ann, True).result()
    assert mail.accounts.profile(ann).emails
    moved = update(schema.account).where(schema.account.c.id == ann.id).values(email="b@c.example")
    mail.store.write(lambda c: c.execute(moved).rowcount).result()
    with refused("unsubscribe/unknown"):
        unsubscribe.unsubscribe(account, mark).result()


def test_a_guest_has_no_valid_unsubscribe_link(mail: MagicLinkFixture) -> None:
    unsubscribe, guest = UnsubscribeLinks(mail.accounts), mail.guest()
    mark = unsubscribe.path(guest.id, "").rpartition("/")[2]
    with refused("unsubscribe/unknown"):
        unsubscribe.check(guest.id, mark)


def test_unsubscribing_keeps_other_settings(mail: MagicLinkFixture) -> None:
    ann = mail.saved()
    chosen = update(schema.account).where(schema.account.c.id == ann.id)
    blocked = chosen.values(settings='{"blocked": ["eve"]}')
    mail.store.write(lambda c: c.execute(blocked).rowcount).result()
    mail.accounts.set_emails(ann, False).result()
    (row,) = [row for row in mail.rows(schema.account) if row["id"] == ann.id]
    assert json.loads(row["settings"]) == {"blocked": ["eve"], "emails": False}
