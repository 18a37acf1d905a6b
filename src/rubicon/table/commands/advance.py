"""What follows without a decision: the dice, running orders, the end."""

from __future__ import annotations

import json

from rubicon.orders.execute.executor import Standstill
from rubicon.orders.execute.running import RunningOrders
from rubicon.rules.game.game import Game
from rubicon.table.commands import roll
from rubicon.table.commands.placements import seal_placements
from rubicon.table.game.hosted_game import TYPED
from rubicon.table.game.people import people_in_game
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.settings import TimeoutPolicy
from rubicon.table.storage.event_log import LineKind

VOID = "void"
DRAW = "draw"
# A longer log would take too long to rebuild. Lines that advance nothing do not count: else one
# seat could end the game (`line_counts` limits those).
MAX_LOG_LINES = 30_000
TOO_LONG = "the game became too long"


def proceed(unit: UnitOfWork) -> None:
    """Advance the game until a seat must decide, dice must be typed, or a request be committed.

    It also stops for an independent dice server, and for links of players' clients. A request of
    this unit of work is never answered: it must be durable first.
    """
    hosted = unit.hosted
    while not hosted.at_rest and hosted.has_genesis:
        if hosted.requested is None:
            seal_placements(unit)
        if hosted.requested is not None:
            if hosted.requested == TYPED and hosted.thrower not in hosted.typists:
                roll.request(unit)  # a bot plays the seat by now
                continue
            # A request of this transaction is answered in the next one, when it is durable.
            if unit.requests_dice or hosted.requested == TYPED or not roll.links_complete(unit):
                break
            if hosted.asks_dice_server and unit.dice_server_link is None:
                break
            roll.begin_drawing(unit, unit.dice_server_link)
            roll.draw(unit)
        elif hosted.game.over:
            finish(
                unit, hosted.game.winner or DRAW, "the game is won" if hosted.game.winner else ""
            )
        elif hosted.game.awaits_chance:
            if roll.may_draw(unit):
                roll.draw(unit)
            else:
                roll.end_drawing(unit)
                roll.request(unit)
        elif hosted.counts.progress >= MAX_LOG_LINES:
            finish(unit, VOID, TOO_LONG)
        elif not _run_orders(unit) and not _substitute(unit) and not _replace_erased(unit):
            break
    roll.end_drawing(unit)


def finish(unit: UnitOfWork, result: str, reason: str) -> None:
    """End the game and open its secrets: the seed, and with it every hidden card and mission."""
    roll.end_drawing(unit)
    unit.add_line(LineKind.END, f"{result} {reason}".strip())
    roll.open_secrets(unit)


def _run_orders(unit: UnitOfWork) -> bool:
    """Carry out one action of running orders; False where all of them wait for other seats."""
    hosted = unit.hosted
    for seat, running in list(hosted.running.items()):
        decision = running.next(hosted.game)
        if decision.action is not None:
            answers = hosted.ordered[seat].decision
            unit.add_line(
                LineKind.ACTION, str(decision.action), seat, answers, payload=decision.action
            )
            return True
        if decision.standstill is not Standstill.WAITING:
            report(unit, seat, running)
            return True
    return False


def _substitute(unit: UnitOfWork) -> bool:
    """Let a bot play for an absent seat that has named one; False where there is no such seat."""
    hosted = unit.hosted
    for seat, absence in hosted.away.items():
        if (
            absence.bot
            and absence.covers(unit.at)
            and seat in hosted.decisions
            and seat not in hosted.bots
        ):
            unit.add_line(LineKind.BOT, absence.bot, seat)
            return True
    return False


def _replace_erased(unit: UnitOfWork) -> bool:
    """Act by the timeout policy for a seat whose owner has erased their account.

    Under `wait` the others may vote for a replacement at once; the bot takes over where nobody is
    left who could vote. False where there is no such seat.
    """
    hosted = unit.hosted
    policy = hosted.settings.timeout_policy
    asked = hosted.decisions.keys() | set(hosted.placements.wanted)
    for seat in sorted(hosted.erased & asked - hosted.bots.keys()):
        if policy is TimeoutPolicy.NEUTRAL:
            unit.add_line(LineKind.ACTION, f"resign {seat}", seat)
            return True
        if policy is TimeoutPolicy.BOT or not people_in_game(hosted):
            unit.add_line(LineKind.BOT, hosted.settings.substitute, seat)
            return True
    return False


def report(unit: UnitOfWork, seat: str, running: RunningOrders, replaced: str = "") -> None:
    """End running orders, and write their report to the log."""
    reason = replaced or running.next(unit.hosted.game).reason
    notes = [str(note) for note in running.notes]
    result = {
        "status": status_of(running, unit.hosted.game),
        "reason": reason,
        "notes": notes,
        "warnings": unit.hosted.warnings[seat],
    }
    unit.add_line(LineKind.REPORT, json.dumps(result), seat, unit.hosted.ordered[seat].decision)


def status_of(running: RunningOrders, game: Game) -> str:
    """The status of orders that have stopped; see `Standstill`."""
    return (running.next(game).standstill or Standstill.PAUSED).value
