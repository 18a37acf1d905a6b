"""Carrying out what is neither an attack nor a trade: armies placed and moved, set-up, endings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rubicon.orders.move import Here, Move
from rubicon.orders.order import (
    AllBut,
    CapitalOrder,
    ClaimOrder,
    DefenceDice,
    DefendOrder,
    DeployOrder,
    Ending,
    EndOrder,
    FortifyOrder,
    ManoeuvreOrder,
    ObjectiveOrder,
    RevealOrder,
)
from rubicon.rules.actions import (
    Action,
    Claim,
    ClaimObjective,
    Decline,
    DefendWith,
    EndAttack,
    EndTurn,
    Fortify,
    Place,
    PlaceCapital,
    RevealMission,
    Seal,
    StandingOrder,
)
from rubicon.rules.position import Phase, Standing
from rubicon.rules.procedures.attack import most_defence_dice

DICE = {
    DefenceDice.MAX: Standing.MAXIMUM,
    DefenceDice.ONE: Standing.ONE,
    DefenceDice.TWO: Standing.TWO,
    DefenceDice.ASK: Standing.NONE,
}
ATTACKING = (Phase.REINFORCE, Phase.ATTACK)
ARMIES_LEFT = "Armies are still to be placed: DEPLOY says where."


def deploy(here: Here, order: DeployOrder) -> Move:
    """The next placement; starting armies one at a time where the rules say so."""
    position: Any = here.position
    part, placed = here.progress.part, here.progress.placed
    if part == len(order.placements):
        return here.done()
    behind = here.progress._replace(part=part + 1, placed=0)
    wanted, name = order.placements[part]
    unplaced = here.sight.unplaced(position)
    left = unplaced if wanted is None else wanted - placed
    if left <= 0:
        return Move(None, behind)
    if left > unplaced:
        note = here.note("too-many", f"{left} armies for {name}, but only {unplaced} are left.")
        return Move(None, behind, (note,))
    armies = 1 if position.phase == Phase.PLACE else left
    refused = here.refused(Place(name, armies))
    if refused is not None:
        return Move(None, behind, (refused,))
    then = here.progress._replace(placed=placed + armies) if armies < left else behind
    return Move(Place(name, armies), then)


def claim(here: Here, order: ClaimOrder) -> Move:
    """The first territory that is free."""
    return _first_legal(here, map(Claim, order.territories), "None of the territories is free.")


def capital(here: Here, order: CapitalOrder) -> Move:
    """The first territory that may be a capital, or headquarters."""
    reason = "None of the territories can be the capital."
    return _first_legal(here, map(PlaceCapital, order.territories), reason)


def _first_legal(here: Here, actions: Iterable[Action], reason: str) -> Move:
    for action in actions:
        if here.refused(action) is None:
            return here.last(action)
    return here.done(here.note("none-possible", reason))


def manoeuvre(here: Here, order: ManoeuvreOrder) -> Move:
    """The move before the first attack."""
    position: Any = here.position
    if position.phase != Phase.REINFORCE:
        return here.done(here.note("not-now", "A manoeuvre comes before the first attack."))
    return _moved(here, order)


def fortify(here: Here, order: FortifyOrder) -> Move:
    """The move at the end of the turn; the attacks end before it."""
    position: Any = here.position
    if position.phase in ATTACKING:
        return _end_attack(here)
    if position.phase == Phase.OBJECTIVE:
        return here.wait("An objective may be claimed: OBJECTIVE names it, or OBJECTIVE NO.")
    if position.phase != Phase.FORTIFY:
        return here.done(here.note("not-now", "No armies can be moved at this time."))
    return _moved(here, order)


def _moved(here: Here, order: FortifyOrder | ManoeuvreOrder) -> Move:
    armies = order.armies
    if isinstance(armies, AllBut):
        armies = max(0, here.sight.armies(here.position, order.source) - max(armies.stay, 1))
    action = Fortify(order.source, order.target, armies)
    refused = here.refused(action, order)
    return here.last(action) if refused is None else here.done(refused)


def _end_attack(here: Here) -> Move:
    """End the attacks and come back to the same step."""
    refused = here.refused(EndAttack())
    if refused is None:
        return Move(EndAttack(), here.progress)
    return here.wait(ARMIES_LEFT if here.sight.unplaced(here.position) else refused.message)


def objective(here: Here, order: ObjectiveOrder) -> Move:
    """Claim an objective, or none."""
    position: Any = here.position
    if position.phase in ATTACKING:
        return _end_attack(here)
    if position.phase != Phase.OBJECTIVE:
        missed = () if order.objective is None else (_not_met(here, order.objective),)
        return here.done(*missed)
    if order.objective is None:
        return here.last(Decline())
    return here.last(ClaimObjective(order.objective, order.airfield))


def _not_met(here: Here, name: str) -> Any:
    return here.note("objective-not-met", f"{name} is not met; nothing was claimed.")


def end(here: Here, order: EndOrder) -> Move:
    """The attacks are over, or the turn is."""
    position: Any = here.position
    if order.what is Ending.TURN:
        return close(here)
    if position.phase not in ATTACKING:
        return here.done()
    move = _end_attack(here)
    return move if move.action is None else here.last(EndAttack())


def close(here: Here) -> Move:
    """Whatever is still open in the turn is passed over; armies to be placed are not."""
    position: Any = here.position
    phase = position.phase
    if phase in ATTACKING:
        return _end_attack(here)
    if phase == Phase.FORTIFY:
        return here.last(EndTurn())
    if phase == Phase.OBJECTIVE:
        return Move(Decline(), here.progress)
    if phase == Phase.SEALED and not here.sight.unplaced(position):
        return here.last(Seal(here.sight.colour))
    if phase == Phase.TRADE and here.refused(Decline()) is None:
        return Move(Decline(), here.progress)
    if here.sight.unplaced(position):
        return here.wait(ARMIES_LEFT)
    return here.wait("A decision is owed that the orders leave open.")


def defend(here: Here, order: DefendOrder) -> Move:
    """The answer to an attack that waits for one, else a standing order."""
    position: Any = here.position
    sight = here.sight
    dice = DICE[order.dice]
    asked = position.phase == Phase.DEFEND and sight.acts(position)
    if not asked or dice == Standing.NONE:
        return here.last(StandingOrder(sight.colour, order.territory, dice))
    if order.territory and sight.territory(order.territory) != int(position.attack_target):
        return here.last(StandingOrder(sight.colour, order.territory, dice))
    most = int(most_defence_dice(position, sight.rules, int(position.attack_target)))
    return here.last(DefendWith(min(most, int(dice))))


def reveal(here: Here, order: RevealOrder) -> Move:
    """Show a completed mission."""
    return here.last(RevealMission(here.sight.colour))
