"""Attacks of an operator that only the wire has: streams, routes, restarts, other orders."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast
from unittest.mock import patch

from rubicon.dice.client import DiceClient
from rubicon.dice.lines.request import Answer, GivenLink
from rubicon.dice.lines.state import BattleAsk
from rubicon.dice.server import ServerSecrets
from rubicon.table.commands.dice_participants import LinkReceipt
from rubicon.table.commands.submit import Receipt, Submission
from rubicon.table.errors import TableError
from rubicon.table.lobby.start import deposits_of
from rubicon.table.table_service import TableService
from rubicon.web.api.broadcast import Broadcaster
from tests.attacks.forger import Forger, verify_says
from tests.attacks.measured import Measured, codes
from tests.attacks.over_http.player import HttpPlayer, until
from tests.attacks.over_http.table import HttpTable
from tests.attacks.table import AttackedTable, attacked, given_by, honest, restarted
from tests.table.hosted import GAME


def _http(table: AttackedTable) -> HttpTable:
    return cast(HttpTable, table)


def _player(client: DiceClient) -> HttpPlayer:
    return cast(HttpPlayer, client)


def _silences(table: AttackedTable, seat: str) -> int:
    return table.verify().count(f"silent: {seat} in request")


@contextmanager
def _deaf(seat: str) -> Iterator[None]:
    """The stream tells a seat nothing of links that are wanted."""
    publish = Broadcaster._publish

    def hide(
        self: Broadcaster, game: str, since: int, head: int, told: Sequence[Mapping[str, Any]]
    ) -> None:
        shown = [one for one in told if (one["seat"], one["kind"]) != (seat, "link")]
        publish(self, game, since, head, shown)

    with patch.object(Broadcaster, "_publish", hide):
        yield


def hidden_in_the_stream() -> Measured:
    """Red's stream does not ask for links; the route of the transcript shows the requests."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table, _deaf("red"):
        before = table.requests
        while not _silences(table, "red") and table.snapshot.ending is None:
            table.play_rolls(1)
        _player(red).catch_up()
        return Measured(
            attack="a request hidden in the stream, shown by the route of the transcript",
            rolls=table.requests - before,
            influenced=_silences(table, "red"),
            verify=verify_says(table.verify(), "silent: red"),
            alarm=_noted(red),
        )


def _noted(client: DiceClient) -> str:
    noted = any("shown with its answer only" in note for note in client.journal)
    return codes(client) if client.alarms or not noted else "none (a note in its journal)"


def hidden_in_the_transcript() -> Measured:
    """Red's stream asks for a link; the route of the transcript does not show the request."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        _http(table).routes.told["red"] = list(table.lines)
        before = table.requests
        while not red.alarms and table.snapshot.ending is None:
            table.play_rolls(1)
        return Measured(
            attack="a request hidden by the route of the transcript, asked for in the stream",
            rolls=table.requests - before,
            influenced=_silences(table, "red"),
            verify=verify_says(table.verify(), "silent: red"),
            alarm=codes(red, blue),
        )


def refused_receipt() -> Measured:
    """The operator takes red's link, refuses it with an error, and then calls red silent."""
    red, blue = honest("red", "blue")
    taken: list[GivenLink] = []
    link = TableService.link

    def refuse(
        self: TableService, game: str, seat: str, n: int, given: GivenLink
    ) -> Future[LinkReceipt]:
        if seat != "red":
            return link(self, game, seat, n, given)
        taken.append(given)
        refused: Future[LinkReceipt] = Future()
        refused.set_exception(TableError("dice/no-link-wanted", "Request does not wait.", ""))
        return refused

    with attacked(red, blue) as table:
        before = table.requests
        with patch.object(TableService, "link", refuse):
            while not _silences(table, "red") and table.snapshot.ending is None:
                table.play_rolls(1)
        _player(red).catch_up()
        return Measured(
            attack="a link taken and refused with an error, then called silent",
            rolls=table.requests - before,
            influenced=min(len(taken), _silences(table, "red")),
            verify=verify_says(table.verify(), "silent: red"),
            alarm="none (a note in its journal)" if not red.alarms else codes(red),
        )


def other_dice() -> Measured:
    """The answer has other dice than those that follow from the links."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        forger = table.forger()
        forger.request("green", 900, BattleAsk(3, 2))
        forger.show(red, blue)
        given = {seat: given_by(client) for seat, client in table.clients.items()}
        bare = {seat: None if one is None else one.link for seat, one in given.items()}
        true = forger.draws(bare)
        wanted = next(
            draws
            for number in range(256)
            if (draws := forger.draws(bare | {"red": bytes([number] * 32)})) != true
        )
        own = forger.secrets.own_link(forger.state)
        forger.write(Answer(1, {"server": own, **given}, wanted))
        forger.show(red, blue)
        return Measured(
            attack="an answer with other dice than the links give",
            rolls=1,
            influenced=0 if red.alarms and blue.alarms else 1,
            verify="",
            alarm=codes(red, blue),
        )


def restored_backup() -> Measured:
    """The database file is replaced by a copy from before a roll, and the server restarted."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        server = _http(table)
        while table.requests < 3 and table.snapshot.ending is None:
            table.play_rolls(1)
        file = table.folder / "table.db"
        copy = table.folder / "backup.db"
        with sqlite3.connect(file) as source, sqlite3.connect(copy) as target:
            source.backup(target)
        before, known = len(table.lines), table.requests
        table.play_rolls(2)  # the operator has seen the dice
        seen = table.draws
        server.port.stop()
        for left in table.folder.glob("table.db*"):
            left.unlink()
        copy.rename(file)
        server.port.start()
        server.table = server.port.server.table
        table.wait(table.table.wake(GAME))
        assert len(table.lines) == before
        again = [cast(HttpPlayer, client).restarted() for client in (red, blue)]
        waited = _play_behind(table, [*map(_player, (red, blue)), *again])
        repeated = sum(seen.get(n) == draws for n, draws in table.draws.items() if n >= known)
        return Measured(
            attack="the database replaced by a backup, the server restarted",
            rolls=2,
            influenced=repeated,
            verify=f"{waited} rolls behind the backup",
            alarm=codes(red, blue, *again),
        )


def _play_behind(table: AttackedTable, players: Sequence[HttpPlayer]) -> int:
    """Play on until every program has raised an alarm; how many rolls were answered."""
    before = table.requests
    while table.snapshot.ending is None and table.requests - before < 10:
        for player in players:
            player.catch_up()
        if all(player.part.client.alarms for player in players):
            break
        table.play_rolls(1)
    return table.requests - before


def two_geneses() -> Measured:
    """The game has another first line for a program that begins again."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        table.play_rolls(1)
        deposits = table.store.read(lambda connection: deposits_of(connection, GAME))
        fresh = ServerSecrets.make(GAME, table.secrets.private_key)
        forger = Forger([], fresh)
        seats = "red", "blue", "green"
        forger.write(fresh.genesis(seats, deposits, rules=bytes(32), waits=(9, 9)))
        forger.request("green", 900)
        again = [restarted(red), restarted(blue)]
        forger.show(*again)
        given = [given_by(client) for client in again]
        return Measured(
            attack="two first lines for one game",
            rolls=1,
            influenced=sum(one is not None for one in given),
            verify="",
            alarm=codes(*again),
        )


def opened_early() -> Measured:
    """While a roll waits, no route tells anybody of the server's link or its seed."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        server = _http(table)
        text = table.play_to_attack()
        with _deaf("red"):
            sender = server.submit_in_background(text)
            until(lambda: table.hosted.transcript.state.pending is not None)
            state = table.hosted.transcript.state
            hidden = table.secrets.own_link(state).link.hex(), table.secrets.seed.hex()
            told = server.everything_told()
            seen = sum(secret in told for secret in hidden)
            _player(red).catch_up()
            table.wait(sender)
        return Measured(
            attack="the server's link or seed read on any route before the answer",
            rolls=1,
            influenced=seen,
            verify=f"{len(told):,} characters read",
            alarm=codes(red, blue),
        )


def another_order() -> Measured:
    """The operator plays another order than the first attack that a player has signed and sent."""
    red, blue = honest("red", "blue")
    submit = TableService.submit
    exchanged: list[str] = []

    def exchange(self: TableService, submission: Submission) -> Future[Receipt]:
        if submission.signed is not None and not exchanged:
            legal = [str(one) for one in self.snapshot(GAME).game().legal]
            others = [
                text for text in legal if text.startswith("attack") and text != submission.text
            ]
            if others and submission.text.startswith("attack"):
                exchanged.append(submission.seat)
                return submit(self, replace(submission, text=others[0], signed=None))
        return submit(self, submission)

    with attacked(red, blue) as table:
        with patch.object(TableService, "submit", exchange):
            while not exchanged and table.snapshot.ending is None:
                table.play_rolls(1)
        return Measured(
            attack="another order played than the one that was signed and sent",
            rolls=len(exchanged),
            influenced=0,
            verify=verify_says(table.verify(), f"{exchanged[0]}:"),
            alarm=codes(red, blue),
        )
