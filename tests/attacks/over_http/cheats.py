"""What a player can do to the dice by HTTP alone, against an honest server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, cast

from rubicon.client import ApiError
from rubicon.dice.client import DiceClient
from rubicon.dice.crypto import sign
from rubicon.dice.lines.state import Pending
from tests.attacks.measured import Measured, codes
from tests.attacks.over_http.player import HttpPlayer, until
from tests.attacks.over_http.table import HttpTable
from tests.attacks.table import AttackedTable, attacked, honest
from tests.table.hosted import GAME


@dataclass(frozen=True, slots=True)
class Answers:
    """What the server said to many requests: how often each code, and the time of one."""

    codes: dict[str, int]
    milliseconds: float

    def __str__(self) -> str:
        said = "; ".join(f"{code}: {number:,}" for code, number in self.codes.items())
        return f"{said}; {self.milliseconds:.1f} ms each"


@contextmanager
def _waiting(table: AttackedTable, cheat: DiceClient) -> Iterator[Pending]:
    """A roll waits for the link of a player whose program has been put aside."""
    player = cast(HttpPlayer, cheat)
    text = table.play_to_attack()
    player.put_aside()
    sender: Future[object] = cast(HttpTable, table).submit_in_background(text)
    until(lambda: table.hosted.transcript.state.pending is not None)
    until(lambda: set(table.hosted.links_wanted) == {player.colour})
    player.part.read()
    pending = table.hosted.transcript.state.pending
    assert pending is not None
    yield pending
    link = _right(player, pending)
    player.http._session.post(f"/games/{GAME}/dice/link", **link)
    table.wait(sender)


def _right(player: HttpPlayer, pending: Pending) -> dict[str, Any]:
    client = player.part.client
    me = client.me
    assert me is not None
    link = client.own.link(me, pending.n)
    message = pending.message(client.transcript.state.genesis, link)
    signature = sign(client.own.private_key, message)
    return {"n": pending.n, "link": link.hex(), "signature": signature.hex()}


def _many(send: Callable[[int], object], count: int) -> Answers:
    """Do something again and again, as fast as it is answered."""
    found: dict[str, int] = {}
    began = time.monotonic()
    for number in range(count):
        try:
            send(number)
            code = "taken"
        except ApiError as error:
            code = error.code
        found[code] = found.get(code, 0) + 1
    return Answers(found, (time.monotonic() - began) * 1000 / max(count, 1))


def _lines(table: AttackedTable) -> tuple[int, int]:
    """The lines of the transcript and of the log."""
    return len(table.lines), table.hosted.head


def bad_links(kind: str, count: int) -> Measured:
    """Links that do not hash, or that are signed for another head, or are of another seat."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table, _waiting(table, blue) as pending:
        blue_player, red_player = cast(HttpPlayer, blue), cast(HttpPlayer, red)
        right = _right(blue_player, pending)
        if kind == "another seat":
            sent = _right(red_player, pending)
        elif kind == "another head":
            sent = _right(blue_player, replace(pending, head=bytes(32)))
        else:
            sent = right | {"link": bytes(32).hex()}
        before = _lines(table)
        path = f"/games/{GAME}/dice/link"

        def send(_: int) -> object:
            return blue_player.http._session.call("POST", path, json=sent, once=True)

        answers = _many(send, count)
        grown = _lines(table) != before or "taken" in answers.codes
        return Measured(
            attack=f"a player floods the route with links of {kind}",
            rolls=1,
            influenced=int(grown),
            verify=str(answers),
            alarm=codes(red),
        )


def many_chains(count: int) -> Measured:
    """A player deposits chain after chain in the running game."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        player = cast(HttpPlayer, blue)
        player.put_aside()
        before = len(table.lines)
        path = f"/games/{GAME}/dice/deposit"

        def send(_: int) -> object:
            form = DiceClient(GAME, "blue", player.part.client.own.private_key, 64).deposit.form()
            body = {name: form[name] for name in ("key", "nonce", "end", "length")}
            body["signature"] = form["sig"]
            return player.http._session.call("POST", path, json=body, once=True)

        answers = _many(send, count)
        return Measured(
            attack=f"a player deposits {count:,} chains",
            rolls=0,
            influenced=None,
            verify=f"{answers}; {len(table.lines) - before} lines more",
            alarm=codes(red),
        )


def withheld() -> Measured:
    """A player's program withholds its links: its second silence ends its part."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        player = cast(HttpPlayer, blue)
        player.put_aside()
        while table.hosted.transcript.state.seats["blue"].silences < 2:
            assert table.snapshot.ending is None
            table.play_rolls(1)
            _join(table, player)
        before = table.requests
        table.play_rolls(2)  # nobody waits for it any more
        return Measured(
            attack="a player's program withholds its links",
            rolls=table.requests - before,
            influenced=0,
            verify="out" if table.hosted.transcript.state.seats["blue"].out else "in",
            alarm=codes(red),
        )


def _join(table: AttackedTable, player: HttpPlayer) -> None:
    """Join again, as a program that wants to be silent once more."""
    player.part.read()
    client = player.part.client
    if client.me is None or client.me.present or client.transcript.state.pending:
        return
    message = client.presence("joined")
    body = {**message, "signature": message["sig"]}
    del body["sig"]
    with suppress(ApiError):  # refused once it is out
        player.http._session.post(f"/games/{GAME}/dice/presence", **body)
