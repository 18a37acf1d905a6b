"""The board in sentences, for `--plain` and a screen reader: no line needs its columns.

A fact stands at the start of its line. What is told here a seat may see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rubicon.cli.terminal.display.status import armies_seen, named, situation
from rubicon.engine.phases.cards import next_set_value
from rubicon.engine.records.choices import SetValues
from rubicon.engine.records.position import NONE, Position, Seat
from rubicon.rules.game.income import income
from rubicon.wording import numbered

if TYPE_CHECKING:
    from rubicon.rules.board.board import Continent
    from rubicon.rules.game.game import Game

BORDERS_FIRST = 2  # territories whose borders are told at the beginning of a turn


def turn_sentences(game: Game, view: Position, seat: int | None) -> list[str]:
    """What a player must know at the beginning of a turn; `seat` is None for a spectator."""
    lines = [capital(situation(game, view)) + ("." if seat is None else f". {you_are(game, seat)}")]
    if seat is not None:
        lines.append(f"You have {holdings_of(game, view, seat)}.")
    others = (other for other in range(game.size) if other != seat)
    lines += [
        f"{capital(named(game, other))}: {holdings_of(game, view, other)}." for other in others
    ]
    if view.round_number and not game.over and game.rules.cards_values != SetValues.STARS:
        lines.append(
            f"The next set of cards is worth {next_set_value(view, game.rules, view.turn)}."
        )
    if seat is None or not view.round_number:
        return [*lines, *continent_sentences(game, view)]
    return [*lines, *border_sentences(game, view, seat, BORDERS_FIRST)]


def capital(text: str) -> str:
    """The text with a capital letter; names inside keep theirs."""
    return text[:1].upper() + text[1:]


def you_are(game: Game, seat: int) -> str:
    """Which seat the reader has."""
    name, colour = game.names[seat], game.colours[seat]
    return f"You are {colour}." if name in ("me", colour) else f"You are {name}, {colour}."


def holdings_of(game: Game, view: Position, seat: int) -> str:
    """Armies, territories, cards and income of a seat."""
    if view.status[seat] != Seat.PLAYING:
        return "out of the game"
    armies = armies_seen(view, seat)
    parts = [
        f"{armies} {'army' if armies == '1' else 'armies'} in "
        f"{numbered(int(view.territories[seat]), 'territory', 'territories')}"
    ]
    if int(view.unplaced[seat]) > 0:
        parts.append(f"{int(view.unplaced[seat])} to place")
    parts.append(numbered(int(view.hand[seat]), "card"))
    if view.round_number:
        parts.append(f"{income(game.ruleset, view, seat).total} more each turn")
    whole = [c.name for c in game.ruleset.board.continents if owner_of(view, c) == seat]
    return ", ".join(parts) + (f", all of {' and '.join(whole)}" if whole else "")


def owner_of(view: Position, continent: Continent) -> int | None:
    """Who owns all of a continent; None where nobody does."""
    owners = {int(view.owner[t]) for t in continent.territories}
    return owners.pop() if len(owners) == 1 else None


def armies_text(game: Game, view: Position, t: int) -> str:
    """A territory with its owner and armies: `Siam blue 2`, `Peru free`."""
    name = game.ruleset.board.territories[t].name
    if int(view.owner[t]) == NONE:
        return f"{name} free"
    count = int(view.armies[t])
    return f"{name} {game.owner_name(int(view.owner[t]))} {count if count >= 0 else '?'}"


def border_sentences(game: Game, view: Position, seat: int, most: int | None = None) -> list[str]:
    """A line for each own territory with enemies beside it, the strongest enemies first."""
    rows = []
    for t in range(len(game.territories)):
        foes = [n for n in near(game, t) if int(view.owner[n]) not in (seat, NONE)]
        if int(view.owner[t]) == seat and foes:
            foes.sort(key=lambda n: -int(view.armies[n]))
            rows.append((-sum(int(view.armies[n]) for n in foes), t, foes))
    rows.sort()
    lines = []
    for _, t, foes in rows[:most]:
        name = game.ruleset.board.territories[t].name
        own = numbered(int(view.armies[t]), "army", "armies")
        lines.append(f"  {name}, {own}: {', '.join(armies_text(game, view, n) for n in foes)}.")
    if not lines:
        return ["None of your territories borders on an enemy."]
    hidden = len(rows) - len(lines)
    more = [f"  {hidden} more. `borders` tells all, `map europe` a continent."] if hidden else []
    return ["Your borders, the strongest enemies first:", *lines, *more]


def near(game: Game, t: int) -> Iterator[int]:
    """The territories that one borders on."""
    return (int(game.tables.neighbour[t, i]) for i in range(int(game.tables.degree[t])))


def continent_sentences(game: Game, view: Position, only: int | None = None) -> list[str]:
    """A line for each continent, or for one: its bonus, then its territories."""
    continents = game.ruleset.board.continents
    chosen = continents if only is None else continents[only : only + 1]
    return [
        f"{one.name}, {numbered(one.bonus, 'army', 'armies')} for all of it: "
        + ", ".join(armies_text(game, view, t) for t in one.territories)
        + "."
        for one in chosen
    ]
