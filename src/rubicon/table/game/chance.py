"""The pending chance of a game as a question to the dice, and a draw as its outcome."""

from __future__ import annotations

from rubicon.dice.lines.draw import (
    Ask,
    BattleAsk,
    BattleDraw,
    Draw,
    PickAsk,
    PickDraw,
    SealedAsk,
    SeatsAsk,
    SeatsDraw,
)
from rubicon.dice.lines.opening import Card
from rubicon.engine.apply import settle
from rubicon.engine.records.choices import CardVisibility
from rubicon.engine.records.position import Chance, copy_position
from rubicon.rules import outcomes
from rubicon.rules.game.game import Game
from rubicon.rules.outcomes import Outcome, PendingChance


def pending_of(game: Game) -> PendingChance:
    """The pending chance; there must be one."""
    pending = game.pending
    assert pending is not None
    return pending


def ask_of(game: Game, pending: PendingChance) -> Ask:
    """What the rules demand of the dice now."""
    if pending.chance == Chance.BATTLE:
        return BattleAsk(pending.attack_dice, pending.defence_dice)
    if pending.chance == Chance.DICE:
        return SeatsAsk(tuple(pending.seats))
    if is_secret(game, pending):
        return SealedAsk(len(pending.things), _owner_of(game, pending))
    return PickAsk(len(pending.things))


def is_secret(game: Game, pending: PendingChance) -> bool:
    """Whether only one seat may see what is picked."""
    if pending.chance == Chance.MISSION:
        return True
    public = bool(game.rules.cards_visibility == CardVisibility.PUBLIC)
    return pending.chance in (Chance.CARD, Chance.STARTING_CARD) and not public


def outcome_of(draw: Draw, card: Card | None) -> Outcome:
    """What a draw means in the game; a sealed one has its card."""
    match draw:
        case BattleDraw(attack, defence):
            return outcomes.Roll(attack, defence)
        case SeatsDraw(faces):
            return outcomes.Dice(tuple(face for _, face in faces))
        case PickDraw(_, _, thing):
            return outcomes.Pick(thing)
        case _:
            assert card is not None
            return outcomes.Pick(card.thing)


def _owner_of(game: Game, pending: PendingChance) -> str:
    if pending.chance == Chance.CARD:
        assert game.turn is not None
        return game.turn
    return _receiver(game, pending)


def _receiver(game: Game, pending: PendingChance) -> str:
    """The seat that gets the next secret card or mission of the set-up.

    The rules alone know the order, so this tries each outcome on a copy until a seat gets one.
    """
    before = game.position
    for number, _ in enumerate(pending.things):
        after = copy_position(before)
        settle(after, game.rules, game.tables, number)
        for seat, colour in enumerate(game.colours):
            if (
                after.mission[seat] != before.mission[seat]
                or (after.card == seat).sum() > (before.card == seat).sum()
            ):
                return colour
    return game.colours[0]
