"""Carries out one message, and is killed at one of its steps: a program for `test_kills`.

It is started once, and forks for each attempt, so that an attempt takes a fraction of a second.
Each line that it reads is an attempt: `FOLDER STEP`, where the process is killed before the STEP-th
commit, send or acknowledgement (0: never). It answers with the exit status and the steps made.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path
from typing import Any

from rubicon.engine.warmup import warm
from rubicon.mail import message_work
from rubicon.mail.mail_service import PlayByMail
from rubicon.mail.reading.incoming_mail import MailEnvelope, ReceivedMail
from rubicon.server.emails import POLICY
from rubicon.server.outbox import Channel
from rubicon.server.server import Server
from rubicon.table.storage import writer
from rubicon.table.storage.statements import OpenTransaction, transaction
from tests.mail.service.mail_table import chosen_settings, use_transport
from tests.server.mail.mailing import swept

PENDING, ACKNOWLEDGED, STEPS = "pending.eml", "acknowledged", "steps"


class KillAt:
    """Kills this process at one of its steps."""

    def __init__(self, folder: Path, step: int) -> None:
        self._folder = folder
        self._step = step
        self.made = 0

    def here(self) -> None:
        """One step."""
        self.made += 1
        if self.made == self._step:
            os.kill(os.getpid(), signal.SIGKILL)


class FolderTransport:
    """Sends by writing files, whole or not at all."""

    def __init__(self, folder: Path, kill: KillAt) -> None:
        self._folder = folder
        self._kill = kill

    async def send(self, message: EmailMessage) -> None:
        """Write an e-mail."""
        self._kill.here()
        number = len(list(self._folder.glob("*.eml")))
        half = self._folder / f"{number:06}.half"
        half.write_bytes(message.as_bytes())
        half.rename(self._folder / f"{number:06}.eml")
        self._kill.here()


def sent_in(folder: Path) -> list[EmailMessage]:
    """The e-mails in a folder, the oldest first."""
    found = []
    for file in sorted(folder.glob("*.eml")):
        message = message_from_bytes(file.read_bytes(), policy=POLICY)
        assert isinstance(message, EmailMessage)
        found.append(message)
    return found


def attempt(folder: Path, step: int) -> None:
    """Take the pending message if it was not acknowledged, and do all that is due."""
    kill = KillAt(folder, step)

    @contextmanager
    def watched(connection: Any) -> Iterator[OpenTransaction]:
        with transaction(connection) as open_:
            yield open_
            kill.here()  # before the commit
        kill.here()  # behind it

    settings = chosen_settings(folder)
    by_mail = PlayByMail(settings)
    server = Server(settings, by_mail.write_emails)
    part = by_mail.beside(server)
    use_transport(server, FolderTransport(folder / "sent", kill))
    vars(writer)["transaction"] = watched
    server.outbox.release()
    part.service.release()
    if not (folder / ACKNOWLEDGED).exists():
        raw = (folder / PENDING).read_bytes()
        sender = parseaddr(str(message_from_bytes(raw)["From"]))[1]
        part.inbox.keep(ReceivedMail(raw=raw, envelope=MailEnvelope(sender)))
        kill.here()
        (folder / ACKNOWLEDGED).touch()
        kill.here()
    while part.service.work_once():
        pass
    while swept(server.outbox) or swept(server.outbox, Channel.ANSWERS):
        pass
    (folder / STEPS).write_text(str(kill.made))


def main() -> None:
    """Answer attempts until the input ends."""
    message_work.MOST_OF_SEAT = 1_000  # an hour: the tests write more than a person
    warm()
    print("ready", flush=True)
    for line in sys.stdin:
        name, step = line.rsplit(maxsplit=1)
        child = os.fork()
        if not child:
            status = 1
            try:
                attempt(Path(name), int(step))
                status = 0
            except BaseException:
                traceback.print_exc()
            os._exit(status)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
