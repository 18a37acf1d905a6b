"""Links that keep a seat: they work once, for one address, and tell strangers nothing."""

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

from rubicon.host.accounts import MOST_BROWSERS, Account, Accounts, Issued
from rubicon.host.links import MOST_BY_ACCOUNT, MOST_TO_ADDRESS, Links
from rubicon.host.stopping import Stopping
from rubicon.rules.errors import RubiconError
from rubicon.table import schema
from rubicon.table.store import Store
from tests.host.posted import DAY, HEAD, HOUR, Later

ANN = "ann@example.org"


class Door:
    """Accounts, their links, and the letters that were posted."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.accounts = Accounts(store, ())
        self.letters: list[EmailMessage] = []
        self.clock = Later()
        self.links = Links(self.accounts, HEAD, self.letters.append, self.clock)

    def guest(self, name: str = "Ann") -> Account:
        """Somebody new."""
        return self.accounts.guest(name).result().account

    def keep(self, account: Account, email: str = ANN) -> str:
        """Ask for a link; its token."""
        self.links.keep(account, email).result()
        return self.token()

    def token(self) -> str:
        """That of the last letter."""
        found = re.search(r"/link/(\w+)", self.letters[-1].get_content())
        assert found is not None
        return found[1]

    def kept(self, name: str = "Ann", email: str = ANN) -> Account:
        """Somebody whose account an address keeps."""
        account = self.guest(name)
        self.use(self.keep(account, email))
        return account

    def use(self, token: str) -> Issued:
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
def door(store: Store) -> Door:
    return Door(store)


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(RubiconError) as caught:
        yield
    assert caught.value.code == code


def test_a_link_makes_an_address_the_accounts_and_signs_in_once(door: Door) -> None:
    ann = door.guest()
    token = door.keep(ann, " Ann@Example.ORG ")
    assert str(door.letters[0]["To"]) == ANN
    assert door.accounts.profile(ann).email is None
    assert door.links.look(token).account.id == ann.id
    assert door.links.look(token).email == ANN
    issued = door.use(token)
    assert issued.account == ann
    assert door.accounts.of_token(issued.token) == ann
    assert door.accounts.profile(ann).email == ANN
    for again in (door.use, door.links.look):
        with refused("link/unknown"):
            again(token)


def test_a_link_of_two_hands_at_once_works_in_one(door: Door) -> None:
    token = door.keep(door.guest())

    def use(_: int) -> bool:
        try:
            door.use(token)
        except RubiconError as error:
            return error.code == "link/unknown"
        return False

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(use, range(4))) == [False, True, True, True]


def test_a_link_is_no_token_and_its_secret_is_not_in_the_store(door: Door) -> None:
    ann = door.guest()
    token = door.keep(ann)
    assert door.accounts.of_token(token) is None
    rows = door.rows(schema.token)
    assert not any(token.encode() in bytes(row["digest"]) for row in rows)
    assert token not in str(rows)
    assert [label["kind"] for label in door.accounts.labels(ann)] == ["cookie"]
    with refused("token/unknown"):
        door.accounts.revoke(ann, "letter").result()
    door.use(token)
    assert door.accounts.of_token(token) is None


@pytest.mark.parametrize("token", ["", "a" * 26, "A" * 25, "ä" * 26, "a" * 1000])
def test_what_is_no_link_is_refused(door: Door, token: str) -> None:
    with refused("link/unknown"):
        door.links.look(token)
    with refused("link/unknown"):
        door.use(token)


def test_a_link_lasts_a_day(door: Door) -> None:
    token = door.keep(door.guest())
    door.clock.pass_by(DAY - HOUR)
    door.links.look(token)
    door.clock.pass_by(2 * HOUR)
    with refused("link/unknown"):
        door.use(token)


def test_from_elsewhere_a_known_address_opens_its_account(door: Door) -> None:
    ann = door.kept()
    sent = len(door.letters)
    door.links.ask("ANN@example.org").result()
    assert door.letters[-1]["Subject"] == "Sign in at Rubicon"
    assert door.use(door.token()).account == ann
    door.links.ask("eve@example.org").result()
    assert len(door.letters) == sent + 1


def test_a_guests_seats_go_over_to_the_account_that_the_address_keeps(door: Door) -> None:
    ann = door.kept("Ann")
    guest, bob = door.guest("Ann again"), door.guest("Bob")
    door.seat("mine", guest, bob)
    door.seat("both", ann, guest)
    token = door.keep(guest)
    assert door.letters[-1]["Subject"] == "Sign in at Rubicon"
    assert door.links.look(token).account == ann
    assert door.use(token).account == ann
    seats = {(row["game"], row["colour"]): row for row in door.rows(schema.seat)}
    assert (seats["mine", "c0"]["account"], seats["mine", "c0"]["name"]) == (ann.id, "Ann again")
    assert seats["mine", "c1"]["account"] == bob.id
    assert seats["both", "c0"]["account"] == ann.id
    assert (seats["both", "c1"]["account"], seats["both", "c1"]["name"]) == (None, "c1")
    hosts = {row["id"]: row["host"] for row in door.rows(schema.game)}
    assert hosts == {"mine": ann.id, "both": ann.id}
    said = {(row["game"], row["account"]) for row in door.rows(schema.chat)}
    assert said == {("mine", ann.id), ("mine", bob.id), ("both", ann.id)}
    (gone,) = [row for row in door.rows(schema.account) if row["id"] == guest.id]
    assert (gone["name"], gone["email"]) == ("gone", None)
    assert not [row for row in door.rows(schema.token) if row["account"] == guest.id]


def test_who_was_sent_away_does_not_come_back_as_another(door: Door) -> None:
    ann, guest = door.kept(), door.guest("Two")
    door.seat("mine", door.guest("Bob"))
    row = {"game": "mine", "account": guest.id}
    door.store.write(lambda c: c.execute(insert(schema.kicked), row).rowcount).result()
    door.use(door.keep(guest))
    assert door.rows(schema.kicked) == [{"game": "mine", "account": ann.id}]


def test_two_kept_accounts_stay_two(door: Door) -> None:
    ann, bob = door.kept(), door.kept("Bob", "bob@example.org")
    door.seat("mine", bob)
    assert door.use(door.keep(bob, ANN)).account == ann
    assert door.rows(schema.seat)[0]["account"] == bob.id
    assert door.accounts.profile(bob).email == "bob@example.org"


def test_two_guests_who_want_one_address_become_one(door: Door) -> None:
    one, two = door.guest("One"), door.guest("Two")
    first, second = door.keep(one), door.keep(two)
    assert door.use(first).account == one
    assert door.links.look(second).account == one
    assert door.use(second).account == one


def test_another_address_takes_the_place_of_the_first(door: Door) -> None:
    ann = door.kept()
    door.use(door.keep(ann, "new@example.org"))
    assert door.accounts.profile(ann).email == "new@example.org"
    sent = len(door.letters)
    door.links.ask(ANN).result()
    assert len(door.letters) == sent


def test_an_address_has_three_letters_an_hour_and_nobody_is_told(door: Door) -> None:
    ann = door.kept()
    for _ in range(5):
        door.links.ask(ANN).result()
    door.links.keep(door.guest("Eve"), ANN).result()
    door.links.keep(ann, ANN).result()
    assert len(door.letters) == MOST_TO_ADDRESS
    door.clock.pass_by(HOUR + 1)
    door.links.ask(ANN).result()
    assert len(door.letters) == MOST_TO_ADDRESS + 1


def test_an_account_has_ten_letters_an_hour(door: Door) -> None:
    eve = door.guest("Eve")
    for number in range(MOST_BY_ACCOUNT):
        door.links.keep(eve, f"p{number}@example.org").result()
    with refused("link/too-often"):
        door.links.keep(eve, "more@example.org").result()
    assert len(door.letters) == MOST_BY_ACCOUNT
    door.clock.pass_by(HOUR + 1)
    door.links.keep(eve, "more@example.org").result()


def test_an_address_that_is_none_is_refused(door: Door) -> None:
    with refused("email/address"):
        door.links.keep(door.guest(), "ann")
    with refused("email/address"):
        door.links.ask("ann@example.org\nBcc: eve@example.org")


def test_the_admin_is_kept_by_no_address(door: Door) -> None:
    token = door.accounts.admin_token()
    assert token is not None
    admin = door.accounts.of_token(token)
    assert admin is not None
    with refused("email/admin"):
        door.links.keep(admin, ANN)


def test_erasing_takes_links_and_address_along(door: Door) -> None:
    ann = door.kept()
    pending = door.keep(ann, "new@example.org")
    exported = json.dumps(door.accounts.export(ann))
    assert ANN in exported
    assert "new@example.org" in exported
    assert pending not in exported
    door.accounts.erase(ann).result()
    with refused("link/unknown"):
        door.use(pending)
    assert "example.org" not in str(door.rows(schema.account) + door.rows(schema.token))


def test_old_links_are_cleared_away(door: Door) -> None:
    ann = door.guest()
    door.use(door.keep(ann))
    door.keep(ann)
    door.clock.pass_by(2 * DAY)
    door.keep(ann)
    kinds = sorted(row["kind"] for row in door.rows(schema.token))
    assert kinds == ["cookie", "cookie", "link"]


def test_an_account_is_open_in_so_many_browsers_at_most(door: Door) -> None:
    first = door.accounts.guest("Ann").result()
    for _ in range(MOST_BROWSERS + 2):
        door.clock.pass_by(HOUR)
        door.use(door.keep(first.account))
    assert len(door.accounts.labels(first.account)) == MOST_BROWSERS


def test_letters_are_ended_by_their_path_while_the_address_is_the_same(door: Door) -> None:
    stopping, ann = Stopping(door.accounts), door.kept()
    _, _, account, mark = stopping.path(ann.id, ANN).split("/")
    assert account == ann.id
    stopping.check(account, mark)
    assert door.accounts.profile(ann).letters
    for wrong in ("", mark[:-1], "a" * 26, "ä", mark + "a"):
        with refused("letters/unknown"):
            stopping.check(account, wrong)
        with refused("letters/unknown"):
            stopping.stop(account, wrong).result()
    with refused("letters/unknown"):
        stopping.check("nobody", mark)
    stopping.stop(account, mark.upper()).result()
    stopping.stop(account, mark).result()
    assert not door.accounts.profile(ann).letters
    door.accounts.want_letters(ann, True).result()
    assert door.accounts.profile(ann).letters
    moved = update(schema.account).where(schema.account.c.id == ann.id).values(email="b@c.example")
    door.store.write(lambda c: c.execute(moved).rowcount).result()
    with refused("letters/unknown"):
        stopping.stop(account, mark).result()


def test_a_guest_cannot_be_told_by_a_mark_of_no_address(door: Door) -> None:
    stopping, guest = Stopping(door.accounts), door.guest()
    mark = stopping.path(guest.id, "").rpartition("/")[2]
    with refused("letters/unknown"):
        stopping.check(guest.id, mark)


def test_what_others_have_chosen_stays_when_letters_end(door: Door) -> None:
    ann = door.kept()
    chosen = update(schema.account).where(schema.account.c.id == ann.id)
    blocked = chosen.values(settings='{"blocked": ["eve"]}')
    door.store.write(lambda c: c.execute(blocked).rowcount).result()
    door.accounts.want_letters(ann, False).result()
    (row,) = [row for row in door.rows(schema.account) if row["id"] == ann.id]
    assert json.loads(row["settings"]) == {"blocked": ["eve"], "letters": False}
