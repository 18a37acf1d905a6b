"""Executes ATTACK and ADVANCE: one roll or one occupation at a time."""

from __future__ import annotations

import numpy as np

from rubicon.engine.phases.attack import most_attack_dice
from rubicon.engine.records.choices import Announce
from rubicon.engine.records.position import Phase, Position
from rubicon.orders.execute.program import Progress
from rubicon.orders.execute.seat_view import SeatView
from rubicon.orders.execute.step import Note, StepContext, StepResult
from rubicon.orders.execute.stop_odds import armies_to_move, path_odds
from rubicon.orders.syntax import (
    AdvanceOrder,
    AllBut,
    Armies,
    AttackOrder,
    Fewest,
    LeftOpen,
    StopKind,
)
from rubicon.rules.actions import Attack, Occupy

ATTACKING = (int(Phase.REINFORCE), int(Phase.ATTACK))
ASKED = "You decide how many armies move into the captured territory: ADVANCE says how many."
NO_ATTACK = "no-attack"  # the code of the note of an ATTACK that never rolled


def attack(context: StepContext, order: AttackOrder) -> StepResult:
    """The next roll or occupation of a path."""
    position = context.position
    leg = context.progress.part
    if position.phase == Phase.OCCUPY:
        return _occupation(context, order)
    if leg + 1 == len(order.path):
        return _ended(context, "you own the whole path already")
    source, target = order.path[leg : leg + 2]
    if context.seat_view.holds(position, target):
        return StepResult(None, context.progress._replace(part=leg + 1))
    if position.phase not in ATTACKING:
        return context.done(context.note("not-now", "You cannot attack at this point of the turn."))
    if not context.seat_view.holds(position, source):
        message = f"You do not own {context.seat_view.label(source)}."
        return context.done(context.note("not-yours", message))
    progress = _begun(context, order)
    if reason := _stop_reason(context, order, progress):
        return _ended(context, reason)
    return _roll(context, order, progress, (source, target))


def _ended(context: StepContext, reason: str) -> StepResult:
    """The end of an attack; an attack that never rolled says why."""
    if context.progress.rolled:
        return context.done()
    return context.done(context.note(NO_ATTACK, f"No attack: {reason}."))


def is_no_attack(note: Note) -> bool:
    """Whether a note only says that an ATTACK never rolled."""
    return note.code == f"orders/{NO_ATTACK}"


def _roll(
    context: StepContext, order: AttackOrder, progress: Progress, ends: tuple[str, str]
) -> StepResult:
    source, target = ends
    seat_view = context.seat_view
    most = int(most_attack_dice(context.position, seat_view.rules, seat_view.territory(source)))
    if most == 0:
        return _ended(context, f"{seat_view.label(source)} has no army to spare")
    dice = min(most, order.dice or most)
    action = Attack(source, target, dice, _goes_on(context, source, target))
    return context.attempt(action, progress._replace(rolled=rolled(order, progress.rolled + 1)))


def rolled(order: AttackOrder, rolls: int) -> int:
    """A number of rolls as Progress counts it: capped where no stop of the order can differ.

    The cap keeps the number of different states small, which a preview explores one by one.
    """
    return min(rolls, _least(order, StopKind.ROUNDS) or 1)


def _least(order: AttackOrder, kind: StopKind) -> int | None:
    return min((stop.number for stop in order.stops if stop.kind is kind), default=None)


def _goes_on(context: StepContext, source: str, target: str) -> bool:
    """Whether the roll continues the last attack, for the defender's standing order (A-70).

    The first roll of an order never does: another order is another attack.
    """
    position = context.position
    standing = context.seat_view.rules.dice_announce == Announce.STANDING_ORDER
    if not standing or not context.progress.rolled:
        return False
    ends = (context.seat_view.territory(source), context.seat_view.territory(target))
    return ends == (int(position.order_source), int(position.order_target))


def _begun(context: StepContext, order: AttackOrder) -> Progress:
    """The progress, with the number of armies from which LOST counts."""
    progress = context.progress
    if progress.start == 0 and _least(order, StopKind.LOST) is not None:
        return progress._replace(start=context.seat_view.own_armies(context.position))
    return progress


def _stop_reason(context: StepContext, order: AttackOrder, progress: Progress) -> str:
    """Which stop holds, in words; "" where the attack goes on."""
    source, target = order.path[progress.part : progress.part + 2]
    seat_view, position = context.seat_view, context.position
    armies = seat_view.armies(position, source)
    left, floor = stop_levels(seat_view, position, order, progress)
    if armies <= 1:
        return f"{seat_view.label(source)} has no army to spare"
    if armies <= left:
        return f"at most {left} armies are left on {seat_view.label(source)}"
    if armies <= (floor or 0):
        return "the order has lost as many armies as it may"
    if rounds_left(order, progress) == 0:
        return "the order has rolled as often as it may"
    odds = least_odds(order)
    if odds is None:
        return ""
    found = path_odds(seat_view, position, order, progress.part, left=left, floor=floor)
    if found.chance(armies, seat_view.armies(position, target)) * 100 < odds:
        return f"the chance to take the rest of the path is below {odds}%"
    return ""


def stop_levels(
    seat_view: SeatView, position: Position, order: AttackOrder, progress: Progress
) -> tuple[int, int | None]:
    """The armies on the attacking territory at which LEFT, and at which LOST, end the attack.

    LOST counts all armies of the seat. The armies elsewhere do not change during the battle, so
    the limit becomes one for the attacking territory alone.
    """
    left = max((stop.number for stop in order.stops if stop.kind is StopKind.LEFT), default=1)
    lost = _least(order, StopKind.LOST)
    if lost is None:
        return left, None
    source = order.path[progress.part]
    others = seat_view.own_armies(position) - seat_view.armies(position, source)
    return left, progress.start - lost - others


def rounds_left(order: AttackOrder, progress: Progress) -> int | None:
    """How many more rolls ROUNDS allows; None without ROUNDS."""
    rounds = _least(order, StopKind.ROUNDS)
    return None if rounds is None else max(0, rounds - progress.rolled)


def least_odds(order: AttackOrder) -> int | None:
    """The percentage below which ODDS ends the attack; None without ODDS."""
    return max((s.number for s in order.stops if s.kind is StopKind.ODDS), default=None)


def _occupation(context: StepContext, order: AttackOrder) -> StepResult:
    """Move into a captured territory: all armies on the way, the fewest at the end of the path."""
    position = context.position
    leg = context.progress.part
    expected = context.seat_view.territory(order.path[min(leg + 1, len(order.path) - 1)])
    if int(position.attack_target) != expected:
        return context.wait("A captured territory waits for armies: ADVANCE says how many.")
    wanted = advance_of(order, leg)
    if isinstance(wanted, LeftOpen):
        fewest = moved_in(position, Fewest.MIN)
        if fewest < moved_in(position, AllBut()):
            return context.wait(ASKED)
        wanted = fewest  # nothing to ask: one number is legal
    armies = moved_in(position, wanted)
    progress = context.progress._replace(part=leg + 1)
    clamped = isinstance(wanted, int) and wanted != armies
    where = context.seat_view.label(order.path[min(leg + 1, len(order.path) - 1)])
    message = f"{armies} armies moved into {where}: {wanted} were not possible."
    notes = (context.note("advance", message),) if clamped else ()
    return StepResult(Occupy(armies), progress, notes)


def advance_of(order: AttackOrder, leg: int) -> Armies | LeftOpen:
    """How many armies the order moves in behind the capture of a leg."""
    last = leg + 2 >= len(order.path)
    if isinstance(order.advance, LeftOpen):
        return order.advance if last else AllBut()
    if order.advance is not None:
        return order.advance
    return Fewest.MIN if last else AllBut()


def moved_in(position: Position, wanted: Armies) -> int:
    """The number of armies that occupy: the wanted one, or the nearest that is legal."""
    source = int(position.armies[int(position.attack_source)])
    left, fewest = np.array([source]), np.array([int(position.occupy_minimum)])
    return int(armies_to_move(wanted, left, fewest)[0])


def advance(context: StepContext, order: AdvanceOrder) -> StepResult:
    """Answer a pending occupation."""
    position = context.position
    if position.phase != Phase.OCCUPY:
        return context.done(context.note("not-now", "No captured territory waits for armies."))
    if isinstance(order.armies, int):
        return context.last(Occupy(order.armies))
    return context.last(Occupy(moved_in(position, order.armies)))
