"""The panel next to the map: what is to be decided, the last dice, the log."""

from __future__ import annotations

import textwrap
from functools import lru_cache

from rubicon.cli.screen.canvas import Canvas, Look, Part, Theme, quiet, strong
from rubicon.cli.screen.parts import badge, rule, solid
from rubicon.cli.screen.scene import ScreenScene
from rubicon.cli.screen.typed_line import STOPS, battle_at, threat_to
from rubicon.cli.screen.world import neighbours_in
from rubicon.cli.terminal.board import map_name
from rubicon.cli.terminal.choices import percent
from rubicon.cli.terminal.console import LETTERS
from rubicon.cli.terminal.narration import in_short
from rubicon.engine.records import Phase
from rubicon.odds.battle import Battle
from rubicon.rules.events import Rolled
from rubicon.wording import numbered

# What is to be decided, next to the map: armies to place, armies that move in, a defence.

SLIDER = 16  # columns of the bar between the least and the most
MOST_BORDERS = 12  # rows of the table of borders
DANGER = 0.5  # a chance from which a threat stands out


def name_of(scene: ScreenScene, t: int) -> str:
    """A territory as the map shows it."""
    return map_name(scene.game.ruleset.board.territories[t].name)


def figure(scene: ScreenScene, t: int) -> tuple[str, Look]:
    """The owner and the armies of a territory: `B9`."""
    holder = scene.holders[t]
    count = str(holder.armies) if holder.armies >= 0 else "?"
    return f"{LETTERS[holder.owner]}{count}", solid(scene.theme, holder.owner)


def placing(canvas: Canvas, scene: ScreenScene, x: int, y: int, height: int) -> int:
    """The armies of this turn and what threatens each border; returns the row below them."""
    view, desk, theme = scene.view, scene.desk, scene.theme
    seat = scene.game.seat(scene.asked)
    waiting, drafted = int(view.unplaced[seat]), sum(desk.draft.values())
    bold = Look(theme["ink"], bold=True)
    end = canvas.width - 1
    canvas.put(x, y, f"{numbered(waiting, 'army', 'armies')} to place", bold)
    if drafted:
        left = f"{waiting - drafted} left"
        canvas.put(end - len(left), y, left, strong(theme))
    for what, armies in awards(scene):
        y += 1
        canvas.put(x, y, what, quiet(theme, 2))
        canvas.put(end - 3, y, f"{armies:>3}", Look(theme["ink"]))
    return threats(canvas, scene, x, y + 2, height - 6)


def awards(scene: ScreenScene) -> list[tuple[str, int]]:
    """Where the armies of this turn come from; what the sets of cards brought is the rest."""
    view, seat = scene.view, scene.game.seat(scene.asked)
    if scene.game.phase != Phase.REINFORCE or int(view.turn) != seat:
        return []
    items = [
        (numbered(int(view.territories[seat]), "territory", "territories"), view.award_territories),
        ("continents", view.award_continents),
        ("capitals", view.award_capitals),
        ("rewards", view.award_rewards),
    ]
    return [(what, int(armies)) for what, armies in items if int(armies)]


def threats(canvas: Canvas, scene: ScreenScene, x: int, y: int, height: int) -> int:
    """A row for each own territory with enemies next to it, the most of them first."""
    theme, desk = scene.theme, scene.desk
    rows = []
    for t, holder in enumerate(scene.holders):
        if holder.owner != scene.asked:
            continue
        near = neighbours_in(scene.game, t)
        foes = [n for n in near if scene.holders[n].owner not in (scene.asked, "nobody")]
        if foes:
            rows.append((sum(max(0, scene.holders[n].armies) for n in foes), t, foes))
    rows.sort(key=lambda row: -row[0])
    if rows:
        rule(canvas, scene.theme, x - 1, y, canvas.width - x + 1, "Your borders")
        y += 1
        canvas.put(x + 11, y, "armies  enemy  threat", quiet(theme))
    for armies, t, foes in rows[: min(MOST_BORDERS, max(0, height - 5))]:
        y += 1
        strongest = max(foes, key=lambda n: scene.holders[n].armies)
        placed = desk.draft.get(t, 0)
        mark = "▸" if t == desk.selected else " "
        canvas.line(
            x - 1,
            y,
            (mark, strong(theme)),
            f"{name_of(scene, t)[:12]:12}",
            (f"{scene.holders[t].armies:>3}", Look(theme["ink"], bold=True)),
            (f" +{placed}" if placed else "", strong(theme)),
        )
        canvas.line(x + 19, y, figure(scene, strongest), (f" of {armies}", quiet(theme, 2)))
        chance = threat_to(scene.game, scene.view, strongest, t, placed=placed)
        look = Look(theme["bad" if chance >= DANGER else "ink-2"])
        canvas.put(canvas.width - 5, y, f"{percent(chance) if chance else '–':>4}", look)
    if rows:
        for line in ("threat: the strongest neighbour", "takes it, after what you placed"):
            y += 1
            canvas.put(x, y, line, quiet(theme))
    return y + 2


def slider(scene: ScreenScene) -> list[Part]:
    """The number that is chosen between the fewest and the most armies."""
    desk, theme = scene.desk, scene.theme
    low, high = desk.choices.numbers or (1, 1)
    chosen = desk.moved()
    at = round((chosen - low) / (high - low) * SLIDER) if high > low else SLIDER
    return [
        (f"{low} ", quiet(theme)),
        ("━" * at, strong(theme)),
        ("●", strong(theme)),
        ("━" * (SLIDER - at), quiet(theme)),
        (f" {high}", quiet(theme)),
    ]


def moving_in(scene: ScreenScene) -> list[list[Part]]:
    """What was taken, the slider, and who keeps what; [] where no armies move in."""
    desk, theme = scene.desk, scene.theme
    battle = desk.battle()
    if battle is None or desk.choices.number_verb != "advance":
        return []
    source, target = battle
    chosen = desk.moved()
    bold = Look(theme["ink"], bold=True)
    taken: list[Part] = [(f"{scene.game.ruleset.board.territories[target].name} is yours.", bold)]
    for continent in scene.game.ruleset.board.continents:
        whole = all(scene.holders[t].owner == scene.asked for t in continent.territories)
        if target in continent.territories and whole:
            bonus = (f"+{continent.bonus} each turn", Look(theme["good"], bold=True))
            taken += [f" {map_name(continent.name)} whole: ", bonus]
    keeps = int(scene.view.armies[source]) - chosen
    gets = int(scene.view.armies[target]) + chosen
    shares: list[Part] = [
        f"{name_of(scene, source)} keeps ",
        (str(keeps), bold),
        f", {name_of(scene, target)} gets ",
        (str(gets), bold),
    ]
    return [taken, slider(scene), shares]


def defence_rows(scene: ScreenScene) -> list[list[Part]]:
    """The attack that waits for dice: who attacks what, and the odds of each choice."""
    battle = scene.desk.battle()
    if battle is None or not scene.question:
        return []
    theme = scene.theme
    source, target = battle
    attacker, mine = scene.holders[source], scene.holders[target]
    dice = numbered(int(scene.view.attack_dice), "die", "dice")
    head: list[Part] = [
        badge(theme, attacker.owner, str(attacker.armies)),
        f" {name_of(scene, source)} rolls ",
        (dice, Look(theme["ink"], bold=True)),
        " v ",
        badge(theme, mine.owner, str(mine.armies)),
        f" {name_of(scene, target)}",
    ]
    chosen = scene.desk.number or (scene.desk.choices.numbers or (0, 0))[1]
    rows = [head]
    for line in scene.question[1:]:
        text = line.strip().replace(" : ", ": ")
        is_chosen = text.startswith(f"{chosen} di")
        rows.append([(text, strong(theme) if is_chosen else quiet(theme, 2))])
    return rows


# The last roll as dice: the pairs that were compared, the winner of each pair solid.


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

    A die that wins is on its seat's colour.
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


# The panel next to a large map: the battle with its endings, what waits, the log.

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
    """What was ordered in this turn, the last orders first to stay; the row below them."""
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
    """The last lines of the log.

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
    """The rows of a line of the log; the first has the colour that the line begins with."""
    line = in_short(line)
    word = line.split(" ", 1)[0].rstrip(":")
    colour = word if word in LETTERS else ""
    text = line[len(word) :].strip(" :") if colour else line
    parts = textwrap.wrap(text, width)
    return tuple((colour if not number else "", part) for number, part in enumerate(parts))


def _now(canvas: Canvas, scene: ScreenScene, x: int, y: int, height: int) -> int:
    """What is to be decided; returns the row below it."""
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
    """The two territories of a battle, in one row where there is room; the row below them."""
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
