"""An honest player: the Python client with a journal, which takes part by itself."""

from __future__ import annotations

import io
import shutil
import time
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from rubicon.cli.main import main
from rubicon.client import ApiError, Client, DiceAlarm, DicePart
from rubicon.client.dice import JournalFile
from rubicon.dice.client import DiceClient
from tests.table.hosted import GAME, SOON

if TYPE_CHECKING:
    from tests.attacks.over_http.table import HttpTable

LOOK = 0.02  # seconds between two looks at what other threads do


@dataclass(frozen=True, slots=True)
class Noticed:
    """What one player's program and its journal say in the end."""

    seat: str
    alarm: str  # the code of the DiceAlarm that was raised, or "none"
    status: int  # of `rubicon verify --journal --key`
    verify: str  # what it printed


class NoJournal(JournalFile):
    """The journal of a cheat, who keeps nothing more."""

    def add(self, *_: object, **__: object) -> None:
        """Keep nothing."""


class HttpPlayer:
    """Stands where the attacks expect a `DiceClient`, and answers for that of the real client."""

    def __init__(self, seat: str) -> None:
        self.colour = seat
        self.raised: list[str] = []  # codes of DiceAlarm

    def __getattr__(self, name: str) -> Any:
        return getattr(self.part.client, name)

    def take_part(self, table: HttpTable, client: Client) -> None:
        """Take part with a journal; from then on a thread of the client does everything."""
        self.table, self.http = table, client
        self.journal_path = table.folder / f"{self.colour}.jsonl"
        self.part: DicePart = client.take_part(GAME, self.journal_path)

    def restarted(self) -> HttpPlayer:
        """The same program, begun again on a copy of the journal; it waits to be told."""
        again = HttpPlayer(self.colour)
        again.table = self.table
        again.http = self.table.port.running.connect(self.http.token)
        again.journal_path = self.journal_path.with_suffix(".again.jsonl")
        shutil.copy(self.journal_path, again.journal_path)
        again.part = DicePart(again.http._session, GAME, self.colour, again.journal_path)
        self.table.players.append(again)
        return again

    def follow(self, lines: Sequence[str]) -> None:
        """Read these lines next, from the route of the transcript."""
        known = self.table.routes.told.get(self.colour) or list(self.table.lines)
        self.see(known[: len(self.part.client.transcript)] + list(lines))

    def see(self, lines: Sequence[str]) -> None:
        """Read this transcript, which the route shows from now on."""
        self.table.routes.told[self.colour] = list(lines)
        self.catch_up()

    def catch_up(self) -> None:
        """Read what there is, and give the link that is asked for, as its thread does."""
        with suppress(ApiError):
            self.part.give()

    def give(self) -> dict[str, Any] | None:
        """The link that has come to the operator for the request that waits."""
        self.catch_up()
        client = self.part.client
        pending = client.transcript.state.pending
        if pending is None or client.alarms:
            return None
        given = self.table.routes.taken.get((self.colour, pending.n))
        if given is None:
            return None
        return {"n": pending.n, "link": given.link.hex(), "signature": given.sig.hex()}

    def submit(self, decision: int, text: str, *, orders: bool = False) -> bool:
        """Submit a decision; False where an alarm is raised, or the server forgot what it shows."""
        try:
            self.http.submit(GAME, decision, text, orders=orders)
        except DiceAlarm as alarm:
            self.raised.append(alarm.code)
            return False
        except ApiError as error:
            if error.code != "dice/stale-head":
                raise
            return False
        return True

    def settled(self) -> bool:
        """Whether its thread follows the game, or has stopped with an alarm."""
        client = self.part.client
        return bool(client.connected or client.alarms)

    def noticed(self) -> Noticed:
        """Look once more, and check what this player is shown."""
        try:
            with suppress(ApiError):
                self.part.read()
            self.part.raise_alarm()
        except DiceAlarm as alarm:
            self.raised.append(alarm.code)
        file = self.journal_path.with_suffix(".dice")
        file.write_text(self.http.transcript(GAME), "utf-8")
        printed = io.StringIO()
        key = self.part.client.own.key.hex()
        asked = ["verify", str(file), "--journal", str(self.journal_path), "--key", key]
        with redirect_stdout(printed):
            status = main(asked)
        alarms = ", ".join(dict.fromkeys(self.raised)) or "none"
        return Noticed(self.colour, alarms, status, printed.getvalue())

    def put_aside(self) -> None:
        """End the program without a farewell: the player is a cheat, and sends by hand."""
        self.http._dice.pop(GAME).stop()
        self.part.file = NoJournal(self.journal_path)

    def close(self) -> None:
        """End without a farewell."""
        thread = self.http._dice.pop(GAME, None)
        if thread is not None:
            thread.stop()
        self.part.close()
        self.http.close()


def honest_players(*seats: str) -> Sequence[DiceClient]:
    """Players whose clients take part over HTTP."""
    return cast("Sequence[DiceClient]", [HttpPlayer(seat) for seat in seats])


def until(happened: Any, seconds: float = SOON) -> None:
    """Wait for something that other threads do."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(LOOK)
