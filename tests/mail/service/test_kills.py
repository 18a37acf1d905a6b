"""Kill -9 at each step between receipt and reply: nothing is lost, doubled or rolled again."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from rubicon.table.admin.audit import verify_store
from rubicon.table.game.log_lines import LineKind, LogLine
from rubicon.table.storage.database import Store
from rubicon.table.storage.event_log import lines_of
from tests.conftest import FULL
from tests.mail.service.killed_server import KilledServer
from tests.mail.service.killed_service import sent_in
from tests.mail.service.mail_table import form_in, mail_table, reply

KILLS = 200 if FULL else 26
EXTRA = ("", "VOTE EXTEND", "DEFEND 1", "PRESS TO ALL\nHello.\nENDPRESS")


def lines_in(folder: Path, game: str) -> list[LogLine]:
    """The log of the game."""
    store = Store.open_read_only(f"sqlite:///{folder}/table.db")
    try:
        return store.read(partial(lines_of, game=game))
    finally:
        store.close()


@pytest.mark.timeout(1800)
def test_nothing_is_lost_or_doubled_by_kills(tmp_path: Path) -> None:
    with mail_table(tmp_path) as table:
        game = table.game
        sent = table.outbox.sent
    with KilledServer(tmp_path, sent) as server:
        steps = deliver(server, game, 0, 0)
        assert steps > 10
        for number in range(1, KILLS + 1):
            deliver(server, game, number, (number - 1) % steps + 1)
    check_all(tmp_path, game)


def deliver(server: KilledServer, game: str, number: int, step: int) -> int:
    """One message, killed at a step and then carried out; how many steps that were."""
    folder = server.folder
    mover = next(
        mail
        for mail in reversed(sent_in(folder / "sent"))
        if mail["Auto-Submitted"] == "auto-generated" and "Your turn" in mail["Subject"]
    )
    orders = form_in(mover).replace("// ATTACK", "ATTACK").replace("LEFT 3", "ROUNDS 1")
    extra = EXTRA[number % len(EXTRA)]
    message = reply(f"{extra}\n{orders}".strip(), mover, str(mover["To"]))
    before = len(lines_in(folder, game))
    answers, steps = server.deliver(message, step)
    lines = lines_in(folder, game)[before:]
    ordered = [line for line in lines if line.kind is LineKind.ORDERS]
    assert len(ordered) == 1, f"step {step}"
    assert len(answers) == 1, f"step {step}"
    return steps


def check_all(folder: Path, game: str) -> None:
    """Each decision was ordered once, and each roll asked for once; the log and dice verify."""
    lines = lines_in(folder, game)
    orders = Counter((line.seat, line.decision) for line in lines if line.kind is LineKind.ORDERS)
    assert set(orders.values()) == {1}
    requests = Counter(line.text for line in lines if line.kind is LineKind.REQUEST)
    assert set(requests.values()) <= {1}
    store = Store.open_read_only(f"sqlite:///{folder}/table.db")
    try:
        report = verify_store(store)
    finally:
        store.close()
    assert (report.damaged, report.good) == ({}, 1)
