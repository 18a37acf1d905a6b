"""Inboxes for tests of receivers."""

from __future__ import annotations

import threading

from rubicon.mail.reading.incoming_mail import MailNotKept, ReceivedMail, SenderMustWait

PLAY = "play@risk.example.org"


class MemoryInbox:
    """Keeps messages in memory, unless it is `full`, or has `waiting` ones of a sender."""

    def __init__(self) -> None:
        self.kept: list[ReceivedMail] = []
        self.full = False
        self.waiting = b""  # what the messages have in them
        self._changed = threading.Condition()

    def keep(self, received: ReceivedMail) -> None:
        """Keep a message."""
        if self.full:
            raise MailNotKept("the disk is full")
        if self.waiting and self.waiting in received.raw:
            raise SenderMustWait
        with self._changed:
            self.kept.append(received)
            self._changed.notify_all()

    def wait_for(self, count: int) -> None:
        """Wait until there are so many messages."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.kept) >= count, 30)
