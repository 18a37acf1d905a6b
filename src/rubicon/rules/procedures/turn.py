"""How a turn goes on and ends: the order of its phases (S001-31, S002-09)."""

from rubicon.rules.choices import ContinentTiming, DrawTime
from rubicon.rules.layout import compiled
from rubicon.rules.position import Phase, Position
from rubicon.rules.procedures.cards import card_earned, owe_draws
from rubicon.rules.procedures.fortify import can_fortify
from rubicon.rules.procedures.holdings import continent_award, next_playing
from rubicon.rules.procedures.leftovers import clear_turn, forget_order
from rubicon.rules.procedures.objectives import can_claim
from rubicon.rules.procedures.reinforce import begin_turn
from rubicon.rules.procedures.rewards import has_reward
from rubicon.rules.procedures.victory import round_limit_reached, turn_end_test
from rubicon.rules.tables import BoardTables, RewardKind, Rules


@compiled
def pass_turn(game: Position, rules: Rules, board: BoardTables) -> None:
    """The next seat to the left begins; passing the first seat's place begins a round."""
    place = (game.turn - game.first) % game.seats
    seat = next_playing(game, game.turn)
    if (seat - game.first) % game.seats <= place:
        game.round_number += 1
        if 0 < rules.game_round_limit < game.round_number:
            round_limit_reached(game, rules, board)
            return
    begin_turn(game, rules, board, seat)


@compiled
def close_turn(game: Position, rules: Rules, board: BoardTables) -> None:
    """After the last card: continental armies where they are due now, then the next seat."""
    seat = game.turn
    clear_turn(game)
    if rules.continent_timing == ContinentTiming.SNAPSHOT_END_OF_OWN_TURN:
        game.snapshot[seat] = continent_award(game, board, seat)
    elif rules.continent_timing == ContinentTiming.PLACED_END_OF_OWN_TURN:
        game.award_continents = continent_award(game, board, seat)
        game.unplaced[seat] = game.award_continents
        if game.award_continents > 0:
            game.phase = Phase.CONTINENTS
            return
    pass_turn(game, rules, board)


@compiled
def end_turn(game: Position, rules: Rules, board: BoardTables) -> None:
    """The turn is over: the win test of revised games, then the card where it is due now."""
    if turn_end_test(game, rules, board, game.turn):
        return
    if rules.cards_draw_time == DrawTime.END_OF_TURN:
        count_draws(game, rules)
        if owe_draws(game, rules, board):
            return
    close_turn(game, rules, board)


@compiled
def count_draws(game: Position, rules: Rules) -> None:
    """How many cards this turn has earned (S000-17, S001-67, S001-68, A-51)."""
    game.draws_owed = int(card_earned(game, rules))
    if rules.objectives_in_play != 0:
        if has_reward(game, rules, game.turn, RewardKind.GUARANTEED_CARD):
            game.draws_owed += 1
            if rules.guaranteed_max_one != 0:
                game.draws_owed = 1


@compiled
def enter_fortify(game: Position, rules: Rules, board: BoardTables) -> None:
    """The fortification, or the end of the turn where there is none to choose (A-92)."""
    game.phase = Phase.FORTIFY
    game.moves_left = rules.fortify_count
    if rules.objectives_in_play != 0:
        if has_reward(game, rules, game.turn, RewardKind.ADDITIONAL_MANOEUVRE):
            game.moves_left += 1
    go_on_fortifying(game, rules, board)


@compiled
def go_on_fortifying(game: Position, rules: Rules, board: BoardTables) -> None:
    if game.moves_left == 0 or not can_fortify(game, rules, board):
        end_turn(game, rules, board)


@compiled
def enter_objectives(game: Position, rules: Rules, board: BoardTables) -> None:
    """The claim of an objective, where one is met (S001-49, A-92)."""
    if rules.objectives_in_play != 0 and can_claim(game, rules, board):
        game.phase = Phase.OBJECTIVE
    else:
        enter_fortify(game, rules, board)


@compiled
def end_attack(game: Position, rules: Rules, board: BoardTables) -> None:
    """No attack any more: the card where it is due now, then the rest of the turn (S000-16)."""
    forget_order(game)
    if rules.cards_draw_time == DrawTime.END_OF_ATTACK:
        count_draws(game, rules)
        game.phase = Phase.ATTACK
        if owe_draws(game, rules, board):
            return
    enter_objectives(game, rules, board)


@compiled
def after_draw(game: Position, rules: Rules, board: BoardTables) -> None:
    """Go on behind a card that was drawn, in whichever step it was due."""
    if owe_draws(game, rules, board):
        return
    if game.phase == Phase.ATTACK:
        enter_objectives(game, rules, board)
    else:
        close_turn(game, rules, board)
