"""The state of a game in words: seats, turn, cards, missions, continents, borders."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from rubicon.cli.terminal.board import in_brief
from rubicon.cli.terminal.console import QUIET, STRONG, WIDTH, Symbols, badge, cut
from rubicon.engine.cards import next_set_value, set_value
from rubicon.engine.codes import Goal, SetCounter, SetValues
from rubicon.engine.records import NONE, Design, ObjectivePlace, Phase, Position, Seat
from rubicon.rules.situation import PHASES, income, mission_progress, phase_words
from rubicon.wording import numbered

if TYPE_CHECKING:
    from rubicon.rules.board.board import Continent
    from rubicon.rules.game import Game


# Territories by their names: what people read, instead of the ids of records and programs.

TOGETHER = "\N{NO-BREAK SPACE}"  # a line is never broken here; printed as a space


def names_of(game: Game) -> dict[str, str]:
    """The name of each territory of a game, by its id; no line is broken inside a name."""
    names = (territory.name for territory in game.ruleset.board.territories)
    return {
        key: name.replace(" ", TOGETHER) for key, name in zip(game.territories, names, strict=True)
    }


# The lines next to the board: the seats, the decision that waits, the viewer's own hand.


def seats_lines(game: Game, view: Position, symbols: Symbols) -> list[Text]:
    """A line for each seat: territories, armies, cards, next award, continents held."""
    lines = [Text(f"{'':21} {'terr':>4} {'armies':>6} {'cards':>5} {'next':>5}  holds", QUIET)]
    lines += [seat_line(game, view, seat, symbols) for seat in range(game.size)]
    if int(view.territories[6]):
        lines.append(neutral_line(game, view))
    return lines


def seat_line(game: Game, view: Position, seat: int, symbols: Symbols) -> Text:
    """One seat."""
    colour = game.colours[seat]
    turn = whose(game, view, None) == seat
    line = Text(f"{symbols.turn if turn else ' '} ")
    line.append_text(badge(colour))
    name = f" {cut(named(game, seat), 15, symbols):15}"
    line.append(name, STRONG if turn else "")
    if view.status[seat] != Seat.PLAYING:
        line.append(f" {Seat(int(view.status[seat])).name.lower()}", QUIET)
        return line
    coming = f"{income(game.ruleset, view, seat).total:+}" if view.round_number else ""
    line.append(
        f" {int(view.territories[seat]):>4} {armies_seen(view, seat):>6}"
        f" {int(view.hand[seat]):>5} {coming:>5}  "
    )
    line.append(listed(holdings(game, view, seat), WIDTH - len(line)))
    line.rstrip()
    return line


def named(game: Game, seat: int) -> str:
    """The colour of a seat, and its player's name unless that is the colour."""
    colour, name = game.colours[seat], game.names[seat]
    return colour if name == colour else f"{colour} {name}"


def neutral_line(game: Game, view: Position) -> Text:
    """The line of the neutral territories."""
    line = Text("  ")
    line.append_text(badge("neutral"))
    armies = int(view.armies[view.owner == 6].sum())
    line.append(f" {'neutral':15} {int(view.territories[6]):>4} {armies:>6}")
    return line


def armies_seen(view: Position, seat: int) -> str:
    """The armies of a seat on the board; a question mark while they are hidden."""
    armies = view.armies[view.owner == seat]
    return "?" if (armies < 0).any() else str(int(armies.sum()))


def holdings(game: Game, view: Position, seat: int) -> list[str]:
    """Continents and objectives that a seat holds."""
    held = [
        continent.name
        for continent in game.ruleset.board.continents
        if all(int(view.owner[t]) == seat for t in continent.territories)
    ]
    return held + [name for o, name in enumerate(game.objectives) if int(view.objective[o]) == seat]


def listed(names: list[str], width: int) -> str:
    """As many names as fit, in short form if need be, then the number of those left out."""
    whole = ", ".join(names)
    if len(whole) <= width:
        return whole
    short = [in_brief(name) for name in names]
    for count in range(len(names), 0, -1):
        more = f" and {len(names) - count} more" if count < len(names) else ""
        text = ", ".join(short[:count]) + more
        if len(text) <= width:
            return text
    return f"{len(names)} of them"


def turn_lines(game: Game, view: Position, seat: int | None, symbols: Symbols) -> list[Text]:
    """Whose turn it is, the decision that waits, the worth of the next set."""
    turn = Text()
    acting = whose(game, view, seat)
    if acting is not None:
        turn.append_text(badge(game.colours[acting]))
        turn.append(" ")
    turn.append(situation(game, view), STRONG)
    lines = [turn]
    for note in notes(game, view, seat):
        more = f" {symbols.dot} {note}"
        if len(lines[-1]) + len(more) > WIDTH:
            lines.append(Text("   "))
        lines[-1].append(more)
    return [*lines, *objective_lines(game, view)]


def whose(game: Game, view: Position, seat: int | None) -> int | None:
    """The seat whose turn it is; while all place at once, the viewer's own seat."""
    if view.first == NONE or game.over:
        return None
    return seat if game.phase == Phase.SEALED else int(view.turn)


def situation(game: Game, view: Position) -> str:
    """The round and the phase, in words."""
    phase = phase_words(game.ruleset, view)
    return f"round {int(view.round_number)}, {phase}" if view.round_number else phase


def prompt_word(phase: Phase) -> str:
    """The one word for a phase before the cursor; an advance is called as its order is."""
    return PHASES[phase] if phase is Phase.OCCUPY else phase.name.lower()


def notes(game: Game, view: Position, seat: int | None) -> list[str]:
    """The numbers that a player needs before deciding."""
    lines = []
    if seat is not None and int(view.unplaced[seat]) > 0:
        lines.append(f"{int(view.unplaced[seat])} to place{award_items(game, view, seat)}")
    if game.phase == Phase.PLACE and int(view.own_left) + int(view.neutral_left):
        lines.append(f"now {int(view.own_left)} own, {int(view.neutral_left)} neutral")
    if view.round_number and not game.over and game.rules.cards_values != SetValues.STARS:
        worth = int(next_set_value(view, game.rules, int(view.turn)))
        lines.append(f"next set {worth}")
    return lines


def set_values(game: Game, view: Position, seat: int) -> list[tuple[int, bool]]:
    """The worth of the last sets, of the next one, and of those then; True for the next one."""
    if not view.round_number or game.over or game.rules.cards_values == SetValues.STARS:
        return []
    own = game.rules.cards_counter == SetCounter.PER_PLAYER
    traded = int(view.sets_by_seat[seat]) if own else int(view.sets)
    numbers = range(max(0, traded - 2), traded + 4)
    return [(int(set_value(game.rules, number)), number == traded) for number in numbers]


def award_items(game: Game, view: Position, seat: int) -> str:
    """Where the armies of this turn come from."""
    if game.phase != Phase.REINFORCE or int(view.turn) != seat:
        return ""
    items = {
        "territories": int(view.award_territories),
        "continents": int(view.award_continents),
        "capitals": int(view.award_capitals),
        "rewards": int(view.award_rewards),
    }
    return " (" + ", ".join(f"{name} {n}" for name, n in items.items() if n) + ")"


def objective_lines(game: Game, view: Position) -> list[Text]:
    """The objectives that can be claimed, with their rewards."""
    lines = []
    for number, objective in enumerate(game.ruleset.board.objectives):
        if int(view.objective[number]) == ObjectivePlace.FACE_UP:
            token = int(view.objective_reward[number])
            reward = f" ({reward_name(game, token)})" if token != NONE else ""
            lines.append(f"{objective.id} {objective.text.rstrip('.')}{reward}")
    text = "objectives: " + "; ".join(lines)
    return [Text(line, QUIET) for line in textwrap.wrap(text, WIDTH)] if lines else []


def reward_name(game: Game, token: int) -> str:
    """A reward in words."""
    return game.rewards[token].removeprefix("major_").removesuffix("_2").replace("_", " ")


def hand_lines(game: Game, view: Position, seat: int) -> list[str]:
    """The seat's cards, its mission, its rewards."""
    cards = [card_text(game, c) for c in range(len(game.cards)) if int(view.card[c]) == seat]
    lines = [f"your cards: {', '.join(cards) or 'none'}"]
    mission = mission_progress(game.ruleset, view, seat) if game.rules.missions_in_play else None
    if mission is not None:
        lines.append(f"your mission: {mission.text}")
    if game.rules.victory_goal == Goal.HEADQUARTERS and int(view.capital[seat]) != NONE:
        lines.append(f"your headquarters: {game.territories[int(view.capital[seat])]}")
    rewards = [reward_name(game, i) for i, owner in enumerate(view.reward) if int(owner) == seat]
    if rewards:
        lines.append(f"your rewards: {', '.join(rewards)}")
    return lines


def card_text(game: Game, card: int) -> str:
    """A card and what it shows."""
    name = game.cards[card]
    if game.rules.cards_values == SetValues.STARS:
        return f"{name} {'*' * int(game.tables.stars[card])}"
    design = Design(int(game.tables.design[card]))
    return name if design == Design.WILD else f"{name} ({design.name.lower()})"


# The board in sentences, for `--plain` and a screen reader: no line needs its columns.
#
# A fact is at the start of its line. A seat may see everything that is shown here.

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
    """Who owns all of a continent; None where no one does."""
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
    """A line for each own territory with enemies next to it, the strongest enemies first."""
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
    more = [f"  {hidden} more. `borders` lists all, `map europe` a continent."] if hidden else []
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
