"""Pieces of the screen: badges, seats, cards, the prompt and its answers, keys."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rubicon.cli.screen.canvas import Canvas, Look, Part, Theme, columns, quiet, strong
from rubicon.cli.screen.prompts import PAUSED, Reply
from rubicon.cli.screen.scene import YOU, ScreenScene, SeatFacts
from rubicon.cli.screen.typed_line import LineEditor
from rubicon.cli.terminal.board import map_name
from rubicon.cli.terminal.console import LETTERS
from rubicon.cli.terminal.session import SETUP_PHASES
from rubicon.cli.terminal.status import names_of, reward_name, set_values
from rubicon.engine.codes import Goal, SetValues
from rubicon.engine.records import Design, ObjectivePlace, Phase
from rubicon.rules.actions import Trade
from rubicon.rules.situation import mission_progress, objective_progress

# Badges, seats, the prompt with what is under it, keys.

GAP = "   "


def badge(theme: Theme, colour: str, count: str = "") -> Part:
    """A seat's letter on its colour; black has thin edges, to stand out on dark ground."""
    text = LETTERS[colour] + (f" {count}" if count else "")
    edged = colour == "black" and theme.name == "dark"
    look = Look(theme[f"{colour}-on"], theme[colour], bold=True)
    return (f"▕{text}▏" if edged else f" {text} "), look


def solid(theme: Theme, colour: str) -> Look:
    """Signs on a seat's own colour."""
    return Look(theme[f"{colour}-on"], theme[colour], bold=True)


def rule(canvas: Canvas, theme: Theme, x: int, y: int, width: int, title: str = "") -> None:
    """A line across, with a title."""
    canvas.put(x, y, "─" * width, Look(theme["line"]))
    if title:
        canvas.put(x + 1, y, f" {title} ", quiet(theme, 2))


def seat_ground(seat: SeatFacts, theme: Theme) -> Look:
    """The ground of a seat in the strip."""
    return Look(None, theme["accent-wash"] if seat.active else theme["card"])


def seats_line(canvas: Canvas, scene: ScreenScene, y: int) -> None:
    """The seats in one row: name, armies and territories."""
    each = canvas.width // len(scene.seats)
    for number, seat in enumerate(scene.seats):
        x = number * each
        canvas.fill(x, y, each, 1, seat_ground(seat, scene.theme))
        after = canvas.line(x, y, badge(scene.theme, seat.colour))
        facts = f"{seat.armies}/{seat.territories}" if seat.playing else "out"
        facts = f"{facts} +{seat.waiting}" if seat.waiting else facts
        facts = f"{seat.clock} {facts}" if seat.clock else facts
        room = x + each - after - len(facts) - 1
        look = strong(scene.theme) if seat.active else Look(scene.theme["ink"])
        canvas.put(after, y, f" {seat.name}"[: max(0, room)], look)
        canvas.put(x + each - len(facts), y, facts, quiet(scene.theme, 2))


def seats_strip(canvas: Canvas, scene: ScreenScene, y: int) -> None:
    """The seats in two rows: name; armies in territories, income, cards."""
    theme = scene.theme
    each = canvas.width // len(scene.seats)
    for number, seat in enumerate(scene.seats):
        x = number * each
        canvas.fill(x, y, each, 2, seat_ground(seat, theme))
        who = " you" if seat.you and seat.name != YOU else " bot" if seat.bot else ""
        at = canvas.line(x + 1, y, badge(theme, seat.colour), " ")
        name = seat.name[: max(0, each - 6 - len(who))]
        canvas.line(at, y, (name, Look(theme["ink"], bold=True)), (who, quiet(theme)))
        if not seat.playing:
            canvas.put(x + 1, y + 1, "out", quiet(theme))
            continue
        facts = f"{seat.armies} in {seat.territories}"
        if seat.waiting:
            canvas.line(x + 1, y + 1, facts, (f"   {seat.waiting} in hand", quiet(theme, 2)))
        else:
            canvas.line(x + 1, y + 1, facts, (f"  +{seat.income}", quiet(theme, 2)))
            canvas.put(x + each - 4, y + 1, f"♦{seat.cards}", quiet(theme, 2))
        if seat.clock:
            canvas.put(x + each - len(seat.clock) - 1, y, seat.clock, strong(theme))
        if seat.active:
            canvas.put(x, y, "▌", strong(theme))
            canvas.put(x, y + 1, "▌", strong(theme))


def prompt(canvas: Canvas, scene: ScreenScene, y: int, width: int) -> None:
    """The one line where orders are typed: what is typed, or a proposal in grey."""
    theme, line = scene.theme, scene.desk.line
    colour = scene.asked or next((seat.colour for seat in scene.seats if seat.you), "nobody")
    if scene.asked:
        ghost = scene.reading.ghost(line.text) if line.text else scene.proposal
        typed_row(canvas, theme, y, width, colour, line, ghost)
    else:
        at = empty_row(canvas, theme, y, width, colour)
        canvas.put(at, y, scene.waits or "…", quiet(theme))


def empty_row(canvas: Canvas, theme: Theme, y: int, width: int, colour: str) -> int:
    """The ground of a prompt and whose it is; returns the column of what is typed."""
    canvas.fill(0, y, width, 1, Look(theme["ink"], theme["card"]))
    return canvas.line(0, y, badge(theme, colour), ("› ", strong(theme)))


def typed_row(
    canvas: Canvas, theme: Theme, y: int, width: int, colour: str, line: LineEditor, ghost: str
) -> None:
    """A prompt with a line and its caret; `ghost` is what may follow at the end of the line."""
    at = empty_row(canvas, theme, y, width, colour)
    room = width - at - 1
    text, cursor = columns(line.text), len(columns(line.text[: line.cursor]))
    first = max(0, cursor - room + 1)
    canvas.put(at, y, text[first : first + room], Look(theme["ink"], bold=True))
    caret = at + cursor - first
    if line.cursor == len(line.text):
        canvas.put(caret, y, ghost[: max(0, at + room - caret)], quiet(theme))
    under = canvas.rows[y][min(caret, canvas.width - 1)].sign
    canvas.put(caret, y, under, Look(theme["card"], theme["ink"], reverse=not theme.colours))


def under_prompt(canvas: Canvas, scene: ScreenScene, y: int, width: int, rows: int) -> None:
    """The exact form and odds of the line, or the answer to the last one."""
    theme = scene.theme
    found = _under_prompt(scene, width)
    news = scene.replies and not any(reply.refused for reply in scene.replies)
    for row, parts in enumerate(found[-rows:] if news else found[:rows]):  # of news the latest
        end = canvas.line(1, y + row, *parts)
        if end > width:
            canvas.fill(width, y + row, canvas.width - width, 1, Look(None, theme["paper"]))


def _under_prompt(scene: ScreenScene, width: int) -> list[list[Part]]:
    theme, line, reading = scene.theme, scene.desk.line, scene.reading
    if scene.replies:  # every key that changes the line takes them away
        return answer_rows(theme, scene.replies, width, stays=bool(line.text))
    if not line.text:
        exact = scene.proposed
        rows: list[list[Part]] = []
        if exact.odds:
            rows = [[("= ", quiet(theme)), exact.exact, ("  " + exact.odds, strong(theme))]]
        return [*rows, [("  " + whole_sentences(hint_of(scene), width - 3), quiet(theme))]]
    if reading.exact:
        rows = [[("= ", quiet(theme)), reading.exact, ("  " + reading.odds, strong(theme))]]
    else:
        rows = []
    if reading.following:
        rows.append([("Tab: ", strong(theme)), *_offered(scene, width - 8)])
    elif not reading.exact:
        rows.append([("This cannot be understood yet. Enter says why.", quiet(theme))])
    return rows


def whole_sentences(text: str, width: int) -> str:
    """The first sentences, as many as fit: half a sentence at the edge says nothing."""
    while len(text) > width and ". " in text:
        text = text[: text.rindex(". ") + 1]
    return text


def _offered(scene: ScreenScene, room: int) -> list[Part]:
    """The candidates that fit, the first one as Tab takes it."""
    theme = scene.theme
    parts: list[Part] = []
    for one in scene.reading.following:
        text = one.label if one.kind == "territory" else one.text
        room -= len(text) + len(GAP)
        if room < 0:
            break
        look = quiet(theme, 2) if parts else Look(theme["ink"], bold=True)
        parts += [(text, look), GAP]
    return parts


def _length(part: Part) -> int:
    return len(part if isinstance(part, str) else part[0])


def answer_rows(
    theme: Theme, replies: Sequence[Reply], width: int, *, stays: bool = False
) -> list[list[Part]]:
    """What the game says to the last line, in rows of a width; what was refused stands out.

    `stays`: the line that was refused is still in the prompt.
    """
    rows: list[list[Part]] = []
    for reply in replies:
        first = not rows
        look = _said(reply.refused, theme) if first else quiet(theme, 2)
        look = look if reply.refused else Look(theme["ink"])
        parts = textwrap.wrap(reply.text, max(1, width - 4)) or [""] * bool(reply.reference)
        for number, part in enumerate(parts):
            mark: Part = ("✗ ", look) if first and reply.refused and not number else "  "
            rows.append([mark, (part, look)])
        ending: Part = (f"  {reply.reference}" if reply.reference else "", quiet(theme))
        if first and reply.refused:
            ending = " Nothing was done. Your line stays." if stays else " Nothing was done."
        if parts and len(parts[-1]) + _length(ending) + 3 <= width:
            rows[-1].append(ending)
    return rows


def _said(refused: bool, theme: Theme) -> Look:
    return Look(theme["bad"], bold=True) if refused else Look(theme["ink"])


def hint_of(scene: ScreenScene) -> str:
    """What the phase asks for, in one sentence."""
    choices, phase = scene.desk.choices, scene.game.phase
    if scene.lines is not None:
        return "One order a line. Enter on an empty line carries all of them out."
    if scene.pace:
        return f"You look on: {scene.pace}."
    if not scene.asked:
        mover = next((seat.name for seat in scene.seats if seat.active), "")
        return f"{mover} is to move." if mover else "The others play."
    if phase == Phase.DEFEND:
        return "Choose your dice: a digit, or Enter for the most."
    if phase == Phase.OCCUPY:
        low, high = choices.numbers or (0, 0)
        return f"At least {low}: as many as the dice you rolled. At most {high}: one stays."
    if choices.attacks:
        words = f"Attack until: {scene.desk.stop.name}. [ and ] change it. No undo past a die."
        return words + (" You hold a set: trade best." if choices.trades else "")
    if choices.moves:
        return "Move armies once, then your turn ends. A full stop ends it without a move."
    if phase in SETUP_PHASES:
        return "Enter does what is proposed; arrows and Tab choose a territory."
    if choices.places:
        more = " You may trade a set first: trade best." if choices.trades else ""
        return f"{max(choices.places.values())} armies to place: + and −, then Enter.{more}"
    return " · ".join(choices.forms)


def keys_of(scene: ScreenScene) -> list[tuple[str, str]]:
    """The keys that do something now."""
    choices, desk = scene.desk.choices, scene.desk
    found: list[tuple[str, str]]
    if scene.pace:
        space = "go on" if scene.pace == PAUSED else "pause"
        found = [("Space", space), ("+ −", "speed"), ("F2", "map" if scene.borders else "log")]
        return [*found, ("F5", "whole log"), ("Esc", "leave")]
    if scene.waits:
        return [("Enter", "go on"), ("Ctrl-C", "leave")]
    if not scene.asked:
        return [("F2", "map" if scene.borders else "borders"), ("Ctrl-C", "leave")]
    if scene.lines is not None:
        done = "next line" if desk.line.text else "carry out" if scene.lines else "leave"
        found = [("Enter", done), ("Tab", "complete"), ("Bksp", "take a line back")]
        return [*found, ("Esc", "clear" if desk.line.text else "drop all")]
    if desk.line.text:
        found = [("Enter", "do it"), ("Tab", "complete"), ("F8", "preview"), ("Esc", "clear")]
        return [*found, ("↑ ↓", "earlier")]
    found = []
    if scene.proposal:
        found.append(("Enter", scene.proposal.split()[0]))
    if desk.roll_once():
        found.append(("Space", "roll once"))
    if choices.sources():
        found += [("Tab", "target" if desk.targets() else "next"), ("←↑↓→", "map")]
    if choices.attacks:
        found.append(("[ ]", "stop"))
    if choices.numbers:
        found += [("← →", "how many"), ("Home", "fewest"), ("End", "most")]
    elif choices.places or choices.moves:
        found.append(("+ −", "armies"))
    if choices.end:
        found.append((".", choices.end))
    found += [("Bksp", "undo"), ("F2", "map" if scene.borders else "borders"), ("F4", "cards")]
    return [*found, ("F5", "log"), ("F7", "defence"), ("F9", "turn"), ("?", "help")]


def keys(canvas: Canvas, scene: ScreenScene, y: int) -> None:
    """The foot of the game."""
    foot(canvas, scene.theme, keys_of(scene), y)


def foot(canvas: Canvas, theme: Theme, found: list[tuple[str, str]], y: int) -> None:
    """Keys with their meanings, as many as fit; the last of them is always there."""
    x = 1
    *most, last = found
    kept = canvas.width - len(" ".join(last)) - 2
    for key, meaning in (*most, last):
        width = len(key) + len(meaning) + 1
        if x + width >= (canvas.width if meaning == last[1] else kept):
            continue
        x = canvas.line(x, y, (key, strong(theme)), (f" {meaning}", quiet(theme, 2)))
        x += 2


# The viewer's cards: in one row below the map, and opened over it with the sets they hold.

Row = list[Part]
NO_CARDS = "You hold no cards. Take a territory, and you draw one at the end of the turn."
NAME, DESIGN = 22, 11  # columns of a card


def cards_of(scene: ScreenScene) -> list[int]:
    """The numbers of the cards that the viewer may see and holds."""
    if not scene.hand or not scene.view.round_number:
        return []
    seat = scene.game.seat(scene.hand)
    return [c for c in range(len(scene.game.cards)) if int(scene.view.card[c]) == seat]


def card_name(scene: ScreenScene, card: int) -> str:
    """The territory of a card, or `wild`."""
    territories = scene.game.ruleset.board.territories
    return territories[card].name if card < len(territories) else "wild"


def design_of(scene: ScreenScene, card: int) -> str:
    """What a card shows besides its territory; "" for a wild card."""
    if scene.game.rules.cards_values == SetValues.STARS:
        stars = int(scene.game.tables.stars[card])
        return "1 star" if stars == 1 else f"{stars} stars"
    design = Design(int(scene.game.tables.design[card]))
    return "" if design == Design.WILD else design.name.lower()


def is_own(scene: ScreenScene, card: int) -> bool:
    """Whether the territory of a card belongs to who holds it."""
    return card < len(scene.holders) and scene.holders[card].owner == scene.hand


def track_row(scene: ScreenScene) -> Row:
    """The worth of the last sets, of the next one, and of those that come then."""
    game, theme = scene.game, scene.theme
    seat = game.seat(scene.asked) if scene.asked else int(scene.view.turn)
    row: Row = []
    for value, now in set_values(game, scene.view, seat):
        look = Look(theme["card"], theme["ink"], bold=True) if theme.colours else Look(bold=True)
        text = f" {value} " if theme.colours else f"[{value}]"
        row += [(text, look) if now else (str(value), quiet(theme, 2)), " "]
    return [("Sets ", quiet(theme, 2)), *row] if row else []


def secrets_row(scene: ScreenScene) -> Row:
    """The viewer's mission, headquarters and rewards."""
    if not scene.hand or not scene.view.round_number:
        return []
    game, view, seat = scene.game, scene.view, scene.game.seat(scene.hand)
    parts: list[str] = []
    mission = mission_progress(game.ruleset, view, seat) if game.rules.missions_in_play else None
    if mission is not None:
        parts.append(f"your mission: {mission.text}")
    if game.rules.victory_goal == Goal.HEADQUARTERS and int(view.capital[seat]) >= 0:
        name = game.ruleset.board.territories[int(view.capital[seat])].name
        parts.append(f"your headquarters: {name}")
    rewards = [reward_name(game, i) for i, owner in enumerate(view.reward) if int(owner) == seat]
    if rewards:
        parts.append(f"your rewards: {', '.join(rewards)}")
    return [" · ".join(parts)] if parts else []


def cards_row(scene: ScreenScene) -> Row:
    """The cards, what else the viewer alone sees, and the worth of the sets."""
    theme = scene.theme
    row: Row = []
    if scene.hand and scene.view.round_number:
        row.append(("Cards ", quiet(theme, 2)))
        for number, card in enumerate(cards_of(scene)):
            design = design_of(scene, card)
            mark = (" " + design[:3] if "star" not in design else f" {design}") if design else ""
            row += [" · "] * bool(number) + [map_name(card_name(scene, card))]
            row.append((mark, quiet(theme)))
            if is_own(scene, card) and scene.game.rules.cards_values != SetValues.STARS:
                row.append((" yours", Look(theme["good"])))
        row.append(("none", quiet(theme)) if len(row) == 1 else "")
        row.append("   ")
    if secrets := secrets_row(scene):
        row += [*secrets, "   "]
    return row + track_row(scene)


def put_cards(canvas: Canvas, scene: ScreenScene, x: int, y: int, width: int) -> None:
    """Draw the row, cut at a width."""
    room = width
    for part in cards_row(scene):
        text, look = (part, Look()) if isinstance(part, str) else part
        x = canvas.put(x, y, text[:room], look)
        room = max(0, room - len(text))


def opened_cards(scene: ScreenScene) -> list[Row | str]:
    """The cards one by one, and the sets that they make."""
    theme = scene.theme
    rows: list[Row | str] = []
    for number, card in enumerate(cards_of(scene), 1):
        own = is_own(scene, card)
        row: Row = [
            (f"{number} ", strong(theme)),
            f"{card_name(scene, card)[:NAME]:{NAME}} ",
            (f"{design_of(scene, card):{DESIGN}}", quiet(theme, 2)),
        ]
        if card < len(scene.holders):
            row.append(badge(theme, scene.holders[card].owner))
        rows.append([*row, (" yours", Look(theme["good"]))] if own else row)
    rows = rows or [NO_CARDS]
    if secrets := secrets_row(scene):
        rows += ["", *(str(part) for part in secrets)]
    if sets := sets_held(scene):
        rows += ["", [("Sets you hold", quiet(theme, 2))], *sets]
        rows += ["", "`trade best` trades the one that brings most."]
    if track := track_row(scene):
        rows += ["", track]
    if objectives := objective_rows(scene):
        rows += ["", [("Objectives", quiet(theme, 2))], *objectives]
        rows.append("`objective OB01` claims one when your attacks are over.")
    return rows


def objective_rows(scene: ScreenScene) -> list[Row | str]:
    """The objectives with their rewards: who has claimed each, else how far the viewer is."""
    game, view, theme = scene.game, scene.view, scene.theme
    rows: list[Row | str] = []
    for number, objective in enumerate(game.ruleset.board.objectives):
        lies = int(view.objective[number])
        if lies == ObjectivePlace.BOX:
            continue
        token = int(view.objective_reward[number])
        reward = f" ({reward_name(game, token)})" if token >= 0 else ""
        row: Row = [(f"{objective.id}  ", strong(theme))]
        if lies < game.size:
            row += [badge(theme, game.colours[lies]), " "]
        elif scene.hand:
            done = objective_progress(game.ruleset, view, game.seat(scene.hand), number)
            row.append((f"{min(done.have, done.needed)} of {done.needed}  ", quiet(theme, 2)))
        rows.append([*row, f"{objective.text.rstrip('.')}{reward}"])
    return rows


def sets_held(scene: ScreenScene) -> list[Row | str]:
    """The sets that may be traded now, each with the territory of its two extra armies."""
    found: list[Row | str] = []
    names = names_of(scene.game)
    for one in scene.game.legal_for(scene.asked).ranges if scene.asked else ():
        if isinstance(one.lowest, Trade) and one.lowest.cards:
            cards = ", ".join(names.get(card, "wild") for card in one.lowest.cards)
            on = f", and 2 on {names[one.lowest.bonus]}" if one.lowest.bonus else ""
            found.append(f"  {cards}{on}".replace("\N{NO-BREAK SPACE}", " "))
    return found
