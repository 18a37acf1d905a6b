"""Attack, defence, capture and occupation (rulebook 3.4)."""

from rubicon.rules.choices import (
    Announce,
    AttackDefault,
    AttackDiceCap,
    DefendDefault,
    DefendDiceCap,
    EliminationTrade,
    NeutralDice,
    OccupyMinimum,
)
from rubicon.rules.layout import compiled, inlined
from rubicon.rules.outcomes import DEFENCE_BITS, DEFENCE_MASK
from rubicon.rules.position import (
    NEUTRAL,
    NONE,
    REWARDS,
    SEATS,
    Chance,
    Phase,
    Position,
    Seat,
    Standing,
)
from rubicon.rules.procedures.cards import FORCING_WON_HAND, holds_set, trade_forced
from rubicon.rules.procedures.dice import battle_losses
from rubicon.rules.procedures.holdings import (
    change_owner,
    next_playing,
    owe,
    owe_nothing,
)
from rubicon.rules.procedures.leftovers import clear_attack, forget_order, move_in
from rubicon.rules.procedures.missions import put_away
from rubicon.rules.procedures.objectives import pass_objectives
from rubicon.rules.procedures.reinforce import first_step_refusal
from rubicon.rules.procedures.rewards import (
    airfield_captured,
    airfield_reaches,
    lose_rewards,
)
from rubicon.rules.procedures.victory import mission_test, win_test
from rubicon.rules.refusals import Refusal
from rubicon.rules.tables import BoardTables, RewardKind, Rules

MOST_ATTACK_DICE = 3
MOST_DEFENCE_DICE = 2
TWO, MAXIMUM = int(Standing.TWO), int(Standing.MAXIMUM)


@inlined
def most_attack_dice(game: Position, rules: Rules, source: int) -> int:
    """The dice that the armies on a territory allow; 0 where it cannot attack (A-16)."""
    armies = game.armies[source]
    if armies < 2:
        return 0
    if rules.attack_dice_cap == AttackDiceCap.ARMIES_MINUS_1:
        armies -= 1
    return min(armies, MOST_ATTACK_DICE)


@inlined
def most_defence_dice(game: Position, rules: Rules, target: int) -> int:
    """The dice that the armies under attack allow (A-17, A-28)."""
    if game.owner[target] == NEUTRAL:
        if rules.neutral_dice == NeutralDice.ALWAYS_TWO:
            return MOST_DEFENCE_DICE
    elif rules.defend_dice_cap == DefendDiceCap.TWO_ALWAYS:
        return MOST_DEFENCE_DICE
    return min(game.armies[target], MOST_DEFENCE_DICE)


@inlined
def standing_for(game: Position, rules: Rules, target: int) -> int:
    """The order that defends a territory unasked; Standing.NONE where the defender is asked."""
    owner = game.owner[target]
    if owner == NEUTRAL:
        if rules.neutral_dice == NeutralDice.OPPONENT_CHOOSES:
            return game.standing_all[next_playing(game, game.turn)]
        return MAXIMUM
    order = game.standing[target]
    if order == Standing.NONE:
        order = game.standing_all[owner]
    if order == Standing.NONE and rules.defend_default == DefendDefault.TWO:
        return TWO
    if order == Standing.NONE and rules.defend_default == DefendDefault.MAX_LEGAL:
        return MAXIMUM
    return order


@compiled
def attack_step_refusal(game: Position, rules: Rules, board: BoardTables) -> int:
    """Whether the acting seat may attack, or stop attacking, at this moment (A-84)."""
    if game.phase == Phase.ATTACK:
        return Refusal.LEGAL
    if game.phase == Phase.REINFORCE:
        return first_step_refusal(game, rules, board)
    if game.phase == Phase.TRADE:
        if trade_forced(game, rules, board):
            return Refusal.TRADE_FORCED
        return Refusal.ARMIES_LEFT if game.unplaced[game.turn] > 0 else Refusal.WRONG_PHASE
    return Refusal.WRONG_PHASE


@compiled
def refuse_attack(
    game: Position,
    rules: Rules,
    board: BoardTables,
    source: int,
    target: int,
    dice: int,
    again: int,
) -> int:
    """Whether the acting seat may roll against `target` from `source` (S002-36 to S002-41)."""
    code = attack_step_refusal(game, rules, board)
    if code != 0:
        return code
    if source >= board.territories or target >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    if game.owner[source] != game.turn:
        return Refusal.NOT_YOUR_TERRITORY
    if game.owner[target] == game.turn:
        return Refusal.OWN_TERRITORY
    if board.adjacent[source, target] == 0:
        return Refusal.NOT_ADJACENT
    if game.armies[source] < 2:
        return Refusal.TOO_FEW_ARMIES
    if dice > most_attack_dice(game, rules, source):
        return Refusal.TOO_MANY_DICE
    if dice == 0 and rules.attack_default == AttackDefault.MUST_STATE:
        return Refusal.DICE_UNSTATED
    if again != 0 and (game.order_source != source or game.order_target != target):
        return Refusal.ORDER_OVER
    return Refusal.LEGAL


@compiled
def bonus_dice(game: Position, rules: Rules, board: BoardTables, source: int, target: int) -> None:
    """What rewards add to both sides' dice (RW1, RW5, RW6)."""
    attacker, defender = game.turn, game.owner[target]
    for token in range(REWARDS):
        owner = game.reward[token]
        if owner >= SEATS:  # neutral armies own no rewards, though their number is a place
            continue
        if owner == attacker and game.reward_from[token] == 0:
            game.attack_extra |= int(rules.reward_kind[token] == RewardKind.ATTACK_DIE)
            game.attack_plus |= airfield_reaches(game, rules, board, token, source)
        elif owner == defender and game.reward_from[token] == 0:
            game.defence_extra |= int(rules.reward_kind[token] == RewardKind.DEFENCE_DIE)
            game.defence_plus |= airfield_reaches(game, rules, board, token, target)


@inlined
def attack(
    game: Position,
    rules: Rules,
    board: BoardTables,
    source: int,
    target: int,
    dice: int,
    again: int,
) -> None:
    """Announce one roll; the defender is asked, or has ordered beforehand (A-29)."""
    if dice == 0:
        dice = most_attack_dice(game, rules, source)
    game.attack_source = source
    game.attack_target = target
    game.attack_dice = dice
    if rules.objectives_in_play != 0:
        bonus_dice(game, rules, board, source, target)
    standing = standing_for(game, rules, target)
    if rules.dice_announce == Announce.STANDING_ORDER:
        if again != 0:
            standing = game.order_standing
        game.order_source = source
        game.order_target = target
        game.order_standing = standing
    if standing == Standing.NONE:
        game.phase = Phase.DEFEND
    else:
        defend_by_order(game, rules, target, standing)


@inlined
def defend_by_order(game: Position, rules: Rules, target: int, standing: int) -> None:
    """Defend with the dice that a standing order means now."""
    dice = most_defence_dice(game, rules, target)
    if standing == Standing.ONE:
        dice = 1
    defend(game, dice)


@compiled
def refuse_defend(game: Position, rules: Rules, dice: int) -> int:
    if game.phase != Phase.DEFEND:
        return Refusal.WRONG_PHASE
    if 1 <= dice <= most_defence_dice(game, rules, game.attack_target):
        return Refusal.LEGAL
    return Refusal.DEFENCE_DICE


@inlined
def defend(game: Position, dice: int) -> None:
    """Both numbers of dice are known: the roll is owed."""
    game.phase = Phase.ATTACK
    game.defence_dice = dice
    owe(game, Chance.BATTLE, 0)


@inlined
def settle_battle(game: Position, rules: Rules, board: BoardTables, outcome: int) -> None:
    """Compare the dice, take the losses off, capture what is left empty (S000-02 to S000-09)."""
    source, target = game.attack_source, game.attack_target
    lost, won = battle_losses(
        rules,
        game.armies[source],
        game.armies[target],
        game.attack_dice,
        game.defence_dice,
        game.attack_extra,
        game.defence_extra,
        game.attack_plus,
        game.defence_plus,
        outcome >> DEFENCE_BITS,
        outcome & DEFENCE_MASK,
    )
    owe_nothing(game)
    game.armies[source] -= lost
    game.armies[target] -= won
    if game.armies[target] == 0:
        capture(game, rules, board, source, target)
    else:
        clear_attack(game)


@compiled
def capture(game: Position, rules: Rules, board: BoardTables, source: int, target: int) -> None:
    """The territory changes hands; then the win test; then the occupation is owed (A-89)."""
    seat, before = game.turn, game.owner[target]
    change_owner(game, target, seat)
    forget_order(game)
    game.captured[target] = 1
    game.conquered = 1
    if before != NEUTRAL:
        game.conquered_from_player = 1
        if game.territories[before] == 0:
            eliminate(game, rules, board, before)
    if rules.objectives_in_play != 0:
        airfield_captured(game, rules, target, seat)
    game.occupy_minimum = 1
    if rules.occupy_min == OccupyMinimum.LAST_DICE:
        game.occupy_minimum = min(game.attack_dice, game.armies[source] - 1)
    game.phase = Phase.OCCUPY
    win_test(game, rules, board, seat)


@compiled
def eliminate(game: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """A seat has lost its last army (S000-20)."""
    game.status[seat] = Seat.ELIMINATED
    game.eliminated = seat
    game.standing_all[seat] = Standing.NONE
    put_away(game, rules, board, seat, game.turn)


@compiled
def refuse_occupy(game: Position, armies: int) -> int:
    """Whether so many armies may move in (S000-11, S000-13)."""
    if game.phase != Phase.OCCUPY:
        return Refusal.WRONG_PHASE
    if armies < game.occupy_minimum:
        return Refusal.OCCUPY_TOO_FEW
    if armies >= game.armies[game.attack_source]:
        return Refusal.OCCUPY_TOO_MANY
    return Refusal.LEGAL


@compiled
def occupy(game: Position, rules: Rules, board: BoardTables, armies: int) -> None:
    """Move in; then take an eliminated seat's cards and trade where that is forced (A-22d)."""
    move_in(game, rules, armies)
    game.phase = Phase.ATTACK
    if game.eliminated != NONE:
        take_spoils(game, rules, board)
    mission_test(game, rules, board, game.turn)


@compiled
def take_spoils(game: Position, rules: Rules, board: BoardTables) -> None:
    """What an elimination brings the victor, and the trade that may follow (S000-21)."""
    victor = game.turn
    cards_won = game.hand[game.eliminated] > 0
    pass_spoils(game, rules, board)
    if rules.objectives_in_play != 0 and win_test(game, rules, board, victor):
        return
    if cards_won and spoils_traded(game, rules, board, victor):
        game.phase = Phase.TRADE


@compiled
def pass_spoils(game: Position, rules: Rules, board: BoardTables) -> None:
    """Cards and objectives go to the victor, rewards are lost (S000-20, S001-60, S001-61)."""
    victor, victim = game.turn, game.eliminated
    game.eliminated = NONE
    for card in range(board.cards):
        if game.card[card] == victim:
            game.card[card] = victor
    game.hand[victor] += game.hand[victim]
    game.hand[victim] = 0
    if rules.objectives_in_play != 0:
        pass_objectives(game, victim, victor)
        lose_rewards(game, victim)


@compiled
def spoils_traded(game: Position, rules: Rules, board: BoardTables, victor: int) -> bool:
    """Whether cards won by an elimination are to be traded at once (A-22, S000-21)."""
    if rules.elim_trade == EliminationTrade.BK93:
        enough = game.hand[victor] >= FORCING_WON_HAND
    else:
        enough = rules.elim_trade == EliminationTrade.OPTIONAL
    return enough and holds_set(game, rules, board, victor)


@compiled
def go_on_trading(game: Position, rules: Rules, board: BoardTables) -> None:
    """Back to the attack when nothing is left to trade or to place (A-22b, A-22c)."""
    if game.phase != Phase.TRADE or game.unplaced[game.turn] > 0:
        return
    if rules.elim_trade == EliminationTrade.OPTIONAL:
        if not holds_set(game, rules, board, game.turn):
            game.phase = Phase.ATTACK
    elif not trade_forced(game, rules, board):
        game.phase = Phase.ATTACK
