"""A recorded game, told again step by step; nobody decides anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rubicon.cli.terminal.display.output import Output
from rubicon.cli.terminal.session import Session
from rubicon.engine.sampling import generator
from rubicon.rules.game.game import Entry, Game
from rubicon.rules.outcomes import Outcome


@dataclass(kw_only=True)
class ReplaySession(Session):
    """The steps of a record from its first position on."""

    entries: Sequence[Entry]

    @classmethod
    def of(cls, played: Game, output: Output, delay: float = 0.0) -> ReplaySession:
        """The session that tells a played game again."""
        game = Game.from_position(played.ruleset, played.start, names=played.names)
        session = cls(
            game=game,
            bots=dict.fromkeys(game.colours),
            output=output,
            rng=generator(0),
            file=None,
            delay=delay,
            entries=played.history,
        )
        session.people, session.hot_seat, session.watcher = [], False, None
        session.narrations = {None: session.narrations[None]}
        return session

    def advance(self) -> str | None:
        """Tell every step; returns None, since nobody is asked."""
        for entry in self.entries[len(self.game.history) :]:
            step = self.game.settle if isinstance(entry, Outcome) else self.game.play
            self.hear(step(entry))  # type: ignore[arg-type]
        return None

    def farewell(self) -> list[str]:
        """Nothing is left to be continued."""
        return ["The replay is over."]
