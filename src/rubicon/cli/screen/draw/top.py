"""The first row: the game, the phases of a turn, the clock of whoever is to move."""

from __future__ import annotations

from rubicon.cli.screen.canvas import Canvas, Look, Part
from rubicon.cli.screen.draw.parts import quiet, strong
from rubicon.cli.screen.scene import ScreenScene
from rubicon.engine.records.position import Phase
from rubicon.rules.game.situation import capital_due, phase_shown, phase_words

TRACKED = 80  # columns from which all phases of a turn are shown, not only that of now
SETUP, TURN = ("Claim", "Place", "Play"), ("Reinforce", "Attack", "Fortify")
STEPS = {
    Phase.CLAIM: (SETUP, 0),
    Phase.PLACE: (SETUP, 1),
    Phase.SEALED: (SETUP, 1),
    Phase.REINFORCE: (TURN, 0),
    Phase.ATTACK: (TURN, 1),
    Phase.OCCUPY: (TURN, 1),
    Phase.TRADE: (TURN, 1),
    Phase.FORTIFY: (TURN, 2),
}
GAP = "  "


def steps_of(scene: ScreenScene) -> tuple[tuple[str, ...], int]:
    """The phases that follow one another, and which of them it is; a single one stands alone."""
    game, view = scene.game, scene.view
    if game.over:
        return ("Game over",), 0
    phase = phase_shown(view)
    words = phase_words(game.ruleset, view)
    single = words[:1].upper() + words[1:]
    if phase == Phase.DEFEND and not scene.asked:
        phase = Phase.ATTACK  # of the player who is looked at
    if phase == Phase.HEADQUARTERS or capital_due(game.ruleset, view):
        return (single, "Place", "Play"), 0
    return STEPS.get(phase, ((single,), 0))


def track(scene: ScreenScene, *, whole: bool) -> list[Part]:
    """The phases: what is over has a tick, that of now stands out."""
    theme = scene.theme
    names, now = steps_of(scene)
    chosen = Look(theme["on-accent"], theme["accent"], bold=True, reverse=not theme.colours)
    seen = chosen if scene.asked else Look(theme["ink"], bold=True)
    parts: list[Part] = []
    for number, name in enumerate(names):
        if number == now:
            parts += [(f" {name} ", seen), GAP]
        elif whole:
            text = f"✓ {name}" if number < now else name
            parts += [(text, quiet(theme)), GAP]
    return parts[:-1] if parts else []


def width_of(parts: list[Part]) -> int:
    """The columns of parts."""
    return sum(len(part if isinstance(part, str) else part[0]) for part in parts)


def title_of(scene: ScreenScene) -> str:
    """The rules, the board unless it is the world, and the round."""
    game = scene.game
    board = game.ruleset.board.name
    number = int(scene.view.round_number)
    parts = [
        game.ruleset.title,
        "" if board == "World" else board,
        f"round {number}" if number else "set-up",
    ]
    return " · ".join(part for part in parts if part)


def clock_of(scene: ScreenScene) -> str:
    """The clock of the seat that is asked, else of the one whose turn it is."""
    own = (seat.clock for seat in scene.seats if seat.colour == scene.asked)
    return next(own, "") or next((seat.clock for seat in scene.seats if seat.active), "")


def top_line(canvas: Canvas, scene: ScreenScene) -> None:
    """Draw the row."""
    theme = scene.theme
    end = canvas.width - 1
    if clock := clock_of(scene):
        end -= len(clock)
        canvas.put(end, 0, clock, strong(theme))
        end -= len(GAP)
    parts = track(scene, whole=canvas.width >= TRACKED)
    start = end - width_of(parts)
    name = "Rubicon" + GAP if canvas.width >= TRACKED else ""
    title = title_of(scene)
    if start < len("▚ " + name + title) + 2:
        name = ""
    room = max(0, start - len("▚ " + name) - 2)
    canvas.line(1, 0, ("▚ " + name, strong(theme)), (title[:room], quiet(theme, 2)))
    canvas.line(start, 0, *parts)
