"""The processes of a game by e-mail: the server, and an independent dice server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.ports import free_port

ROOT = Path(__file__).parents[3]
PLAY = "play@risk.example.org"


class Processes:
    """Both servers in a folder; they can be killed and started again."""

    def __init__(self, folder: Path, smtp_port: int, imap_port: int, lmtp_port: int) -> None:
        self.folder = folder
        self.port, self.dice_port = free_port(), free_port()
        self._running: list[subprocess.Popen[str]] = []
        self._environment = os.environ | {
            "PYTHONUNBUFFERED": "1",
            "RUBICON_STORE": f"sqlite:///{folder}/table.db",
            "RUBICON_PORT": str(self.port),
            "RUBICON_MAIL_SERVER": f"smtp://127.0.0.1:{smtp_port}",
            "RUBICON_MAIL_FROM": f"Rubicon <{PLAY}>",
            "RUBICON_MAIL_RECEIVE": f"lmtp://127.0.0.1:{lmtp_port} "
            f"imap://user:secret@127.0.0.1:{imap_port}/INBOX",
            "RUBICON_MAIL_POLL_SECONDS": "1",
            "RUBICON_EMAIL_DELAY_SECONDS": "0",
            "RUBICON_TRUSTED_PROXY": "127.0.0.1",
            "RUBICON_DICE_SERVER": f"http://127.0.0.1:{self.dice_port}",
        }

    @property
    def url(self) -> str:
        """Where the server answers."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start both, and wait until they answer."""
        self._start(r"(?i)serves|listen|http://", "dice", "serve", "--port", str(self.dice_port))
        self._start(r"Rubicon serves", "serve")

    def kill(self) -> None:
        """Kill both at once (-9)."""
        for process in self._running:
            process.kill()
        self._gone()

    def stop(self) -> None:
        """Ask both to stop."""
        for process in reversed(self._running):
            process.terminate()
        self._gone()

    def run(self, *arguments: str) -> str:
        """A command of the program to its end; what it prints."""
        done = subprocess.run(
            [sys.executable, "-m", "rubicon", *arguments],
            cwd=self.folder, env=self._environment, capture_output=True, text=True, timeout=300,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def _start(self, ready: str, *arguments: str) -> None:
        log = (self.folder / f"{arguments[0]}.log").open("a")
        process = subprocess.Popen(
            [sys.executable, "-m", "rubicon", *arguments],
            cwd=self.folder, env=self._environment, stdout=subprocess.PIPE, stderr=log, text=True,
        )  # fmt: skip
        log.close()
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if re.search(ready, line):
                break
        else:
            raise AssertionError("".join(lines) + (self.folder / f"{arguments[0]}.log").read_text())
        self._running.append(process)

    def _gone(self) -> None:
        for process in self._running:
            process.communicate(timeout=60)
        self._running.clear()
