"""Battles played by the engine itself, over every roll of the dice, in fractions."""

from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

from rubicon.engine.apply import settle
from rubicon.engine.codes import DEFENCE_BITS
from rubicon.engine.records import (
    NEUTRAL,
    NONE,
    Chance,
    ObjectivePlace,
    Phase,
    RewardKind,
    RewardPlace,
    Seat,
    Standing,
    copy_position,
    empty_position,
)
from rubicon.odds.battle import Armies
from rubicon.odds.rule import DiceRule
from rubicon.rules.actions import Attack, DefendWith
from rubicon.rules.game import Game

SOURCE = 0
Endings = dict[Armies, Fraction]


def target_of(game: Game) -> int:
    """The first neighbour of the attacking territory."""
    return int(game.tables.neighbour[SOURCE, 0])


def scene(rule: DiceRule, attack: int, defend: int) -> Game:
    """Red holds one territory and attacks its first neighbour; blue holds the rest."""
    game = Game.from_position(rule.ruleset, empty_position())
    position, count = game.position, len(game.territories)
    position.seats = 2
    position.colour[:2] = 0, 1
    position.status[:2] = Seat.PLAYING
    position.standing_all[:2] = Standing.NONE
    for field in ("capital", "mission", "airfield"):
        getattr(position, field)[:] = NONE
    for field in ("winner", "attack_source", "attack_target", "eliminated"):
        setattr(position, field, NONE)
    position.order_source = position.order_target = NONE
    position.objective[:] = ObjectivePlace.BOX
    position.reward[:] = RewardPlace.BOX
    position.phase = Phase.ATTACK
    position.owner[:count] = 1
    position.armies[:count] = 1
    position.owner[SOURCE] = 0
    position.territories[:2] = 1, count - 1
    set_armies(game, attack, defend)
    if rule.neutral:
        position.owner[target_of(game)] = NEUTRAL
        position.territories[1] -= 1
    _give_rewards(position, rule, target_of(game))
    return Game.from_position(rule.ruleset, position)


def _give_rewards(position: Any, rule: DiceRule, target: int) -> None:
    """The reward tokens of both sides."""
    kinds = [int(kind) for kind in rule.ruleset.rules.reward_kind]
    first = kinds.index(RewardKind.AIRFIELD)
    second = kinds.index(RewardKind.AIRFIELD, first + 1)
    given = {
        kinds.index(RewardKind.ATTACK_DIE): (rule.attack_die, 0, NONE),
        kinds.index(RewardKind.DEFENCE_DIE): (rule.defence_die, 1, NONE),
        first: (rule.attack_airfield, 0, SOURCE),
        second: (rule.defence_airfield, 1, target),
    }
    for token, (works, seat, place) in given.items():
        if works:
            position.reward[token] = seat
            position.airfield[token] = place


def set_armies(game: Game, attack: int, defend: int) -> None:
    """Set the armies of both territories."""
    game.position.armies[SOURCE] = attack
    game.position.armies[target_of(game)] = defend


@cache
def rolled(rule: DiceRule, armies: Armies, dice: int | None, reply: int | None) -> Endings:
    """The armies left after one attack, with the given dice or as many as the engine lists."""
    game = scene(rule, *armies)
    target = game.territories[target_of(game)]
    attacks = [a.dice or 0 for a in game.legal if isinstance(a, Attack) and a.target == target]
    game.play(Attack(game.territories[SOURCE], target, min(dice or 3, max(attacks))))
    if game.phase == Phase.DEFEND:
        replies = [a.dice for a in game.legal if isinstance(a, DefendWith)]
        game.play(DefendWith(min(reply or 2, max(replies))))
    return settled(game)


def settled(game: Game) -> Endings:
    """The armies left after every roll that can answer the position."""
    pending, target = game.pending, target_of(game)
    assert pending is not None
    assert pending.chance == Chance.BATTLE
    found: Counter[Armies] = Counter()
    for attack in range(6**pending.attack_dice):
        for defence in range(6**pending.defence_dice):
            after = copy_position(game.position)
            settle(after, game.rules, game.tables, attack << DEFENCE_BITS | defence)
            found[int(after.armies[SOURCE]), int(after.armies[target])] += 1
    return {armies: Fraction(count, pending.size) for armies, count in found.items()}


def played_out(
    rule: DiceRule, attack: int, defend: int, dice: int | None = None, reply: int | None = None
) -> Endings:
    """The endings of a battle that goes on to the end."""
    waiting: Endings = {(attack, defend): Fraction(1)}
    endings: Endings = {}
    while waiting:
        armies, chance = max(waiting.items())
        del waiting[armies]
        over = armies[0] < 2 or armies[1] == 0
        after = {armies: Fraction(1)} if over else rolled(rule, armies, dice, reply)
        place = endings if over else waiting
        for left, share in after.items():
            place[left] = place.get(left, Fraction(0)) + chance * share
    return endings
