"""E-mails of news for those who need not act: dice of battles, awards, the daily digest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rubicon.engine.codes import ContinentTiming
from rubicon.engine.records import Phase
from rubicon.mail.writing import document
from rubicon.mail.writing.history import roll_row
from rubicon.mail.writing.panels import (
    MOST_ROLLS,
    RULE_OF_DICE,
    everybody_table,
    roll_table,
    table_panel,
)
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.turn_email import Answering, why
from rubicon.rules.events import Awarded, Eliminated, Received
from rubicon.table.settings import DiceSource
from rubicon.telling.turns import BattleRolls, TurnEvents
from rubicon.wording import listed, numbered

FAIR = {
    DiceSource.INDEPENDENT: (
        "The dice server rolled these; neither the players nor the game master can change, repeat "
        "or drop one. "
    ),
    DiceSource.SEALED: (
        "These dice were sealed before the game began; no one can change, repeat or drop one. "
    ),
    DiceSource.TYPED: "The players rolled real dice and entered what they showed. ",
}


FEWER_NEWS = "Reply NEWS DIGEST for one e-mail a day, or NEWS NEVER for no news of others. "
OUT_OF_GAME = (
    "From now on you get only one e-mail from this game, when it ends, and the daily one if "
    "you chose it."
)
HOW_TO_FOLLOW = (
    "To keep following the game, reply NEWS DIGEST: one e-mail a day, for all your games."
)

Award = Awarded | Received


def news_email(
    scene: Scene, kind: str, told: Sequence[TurnEvents], answering: Answering
) -> document.EmailContent:
    """The content of news of a kind: `dice`, `award` or `digest`."""
    if kind == "award" and (awards := _awards(told)):
        return _award_email(scene, awards[-1], answering)
    if kind == "dice" and any(turn.rolls for turn in told):
        return _dice_email(scene, told, answering)
    return _digest_email(scene, told, answering)


def is_news_subject(subject: str, scene: Scene) -> bool:
    """Whether a subject is one of ours about news of this game, and has nobody's own words."""
    seats = [scene.seats.subject(colour) for colour in scene.game.colours]
    who = "|".join(map(re.escape, ["You", "you", *seats, scene.seats.outsiders]))
    where = "|".join(re.escape(territory.name) for territory in scene.board.territories)
    deed = rf"Dice: (?:{who}) (?:takes?|attacks?) (?:{where})(?: from (?:{who}))?"
    # E-mails of earlier versions say "is awarded", and are still answered.
    award = rf"(?:{who}) (?:receives?|is awarded|are awarded) [\d,]+ arm(?:y|ies)"
    table = re.escape(scene.table_in_subject)
    news = rf"(?:{deed}|{award}|From the game master) \({table}(?:, round \d+)?\)"
    wanted = rf"{news}|Today in {table}|{table}(?:, round \d+)?"
    return re.fullmatch(wanted, subject) is not None


def _email(
    scene: Scene, subject: str, news: str, panels: Sequence[document.Panel], answering: Answering
) -> document.EmailContent:
    return document.EmailContent(
        subject=subject,
        news=news,
        greeting=f"Hello {scene.name},",
        panels=tuple(panels),
        why=why(scene, FEWER_NEWS if answering.token_line else ""),
        game=scene.table_name,
        url=scene.url,
        token_line=answering.token_line,
        reply_mark=answering.mark,
    )


def _farewell(
    scene: Scene, told: Sequence[TurnEvents], answering: Answering
) -> list[document.Panel]:
    """What a player reads in the e-mail in which they go out of the game."""
    events = (event for turn in told for event in turn.events)
    if not any(isinstance(e, Eliminated) and e.seat == scene.you for e in events):
        return []
    watch = document.Link("Watch the game", scene.url, shown=True)
    follow: document.Words = (f"{HOW_TO_FOLLOW} ", watch) if answering.token_line else watch
    blocks = (
        document.Paragraph(document.Strong("You are out of the game.")),
        document.Paragraph(OUT_OF_GAME),
        document.Paragraph(follow),
    )
    return [document.Panel(blocks)]


def _dice_email(
    scene: Scene, told: Sequence[TurnEvents], answering: Answering
) -> document.EmailContent:
    """The battles that are reported together; those of the recipient come first."""
    battles = [battle for turn in told for battle in turn.battles()]
    own = [b for b in battles if scene.you in (b.first.attacker, b.first.defender)]
    ordered = [*own, *(battle for battle in battles if battle not in own)]
    decisive = next((b for b in ordered if b.taken), ordered[0])
    panels = [
        document.Panel(_battle_blocks(scene, battle, first=n == 0))
        for n, battle in enumerate(ordered)
    ]
    panels = [*_farewell(scene, told, answering), *panels, _fair_panel(scene)]
    deed = scene.teller.attack(decisive)
    subject = f"Dice: {deed} ({scene.table_in_subject})"
    return _email(scene, subject, deed, panels, answering)


def _battle_blocks(scene: Scene, battle: BattleRolls, *, first: bool) -> tuple[document.Block, ...]:
    headline = scene.teller.outcome(battle)
    rows = tuple(roll_row(scene, roll) for roll in battle.rolls)
    table = document.FactTable(rows, ("roll", "dice", "lost"), frozenset({2}))
    title: document.Block = (
        document.Heading(headline) if first else document.Paragraph((document.Strong(headline),))
    )
    return title, document.Paragraph(f"{scene.teller.battle([battle])}."), table


def _fair_panel(scene: Scene) -> document.Panel:
    every = document.Link("Every roll of this game", f"{scene.url}/rolls", shown=True)
    fair = document.Paragraph((FAIR[scene.settings.dice], every), quiet=True)
    asked = "" if scene.you in scene.snapshot.decisions else "Nothing is due from you now."
    blocks: list[document.Block] = [document.Paragraph(asked)] if asked else []
    return document.Panel((*blocks, RULE_OF_DICE, fair), framed=False)


def _awards(told: Sequence[TurnEvents]) -> list[Award]:
    """The awards of turns."""
    events = (event for turn in told for event in turn.events)
    return [event for event in events if isinstance(event, Awarded | Received)]


def _total(award: Award) -> int:
    return award.total if isinstance(award, Awarded) else award.armies


def _award_words(scene: Scene, award: Award) -> str:
    """`3 for 8 territories and 5 for Asia`; "" where the reader knows the total alone."""
    if isinstance(award, Received):
        return ""
    # Continents last: it may be said when they were held.
    items = ("territories", "capitals", "rewards", "continents")
    names = {
        "territories": _territories_counted(scene, award),
        "continents": _continents_counted(scene, award),
    }
    counts = {item: int(getattr(award, item)) for item in items}
    return " and ".join(f"{n} for {names.get(item) or item}" for item, n in counts.items() if n)


def _territories_counted(scene: Scene, award: Awarded) -> str:
    """`8 territories`; "" where the seat may have taken more since, or cities count too."""
    seat, rules = award.seat, scene.snapshot.ruleset.rules
    if scene.view.phase != Phase.REINFORCE or scene.view.turn != scene.game.seat(seat):
        return ""
    held = len(scene.held_by(seat))
    plain = award.territories == max(held // 3, int(rules.reinforce_min))
    return f"{held} territories" if plain and held > 1 else ""


def _continents_counted(scene: Scene, award: Awarded) -> str:
    """`Asia`, with when it was held where that counts; `continents` where it is lost again."""
    seat = award.seat
    named = "continents"
    if scene.view.phase == Phase.REINFORCE and scene.view.turn == scene.game.seat(seat):
        own = set(scene.held_by(seat))
        whole = [c for c in scene.board.continents if own.issuperset(c.territories)]
        if whole and sum(c.bonus for c in whole) == award.continents:
            named = listed([c.name for c in whole])
    if scene.snapshot.ruleset.rules.continent_timing == ContinentTiming.TURN_START:
        return named
    whose = "your" if seat == scene.you else f"{scene.seats.subject(seat)}'s"
    return f"{named}, held when {whose} last turn ended"


def _award_email(scene: Scene, award: Award, answering: Answering) -> document.EmailContent:
    seat, teller = award.seat, scene.teller
    items = _award_words(scene, award)
    headline = teller.sentence(Received(seat, _total(award)))
    detail = f": {items}." if items else "."
    hand = teller.statement(seat, "holds", cards=numbered(scene.hand_size(seat), "card"))
    whose = "Your" if seat == scene.you else f"{scene.seats.subject(seat)}'s"
    lead = f"{whose} turn begins. {headline}{detail} {hand}."
    note: document.Words = "Nothing is due from you now."
    if answering.token_line and not scene.is_master and not scene.is_out(scene.you):
        offer = "Nothing is due from you now. If you like, reply with "
        note = (offer, document.Strong("DEFEND 1"), " and a territory to defend it with one die.")
    blocks = (
        document.Heading(headline),
        document.Paragraph(lead),
        everybody_table(scene),
        document.Paragraph(note, quiet=True),
    )
    where = f", round {scene.round}" if scene.round else ""
    subject = f"{headline} ({scene.table_in_subject}{where})"
    panels = [panel for panel in (document.Panel(blocks), table_panel(scene)) if panel.blocks]
    return _email(scene, subject, headline, panels, answering)


def _digest_email(
    scene: Scene, told: Sequence[TurnEvents], answering: Answering
) -> document.EmailContent:
    """A day in one e-mail: each turn in a sentence, then the dice."""
    blocks: list[document.Block] = [document.Heading(f"The day in {scene.table_name}")]
    for turn in told:
        if turn.seat and (deeds := scene.teller.turn(turn)):
            name = scene.seats.subject(turn.seat)
            words: document.Words = (
                document.Tile(turn.seat),
                " ",
                document.Strong(name),
                f" {deeds}.",
            )
            blocks.append(document.Paragraph(words, bullet=True))
    awards = [f"{scene.seats.name(each.seat)} {_total(each)}" for each in _awards(told)]
    if awards:
        blocks.append(document.Paragraph(f"Armies awarded: {', '.join(awards)}.", quiet=True))
    rolls = [roll for turn in told for roll in turn.rolls]
    panels = [document.Panel(tuple(blocks))]
    if rolls:
        shown = rolls[-MOST_ROLLS:]
        title = (
            "The dice"
            if len(shown) == len(rolls)
            else f"The last {MOST_ROLLS} of {len(rolls)} rolls"
        )
        panels.append(document.Panel((roll_table(scene, shown),), title))
    panels += [document.Panel((everybody_table(scene),), "Everybody"), _fair_panel(scene)]
    panels = [*_farewell(scene, told, answering), *panels]
    subject = f"Today in {scene.table_in_subject}"
    what = f"{numbered(len(rolls), 'roll')} in {scene.table_name}" if rolls else "What happened"
    return _email(scene, subject, what, panels, answering)
