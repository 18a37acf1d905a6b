"""How fast e-mails of players are carried out and answered.

    python benchmarks/play_by_mail.py [--messages 60]

Six people play `email` on the world map in one process: each message has the orders of a whole turn
with attacks, and is answered with its dice, the form and the map. The e-mails are written and
handed over as bytes; no network is measured.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rubicon.mail.reading.incoming_mail import MailEnvelope, ReceivedMail
from tests.mail.service.mail_table import MailTable, form_in, mail_table, reply


def orders_of(table: MailTable, seat: str) -> str:
    """The form of a seat's newest e-mail, with its first attack."""
    return form_in(table.newest(seat)).replace("// ATTACK", "ATTACK", 1)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=60)
    wanted = parser.parse_args().messages
    waited: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        mail_table(Path(folder), seats=6, board="world", preset="email") as table,
    ):
        began_all, used = time.perf_counter(), time.process_time()
        posting = 0.0
        for _ in range(wanted):
            if table.snapshot.ending is not None:
                break
            seat = table.mover
            raw = reply(orders_of(table, seat), table.newest(seat), table.address(seat)).as_bytes()
            began = time.perf_counter()
            table.part.inbox.keep(ReceivedMail(raw=raw, envelope=MailEnvelope("x@example.com")))
            while table.part.service.work_once():
                pass
            waited.append(time.perf_counter() - began)
            began = time.perf_counter()
            table.post()  # the e-mails to the others
            posting += time.perf_counter() - began
        whole, used = time.perf_counter() - began_all, time.process_time() - used
    print(f"{len(waited)} messages in {whole:.1f} s: {len(waited) / whole:.1f} a second")
    print(f"from receipt to the queued answer: median {statistics.median(waited) * 1000:.0f} ms, "
          f"longest {max(waited) * 1000:.0f} ms")  # fmt: skip
    print(f"CPU a message, with the e-mails to the others: {used / len(waited) * 1000:.0f} ms")
    print(f"e-mails to the others: {posting / len(waited) * 1000:.0f} ms a message")


if __name__ == "__main__":
    main()
