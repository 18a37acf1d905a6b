"""The one definition of legality: `refusal`."""

from rubicon.rules.choices import EliminationTrade, Goal, MissionCheck, MissionReveal
from rubicon.rules.layout import compiled
from rubicon.rules.position import NONE, Phase, Position, Seat, Standing
from rubicon.rules.procedures.attack import (
    attack_step_refusal,
    refuse_attack,
    refuse_defend,
    refuse_occupy,
)
from rubicon.rules.procedures.cards import (
    offered_stars,
    refuse_offer,
    refuse_trade,
    refuse_trade_offer,
    stars_refusal,
)
from rubicon.rules.procedures.codes import NOWHERE, Kind, a_of, b_of, c_of, encode, kind_of, n_of
from rubicon.rules.procedures.fortify import refuse_move
from rubicon.rules.procedures.holdings import acts, asked_to_defend
from rubicon.rules.procedures.missions import mission_complete
from rubicon.rules.procedures.objectives import refuse_objective
from rubicon.rules.procedures.placing import (
    refuse_claim,
    refuse_first_placement,
    refuse_headquarters,
    refuse_seal,
)
from rubicon.rules.procedures.reinforce import first_step_refusal, refuse_place
from rubicon.rules.procedures.resignation import refuse_resign
from rubicon.rules.procedures.rewards import has_reward
from rubicon.rules.refusals import Refusal
from rubicon.rules.tables import BoardTables, RewardKind, Rules


@compiled
def pending_refusal(game: Position) -> int:
    """The reason why only one kind of action fits now, or the plain "not now"."""
    if game.phase == Phase.OCCUPY:
        return Refusal.OCCUPATION_PENDING
    if game.phase == Phase.DEFEND:
        return Refusal.DEFENCE_PENDING
    if game.phase == Phase.OBJECTIVE:
        return Refusal.CLAIM_OBJECTIVE_FIRST
    return Refusal.WRONG_PHASE


@compiled
def refuse_capital(game: Position, rules: Rules, board: BoardTables, t: int) -> int:
    if game.phase == Phase.HEADQUARTERS:
        return refuse_headquarters(game, board, t)
    return refuse_claim(game, rules, board, t, True)


@compiled
def refuse_placement(game: Position, rules: Rules, board: BoardTables, t: int, armies: int) -> int:
    """Placing, in whichever phase armies wait to be placed."""
    if game.phase == Phase.PLACE:
        return refuse_first_placement(game, rules, board, t, armies)
    if game.phase == Phase.SEALED:
        return refuse_sealed_placement(game, board, t, armies)
    if game.phase in (Phase.REINFORCE, Phase.TRADE, Phase.CONTINENTS):
        return refuse_place(game, board, game.turn, t, armies)
    return Refusal.WRONG_PHASE


@compiled
def refuse_sealed_placement(game: Position, board: BoardTables, t: int, armies: int) -> int:
    """In a sealed placement the owner of the territory places, in any order of the seats."""
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    seat = game.owner[t]
    if seat >= game.seats:
        return Refusal.NOT_YOUR_TERRITORY
    if game.sealed[seat] != 0:
        return Refusal.SEALED_ALREADY
    return refuse_place(game, board, seat, t, armies)


@compiled
def refuse_withdraw(game: Position, rules: Rules, board: BoardTables) -> int:
    code = stars_refusal(game, rules)
    if code != 0:
        return code
    return Refusal.LEGAL if offered_stars(game, board) > 0 else Refusal.NOTHING_OFFERED


@compiled
def refuse_decline(game: Position, rules: Rules) -> int:
    if game.phase == Phase.OBJECTIVE:
        return Refusal.LEGAL
    if game.phase == Phase.TRADE:
        if rules.elim_trade != EliminationTrade.OPTIONAL:
            return Refusal.TRADE_FORCED
        return Refusal.ARMIES_LEFT if game.unplaced[game.turn] > 0 else Refusal.LEGAL
    return Refusal.WRONG_PHASE


@compiled
def refuse_fortify(
    game: Position, rules: Rules, board: BoardTables, source: int, target: int, armies: int
) -> int:
    """The fortification at the end, or a Starting Maneuver before the first attack."""
    if game.phase == Phase.FORTIFY:
        return refuse_move(game, rules, board, source, target, armies)
    if game.phase != Phase.REINFORCE:
        return Refusal.WRONG_PHASE
    if rules.objectives_in_play == 0:
        return Refusal.WRONG_PHASE
    if not has_reward(game, rules, game.turn, RewardKind.STARTING_MANOEUVRE):
        return Refusal.NO_STARTING_MANOEUVRE
    code = first_step_refusal(game, rules, board)
    if code != 0:
        return code
    return refuse_move(game, rules, board, source, target, armies)


@compiled
def refuse_standing(game: Position, board: BoardTables, seat: int, t: int, dice: int) -> int:
    """A standing order binds a seat's own dice; one for a territory needs the territory (A-70)."""
    if seat >= game.seats or game.status[seat] != Seat.PLAYING:
        return Refusal.NOT_PLAYING
    if dice > Standing.MAXIMUM:
        return Refusal.STANDING_VALUE
    if t == NOWHERE:
        return Refusal.LEGAL
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    return Refusal.LEGAL if game.owner[t] == seat else Refusal.NOT_YOUR_TERRITORY


@compiled
def refuse_reveal(game: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Whether a seat may show its mission now and win by it (A-34)."""
    if seat >= game.seats or game.status[seat] != Seat.PLAYING:
        return Refusal.NOT_PLAYING
    if rules.missions_in_play == 0 or rules.victory_goal != Goal.MISSION:
        return Refusal.MISSION_NOT_SHOWN
    if rules.missions_reveal != MissionReveal.MANUAL or game.phase < Phase.REINFORCE:
        return Refusal.MISSION_NOT_SHOWN
    if rules.missions_check == MissionCheck.OWN_TURN_END:
        if game.turn != seat or game.phase == Phase.REINFORCE:
            return Refusal.WRONG_PHASE
    return Refusal.LEGAL if mission_complete(game, board, seat) else Refusal.MISSION_INCOMPLETE


@compiled
def well_formed(action: int) -> bool:
    """Whether the integer has nothing in the parts that its kind does not use."""
    kind = kind_of(action)
    a, b, c, n = a_of(action), b_of(action), c_of(action), n_of(action)
    if action < 0 or encode(kind, a, b, c, n) != action or kind > Kind.REVEAL:
        return False
    uses_a = kind not in (
        Kind.WITHDRAW,
        Kind.TRADE_OFFER,
        Kind.DEFEND,
        Kind.OCCUPY,
        Kind.END_ATTACK,
        Kind.DECLINE,
        Kind.END_TURN,
    )
    uses_b = kind in (Kind.TRADE, Kind.ATTACK, Kind.OBJECTIVE, Kind.FORTIFY, Kind.STANDING)
    uses_n = kind in (
        Kind.PLACE,
        Kind.TRADE,
        Kind.ATTACK,
        Kind.DEFEND,
        Kind.OCCUPY,
        Kind.FORTIFY,
        Kind.STANDING,
    )
    if (not uses_a and a != 0) or (not uses_b and b != 0) or (not uses_n and n != 0):
        return False
    return c == 0 or kind == Kind.TRADE or (kind == Kind.ATTACK and c == 1)


@compiled
def aside_refusal(game: Position, rules: Rules, board: BoardTables, action: int) -> int:
    """The actions that answer no duty: standing orders, resignation, a mission shown."""
    kind = kind_of(action)
    seat = a_of(action)
    if kind == Kind.STANDING:
        return refuse_standing(game, board, seat, b_of(action), n_of(action))
    if game.chance != 0:
        return Refusal.CHANCE_OWED
    if kind == Kind.RESIGN:
        return refuse_resign(game, seat)
    return refuse_reveal(game, rules, board, seat)


@compiled
def refusal(game: Position, rules: Rules, board: BoardTables, action: int) -> int:
    """0 where the action is legal in this position, else the `Refusal` that says why not."""
    if not well_formed(action):
        return Refusal.MALFORMED
    if game.phase == Phase.OVER:
        return Refusal.OVER
    kind = kind_of(action)
    if kind >= Kind.STANDING:
        return aside_refusal(game, rules, board, action)
    if game.chance != 0:
        return Refusal.CHANCE_OWED
    code = decision_refusal(game, rules, board, kind, action)
    return pending_refusal(game) if code == Refusal.WRONG_PHASE else code


@compiled
def decision_refusal(
    game: Position, rules: Rules, board: BoardTables, kind: int, action: int
) -> int:
    """`refusal` of the decisions that the position waits for."""
    a, b, c, n = a_of(action), b_of(action), c_of(action), n_of(action)
    if kind == Kind.ATTACK:
        return refuse_attack(game, rules, board, a, b, n, c)
    if kind == Kind.OCCUPY:
        return refuse_occupy(game, n)
    if kind == Kind.PLACE:
        return refuse_placement(game, rules, board, a, n)
    if kind == Kind.FORTIFY:
        return refuse_fortify(game, rules, board, a, b, n)
    if kind == Kind.END_TURN:
        return Refusal.LEGAL if game.phase == Phase.FORTIFY else Refusal.WRONG_PHASE
    if kind == Kind.END_ATTACK:
        return attack_step_refusal(game, rules, board)
    if kind == Kind.TRADE:
        return refuse_trade(game, rules, board, a, b, c, n)
    if kind == Kind.DEFEND:
        return refuse_defend(game, rules, n)
    if kind == Kind.CLAIM:
        return refuse_claim(game, rules, board, a, False)
    if kind == Kind.CAPITAL:
        return refuse_capital(game, rules, board, a)
    if kind == Kind.SEAL:
        return refuse_seal(game, a)
    return revised_refusal(game, rules, board, kind, a, b)


@compiled
def revised_refusal(
    game: Position, rules: Rules, board: BoardTables, kind: int, a: int, b: int
) -> int:
    """`refusal` of trades in stars, objectives and declining."""
    if kind == Kind.OFFER:
        return refuse_offer(game, rules, board, a)
    if kind == Kind.WITHDRAW:
        return refuse_withdraw(game, rules, board)
    if kind == Kind.TRADE_OFFER:
        return refuse_trade_offer(game, rules, board)
    if kind == Kind.DECLINE:
        return refuse_decline(game, rules)
    if game.phase != Phase.OBJECTIVE:
        return Refusal.WRONG_PHASE
    return refuse_objective(game, rules, board, a, b)


@compiled
def names_seat(kind: int) -> bool:
    """Whether an action says itself which seat takes it."""
    return kind in (Kind.SEAL, Kind.STANDING, Kind.RESIGN, Kind.REVEAL)


@compiled
def actor_of(game: Position, action: int) -> int:
    """The seat that an action belongs to; NONE where no seat could take it."""
    kind = kind_of(action)
    if names_seat(kind):
        return a_of(action)
    if game.phase == Phase.SEALED and kind == Kind.PLACE:
        return game.owner[min(a_of(action), 127)]
    if game.phase == Phase.DEFEND:
        return asked_to_defend(game)
    return game.turn if game.first != NONE else NONE


@compiled
def refusal_to(game: Position, rules: Rules, board: BoardTables, seat: int, action: int) -> int:
    """`refusal` as a seat may hear it: of its own actions, and by nothing but what it sees."""
    code = refusal(game, rules, board, action)
    if code in (Refusal.MALFORMED, Refusal.OVER, Refusal.CHANCE_OWED):
        return code
    kind, a = kind_of(action), a_of(action)
    if names_seat(kind):
        return code if a == seat else Refusal.ANOTHERS_ACTION
    if not acts(game, seat):
        return Refusal.NOT_YOUR_TURN
    elsewhere = kind == Kind.PLACE and a < board.territories and game.owner[a] != seat
    if game.phase == Phase.SEALED and elsewhere:
        return Refusal.NOT_YOUR_TERRITORY
    return code
