"""Takes messages from the inbox, one of each sender at a time, and ends each with one answer."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from concurrent.futures import TimeoutError as FutureTimeoutError
from functools import partial

from rubicon.errors import RubiconError
from rubicon.mail.service.answer_outbox import AnswerSender, release_answers
from rubicon.mail.service.inbox import (
    StoredMessage,
    TakenOver,
    claim_message,
    next_messages,
    postpone,
    release_messages,
)
from rubicon.mail.service.message_work import MessageWork
from rubicon.mail.service.steps.step_runner import NOT_NOW
from rubicon.server.server import Server

WORKERS = 4
LOOK_AGAIN = 5.0  # seconds between two looks where nothing wakes the service
WAITING = 20  # messages that are looked at for one that is free
SHORTEST_DELAY, LONGEST_DELAY = 2_000, 10 * 60_000  # milliseconds before another attempt
GIVE_UP = 3 * 24 * 3_600_000  # milliseconds
log = logging.getLogger(__name__)


class MailService:
    """Runs beside a server; `wake` tells it that a message was stored.

    `work` carries a message out. `done` counts messages by how they ended.
    """

    def __init__(self, server: Server, work: MessageWork) -> None:
        self._store = server.store
        self._mailer = server.mailer
        self._work = work
        self.answers = AnswerSender(server.mailer)
        server.mailer.others["answers"] = self.answers.sweep
        self.done: Counter[str] = Counter()
        self._busy: set[str] = set()  # senders
        self._changed = threading.Condition()
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._run, name=f"mail-{n}", daemon=True)
            for n in range(WORKERS)
        ]

    def start(self) -> None:
        """Go on with what is there, and take what comes."""
        self.release()
        for thread in self._threads:
            thread.start()

    def release(self) -> None:
        """Take over at once what a server that died has claimed, where there can be no other."""
        if not self._store.shared:
            self._store.write(release_messages).result()
            self._store.write(release_answers).result()

    def close(self) -> None:
        """Finish the steps under way, and stop; the rest is done at the next start."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        self._work.close()

    def wake(self) -> None:
        """Look for messages now."""
        with self._changed:
            self._changed.notify()

    def work_once(self) -> bool:
        """Carry out one message that is due, in this thread; whether there was one."""
        try:
            found = self._take()
        except Exception as error:  # of any kind: the thread must survive it
            self._failed("inbox not read", error)
            return False
        if found is None:
            return False
        message, sender = found
        try:
            self._carry_out(message)
        finally:
            self._free(sender)
        return True

    def _run(self) -> None:
        while not self._stopping:
            worked = self.work_once()
            with self._changed:
                if worked:
                    self._changed.notify()  # the sender's next message may be another worker's
                elif not self._stopping:
                    self._changed.wait(LOOK_AGAIN)

    def _take(self) -> tuple[StoredMessage, str] | None:
        """A message whose sender has no other one under way; its sender is busy from now on."""
        # As many senders may be busy as there are workers: one more is free.
        for number, sender in self._store.read(partial(next_messages, most=WAITING + WORKERS)):
            with self._changed:
                if sender in self._busy:
                    continue
                self._busy.add(sender)
            try:
                taken = self._store.write(partial(claim_message, number=number)).result()
            except BaseException:
                self._free(sender)
                raise
            if taken is not None:
                return taken, sender
            self._free(sender)
        return None

    def _free(self, sender: str) -> None:
        with self._changed:
            self._busy.discard(sender)

    def _carry_out(self, message: StoredMessage) -> None:
        """Carry a message out; where that fails it stays, and is tried again later."""
        try:
            self.done[self._work.carry_out(message)] += 1
            self._mailer.wake()  # the answer waits
        except TakenOver:
            pass
        except (*NOT_NOW, FutureTimeoutError) as error:
            log.info("e-mail waits", extra={"message_number": message.id, "reason": str(error)})
            self._postpone(message)
        except Exception as error:  # of any kind: the message must not be lost
            self._failed("e-mail not carried out", error, message_number=message.id)
            self._later_or_never(message)

    def _later_or_never(self, message: StoredMessage) -> None:
        """Try a message again that ended in a fault of ours, for some days."""
        try:
            if self._work.now() - message.at > GIVE_UP:
                self._work.give_up(message)
                self.done["failed"] += 1
                return
        except (RubiconError, FutureTimeoutError) as error:
            self._failed("e-mail not ended", error)
        self._postpone(message)

    def _postpone(self, message: StoredMessage) -> None:
        age = max(0, self._work.now() - message.at)
        delay = max(SHORTEST_DELAY, min(age, LONGEST_DELAY))
        try:
            self._store.write(partial(postpone, number=message.id, delay=delay)).result()
        except RubiconError as error:
            self._failed("e-mail not postponed", error)

    def _failed(self, what: str, error: Exception, **fields: object) -> None:
        level = logging.WARNING if isinstance(error, RubiconError) else logging.ERROR
        log.log(level, what, exc_info=error, extra=fields)
