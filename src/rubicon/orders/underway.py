"""Orders that are being carried out on a game, entry by entry, also again after a crash."""

from __future__ import annotations

from rubicon.orders.carrying import Carrying, Decision, Spoils
from rubicon.orders.move import Note
from rubicon.orders.plan import Progress
from rubicon.orders.sheet import Sheet
from rubicon.rules.actions import Action, Resign, RevealMission, StandingOrder
from rubicon.rules.errors import RubiconError
from rubicon.rules.events import Event
from rubicon.rules.game import Entry, Game

BESIDE = (StandingOrder, RevealMission, Resign)  # what a seat may do while its orders go on


class Underway:
    """A seat's orders, from where the game stands now; `next` says what they do, `play` does it.

    A host asks `next`, plays what it says, settles what chance owes, and asks again until there
    is no action; everything that others decide is played here too. After a crash it begins again
    from the game as it stood when the orders came, and plays the entries recorded since.
    """

    def __init__(
        self, sheet: Sheet, game: Game, colour: str, *, spoils: Spoils = Spoils.PAUSE
    ) -> None:
        self.carrying = Carrying(sheet, game, colour, spoils=spoils)
        self.colour = colour
        self.progress = Progress()
        self.actions: list[Action] = []  # that the orders have taken
        self._noted: dict[Note, None] = {}
        self._known: tuple[bytes, Decision] | None = None

    @property
    def notes(self) -> tuple[Note, ...]:
        """What could not be done so far, each once."""
        last = self._known[1].notes if self._known else ()
        return tuple(dict.fromkeys((*self._noted, *last)))

    def next(self, game: Game) -> Decision:
        """What the orders do now, or why there is nothing; it changes nothing."""
        now = game.position.tobytes()
        if self._known is None or self._known[0] != now:
            decision = self.carrying.decide(game.view(self.colour), self.progress)
            self._known = now, decision
        return self._known[1]

    def follow(self, game: Game, action: Action) -> None:
        """Go on behind an action that is about to be played, whosever it is.

        Raises `orders/other-record` where the seat does another thing than its orders say.
        """
        if game.actor_of(action) == self.colour:
            decision = self.next(game)
            if action == decision.action:
                self._noted |= dict.fromkeys(decision.notes)
                self.progress = decision.progress
                self.actions.append(action)
            elif decision.action is not None and not isinstance(action, BESIDE):
                raise RubiconError(
                    "orders/other-record",
                    f"The record says '{action}' where the orders say '{decision.action}'.",
                    "Hand in the game as it stood when the orders began.",
                )
        self._known = None

    def play(self, game: Game, entry: Entry) -> tuple[Event, ...]:
        """Play an action, anybody's, or settle an outcome; the orders go along."""
        if not isinstance(entry, Action):
            return game.settle(entry)
        self.follow(game, entry)
        return game.play(entry)
