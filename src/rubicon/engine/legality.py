"""The one definition of legality: `refusal`."""

from rubicon.engine.missions import mission_complete
from rubicon.engine.ownership import acts, defending_seat
from rubicon.engine.phases.attack import (
    attack_step_refusal,
    refuse_attack,
    refuse_defend,
    refuse_occupy,
)
from rubicon.engine.phases.cards import (
    offered_stars,
    refuse_offer,
    refuse_trade,
    refuse_trade_offer,
    stars_refusal,
)
from rubicon.engine.phases.fortify import refuse_move
from rubicon.engine.phases.objectives import refuse_objective
from rubicon.engine.phases.placement import (
    refuse_claim,
    refuse_first_placement,
    refuse_headquarters,
    refuse_seal,
)
from rubicon.engine.phases.reinforce import first_step_refusal, refuse_place
from rubicon.engine.phases.resignation import refuse_resign
from rubicon.engine.records.action_codes import (
    NOWHERE,
    ActionKind,
    a_of,
    b_of,
    c_of,
    encode,
    kind_of,
    n_of,
)
from rubicon.engine.records.choices import EliminationTrade, Goal, MissionCheck, MissionReveal
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NONE, TERRITORIES, Phase, Position, Seat, Standing
from rubicon.engine.records.tables import BoardTables, RewardKind, Rules
from rubicon.engine.refusal import Refusal
from rubicon.engine.rewards import has_reward


@compiled
def pending_refusal(position: Position) -> int:
    """The one kind of action that is pending, as a reason; else the plain "wrong phase"."""
    if position.phase == Phase.OCCUPY:
        return Refusal.OCCUPATION_PENDING
    if position.phase == Phase.DEFEND:
        return Refusal.DEFENCE_PENDING
    if position.phase == Phase.OBJECTIVE:
        return Refusal.CLAIM_OBJECTIVE_FIRST
    return Refusal.WRONG_PHASE


@compiled
def refuse_capital(position: Position, rules: Rules, board: BoardTables, t: int) -> int:
    if position.phase == Phase.HEADQUARTERS:
        return refuse_headquarters(position, board, t)
    return refuse_claim(position, rules, board, t, True)


@compiled
def refuse_placement(
    position: Position, rules: Rules, board: BoardTables, t: int, armies: int
) -> int:
    """Placing, in whichever phase armies wait to be placed."""
    if position.phase == Phase.PLACE:
        return refuse_first_placement(position, rules, board, t, armies)
    if position.phase == Phase.SEALED:
        return refuse_sealed_placement(position, board, t, armies)
    if position.phase in (Phase.REINFORCE, Phase.TRADE, Phase.CONTINENTS):
        return refuse_place(position, board, position.turn, t, armies)
    return Refusal.WRONG_PHASE


@compiled
def refuse_sealed_placement(position: Position, board: BoardTables, t: int, armies: int) -> int:
    """In a sealed placement the owner of the territory places, in any order of the seats."""
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    seat = position.owner[t]
    if seat >= position.seats:
        return Refusal.NOT_YOUR_TERRITORY
    if position.sealed[seat] != 0:
        return Refusal.SEALED_ALREADY
    return refuse_place(position, board, seat, t, armies)


@compiled
def refuse_withdraw(position: Position, rules: Rules, board: BoardTables) -> int:
    code = stars_refusal(position, rules)
    if code != 0:
        return code
    return Refusal.LEGAL if offered_stars(position, board) > 0 else Refusal.NOTHING_OFFERED


@compiled
def refuse_decline(position: Position, rules: Rules) -> int:
    if position.phase == Phase.OBJECTIVE:
        return Refusal.LEGAL
    if position.phase == Phase.TRADE:
        if rules.elim_trade != EliminationTrade.OPTIONAL:
            return Refusal.TRADE_FORCED
        return Refusal.ARMIES_LEFT if position.unplaced[position.turn] > 0 else Refusal.LEGAL
    return Refusal.WRONG_PHASE


@compiled
def refuse_fortify(
    position: Position, rules: Rules, board: BoardTables, source: int, target: int, armies: int
) -> int:
    """The fortification at the end, or a Starting Maneuver before the first attack."""
    if position.phase == Phase.FORTIFY:
        return refuse_move(position, rules, board, source, target, armies)
    if position.phase != Phase.REINFORCE:
        return Refusal.WRONG_PHASE
    if rules.objectives_in_play == 0:
        return Refusal.WRONG_PHASE
    if not has_reward(position, rules, position.turn, RewardKind.STARTING_MANOEUVRE):
        return Refusal.NO_STARTING_MANOEUVRE
    code = first_step_refusal(position, rules, board)
    if code != 0:
        return code
    return refuse_move(position, rules, board, source, target, armies)


@compiled
def refuse_standing(position: Position, board: BoardTables, seat: int, t: int, dice: int) -> int:
    """A standing order binds a seat's own dice; one for a territory needs the territory (A-70)."""
    if seat >= position.seats or position.status[seat] != Seat.PLAYING:
        return Refusal.NOT_PLAYING
    if dice > Standing.MAXIMUM:
        return Refusal.STANDING_VALUE
    if t == NOWHERE:
        return Refusal.LEGAL
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    return Refusal.LEGAL if position.owner[t] == seat else Refusal.NOT_YOUR_TERRITORY


@compiled
def refuse_reveal(position: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Whether a seat may show its mission now and win by it (A-34)."""
    if seat >= position.seats or position.status[seat] != Seat.PLAYING:
        return Refusal.NOT_PLAYING
    if rules.missions_in_play == 0 or rules.victory_goal != Goal.MISSION:
        return Refusal.MISSION_NOT_SHOWN
    if rules.missions_reveal != MissionReveal.MANUAL or position.phase < Phase.REINFORCE:
        return Refusal.MISSION_NOT_SHOWN
    if rules.missions_check == MissionCheck.OWN_TURN_END:
        if position.turn != seat or position.phase == Phase.REINFORCE:
            return Refusal.WRONG_PHASE
    return Refusal.LEGAL if mission_complete(position, board, seat) else Refusal.MISSION_INCOMPLETE


@compiled
def well_formed(action: int) -> bool:
    """Whether the integer has nothing in the parts that its kind does not use."""
    kind = kind_of(action)
    a, b, c, n = a_of(action), b_of(action), c_of(action), n_of(action)
    if action < 0 or encode(kind, a, b, c, n) != action or kind > ActionKind.REVEAL:
        return False
    uses_a = kind not in (
        ActionKind.WITHDRAW,
        ActionKind.TRADE_OFFER,
        ActionKind.DEFEND,
        ActionKind.OCCUPY,
        ActionKind.END_ATTACK,
        ActionKind.DECLINE,
        ActionKind.END_TURN,
    )
    uses_b = kind in (
        ActionKind.TRADE,
        ActionKind.ATTACK,
        ActionKind.OBJECTIVE,
        ActionKind.FORTIFY,
        ActionKind.STANDING,
    )
    uses_n = kind in (
        ActionKind.PLACE,
        ActionKind.TRADE,
        ActionKind.ATTACK,
        ActionKind.DEFEND,
        ActionKind.OCCUPY,
        ActionKind.FORTIFY,
        ActionKind.STANDING,
    )
    if (not uses_a and a != 0) or (not uses_b and b != 0) or (not uses_n and n != 0):
        return False
    return c == 0 or kind == ActionKind.TRADE or (kind == ActionKind.ATTACK and c == 1)


@compiled
def out_of_turn_refusal(position: Position, rules: Rules, board: BoardTables, action: int) -> int:
    """`refusal` of the actions out of turn: standing orders, resigning, a mission shown."""
    kind = kind_of(action)
    seat = a_of(action)
    if kind == ActionKind.STANDING:
        return refuse_standing(position, board, seat, b_of(action), n_of(action))
    if position.chance != 0:
        return Refusal.CHANCE_PENDING
    if kind == ActionKind.RESIGN:
        return refuse_resign(position, seat)
    return refuse_reveal(position, rules, board, seat)


@compiled
def refusal(position: Position, rules: Rules, board: BoardTables, action: int) -> int:
    """0 where the action is legal in this position, else the `Refusal` that says why not."""
    if not well_formed(action):
        return Refusal.MALFORMED
    if position.phase == Phase.OVER:
        return Refusal.OVER
    kind = kind_of(action)
    if kind >= ActionKind.STANDING:
        return out_of_turn_refusal(position, rules, board, action)
    if position.chance != 0:
        return Refusal.CHANCE_PENDING
    code = decision_refusal(position, rules, board, kind, action)
    return pending_refusal(position) if code == Refusal.WRONG_PHASE else code


@compiled
def decision_refusal(
    position: Position, rules: Rules, board: BoardTables, kind: int, action: int
) -> int:
    """`refusal` of the decisions that the position waits for."""
    a, b, c, n = a_of(action), b_of(action), c_of(action), n_of(action)
    if kind == ActionKind.ATTACK:
        return refuse_attack(position, rules, board, a, b, n, c)
    if kind == ActionKind.OCCUPY:
        return refuse_occupy(position, n)
    if kind == ActionKind.PLACE:
        return refuse_placement(position, rules, board, a, n)
    if kind == ActionKind.FORTIFY:
        return refuse_fortify(position, rules, board, a, b, n)
    if kind == ActionKind.END_TURN:
        return Refusal.LEGAL if position.phase == Phase.FORTIFY else Refusal.WRONG_PHASE
    if kind == ActionKind.END_ATTACK:
        return attack_step_refusal(position, rules, board)
    if kind == ActionKind.TRADE:
        return refuse_trade(position, rules, board, a, b, c, n)
    if kind == ActionKind.DEFEND:
        return refuse_defend(position, rules, n)
    if kind == ActionKind.CLAIM:
        return refuse_claim(position, rules, board, a, False)
    if kind == ActionKind.CAPITAL:
        return refuse_capital(position, rules, board, a)
    if kind == ActionKind.SEAL:
        return refuse_seal(position, a)
    return revised_refusal(position, rules, board, kind, a, b)


@compiled
def revised_refusal(
    position: Position, rules: Rules, board: BoardTables, kind: int, a: int, b: int
) -> int:
    """`refusal` of trades in stars, objectives and declining."""
    if kind == ActionKind.OFFER:
        return refuse_offer(position, rules, board, a)
    if kind == ActionKind.WITHDRAW:
        return refuse_withdraw(position, rules, board)
    if kind == ActionKind.TRADE_OFFER:
        return refuse_trade_offer(position, rules, board)
    if kind == ActionKind.DECLINE:
        return refuse_decline(position, rules)
    if position.phase != Phase.OBJECTIVE:
        return Refusal.WRONG_PHASE
    return refuse_objective(position, rules, board, a, b)


@compiled
def names_seat(kind: int) -> bool:
    """Whether an action says itself which seat takes it."""
    return kind in (ActionKind.SEAL, ActionKind.STANDING, ActionKind.RESIGN, ActionKind.REVEAL)


@compiled
def actor_of(position: Position, action: int) -> int:
    """The seat that an action belongs to; NONE where no seat could take it."""
    kind = kind_of(action)
    if names_seat(kind):
        return a_of(action)
    if position.phase == Phase.SEALED and kind == ActionKind.PLACE:
        # Any 8-bit number may be asked for; the last one of the board is nobody's on most boards.
        return position.owner[min(a_of(action), TERRITORIES - 1)]
    if position.phase == Phase.DEFEND:
        return defending_seat(position)
    return position.turn if position.first != NONE else NONE


@compiled
def refusal_to(position: Position, rules: Rules, board: BoardTables, seat: int, action: int) -> int:
    """`refusal` of a seat's own actions, so that the reason follows from what the seat sees."""
    code = refusal(position, rules, board, action)
    if code in (Refusal.MALFORMED, Refusal.OVER, Refusal.CHANCE_PENDING):
        return code
    kind, a = kind_of(action), a_of(action)
    if names_seat(kind):
        return code if a == seat else Refusal.ANOTHERS_ACTION
    if not acts(position, seat):
        return Refusal.NOT_YOUR_TURN
    # During sealed placements the reason must not depend on another seat's armies.
    elsewhere = kind == ActionKind.PLACE and a < board.territories and position.owner[a] != seat
    if position.phase == Phase.SEALED and elsewhere:
        return Refusal.NOT_YOUR_TERRITORY
    return code
