"""What a limit of rounds changes in the chances of the value model, which knows of no limit.

At the limit most territories win (A-94). So the nearer it is, the more a seat's territories count
beside what the model says, and the more the turns that it still has:

    chance ~ model ** trust * exp(weight * (share of the board + TURN * turns left))

Both `trust` and `weight` follow from the full rounds that come behind this one; the weight is less
where a set of cards brings so many armies that one turn turns the board over. The numbers were
fitted to who won 2,622 games with a limit of 6 to 30 rounds, between scripted bots: `classic`,
`secret-mission`, `capital` and `revised`, three to six seats, with an earlier value model.
`benchmarks/review.py --limit` measures what they bring.
"""

import math
from typing import Any

import numpy.typing as npt

from rubicon.engine.phases.victory import armies_of
from rubicon.engine.records.choices import LimitWinner
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import SEATS, Phase, Position, Seat
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.planner.kills import set_worth

Values = npt.NDArray[Any]
TERRITORIES = 33.0  # the weight of the whole board in the last round, in natural logarithms of odds
TURN = 0.073  # the share of the board that a turn is worth
NEARER = 0.35  # how fast the weight falls with each round to come
# How fast the weight falls with the next set's armies, in parts of a seat's mean armies.
SWINGS = 4.0
DOUBT = 0.57  # the part of the model's judgement that does not count in the last round
FADING = 0.039  # how fast the doubt falls with each round to come
LEAST = 1.0e-9  # chance: its logarithm must be finite


@compiled
def set_share(position: Position, rules: Rules, board: BoardTables) -> float:
    """The armies of the next set of cards, in parts of the mean armies of a seat that plays."""
    armies, playing = 0, 0
    for seat in range(position.seats):
        if position.status[seat] == Seat.PLAYING:
            armies += armies_of(position, board, seat)
            playing += 1
    return set_worth(position, rules, position.turn) * playing / max(1, armies)


@compiled
def heed_round_limit(position: Position, rules: Rules, board: BoardTables, chances: Values) -> None:
    """Change the model's chances at the beginning of a turn to those under the round limit.

    A game that is drawn at its limit is left to the model.
    """
    if rules.game_round_limit == 0 or rules.game_limit_winner != LimitWinner.TERRITORIES:
        return
    if position.phase == Phase.OVER:
        return
    rounds = max(0, rules.game_round_limit - position.round_number)
    weight = TERRITORIES / (1.0 + NEARER * rounds)
    weight /= 1.0 + SWINGS * set_share(position, rules, board)
    trust = 1.0 - DOUBT / (1.0 + FADING * rounds)
    at_turn = (position.turn - position.first) % position.seats
    highest = -1.0e9
    for seat in range(position.seats):
        if position.status[seat] == Seat.PLAYING:
            # Seats before the one at turn have had their turn of this round.
            comes = (seat - position.first) % position.seats >= at_turn
            held = position.territories[seat] / board.territories + TURN * int(comes)
            chances[seat] = trust * math.log(max(chances[seat], LEAST)) + weight * held
            highest = max(highest, chances[seat])
    total = 0.0
    for seat in range(position.seats):
        if position.status[seat] == Seat.PLAYING:
            chances[seat] = math.exp(chances[seat] - highest)
            total += chances[seat]
    for seat in range(SEATS):
        chances[seat] /= total
