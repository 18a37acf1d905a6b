"""Pieces that every layout has: badges, seats, the prompt with what stands under it, keys."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rubicon.cli.screen.beat import PAUSED
from rubicon.cli.screen.canvas import Canvas, Look, Part, columns
from rubicon.cli.screen.scene import YOU, ScreenScene, SeatFacts
from rubicon.cli.screen.story import Reply
from rubicon.cli.screen.themes import Theme
from rubicon.cli.terminal.display.output import LETTERS
from rubicon.cli.terminal.session import SETUP_PHASES
from rubicon.engine.records.position import Phase

GAP = "   "


def page(width: int, height: int, theme: Theme) -> Canvas:
    """An empty screen: its whole ground is painted."""
    return Canvas(width, height, Look(theme["ink"], theme["paper"]))


def badge(theme: Theme, colour: str, count: str = "") -> Part:
    """A seat's letter on its colour; black has thin edges, to stand out on dark ground."""
    text = LETTERS[colour] + (f" {count}" if count else "")
    edged = colour == "black" and theme.name == "dark"
    look = Look(theme[f"{colour}-on"], theme[colour], bold=True)
    return (f"▕{text}▏" if edged else f" {text} "), look


def solid(theme: Theme, colour: str) -> Look:
    """Signs on a seat's own colour."""
    return Look(theme[f"{colour}-on"], theme[colour], bold=True)


def strong(theme: Theme) -> Look:
    """What you can do or have chosen."""
    return Look(theme["accent-text"], bold=True)


def quiet(theme: Theme, step: int = 3) -> Look:
    """Grey text; step 2 is darker than 3."""
    return Look(theme[f"ink-{step}"])


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
    """The one line where orders are typed: what is typed, the caret, a proposal in grey."""
    theme, line = scene.theme, scene.desk.line
    card = Look(theme["ink"], theme["card"])
    canvas.fill(0, y, width, 1, card)
    colour = scene.asked or next((seat.colour for seat in scene.seats if seat.you), "nobody")
    at = canvas.line(0, y, badge(theme, colour), ("› ", strong(theme)))
    if not scene.asked:
        canvas.put(at, y, scene.waits or "…", quiet(theme))
        return
    room = width - at - 1
    text, cursor = columns(line.text), len(columns(line.text[: line.cursor]))
    first = max(0, cursor - room + 1)
    canvas.put(at, y, text[first : first + room], Look(theme["ink"], bold=True))
    ghost = scene.reading.ghost(line.text) if line.text else scene.proposal
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
        return [*rows, [("  " + hint_of(scene), quiet(theme))]]
    if reading.exact:
        rows = [[("= ", quiet(theme)), reading.exact, ("  " + reading.odds, strong(theme))]]
    else:
        rows = []
    if reading.following:
        rows.append([("Tab: ", strong(theme)), *_offered(scene, width - 8)])
    elif not reading.exact:
        rows.append([("This cannot be understood yet. Enter says why.", quiet(theme))])
    return rows


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
        behind: Part = (f"  {reply.reference}" if reply.reference else "", quiet(theme))
        if first and reply.refused:
            behind = " Nothing was done. Your line stays." if stays else " Nothing was done."
        if parts and len(parts[-1]) + _length(behind) + 3 <= width:
            rows[-1].append(behind)
    return rows


def _said(refused: bool, theme: Theme) -> Look:
    return Look(theme["bad"], bold=True) if refused else Look(theme["ink"])


def hint_of(scene: ScreenScene) -> str:
    """What the phase asks for, in one sentence."""
    choices, phase = scene.desk.choices, scene.game.phase
    if scene.lines is not None:
        return "One order a line. Enter on an empty line carries all of them out."
    if scene.beat:
        return f"You look on: {scene.beat}."
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
    if scene.beat:
        space = "go on" if scene.beat == PAUSED else "pause"
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
