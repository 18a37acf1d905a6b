"""Attacks on requests: probes, links ahead of their turn, lines in between, split answers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from unittest.mock import patch

from rubicon.dice.client import DiceClient
from rubicon.dice.lines.state import SERVER, BattleAsk, BattleDraw, battle, roll_key
from rubicon.errors import RubiconError
from rubicon.table.commands import advance
from rubicon.table.game import hosted_game, unit_of_work
from rubicon.table.game.dice import ask_of, pending_of
from rubicon.table.game.log_lines import (
    Absence,
    Away,
    Late,
    LineKind,
    Paused,
    Payload,
    Requested,
    VoteCast,
    Warned,
)
from rubicon.table.game.unit_of_work import UnitOfWork
from tests.attacks.forger import verify_prints, verify_says
from tests.attacks.measured import CHOSE, Measured, codes
from tests.attacks.table import attacked, given_by, honest
from tests.table.hosted import GAME, SOON

BETWEEN: tuple[Payload, ...] = (
    VoteCast("draw"),
    Paused(on=True),
    Away(Absence.parse("2026-12-24 2026-12-31")),
    Warned(),
    Late(),
)


def probe_dropped(rolls: int) -> Measured:
    """A request that nobody ordered is shown to the clients, and dropped with their links."""
    dropped = 0
    clients: list[DiceClient] = []
    for _ in range(rolls):
        red, blue = honest("red", "blue")
        with attacked(red, blue) as table:
            probe, real = table.forger(), table.forger()
            probe.request("green", 900, words="a probe")
            probe.show(red, blue)
            links = {seat: given_by(client) for seat, client in table.clients.items()}
            bare = {seat: one.link for seat, one in links.items() if one is not None}
            seen = probe.draws(bare)  # what the roll will be with all links
            real.request("green", 901, words="the true order")
            for client in (red, blue):
                client.follow(real.lines[-1:])
            again = {seat: given_by(client) for seat, client in table.clients.items()}
            bare_again = {seat: None if one is None else one.link for seat, one in again.items()}
            dropped += real.draws(bare_again) == seen
            real.answer(again)
            clients += [red, blue]
    return Measured(
        attack="a request that the rules did not ask for, dropped when its roll was seen",
        rolls=rolls,
        influenced=dropped,
        before=CHOSE,
        verify=verify_says(verify_prints(real.lines), "silent"),
        alarm=codes(*clients),
    )


def probe_answered() -> Measured:
    """A request that nobody ordered is answered: its roll is wasted."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        table.play_to_attack()
        with patch.object(advance, "draw", _draw_for_nothing(advance.draw)):
            table.command(_ask_for_nothing)
            table.settle()
            table.command(lambda _: None)
        table.play_rolls(2)
        table.finish()
        audit = table.audit()
        return Measured(
            attack="a request that the rules did not ask for, answered and wasted",
            rolls=1,
            influenced=None,
            verify=verify_says(table.verify(with_record=True)) + f"; audit: {audit}",
            alarm=codes(red, blue),
        )


def _ask_for_nothing(unit: UnitOfWork) -> None:
    hosted = unit.hosted
    seat, decision = next(iter(hosted.decisions.items()))
    state = hosted.transcript.state
    made = hosted.secrets.request(state, (seat, decision - 1, "a probe"), BattleAsk(2, 1), 1)
    hosted.decided = hosted_game.DecisionWords(seat, decision - 1, "a probe")
    unit.add_dice(made)
    unit.add_line(Requested(made.n), seat)
    unit.requests_dice = True


def _draw_for_nothing(draw: Callable[[UnitOfWork], None]) -> Callable[[UnitOfWork], None]:
    def drawn(unit: UnitOfWork) -> None:
        hosted = unit.hosted
        if hosted.game.pending is not None:
            draw(unit)
            return
        assert unit.drawing is not None
        unit.drawing.draw(BattleAsk(2, 1))
        hosted.requested = None
        hosted.links.clear()

    return drawn


def ahead_of_its_turn() -> Measured:
    """Link n + 1 is asked for before request n is answered: by the API, and by the transcript."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        forger = table.forger()
        forger.request("green", 900)
        forger.show(red, blue)
        first = given_by(red)
        assert first is not None
        table.table.link(GAME, "red", 2, first).exception(SOON)
        state = replace(forger.state, next_request=2)
        made = forger.secrets.request(state, ("green", 901, "ahead"), BattleAsk(3, 2), 1)
        forger.force(made)
        forger.show(red, blue)
        given = [given_by(client) for client in (red, blue)]
        skipped = table.forger()
        fresh = DiceClient(GAME, "red")
        fresh.in_lobby = True
        fresh.own, fresh._genesis = red.own, red._genesis
        skipped.transcript.state.next_request += 1
        skipped.request("green", 900)
        skipped.show(fresh)
        given.append(given_by(fresh))
        return Measured(
            attack="a link asked for ahead of its turn",
            rolls=1,
            influenced=sum(one is not None for one in given),
            verify=verify_says(verify_prints(forger.lines)),
            alarm=codes(red, blue, fresh),
        )


def between() -> Measured:
    """Votes, pauses, absences and an administrator's lines between request and answer."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        text = table.play_to_attack()
        everything = frozenset(LineKind)
        serve = table.serve
        slipped: list[Payload] = []

        def slip() -> None:
            """Write a line before the clients answer."""
            hosted = table.table.cache.held(GAME)
            if hosted is None:  # a line that was refused has dropped the game
                table.table.wake(GAME)
                return
            if hosted.requested is None:
                return  # one that comes now is not answered before a line was slipped in
            if len(slipped) < len(BETWEEN):
                says = BETWEEN[len(slipped)]
                slipped.append(says)
                change = table.table.change(GAME, lambda unit: _line(unit, says))
                with suppress(RubiconError):
                    change.result(SOON)
            serve()

        with (
            patch.object(hosted_game, "WHILE_REQUESTED", everything),
            patch.object(unit_of_work, "WHILE_REQUESTED", everything),
            patch.object(table, "serve", slip),
        ):
            table.decide(text)
        audit = table.audit()
        return Measured(
            attack="votes, pauses, absences and other lines between request and answer",
            rolls=1,
            influenced=None,
            verify=f"{verify_says(table.verify())}; audit: {audit}",
            alarm=codes(red, blue),
        )


def _line(unit: UnitOfWork, says: Payload) -> None:
    seat = unit.hosted.game.colours[0]
    unit.add_line(says, seat)


def resigned_in_between() -> Measured:
    """A resignation comes while a roll waits for links: it counts behind the answer."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        text = table.play_to_attack()
        seat, decision = table.mover()
        waiting = table.submit_async(seat, decision, text)
        resigned = table.table.out_of_turn(GAME, seat, f"resign {seat}")
        table.wait(waiting)
        table.wait(resigned)
        table.serve()
        kinds = [entry.kind for entry in table.entries]
        asked = len(kinds) - kinds[::-1].index("request") - 1
        return Measured(
            attack="a resignation between request and answer, at an honest server",
            rolls=1,
            influenced=int(kinds[asked + 1] != "answer"),
            verify=verify_says(table.verify()),
            alarm=codes(red, blue),
        )


def split_answers(rolls: int, *, mover_helps: bool) -> Measured:
    """The operator ends an answer where the next draw is bad, and asks again under another number.

    He knows all draws of a request once its links are in.
    """
    red, blue = honest("red", "blue")
    split = Splitter(next_number=mover_helps)
    with attacked(red, blue) as table:
        played = 0
        with (
            patch.object(advance, "may_draw", split.may_draw),
            patch.object(advance, "request", split.request),
        ):
            while played < rolls and not red.alarms and table.snapshot.ending is None:
                text = table.play_to_attack()
                if not text:
                    break
                place, target = text.removeprefix("attack ").removesuffix(" dice 3").split(" -> ")
                before = table.requests
                table.decide(f"ATTACK {place} -> {target} UNTIL LEFT 2", orders=True)
                played += table.requests - before
        alarm = codes(red, blue)
        if not red.alarms:
            table.finish()
        return Measured(
            attack="an answer ended before a bad draw"
            + (", asked again as a further decision" if mover_helps else ", asked again"),
            rolls=played,
            influenced=split.cut,
            before=CHOSE,
            verify=verify_says(table.verify(with_record=not red.alarms)),
            alarm=alarm,
        )


def out_of_turn_between() -> Measured:
    """Between two requests of one decision stands one of something decided out of turn."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        forger = table.forger()
        for decision, rolls in ((900, 64), (0, 1), (900, 64)):
            forger.request("green", decision, rolls=rolls)
            forger.show(red, blue)
            given = {seat: given_by(client) for seat, client in table.clients.items()}
            if None in given.values():
                break
            forger.answer(given)
        return Measured(
            attack="a decision that asks again behind something decided out of turn",
            rolls=2,
            influenced=0 if red.alarms else 1,
            verify=verify_says(verify_prints(forger.lines)),
            alarm=codes(red, blue),
        )


def early_opening(rolls: int) -> Measured:
    """Before its answer a roll's server link stands nowhere that a player or a watcher can look."""
    red, blue = honest("red", "blue")
    seen = 0
    with attacked(red, blue) as table:
        serve = table.serve
        looked = []

        def look() -> None:
            """Look at everything before the clients answer.

            The last link may be in already, and the writer thread at work on the answer: what was
            seen behind it does not count.
            """
            state = table.hosted.transcript.state
            pending = state.pending
            if pending is not None:
                secrets = table.secrets
                link = secrets.chain.link(state.participants[SERVER], pending.n)
                told = [table.table.facts(GAME, seat) for seat in ("", "red", "blue", "green")]
                shown = "".join(table.shown(DiceClient(GAME, "green", length=64)))
                everything = f"{told}{shown}{table.snapshot}"
                if state.pending is pending:
                    looked.append(link.hex() in everything or secrets.seed.hex() in everything)
            serve()

        with patch.object(table, "serve", look):
            table.play_rolls(rolls)
        seen = sum(looked)
        assert looked
        return Measured(
            attack="the server's link or seed read before the answer",
            rolls=len(looked),
            influenced=seen,
            verify=verify_says(table.verify()),
            alarm=codes(red, blue),
        )


class Splitter:
    """An operator who ends answers early."""

    def __init__(self, *, next_number: bool) -> None:
        self.next_number = next_number
        self.cut = 0
        self._again = False
        self._may_draw, self._request = advance.may_draw, advance.request

    def may_draw(self, unit: UnitOfWork) -> bool:
        """Not where the next draw is bad for the attack."""
        if not self._may_draw(unit):
            return False
        ask, drawing = (
            ask_of(unit.hosted.game, pending_of(unit.hosted.game)),
            unit.drawing,
        )
        assert drawing is not None
        if not isinstance(ask, BattleAsk):
            return True
        key = roll_key(drawing.key, len(drawing.draws))
        if _bad(battle(key, ask.attack, ask.defence)):
            self.cut += 1
            self._again = True
            return False
        return True

    def request(self, unit: UnitOfWork) -> None:
        """Ask again, perhaps as if for the next decision."""
        decided = unit.hosted.decided
        if self._again and self.next_number:
            number = decided.decision + 1
            unit.hosted.decided = replace(decided, decision=number, signed=None)
        self._again = False
        self._request(unit)


def _bad(draw: BattleDraw) -> bool:
    sides = sorted(draw.attack)[::-1], sorted(draw.defence)[::-1]
    pairs = list(zip(*sides, strict=False))
    return sum(one <= other for one, other in pairs) * 2 > len(pairs)
