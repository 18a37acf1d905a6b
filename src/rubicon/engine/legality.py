"""The one definition of legality: `refusal`."""

from rubicon.engine import cards, codes, placement, records
from rubicon.engine.apply import refuse_resign
from rubicon.engine.attack import attack_step_refusal, refuse_attack, refuse_defend, refuse_occupy
from rubicon.engine.ownership import acts, defending_seat, has_reward
from rubicon.engine.records import BoardTables, Position, Rules, compiled
from rubicon.engine.turn import first_step_refusal, refuse_move, refuse_objective, refuse_place
from rubicon.engine.victory import mission_complete


@compiled
def pending_refusal(position: Position) -> int:
    """The one kind of action that is pending, as a reason; else the plain "wrong phase"."""
    if position.phase == records.Phase.OCCUPY:
        return codes.Refusal.OCCUPATION_PENDING
    if position.phase == records.Phase.DEFEND:
        return codes.Refusal.DEFENCE_PENDING
    if position.phase == records.Phase.OBJECTIVE:
        return codes.Refusal.CLAIM_OBJECTIVE_FIRST
    return codes.Refusal.WRONG_PHASE


@compiled
def refuse_capital(position: Position, rules: Rules, board: BoardTables, t: int) -> int:
    if position.phase == records.Phase.HEADQUARTERS:
        return placement.refuse_headquarters(position, board, t)
    return placement.refuse_claim(position, rules, board, t, True)


@compiled
def refuse_placement(
    position: Position, rules: Rules, board: BoardTables, t: int, armies: int
) -> int:
    """Placing, in whichever phase armies wait to be placed."""
    if position.phase == records.Phase.PLACE:
        return placement.refuse_first_placement(position, rules, board, t, armies)
    if position.phase == records.Phase.SEALED:
        return refuse_sealed_placement(position, board, t, armies)
    if position.phase in (records.Phase.REINFORCE, records.Phase.TRADE, records.Phase.CONTINENTS):
        return refuse_place(position, board, position.turn, t, armies)
    return codes.Refusal.WRONG_PHASE


@compiled
def refuse_sealed_placement(position: Position, board: BoardTables, t: int, armies: int) -> int:
    """In a sealed placement the owner of the territory places, in any order of the seats."""
    if t >= board.territories:
        return codes.Refusal.UNKNOWN_TERRITORY
    seat = position.owner[t]
    if seat >= position.seats:
        return codes.Refusal.NOT_YOUR_TERRITORY
    if position.sealed[seat] != 0:
        return codes.Refusal.SEALED_ALREADY
    return refuse_place(position, board, seat, t, armies)


@compiled
def refuse_withdraw(position: Position, rules: Rules, board: BoardTables) -> int:
    code = cards.stars_refusal(position, rules)
    if code != 0:
        return code
    return (
        codes.Refusal.LEGAL
        if cards.offered_stars(position, board) > 0
        else codes.Refusal.NOTHING_OFFERED
    )


@compiled
def refuse_decline(position: Position, rules: Rules) -> int:
    """Whether the seat may do nothing here: claim no objective, or trade no cards."""
    if position.phase == records.Phase.OBJECTIVE:
        return codes.Refusal.LEGAL
    if position.phase == records.Phase.TRADE:
        if rules.elim_trade != codes.EliminationTrade.OPTIONAL:
            return codes.Refusal.TRADE_FORCED
        return (
            codes.Refusal.ARMIES_LEFT
            if position.unplaced[position.turn] > 0
            else codes.Refusal.LEGAL
        )
    return codes.Refusal.WRONG_PHASE


@compiled
def refuse_fortify(
    position: Position, rules: Rules, board: BoardTables, source: int, target: int, armies: int
) -> int:
    """The fortification at the end, or a Starting Maneuver before the first attack."""
    if position.phase == records.Phase.FORTIFY:
        return refuse_move(position, rules, board, source, target, armies)
    if position.phase != records.Phase.REINFORCE:
        return codes.Refusal.WRONG_PHASE
    if rules.objectives_in_play == 0:
        return codes.Refusal.WRONG_PHASE
    if not has_reward(position, rules, position.turn, records.RewardKind.STARTING_MANOEUVRE):
        return codes.Refusal.NO_STARTING_MANOEUVRE
    code = first_step_refusal(position, rules, board)
    if code != 0:
        return code
    return refuse_move(position, rules, board, source, target, armies)


@compiled
def refuse_standing(position: Position, board: BoardTables, seat: int, t: int, dice: int) -> int:
    """A standing order binds a seat's own dice; one for a territory needs the territory (A-70)."""
    if seat >= position.seats or position.status[seat] != records.Seat.PLAYING:
        return codes.Refusal.NOT_PLAYING
    if dice > records.Standing.MAXIMUM:
        return codes.Refusal.STANDING_VALUE
    if t == codes.NOWHERE:
        return codes.Refusal.LEGAL
    if t >= board.territories:
        return codes.Refusal.UNKNOWN_TERRITORY
    return codes.Refusal.LEGAL if position.owner[t] == seat else codes.Refusal.NOT_YOUR_TERRITORY


@compiled
def refuse_reveal(position: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Whether a seat may show its mission now and win by it (A-34)."""
    if seat >= position.seats or position.status[seat] != records.Seat.PLAYING:
        return codes.Refusal.NOT_PLAYING
    if rules.missions_in_play == 0 or rules.victory_goal != codes.Goal.MISSION:
        return codes.Refusal.MISSION_NOT_SHOWN
    if (
        rules.missions_reveal != codes.MissionReveal.MANUAL
        or position.phase < records.Phase.REINFORCE
    ):
        return codes.Refusal.MISSION_NOT_SHOWN
    if rules.missions_check == codes.MissionCheck.OWN_TURN_END:
        if position.turn != seat or position.phase == records.Phase.REINFORCE:
            return codes.Refusal.WRONG_PHASE
    return (
        codes.Refusal.LEGAL
        if mission_complete(position, board, seat)
        else codes.Refusal.MISSION_INCOMPLETE
    )


@compiled
def well_formed(action: int) -> bool:
    """Whether the integer has nothing in the parts that its kind does not use."""
    kind = codes.kind_of(action)
    a, b, c, n = codes.a_of(action), codes.b_of(action), codes.c_of(action), codes.n_of(action)
    if action < 0 or codes.encode(kind, a, b, c, n) != action or kind > codes.ActionKind.REVEAL:
        return False
    uses_a = kind not in (
        codes.ActionKind.WITHDRAW,
        codes.ActionKind.TRADE_OFFER,
        codes.ActionKind.DEFEND,
        codes.ActionKind.OCCUPY,
        codes.ActionKind.END_ATTACK,
        codes.ActionKind.DECLINE,
        codes.ActionKind.END_TURN,
    )
    uses_b = kind in (
        codes.ActionKind.TRADE,
        codes.ActionKind.ATTACK,
        codes.ActionKind.OBJECTIVE,
        codes.ActionKind.FORTIFY,
        codes.ActionKind.STANDING,
    )
    uses_n = kind in (
        codes.ActionKind.PLACE,
        codes.ActionKind.TRADE,
        codes.ActionKind.ATTACK,
        codes.ActionKind.DEFEND,
        codes.ActionKind.OCCUPY,
        codes.ActionKind.FORTIFY,
        codes.ActionKind.STANDING,
    )
    if (not uses_a and a != 0) or (not uses_b and b != 0) or (not uses_n and n != 0):
        return False
    return c == 0 or kind == codes.ActionKind.TRADE or (kind == codes.ActionKind.ATTACK and c == 1)


@compiled
def out_of_turn_refusal(position: Position, rules: Rules, board: BoardTables, action: int) -> int:
    """`refusal` of the actions out of turn: standing orders, resigning, a mission shown."""
    kind = codes.kind_of(action)
    seat = codes.a_of(action)
    if kind == codes.ActionKind.STANDING:
        return refuse_standing(position, board, seat, codes.b_of(action), codes.n_of(action))
    if position.chance != 0:
        return codes.Refusal.CHANCE_PENDING
    if kind == codes.ActionKind.RESIGN:
        return refuse_resign(position, seat)
    return refuse_reveal(position, rules, board, seat)


@compiled
def refusal(position: Position, rules: Rules, board: BoardTables, action: int) -> int:
    """0 where the action is legal in this position, else the `Refusal` that says why not."""
    if not well_formed(action):
        return codes.Refusal.MALFORMED
    if position.phase == records.Phase.OVER:
        return codes.Refusal.OVER
    kind = codes.kind_of(action)
    if kind >= codes.ActionKind.STANDING:
        return out_of_turn_refusal(position, rules, board, action)
    if position.chance != 0:
        return codes.Refusal.CHANCE_PENDING
    code = decision_refusal(position, rules, board, kind, action)
    return pending_refusal(position) if code == codes.Refusal.WRONG_PHASE else code


@compiled
def decision_refusal(
    position: Position, rules: Rules, board: BoardTables, kind: int, action: int
) -> int:
    """`refusal` of the decisions that the position waits for."""
    a, b, c, n = codes.a_of(action), codes.b_of(action), codes.c_of(action), codes.n_of(action)
    if kind == codes.ActionKind.ATTACK:
        return refuse_attack(position, rules, board, a, b, n, c)
    if kind == codes.ActionKind.OCCUPY:
        return refuse_occupy(position, n)
    if kind == codes.ActionKind.PLACE:
        return refuse_placement(position, rules, board, a, n)
    if kind == codes.ActionKind.FORTIFY:
        return refuse_fortify(position, rules, board, a, b, n)
    if kind == codes.ActionKind.END_TURN:
        return (
            codes.Refusal.LEGAL
            if position.phase == records.Phase.FORTIFY
            else codes.Refusal.WRONG_PHASE
        )
    if kind == codes.ActionKind.END_ATTACK:
        return attack_step_refusal(position, rules, board)
    if kind == codes.ActionKind.TRADE:
        return cards.refuse_trade(position, rules, board, a, b, c, n)
    if kind == codes.ActionKind.DEFEND:
        return refuse_defend(position, rules, n)
    if kind == codes.ActionKind.CLAIM:
        return placement.refuse_claim(position, rules, board, a, False)
    if kind == codes.ActionKind.CAPITAL:
        return refuse_capital(position, rules, board, a)
    if kind == codes.ActionKind.SEAL:
        return placement.refuse_seal(position, a)
    return revised_refusal(position, rules, board, kind, a, b)


@compiled
def revised_refusal(
    position: Position, rules: Rules, board: BoardTables, kind: int, a: int, b: int
) -> int:
    """`refusal` of trades in stars, objectives and declining."""
    if kind == codes.ActionKind.OFFER:
        return cards.refuse_offer(position, rules, board, a)
    if kind == codes.ActionKind.WITHDRAW:
        return refuse_withdraw(position, rules, board)
    if kind == codes.ActionKind.TRADE_OFFER:
        return cards.refuse_trade_offer(position, rules, board)
    if kind == codes.ActionKind.DECLINE:
        return refuse_decline(position, rules)
    if position.phase != records.Phase.OBJECTIVE:
        return codes.Refusal.WRONG_PHASE
    return refuse_objective(position, rules, board, a, b)


@compiled
def names_seat(kind: int) -> bool:
    """Whether an action says itself which seat takes it."""
    return kind in (
        codes.ActionKind.SEAL,
        codes.ActionKind.STANDING,
        codes.ActionKind.RESIGN,
        codes.ActionKind.REVEAL,
    )


@compiled
def actor_of(position: Position, action: int) -> int:
    """The seat that an action belongs to; NONE where no seat could take it."""
    kind = codes.kind_of(action)
    if names_seat(kind):
        return codes.a_of(action)
    if position.phase == records.Phase.SEALED and kind == codes.ActionKind.PLACE:
        # Any 8-bit number may be asked for; the last one of the board is nobody's on most boards.
        return position.owner[min(codes.a_of(action), records.TERRITORIES - 1)]
    if position.phase == records.Phase.DEFEND:
        return defending_seat(position)
    return position.turn if position.first != records.NONE else records.NONE


@compiled
def refusal_to(position: Position, rules: Rules, board: BoardTables, seat: int, action: int) -> int:
    """`refusal` of a seat's own actions, so that the reason follows from what the seat sees."""
    code = refusal(position, rules, board, action)
    if code in (codes.Refusal.MALFORMED, codes.Refusal.OVER, codes.Refusal.CHANCE_PENDING):
        return code
    kind, a = codes.kind_of(action), codes.a_of(action)
    if names_seat(kind):
        return code if a == seat else codes.Refusal.ANOTHERS_ACTION
    if not acts(position, seat):
        return codes.Refusal.NOT_YOUR_TURN
    # During sealed placements the reason must not depend on another seat's armies.
    elsewhere = (
        kind == codes.ActionKind.PLACE and a < board.territories and position.owner[a] != seat
    )
    if position.phase == records.Phase.SEALED and elsewhere:
        return codes.Refusal.NOT_YOUR_TERRITORY
    return code
