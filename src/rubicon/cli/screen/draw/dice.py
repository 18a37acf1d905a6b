"""The last roll as dice: the pairs that were compared, the winner of each pair solid."""

from __future__ import annotations

from rubicon.cli.screen.canvas import Look, Part
from rubicon.cli.screen.draw.parts import badge, quiet, solid
from rubicon.cli.screen.scene import ScreenScene
from rubicon.cli.screen.themes import Theme
from rubicon.cli.terminal.display.codes import map_name
from rubicon.rules.events import Rolled


def dice_row(scene: ScreenScene) -> list[Part]:
    """The dice of the last roll, the attacker's first; [] where none may be seen."""
    rolled = scene.roll
    if rolled is None or rolled.roll is None:
        return []
    theme = scene.theme
    won = [winner == "attacker" for winner in rolled.winners]
    attack = dice_of(theme, rolled.attacker, rolled.roll.attack, won)
    defend = dice_of(theme, rolled.defender, rolled.roll.defence, [not one for one in won])
    versus = (" v ", quiet(theme))
    return [badge(theme, rolled.attacker), " ", *attack, versus, *defend, " "]


def dice_of(theme: Theme, colour: str, dice: tuple[int, ...], wins: list[bool]) -> list[Part]:
    """One side's dice, the highest first: `[6](4) 2` won a pair, lost one, was in none.

    A die that wins stands on its seat's colour.
    """
    parts: list[Part] = []
    for number, value in enumerate(sorted(dice, reverse=True)):
        if number >= len(wins):
            parts.append((f" {value} ", quiet(theme)))
        elif wins[number]:
            look = solid(theme, colour)._replace(reverse=not theme.colours)
            parts.append((f"[{value}]", look))
        else:
            parts.append((f"({value})", quiet(theme, 2)))
    return parts


def losses(scene: ScreenScene) -> list[Part]:
    """What the last roll cost: `Mateo −1, you −1`."""
    rolled = scene.roll
    if rolled is None:
        return []
    theme = scene.theme
    sides = ((rolled.defender, rolled.defender_lost), (rolled.attacker, rolled.attacker_lost))
    parts: list[Part] = []
    for colour, lost in sides:
        if lost:
            look = Look(theme["bad"] if is_own(scene, colour) else theme["ink"], bold=True)
            parts += [", "] * bool(parts) + [f"{who(scene, colour)} ", (f"−{lost}", look)]
    return parts or ["no losses"]


def place(scene: ScreenScene, rolled: Rolled) -> str:
    """Where the roll was."""
    names = {t.id: map_name(t.name) for t in scene.game.ruleset.board.territories}
    return f"{names.get(rolled.source, rolled.source)} → {names.get(rolled.target, rolled.target)}"


def is_own(scene: ScreenScene, colour: str) -> bool:
    """Whether a seat is the viewer's."""
    return any(seat.you and seat.colour == colour for seat in scene.seats)


def who(scene: ScreenScene, colour: str) -> str:
    """A seat as the viewer calls it."""
    if is_own(scene, colour):
        return "you"
    return next((seat.name for seat in scene.seats if seat.colour == colour), colour)
