"""The attack phase: rolls, captures, occupations and spoils."""

from rubicon.engine import codes, ownership, records, victory
from rubicon.engine.cards import FORCING_WON_HAND, holds_set, trade_forced
from rubicon.engine.chance import battle_losses
from rubicon.engine.records import BoardTables, Position, Rules, compiled, inlined
from rubicon.engine.turn import first_step_refusal, pass_objectives

MOST_ATTACK_DICE = 3
MOST_DEFENCE_DICE = 2
TWO, MAXIMUM = int(records.Standing.TWO), int(records.Standing.MAXIMUM)


@inlined
def most_attack_dice(position: Position, rules: Rules, source: int) -> int:
    """The dice that the armies on a territory allow; 0 where it cannot attack (A-16)."""
    armies = position.armies[source]
    if armies < 2:
        return 0
    if rules.attack_dice_cap == codes.AttackDiceCap.ARMIES_MINUS_1:
        armies -= 1
    return min(armies, MOST_ATTACK_DICE)


@inlined
def most_defence_dice(position: Position, rules: Rules, target: int) -> int:
    """The dice that the armies under attack allow (A-17, A-28)."""
    if position.owner[target] == records.NEUTRAL:
        if rules.neutral_dice == codes.NeutralDice.ALWAYS_TWO:
            return MOST_DEFENCE_DICE
    elif rules.defend_dice_cap == codes.DefendDiceCap.TWO_ALWAYS:
        return MOST_DEFENCE_DICE
    return min(position.armies[target], MOST_DEFENCE_DICE)


@inlined
def standing_for(position: Position, rules: Rules, target: int) -> int:
    """The order that chooses the defence dice; Standing.NONE where the defender must choose."""
    owner = position.owner[target]
    if owner == records.NEUTRAL:
        if rules.neutral_dice == codes.NeutralDice.OPPONENT_CHOOSES:
            return position.standing_all[ownership.next_playing(position, position.turn)]
        return MAXIMUM
    # An order for the territory comes before one for all, and both before the default.
    order = position.standing[target]
    if order == records.Standing.NONE:
        order = position.standing_all[owner]
    if order == records.Standing.NONE and rules.defend_default == codes.DefendDefault.TWO:
        return TWO
    if order == records.Standing.NONE and rules.defend_default == codes.DefendDefault.MAX_LEGAL:
        return MAXIMUM
    return order


@compiled
def attack_step_refusal(position: Position, rules: Rules, board: BoardTables) -> int:
    """Whether the acting seat may attack, or stop attacking, at this moment (A-84)."""
    if position.phase == records.Phase.ATTACK:
        return codes.Refusal.LEGAL
    if position.phase == records.Phase.REINFORCE:
        return first_step_refusal(position, rules, board)
    if position.phase == records.Phase.TRADE:
        if trade_forced(position, rules, board):
            return codes.Refusal.TRADE_FORCED
        return (
            codes.Refusal.ARMIES_LEFT
            if position.unplaced[position.turn] > 0
            else codes.Refusal.WRONG_PHASE
        )
    return codes.Refusal.WRONG_PHASE


@inlined
def in_truce(position: Position, rules: Rules) -> bool:
    """Whether players may not attack one another in this round (rounds count from 1)."""
    return rules.attack_truce > 0 and position.round_number <= rules.attack_truce


@inlined
def target_refusal(position: Position, rules: Rules, target: int) -> int:
    """Why the acting seat may not attack a territory from anywhere; 0 where it may.

    Legality, the list of legal attacks and the bots all ask here.
    """
    if position.owner[target] == position.turn:
        return codes.Refusal.OWN_TERRITORY
    # Neutral armies and rebels have signed no truce.
    if in_truce(position, rules) and position.owner[target] != records.NEUTRAL:
        return codes.Refusal.TRUCE
    return codes.Refusal.LEGAL


@compiled
def refuse_attack(
    position: Position,
    rules: Rules,
    board: BoardTables,
    source: int,
    target: int,
    dice: int,
    again: int,
) -> int:
    """Whether the acting seat may roll against `target` from `source` (S002-36 to S002-41)."""
    code = attack_step_refusal(position, rules, board)
    if code != 0:
        return code
    if source >= board.territories or target >= board.territories:
        return codes.Refusal.UNKNOWN_TERRITORY
    if position.owner[source] != position.turn:
        return codes.Refusal.NOT_YOUR_TERRITORY
    code = target_refusal(position, rules, target)
    if code != 0:
        return code
    if board.adjacent[source, target] == 0:
        return codes.Refusal.NOT_ADJACENT
    if position.armies[source] < 2:
        return codes.Refusal.TOO_FEW_ARMIES
    if dice > most_attack_dice(position, rules, source):
        return codes.Refusal.TOO_MANY_DICE
    if dice == 0 and rules.attack_default == codes.AttackDefault.MUST_STATE:
        return codes.Refusal.DICE_UNSTATED
    if again != 0 and (position.order_source != source or position.order_target != target):
        return codes.Refusal.ORDER_OVER
    return codes.Refusal.LEGAL


@compiled
def bonus_dice(
    position: Position, rules: Rules, board: BoardTables, source: int, target: int
) -> None:
    """What rewards add to both sides' dice (RW1, RW5, RW6)."""
    attacker, defender = position.turn, position.owner[target]
    for token in range(records.REWARDS):
        owner = position.reward[token]
        if owner >= records.SEATS:  # neutral armies own no rewards, though their number is a place
            continue
        if owner == attacker and position.reward_from[token] == 0:
            position.attack_extra |= int(rules.reward_kind[token] == records.RewardKind.ATTACK_DIE)
            position.attack_plus |= ownership.airfield_reaches(
                position, rules, board, token, source
            )
        elif owner == defender and position.reward_from[token] == 0:
            position.defence_extra |= int(
                rules.reward_kind[token] == records.RewardKind.DEFENCE_DIE
            )
            position.defence_plus |= ownership.airfield_reaches(
                position, rules, board, token, target
            )


@inlined
def attack(
    position: Position,
    rules: Rules,
    board: BoardTables,
    source: int,
    target: int,
    dice: int,
    again: int,
) -> None:
    """Announce one roll; the defender chooses dice, or has ordered them in advance (A-29)."""
    if dice == 0:
        dice = most_attack_dice(position, rules, source)
    position.attack_source = source
    position.attack_target = target
    position.attack_dice = dice
    if rules.objectives_in_play != 0:
        bonus_dice(position, rules, board, source, target)
    standing = standing_for(position, rules, target)
    if rules.dice_announce == codes.Announce.STANDING_ORDER:
        if again != 0:
            # The defender's dice stay those that the attack order began with.
            standing = position.order_standing
        position.order_source = source
        position.order_target = target
        position.order_standing = standing
    if standing == records.Standing.NONE:
        position.phase = records.Phase.DEFEND
    else:
        defend_by_order(position, rules, target, standing)


@inlined
def defend_by_order(position: Position, rules: Rules, target: int, standing: int) -> None:
    """Defend with the dice that a standing order means now."""
    dice = most_defence_dice(position, rules, target)
    if standing == records.Standing.ONE:
        dice = 1
    defend(position, dice)


@compiled
def refuse_defend(position: Position, rules: Rules, dice: int) -> int:
    if position.phase != records.Phase.DEFEND:
        return codes.Refusal.WRONG_PHASE
    if 1 <= dice <= most_defence_dice(position, rules, position.attack_target):
        return codes.Refusal.LEGAL
    return codes.Refusal.DEFENCE_DICE


@inlined
def defend(position: Position, dice: int) -> None:
    """Both numbers of dice are known: the roll is pending."""
    position.phase = records.Phase.ATTACK
    position.defence_dice = dice
    ownership.set_pending(position, records.Chance.BATTLE, 0)


@inlined
def settle_battle(position: Position, rules: Rules, board: BoardTables, outcome: int) -> None:
    """Compare the dice, take off the losses, capture an emptied territory (S000-02 to S000-09)."""
    source, target = position.attack_source, position.attack_target
    lost, won = battle_losses(
        rules,
        position.armies[source],
        position.armies[target],
        position.attack_dice,
        position.defence_dice,
        position.attack_extra,
        position.defence_extra,
        position.attack_plus,
        position.defence_plus,
        outcome >> codes.DEFENCE_BITS,
        outcome & codes.DEFENCE_MASK,
    )
    ownership.clear_pending(position)
    position.armies[source] -= lost
    position.armies[target] -= won
    if position.armies[target] == 0:
        capture(position, rules, board, source, target)
    else:
        victory.clear_attack(position)


@compiled
def capture(position: Position, rules: Rules, board: BoardTables, source: int, target: int) -> None:
    """The territory changes hands; then the win test; then the occupation is pending (A-89)."""
    seat, before = position.turn, position.owner[target]
    ownership.change_owner(position, target, seat)
    victory.forget_order(position)
    position.captured[target] = 1
    position.conquered = 1
    if before != records.NEUTRAL:
        position.conquered_from_player = 1
        if position.territories[before] == 0:
            eliminate(position, rules, board, before)
    if rules.objectives_in_play != 0:
        ownership.airfield_captured(position, rules, target, seat)
    position.occupy_minimum = 1
    if rules.occupy_min == codes.OccupyMinimum.LAST_DICE:
        position.occupy_minimum = min(position.attack_dice, position.armies[source] - 1)
    position.phase = records.Phase.OCCUPY
    victory.win_test(position, rules, board, seat)


@compiled
def eliminate(position: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """A seat has lost its last army (S000-20)."""
    position.status[seat] = records.Seat.ELIMINATED
    position.eliminated = seat
    position.standing_all[seat] = records.Standing.NONE
    victory.put_away(position, rules, board, seat, position.turn)


@compiled
def refuse_occupy(position: Position, armies: int) -> int:
    """Whether so many armies may move in (S000-11, S000-13)."""
    if position.phase != records.Phase.OCCUPY:
        return codes.Refusal.WRONG_PHASE
    if armies < position.occupy_minimum:
        return codes.Refusal.OCCUPY_TOO_FEW
    if armies >= position.armies[position.attack_source]:
        return codes.Refusal.OCCUPY_TOO_MANY
    return codes.Refusal.LEGAL


@compiled
def occupy(position: Position, rules: Rules, board: BoardTables, armies: int) -> None:
    """Move in; then take an eliminated seat's cards and trade where that is forced (A-22d)."""
    victory.move_in(position, rules, armies)
    position.phase = records.Phase.ATTACK
    if position.eliminated != records.NONE:
        take_spoils(position, rules, board)
    victory.mission_test(position, rules, board, position.turn)


@compiled
def take_spoils(position: Position, rules: Rules, board: BoardTables) -> None:
    """What an elimination brings the victor, and the trade that may follow (S000-21)."""
    victor = position.turn
    cards_won = position.hand[position.eliminated] > 0
    pass_spoils(position, rules, board)
    if rules.objectives_in_play != 0 and victory.win_test(position, rules, board, victor):
        return
    if cards_won and spoils_traded(position, rules, board, victor):
        position.phase = records.Phase.TRADE


@compiled
def pass_spoils(position: Position, rules: Rules, board: BoardTables) -> None:
    """Cards and objectives go to the victor, rewards are lost (S000-20, S001-60, S001-61)."""
    victor, victim = position.turn, position.eliminated
    position.eliminated = records.NONE
    for card in range(board.cards):
        if position.card[card] == victim:
            position.card[card] = victor
    position.hand[victor] += position.hand[victim]
    position.hand[victim] = 0
    if rules.objectives_in_play != 0:
        pass_objectives(position, victim, victor)
        ownership.lose_rewards(position, victim)


@compiled
def spoils_traded(position: Position, rules: Rules, board: BoardTables, victor: int) -> bool:
    """Whether cards won by an elimination are to be traded at once (A-22, S000-21)."""
    if rules.elim_trade == codes.EliminationTrade.BK93:
        enough = position.hand[victor] >= FORCING_WON_HAND
    else:
        enough = rules.elim_trade == codes.EliminationTrade.OPTIONAL
    return enough and holds_set(position, rules, board, victor)


@compiled
def go_on_trading(position: Position, rules: Rules, board: BoardTables) -> None:
    """Back to the attack when nothing is left to trade or to place (A-22b, A-22c)."""
    if position.phase != records.Phase.TRADE or position.unplaced[position.turn] > 0:
        return
    if rules.elim_trade == codes.EliminationTrade.OPTIONAL:
        if not holds_set(position, rules, board, position.turn):
            position.phase = records.Phase.ATTACK
    elif not trade_forced(position, rules, board):
        position.phase = records.Phase.ATTACK
