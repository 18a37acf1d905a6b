"""The last roll as dice: the pairs that were compared, the winner of each pair solid."""

from __future__ import annotations

from rubicon.cli.screen.canvas import Canvas, Look
from rubicon.cli.screen.scene import ScreenScene
from rubicon.cli.screen.themes import Theme


def last_roll(canvas: Canvas, scene: ScreenScene, x: int, y: int) -> int:
    """Draw the dice and the losses of the last roll; returns the row behind it."""
    rolled = scene.roll
    if rolled is None or rolled.roll is None:
        return y
    theme = scene.theme
    attack, defend = rolled.roll.attack, rolled.roll.defence
    won = [winner == "attacker" for winner in rolled.winners]
    sides = (
        (rolled.attacker, sorted(attack, reverse=True), won),
        (rolled.defender, sorted(defend, reverse=True), [not one for one in won]),
    )
    quiet = Look(theme["ink-2"])
    for row, (colour, dice, wins) in enumerate(sides):
        at = canvas.put(x, y + row, f"{colour:8}", quiet)
        for number, value in enumerate(dice):
            compared = number < len(wins)
            look = die_look(theme, colour, solid=compared and wins[number])
            at = canvas.put(at, y + row, f" {value} " if compared else f"({value})", look) + 1
        lost = (rolled.attacker_lost, rolled.defender_lost)[row]
        canvas.put(x + 21, y + row, f"−{lost}" if lost else "", Look(theme["bad"], bold=True))
    return y + 3


def die_look(theme: Theme, colour: str, *, solid: bool) -> Look:
    """A die that wins its pair stands on its seat's colour, any other is drawn as text."""
    if not solid:
        return Look(theme["ink-3"])
    return Look(theme[f"{colour}-on"], theme[colour], bold=True, reverse=not theme.colours)
