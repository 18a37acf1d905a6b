"""Attacks on who takes part: forged participants, deposits put aside, old ones, moved orders."""

from __future__ import annotations

from contextlib import suppress
from unittest.mock import patch

from rubicon.dice.crypto import digest
from rubicon.dice.lines.members import LaterDeposit, OwnChain, next_id
from rubicon.dice.lines.request import SignedOrder
from rubicon.errors import RubiconError
from rubicon.table.commands import advance
from rubicon.table.game.log_lines import DicePresence
from rubicon.table.game.unit_of_work import UnitOfWork
from tests.attacks.forger import verify_prints, verify_says
from tests.attacks.measured import Measured, codes
from tests.attacks.table import (
    LENGTH,
    Foresight,
    attacked,
    given_by,
    honest,
    presence_by,
    restarted,
)
from tests.table.hosted import GAME, SOON


def operators_chain(seat: str, nonce: bytes = bytes(16)) -> OwnChain:
    """A chain of the operator's own, in the name of a player."""
    key, secret = digest("operator", seat), digest("operator's secret", seat)
    return OwnChain(GAME, seat, key, secret, nonce, LENGTH)


def forged_in_the_genesis(rolls: int) -> Measured:
    """The operator's chain stands for blue from the beginning; red's client is honest."""
    red, blue = honest("red", "blue")
    own = operators_chain("blue")
    with attacked(red, blue, chains=[own]) as table:
        played = table.play_rolls(rolls)
        known = Foresight(table, {"blue": own}).known()
        return Measured(
            attack="a forged participant for blue in the genesis, red's client in the roll",
            rolls=played,
            influenced=known,
            verify=verify_says(table.verify(), "blue:"),
            alarm=codes(red, blue),
        )


def forged_later(*, certified: bool, client_in: bool) -> Measured:
    """The operator deposits a chain for blue in the running game, past his own checks."""
    red, blue = honest("red", "blue")
    own = operators_chain("blue")
    certificate = bytes(64) if certified else None
    with attacked(red, blue) as table:
        if not client_in:
            table.clients.pop("blue")
            table.table.presence(GAME, "blue", presence_by(blue, "left")).result(SOON)
        with suppress(RubiconError):  # his own program refuses it
            table.table.deposit(GAME, "blue", own.deposit(), certificate).result(SOON)
        if "blue.1" not in table.hosted.transcript.state.participants:
            table.command(lambda unit: _write_deposit(unit, own, certificate))
        table.clients["blue"] = blue
        table.serve()
        return Measured(
            attack=(
                "a forged participant for blue later, "
                + ("with an invented certificate" if certified else "not certified")
                + (", blue's client is in" if client_in else ", blue's client has left")
            ),
            rolls=0,
            influenced=None,
            verify=verify_says(table.verify(), "blue:"),
            alarm=codes(red, blue),
        )


def _write_deposit(unit: UnitOfWork, own: OwnChain, certificate: bytes | None) -> None:
    name = next_id(unit.hosted.transcript.state, own.seat)
    unit.add_dice(LaterDeposit(name, own.deposit(), certificate))
    unit.add_line(DicePresence("deposit", name), own.seat)


def deposit_dropped(rolls: int, *, replaced: bool) -> Measured:
    """The operator leaves red's deposit out of the genesis, or puts his own in its place."""
    (red,) = honest("red")
    own = operators_chain("red")
    chains = [own] if replaced else []
    with attacked(red, forged={one.seat: one.deposit() for one in chains}, chains=chains) as table:
        played = table.play_rolls(rolls)
        return Measured(
            attack=f"red's deposit {'replaced' if replaced else 'dropped'}, no other client",
            rolls=played,
            influenced=Foresight(table, {"red": own}).known(),
            verify=verify_says(table.verify(), "red:", "without any"),
            alarm=codes(red),
        )


def called_lost(rolls: int) -> Measured:
    """The operator writes that all clients are lost, though they follow."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        table.play_to_attack()
        before = Foresight(table, {}).known()
        with patch.object(advance, "LOST_AFTER", -1):
            played = table.play_rolls(rolls)
        return Measured(
            attack="all clients called lost though they are connected",
            rolls=played,
            influenced=Foresight(table, {}).known() - before,
            verify=verify_says(table.verify(), "red:", "without any"),
            alarm=codes(red, blue),
        )


def replayed_deposit(rolls: int) -> Measured:
    """A second game of the same table with red's old deposit, whose links are known by now."""
    (red,) = honest("red")
    with attacked(red) as table:
        table.play_rolls(rolls)
        links = table.links("red")
    with attacked(forged={"red": red.deposit}) as second:
        before = len(red.alarms)
        second.clients["red"] = red
        again = restarted(red)
        again.follow(second.lines)
        red.follow(second.lines)
        second.serve()
        forger = second.forger()
        known = forger.draws({"red": links[0]})
        assert known
        wanted = second.snapshot.links_wanted
        return Measured(
            attack="an old deposit replayed in a second game of the same table",
            rolls=len(links),
            influenced=0 if wanted else len(second.draws),
            verify=verify_says(second.verify(), "waits"),
            alarm=codes(*([red] if len(red.alarms) > before else []), again),
        )


def moved_order(*, repeated: bool) -> Measured:
    """Red's signature stands under another decision, or a second time under the same one."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        forger = table.forger()
        decision, words = 1_000, "attack oldstrand -> kelpie_sound dice 3"
        signed = red.signed(decision, words)
        assert signed is not None
        head, sig = bytes.fromhex(signed["head"]), bytes.fromhex(signed["signature"])
        order = SignedOrder("red", head, sig)
        for number in (decision, decision) if repeated else (decision + 1,):
            forger.request("red", number, words=words, rolls=2, signed=order)
            forger.show(red, blue)
            given = {seat: given_by(client) for seat, client in table.clients.items()}
            if None in given.values():
                break
            forger.answer(given)
        forger.show(red, blue)
        forger.end()
        forger.show(red, blue)
        return Measured(
            attack=f"a signed order {'repeated' if repeated else 'moved to another decision'}",
            rolls=1,
            influenced=None,
            verify=verify_says(verify_prints(forger.lines)),
            alarm=codes(red, blue),
        )
