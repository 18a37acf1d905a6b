"""What is to be decided, beside the map: armies to place, armies that move in, a defence."""

from __future__ import annotations

from rubicon.cli.screen.canvas import Canvas, Look, Part
from rubicon.cli.screen.draw.parts import badge, quiet, rule, solid, strong
from rubicon.cli.screen.map.tints import neighbours_in
from rubicon.cli.screen.odds import threat_to
from rubicon.cli.screen.scene import ScreenScene
from rubicon.cli.terminal.display.codes import map_name
from rubicon.cli.terminal.display.defence import percent
from rubicon.cli.terminal.display.output import LETTERS
from rubicon.engine.records.position import Phase
from rubicon.wording import numbered

SLIDER = 16  # columns of the bar between the least and the most
MOST_BORDERS = 12  # rows of the table of borders
DANGER = 0.5  # a chance from which a threat stands out


def name_of(scene: ScreenScene, t: int) -> str:
    """A territory as it stands on the map."""
    return map_name(scene.game.ruleset.board.territories[t].name)


def figure(scene: ScreenScene, t: int) -> tuple[str, Look]:
    """The owner and the armies of a territory: `B9`."""
    holder = scene.holders[t]
    count = str(holder.armies) if holder.armies >= 0 else "?"
    return f"{LETTERS[holder.owner]}{count}", solid(scene.theme, holder.owner)


def placing(canvas: Canvas, scene: ScreenScene, x: int, y: int, height: int) -> int:
    """The armies of this turn and what threatens each border; returns the row behind them."""
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
    """A row for each own territory with enemies beside it, the most of them first."""
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
