"""Carrying out ATTACK and ADVANCE: one roll or one occupation at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from rubicon.orders.chances import path_odds, wished
from rubicon.orders.move import Here, Move
from rubicon.orders.order import (
    AdvanceOrder,
    AllBut,
    Armies,
    AttackOrder,
    Fewest,
    StopKind,
)
from rubicon.orders.plan import Progress
from rubicon.orders.sight import Sight
from rubicon.rules.actions import Attack, Occupy
from rubicon.rules.choices import Announce
from rubicon.rules.position import Phase
from rubicon.rules.procedures.attack import most_attack_dice

ATTACKING = (int(Phase.REINFORCE), int(Phase.ATTACK))


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
    if _stops(here, order, progress):
        return here.done()
    return _roll(here, order, progress, source, target)


def _roll(here: Here, order: AttackOrder, progress: Progress, source: str, target: str) -> Move:
    position: Any = here.position
    most = int(most_attack_dice(position, here.sight.rules, here.sight.territory(source)))
    if most == 0:
        return here.done()
    dice = min(most, order.dice or most)
    action = Attack(source, target, dice, _goes_on(here, source, target))
    return here.attempt(action, progress._replace(rolled=rolled(order, progress.rolled + 1)))


def rolled(order: AttackOrder, rolls: int) -> int:
    """So many rolls as Progress counts them: as far as a stop of the order can tell them apart."""
    return min(rolls, _least(order, StopKind.ROUNDS) or 1)


def _least(order: AttackOrder, kind: StopKind) -> int | None:
    return min((stop.number for stop in order.stops if stop.kind is kind), default=None)


def _goes_on(here: Here, source: str, target: str) -> bool:
    """Whether the same attack order goes on, for the defender's standing order (A-70)."""
    position: Any = here.position
    if here.sight.rules.dice_announce != Announce.STANDING_ORDER or not here.progress.rolled:
        return False  # another text of orders is another order
    ends = (here.sight.territory(source), here.sight.territory(target))
    return ends == (int(position.order_source), int(position.order_target))


def _begun(here: Here, order: AttackOrder) -> Progress:
    """The progress with the armies noted that LOST will compare with."""
    progress = here.progress
    if progress.start == 0 and _least(order, StopKind.LOST) is not None:
        return progress._replace(start=here.sight.own_armies(here.position))
    return progress


def _stops(here: Here, order: AttackOrder, progress: Progress) -> bool:
    source, target = order.path[progress.part : progress.part + 2]
    armies = here.sight.armies(here.position, source)
    left, floor = floors(here.sight, here.position, order, progress)
    if armies <= max(left, floor or 0) or rounds_left(order, progress) == 0:
        return True
    odds = least_odds(order)
    if odds is None:
        return False
    seen = path_odds(here.sight, here.position, order, progress.part, left, floor)
    return seen.chance(armies, here.sight.armies(here.position, target)) * 100 < odds


def floors(
    sight: Sight, position: Any, order: AttackOrder, progress: Progress
) -> tuple[int, int | None]:
    """How many armies on the territory that attacks end the attack, by LEFT and by LOST."""
    left = max((stop.number for stop in order.stops if stop.kind is StopKind.LEFT), default=1)
    lost = _least(order, StopKind.LOST)
    if lost is None:
        return left, None
    elsewhere = sight.own_armies(position) - sight.armies(position, order.path[progress.part])
    return left, progress.start - lost - elsewhere


def rounds_left(order: AttackOrder, progress: Progress) -> int | None:
    """How many more rolls ROUNDS allows; None without it."""
    rounds = _least(order, StopKind.ROUNDS)
    return None if rounds is None else max(0, rounds - progress.rolled)


def least_odds(order: AttackOrder) -> int | None:
    """The percentage below which ODDS ends the attack; None without it."""
    return max((s.number for s in order.stops if s.kind is StopKind.ODDS), default=None)


def _occupation(here: Here, order: AttackOrder) -> Move:
    """Move into what was captured: for the rest of the path all, into its end the fewest."""
    position: Any = here.position
    leg = here.progress.part
    expected = here.sight.territory(order.path[min(leg + 1, len(order.path) - 1)])
    if int(position.attack_target) != expected:
        return here.wait("An occupation of another line waits: ADVANCE says with how many.")
    wish = wish_of(order, leg)
    armies = moved_in(position, wish)
    progress = here.progress._replace(part=leg + 1)
    clamped = isinstance(wish, int) and wish != armies
    where = here.sight.game.territories[expected]
    message = f"{armies} moved into {where}: {wish} could not."
    return Move(Occupy(armies), progress, (here.note("advance", message),) if clamped else ())


def wish_of(order: AttackOrder, leg: int) -> Armies:
    """How many armies are to move in behind a capture."""
    if order.advance is not None:
        return order.advance
    return AllBut() if leg + 2 < len(order.path) else Fewest.MIN


def moved_in(position: Any, wish: Armies) -> int:
    """How many armies occupy, as near to the wish as the rules allow."""
    source = int(position.armies[int(position.attack_source)])
    left, fewest = np.array([source]), np.array([int(position.occupy_minimum)])
    return int(wished(wish, left, fewest)[0])


def advance(here: Here, order: AdvanceOrder) -> Move:
    """Answer an occupation that waits."""
    position: Any = here.position
    if position.phase != Phase.OCCUPY:
        return here.done(here.note("not-now", "No occupation waits for ADVANCE."))
    if isinstance(order.armies, int):
        return here.last(Occupy(order.armies))
    return here.last(Occupy(moved_in(position, order.armies)))
