"""What `?` shows: the keys that do something now, and how an order is written."""

from __future__ import annotations

from rubicon.cli.screen.canvas import Part
from rubicon.cli.screen.draw.parts import quiet, strong
from rubicon.cli.screen.scene import ScreenScene

KEY, HALF = 11, 38  # columns of a key, and of the first of two columns
ALWAYS = (
    ("F2", "the map, or your borders"),
    ("F4", "cards, sets and mission"),
    ("F5", "log, with all dice"),
    ("F6", "chat line, on a server"),
    ("F7", "standing order for your defence"),
    ("F8", "odds of the line or proposal"),
    ("F9", "a whole turn, looked ahead"),
    ("Esc", "clear, close; twice: leave"),
)
WATCHED = (
    ("Space", "pauses, and goes on"),
    ("+ and −", "faster, slower"),
    ("F2", "the map, or the log"),
    ("F5", "log, with all dice"),
    ("Esc", "leaves"),
)
EXAMPLES = (
    ("att ukr > neu until left 3", "until it falls, or 3 are left"),
    ("att ukr > neu until odds < 40%", "or until rounds 4, lost 5, won"),
    ("att ukr > ural > china", "along a path"),
    ("dep 3 ukr, rest ice", "several places at once"),
    ("fort ice > sca all but 1", "or a number"),
)


def keys_now(scene: ScreenScene) -> list[tuple[str, str]]:
    """The keys for the decision of now."""
    choices = scene.desk.choices
    found = []
    if scene.proposal:
        found.append(("Enter", f"{scene.proposal.split()[0].lower()}: the grey order"))
    if choices.attacks:
        found += [("Space", "roll once"), ("[ and ]", "stop earlier, later")]
    if choices.sources():
        found += [("Tab", "next target, or territory"), ("arrows", "the neighbour that way")]
    if choices.numbers:
        found += [("← →", "one less, one more"), ("Home, End", "fewest, most")]
    elif choices.places or choices.moves:
        found.append(("+ and −", "one army more, or less"))
    if choices.end:
        found.append((".", choices.end))
    return [*found, ("Backspace", "take back, to the last die"), ("letters", "begin an order")]


def help_rows(scene: ScreenScene) -> list[list[Part] | str]:
    """The two columns of keys, then the words."""
    theme = scene.theme
    if scene.beat:
        return [[(f"{key:{KEY}}", strong(theme)), (does, quiet(theme, 2))] for key, does in WATCHED]
    left, right = keys_now(scene), ALWAYS
    rows: list[list[Part] | str] = []
    for number in range(max(len(left), len(right))):
        row: list[Part] = []
        for column, keys in enumerate((left, right)):
            if number < len(keys):
                key, meaning = keys[number]
                row += [" " * (HALF * column - _width(row))] if column else []
                row += [(f"{key:{KEY - 5 * column}}", strong(theme)), (meaning, quiet(theme, 2))]
        rows.append(row)
    rows += [
        "",
        [("Orders", strong(theme)), ("  the same words as by e-mail and on the web", quiet(theme))],
    ]
    rows += [[f"  {order:32}", (meaning, quiet(theme, 2))] for order, meaning in EXAMPLES]
    rows += ["  `help` lists all words, `help attack` explains one, `rules` has the rulebook."]
    return rows


def _width(row: list[Part]) -> int:
    return sum(len(part if isinstance(part, str) else part[0]) for part in row)
