"""The state of the game in an e-mail: borders, income, cards, everybody, territories, the dice."""

from __future__ import annotations

from collections.abc import Iterator

from rubicon.engine.phases.cards import next_set_value, set_value
from rubicon.engine.records.choices import BonusCap, DefendDiceCap, Goal, SetCounter, SetValues
from rubicon.engine.records.position import NONE, ObjectivePlace, Phase
from rubicon.mail.writing.borders import borders_of
from rubicon.mail.writing.forms import Form
from rubicon.mail.writing.layout.document import (
    Block,
    Chips,
    FactTable,
    Inline,
    Link,
    Panel,
    Paragraph,
    Strong,
    Tile,
    Words,
)
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.seats import LETTERS, NEUTRAL_COLOUR
from rubicon.server.mail.messages import FINGERPRINT_DIGITS
from rubicon.wording import listed

MOST_BORDERS = 60  # rows of the table
NEXT_SETS = 5


def borders_panel(scene: Scene) -> Panel:
    """How many armies take each neighbour with a chance of 75 % and of 95 %."""
    if not scene.round or scene.view.phase == Phase.DEFEND:
        return Panel(())
    rows: list[tuple[Words, ...]] = []
    before = -1
    for border in list(borders_of(scene))[:MOST_BORDERS]:
        mine: Words = ""
        if border.own != before:
            name = scene.board.territories[border.own].name
            tile = Tile(scene.you, scene.armies(border.own), scene.armies(border.own))
            mine = (Strong(name), " ", tile)
        other = scene.board.territories[border.other].name
        owner = scene.owner(border.other)
        tile = scene.tile(border.other)
        shown = Tile(tile.colour, tile.text, scene.armies(border.other))
        theirs: tuple[Inline, ...] = (shown, f" {other}")
        if owner != NEUTRAL_COLOUR and owner in scene.seats.names:
            theirs += (f", {scene.seats.names[owner]}",)
        elif owner == NEUTRAL_COLOUR:
            theirs += (f", {scene.seats.outsiders.removeprefix('the ')}",)
        needed = ["many" if n is None else str(n) for n in border.needed]
        rows.append((mine, theirs, *needed))
        before = border.own
    if not rows:
        return Panel(())
    table = FactTable(tuple(rows), ("yours", "theirs", "75\u00a0%", "95\u00a0%"), frozenset({2, 3}))
    note = "How many armies take it with a chance of 75 % and of 95 %, the one that stays included."
    return Panel((Paragraph(f"{note} {_defence(scene)}", quiet=True), table), "Your borders")


def _defence(scene: Scene) -> str:
    if scene.snapshot.ruleset.rules.defend_dice_cap == DefendDiceCap.TWO_ALWAYS:
        return "Defenders roll two dice, even with one army."
    return "Defenders are taken to roll as many dice as they may."


def income_panel(scene: Scene, form: Form) -> Panel:
    """The armies of this turn, item by item (S002-14)."""
    view = scene.view
    if view.phase != Phase.REINFORCE or view.turn != scene.game.seat(scene.you):
        return Panel(())
    rules = scene.snapshot.ruleset.rules
    held = len(scene.own())
    rows: list[tuple[Words, ...]] = []
    least = int(rules.reinforce_min)
    for_land = int(view.award_territories)
    plain = for_land == max(held // 3, least)  # else cities count, or the award was judged before
    why = f"{held} / 3 = {held // 3}, and never fewer than {least}" if plain else ""
    what = "territories and cities" if rules.setup_cities else "territories"
    rows.append((f"{held} {what}" if plain else what, why, f"+{for_land}"))
    continents = int(view.award_continents)
    if continents:
        rows.append((_continents(scene), "all of it is yours", f"+{continents}"))
    if int(view.award_capitals):
        rows.append(("capitals", "", f"+{int(view.award_capitals)}"))
    if int(view.award_rewards):
        rows.append(("rewards", "", f"+{int(view.award_rewards)}"))
    trade = next((line for line in form.due if line.startswith("Trade") and "like" not in line), "")
    if trade:
        sets = int(view.sets) + 1
        worth = trade.rpartition("worth ")[2].removesuffix(" armies.")
        rows.append(("the set that you must trade", f"set {sets} of this game", f"+{worth}"))
    total = sum(int(str(row[2])) for row in rows)
    return Panel((FactTable(tuple(rows), (), frozenset({2})),), f"Your {total} armies")


def _continents(scene: Scene) -> str:
    own = set(scene.own())
    whole = [c.name for c in scene.board.continents if own.issuperset(c.territories)]
    return listed(whole) or "continents, when your last turn ended"


def cards_panel(scene: Scene) -> Panel:
    """The recipient's cards and what sets are worth."""
    hand = scene.hand(scene.you)
    rules = scene.snapshot.ruleset.rules
    tables = scene.snapshot.ruleset.tables
    if not scene.round:
        return Panel(())
    cards = scene.game.cards
    stars = rules.cards_values == SetValues.STARS
    rows: list[tuple[Words, ...]] = []
    for card in hand:
        n = cards.index(card)
        what = f"{int(tables.stars[n])} stars" if stars else _design(scene, n)
        rows.append((Strong(scene.territory(card)), what))
    blocks: list[Block] = [FactTable(tuple(rows), (), frozenset({1}))] if rows else []
    mine = {scene.game.territories[t] for t in scene.own()}
    pictured = [scene.territory(card) for card in hand if card in mine]
    if not hand:
        blocks.append(Paragraph("You hold no cards.", quiet=True))
    elif rules.cards_territory_bonus and pictured:
        once = "one set" if rules.cards_territory_bonus_cap == BonusCap.PER_TURN_2 else "a set"
        verb = "is" if len(pictured) == 1 else "are"
        said = f"{listed(pictured)} {verb} yours: such a card in {once} adds two armies there."
        blocks.append(Paragraph(said, quiet=True))
    if not stars:
        blocks.append(Paragraph(f"Next sets: {', '.join(map(str, _values(scene)))}.", quiet=True))
    number = "card" if len(hand) == 1 else "cards"
    return Panel(tuple(blocks), f"Your {len(hand)} {number}" if hand else "Your cards")


def _design(scene: Scene, card: int) -> str:
    names = ("infantry", "cavalry", "artillery", "wild: any design")
    return names[min(int(scene.snapshot.ruleset.tables.design[card]), 3)]


def _values(scene: Scene) -> list[int]:
    rules, view = scene.snapshot.ruleset.rules, scene.view
    seat = scene.game.seat(scene.you)
    own = rules.cards_counter == SetCounter.PER_PLAYER
    traded = int(view.sets_by_seat[seat]) if own else int(view.sets)
    values = [int(set_value(rules, traded + n)) for n in range(NEXT_SETS)]
    assert values[0] == int(next_set_value(view, rules, seat))
    return values


def secrets_panel(scene: Scene) -> list[Panel]:
    """What only the recipient knows, or has to reach: mission, headquarters, objectives."""
    view, board = scene.view, scene.board
    seat = scene.game.seat(scene.you)
    blocks: list[Block] = []
    rules = scene.snapshot.ruleset.rules
    if rules.missions_in_play and view.mission[seat] >= 0:
        mission = board.missions[int(view.mission[seat])]
        text = mission.text
        if view.mission_fallback[seat]:
            text = f"{text} That is no longer possible: hold {board.mission_fallback} territories."
        blocks.append(Paragraph((Strong("Your mission: "), text)))
    if view.capital[seat] != NONE and view.capital[seat] >= 0:
        home = "headquarters" if rules.victory_goal == Goal.HEADQUARTERS else "capital"
        blocks.append(Paragraph(f"Your {home}: {board.territories[int(view.capital[seat])].name}."))
    for number, objective in enumerate(board.objectives):
        if rules.objectives_in_play and number < len(view.objective):
            place = int(view.objective[number])
            if place == ObjectivePlace.FACE_UP:
                blocks.append(Paragraph(f"{objective.id}, to claim: {objective.text}", quiet=True))
            elif 0 <= place < scene.game.size:
                who = scene.seats.listed(scene.game.colours[place])
                blocks.append(Paragraph(f"{objective.id}, {who}: {objective.text}", quiet=True))
    return [Panel(tuple(blocks), "Your aims")] if blocks else []


def everybody_panel(scene: Scene) -> Panel:
    """Armies, territories, cards and the next award of every seat."""
    note: list[Block] = []
    if scene.snapshot.ruleset.options["cards.visibility"] == "public":
        link = Link("on the card pages", f"{scene.url}/cards", shown=True)
        note = [Paragraph(("Everybody's cards lie open ", link), quiet=True)]
    return Panel((everybody_table(scene), *note), "Everybody")


def everybody_table(scene: Scene) -> FactTable:
    """The table of `everybody_panel`."""
    rows: list[tuple[Words, ...]] = []
    for colour in scene.game.colours:
        name = scene.seats.names[colour]
        mark = scene.seats.listed(colour).removeprefix(name)
        who: Words = (Tile(colour, said=LETTERS[colour]), " ", Strong(name), mark)
        if scene.is_out(colour):
            rows.append((who, "out", "", "", ""))
            continue
        award = f"+{scene.income_of(colour).total}" if scene.round else ""
        numbers = len(scene.held_by(colour)), scene.hand_size(colour)
        rows.append((who, scene.armies_of(colour), str(numbers[0]), str(numbers[1]), award))
    if scene.held_by(NEUTRAL_COLOUR):
        name = scene.seats.listed(NEUTRAL_COLOUR)
        held = str(len(scene.held_by(NEUTRAL_COLOUR)))
        tile = Tile(NEUTRAL_COLOUR, said="*")
        rows.append(((tile, " ", Strong(name)), scene.armies_of(NEUTRAL_COLOUR), held, "", ""))
    head = ("", "armies", "terr.", "cards", "award")
    return FactTable(tuple(rows), head, frozenset({1, 2, 3, 4}))


def territories_panel(scene: Scene) -> Panel:
    """All territories as tiles, for HTML."""
    chips = []
    for continent in scene.board.continents:
        tiles = [(scene.tile(t), scene.board.territories[t].name) for t in continent.territories]
        chips.append(Chips(f"{continent.name} +{continent.bonus}", tuple(tiles)))
    return Panel(tuple(chips), f"All {len(scene.board.territories)} territories")


def neighbours_panel(scene: Scene) -> Panel:
    """All territories with their neighbours, for plain text."""
    count = len(scene.board.territories)
    table = FactTable(tuple(_neighbour_rows(scene)))
    return Panel((table,), f"All {count} territories and their neighbours")


def _neighbour_rows(scene: Scene) -> Iterator[tuple[Words, ...]]:
    for continent in scene.board.continents:
        yield (f"{continent.name}, +{continent.bonus}",)
        for t in continent.territories:
            beside = ", ".join(scene.short[n] for n in scene.neighbours(t))
            yield f"  {scene.board.territories[t].name}", scene.tile(t).said, beside


def proof_panel(scene: Scene) -> Panel:
    """The head of the chain of the dice: who has it can prove a change of an earlier die."""
    sequence, _, digits = scene.snapshot.witness.partition(":")
    mark = f"{scene.snapshot.id}:{sequence}:{digits[:FINGERPRINT_DIGITS]}"
    keep = (
        "Keep this e-mail: while you have this number, nobody can change an earlier die unnoticed."
    )
    blocks = (Paragraph(f"Dice chain: {mark}", quiet=True), Paragraph(keep, quiet=True))
    return Panel(blocks, framed=False)
