"""What a match is: the players, the ruleset, the seeds; and how its text names them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from rubicon.errors import RubiconError
from rubicon.players.bots.finding import PROGRAM, bot_named
from rubicon.players.programs.program import SECONDS
from rubicon.players.registry import policy_of
from rubicon.rules.ruleset.ruleset import Ruleset

ROUNDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Everything that decides how the games of a match go; `players` has a name for each seat.

    Block number i has the seed `seed + i`: one deal, played once in each rotation of the seats.
    `seconds` is the time of an own bot for a decision. It changes no game that is played to its
    end, so a match may go on with another limit.
    """

    players: tuple[str, ...]
    preset: str = "classic"
    options: tuple[tuple[str, str], ...] = ()
    board: str | None = None
    seed: int = 0
    rounds: int = ROUNDS
    seconds: float = field(default=SECONDS, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The different players, in the order in which they were given."""
        return tuple(dict.fromkeys(self.players))

    @property
    def compiled(self) -> bool:
        """Whether all players are bots that play in compiled code."""
        return all(policy_of(name) is not None for name in self.players)

    def ruleset(self) -> Ruleset:
        """The ruleset; raises what `Ruleset.load` raises."""
        return Ruleset.load(self.preset, dict(self.options), board=self.board)

    def seating(self, rotation: int) -> tuple[int, ...]:
        """By seat, the place in `players` of who sits there."""
        size = len(self.players)
        return tuple((seat + rotation) % size for seat in range(size))

    def text(self) -> str:
        """One line of JSON that is equal for equal matches."""
        decisive = {one.name: getattr(self, one.name) for one in fields(self) if one.compare}
        return json.dumps(decisive, sort_keys=True)


def match_of(text: str) -> Match:
    """The match that `Match.text` wrote. Raises ValueError, KeyError or TypeError."""
    read = json.loads(text)
    read["players"] = tuple(read["players"])
    read["options"] = tuple((name, value) for name, value in read["options"])
    return Match(**read)


def players_of(words: Sequence[str]) -> tuple[str, ...]:
    """The players that words such as `hunter` and `greedy*5` name, one for each seat.

    Raises RubiconError: `arena/players` for a number that is none, `player/unknown`.
    """
    players: list[str] = []
    for word in words:
        name, star, count = word.rpartition("*")
        if not star:
            name, count = word, "1"
        if not name or not count.isdecimal() or not 1 <= int(count) <= 6:
            raise RubiconError(
                "arena/players",
                f"{word!r} does not name 1 to 6 players.",
                "Write hunter, or hunter*5.",
            )
        players += [name] * int(count)
    for name in players:
        check_player(name)
    if not 2 <= len(players) <= 6:
        raise RubiconError(
            "arena/players",
            f"{len(players)} players are named, and a game has 2 to 6 seats.",
            "Name a player for each seat: rubicon arena strongest hunter*5",
        )
    return tuple(players)


def check_player(name: str) -> None:
    """Raise RubiconError where nobody can be seated by this name; a program is not started."""
    if policy_of(name) is None and not name.startswith(PROGRAM):
        bot_named(name)
