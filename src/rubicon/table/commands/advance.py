"""What follows without a decision: dice requests, their outcomes, running orders, the end."""

from __future__ import annotations

import json

from rubicon.dice.question import Reply
from rubicon.dice.writing import Order, reveal
from rubicon.engine.records.position import Chance
from rubicon.orders.execute.executor import Standstill
from rubicon.orders.execute.running import RunningOrders
from rubicon.rules.game.game import Game
from rubicon.table.commands.motions import people_in_game
from rubicon.table.game import dice_requests
from rubicon.table.game.hosted_game import TYPED
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.settings import DiceSource, TimeoutPolicy
from rubicon.table.storage.event_log import LineKind

VOID = "void"
DRAW = "draw"
# A longer log would take too long to rebuild. Lines that advance nothing do not count: else one
# seat could end the game (`line_counts` limits those).
MAX_LOG_LINES = 30_000
TOO_LONG = "the game became too long"


def proceed(unit: UnitOfWork) -> None:
    """Advance the game until a seat must decide, dice must be typed, or a request be committed.

    It also stops for a remote dice server, and for links of seats that contribute randomness. A
    request of this unit of work is never answered: it must be durable first.
    """
    hosted = unit.hosted
    while not hosted.at_rest and hosted.has_commitment:
        if hosted.requested is not None:
            # A request of this transaction is answered in the next one, when it is durable.
            if unit.requests_dice or hosted.requested == TYPED or not links_complete(unit):
                return
            if hosted.seeds.dice is None:  # only the remote dice server can answer
                return
            settle(unit)
        elif hosted.game.over:
            finish(
                unit, hosted.game.winner or DRAW, "the game is won" if hosted.game.winner else ""
            )
        elif hosted.game.awaits_chance:
            request(unit)
        elif hosted.counts.progress >= MAX_LOG_LINES:
            finish(unit, VOID, TOO_LONG)
        elif not _run_orders(unit) and not _substitute(unit) and not _replace_erased(unit):
            return


def request(unit: UnitOfWork) -> None:
    """Request the pending chance; until its answer the game takes no actions."""
    hosted, game = unit.hosted, unit.hosted.game
    thrown = game.position.chance in (Chance.BATTLE, Chance.DICE)
    if thrown and hosted.settings.dice is DiceSource.TYPED:
        unit.add_line(LineKind.REQUEST, TYPED)
        return
    for deposit in dice_requests.used_up(hosted.chain, hosted.seeds.dice):
        hosted.chain.append(deposit)
        unit.add_dice(deposit)
    seat, decision, words = hosted.request_order()
    order = Order(seat, decision, hosted.head + 1, words)
    dice_entry, opened = dice_requests.request(game, hosted.chain, hosted.seeds.table, order)
    hosted.chain.append(dice_entry)
    hosted.opened.append(opened)
    unit.add_dice(dice_entry)
    unit.add_line(LineKind.REQUEST, opened.rid.hex(), seat)
    unit.requests_dice = True


def links_complete(unit: UnitOfWork) -> bool:
    """Whether the pending request has all its links; late seats are logged as silent."""
    wanted = unit.hosted.links_wanted
    if any(unit.at < link.until for link in wanted.values()):
        return False
    for seat in wanted:
        unit.add_line(LineKind.SILENT, "", seat)
    return True


def settle(unit: UnitOfWork, reply: Reply | None = None) -> None:
    """Answer the pending request, in the dice chain and in the game."""
    hosted = unit.hosted
    dice_entry, outcome = dice_requests.outcome(
        hosted.game, hosted.chain, hosted.seeds, hosted.links, reply
    )
    unit.add_dice(dice_entry)
    unit.add_line(LineKind.OUTCOME, str(outcome), payload=outcome)


def finish(unit: UnitOfWork, result: str, reason: str) -> None:
    """End the game and reveal its seeds, and with them every hidden card and mission.

    A remote dice server is asked for its seed after the commit.
    """
    hosted = unit.hosted
    unit.add_line(LineKind.END, f"{result} {reason}".strip())
    if hosted.seeds.dice is not None and hosted.chain.owed is None and not hosted.chain.closed:
        dice_entry = reveal(hosted.chain, hosted.seeds.both, hosted.opened)
        hosted.chain.append(dice_entry)
        unit.add_dice(dice_entry)


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
    for seat in sorted(hosted.erased & hosted.decisions.keys() - hosted.bots.keys()):
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
