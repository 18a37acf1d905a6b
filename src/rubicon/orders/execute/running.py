"""Orders in execution on a running game; after a crash they are replayed from its record."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.errors import RubiconError
from rubicon.orders.execute.executor import Decision, OrderExecutor
from rubicon.orders.execute.program import Progress
from rubicon.orders.execute.step import Note
from rubicon.orders.order_text import OrderText
from rubicon.rules.actions import Action, Resign, RevealMission, StandingOrder
from rubicon.rules.events import Event
from rubicon.rules.game.game import Entry, Game

OUT_OF_TURN = (StandingOrder, RevealMission, Resign)  # a seat may do these beside its orders


class RunningOrders:
    """A seat's orders in execution: `next` is their next action, `play` applies one.

    The caller plays the action of `next`, settles pending chance, and asks again until there is
    no action. Actions of other seats are played here too. After a crash the caller builds this
    object again from the game as it was when the orders were accepted, and plays the entries
    that were recorded since; execution is deterministic, so it arrives at the same progress.
    """

    def __init__(self, order_text: OrderText, game: Game, colour: str) -> None:
        self.executor = OrderExecutor(order_text, game, colour)
        self.colour = colour
        self.progress = Progress()
        self.actions: list[Action] = []  # taken by the orders so far
        self._noted: dict[Note, None] = {}
        self._known: tuple[bytes, Decision] | None = None

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes so far, each once."""
        last = self._known[1].notes if self._known else ()
        return tuple(dict.fromkeys((*self._noted, *last)))

    def next(self, game: Game) -> Decision:
        """The next action, or why there is none. It changes nothing and is cached by position."""
        # The whole position is the key: whatever changed it, the cached decision is dropped.
        now = game.position.tobytes()
        if self._known is None or self._known[0] != now:
            decision = self.executor.decide(game.view(self.colour), self.progress)
            self._known = now, decision
        return self._known[1]

    def follow(self, game: Game, action: Action) -> None:
        """Advance the progress over an action of any seat that is about to be played.

        Raises RubiconError, `orders/other-record`, where the seat acts against its own orders.
        """
        if game.actor_of(action) == self.colour:
            decision = self.next(game)
            if action == decision.action:
                self._noted |= dict.fromkeys(decision.notes)
                self.progress = decision.progress
                self.actions.append(action)
            elif decision.action is not None and not isinstance(action, OUT_OF_TURN):
                raise RubiconError(
                    "orders/other-record",
                    f"The record has '{action}' where the orders have '{decision.action}'.",
                    "Start from the game as it was when the orders were accepted.",
                )
        self._known = None

    def play(self, game: Game, entry: Entry) -> Sequence[Event]:
        """Play an action of any seat, or settle an outcome, and advance the progress."""
        if not isinstance(entry, Action):
            return game.settle(entry)
        self.follow(game, entry)
        return game.play(entry)
