"""Kill -9 at each step between receipt and reply: nothing is lost, doubled or rolled again."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from rubicon.table.admin.audit import verify_store
from rubicon.table.storage.database import Store
from rubicon.table.storage.event_log import LineKind, LogLine, lines_of
from tests.conftest import FULL
from tests.mail.service.killed_service import ACKNOWLEDGED, PENDING, STEPS, sent_in
from tests.mail.service.mail_table import form_in, mail_table, reply

KILLS = 200 if FULL else 26
ROOT = Path(__file__).parents[3]
EXTRA = ("", "VOTE EXTEND", "DEFEND 1", "PRESS TO ALL\nHello.\nENDPRESS")


class KilledServer:
    """A game on disk, and attempts to carry a message out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = [sys.executable, "-m", "tests.mail.service.killed_service"]
        self.process = subprocess.Popen(
            program, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.said() == "ready"

    def said(self) -> str:
        """The next line of the program."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def attempt(self, step: int) -> int:
        """Carry the pending message out, killed at a step; the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{self.folder} {step}\n")
        self.process.stdin.flush()
        return int(self.said())

    def close(self) -> None:
        """End the program."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


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
        sent = tmp_path / "sent"
        sent.mkdir()
        for number, mail in enumerate(table.outbox.sent):
            (sent / f"{number:06}.eml").write_bytes(mail.as_bytes())
    server = KilledServer(tmp_path)
    try:
        steps = deliver(server, game, 0, 0)
        assert steps > 10
        for number in range(1, KILLS + 1):
            deliver(server, game, number, (number - 1) % steps + 1)
    finally:
        server.close()
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
    (folder / PENDING).write_bytes(message.as_bytes())
    (folder / ACKNOWLEDGED).unlink(missing_ok=True)
    before = len(lines_in(folder, game))
    if step:
        assert server.attempt(step) in (-signal.SIGKILL, 0)
    assert server.attempt(0) == 0
    lines = lines_in(folder, game)[before:]
    ordered = [line for line in lines if line.kind is LineKind.ORDERS]
    assert len(ordered) == 1, f"step {step}"
    answers = {
        str(mail["Message-ID"])
        for mail in sent_in(folder / "sent")
        if mail["In-Reply-To"] == message["Message-ID"]
    }
    assert len(answers) == 1, f"step {step}"
    return int((folder / STEPS).read_text())


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
