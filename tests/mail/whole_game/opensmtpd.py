"""OpenSMTPD between the server and the players, where it is installed."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = shutil.which("smtpd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
WHY_NOT = "OpenSMTPD is not installed, or its rights are missing: it needs those of root"
PATIENCE = 30.0  # seconds
CONFIGURATION = """\
listen on 127.0.0.1 port {port}
action "rubicon" relay host "lmtp://127.0.0.1:{rubicon}"
action "players" relay host "smtp://127.0.0.1:{players}"
match from any for domain "risk.example.org" action "rubicon"
match from any for domain "example.com" action "players"
"""


def is_there() -> bool:
    """Whether it can be run here."""
    return PROGRAM is not None and os.geteuid() == 0


@contextmanager
def opensmtpd(folder: Path, port: int, rubicon: int, players: int) -> Iterator[None]:
    """The mail server: it brings e-mails to Rubicon by LMTP, and to the players by SMTP."""
    assert PROGRAM is not None
    file = folder / "smtpd.conf"
    file.write_text(CONFIGURATION.format(port=port, rubicon=rubicon, players=players))
    with (folder / "smtpd.log").open("w") as log:
        process = subprocess.Popen([PROGRAM, "-d", "-f", str(file)], stdout=log, stderr=log)
        try:
            _wait_for(port, process, folder / "smtpd.log")
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)


def try_again() -> None:
    """What an operator does after an outage: deliver now what would wait for some minutes."""
    assert PROGRAM is not None
    control = Path(PROGRAM).with_name("smtpctl")
    subprocess.run([control, "schedule", "all"], check=True, capture_output=True, timeout=PATIENCE)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()
        try:
            with socket.create_connection(("127.0.0.1", port), 5) as greeted:
                if greeted.recv(100).startswith(b"220"):
                    return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(log.read_text())
