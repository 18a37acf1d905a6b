"""The panel beside a large map: the battle with its endings, what waits, the log."""

from __future__ import annotations

import textwrap
from functools import lru_cache

from rubicon.cli.screen.canvas import Canvas, Look
from rubicon.cli.screen.draw.dice import last_roll
from rubicon.cli.screen.draw.parts import badge, quiet, strong
from rubicon.cli.screen.odds import STOPS, battle_at
from rubicon.cli.screen.scene import ScreenScene
from rubicon.cli.terminal.display.codes import map_name
from rubicon.cli.terminal.display.defence import percent
from rubicon.cli.terminal.display.output import LETTERS
from rubicon.odds.battle import Battle

EIGHTHS = " ▁▂▃▄▅▆▇█"
BARS = 8  # endings that are shown one by one
BAR = 4  # columns of a bar
CHART = 4  # rows of the highest bar


def rule(canvas: Canvas, scene: ScreenScene, x: int, y: int, width: int, title: str = "") -> None:
    """A line across, with a title."""
    canvas.put(x, y, "─" * width, Look(scene.theme["line"]))
    if title:
        canvas.put(x + 1, y, f" {title} ", quiet(scene.theme, 2))


def panel(canvas: Canvas, scene: ScreenScene, x: int, y: int, height: int) -> None:
    """The whole panel, from row `y` down."""
    width = canvas.width - x
    end = y + height
    y = last_roll(canvas, scene, x + 1, _now(canvas, scene, x, y))
    rule(canvas, scene, x, y, width, "Log")
    log(canvas, scene, x + 1, y + 1, end - y - 1)


def log(canvas: Canvas, scene: ScreenScene, x: int, y: int, height: int) -> None:
    """The last lines of the story.

    It moves up by a third of its height at once: so most new lines change no other row, and little
    is sent to the terminal.
    """
    width = canvas.width - x - 1
    rows = [row for line in scene.events for row in log_rows(line, max(10, width - 4))]
    step = max(1, height // 3)
    first = max(0, -(-(len(rows) - height) // step) * step)
    for row, (colour, text) in enumerate(rows[first:]):
        if colour:
            canvas.line(x, y + row, badge(scene.theme, colour))
        canvas.put(x + 4, y + row, text, Look(scene.theme["ink"] if colour else None))


@lru_cache(maxsize=2048)
def log_rows(line: str, width: int) -> tuple[tuple[str, str], ...]:
    """The rows of a line of the story; the first has the colour that the line begins with."""
    word = line.split(" ", 1)[0].rstrip(":")
    colour = word if word in LETTERS else ""
    text = line[len(word) :].strip(" :") if colour else line
    parts = textwrap.wrap(text, width) or [""]
    return tuple((colour if not number else "", part) for number, part in enumerate(parts))


def _now(canvas: Canvas, scene: ScreenScene, x: int, y: int) -> int:
    """What is to be decided; returns the row behind it."""
    desk = scene.desk
    if scene.question:
        for line in scene.question:
            for part in textwrap.wrap(line, canvas.width - x - 2):
                canvas.put(x + 1, y, part)
                y += 1
        return y + 1
    source, target = desk.selected, desk.target
    if not scene.asked or source is None or target not in desk.choices.attacks.get(source, ()):
        return y
    assert target is not None
    return _battle(canvas, scene, x + 1, y, source, target)


def _side(canvas: Canvas, scene: ScreenScene, x: int, y: int, t: int) -> int:
    name = map_name(scene.game.ruleset.board.territories[t].name)
    holder = scene.holders[t]
    look = Look(scene.theme["ink"], bold=True)
    return canvas.line(
        x, y, badge(scene.theme, holder.owner, str(holder.armies)), (f" {name}", look)
    )


def _battle(canvas: Canvas, scene: ScreenScene, x: int, y: int, source: int, target: int) -> int:
    theme = scene.theme
    at = _side(canvas, scene, x, y, source)
    canvas.put(at, y, " →", strong(theme))
    _side(canvas, scene, x, y + 1, target)
    found = battle_at(scene.game, scene.view, source, target, scene.desk.stop.stop)
    if found is None:
        return y + 3
    lost, killed = found.expected_attack_losses, found.expected_defend_losses
    bold = Look(theme["ink"], bold=True)
    canvas.line(x, y + 3, (percent(found.win), bold), " to take it")
    canvas.put(x, y + 4, f"lose {lost:.1f}, kill {killed:.1f} on average", quiet(theme, 2))
    _chart(canvas, scene, x, y + 5, found)
    canvas.put(x, y + 7 + CHART, "armies you have left", quiet(theme))
    at = canvas.line(x, y + 8 + CHART, ("stop ", quiet(theme, 2)), ("[", strong(theme)))
    for stop in STOPS:
        chosen = stop.name == scene.desk.stop.name
        look = Look(theme["on-accent"], theme["accent"], True, not theme.colours)
        at = canvas.line(at, y + 8 + CHART, (f" {stop.name} ", look if chosen else quiet(theme, 2)))
    canvas.put(at, y + 8 + CHART, "]", strong(theme))
    return y + 10 + CHART


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
