"""The viewer's cards: in one row below the map, and opened over it with the sets they hold."""

from __future__ import annotations

from rubicon.cli.screen.canvas import Canvas, Look, Part
from rubicon.cli.screen.draw.parts import badge, quiet, strong
from rubicon.cli.screen.scene import ScreenScene
from rubicon.cli.terminal.display.codes import map_name
from rubicon.cli.terminal.display.naming import names_of
from rubicon.cli.terminal.display.status import reward_name, set_values
from rubicon.engine.records.choices import Goal, SetValues
from rubicon.engine.records.position import ObjectivePlace
from rubicon.engine.records.tables import Design
from rubicon.rules.actions import Trade
from rubicon.rules.game.progress import mission_progress, objective_progress

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
