"""A server that carries out one message at a time, and is killed while it does."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterable
from email.message import EmailMessage
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.mail.service.killed_service import ACKNOWLEDGED, PENDING, STEPS, sent_in

ROOT = Path(__file__).parents[3]


class KilledServer:
    """A game on disk, the e-mails that were sent so far, and attempts to carry a message out."""

    def __init__(self, folder: Path, sent: Iterable[EmailMessage]) -> None:
        self.folder = folder
        (folder / "sent").mkdir()
        for number, mail in enumerate(sent):
            (folder / "sent" / f"{number:06}.eml").write_bytes(mail.as_bytes())
        program = [sys.executable, "-m", "tests.mail.service.killed_service"]
        self.process = subprocess.Popen(
            program, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.said() == "ready"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def deliver(self, message: EmailMessage, step: int) -> tuple[list[EmailMessage], int]:
        """A message, killed at a step and then carried out; the answers, and the steps made.

        An e-mail that was sent twice under one Message-ID is one: its reader sees it once.
        """
        (self.folder / PENDING).write_bytes(message.as_bytes())
        (self.folder / ACKNOWLEDGED).unlink(missing_ok=True)
        if step:
            assert self.attempt(step) in (-signal.SIGKILL, 0)
        assert self.attempt(0) == 0
        answers = {
            str(mail["Message-ID"]): mail
            for mail in sent_in(self.folder / "sent")
            if mail["In-Reply-To"] == message["Message-ID"]
        }
        return list(answers.values()), int((self.folder / STEPS).read_text())

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
