"""The turn e-mail: what is due, the form, what happened, the map, borders, income, cards, dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rubicon.mail.writing import document
from rubicon.mail.writing.forms import OrderForm
from rubicon.mail.writing.maps import SHOWN_WIDTH, drawing_of, picture_height, text_map
from rubicon.mail.writing.panels import (
    borders_panel,
    cards_panel,
    everybody_panel,
    income_panel,
    neighbours_panel,
    other_dice_panel,
    proof_panel,
    secrets_panel,
    since_panel,
    table_panel,
    territories_panel,
)
from rubicon.mail.writing.scene import Scene
from rubicon.table.settings import TimeoutPolicy
from rubicon.telling.turns import TurnEvents

CONSEQUENCES = {
    TimeoutPolicy.WAIT: "After that, the others may vote to continue without you.",
    TimeoutPolicy.BOT: "After that a bot plays this turn for you; your seat stays yours.",
    TimeoutPolicy.NEUTRAL: "After that, your seat resigns.",
}


@dataclass(frozen=True, kw_only=True)
class Answering:
    """How the recipient can answer: the token's line, and the link that opens an answer.

    `token_line` is "" where this server takes no e-mails: then the web is the only way.
    """

    mark: str = ""
    token_line: str = ""
    mailto: str = ""  # with the form in it; "" where it would be too long


def turn_subject(scene: Scene) -> str:
    """The subject of the turn's e-mail, which its reminder and answers refer to."""
    due = scene.deadline
    until = f" (until {due.shortest})" if due else ""
    where = f", round {scene.round}" if scene.round else ""
    return f"Your turn in {scene.table_in_subject}{where}{until}"


def turn_email(
    scene: Scene,
    form: OrderForm,
    told: Sequence[TurnEvents],
    answering: Answering,
    messages: document.Panel,
    *,
    picture: bool,
) -> document.EmailContent:
    """The content; `picture`: whether the e-mail carries the picture of the map."""
    hero = document.Panel((*_hero(scene, form), *_buttons(scene, answering)))
    since = since_panel(scene, told)
    orders = orders_panel(form, answering)
    state = [
        borders_panel(scene),
        *secrets_panel(scene),
        income_panel(scene, form),
        cards_panel(scene),
    ]
    state += [everybody_panel(scene), other_dice_panel(scene, told)]
    common = [panel for panel in state if panel.blocks]
    proof = proof_panel(scene)
    world = [_picture_panel(scene)] if picture else []
    said = [messages, table_panel(scene)]
    pages = [hero, *world, since, *said, orders, *common, territories_panel(scene), proof]
    texts = [
        document.Panel(_due_in_text(scene, form)),
        orders,
        since,
        *said,
        map_panel(scene),
        *common,
    ]
    texts += [neighbours_panel(scene), proof]
    due = scene.deadline
    return document.EmailContent(
        subject=turn_subject(scene),
        news=f"Your turn, {scene.name}" + (f", until {due.short}" if due else ""),
        greeting=f"Hello {scene.name},",
        panels=tuple(panel for panel in pages if panel.blocks),
        text=tuple(panel for panel in texts if panel.blocks),
        why=why(scene),
        game=scene.table_name,
        url=scene.url,
        token_line=answering.token_line,
        reply_mark=answering.mark,
    )


def why(scene: Scene, by_mail: str = "") -> document.Words:
    """Why the e-mail comes, and how to get fewer: `by_mail` in a sentence, and on the web."""
    fewer = document.Link("Fewer e-mails, or none", f"{scene.site}/account", shown=True)
    place = "are its game master" if scene.is_master else f"play {scene.you}"
    return (f"You get this because you {place}. {by_mail}", fewer)


def until_words(scene: Scene) -> str:
    """The deadline, what remains and what follows; "" without a clock."""
    due = scene.deadline
    if due is None:
        return "There is no time limit."
    return f"Until {due}: {scene.left} from now. {CONSEQUENCES[scene.settings.timeout_policy]}"


def _hero(
    scene: Scene, form: OrderForm
) -> tuple[document.Heading | document.Paragraph | document.Steps, ...]:
    due = scene.deadline
    begin = "Before the first turn. You play "
    if scene.round:
        begin = f"Round {scene.round}. You play "
    lead: tuple[document.Inline, ...] = (begin, document.Tile(scene.you), f" {scene.you}. ")
    if due is not None:
        lead += ("Until ", document.Strong(str(due)), f": {scene.left} from now. ")
        lead += (CONSEQUENCES[scene.settings.timeout_policy],)
    else:
        lead += ("There is no time limit.",)
    return (
        document.Heading(f"Your turn, {scene.name}"),
        document.Paragraph(lead),
        document.Steps(tuple(map(_step, form.due))),
    )


def _step(line: str) -> document.Words:
    """A step with what is to be done in bold."""
    verb, space, rest = line.partition(" ")
    return document.Strong(verb.removesuffix(",")), (
        "," if verb.endswith(",") else ""
    ) + space + rest


def _due_in_text(scene: Scene, form: OrderForm) -> tuple[document.Paragraph | document.Steps, ...]:
    where = f", round {scene.round}" if scene.round else ""
    lead = f'it is your turn in "{scene.table_name}"{where}. You play {scene.you}. What is due:'
    return (
        document.Paragraph(lead),
        document.Steps(tuple(form.due)),
        document.Paragraph(until_words(scene)),
    )


def _buttons(scene: Scene, answering: Answering) -> tuple[document.Buttons, ...]:
    web = document.Button("Play on the web", scene.url, first=not answering.mailto)
    if not answering.mailto:
        return (document.Buttons((web,)),)
    opens = "The first button opens an answer with the form below in it."
    note = f"{opens} Or reply to this e-mail, and write at the top."
    return (document.Buttons((document.Button("Write your orders", answering.mailto), web), note),)


def orders_panel(form: OrderForm, answering: Answering) -> document.Panel:
    """The form, and what it does in words; nothing where no answer can be read."""
    if not answering.token_line:
        return document.Panel(())
    how = (
        "Reply, write your orders at the top, and send. These are complete: change what you like. "
        "A line after // is ignored; remove the // to use it."
    )
    words = f"In words: {form.words} " if form.words else ""
    more = (
        f"{words}One wrong word and nothing is done: you get the text back, corrected. Short names "
        "will do. Add the line PREVIEW, and you get the odds of your orders; nothing is carried "
        "out. HELP lists all orders."
    )
    blocks = (
        document.Paragraph(how, quiet=True),
        document.Code(form.lines),
        document.Paragraph(more, quiet=True),
    )
    return document.Panel(blocks, "Your orders")


def _picture_panel(scene: Scene) -> document.Panel:
    alt = "Map of all territories; the tables below have everything that it shows."
    picture = document.Picture("map", SHOWN_WIDTH, picture_height(scene.board), alt)
    return document.Panel((picture, document.Paragraph(_map_note(scene), quiet=True)), framed=False)


def _map_note(scene: Scene) -> str:
    outsiders = scene.held_by(document.NEUTRAL_COLOUR)
    who = scene.seats.subject(document.NEUTRAL_COLOUR)
    rings = f" White rings are {who.lower()}: they only defend." if outsiders else ""
    return f"The short names on the map work in orders.{rings}{_over_the_edge(scene)}"


def _over_the_edge(scene: Scene) -> str:
    """Neighbours whose border runs off one edge of the map."""
    lanes = [lane["between"] for lane in drawing_of(scene.board)["lanes"] if lane["wrap"]]
    return "".join(
        f" {scene.territory(a)} and {scene.territory(b)} are neighbours." for a, b in lanes
    )


def map_panel(scene: Scene) -> document.Panel:
    """The map in plain text, with what its letters mean."""
    own = set(scene.own())
    cells = [
        f"[{name} {scene.armies(t)}]" if t in own else f" {name} {scene.tile(t).said}"
        for t, name in enumerate(scene.short)
    ]
    others = [c for c in scene.game.colours if c != scene.you and scene.held_by(c)]
    key = [f"{document.LETTERS[c]} {scene.seats.listed(c)}" for c in others]
    if scene.held_by(document.NEUTRAL_COLOUR):
        key.append(f"* {scene.seats.outsiders.removeprefix('the ')}, who only defend")
    own_mark = "" if scene.is_master else "[ ] yours. "
    legend = f"{own_mark}{'. '.join(key)}.{_over_the_edge(scene)}"
    return document.Panel(
        (document.FixedLines(text_map(scene.board, cells)), document.Paragraph(legend)), "Map"
    )
