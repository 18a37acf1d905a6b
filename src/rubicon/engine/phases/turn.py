"""How a turn goes on and ends: the order of its phases (S001-31, S002-09)."""

from rubicon.engine.ownership import continent_award, next_playing
from rubicon.engine.phases.cards import card_earned, wait_for_draws
from rubicon.engine.phases.cleanup import clear_turn, forget_order
from rubicon.engine.phases.fortify import can_fortify
from rubicon.engine.phases.objectives import can_claim
from rubicon.engine.phases.reinforce import begin_turn
from rubicon.engine.phases.victory import round_limit_reached, turn_end_test
from rubicon.engine.records.choices import ContinentTiming, DrawTime
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import Phase, Position
from rubicon.engine.records.tables import BoardTables, RewardKind, Rules
from rubicon.engine.rewards import has_reward


@compiled
def pass_turn(position: Position, rules: Rules, board: BoardTables) -> None:
    """The next seat to the left begins; passing the first seat's place begins a round."""
    # Places count from the first seat. A place that is not behind the last one begins a round,
    # also where the first seat itself has left the game.
    place = (position.turn - position.first) % position.seats
    seat = next_playing(position, position.turn)
    if (seat - position.first) % position.seats <= place:
        position.round_number += 1
        if 0 < rules.game_round_limit < position.round_number:
            round_limit_reached(position, rules, board)
            return
    begin_turn(position, rules, board, seat)


@compiled
def close_turn(position: Position, rules: Rules, board: BoardTables) -> None:
    """After the last card: continental armies where they are due now, then the next seat."""
    seat = position.turn
    clear_turn(position)
    if rules.continent_timing == ContinentTiming.SNAPSHOT_END_OF_OWN_TURN:
        position.snapshot[seat] = continent_award(position, board, seat)
    elif rules.continent_timing == ContinentTiming.PLACED_END_OF_OWN_TURN:
        position.award_continents = continent_award(position, board, seat)
        position.unplaced[seat] = position.award_continents
        if position.award_continents > 0:
            position.phase = Phase.CONTINENTS
            return
    pass_turn(position, rules, board)


@compiled
def end_turn(position: Position, rules: Rules, board: BoardTables) -> None:
    """The turn is over: the win test of revised games, then the card where it is due now."""
    if turn_end_test(position, rules, board, position.turn):
        return
    if rules.cards_draw_time == DrawTime.END_OF_TURN:
        count_draws(position, rules)
        if wait_for_draws(position, rules, board):
            return
    close_turn(position, rules, board)


@compiled
def count_draws(position: Position, rules: Rules) -> None:
    """How many cards this turn has earned (S000-17, S001-67, S001-68, A-51)."""
    position.draws_due = int(card_earned(position, rules))
    if rules.objectives_in_play != 0:
        if has_reward(position, rules, position.turn, RewardKind.GUARANTEED_CARD):
            position.draws_due += 1
            if rules.guaranteed_max_one != 0:
                position.draws_due = 1


@compiled
def enter_fortify(position: Position, rules: Rules, board: BoardTables) -> None:
    """The fortification, or the end of the turn where there is none to choose (A-92)."""
    position.phase = Phase.FORTIFY
    position.moves_left = rules.fortify_count
    if rules.objectives_in_play != 0:
        if has_reward(position, rules, position.turn, RewardKind.ADDITIONAL_MANOEUVRE):
            position.moves_left += 1
    go_on_fortifying(position, rules, board)


@compiled
def go_on_fortifying(position: Position, rules: Rules, board: BoardTables) -> None:
    if position.moves_left == 0 or not can_fortify(position, rules, board):
        end_turn(position, rules, board)


@compiled
def enter_objectives(position: Position, rules: Rules, board: BoardTables) -> None:
    """The claim of an objective, where one is met (S001-49, A-92)."""
    if rules.objectives_in_play != 0 and can_claim(position, rules, board):
        position.phase = Phase.OBJECTIVE
    else:
        enter_fortify(position, rules, board)


@compiled
def end_attack(position: Position, rules: Rules, board: BoardTables) -> None:
    """No attack any more: the card where it is due now, then the rest of the turn (S000-16)."""
    forget_order(position)
    if rules.cards_draw_time == DrawTime.END_OF_ATTACK:
        count_draws(position, rules)
        position.phase = Phase.ATTACK
        if wait_for_draws(position, rules, board):
            return
    enter_objectives(position, rules, board)


@compiled
def after_draw(position: Position, rules: Rules, board: BoardTables) -> None:
    """Go on after a card was drawn, at the end of the attacks or of the turn."""
    if wait_for_draws(position, rules, board):
        return
    if position.phase == Phase.ATTACK:
        enter_objectives(position, rules, board)
    else:
        close_turn(position, rules, board)
