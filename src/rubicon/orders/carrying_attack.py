"""Carrying out ATTACK and ADVANCE: one roll or one occupation at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rubicon.orders.chances import chance_of_path, wished
from rubicon.orders.move import Here, Move
from rubicon.orders.order import (
    AdvanceOrder,
    AllBut,
    Armies,
    AttackOrder,
    Fewest,
    Stop,
    StopKind,
)
from rubicon.orders.plan import Progress
from rubicon.rules.actions import Attack, Occupy
from rubicon.rules.choices import Announce
from rubicon.rules.position import Phase
from rubicon.rules.procedures.attack import most_attack_dice

ATTACKING = (Phase.REINFORCE, Phase.ATTACK)


def attack(here: Here, order: AttackOrder) -> Move:
    """The next roll or occupation of a path."""
    position: Any = here.position
    leg = here.progress.part
    if position.phase == Phase.OCCUPY:
        return _occupation(here, order)
    if leg + 1 == len(order.path):
        return here.done()
    source, target = order.path[leg : leg + 2]
    if here.sight.holds(position, target):
        return Move(None, here.progress._replace(part=leg + 1))
    if position.phase not in ATTACKING:
        return here.done(here.note("not-now", f"{order} is not possible at this time."))
    if not here.sight.holds(position, source):
        return here.done(here.note("not-yours", f"{source} is not yours."))
    progress = _begun(here, order)
    if any(_stops(stop, here, order, progress) for stop in order.stops):
        return here.done()
    return _roll(here, order, progress, source, target)


def _roll(here: Here, order: AttackOrder, progress: Progress, source: str, target: str) -> Move:
    position: Any = here.position
    most = int(most_attack_dice(position, here.sight.rules, here.sight.territory(source)))
    if most == 0:
        return here.done()
    dice = min(most, order.dice or most)
    action = Attack(source, target, dice, _goes_on(here, source, target))
    return here.attempt(action, progress._replace(rolls=progress.rolls + 1))


def _goes_on(here: Here, source: str, target: str) -> bool:
    """Whether the same attack order goes on, for the defender's standing order (A-70)."""
    position: Any = here.position
    if here.sight.rules.dice_announce != Announce.STANDING_ORDER or not here.progress.rolls:
        return False  # another text of orders is another order
    ends = (here.sight.territory(source), here.sight.territory(target))
    return ends == (int(position.order_source), int(position.order_target))


def _begun(here: Here, order: AttackOrder) -> Progress:
    """The progress with the armies noted that a stop will compare with."""
    progress = here.progress
    counts = any(stop.kind is StopKind.LOST for stop in order.stops)
    if counts and progress.start == 0:
        return progress._replace(start=here.sight.own_armies(here.position))
    return progress


Judge = Callable[[Stop, Here, AttackOrder, Progress], bool]


def _stops(stop: Stop, here: Here, order: AttackOrder, progress: Progress) -> bool:
    return _JUDGES[stop.kind](stop, here, order, progress)


def _won(stop: Stop, here: Here, order: AttackOrder, progress: Progress) -> bool:
    return False  # the path itself says so


def _left(stop: Stop, here: Here, order: AttackOrder, progress: Progress) -> bool:
    return here.sight.armies(here.position, order.path[progress.part]) <= stop.number


def _rounds(stop: Stop, here: Here, order: AttackOrder, progress: Progress) -> bool:
    return progress.rolls >= stop.number


def _lost(stop: Stop, here: Here, order: AttackOrder, progress: Progress) -> bool:
    return progress.start - here.sight.own_armies(here.position) >= stop.number


def _odds(stop: Stop, here: Here, order: AttackOrder, progress: Progress) -> bool:
    path = order.path[progress.part :]
    chance = chance_of_path(here.sight, here.position, path, order.dice, order.advance)
    return chance * 100 < stop.number


_JUDGES: dict[StopKind, Judge] = {
    StopKind.WON: _won,
    StopKind.LEFT: _left,
    StopKind.ROUNDS: _rounds,
    StopKind.LOST: _lost,
    StopKind.ODDS: _odds,
}


def _occupation(here: Here, order: AttackOrder) -> Move:
    """Move into what was captured: for the rest of the path all, into its end the fewest."""
    position: Any = here.position
    leg = here.progress.part
    expected = here.sight.territory(order.path[min(leg + 1, len(order.path) - 1)])
    if int(position.attack_target) != expected:
        return here.wait("An occupation of another line waits: ADVANCE says with how many.")
    goes_on = leg + 2 < len(order.path)
    wish = order.advance if order.advance is not None else (AllBut() if goes_on else Fewest.MIN)
    armies = moved_in(position, wish)
    progress = here.progress._replace(part=leg + 1)
    clamped = isinstance(wish, int) and wish != armies
    notes = (here.note("advance", f"{armies} moved in: {wish} could not."),) if clamped else ()
    return Move(Occupy(armies), progress, notes)


def moved_in(position: Any, wish: Armies) -> int:
    """How many armies occupy, as near to the wish as the rules allow."""
    source = int(position.armies[int(position.attack_source)])
    return wished(wish, source, int(position.occupy_minimum))


def advance(here: Here, order: AdvanceOrder) -> Move:
    """Answer an occupation that waits."""
    position: Any = here.position
    if position.phase != Phase.OCCUPY:
        return here.done(here.note("not-now", "No occupation waits for ADVANCE."))
    if isinstance(order.armies, int):
        return here.last(Occupy(order.armies))
    return here.last(Occupy(moved_in(position, order.armies)))
