"""Beside the board: who plays, what is owed, what the seat at the keyboard holds."""

import textwrap
from typing import TYPE_CHECKING, Any

from rich.text import Text

from rubicon.cli.terminal.board_view import in_brief
from rubicon.cli.terminal.paint import QUIET, STRONG, WIDTH, Marks, badge, cut
from rubicon.rules.choices import Goal, SetValues
from rubicon.rules.position import NONE, ObjectivePlace, Phase, Seat
from rubicon.rules.procedures.cards import next_set_value
from rubicon.rules.procedures.reinforce import award
from rubicon.rules.tables import Design

if TYPE_CHECKING:
    from rubicon.rules.game import Game

PHASES = {
    Phase.FIRST_PLAYER: "who begins",
    Phase.DEAL: "the deal",
    Phase.CLAIM: "claim a territory",
    Phase.PLACE: "place starting armies",
    Phase.SEALED: "place starting armies, unseen by the others",
    Phase.HEADQUARTERS: "choose a headquarters",
    Phase.REINFORCE: "reinforce",
    Phase.ATTACK: "attack",
    Phase.DEFEND: "defend",
    Phase.OCCUPY: "occupy",
    Phase.TRADE: "trade the cards you won",
    Phase.OBJECTIVE: "claim an objective",
    Phase.FORTIFY: "fortify",
    Phase.CONTINENTS: "place continental armies",
    Phase.OVER: "the game is over",
}


def seats_lines(game: "Game", view: Any, marks: Marks) -> list[Text]:
    """A line for each seat: territories, armies, cards, the next award, what it holds whole."""
    lines = [Text(f"{'':21} {'terr':>4} {'armies':>6} {'cards':>5} {'next':>5}  holds", QUIET)]
    lines += [seat_line(game, view, seat, marks) for seat in range(game.size)]
    if int(view.territories[6]):
        lines.append(neutral_line(game, view))
    return lines


def seat_line(game: "Game", view: Any, seat: int, marks: Marks) -> Text:
    """One seat."""
    colour = game.colours[seat]
    turn = whose(game, view, None) == seat
    line = Text(f"{marks.turn if turn else ' '} ")
    line.append_text(badge(colour))
    name = f" {cut(named(game, seat), 15, marks):15}"
    line.append(name, STRONG if turn else "")
    if view.status[seat] != Seat.PLAYING:
        line.append(f" {Seat(int(view.status[seat])).name.lower()}", QUIET)
        return line
    coming = f"{income(game, view, seat):+}" if view.round_number else ""
    line.append(
        f" {int(view.territories[seat]):>4} {armies_seen(view, seat):>6}"
        f" {int(view.hand[seat]):>5} {coming:>5}  "
    )
    line.append(listed(holdings(game, view, seat), WIDTH - len(line)))
    line.rstrip()
    return line


def named(game: "Game", seat: int) -> str:
    """The colour of a seat, and its player's name where that says more."""
    colour, name = game.colours[seat], game.names[seat]
    return colour if name == colour else f"{colour} {name}"


def neutral_line(game: "Game", view: Any) -> Text:
    """Territories that nobody plays."""
    line = Text("  ")
    line.append_text(badge("neutral"))
    armies = int(view.armies[view.owner == 6].sum())
    line.append(f" {'neutral':15} {int(view.territories[6]):>4} {armies:>6}")
    return line


def armies_seen(view: Any, seat: int) -> str:
    """The armies of a seat on the board; a question mark where they are sealed."""
    armies = view.armies[view.owner == seat]
    return "?" if (armies < 0).any() else str(int(armies.sum()))


def income(game: "Game", view: Any, seat: int) -> int:
    """What the seat's next award would be if its turn began now."""
    trial = view.copy()
    award(trial, game.rules, game.tables, seat)
    return int(trial.unplaced[seat])


def holdings(game: "Game", view: Any, seat: int) -> list[str]:
    """Continents and objectives that a seat holds."""
    held = [
        continent.name
        for continent in game.ruleset.board.continents
        if all(int(view.owner[t]) == seat for t in continent.territories)
    ]
    return held + [name for o, name in enumerate(game.objectives) if int(view.objective[o]) == seat]


def listed(names: list[str], width: int) -> str:
    """Names as far as they fit, then how many more there are; each is whole, or its short form."""
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


def turn_lines(game: "Game", view: Any, seat: int | None, marks: Marks) -> list[Text]:
    """Whose turn it is, what is to be done, what the next set brings."""
    turn = Text()
    acting = whose(game, view, seat)
    if acting is not None:
        turn.append_text(badge(game.colours[acting]))
        turn.append(" ")
    turn.append(situation(game, view), STRONG)
    lines = [turn]
    for note in notes(game, view, seat):
        more = f" {marks.dot} {note}"
        if len(lines[-1]) + len(more) > WIDTH:
            lines.append(Text("   "))
        lines[-1].append(more)
    return [*lines, *objective_lines(game, view)]


def whose(game: "Game", view: Any, seat: int | None) -> int | None:
    """The seat whose turn it is; in a placement of all at once, the one that looks."""
    if view.first == NONE or game.over:
        return None
    return seat if game.phase == Phase.SEALED else int(view.turn)


def situation(game: "Game", view: Any) -> str:
    """The round and the phase, in words."""
    phase = "found a capital" if capital_due(game, view) else PHASES[game.phase]
    return f"round {int(view.round_number)}, {phase}" if view.round_number else phase


def capital_due(game: "Game", view: Any) -> bool:
    """Whether the first territory of the seat to move is its capital (S001-24)."""
    founds = game.phase == Phase.CLAIM and bool(game.rules.setup_capitals)
    return founds and view.first != NONE and int(view.capital[int(view.turn)]) == NONE


def notes(game: "Game", view: Any, seat: int | None) -> list[str]:
    """What a player counts before deciding."""
    told = []
    if seat is not None and int(view.unplaced[seat]) > 0:
        told.append(f"{int(view.unplaced[seat])} to place{award_items(game, view, seat)}")
    if game.phase == Phase.PLACE and int(view.own_left) + int(view.neutral_left):
        told.append(f"now {int(view.own_left)} own, {int(view.neutral_left)} neutral")
    if view.round_number and not game.over and game.rules.cards_values != SetValues.STARS:
        worth = int(next_set_value(view, game.rules, int(view.turn)))
        told.append(f"next set {worth}")
    return told


def award_items(game: "Game", view: Any, seat: int) -> str:
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


def objective_lines(game: "Game", view: Any) -> list[Text]:
    """The objectives that lie face up, with their rewards."""
    told = []
    for number, objective in enumerate(game.ruleset.board.objectives):
        if int(view.objective[number]) == ObjectivePlace.FACE_UP:
            token = int(view.objective_reward[number])
            reward = f" ({reward_name(game, token)})" if token != NONE else ""
            told.append(f"{objective.id} {objective.text.rstrip('.')}{reward}")
    text = "objectives: " + "; ".join(told)
    return [Text(line, QUIET) for line in textwrap.wrap(text, WIDTH)] if told else []


def reward_name(game: "Game", token: int) -> str:
    """A reward in words."""
    return game.rewards[token].removeprefix("major_").removesuffix("_2").replace("_", " ")


def hand_lines(game: "Game", view: Any, seat: int) -> list[str]:
    """The seat's cards, its mission, its rewards."""
    cards = [card_text(game, c) for c in range(len(game.cards)) if int(view.card[c]) == seat]
    lines = [f"your cards: {', '.join(cards) or 'none'}"]
    if game.rules.missions_in_play and int(view.mission[seat]) != NONE:
        lines.append(f"your mission: {mission_text(game, view, seat)}")
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


def mission_text(game: "Game", view: Any, seat: int) -> str:
    """The mission in words, as it stands now."""
    mission = game.ruleset.board.missions[int(view.mission[seat])]
    if view.mission_fallback[seat]:
        count = int(game.tables.mission_fallback_count)
        return f"{mission.text}: out of reach, so hold {count} territories"
    return mission.text
