"""Executes each kind of order: one roll, occupation, trade, placement or move at a time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from rubicon.engine.attack import most_attack_dice, most_defence_dice
from rubicon.engine.cards import FEWEST_STARS, MOST_STARS, trade_forced
from rubicon.engine.codes import Announce, Refusal, SetValues
from rubicon.engine.records import NEUTRAL, CardPlace, Phase, Position, Standing
from rubicon.orders import syntax
from rubicon.orders.execute.program import Note, Progress, SeatView, StepContext, StepResult
from rubicon.orders.execute.stop_odds import armies_to_move, path_odds
from rubicon.rules.actions import (
    Action,
    Attack,
    Claim,
    ClaimObjective,
    Decline,
    DefendWith,
    EndAttack,
    EndTurn,
    Fortify,
    Occupy,
    Offer,
    Place,
    PlaceCapital,
    RevealMission,
    Seal,
    StandingOrder,
    Trade,
    Withdraw,
)

# Executes ATTACK and ADVANCE: one roll or one occupation at a time.

ATTACKING = (int(Phase.REINFORCE), int(Phase.ATTACK))
ASKED = "You decide how many armies move into the captured territory: ADVANCE says how many."
NO_ATTACK = "no-attack"  # the code of the note of an ATTACK that never rolled


def attack(context: StepContext, order: syntax.AttackOrder) -> StepResult:
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
    context: StepContext, order: syntax.AttackOrder, progress: Progress, ends: tuple[str, str]
) -> StepResult:
    source, target = ends
    seat_view = context.seat_view
    most = int(most_attack_dice(context.position, seat_view.rules, seat_view.territory(source)))
    if most == 0:
        return _ended(context, f"{seat_view.label(source)} has no army to spare")
    dice = min(most, order.dice or most)
    action = Attack(source, target, dice, _goes_on(context, source, target))
    return context.attempt(action, progress._replace(rolled=rolled(order, progress.rolled + 1)))


def rolled(order: syntax.AttackOrder, rolls: int) -> int:
    """A number of rolls as Progress counts it: capped where no stop of the order can differ.

    The cap keeps the number of different states small, which a preview explores one by one.
    """
    return min(rolls, _least(order, syntax.StopKind.ROUNDS) or 1)


def _least(order: syntax.AttackOrder, kind: syntax.StopKind) -> int | None:
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


def _begun(context: StepContext, order: syntax.AttackOrder) -> Progress:
    """The progress, with the number of armies from which LOST counts."""
    progress = context.progress
    if progress.start == 0 and _least(order, syntax.StopKind.LOST) is not None:
        return progress._replace(start=context.seat_view.own_armies(context.position))
    return progress


def _stop_reason(context: StepContext, order: syntax.AttackOrder, progress: Progress) -> str:
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
    seat_view: SeatView, position: Position, order: syntax.AttackOrder, progress: Progress
) -> tuple[int, int | None]:
    """The armies on the attacking territory at which LEFT, and at which LOST, end the attack.

    LOST counts all armies of the seat. The armies elsewhere do not change during the battle, so
    the limit becomes one for the attacking territory alone.
    """
    left = max(
        (stop.number for stop in order.stops if stop.kind is syntax.StopKind.LEFT), default=1
    )
    lost = _least(order, syntax.StopKind.LOST)
    if lost is None:
        return left, None
    source = order.path[progress.part]
    others = seat_view.own_armies(position) - seat_view.armies(position, source)
    return left, progress.start - lost - others


def rounds_left(order: syntax.AttackOrder, progress: Progress) -> int | None:
    """How many more rolls ROUNDS allows; None without ROUNDS."""
    rounds = _least(order, syntax.StopKind.ROUNDS)
    return None if rounds is None else max(0, rounds - progress.rolled)


def least_odds(order: syntax.AttackOrder) -> int | None:
    """The percentage below which ODDS ends the attack; None without ODDS."""
    return max((s.number for s in order.stops if s.kind is syntax.StopKind.ODDS), default=None)


def _occupation(context: StepContext, order: syntax.AttackOrder) -> StepResult:
    """Move into a captured territory: all armies on the way, the fewest at the end of the path."""
    position = context.position
    leg = context.progress.part
    expected = context.seat_view.territory(order.path[min(leg + 1, len(order.path) - 1)])
    if int(position.attack_target) != expected:
        return context.wait("A captured territory waits for armies: ADVANCE says how many.")
    wanted = advance_of(order, leg)
    if isinstance(wanted, syntax.LeftOpen):
        fewest = moved_in(position, syntax.Fewest.MIN)
        if fewest < moved_in(position, syntax.AllBut()):
            return context.wait(ASKED)
        wanted = fewest  # nothing to ask: one number is legal
    armies = moved_in(position, wanted)
    progress = context.progress._replace(part=leg + 1)
    clamped = isinstance(wanted, int) and wanted != armies
    where = context.seat_view.label(order.path[min(leg + 1, len(order.path) - 1)])
    message = f"{armies} armies moved into {where}: {wanted} were not possible."
    notes = (context.note("advance", message),) if clamped else ()
    return StepResult(Occupy(armies), progress, notes)


def advance_of(order: syntax.AttackOrder, leg: int) -> syntax.Armies | syntax.LeftOpen:
    """How many armies the order moves in after the capture of a leg."""
    last = leg + 2 >= len(order.path)
    if isinstance(order.advance, syntax.LeftOpen):
        return order.advance if last else syntax.AllBut()
    if order.advance is not None:
        return order.advance
    return syntax.Fewest.MIN if last else syntax.AllBut()


def moved_in(position: Position, wanted: syntax.Armies) -> int:
    """The number of armies that occupy: the wanted one, or the nearest that is legal."""
    source = int(position.armies[int(position.attack_source)])
    left, fewest = np.array([source]), np.array([int(position.occupy_minimum)])
    return int(armies_to_move(wanted, left, fewest)[0])


def advance(context: StepContext, order: syntax.AdvanceOrder) -> StepResult:
    """Answer a pending occupation."""
    position = context.position
    if position.phase != Phase.OCCUPY:
        return context.done(context.note("not-now", "No captured territory waits for armies."))
    if isinstance(order.armies, int):
        return context.last(Occupy(order.armies))
    return context.last(Occupy(moved_in(position, order.armies)))


# Executes TRADE: a named set, the best set, or stars.

TRADING = (Phase.REINFORCE, Phase.TRADE)


def trade(context: StepContext, order: syntax.TradeOrder) -> StepResult:
    """The next card offered, or the trade."""
    position = context.position
    if order.cards is syntax.SetChoice.NO:
        return _trade_nothing(context)
    if position.phase not in TRADING:
        return context.done(
            context.note("not-now", "You cannot trade cards at this point of the turn.")
        )
    if context.seat_view.rules.cards_values == SetValues.STARS:
        return _trade_stars(context, order)
    if isinstance(order.cards, syntax.SetChoice):
        return _trade_best(context, order.bonus)
    return context.last(Trade(tuple(order.cards), order.bonus))


def _trade_nothing(context: StepContext) -> StepResult:
    """Take offered cards back; decline a further set where the rules offer one."""
    if _offered(context):
        return context.last(Withdraw())
    if context.position.phase == Phase.TRADE and context.refused(Decline()) is None:
        return context.last(Decline())
    return context.done()


def _trade_best(context: StepContext, bonus: str | None) -> StepResult:
    """The set that is worth most; further sets only while the rules force a trade."""
    best = best_set(context, bonus)
    if best is None:
        none = context.progress.traded == 0
        return context.done(
            *([context.note("no-set", "You have no set of cards to trade.")] if none else [])
        )
    position: Position = context.position
    # One TRADE BEST is one set, but the rules may force more: those are traded too.
    traded = context.progress._replace(traded=context.progress.traded + 1)
    if context.progress.traded and not trade_forced(
        position, context.seat_view.rules, context.seat_view.tables
    ):
        return context.done()
    return StepResult(best, traded)


def best_set(context: StepContext, bonus: str | None) -> Trade | None:
    """The set worth most armies now; among equals, with that bonus, then with fewest wild cards."""
    sets = [
        action for action in context.seat_view.legal(context.position) if isinstance(action, Trade)
    ]
    if not sets:
        return None
    return max(sets, key=lambda set_: (_worth(context, set_), set_.bonus == bonus, -_wilds(set_)))


def _worth(context: StepContext, action: Action) -> int:
    """The seat's armies, placed and unplaced, after an action."""
    after = context.seat_view.applied(context.position, action)
    return context.seat_view.own_armies(after) + context.seat_view.unplaced(after)


def _wilds(action: Trade) -> int:
    return sum(card.startswith("wild") for card in action.cards)


def _trade_stars(context: StepContext, order: syntax.TradeOrder) -> StepResult:
    """Offer the cards one by one, then trade them; offer none where not all can be traded."""
    cards = _best_stars(context) if isinstance(order.cards, syntax.SetChoice) else order.cards
    if not cards:
        return context.done(context.note("no-set", "You have no stars to trade."))
    # Star trades are made card by card; an offer begun for other cards is taken back first.
    offered = _offered(context)
    fault = _star_fault(context, cards)
    if offered and (fault or not set(offered) <= set(cards)):
        return context.attempt(Withdraw(), context.progress)
    if fault:
        return context.done(context.note("refused", fault))
    waiting = [card for card in cards if card not in offered]
    return (
        context.attempt(Offer(waiting[0]), context.progress) if waiting else context.last(Trade())
    )


def _star_fault(context: StepContext, cards: tuple[str, ...]) -> str:
    """Why these cards cannot be traded for their stars; "" where they can."""
    position: Position = context.position
    names = list(context.seat_view.game.cards)
    if not set(cards) <= set(names):  # wild cards, where none are in play
        return context.seat_view.sentence(Refusal.CARD_NOT_HELD)
    places = [int(position.card[names.index(card)]) for card in cards]
    if any(place not in (context.seat_view.seat, CardPlace.OFFERED) for place in places):
        return context.seat_view.sentence(Refusal.CARD_NOT_HELD)
    stars = sum(int(context.seat_view.tables.stars[names.index(card)]) for card in cards)
    if stars < FEWEST_STARS:
        return context.seat_view.sentence(Refusal.TOO_FEW_STARS)
    return context.seat_view.sentence(Refusal.TOO_MANY_STARS) if stars > MOST_STARS else ""


def _offered(context: StepContext) -> tuple[str, ...]:
    position: Position = context.position
    names = context.seat_view.game.cards
    return tuple(n for card, n in enumerate(names) if position.card[card] == CardPlace.OFFERED)


def _best_stars(context: StepContext) -> tuple[str, ...]:
    """The cards with most stars that one trade may have.

    Offered cards count as held, so that the choice stays the same while they are offered.
    """
    position: Position = context.position
    mine = (context.seat_view.seat, CardPlace.OFFERED)
    hand = [
        card for card in range(len(context.seat_view.game.cards)) if position.card[card] in mine
    ]
    stars = context.seat_view.tables.stars
    # At most MOST_STARS cards can be in a trade, since each has at least one star.
    best: tuple[int, ...] = ()
    most_stars = FEWEST_STARS - 1
    for size in range(1, len(hand) + 1):
        for cards in combinations(hand[:MOST_STARS], size):
            sum_ = int(sum(stars[card] for card in cards))
            if most_stars < sum_ <= MOST_STARS:
                best, most_stars = cards, sum_
    return tuple(context.seat_view.game.cards[card] for card in best)


# Executes the orders that neither attack nor trade: placements, moves, set-up, endings.

DICE = {
    syntax.DefenceDice.MAX: Standing.MAXIMUM,
    syntax.DefenceDice.ONE: Standing.ONE,
    syntax.DefenceDice.TWO: Standing.TWO,
    syntax.DefenceDice.ASK: Standing.NONE,
}
ARMIES_LEFT = "You have armies to place first: write DEPLOY REST and a territory."


def deploy(context: StepContext, order: syntax.DeployOrder) -> StepResult:
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


def claim(context: StepContext, order: syntax.ClaimOrder) -> StepResult:
    """Claim the first territory that is free."""
    return _first_legal(
        context, map(Claim, order.territories), "None of these territories is free."
    )


def capital(context: StepContext, order: syntax.CapitalOrder) -> StepResult:
    """Choose the first territory that may be the capital or the headquarters."""
    reason = "None of these territories can be your capital or headquarters."
    return _first_legal(context, map(PlaceCapital, order.territories), reason)


def _first_legal(context: StepContext, actions: Iterable[Action], reason: str) -> StepResult:
    for action in actions:
        if context.refused(action) is None:
            return context.last(action)
    return context.done(context.note("none-possible", reason))


def manoeuvre(context: StepContext, order: syntax.ManoeuvreOrder) -> StepResult:
    """Move armies before the first attack."""
    position: Position = context.position
    if position.phase != Phase.REINFORCE:
        return context.done(
            context.note("not-now", "A manoeuvre is only possible before the first attack.")
        )
    return _moved(context, order)


def fortify(context: StepContext, order: syntax.FortifyOrder) -> StepResult:
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


def _moved(context: StepContext, order: syntax.FortifyOrder | syntax.ManoeuvreOrder) -> StepResult:
    armies = order.armies
    if isinstance(armies, syntax.AllBut):
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


def objective(context: StepContext, order: syntax.ObjectiveOrder) -> StepResult:
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


def end(context: StepContext, order: syntax.EndOrder) -> StepResult:
    """End the attacks, or the turn."""
    position: Position = context.position
    if order.what is syntax.EndKind.TURN:
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


def defend(context: StepContext, order: syntax.DefendOrder) -> StepResult:
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


def decline(context: StepContext, order: syntax.DeclineOrder) -> StepResult:
    """Claim no objective, or trade no further set."""
    return context.last(Decline())


def seal(context: StepContext, order: syntax.SealOrder) -> StepResult:
    """Finish the hidden placement of starting armies."""
    return context.last(Seal(context.seat_view.colour))


def reveal(context: StepContext, order: syntax.RevealOrder) -> StepResult:
    """Show a completed mission."""
    return context.last(RevealMission(context.seat_view.colour))
