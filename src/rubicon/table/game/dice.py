"""What a hosted game asks of the dice, and its sealed placements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rubicon.dice.lines import state
from rubicon.dice.lines.opening import Card, Opened, Sealed
from rubicon.engine.apply import settle
from rubicon.engine.codes import CardVisibility
from rubicon.engine.records import Chance, copy_position
from rubicon.rules import actions
from rubicon.rules.actions import Action, Outcome, PendingChance, Place
from rubicon.rules.game import Game

# The pending chance of a game as a question to the dice, and a draw as its outcome.


def pending_of(game: Game) -> PendingChance:
    """The pending chance; there must be one."""
    pending = game.pending
    assert pending is not None
    return pending


def ask_of(game: Game, pending: PendingChance) -> state.Ask:
    """What the rules demand of the dice now."""
    if pending.chance == Chance.BATTLE:
        return state.BattleAsk(pending.attack_dice, pending.defence_dice)
    if pending.chance == Chance.DICE:
        return state.SeatsAsk(tuple(pending.seats))
    if is_secret(game, pending):
        return state.SealedAsk(len(pending.things), _owner_of(game, pending))
    return state.PickAsk(len(pending.things))


def is_secret(game: Game, pending: PendingChance) -> bool:
    """Whether only one seat may see what is picked."""
    if pending.chance == Chance.MISSION:
        return True
    public = bool(game.rules.cards_visibility == CardVisibility.PUBLIC)
    return pending.chance in (Chance.CARD, Chance.STARTING_CARD) and not public


def outcome_of(draw: state.Draw, card: Card | None) -> Outcome:
    """What a draw means in the game; a sealed one has its card."""
    match draw:
        case state.BattleDraw(attack, defence):
            return actions.Roll(attack, defence)
        case state.SeatsDraw(faces):
            return actions.Dice(tuple(face for _, face in faces))
        case state.PickDraw(_, _, thing):
            return actions.Pick(thing)
        case _:
            assert card is not None
            return actions.Pick(card.thing)


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


# The sealed placements of a hosted game, as its log records them (docs/fair-dice.md).


@dataclass(slots=True)
class Placements:
    """Who has sealed its placement, and who has opened it; `seats` are all of the game."""

    seats: Sequence[str]
    sealers: dict[str, str] = field(default_factory=dict)  # by seat: a client, or "" for the server
    owed: list[str] = field(default_factory=list)  # seats with a hash that is not opened
    failed: set[str] = field(default_factory=set)  # whose client did not open: a bot places
    _placed: dict[str, list[str]] = field(default_factory=dict)  # actions while all is sealed

    @property
    def all_in(self) -> bool:
        """Whether every seat has sealed."""
        return len(self.sealers) == len(self.seats)

    @property
    def unfinished(self) -> bool:
        """Whether a seat has sealed, and not all have opened."""
        return bool(self.sealers) and (not self.all_in or bool(self.owed))

    @property
    def withheld(self) -> tuple[str, ...]:
        """The seats whose client has sealed and not opened: they decide nothing."""
        return tuple(seat for seat in self.owed if self.sealers[seat]) if self.owed else ()

    @property
    def wanted(self) -> tuple[str, ...]:
        """The seats whose client is to open now."""
        return self.withheld if self.owed and self.all_in else ()

    def text(self, seat: str) -> str:
        """The actions with which a seat has placed at the server, one a line."""
        return "\n".join(self._placed.get(seat, ()))

    def place(self, seat: str, action: Action) -> None:
        """Note an action of the phase of sealed placements."""
        if isinstance(action, Place):
            self._placed.setdefault(seat, []).append(str(action))

    def take_back(self, seat: str, action: Action) -> None:
        """Note that a seat's last action was undone."""
        if isinstance(action, Place) and self._placed.get(seat):
            self._placed[seat].pop()

    def seal(self, seat: str, body: Sealed) -> None:
        """Note what a seat has sealed."""
        self.sealers[seat] = "" if body.signed is None else body.signed.id
        if body.hash is not None:
            self.owed.append(seat)

    def open(self, seat: str, body: Opened) -> None:
        """Note what a seat had sealed, or that its client has not opened it."""
        self.owed.remove(seat)
        if body.text is None:
            self.failed.add(seat)
