"""Cards: sets and their value, the territory bonus, stars, and drawing (rulebook 3.3)."""

from rubicon.rules.choices import (
    BonusCap,
    CardTrigger,
    EliminationTrade,
    EmptyPile,
    ForcedTrade,
    SetCounter,
    SetValues,
)
from rubicon.rules.layout import compiled
from rubicon.rules.position import CardPlace, Chance, Phase, Position
from rubicon.rules.procedures.holdings import add_armies, owe
from rubicon.rules.refusals import Refusal
from rubicon.rules.tables import BoardTables, Design, Rules

FORCING_HAND = 5  # S002-24
FORCING_WON_HAND = 6  # S000-21
FIXED_VALUE = 5
MOST_STARS = 10
FEWEST_STARS = 2


@compiled
def set_refusal(rules: Rules, board: BoardTables, first: int, second: int, third: int) -> int:
    """Whether three cards are a set (S003-24, A-11)."""
    a, b, c = board.design[first], board.design[second], board.design[third]
    wilds = int(a == Design.WILD) + int(b == Design.WILD) + int(c == Design.WILD)
    if wilds > 1 and rules.cards_two_wilds_ok == 0:
        return Refusal.TWO_WILDS
    if wilds > 0 or (a == b and b == c) or (a != b and b != c and a != c):
        return Refusal.LEGAL
    return Refusal.NO_SET


@compiled
def holds_set(game: Position, rules: Rules, board: BoardTables, seat: int) -> bool:
    """Whether a hand contains a set, by counting designs."""
    counts = [0, 0, 0, 0]
    for card in range(board.cards):
        if game.card[card] == seat:
            counts[board.design[card]] += 1
    infantry, cavalry, artillery, wilds = counts[0], counts[1], counts[2], counts[3]
    if max(infantry, cavalry, artillery) >= 3 or min(infantry, cavalry, artillery) >= 1:
        return True
    plain = infantry + cavalry + artillery
    if wilds >= 1 and plain >= 2:
        return True
    return rules.cards_two_wilds_ok != 0 and wilds >= 2 and plain + wilds >= 3


@compiled
def set_value(rules: Rules, traded: int) -> int:
    """What the next set is worth when `traded` sets went before (S002-26, S002-27, A-68)."""
    if rules.cards_values == SetValues.PLUS_ONE:
        return 4 + traded
    if rules.cards_values == SetValues.FIXED:
        return FIXED_VALUE
    if traded < 5:
        return 4 + 2 * traded
    return 15 + 5 * (traded - 5)


@compiled
def next_set_value(game: Position, rules: Rules, seat: int) -> int:
    """What the seat's next set is worth (A-18b)."""
    if rules.cards_counter == SetCounter.PER_PLAYER:
        return set_value(rules, game.sets_by_seat[seat])
    return set_value(rules, game.sets)


@compiled
def stars_value(stars: int) -> int:
    """Troops for 2 to 10 stars: 2, 4, 7, 10, 13, 17, 21, 25, 30 (S001-38)."""
    if stars <= 3:
        return 2 * stars - 2
    if stars <= 6:
        return 3 * stars - 5
    if stars <= 9:
        return 4 * stars - 11
    return 30


@compiled
def trade_forced(game: Position, rules: Rules, board: BoardTables) -> bool:
    """Whether the acting seat must trade a set before anything else (A-12, S000-21)."""
    seat = game.turn
    if rules.cards_values == SetValues.STARS:
        return False
    if game.phase == Phase.TRADE:
        forced = rules.elim_trade == EliminationTrade.BK93 and game.hand[seat] >= FORCING_HAND
    elif rules.cards_forced == ForcedTrade.NONE:
        return False
    elif game.hand[seat] >= FORCING_HAND:
        forced = True
    else:
        second = game.sets_this_turn == 1 and game.hand_at_start >= FORCING_HAND
        forced = second and rules.cards_forced == ForcedTrade.ALL_COMPLETE_UP_TO_TWO
    return forced and holds_set(game, rules, board, seat)


@compiled
def bonus_due(game: Position, rules: Rules) -> bool:
    """Whether a set that shows an own territory still earns armies for it (A-13)."""
    if rules.cards_territory_bonus == 0:
        return False
    return rules.cards_territory_bonus_cap != BonusCap.PER_TURN_2 or game.bonus_taken == 0


@compiled
def pictured(game: Position, board: BoardTables, card: int, seat: int) -> int:
    """1 where the card shows a territory that the seat occupies."""
    return int(card < board.territories and game.owner[card] == seat)


@compiled
def pictured_count(game: Position, board: BoardTables, a: int, b: int, c: int, seat: int) -> int:
    count = pictured(game, board, a, seat) + pictured(game, board, b, seat)
    return count + pictured(game, board, c, seat)


@compiled
def bonus_choices(game: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int) -> int:
    """How many territories the trader may choose between for the bonus (A-85)."""
    if not bonus_due(game, rules) or rules.cards_territory_bonus_cap == BonusCap.PER_CARD:
        return 0
    return pictured_count(game, board, a, b, c, game.turn)


@compiled
def bonus_refusal(
    game: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int, named: int
) -> int:
    """Whether the bonus is named where it must be and only where it may (A-85, S002-29)."""
    choices = bonus_choices(game, rules, board, a, b, c)
    if named == 0:
        return Refusal.BONUS_UNNAMED if choices > 1 else Refusal.LEGAL
    if choices == 0:
        return Refusal.BONUS_NOT_DUE
    t = named - 1
    if t not in (a, b, c) or pictured(game, board, t, game.turn) == 0:
        return Refusal.BONUS_NOT_PICTURED
    return Refusal.LEGAL


@compiled
def trading_refusal(game: Position, rules: Rules, board: BoardTables) -> int:
    """Whether any set may be traded at this moment, whatever its cards."""
    if game.phase == Phase.TRADE:
        if rules.elim_trade == EliminationTrade.OPTIONAL or trade_forced(game, rules, board):
            return Refusal.LEGAL
        return Refusal.TRADE_STOPS
    if game.phase != Phase.REINFORCE:
        return Refusal.TRADE_STOPS
    limit = rules.cards_max_sets_per_start
    if limit > 0 and game.sets_this_turn >= limit and not trade_forced(game, rules, board):
        return Refusal.TRADE_LIMIT
    return Refusal.LEGAL


@compiled
def refuse_trade(
    game: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int, named: int
) -> int:
    """Whether the acting seat may trade these three cards now."""
    if rules.cards_values == SetValues.STARS:
        return Refusal.TRADE_STARS
    if not a < b < c < board.cards or named > board.territories:
        return Refusal.MALFORMED
    code = trading_refusal(game, rules, board)
    if code != 0:
        return code
    seat = game.turn
    if game.card[a] != seat or game.card[b] != seat or game.card[c] != seat:
        return Refusal.CARD_NOT_HELD
    code = set_refusal(rules, board, a, b, c)
    if code != 0:
        return code
    return bonus_refusal(game, rules, board, a, b, c, named)


@compiled
def discard(game: Position, card: int, seat: int) -> None:
    game.card[card] = CardPlace.DISCARDS
    game.discards += 1
    game.hand[seat] -= 1


@compiled
def give_bonus(game: Position, rules: Rules, board: BoardTables, card: int) -> None:
    """Two armies on the pictured territory, where the acting seat occupies it (S003-30)."""
    if pictured(game, board, card, game.turn) != 0:
        add_armies(game, rules, card, rules.cards_territory_bonus)
        game.bonus_taken = 1


@compiled
def territory_bonus(
    game: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int, named: int
) -> None:
    """The armies for pictured territories: the named one, the only one, or each (A-13)."""
    if not bonus_due(game, rules):
        return
    if named > 0:
        give_bonus(game, rules, board, named - 1)
        return
    give_bonus(game, rules, board, a)
    give_bonus(game, rules, board, b)
    give_bonus(game, rules, board, c)


@compiled
def trade(
    game: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int, named: int
) -> None:
    """Turn a set in: armies to place, and the bonus at once (S002-17, S002-28)."""
    seat = game.turn
    game.unplaced[seat] += next_set_value(game, rules, seat)
    territory_bonus(game, rules, board, a, b, c, named)
    discard(game, a, seat)
    discard(game, b, seat)
    discard(game, c, seat)
    count_trade(game, seat)


@compiled
def count_trade(game: Position, seat: int) -> None:
    game.sets += 1
    game.sets_by_seat[seat] += 1
    if game.phase == Phase.REINFORCE:
        game.sets_this_turn += 1


@compiled
def offered_stars(game: Position, board: BoardTables) -> int:
    """The stars of the cards laid down; 0 where none is."""
    stars = 0
    for card in range(board.cards):
        if game.card[card] == CardPlace.OFFERED:
            stars += board.stars[card]
    return stars


@compiled
def stars_refusal(game: Position, rules: Rules) -> int:
    """Whether the acting seat may trade stars at this moment (A-41)."""
    if rules.cards_values != SetValues.STARS:
        return Refusal.TRADE_SETS
    if game.phase != Phase.REINFORCE:
        return Refusal.TRADE_STOPS
    limit = rules.stars_trades_per_draft
    if limit > 0 and game.sets_this_turn >= limit:
        return Refusal.TRADE_LIMIT
    return Refusal.LEGAL


@compiled
def refuse_offer(game: Position, rules: Rules, board: BoardTables, card: int) -> int:
    """Whether the acting seat may lay this card down for its stars."""
    code = stars_refusal(game, rules)
    if code != 0:
        return code
    if card >= board.cards:
        return Refusal.MALFORMED
    if game.card[card] != game.turn:
        return Refusal.CARD_NOT_HELD
    if offered_stars(game, board) + board.stars[card] > MOST_STARS:
        return Refusal.TOO_MANY_STARS
    return Refusal.LEGAL


@compiled
def refuse_trade_offer(game: Position, rules: Rules, board: BoardTables) -> int:
    code = stars_refusal(game, rules)
    if code != 0:
        return code
    stars = offered_stars(game, board)
    if stars == 0:
        return Refusal.NOTHING_OFFERED
    return Refusal.TOO_FEW_STARS if stars < FEWEST_STARS else Refusal.LEGAL


@compiled
def offer(game: Position, card: int) -> None:
    game.card[card] = CardPlace.OFFERED
    game.hand[game.turn] -= 1


@compiled
def withdraw(game: Position, board: BoardTables) -> None:
    for card in range(board.cards):
        if game.card[card] == CardPlace.OFFERED:
            game.card[card] = game.turn
            game.hand[game.turn] += 1


@compiled
def trade_offer(game: Position, board: BoardTables) -> None:
    """Turn the offered cards in for the troops their stars are worth (S001-38)."""
    game.unplaced[game.turn] += stars_value(offered_stars(game, board))
    for card in range(board.cards):
        if game.card[card] == CardPlace.OFFERED:
            game.card[card] = CardPlace.DISCARDS
            game.discards += 1
    count_trade(game, game.turn)


@compiled
def reshuffle(game: Position, board: BoardTables) -> None:
    """The discards become a new pile (S001-69)."""
    for card in range(board.cards):
        if game.card[card] == CardPlace.DISCARDS:
            game.card[card] = CardPlace.PILE
    game.pile = game.discards
    game.discards = 0


@compiled
def owe_card(game: Position, rules: Rules, board: BoardTables, chance: int) -> bool:
    """Wait for a card from the pile; False where none can be drawn (A-23)."""
    if game.pile == 0 and rules.cards_empty == EmptyPile.RESHUFFLE:
        reshuffle(game, board)
    if game.pile == 0:
        return False
    owe(game, chance, game.pile)
    return True


@compiled
def draw(game: Position, board: BoardTables, number: int, seat: int) -> int:
    """The seat takes the card that chance named: the `number`-th of those face down."""
    for card in range(board.cards):
        if game.card[card] == CardPlace.PILE:
            if number == 0:
                game.card[card] = seat
                game.pile -= 1
                game.hand[seat] += 1
                return card
            number -= 1
    return -1


@compiled
def card_earned(game: Position, rules: Rules) -> bool:
    """Whether this turn's captures earn a card (A-14)."""
    if rules.cards_trigger == CardTrigger.CAPTURED_FROM_PLAYER:
        return game.conquered_from_player != 0
    if rules.cards_trigger == CardTrigger.CAPTURED_AND_NO_CLAIM:
        return game.conquered != 0 and game.claimed == 0
    return game.conquered != 0


@compiled
def owe_draws(game: Position, rules: Rules, board: BoardTables) -> bool:
    """Wait for the next card that is due this turn; False where none is."""
    if game.draws_owed == 0:
        return False
    game.draws_owed -= 1
    if owe_card(game, rules, board, Chance.CARD):
        return True
    game.draws_owed = 0
    return False
