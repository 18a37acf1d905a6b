"""Panels of e-mails: the state of the game, the news, messages, votes and absences."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, select

from rubicon.engine.cards import next_set_value, set_value
from rubicon.engine.codes import BonusCap, DefendDiceCap, Goal, SetCounter, SetValues
from rubicon.engine.records import NONE, ObjectivePlace, Phase
from rubicon.mail.writing import document
from rubicon.mail.writing.forms import OrderForm
from rubicon.mail.writing.history import dice_of, losses, turn_rows
from rubicon.mail.writing.scene import LocalTime, Scene, borders_of
from rubicon.rules.events import Begins
from rubicon.server.emails import FINGERPRINT_DIGITS
from rubicon.table.chat import ChatLine, lines_for
from rubicon.table.game.log_lines import ANSWERS
from rubicon.table.storage import schema
from rubicon.telling.turns import BattleRolls, NumberedRoll, TurnEvents
from rubicon.wording import listed, numbered

# What the players have written to each other since the recipient last decided.

MOST_MESSAGES = 20  # the newest
MOST_READ = 500


def messages_since(connection: Connection, game: str, seat: str) -> tuple[ChatLine, ...]:
    """The messages of others to the seat, or to all, since its last decision."""
    log = schema.log.c
    decided = (
        select(log.at)
        .where(log.game == game, log.seat == seat)
        .where(log.kind.in_([kind.value for kind in ANSWERS]))
        .order_by(log.log_index.desc())
        .limit(1)
    )
    since = connection.execute(decided).scalar() or 0
    columns = schema.chat.c
    older = select(columns.id).where(columns.game == game, columns.at <= since)
    last = connection.execute(older.order_by(columns.id.desc()).limit(1)).scalar() or 0
    found = lines_for(connection, game, seat, last, MOST_READ)
    return tuple(line for line in found if line.seat != seat)[-MOST_MESSAGES:]


def messages_panel(scene: Scene, lines: Sequence[ChatLine]) -> document.Panel:
    """Each message with its sender; nothing where there is none."""
    blocks = tuple(document.Paragraph(_words(scene, line), bullet=True) for line in lines)
    answer = "To answer: PRESS TO and a colour (or ALL), your words on the next lines, ENDPRESS."
    return document.Panel(
        (*blocks, document.Paragraph(answer, quiet=True)) if blocks else (), "Messages"
    )


def _words(scene: Scene, line: ChatLine) -> document.Words:
    to = " to you" if line.to else ""
    who = scene.seats.subject(line.seat) if line.seat else "A former player"
    tile = (document.Tile(line.seat), " ") if line.seat else ()
    return (*tile, document.Strong(f"{who}{to}"), f": {document.harmless(line.text)}")


# What happened since the recipient's last turn, and the dice of the battles of others.

MOST_ROLLS = 40  # of others, one by one; more are told as totals and a link
TIES = "Ties go to the defender."
RULE_OF_DICE = document.Paragraph(f"Filled dice won their pair. {TIES}", quiet=True, in_text=TIES)


def since_panel(scene: Scene, told: Sequence[TurnEvents]) -> document.Panel:
    """Attacks on the recipient die by die, then each turn of the others in a sentence."""
    blocks: list[document.Block] = []
    lead = _lead(scene, told)
    if lead:
        blocks.append(document.Paragraph(lead))
    rows: list[tuple[document.Words, ...]] = []
    for turn in told:
        rows += turn_rows(scene, _on_me(scene, turn))
    if rows:
        blocks.append(document.FactTable(tuple(rows), ("roll", "dice", "lost"), frozenset({2})))
        blocks.append(RULE_OF_DICE)
    for turn in told:
        if turn.seat == scene.you:
            continue
        if not turn.seat:
            if placed := _set_up(scene, turn):
                blocks.append(document.Paragraph(placed, bullet=True))
            continue
        deeds = scene.teller.turn(turn) or scene.seats.phrases.sentences["nothing more"]
        name: document.Words = (
            document.Tile(turn.seat),
            " ",
            document.Strong(scene.seats.subject(turn.seat)),
            f" {deeds}.",
        )
        blocks.append(document.Paragraph(name, bullet=True))
    return document.Panel(tuple(blocks), "Since your last turn")


def _on_me(scene: Scene, turn: TurnEvents) -> list[BattleRolls]:
    return [b for b in turn.battles() if b.first.defender == scene.you]


def _lead(scene: Scene, told: Sequence[TurnEvents]) -> str:
    """Who attacked the recipient, with what result; "" before the first turn of others."""
    battles = [battle for turn in told for battle in _on_me(scene, turn)]
    if not battles and not any(turn.seat and turn.seat != scene.you for turn in told):
        return ""
    by = itertools.groupby(battles, key=lambda battle: battle.first.attacker)
    return f"{scene.teller.attacked([list(group) for _, group in by])}."


def _set_up(scene: Scene, turn: TurnEvents) -> str:
    """Who begins, where the facts of the set-up say so."""
    begins = [event for event in turn.events if isinstance(event, Begins)]
    return f"{scene.teller.sentence(begins[-1])}." if begins else ""


def other_dice_panel(scene: Scene, told: Sequence[TurnEvents]) -> document.Panel:
    """The rolls that were not against the recipient; of many, only the totals."""
    rolls = [
        (turn.seat, roll)
        for turn in told
        for roll in turn.rolls
        if scene.you not in (roll.event.defender, turn.seat)
    ]
    own = [roll for turn in told if turn.seat == scene.you for roll in turn.rolls]
    blocks: list[document.Block] = []
    if own:
        blocks.append(roll_table(scene, own))
    if len(rolls) > MOST_ROLLS:
        blocks.append(_totals(scene, [roll for _, roll in rolls]))
        link = document.Link("Every roll of this game", f"{scene.url}/rolls", shown=True)
        blocks.append(document.Paragraph((f"{len(rolls)} rolls. ", link), quiet=True))
    elif rolls:
        blocks.append(roll_table(scene, [roll for _, roll in rolls]))
    return document.Panel(tuple(blocks), "The other dice")


def roll_table(scene: Scene, rolls: Sequence[NumberedRoll]) -> document.FactTable:
    """Rolls with their territories, one a row."""
    rows: list[tuple[document.Words, ...]] = []
    for each in rolls:
        roll = each.event
        way = f"{scene.short_of(roll.source)} > {scene.short_of(roll.target)}"
        who = (
            document.Tile(roll.attacker, said=scene.seats.subject(roll.attacker)),
            " " + way.replace(" ", "\u00a0"),
        )
        dice = dice_of(roll, small=True)
        rows.append((each.number or "?", who, dice, losses(scene, roll)))
    return document.FactTable(tuple(rows), ("roll", "attack", "dice", "lost"), frozenset({3}))


def _totals(scene: Scene, rolls: Sequence[NumberedRoll]) -> document.FactTable:
    """Many rolls by attacker and defender."""
    sums: dict[tuple[str, str], list[int]] = {}
    for each in rolls:
        roll = each.event
        total = sums.setdefault((roll.attacker, roll.defender), [0, 0, 0])
        for at, n in enumerate((1, roll.attacker_lost, roll.defender_lost)):
            total[at] += n
    rows: list[tuple[document.Words, ...]] = []
    for (attacker, defender), (count, attack, defence) in sums.items():
        who = f"{scene.seats.subject(attacker)} against {scene.seats.name(defender)}"
        lost = f"{scene.teller.armies(attack)} and {scene.teller.armies(defence)}"
        rows.append((who, numbered(count, "roll"), lost))
    return document.FactTable(
        tuple(rows), ("attack", "rolls", "lost, attacker and defender"), frozenset({1})
    )


# The state of the game in an e-mail: borders, income, cards, everyone, territories, the dice.

MOST_BORDERS = 60  # rows of the table
NEXT_SETS = 5


def borders_panel(scene: Scene) -> document.Panel:
    """How many armies take each neighbour with a chance of 75 % and of 95 %."""
    if not scene.round or scene.view.phase == Phase.DEFEND:
        return document.Panel(())
    rows: list[tuple[document.Words, ...]] = []
    before = -1
    for border in list(borders_of(scene))[:MOST_BORDERS]:
        mine: document.Words = ""
        if border.own != before:
            name = scene.board.territories[border.own].name
            tile = document.Tile(scene.you, scene.armies(border.own), scene.armies(border.own))
            mine = (document.Strong(name), " ", tile)
        other = scene.board.territories[border.other].name
        owner = scene.owner(border.other)
        tile = scene.tile(border.other)
        shown = document.Tile(tile.colour, tile.text, scene.armies(border.other))
        theirs: tuple[document.Inline, ...] = (shown, f" {other}")
        if owner != document.NEUTRAL_COLOUR and owner in scene.seats.names:
            theirs += (f", {scene.seats.names[owner]}",)
        elif owner == document.NEUTRAL_COLOUR:
            theirs += (f", {scene.seats.outsiders.removeprefix('the ')}",)
        needed = ["many" if n is None else str(n) for n in border.needed]
        rows.append((mine, theirs, *needed))
        before = border.own
    if not rows:
        return document.Panel(())
    table = document.FactTable(
        tuple(rows), ("yours", "theirs", "75\u00a0%", "95\u00a0%"), frozenset({2, 3})
    )
    note = "How many armies take it with a chance of 75 % and of 95 %, the one that stays included."
    return document.Panel(
        (document.Paragraph(f"{note} {_defence(scene)}", quiet=True), table), "Your borders"
    )


def _defence(scene: Scene) -> str:
    if scene.snapshot.ruleset.rules.defend_dice_cap == DefendDiceCap.TWO_ALWAYS:
        return "Defenders roll two dice, even with one army."
    return "Defenders are taken to roll as many dice as they may."


def income_panel(scene: Scene, form: OrderForm) -> document.Panel:
    """The armies of this turn, item by item (S002-14)."""
    view = scene.view
    if view.phase != Phase.REINFORCE or view.turn != scene.game.seat(scene.you):
        return document.Panel(())
    rules = scene.snapshot.ruleset.rules
    held = len(scene.own())
    rows: list[tuple[document.Words, ...]] = []
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
    if form.traded:
        sets = int(view.sets) + 1
        rows.append(("the set that you must trade", f"set {sets} of this game", f"+{form.traded}"))
    total = sum(int(str(row[2])) for row in rows)
    return document.Panel(
        (document.FactTable(tuple(rows), (), frozenset({2})),), f"Your {total} armies"
    )


def _continents(scene: Scene) -> str:
    own = set(scene.own())
    whole = [c.name for c in scene.board.continents if own.issuperset(c.territories)]
    return listed(whole) or "continents, when your last turn ended"


def cards_panel(scene: Scene) -> document.Panel:
    """The recipient's cards and what sets are worth."""
    hand = scene.hand(scene.you)
    rules = scene.snapshot.ruleset.rules
    tables = scene.snapshot.ruleset.tables
    if not scene.round:
        return document.Panel(())
    cards = scene.game.cards
    stars = rules.cards_values == SetValues.STARS
    rows: list[tuple[document.Words, ...]] = []
    for card in hand:
        n = cards.index(card)
        what = f"{int(tables.stars[n])} stars" if stars else _design(scene, n)
        rows.append((document.Strong(scene.territory(card)), what))
    blocks: list[document.Block] = (
        [document.FactTable(tuple(rows), (), frozenset({1}))] if rows else []
    )
    mine = {scene.game.territories[t] for t in scene.own()}
    pictured = [scene.territory(card) for card in hand if card in mine]
    if not hand:
        blocks.append(document.Paragraph("You hold no cards.", quiet=True))
    elif rules.cards_territory_bonus and pictured:
        once = "one set" if rules.cards_territory_bonus_cap == BonusCap.PER_TURN_2 else "a set"
        verb = "is" if len(pictured) == 1 else "are"
        said = f"{listed(pictured)} {verb} yours: such a card in {once} adds two armies there."
        blocks.append(document.Paragraph(said, quiet=True))
    if not stars:
        blocks.append(
            document.Paragraph(f"Next sets: {', '.join(map(str, _values(scene)))}.", quiet=True)
        )
    number = "card" if len(hand) == 1 else "cards"
    return document.Panel(tuple(blocks), f"Your {len(hand)} {number}" if hand else "Your cards")


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


def secrets_panel(scene: Scene) -> list[document.Panel]:
    """What only the recipient knows, or has to reach: mission, headquarters, objectives."""
    view, board = scene.view, scene.board
    seat = scene.game.seat(scene.you)
    blocks: list[document.Block] = []
    rules = scene.snapshot.ruleset.rules
    if rules.missions_in_play and view.mission[seat] >= 0:
        mission = board.missions[int(view.mission[seat])]
        text = mission.text
        if view.mission_fallback[seat]:
            text = f"{text} That is no longer possible: hold {board.mission_fallback} territories."
        blocks.append(document.Paragraph((document.Strong("Your mission: "), text)))
    if view.capital[seat] != NONE and view.capital[seat] >= 0:
        home = "headquarters" if rules.victory_goal == Goal.HEADQUARTERS else "capital"
        blocks.append(
            document.Paragraph(f"Your {home}: {board.territories[int(view.capital[seat])].name}.")
        )
    for number, objective in enumerate(board.objectives):
        if rules.objectives_in_play and number < len(view.objective):
            place = int(view.objective[number])
            if place == ObjectivePlace.FACE_UP:
                blocks.append(
                    document.Paragraph(f"{objective.id}, to claim: {objective.text}", quiet=True)
                )
            elif 0 <= place < scene.game.size:
                who = scene.seats.listed(scene.game.colours[place])
                blocks.append(
                    document.Paragraph(f"{objective.id}, {who}: {objective.text}", quiet=True)
                )
    return [document.Panel(tuple(blocks), "Your aims")] if blocks else []


def everybody_panel(scene: Scene) -> document.Panel:
    """Armies, territories, cards and the next award of every seat."""
    note: list[document.Block] = []
    if scene.snapshot.ruleset.options["cards.visibility"] == "public":
        link = document.Link("on the card pages", f"{scene.url}/cards", shown=True)
        note = [document.Paragraph(("You can see all players' cards ", link), quiet=True)]
    return document.Panel((everybody_table(scene), *note), "All players")


def everybody_table(scene: Scene) -> document.FactTable:
    """The table of `everybody_panel`."""
    rows: list[tuple[document.Words, ...]] = []
    for colour in scene.game.colours:
        name = scene.seats.names[colour]
        mark = scene.seats.listed(colour).removeprefix(name)
        who: document.Words = (
            document.Tile(colour, said=document.LETTERS[colour]),
            " ",
            document.Strong(name),
            mark,
        )
        if scene.is_out(colour):
            rows.append((who, "out", "", "", ""))
            continue
        award = f"+{scene.income_of(colour).total}" if scene.round else ""
        numbers = len(scene.held_by(colour)), scene.hand_size(colour)
        rows.append((who, scene.armies_of(colour), str(numbers[0]), str(numbers[1]), award))
    if scene.held_by(document.NEUTRAL_COLOUR):
        name = scene.seats.listed(document.NEUTRAL_COLOUR)
        held = str(len(scene.held_by(document.NEUTRAL_COLOUR)))
        tile = document.Tile(document.NEUTRAL_COLOUR, said="*")
        rows.append(
            (
                (tile, " ", document.Strong(name)),
                scene.armies_of(document.NEUTRAL_COLOUR),
                held,
                "",
                "",
            )
        )
    head = ("", "armies", "terr.", "cards", "award")
    return document.FactTable(tuple(rows), head, frozenset({1, 2, 3, 4}))


def territories_panel(scene: Scene) -> document.Panel:
    """All territories as tiles, for HTML."""
    chips = []
    for continent in scene.board.continents:
        tiles = [(scene.tile(t), scene.board.territories[t].name) for t in continent.territories]
        chips.append(document.Chips(f"{continent.name} +{continent.bonus}", tuple(tiles)))
    return document.Panel(tuple(chips), f"All {len(scene.board.territories)} territories")


def neighbours_panel(scene: Scene) -> document.Panel:
    """All territories with their neighbours, for plain text."""
    count = len(scene.board.territories)
    table = document.FactTable(tuple(_neighbour_rows(scene)))
    return document.Panel((table,), f"All {count} territories and their neighbours")


def _neighbour_rows(scene: Scene) -> Iterator[tuple[document.Words, ...]]:
    for continent in scene.board.continents:
        yield (f"{continent.name}, +{continent.bonus}",)
        for t in continent.territories:
            beside = ", ".join(scene.short[n] for n in scene.neighbours(t))
            yield f"  {scene.board.territories[t].name}", scene.tile(t).said, beside


def proof_panel(scene: Scene) -> document.Panel:
    """The head of the chain of the dice: who has it can prove a change of an earlier die."""
    sequence, _, digits = scene.snapshot.witness.partition(":")
    mark = f"{scene.snapshot.id}:{sequence}:{digits[:FINGERPRINT_DIGITS]}"
    keep = (
        "Keep this e-mail: while you have this number, no one can change an earlier die unnoticed."
    )
    blocks = (
        document.Paragraph(f"Dice chain: {mark}", quiet=True),
        document.Paragraph(keep, quiet=True),
    )
    return document.Panel(blocks, framed=False)


# What the players have put to one another: open votes, and who has said that they are away.

# By motion: what it is for, and the words that agree.
AGREE = {"draw": "VOTE DRAW CONFIRM", "resume": "VOTE PAUSE"}  # what agrees to a motion


def table_panel(scene: Scene) -> document.Panel:
    """Who plays by e-mail alone learns of it here; a panel without blocks where nothing is open."""
    blocks = (*_votes(scene), *_absences(scene))
    return document.Panel(
        tuple(document.Paragraph(words, bullet=True) for words in blocks), "At the table"
    )


def _votes(scene: Scene) -> Iterator[document.Words]:
    for motion, seats in sorted(scene.snapshot.votes.items()):
        mine = scene.you in seats
        others = [scene.seats.subject(seat) for seat in sorted(seats) if seat != scene.you]
        voters = [*(["You"] if mine else []), *others]
        verb = "votes" if others and len(voters) == 1 else "vote"
        said = f"{listed(voters)} {verb} for {scene.teller.motion(motion)}."
        yield (
            said
            if mine or scene.is_master
            else (f"{said} To agree, reply ", document.Strong(_agree(motion)), ".")
        )


def _agree(motion: str) -> str:
    """What a player replies who agrees."""
    kind, _, of = motion.partition(" ")
    if kind in ("replace", "fork"):
        return f"{kind.upper()} {of} CONFIRM"
    return AGREE.get(motion, f"VOTE {motion.upper()}")


def _absences(scene: Scene) -> Iterator[document.Words]:
    for seat, until in sorted(scene.snapshot.away.items()):
        who = scene.seats.subject(seat)
        verb = "have" if seat == scene.you else "has"
        yield f"{who} {verb} announced an absence, until {LocalTime(until, scene.zone_name)}."
