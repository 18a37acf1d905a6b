"""What goes wrong with a bot: who it is, what it did, and what it could have done."""

from __future__ import annotations

from rubicon.errors import RubiconError
from rubicon.rules.game.legal import Legal
from rubicon.wording import numbered

MOST_SHOWN = 6  # ranges of legal actions in a message


class PlayerError(RubiconError):
    """A player that cannot play on; the message begins with its name and its seat."""

    def __init__(self, code: str, who: str, problem: str, suggestion: str = "") -> None:
        super().__init__(f"player/{code}", f"{who}: {problem}", suggestion)

    def in_game(self, game: str) -> PlayerError:
        """The same error, with a sentence on the game that it happened in."""
        made = PlayerError.__new__(PlayerError)
        RubiconError.__init__(made, self.code, self.message, f"{self.suggestion} {game}".strip())
        return made


def choices(legal: Legal) -> str:
    """`Legal now: claim alaska, claim peru, and 40 more.`"""
    shown = [str(one) for one in legal.ranges_between(0, MOST_SHOWN)]
    more = legal.range_count - len(shown)
    rest = f", and {numbered(more, 'other range', 'other ranges')}" if more else ""
    return f"Legal now: {', '.join(shown)}{rest}."
