"""The lines beside the board: the seats, the decision that waits, the viewer's own hand."""

import textwrap
from typing import TYPE_CHECKING

from rich.text import Text

from rubicon.cli.terminal.display.board_view import in_brief
from rubicon.cli.terminal.display.output import QUIET, STRONG, WIDTH, Symbols, badge, cut
from rubicon.engine.phases.cards import next_set_value, set_value
from rubicon.engine.records.choices import Goal, SetCounter, SetValues
from rubicon.engine.records.position import NONE, ObjectivePlace, Phase, Position, Seat
from rubicon.engine.records.tables import Design
from rubicon.rules.game.income import income
from rubicon.rules.game.progress import mission_progress
from rubicon.rules.game.situation import PHASES, phase_words

if TYPE_CHECKING:
    from rubicon.rules.game.game import Game


def seats_lines(game: "Game", view: Position, symbols: Symbols) -> list[Text]:
    """A line for each seat: territories, armies, cards, next award, continents held."""
    lines = [Text(f"{'':21} {'terr':>4} {'armies':>6} {'cards':>5} {'next':>5}  holds", QUIET)]
    lines += [seat_line(game, view, seat, symbols) for seat in range(game.size)]
    if int(view.territories[6]):
        lines.append(neutral_line(game, view))
    return lines


def seat_line(game: "Game", view: Position, seat: int, symbols: Symbols) -> Text:
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


def named(game: "Game", seat: int) -> str:
    """The colour of a seat, and its player's name unless that is the colour."""
    colour, name = game.colours[seat], game.names[seat]
    return colour if name == colour else f"{colour} {name}"


def neutral_line(game: "Game", view: Position) -> Text:
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


def holdings(game: "Game", view: Position, seat: int) -> list[str]:
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


def turn_lines(game: "Game", view: Position, seat: int | None, symbols: Symbols) -> list[Text]:
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


def whose(game: "Game", view: Position, seat: int | None) -> int | None:
    """The seat whose turn it is; while all place at once, the viewer's own seat."""
    if view.first == NONE or game.over:
        return None
    return seat if game.phase == Phase.SEALED else int(view.turn)


def situation(game: "Game", view: Position) -> str:
    """The round and the phase, in words."""
    phase = phase_words(game.ruleset, view)
    return f"round {int(view.round_number)}, {phase}" if view.round_number else phase


def prompt_word(phase: Phase) -> str:
    """The one word for a phase before the cursor; an advance is called as its order is."""
    return PHASES[phase] if phase is Phase.OCCUPY else phase.name.lower()


def notes(game: "Game", view: Position, seat: int | None) -> list[str]:
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


def set_values(game: "Game", view: Position, seat: int) -> list[tuple[int, bool]]:
    """The worth of the last sets, of the next one, and of those then; True for the next one."""
    if not view.round_number or game.over or game.rules.cards_values == SetValues.STARS:
        return []
    own = game.rules.cards_counter == SetCounter.PER_PLAYER
    traded = int(view.sets_by_seat[seat]) if own else int(view.sets)
    numbers = range(max(0, traded - 2), traded + 4)
    return [(int(set_value(game.rules, number)), number == traded) for number in numbers]


def award_items(game: "Game", view: Position, seat: int) -> str:
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


def objective_lines(game: "Game", view: Position) -> list[Text]:
    """The objectives that can be claimed, with their rewards."""
    lines = []
    for number, objective in enumerate(game.ruleset.board.objectives):
        if int(view.objective[number]) == ObjectivePlace.FACE_UP:
            token = int(view.objective_reward[number])
            reward = f" ({reward_name(game, token)})" if token != NONE else ""
            lines.append(f"{objective.id} {objective.text.rstrip('.')}{reward}")
    text = "objectives: " + "; ".join(lines)
    return [Text(line, QUIET) for line in textwrap.wrap(text, WIDTH)] if lines else []


def reward_name(game: "Game", token: int) -> str:
    """A reward in words."""
    return game.rewards[token].removeprefix("major_").removesuffix("_2").replace("_", " ")


def hand_lines(game: "Game", view: Position, seat: int) -> list[str]:
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


def card_text(game: "Game", card: int) -> str:
    """A card and what it shows."""
    name = game.cards[card]
    if game.rules.cards_values == SetValues.STARS:
        return f"{name} {'*' * int(game.tables.stars[card])}"
    design = Design(int(game.tables.design[card]))
    return name if design == Design.WILD else f"{name} ({design.name.lower()})"
