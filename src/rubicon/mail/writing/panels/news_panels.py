"""What happened since the recipient's last turn, and the dice of the battles of others."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from rubicon.mail.writing.happenings import RollTold, TurnTold
from rubicon.mail.writing.layout.document import (
    Block,
    FactTable,
    Link,
    Panel,
    Paragraph,
    Strong,
    Tile,
    Words,
)
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.stories import (
    BattleTold,
    armies_lost,
    battle_sentence,
    battles_of,
    dice_of,
    losses,
    number_of,
    told_of,
    turn_rows,
    way,
)
from rubicon.wording import numbered

MOST_ROLLS = 40  # of others, one by one; more are told as totals and a link
TIES = "Ties go to the defender."
RULE_OF_DICE = Paragraph(f"Filled dice won their pair. {TIES}", quiet=True, in_text=TIES)


def since_panel(scene: Scene, told: Sequence[TurnTold]) -> Panel:
    """Attacks on the recipient die by die, then each turn of the others in a sentence."""
    blocks: list[Block] = []
    lead = _lead(scene, told)
    if lead:
        blocks.append(Paragraph(lead))
    rows: list[tuple[Words, ...]] = []
    for turn in told:
        rows += turn_rows(scene, _on_me(scene, turn))
    if rows:
        blocks.append(FactTable(tuple(rows), ("roll", "dice", "lost"), frozenset({2})))
        blocks.append(RULE_OF_DICE)
    for turn in told:
        if turn.seat == scene.you:
            continue
        if not turn.seat:
            if placed := _set_up(scene, turn):
                blocks.append(Paragraph(placed, bullet=True))
            continue
        deeds = told_of(scene, turn) or " does nothing more."
        name: Words = (Tile(turn.seat), " ", Strong(scene.seats.subject(turn.seat)), deeds)
        blocks.append(Paragraph(name, bullet=True))
    return Panel(tuple(blocks), "Since your last turn")


def _on_me(scene: Scene, turn: TurnTold) -> list[BattleTold]:
    return [b for b in battles_of(turn) if b.first.defender == scene.you]


def _lead(scene: Scene, told: Sequence[TurnTold]) -> str:
    """Who attacked the recipient, with what result; "" before the first turn of others."""
    battles = [battle for turn in told for battle in _on_me(scene, turn)]
    if not battles:
        others = any(turn.seat and turn.seat != scene.you for turn in told)
        return "Nobody attacked you." if others else ""
    by = itertools.groupby(battles, key=lambda battle: battle.first.attacker)
    told_of = [battle_sentence(scene, list(group)) for _, group in by]
    return " ".join([*told_of, "Nobody else attacked you."])


def _set_up(scene: Scene, turn: TurnTold) -> str:
    """Who begins, where the facts of the set-up say so."""
    begins = [fact["seat"] for fact in turn.facts if fact.get("event") == "begins"]
    if not begins:
        return ""
    seat = scene.seats.subject(begins[-1])
    return f"{seat} {'begin' if begins[-1] == scene.you else 'begins'}."


def other_dice_panel(scene: Scene, told: Sequence[TurnTold]) -> Panel:
    """The rolls that were not against the recipient; of many, only the totals."""
    rolls = [
        (turn.seat, roll)
        for turn in told
        for roll in turn.rolls
        if scene.you not in (roll.defender, turn.seat)
    ]
    own = [roll for turn in told if turn.seat == scene.you for roll in turn.rolls]
    blocks: list[Block] = []
    if own:
        blocks.append(roll_table(scene, own))
    if len(rolls) > MOST_ROLLS:
        blocks.append(_totals(scene, [roll for _, roll in rolls]))
        link = Link("Every roll of this game", f"{scene.url}/rolls", shown=True)
        blocks.append(Paragraph((f"{len(rolls)} rolls. ", link), quiet=True))
    elif rolls:
        blocks.append(roll_table(scene, [roll for _, roll in rolls]))
    return Panel(tuple(blocks), "The other dice")


def roll_table(scene: Scene, rolls: Sequence[RollTold]) -> FactTable:
    """Rolls with their territories, one a row."""
    rows: list[tuple[Words, ...]] = []
    for roll in rolls:
        who = (
            Tile(roll.attacker, said=scene.seats.subject(roll.attacker)),
            " " + way(scene, roll).replace(" ", "\u00a0"),
        )
        rows.append((number_of(roll), who, dice_of(roll, small=True), losses(scene, roll)))
    return FactTable(tuple(rows), ("roll", "attack", "dice", "lost"), frozenset({3}))


def _totals(scene: Scene, rolls: Sequence[RollTold]) -> FactTable:
    """Many rolls by attacker and defender."""
    sums: dict[tuple[str, str], list[int]] = {}
    for roll in rolls:
        total = sums.setdefault((roll.attacker, roll.defender), [0, 0, 0])
        for at, n in enumerate((1, roll.attacker_lost, roll.defender_lost)):
            total[at] += n
    rows: list[tuple[Words, ...]] = []
    for (attacker, defender), (count, attack, defence) in sums.items():
        who = f"{scene.seats.subject(attacker)} against {scene.seats.name(defender)}"
        lost = f"{armies_lost(attack)} and {armies_lost(defence)}"
        rows.append((who, numbered(count, "roll"), lost))
    return FactTable(
        tuple(rows), ("attack", "rolls", "lost, attacker and defender"), frozenset({1})
    )
