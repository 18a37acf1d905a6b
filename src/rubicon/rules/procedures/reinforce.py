"""The start of a turn: the award, and placing armies (rulebook 3.2)."""

from rubicon.rules.choices import ContinentTiming, MinimumScope, Rounding, SetValues
from rubicon.rules.layout import compiled
from rubicon.rules.position import NONE, Phase, Position, Seat
from rubicon.rules.procedures.cards import offered_stars, trade_forced
from rubicon.rules.procedures.holdings import add_armies, continent_award
from rubicon.rules.procedures.rewards import has_reward, wake_rewards
from rubicon.rules.refusals import Refusal
from rubicon.rules.tables import BoardTables, RewardKind, Rules

TWO_TROOPS = 2


@compiled
def cities_held(game: Position, board: BoardTables, seat: int) -> int:
    count = 0
    for t in range(board.territories):
        count += int(game.city[t] != 0) & int(game.owner[t] == seat)
    return count


@compiled
def capital_counts(game: Position, rules: Rules, of: int) -> bool:
    """Whether the capital of a seat is on the board and still means something (A-46)."""
    if game.capital[of] == NONE:
        return False
    return rules.capital_dead_counts != 0 or game.status[of] == Seat.PLAYING


@compiled
def capitals_held(game: Position, rules: Rules, seat: int) -> int:
    """Capital markers on the seat's territories, its own included (S001-35)."""
    count = 0
    for other in range(game.seats):
        if capital_counts(game, rules, other):
            count += int(game.owner[game.capital[other]] == seat)
    return count


@compiled
def territory_award(game: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Territories and cities by three, with the minimum where it belongs (S001-32 to S001-34)."""
    counted = game.territories[seat]
    if rules.setup_cities > 0:
        counted += cities_held(game, board, seat)
    if rules.revised_rounding == Rounding.UP:
        counted += 2
    base = counted // 3
    if rules.reinforce_min_scope == MinimumScope.TERRITORY_PART:
        return max(base, rules.reinforce_min)
    return base


@compiled
def continents_due(game: Position, rules: Rules, board: BoardTables, seat: int) -> int:
    """Continental armies of this award, by the timing in force (A-06)."""
    if rules.continent_timing == ContinentTiming.TURN_START:
        return continent_award(game, board, seat)
    if rules.continent_timing == ContinentTiming.SNAPSHOT_END_OF_OWN_TURN:
        return game.snapshot[seat]
    return 0


@compiled
def award(game: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """Fix the armies of the turn, item by item, and hand them over (rulebook 5.4, S002-14)."""
    game.award_territories = territory_award(game, rules, board, seat)
    game.award_continents = continents_due(game, rules, board, seat)
    game.award_capitals = 0
    game.award_rewards = 0
    if rules.setup_capitals != 0:
        game.award_capitals = capitals_held(game, rules, seat)
    if rules.objectives_in_play != 0:
        if has_reward(game, rules, seat, RewardKind.TWO_TROOPS):
            game.award_rewards = TWO_TROOPS
    total = game.award_territories + game.award_continents
    total += game.award_capitals + game.award_rewards
    if rules.reinforce_min_scope == MinimumScope.TURN_TOTAL and total < rules.reinforce_min:
        game.award_territories += rules.reinforce_min - total
        total = rules.reinforce_min
    game.unplaced[seat] = total


@compiled
def begin_turn(game: Position, rules: Rules, board: BoardTables, seat: int) -> None:
    """The seat's turn starts: nothing captured yet, the award received."""
    game.turn = seat
    game.phase = Phase.REINFORCE
    for t in range(board.territories):
        game.captured[t] = 0
    game.hand_at_start = game.hand[seat]
    game.sets_this_turn = 0
    game.bonus_taken = 0
    game.conquered = 0
    game.conquered_from_player = 0
    game.claimed = 0
    game.draws_owed = 0
    if rules.objectives_in_play != 0:
        wake_rewards(game, seat)
    award(game, rules, board, seat)


@compiled
def refuse_place(game: Position, board: BoardTables, seat: int, t: int, armies: int) -> int:
    """Whether received armies may be put there (S001-42)."""
    if t >= board.territories:
        return Refusal.UNKNOWN_TERRITORY
    if game.owner[t] != seat:
        return Refusal.NOT_YOUR_TERRITORY
    if armies < 1:
        return Refusal.ZERO
    return Refusal.PLACE_TOO_MANY if armies > game.unplaced[seat] else Refusal.LEGAL


@compiled
def place(game: Position, rules: Rules, t: int, armies: int) -> None:
    add_armies(game, rules, t, armies)
    game.unplaced[game.owner[t]] -= armies


@compiled
def first_step_refusal(game: Position, rules: Rules, board: BoardTables) -> int:
    """What keeps the first step of the turn from ending (A-84)."""
    if game.unplaced[game.turn] > 0:
        return Refusal.ARMIES_LEFT
    if trade_forced(game, rules, board):
        return Refusal.TRADE_FORCED
    if rules.cards_values == SetValues.STARS and offered_stars(game, board) > 0:
        return Refusal.OFFER_OPEN
    return Refusal.LEGAL
