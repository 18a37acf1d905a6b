"""The chances of a finished game, computed beside the screen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from rubicon.cli.terminal.display.win_curve import NO_TURN, WinCurve, win_curve

if TYPE_CHECKING:
    from rubicon.rules.game.game import Game

NOT_KNOWN = "The chances of this game cannot be computed."


def nothing() -> None:
    """Do nothing: the screen that showed the work is gone."""


class CurveWork:
    """Computes a game's curve in a thread of its own; `changed` is called from that thread."""

    def __init__(self, game: Game, changed: Callable[[], None]) -> None:
        self.game = game
        self.changed = changed
        self.curve: WinCurve | None = None
        self.share = 0.0  # of the work that is done
        self.failed = False
        self.thread = threading.Thread(target=self._run, name="chances", daemon=True)

    def start(self) -> None:
        """Begin the work."""
        self.thread.start()

    @property
    def shown(self) -> WinCurve | str:
        """The curve; until it is there, how far the work is, or why there is none."""
        if self.failed:
            return NOT_KNOWN
        if self.curve is None:
            return f"Being computed: {self.share:.0%}"
        return self.curve if self.curve.rounds else NO_TURN

    def result(self) -> WinCurve | None:
        """Wait for the curve; None where it cannot be computed. `changed` is called no more."""
        self.changed = nothing
        self.thread.join()
        return self.curve

    def _progress(self, share: float) -> None:
        self.share = share
        self.changed()

    def _run(self) -> None:
        from rubicon.players.warmup import warm_to_play

        try:
            warm_to_play()
            self.curve = win_curve(self.game, self._progress)
        except Exception:  # of any kind: the game is over and told, whatever becomes of its curve
            self.failed = True
        self.changed()
