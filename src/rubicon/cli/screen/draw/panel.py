"""The panel beside a large map: the battle with its endings, what waits, the log."""

from __future__ import annotations

import textwrap
from functools import lru_cache

from rubicon.cli.screen.canvas import Canvas, Look, Part
from rubicon.cli.screen.draw.decisions import moving_in, name_of, placing
from rubicon.cli.screen.draw.dice import dice_row, losses
from rubicon.cli.screen.draw.parts import badge, quiet, rule, strong
from rubicon.cli.screen.odds import STOPS, battle_at
from rubicon.cli.screen.scene import ScreenScene
from rubicon.cli.screen.themes import Theme
from rubicon.cli.terminal.display.defence import percent
from rubicon.cli.terminal.display.narration import in_short
from rubicon.cli.terminal.display.output import LETTERS
from rubicon.odds.battle import Battle

EIGHTHS = " ▁▂▃▄▅▆▇█"
BARS = 8  # endings that are shown one by one
BAR = 4  # columns of a bar
CHART = 4  # rows of the highest bar
NEVER = 0.005  # a chance below it is not told
LEAST_LOG = 8  # rows that the log keeps
MOST_ORDERS = 6  # rows of the orders of a turn


def panel(canvas: Canvas, scene: ScreenScene, x: int, y: int, height: int) -> None:
    """The whole panel, from row `y` down."""
    width = canvas.width - x
    end = y + height
    y = _now(canvas, scene, x + 1, y + 1, height)
    if dice := dice_row(scene):
        rule(canvas, scene.theme, x, y, width, "Last roll")
        canvas.line(x + 1, y + 1, *dice)
        canvas.line(x + 1, y + 2, *losses(scene))
        y += 4
    if scene.done and end - y > LEAST_LOG:
        y = orders(canvas, scene, x, y, end - y - LEAST_LOG)
    rule(canvas, scene.theme, x, y, width, "Log")
    log(canvas, scene, x + 1, y + 1, end - y - 1)


def orders(canvas: Canvas, scene: ScreenScene, x: int, y: int, height: int) -> int:
    """What was ordered in this turn, the last orders first to stay; the row behind them."""
    theme, width = scene.theme, canvas.width - x - 6
    rule(canvas, scene.theme, x, y, canvas.width - x, "Your orders")
    rows: list[tuple[str, str]] = []
    for number, order in enumerate(scene.done, 1):
        parts = textwrap.wrap(order, width) or [""]
        rows += [(f"{number:>2} " if not k else "   ", part) for k, part in enumerate(parts)]
        rows[-1] = rows[-1][0], f"{rows[-1][1]} ✓"
    for label, text in rows[-max(1, min(MOST_ORDERS, height)) :]:
        y += 1
        canvas.line(x + 1, y, (label, quiet(theme)), text.removesuffix("✓"))
        if text.endswith("✓"):
            canvas.put(canvas.width - 3, y, "✓", Look(theme["good"]))
    return y + 2


def log(canvas: Canvas, scene: ScreenScene, x: int, y: int, height: int) -> None:
    """The last lines of the story.

    It moves up by a third of its height at once: so most new lines change no other row, and little
    is sent to the terminal.
    """
    theme, width = scene.theme, canvas.width - x - 1
    rows = [row for line in scene.events for row in log_rows(line, max(10, width - 4))]
    step = max(1, height // 3)
    first = max(0, -(-(len(rows) - height) // step) * step)
    for row, (colour, text) in enumerate(rows[first:]):
        if colour:
            canvas.line(x, y + row, badge(theme, colour))
            canvas.put(x + 4, y + row, text, quiet(theme, 2))
        elif text:
            canvas.put(x + 4, y + row, text, quiet(theme, 2))


@lru_cache(maxsize=2048)
def log_rows(line: str, width: int) -> tuple[tuple[str, str], ...]:
    """The rows of a line of the story; the first has the colour that the line begins with."""
    line = in_short(line)
    word = line.split(" ", 1)[0].rstrip(":")
    colour = word if word in LETTERS else ""
    text = line[len(word) :].strip(" :") if colour else line
    parts = textwrap.wrap(text, width)
    return tuple((colour if not number else "", part) for number, part in enumerate(parts))


def _now(canvas: Canvas, scene: ScreenScene, x: int, y: int, height: int) -> int:
    """What is to be decided; returns the row behind it."""
    desk, width = scene.desk, canvas.width - x - 1
    if not scene.asked:
        return y - 1
    if scene.question:
        for line in scene.question:
            for part in textwrap.wrap(line, width, subsequent_indent="  "):
                canvas.put(x, y, part)
                y += 1
        return y + 1
    if rows := moving_in(scene):
        for row in rows:
            y = canvas.wrapped(x, y, width, *row) + 1
        return y + 1
    if desk.choices.places and int(scene.view.round_number):
        return placing(canvas, scene, x, y, height // 2 + 2)
    source, target = desk.selected, desk.target
    if source is None or target is None or target not in desk.choices.attacks.get(source, ()):
        return y - 1
    return _battle(canvas, scene, x, y, source, target)


def _sides(canvas: Canvas, scene: ScreenScene, x: int, y: int, pair: tuple[int, int]) -> int:
    """The two territories of a battle, in one row where there is room; the row behind them."""
    bold = Look(scene.theme["ink"], bold=True)
    parts: list[tuple[Part, Part]] = []
    for t in pair:
        holder = scene.holders[t]
        count = str(holder.armies) if holder.armies >= 0 else "?"
        parts.append((badge(scene.theme, holder.owner, count), (f" {name_of(scene, t)}", bold)))
    (one, source), (other, target) = parts
    arrow: Part = (" → ", strong(scene.theme))
    if x + sum(len(part[0]) for part in (one, source, arrow, other, target)) <= canvas.width:
        canvas.line(x, y, one, source, arrow, other, target)
        return y + 1
    canvas.line(x, y, one, source, arrow)
    canvas.line(x, y + 1, other, target)
    return y + 2


def _battle(canvas: Canvas, scene: ScreenScene, x: int, y: int, source: int, target: int) -> int:
    theme, stop = scene.theme, scene.desk.stop
    y = _sides(canvas, scene, x, y, (source, target)) + 1
    found = battle_at(scene.game, scene.view, source, target, stop.stop)
    if found is None:
        return y
    lost, killed = found.expected_attack_losses, found.expected_defend_losses
    bold = Look(theme["ink"], bold=True)
    canvas.line(x, y, (percent(found.win), bold), " to take it, ", *_average(theme, lost, killed))
    held = 1 - found.win
    if held >= NEVER:
        ends = "you stop first, they hold" if stop.stop != STOPS[-1].stop else "they hold"
        canvas.put(x, y + 1, f"{percent(held)} {ends}", quiet(theme, 2))
    y += 2
    _chart(canvas, scene, x, y, found)
    y += CHART + 2
    canvas.put(x, y, "armies you have left", quiet(theme))
    at = canvas.line(x, y + 1, ("stop ", quiet(theme, 2)), ("[", strong(theme)))
    for choice in STOPS:
        chosen = choice.name == stop.name
        look = Look(theme["on-accent"], theme["accent"], True, not theme.colours)
        at = canvas.line(at, y + 1, (f" {choice.name} ", look if chosen else quiet(theme, 2)))
    canvas.put(at, y + 1, "]", strong(theme))
    return y + 3


def _average(theme: Theme, lost: float, killed: float) -> list[Part]:
    """The armies that a battle costs on average."""
    return [(f"−{lost:.1f}, kills {killed:.1f}", quiet(theme, 2))]


def endings(found: Battle[float]) -> list[tuple[str, float, float]]:
    """The armies left with the chance that they took it, and that they did not; the most first.

    The smallest numbers are one bar, if there are more than BARS.
    """
    won: dict[int, float] = {}
    held: dict[int, float] = {}
    for line in found.lines:
        one = won if line.defend == 0 else held
        one[line.attack] = one.get(line.attack, 0.0) + float(line.chance)
    numbers = sorted({*won, *held}, reverse=True)
    kept = numbers if len(numbers) <= BARS else numbers[: BARS - 1]
    bars = [(str(n), won.get(n, 0.0), held.get(n, 0.0)) for n in kept]
    if rest := numbers[len(kept) :]:
        bars.append(
            (f"≤{rest[0]}", sum(won.get(n, 0) for n in rest), sum(held.get(n, 0) for n in rest))
        )
    return bars


def _chart(canvas: Canvas, scene: ScreenScene, x: int, y: int, found: Battle[float]) -> None:
    bars = endings(found)
    most = max(won + held for _, won, held in bars) or 1.0
    colour = scene.theme[scene.asked]
    for number, (label, won, held) in enumerate(bars):
        at = x + number * BAR
        full = round((won + held) / most * CHART * 8)
        look = Look(colour if won >= held else scene.theme["ink-3"])
        for row in range(-(-full // 8)):
            fill = min(8, full - 8 * row)
            sign = EIGHTHS[fill] if won >= held else "▒" if fill > 3 else "▁"
            canvas.put(at, y + CHART - row, sign * (BAR - 1), look)
        if won + held >= 0.005:
            top = y + CHART - max(1, -(-full // 8))
            canvas.put(at, top, f"{round(100 * (won + held)):>2}", quiet(scene.theme, 2))
        canvas.put(at, y + CHART + 1, f"{label:>2}", Look(scene.theme["ink"]))
