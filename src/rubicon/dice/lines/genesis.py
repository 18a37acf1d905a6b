"""The first line: the table, its seats, the participants with their chains, the commitment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from rubicon.dice.canonical import Json
from rubicon.dice.errors import require
from rubicon.dice.hashing import FORMAT
from rubicon.dice.lines.deposit import Deposit
from rubicon.dice.lines.reading import LONGEST_NAME, Fields
from rubicon.dice.lines.state import DICE_SERVER, REQUIRED, SERVER, SeatState, State

MOST_SEATS = 16
MOST_EARLIER = 1000
LONGEST_ROLL_WAIT, LONGEST_SETUP_WAIT = 3_600, 86_400  # seconds


@dataclass(frozen=True)
class Genesis:
    """What is fixed before the first roll; `earlier` are the tables that this one continues."""

    kind: ClassVar[str] = "genesis"
    table: str
    rules: bytes
    seats: Sequence[str]
    key: bytes  # the server's
    participants: Mapping[str, Deposit]
    roll_wait: int
    setup_wait: int
    commitment: bytes
    earlier: Sequence[tuple[str, bytes]] = field(default=())

    def form(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "format": FORMAT,
            "table": self.table,
            "earlier": [{"table": table, "head": head.hex()} for table, head in self.earlier],
            "rules": self.rules.hex(),
            "seats": list(self.seats),
            "key": self.key.hex(),
            "participants": {name: one.form() for name, one in self.participants.items()},
            "waits": {"roll": self.roll_wait, "setup": self.setup_wait},
            "commitment": self.commitment.hex(),
        }

    @staticmethod
    def read(fields: Fields) -> Genesis:
        """From JSON."""
        said = fields.text("format")
        require(said == FORMAT, "genesis", "The format is another one.", FORMAT, said)
        earlier = [_earlier(one) for one in fields.inners("earlier", MOST_EARLIER)]
        waits = fields.inner("waits")
        genesis = Genesis(
            table=fields.text("table"),
            rules=fields.hash("rules"),
            seats=fields.texts("seats", MOST_SEATS),
            key=fields.hash("key"),
            participants=_participants(fields),
            roll_wait=waits.whole("roll", 0, LONGEST_ROLL_WAIT),
            setup_wait=waits.whole("setup", 0, LONGEST_SETUP_WAIT),
            commitment=fields.hash("commitment"),
            earlier=earlier,
        )
        waits.end()
        return genesis

    def apply(self, state: State, *, trusted: bool) -> None:
        """Begin; BadEntry where something does not fit."""
        if not trusted:
            self.check()
        state.table, state.rules, state.server_key = self.table, self.rules, self.key
        state.roll_wait, state.setup_wait = self.roll_wait, self.setup_wait
        state.commitment = self.commitment
        state.earlier = len(self.earlier)
        state.seats = {seat: SeatState() for seat in self.seats}
        for name, deposit in self.participants.items():
            state.participants[name] = deposit.participant(self.table, name, 0, 0)
            if deposit.seat:
                state.seats[deposit.seat].keys.add(deposit.key)

    def check(self) -> None:
        """BadEntry for a participant that may not be there, or whose deposit does not fit."""
        tables = [self.table, *(table for table, _ in self.earlier)]
        message = "A table stands twice among those that this one continues."
        require(len(set(tables)) == len(tables), "genesis", message, "each once", str(tables))
        plain = all(seat and "." not in seat for seat in self.seats)
        message = "A seat has a name that an id of a participant could be."
        require(plain, "seat", message, "names without dots", str(list(self.seats)))
        names = self.participants.keys()
        allowed = {*REQUIRED, *self.seats}
        right = SERVER in names and names <= allowed and not {*REQUIRED} & {*self.seats}
        message = "The participants are the server, a dice server, and one client a seat."
        require(right, "participants", message, ", ".join(sorted(allowed)), str(sorted(names)))
        keys = [one.key for one in self.participants.values()]
        message = "Two participants have the same key."
        require(len(set(keys)) == len(keys), "participants", message, "a key each", "")
        for name, one in self.participants.items():
            seat = "" if name in REQUIRED else name
            message = f"The deposit of {name} is for another seat."
            require(one.seat == seat, "participants", message, seat, one.seat)
            one.check(self.table)
        server = self.participants[SERVER].key
        message = "The server's chain is not that of its key."
        require(server == self.key, "participants", message, self.key.hex(), server.hex())

    @property
    def has_dice_server(self) -> bool:
        """Whether an independent dice server takes part."""
        return DICE_SERVER in self.participants


def _earlier(fields: Fields) -> tuple[str, bytes]:
    found = fields.text("table"), fields.hash("head")
    fields.end()
    return found


def _participants(fields: Fields) -> dict[str, Deposit]:
    found: dict[str, Deposit] = {}
    for name, inner in fields.inners_by_name("participants").items():
        if inner is None or len(name) > LONGEST_NAME:
            raise fields.wrong("a deposit each", name, "participants")
        found[name] = Deposit.read(inner)
        inner.end()
    return found
