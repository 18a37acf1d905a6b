"""Dovecot with one mailbox, where it is installed: what many providers of mailboxes run."""

from __future__ import annotations

import os
import pwd
import shutil
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.ports import free_port

PROGRAM = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
WHY_NOT = "Dovecot is not installed, or its rights are missing: it needs those of root"
PATIENCE = 30.0  # seconds
OWNER = "nobody"  # of the mailbox: Dovecot gives root no access
USER, PASSWORD = "user", "secret"
CONFIGURATION = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:{folder}/mail
recipient_delimiter = +
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail allow_all_users=yes
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
namespace inbox {{
  inbox = yes
  prefix = {prefix}
  separator = .
}}
"""


def is_there() -> bool:
    """Whether it can be run here, with LMTP."""
    return PROGRAM is not None and os.geteuid() == 0 and Path("/usr/lib/dovecot/lmtp").exists()


@dataclass(frozen=True, slots=True)
class Dovecot:
    """A running server; `port` is that of IMAP."""

    folder: Path
    port: int
    lmtp_port: int

    def put(self, raw: bytes, to: str = f"{USER}@example.org") -> None:
        """A new message in the mailbox, by LMTP; `to` may have a tag."""
        with smtplib.LMTP("127.0.0.1", self.lmtp_port, timeout=PATIENCE) as lmtp:
            lmtp.sendmail("ann@example.com", [to], raw)

    def messages(self, folder: str = "") -> int:
        """How many messages are in INBOX, or in a folder of that name."""
        place = self.folder / "mail" / (f".{folder}" if folder else "")
        return sum(len(list((place / part).glob("*"))) for part in ("new", "cur"))

    def wait_until_read(self) -> None:
        """Wait until all messages have left INBOX."""
        until = time.monotonic() + PATIENCE
        while self.messages() and time.monotonic() < until:
            time.sleep(0.05)
        assert self.messages() == 0

    def drop_connections(self) -> None:
        """End all sessions, as a restart of the server does."""
        self._control("kick", "*")

    def _control(self, *words: str) -> None:
        assert PROGRAM is not None
        program = shutil.which("doveadm") or "/usr/bin/doveadm"
        command = [program, "-c", str(self.folder / "dovecot.conf"), *words]
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)


@contextmanager
def dovecot(*, prefix: str = "") -> Iterator[Dovecot]:
    """A running Dovecot; `prefix` stands before the name of each folder but INBOX."""
    assert PROGRAM is not None
    owner = pwd.getpwnam(OWNER)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # its processes have other users
        (folder / "mail").mkdir()
        os.chown(folder / "mail", owner.pw_uid, owner.pw_gid)
        running = Dovecot(folder, free_port(), free_port())
        configuration = CONFIGURATION.format(
            folder=folder, password=PASSWORD, uid=owner.pw_uid, gid=owner.pw_gid,
            port=running.port, lmtp=running.lmtp_port, prefix=prefix,
        )  # fmt: skip
        file = folder / "dovecot.conf"
        file.write_text(configuration)
        process = subprocess.Popen([PROGRAM, "-F", "-c", str(file)], stderr=subprocess.DEVNULL)
        try:
            _wait_for(running, process)
            yield running
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _wait_for(running: Dovecot, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, (running.folder / "log").read_text()
        try:
            with socket.create_connection(("127.0.0.1", running.port), 5) as greeted:
                if greeted.recv(100).startswith(b"* OK"):
                    return
        except OSError:
            time.sleep(0.1)
    raise AssertionError((running.folder / "log").read_text())
