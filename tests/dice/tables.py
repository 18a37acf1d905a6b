"""Whole transcripts for the tests: every kind of line, with and without a dice server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rubicon.dice.crypto import sign
from rubicon.dice.errors import DiceError
from rubicon.dice.example import SEATS, ExampleTable
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.opening import Shown
from rubicon.dice.lines.state import BattleAsk, PickAsk, SealedAsk, SeatsAsk
from rubicon.dice.transcript import LineBody

EARLIER = (("before", bytes(range(32))),)


class CannotGoOn(Exception):
    """Behind a forged line nothing honest can follow."""


class Forger(ExampleTable):
    """A table whose operator, with all its clients, writes something else in place of some lines.

    `changes` are by kind and number: `("answer", 2)` is the third answer; each returns the bodies
    to write instead. What follows is signed behind the forged lines, so that only they are wrong.
    """

    def __init__(self, changes: Mapping[tuple[str, int], Change], *, dice_server: bool) -> None:
        self.changes = dict(changes)
        self.forged: list[int] = []
        self.salts: dict[str, bytes] = {}  # of placements, where the operator chooses them
        super().__init__(dice_server=dice_server, earlier=EARLIER)

    def write(self, body: LineBody, *, signed: bool = True) -> Entry:
        """Add the server's next line, or those that stand in for it."""
        number = sum(entry.kind == body.kind for entry in self.entries)
        change = self.changes.pop((body.kind, number), None)
        if change is None:
            return self._line(body, signed)
        self.forged.append(len(self.entries))
        for one in change(self, body):
            self._line(one, signed=True)
        return self.entries[-1]

    def placement_salt(self, seat: str) -> bytes:
        """The salt of a seat's placement, or the one that the operator likes."""
        return self.salts.get(seat) or super().placement_salt(seat)

    def _line(self, body: LineBody, signed: bool) -> Entry:
        state = self.transcript.state
        entry = Entry(state.seq, state.head, body.kind, body.form())
        before = len(self.entries)
        try:
            return super().write(body, signed=signed)
        except (DiceError, KeyError, IndexError, AssertionError) as error:
            assert self.forged, "an honest line was refused"
            assert len(self.entries) == before
            self.entries.append(entry.signed(sign(self.secrets.private_key, entry.head)))
            raise CannotGoOn from error


Change = Callable[[Forger, Any], Sequence[LineBody]]


def forged(
    changes: Mapping[tuple[str, int], Change], *, dice_server: bool = False
) -> tuple[list[Entry], list[int]]:
    """The lines of `play` with some of them forged, and the numbers of those.

    They end where a forged line makes it impossible to go on.
    """
    table = Forger.__new__(Forger)
    try:
        table.__init__(changes, dice_server=dice_server)  # type: ignore[misc]
        play(table)
    except (CannotGoOn, DiceError, KeyError):
        assert table.forged, "an honest line was refused"
    assert not table.changes, f"there are no such lines: {sorted(table.changes)}"
    return table.entries, table.forged


def whole(*, dice_server: bool = False) -> list[Entry]:
    """Every kind of line, honestly."""
    return forged({}, dice_server=dice_server)[0]


def play(table: ExampleTable) -> None:
    """Two clients and a bot: silences, a return, later chains, a card that is shown, the end."""
    table.roll(("", 0, "begin"), SeatsAsk(SEATS), PickAsk(3), PickAsk(2), PickAsk(1))  # request 0
    table.roll(("red", 3, "ATTACK alaska -> kamchatka UNTIL 3"), *[BattleAsk(3, 2)] * 3)
    table.roll(("red", 9, "END"), SealedAsk(3, "red"))
    attack = ("blue", 12, "ATTACK siam -> india UNTIL 2")
    table.roll(attack, BattleAsk(2, 1), silent=["red"])  # request 3
    table.roll(attack, BattleAsk(2, 1), BattleAsk(2, 2))
    table.presence("joined", "red")
    table.roll(("green", 17, "attack peru -> brazil"), BattleAsk(1, 1), rolls=1)
    table.deposit("red", certified_by="red")
    table.roll(("red", 20, "attack alaska -> alberta"), BattleAsk(3, 1), rolls=1)  # request 6
    table.lost("blue")  # else nobody could take its place without a certificate
    table.deposit("blue")
    table.roll(("blue", 23, "END"), SealedAsk(3, "blue"))
    table.lost("blue.1")
    table.presence("left", "red.1")
    n, number, card = table.cards[0]
    table.write(Shown(n, number, card))
    table.roll(("green", 26, "END"), SealedAsk(2, "green"))  # request 8, without clients
    table.presence("joined", "red")
    table.roll(("blue", 30, "attack siam -> china"), BattleAsk(2, 2), silent=["red"], rolls=1)
    table.presence("joined", "blue")
    texts = {"red": "place alaska 2\nplace alberta 1", "blue": "place siam 3"}
    table.place(31, texts, unopened=["blue"])
    table.roll(("red", 33, "attack alaska -> alberta"), BattleAsk(2, 2), rolls=1)  # request 10
    table.end()
