"""Players' dice clients at a hosted table: they follow its transcript, and give links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from functools import partial
from time import sleep
from typing import Any

from rubicon.dice.client import DiceClient
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.members import Presence
from rubicon.dice.lines.opening import Opened, Sealed
from rubicon.dice.lines.request import GivenLink, SignedOrder
from rubicon.dice.verify import Verdict, verify
from rubicon.errors import RubiconError
from rubicon.table.admin.game_files import transcript_of
from rubicon.table.commands.dice_participants import LinkReceipt
from rubicon.table.commands.submit import Receipt, Submission
from rubicon.table.deadlines import tick
from rubicon.table.game.game_cache import dice_of
from rubicon.table.game.log_lines import LineKind, LogLine
from rubicon.table.settings import Settings
from rubicon.table.storage.event_log import lines_of
from tests.table.hosted import SOON, Hosted
from tests.table.timed import START

WAIT = Settings().entropy_wait
CLOCKS = ("table.commands.dice_participants", "table.lobby.people")  # that read the time too


class DicePlayer:
    """The dice client of a seat."""

    def __init__(self, game: Hosted, seat: str, client: DiceClient | None = None) -> None:
        self.game = game
        self.seat = seat
        self.client = client or DiceClient(game.game, seat, length=64)
        self.sent: list[dict[str, Any]] = []

    def deposit(self) -> Receipt:
        """Add its chain to the running game."""
        done = self.game.table.deposit(self.game.game, self.seat, self.client.deposit)
        receipt = done.result(SOON)
        self.follow()
        return receipt

    def follow(self) -> DicePlayer:
        """Check all lines that its seat may see."""
        client = self.client
        after = len(client.transcript) - 1
        text = self.game.table.store.read(
            partial(transcript_of, game=self.game.game, seat=self.seat, after=after)
        )
        client.follow(text.splitlines())
        assert client.alarms == []
        return self

    def give(self) -> LinkReceipt:
        """Send the link that is waited for."""
        message = self.follow().client.give()
        assert message is not None, "no link is wanted"
        self.sent.append(message)
        receipt = self.send(message).result(SOON)
        self.client.check_receipt(receipt.n, receipt.signature)
        assert self.client.alarms == []
        return receipt

    def send(self, message: dict[str, Any]) -> Future[LinkReceipt]:
        """Send any message with a link."""
        given = GivenLink(bytes.fromhex(message["link"]), bytes.fromhex(message["signature"]))
        return self.game.table.link(self.game.game, self.seat, message["n"], given)

    def presence(self, kind: str) -> Future[Receipt]:
        """Join again, or leave."""
        form = self.follow().client.presence(kind)
        word = form.pop("presence")
        body = Presence.read(Fields(form, "presence"), kind=word)
        return self.game.table.presence(self.game.game, self.seat, body)

    def seal(self, text: str, decision: int | None = None) -> Future[Receipt]:
        """Seal a placement, by default for the seat's pending decision."""
        asked = self.game.snapshot.decisions.get(self.seat, 0) if decision is None else decision
        form = self.follow().client.seal(asked, text)
        parts = bytes.fromhex(form["head"]), bytes.fromhex(form["signature"])
        signed = SignedOrder(form["id"], *parts)
        sealed = Sealed(self.seat, asked, bytes.fromhex(form["hash"]), signed)
        return self.game.table.seal(self.game.game, sealed)

    def open(self) -> Future[Receipt]:
        """Open what was sealed."""
        form = self.follow().client.opening()
        assert form is not None, "no opening is wanted"
        return self.opened(form["text"], form["salt"])

    def opened(self, text: str, salt: str) -> Future[Receipt]:
        """Send any opening."""
        opened = Opened(self.seat, text, bytes.fromhex(salt))
        return self.game.table.open_placement(self.game.game, opened)

    def signed(self, decision: int, words: str) -> SignedOrder:
        """Its signature of a decision."""
        form = self.follow().client.signed(decision, words)
        assert form is not None
        parts = bytes.fromhex(form["head"]), bytes.fromhex(form["signature"])
        return SignedOrder(form["id"], *parts)


def seated(game: Hosted, *seats: str) -> list[DicePlayer]:
    """Clients of these seats, which have deposited in the running game."""
    players = [DicePlayer(game, seat) for seat in seats]
    for player in players:
        player.deposit()
    return players


def others(game: Hosted) -> list[str]:
    """The seats without a pending decision."""
    mover, _ = game.mover()
    return [colour for colour in game.snapshot.game().colours if colour != mover]


def an_attack(game: Hosted) -> str:
    """An attack that the mover can make; the game is played until there is one."""
    game.play(until="attack")
    return next(a for a in map(str, game.snapshot.game().legal) if a.startswith("attack"))


def rolling(
    game: Hosted, text: str, *, orders: bool = False, signed: SignedOrder | None = None
) -> Future[Receipt]:
    """Submit for the mover, and wait until links are pending or the result is there."""
    seat, decision = game.mover()
    submission = Submission(game.game, seat, decision, text, orders, signed)
    submitted = game.table.submit(submission)
    until(lambda: submitted.done() or game.snapshot.waits_for == "links")
    return submitted


def until(reached: Callable[[], bool]) -> None:
    """Wait for a state; the timeout of the test says where it never comes."""
    while not reached():
        sleep(0.002)


def sweep(game: Hosted) -> None:
    """Run the sweep of deadlines."""
    wait(tick(game.table, START), SOON)


def refused(future: Future[Any]) -> str:
    """The code of the error of a future."""
    error = future.exception(SOON)
    assert isinstance(error, RubiconError)
    return error.code


def log(game: Hosted) -> list[LogLine]:
    """The log."""
    return game.table.store.read(partial(lines_of, game=game.game))


def kinds(game: Hosted, since: int) -> list[LineKind]:
    """The kinds of the lines of the log from an index on."""
    return [line.kind for line in log(game) if line.index >= since]


def entries(game: Hosted) -> Sequence[Entry]:
    """The transcript."""
    return game.table.store.read(partial(dice_of, game=game.game))


def last(game: Hosted, kind: str) -> dict[str, Any]:
    """The body of the last line of a kind."""
    return [entry.body for entry in entries(game) if entry.kind == kind][-1]


def verdict(game: Hosted) -> Verdict:
    """What a checker says of the transcript, which must be right."""
    found = verify(entries(game))
    assert found.fault is None
    return found
