"""Executes the orders that neither attack nor trade: placements, moves, set-up, endings."""

from __future__ import annotations

from collections.abc import Iterable

from rubicon.engine.phases.attack import most_defence_dice
from rubicon.engine.records.position import NEUTRAL, Phase, Position, Standing
from rubicon.orders.execute.attack import ATTACKING
from rubicon.orders.execute.step import Note, StepContext, StepResult
from rubicon.orders.syntax import (
    AllBut,
    CapitalOrder,
    ClaimOrder,
    DeclineOrder,
    DefenceDice,
    DefendOrder,
    DeployOrder,
    EndKind,
    EndOrder,
    FortifyOrder,
    ManoeuvreOrder,
    ObjectiveOrder,
    RevealOrder,
    SealOrder,
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

DICE = {
    DefenceDice.MAX: Standing.MAXIMUM,
    DefenceDice.ONE: Standing.ONE,
    DefenceDice.TWO: Standing.TWO,
    DefenceDice.ASK: Standing.NONE,
}
ARMIES_LEFT = "You have armies to place first: write DEPLOY REST and a territory."


def deploy(context: StepContext, order: DeployOrder) -> StepResult:
    """The next placement; starting armies one at a time where the seats place in turn."""
    position: Position = context.position
    part, placed = context.progress.part, context.progress.placed
    if part == len(order.placements):
        return context.done()
    behind = context.progress._replace(part=part + 1, placed=0)
    wanted, name = order.placements[part]
    unplaced = _armies_for(context, name)
    left = unplaced if wanted is None else wanted - placed
    if left <= 0:
        alone = len(order.placements) == 1 and placed == 0
        notes = (context.note("no-armies", "You have no armies to place."),) if alone else ()
        return StepResult(None, behind, notes)
    if left > unplaced:
        note = context.note(
            "too-many",
            f"{left} armies for {context.seat_view.label(name)}, but only {unplaced} are left.",
        )
        return StepResult(None, behind, (note,))
    # In the placing rounds each seat places one army at a time; the order goes on next round.
    armies = 1 if position.phase == Phase.PLACE else left
    refused = context.refused(Place(name, armies))
    if refused is not None:
        return StepResult(None, behind, (refused,))
    then = context.progress._replace(placed=placed + armies) if armies < left else behind
    return StepResult(Place(name, armies), then)


def _armies_for(context: StepContext, name: str) -> int:
    """The armies that may still go to a territory; two players place those of neutral ones too."""
    position: Position = context.position
    neutral = position.owner[context.seat_view.territory(name)] == NEUTRAL
    if position.phase == Phase.PLACE and neutral:
        return int(position.neutral_left)
    return context.seat_view.unplaced(position)


def claim(context: StepContext, order: ClaimOrder) -> StepResult:
    """Claim the first territory that is free."""
    return _first_legal(
        context, map(Claim, order.territories), "None of these territories is free."
    )


def capital(context: StepContext, order: CapitalOrder) -> StepResult:
    """Choose the first territory that may be the capital or the headquarters."""
    reason = "None of these territories can be your capital or headquarters."
    return _first_legal(context, map(PlaceCapital, order.territories), reason)


def _first_legal(context: StepContext, actions: Iterable[Action], reason: str) -> StepResult:
    for action in actions:
        if context.refused(action) is None:
            return context.last(action)
    return context.done(context.note("none-possible", reason))


def manoeuvre(context: StepContext, order: ManoeuvreOrder) -> StepResult:
    """Move armies before the first attack."""
    position: Position = context.position
    if position.phase != Phase.REINFORCE:
        return context.done(
            context.note("not-now", "A manoeuvre is only possible before the first attack.")
        )
    return _moved(context, order)


def fortify(context: StepContext, order: FortifyOrder) -> StepResult:
    """Move armies at the end of the turn; the attacks end before it."""
    position: Position = context.position
    if position.phase in ATTACKING:
        return _end_attack(context)
    if position.phase == Phase.OBJECTIVE:
        return context.wait("You may claim an objective: OBJECTIVE names it, or OBJECTIVE NO.")
    if position.phase != Phase.FORTIFY:
        return context.done(
            context.note("not-now", "You cannot move armies at this point of the turn.")
        )
    return _moved(context, order)


def _moved(context: StepContext, order: FortifyOrder | ManoeuvreOrder) -> StepResult:
    armies = order.armies
    if isinstance(armies, AllBut):
        armies = max(
            0, context.seat_view.armies(context.position, order.source) - max(armies.stay, 1)
        )
        if armies == 0:
            return context.done(
                context.note("refused", f"'{order}' moves nothing: no army there can leave.")
            )
    action = Fortify(order.source, order.target, armies)
    refused = context.refused(action, order)
    return context.last(action) if refused is None else context.done(refused)


def _end_attack(context: StepContext) -> StepResult:
    """End the attacks, then come back to the same step."""
    refused = context.refused(EndAttack())
    if refused is None:
        return StepResult(EndAttack(), context.progress)
    return context.wait(
        ARMIES_LEFT if context.seat_view.unplaced(context.position) else refused.message
    )


def objective(context: StepContext, order: ObjectiveOrder) -> StepResult:
    """Claim an objective, or decline."""
    position: Position = context.position
    if position.phase in ATTACKING:
        return _end_attack(context)
    if position.phase != Phase.OBJECTIVE:
        missed = () if order.objective is None else (_not_met(context, order.objective),)
        return context.done(*missed)
    if order.objective is None:
        return context.last(Decline())
    return context.last(ClaimObjective(order.objective, order.airfield))


def _not_met(context: StepContext, name: str) -> Note:
    return context.note("objective-not-met", f"Objective {name} is not met, so it was not claimed.")


def end(context: StepContext, order: EndOrder) -> StepResult:
    """End the attacks, or the turn."""
    position: Position = context.position
    if order.what is EndKind.TURN:
        return close(context)
    if position.phase not in ATTACKING:
        return context.done()
    ending = _end_attack(context)
    return ending if ending.action is None else context.last(EndAttack())


def close(context: StepContext) -> StepResult:
    """The next action that ends the turn; a pause where armies are still to be placed."""
    position: Position = context.position
    # Only decisions that can be passed are passed; armies in hand must be placed.
    phase = position.phase
    if phase in ATTACKING:
        return _end_attack(context)
    if phase == Phase.FORTIFY:
        return context.last(EndTurn())
    if phase == Phase.OBJECTIVE:
        return StepResult(Decline(), context.progress)
    if phase == Phase.SEALED and not context.seat_view.unplaced(position):
        return context.last(Seal(context.seat_view.colour))
    if phase == Phase.TRADE and context.refused(Decline()) is None:
        return StepResult(Decline(), context.progress)
    if context.seat_view.unplaced(position):
        return context.wait(ARMIES_LEFT)
    return context.wait("A decision is pending that the orders leave open.")


def defend(context: StepContext, order: DefendOrder) -> StepResult:
    """Answer a pending attack; otherwise give a standing order (A-70)."""
    position: Position = context.position
    seat_view = context.seat_view
    dice = DICE[order.dice]
    asked = position.phase == Phase.DEFEND and seat_view.acts(position)
    if not asked or dice == Standing.NONE:
        return context.last(StandingOrder(seat_view.colour, order.territory, dice))
    if order.territory and seat_view.territory(order.territory) != int(position.attack_target):
        return context.last(StandingOrder(seat_view.colour, order.territory, dice))
    most = int(most_defence_dice(position, seat_view.rules, int(position.attack_target)))
    return context.last(DefendWith(min(most, int(dice))))


def decline(context: StepContext, order: DeclineOrder) -> StepResult:
    """Claim no objective, or trade no further set."""
    return context.last(Decline())


def seal(context: StepContext, order: SealOrder) -> StepResult:
    """Finish the hidden placement of starting armies."""
    return context.last(Seal(context.seat_view.colour))


def reveal(context: StepContext, order: RevealOrder) -> StepResult:
    """Show a completed mission."""
    return context.last(RevealMission(context.seat_view.colour))
