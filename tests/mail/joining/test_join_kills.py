"""Kill -9 while somebody takes a seat by e-mail: one seat, one account, one answer a message."""

from __future__ import annotations

from email.message import EmailMessage
from email.utils import make_msgid
from functools import partial
from itertools import chain, repeat
from pathlib import Path

import pytest
from sqlalchemy import select

from rubicon.table.lobby.listing import show_table
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from tests.conftest import FULL
from tests.mail.joining.lobby import lobby_of
from tests.mail.service.killed_server import KilledServer
from tests.mail.service.mail_table import reply

STRANGERS = 14 if FULL else 2  # of one table, within the limit of an hour
ANSWERS = 9  # of each of them, within the limit of an hour


def written_to(invite: str, sender: str) -> EmailMessage:
    """What a stranger writes to an invite."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = f"play+{invite}@risk.example.org"
    message["Message-ID"] = make_msgid()
    message.set_content("I'd like to play!")
    return message


def seen(folder: Path, game: str) -> tuple[list[str], list[str | None]]:
    """Who sits at the table, and the addresses of all accounts."""
    store = Store.open_read_only(f"sqlite:///{folder}/table.db")
    try:
        view = store.read(partial(show_table, game=game))
        wanted = select(schema.account.c.email)
        addresses = store.read(lambda c: list(c.execute(wanted).scalars()))
    finally:
        store.close()
    return [seat.name for seat in view.seats if seat.name], addresses


@pytest.mark.timeout(1800)
def test_a_seat_is_taken_once_however_often_the_server_dies(tmp_path: Path) -> None:
    with lobby_of(tmp_path) as lobby:
        game, invite = lobby.game, lobby.invite
    with KilledServer(tmp_path, ()) as server:
        steps = steps_of_joining(server, invite)
        assert steps > 5
        killed_at = chain.from_iterable(repeat(range(1, steps + 1)))
        for stranger in range(STRANGERS):
            address = f"zoe{stranger}@example.net"
            (asked,), _ = server.deliver(written_to(invite, address), next(killed_at))
            for number in range(ANSWERS):
                wish, names = ("LEAVE", ["Mateo"]) if number % 2 else ("JOIN Zoe", ["Mateo", "Zoe"])
                step = next(killed_at)
                answers, _ = server.deliver(reply(wish, asked, address), step)
                assert len(answers) == 1, f"{wish}, killed at step {step}"
                at_table, accounts = seen(tmp_path, game)
                assert at_table == names, f"{wish}, killed at step {step}"
                assert accounts.count(address) == 1
            server.deliver(reply("LEAVE", asked, address), 0)


def steps_of_joining(server: KilledServer, invite: str) -> int:
    """How many steps it takes to carry out an answer; its seat is free again."""
    address = "steps@example.net"
    (asked,), _ = server.deliver(written_to(invite, address), 0)
    _, steps = server.deliver(reply("JOIN Steps", asked, address), 0)
    server.deliver(reply("LEAVE", asked, address), 0)
    return steps
