"""Cards: sets, their values, trades, and what is drawn."""

from rubicon.engine import codes, records
from rubicon.engine.ownership import add_armies, set_pending
from rubicon.engine.records import BoardTables, Position, Rules, compiled

FORCING_HAND = 5  # S002-24
FORCING_WON_HAND = 6  # S000-21
FIXED_VALUE = 5
MOST_STARS = 10
FEWEST_STARS = 2


@compiled
def set_refusal(rules: Rules, board: BoardTables, first: int, second: int, third: int) -> int:
    """Whether three cards are a set (S003-24, A-11)."""
    a, b, c = board.design[first], board.design[second], board.design[third]
    wilds = (
        int(a == records.Design.WILD)
        + int(b == records.Design.WILD)
        + int(c == records.Design.WILD)
    )
    if wilds > 1 and rules.cards_two_wilds_ok == 0:
        return codes.Refusal.TWO_WILDS
    if wilds > 0 or (a == b and b == c) or (a != b and b != c and a != c):
        return codes.Refusal.LEGAL
    return codes.Refusal.NO_SET


@compiled
def holds_set(position: Position, rules: Rules, board: BoardTables, seat: int) -> bool:
    """Whether a hand contains a set, by counting designs."""
    # Four counters instead of all triples of cards: hands of a dozen cards occur.
    counts = [0, 0, 0, 0]
    for card in range(board.cards):
        if position.card[card] == seat:
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
    if rules.cards_values == codes.SetValues.PLUS_ONE:
        return 4 + traded
    if rules.cards_values == codes.SetValues.FIXED:
        return FIXED_VALUE
    if traded < 5:
        return 4 + 2 * traded
    return 15 + 5 * (traded - 5)


@compiled
def next_set_value(position: Position, rules: Rules, seat: int) -> int:
    """What the seat's next set is worth (A-18b)."""
    if rules.cards_counter == codes.SetCounter.PER_PLAYER:
        return set_value(rules, position.sets_by_seat[seat])
    return set_value(rules, position.sets)


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
def trade_forced(position: Position, rules: Rules, board: BoardTables) -> bool:
    """Whether the acting seat must trade a set before anything else (A-12, S000-21)."""
    seat = position.turn
    if rules.cards_values == codes.SetValues.STARS:
        return False
    if position.phase == records.Phase.TRADE:
        forced = (
            rules.elim_trade == codes.EliminationTrade.BK93 and position.hand[seat] >= FORCING_HAND
        )
    elif rules.cards_forced == codes.ForcedTrade.NONE:
        return False
    elif position.hand[seat] >= FORCING_HAND:
        forced = True
    else:
        second = position.sets_this_turn == 1 and position.hand_at_start >= FORCING_HAND
        forced = second and rules.cards_forced == codes.ForcedTrade.ALL_COMPLETE_UP_TO_TWO
    return forced and holds_set(position, rules, board, seat)


@compiled
def bonus_due(position: Position, rules: Rules) -> bool:
    """Whether a set that shows an own territory still earns armies for it (A-13)."""
    if rules.cards_territory_bonus == 0:
        return False
    return rules.cards_territory_bonus_cap != codes.BonusCap.PER_TURN_2 or position.bonus_taken == 0


@compiled
def pictured(position: Position, board: BoardTables, card: int, seat: int) -> int:
    """1 where the card shows a territory that the seat occupies."""
    return int(card < board.territories and position.owner[card] == seat)


@compiled
def pictured_count(
    position: Position, board: BoardTables, a: int, b: int, c: int, seat: int
) -> int:
    count = pictured(position, board, a, seat) + pictured(position, board, b, seat)
    return count + pictured(position, board, c, seat)


@compiled
def bonus_choices(
    position: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int
) -> int:
    """How many territories the trader may choose between for the bonus (A-85)."""
    if not bonus_due(position, rules) or rules.cards_territory_bonus_cap == codes.BonusCap.PER_CARD:
        return 0
    return pictured_count(position, board, a, b, c, position.turn)


@compiled
def bonus_refusal(
    position: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int, named: int
) -> int:
    """Whether the bonus is named where it must be and only where it may (A-85, S002-29)."""
    choices = bonus_choices(position, rules, board, a, b, c)
    if named == 0:
        return codes.Refusal.BONUS_UNNAMED if choices > 1 else codes.Refusal.LEGAL
    if choices == 0:
        return codes.Refusal.BONUS_NOT_DUE
    t = named - 1
    if t not in (a, b, c) or pictured(position, board, t, position.turn) == 0:
        return codes.Refusal.BONUS_NOT_PICTURED
    return codes.Refusal.LEGAL


@compiled
def trading_refusal(position: Position, rules: Rules, board: BoardTables) -> int:
    """Whether any set may be traded at this moment, whatever its cards."""
    if position.phase == records.Phase.TRADE:
        if rules.elim_trade == codes.EliminationTrade.OPTIONAL or trade_forced(
            position, rules, board
        ):
            return codes.Refusal.LEGAL
        return codes.Refusal.TRADE_STOPS
    if position.phase != records.Phase.REINFORCE:
        return codes.Refusal.TRADE_STOPS
    limit = rules.cards_max_sets_per_start
    if limit > 0 and position.sets_this_turn >= limit and not trade_forced(position, rules, board):
        return codes.Refusal.TRADE_LIMIT
    return codes.Refusal.LEGAL


@compiled
def refuse_trade(
    position: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int, named: int
) -> int:
    """Whether the acting seat may trade these three cards now."""
    if rules.cards_values == codes.SetValues.STARS:
        return codes.Refusal.TRADE_STARS
    if not a < b < c < board.cards or named > board.territories:
        return codes.Refusal.MALFORMED
    code = trading_refusal(position, rules, board)
    if code != 0:
        return code
    seat = position.turn
    if position.card[a] != seat or position.card[b] != seat or position.card[c] != seat:
        return codes.Refusal.CARD_NOT_HELD
    code = set_refusal(rules, board, a, b, c)
    if code != 0:
        return code
    return bonus_refusal(position, rules, board, a, b, c, named)


@compiled
def discard(position: Position, card: int, seat: int) -> None:
    position.card[card] = records.CardPlace.DISCARDS
    position.discards += 1
    position.hand[seat] -= 1


@compiled
def give_bonus(position: Position, rules: Rules, board: BoardTables, card: int) -> None:
    """Two armies on the pictured territory, where the acting seat occupies it (S003-30)."""
    if pictured(position, board, card, position.turn) != 0:
        add_armies(position, rules, card, rules.cards_territory_bonus)
        position.bonus_taken = 1


@compiled
def territory_bonus(
    position: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int, named: int
) -> None:
    """The armies for pictured territories: the named one, the only one, or each (A-13)."""
    if not bonus_due(position, rules):
        return
    if named > 0:
        give_bonus(position, rules, board, named - 1)
        return
    give_bonus(position, rules, board, a)
    give_bonus(position, rules, board, b)
    give_bonus(position, rules, board, c)


@compiled
def trade(
    position: Position, rules: Rules, board: BoardTables, a: int, b: int, c: int, named: int
) -> None:
    """Turn a set in: armies to place, and the bonus at once (S002-17, S002-28)."""
    seat = position.turn
    position.unplaced[seat] += next_set_value(position, rules, seat)
    territory_bonus(position, rules, board, a, b, c, named)
    discard(position, a, seat)
    discard(position, b, seat)
    discard(position, c, seat)
    count_trade(position, seat)


@compiled
def count_trade(position: Position, seat: int) -> None:
    position.sets += 1
    position.sets_by_seat[seat] += 1
    if position.phase == records.Phase.REINFORCE:
        position.sets_this_turn += 1


@compiled
def offered_stars(position: Position, board: BoardTables) -> int:
    """The stars of the cards laid down; 0 where none is."""
    stars = 0
    for card in range(board.cards):
        if position.card[card] == records.CardPlace.OFFERED:
            stars += board.stars[card]
    return stars


@compiled
def stars_refusal(position: Position, rules: Rules) -> int:
    """Whether the acting seat may trade stars at this moment (A-41)."""
    if rules.cards_values != codes.SetValues.STARS:
        return codes.Refusal.TRADE_SETS
    if position.phase != records.Phase.REINFORCE:
        return codes.Refusal.TRADE_STOPS
    limit = rules.stars_trades_per_draft
    if limit > 0 and position.sets_this_turn >= limit:
        return codes.Refusal.TRADE_LIMIT
    return codes.Refusal.LEGAL


@compiled
def refuse_offer(position: Position, rules: Rules, board: BoardTables, card: int) -> int:
    """Whether the acting seat may lay this card down for its stars."""
    code = stars_refusal(position, rules)
    if code != 0:
        return code
    if card >= board.cards:
        return codes.Refusal.MALFORMED
    if position.card[card] != position.turn:
        return codes.Refusal.CARD_NOT_HELD
    if offered_stars(position, board) + board.stars[card] > MOST_STARS:
        return codes.Refusal.TOO_MANY_STARS
    return codes.Refusal.LEGAL


@compiled
def refuse_trade_offer(position: Position, rules: Rules, board: BoardTables) -> int:
    code = stars_refusal(position, rules)
    if code != 0:
        return code
    stars = offered_stars(position, board)
    if stars == 0:
        return codes.Refusal.NOTHING_OFFERED
    return codes.Refusal.TOO_FEW_STARS if stars < FEWEST_STARS else codes.Refusal.LEGAL


@compiled
def offer(position: Position, card: int) -> None:
    position.card[card] = records.CardPlace.OFFERED
    position.hand[position.turn] -= 1


@compiled
def withdraw(position: Position, board: BoardTables) -> None:
    for card in range(board.cards):
        if position.card[card] == records.CardPlace.OFFERED:
            position.card[card] = position.turn
            position.hand[position.turn] += 1


@compiled
def trade_offer(position: Position, board: BoardTables) -> None:
    """Turn the offered cards in for the troops their stars are worth (S001-38)."""
    position.unplaced[position.turn] += stars_value(offered_stars(position, board))
    for card in range(board.cards):
        if position.card[card] == records.CardPlace.OFFERED:
            position.card[card] = records.CardPlace.DISCARDS
            position.discards += 1
    count_trade(position, position.turn)


@compiled
def reshuffle(position: Position, board: BoardTables) -> None:
    """The discards become a new pile (S001-69)."""
    for card in range(board.cards):
        if position.card[card] == records.CardPlace.DISCARDS:
            position.card[card] = records.CardPlace.PILE
    position.pile = position.discards
    position.discards = 0


@compiled
def wait_for_card(position: Position, rules: Rules, board: BoardTables, chance: int) -> bool:
    """Wait for a card from the pile; False where none can be drawn (A-23)."""
    if position.pile == 0 and rules.cards_empty == codes.EmptyPile.RESHUFFLE:
        reshuffle(position, board)
    if position.pile == 0:
        return False
    set_pending(position, chance, position.pile)
    return True


@compiled
def draw(position: Position, board: BoardTables, number: int, seat: int) -> int:
    """The seat takes the card that chance named: the `number`-th of those face down."""
    for card in range(board.cards):
        if position.card[card] == records.CardPlace.PILE:
            if number == 0:
                position.card[card] = seat
                position.pile -= 1
                position.hand[seat] += 1
                return card
            number -= 1
    return -1


@compiled
def card_earned(position: Position, rules: Rules) -> bool:
    """Whether this turn's captures earn a card (A-14)."""
    if rules.cards_trigger == codes.CardTrigger.CAPTURED_FROM_PLAYER:
        return position.conquered_from_player != 0
    if rules.cards_trigger == codes.CardTrigger.CAPTURED_AND_NO_CLAIM:
        return position.conquered != 0 and position.claimed == 0
    return position.conquered != 0


@compiled
def wait_for_draws(position: Position, rules: Rules, board: BoardTables) -> bool:
    """Wait for the next card that is due this turn; False where none is."""
    if position.draws_due == 0:
        return False
    position.draws_due -= 1
    if wait_for_card(position, rules, board, records.Chance.CARD):
        return True
    position.draws_due = 0
    return False
