"""The e-mails to somebody who takes a seat by e-mail: asked, seated, gone again, refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rubicon.errors import RubiconError
from rubicon.mail.identity.token_places import body_line
from rubicon.mail.joining.join_requests import InvitedTable
from rubicon.mail.joining.join_words import COLOUR, JOIN, LEAVE, JoinVerb, JoinWish
from rubicon.mail.writing.layout.document import (
    Block,
    Button,
    Buttons,
    Code,
    EmailContent,
    Heading,
    Panel,
    Paragraph,
    Strong,
)
from rubicon.mail.writing.layout.envelope import MARK
from rubicon.mail.writing.seats import harmless
from rubicon.table.lobby.listing import TableView
from rubicon.wording import listed, numbered

WHY = "This went to the address that wrote to us, and to no other."
UNCLEAR_COLOUR = (
    "Your e-mail speaks of a colour, but does not name one in a way that is understood."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinPlace:
    """Where a content leads: the server's URL, the game, and the token of the answer."""

    site: str
    game: str
    token: str

    @property
    def url(self) -> str:
        """The page of the game."""
        return f"{self.site}/games/{self.game}"


def asked_email(place: JoinPlace, table: InvitedTable, name: str) -> EmailContent:
    """To a stranger: do you want to join? It repeats nothing that a host has written."""
    free = numbered(table.free, "free seat") if table.free else "no free seat at present"
    lead = (
        f"An e-mail from this address asks for a seat in a game of RISK (rules: {table.ruleset}; "
        f"{numbered(table.seats, 'player')}, {free}). Nothing has happened yet."
    )
    take = "To take the seat, reply with this line. Write any name in it:"
    if not table.free:
        take = "To take a seat when somebody has left, reply with this line. Write any name in it:"
    then = (
        "You then have an account with this address. You get an e-mail whenever something is due "
        "from you, and you play by answering. It needs nothing but a mail program."
    )
    return _email(
        place,
        "Do you want to play?",
        "Nothing has happened yet",
        (
            Paragraph(lead),
            Paragraph(Strong("You did not ask for it? Then do nothing.")),
            Paragraph(take),
            Code((f"{JOIN} {name}",)),
            *_choice(table.colours),
            Paragraph(then),
        ),
    )


def _choice(colours: Sequence[str]) -> tuple[Block, ...]:
    """How a colour is chosen, if one can be."""
    if not colours:
        return ()
    choice = (
        f"To choose your colour too, add a line such as {COLOUR} {colours[0]}. "
        f"Free at present: {listed(colours)}."
    )
    return (Paragraph(choice),)


def seated_email(
    place: JoinPlace,
    table: TableView,
    colour: str,
    colours: Sequence[str],
    *,
    unclear_colour: bool = False,
) -> EmailContent:
    """They have a seat: who else is there, and what comes next; `colours` can be chosen.

    `unclear_colour`: they wrote about a colour, and it was not understood.
    """
    others = [harmless(seat.name) for seat in table.seats if seat.name and seat.colour != colour]
    name = next(harmless(seat.name) for seat in table.seats if seat.colour == colour)
    title = harmless(table.title)
    play = "plays" if len(others) == 1 else "play"
    with_you = f"{listed(others)} {play} too." if others else "You are the first one there."
    free = sum(seat.free for seat in table.seats)
    waits = f" {numbered(free, 'seat')} {'is' if free == 1 else 'are'} still free." if free else ""
    begun = table.state == "running"
    then = "The game has begun: you get an e-mail when something is due from you."
    if not begun:
        then = "When the host starts the game, you get an e-mail with what is due from you."
    blocks: tuple[Block, ...] = (
        Paragraph(("You play ", Strong(colour), f' in "{title}". {with_you}{waits}')),
        *_unclear(unclear_colour),
        Paragraph(f"{then} Reply to that e-mail with your orders."),
        Buttons((Button("Look at the table", place.url),)),
    )
    if not begun:
        leave = (
            f"To give the seat back before the game begins, reply {LEAVE}. For another name, reply "
            f"{LEAVE}, and then {JOIN} and the name."
        )
        blocks = (*blocks, *_another_colour(colours), Paragraph(leave, quiet=True))
    content = _email(place, "You have a seat", f"You play {colour}", blocks)
    return replace(content, greeting=f"Hello {name},")


def _another_colour(colours: Sequence[str]) -> tuple[Block, ...]:
    if not colours:
        return ()
    text = f"For another colour, reply with a line such as {COLOUR} {colours[0]}. "
    return (Paragraph(f"{text}Free at present: {listed(colours)}.", quiet=True),)


def left_email(place: JoinPlace) -> EmailContent:
    """They have given the seat back."""
    back = f"You get no more e-mails of this game. To come back, reply {JOIN} and a name."
    return _email(place, "You have left the table", "Your seat is free again", (Paragraph(back),))


def refused_email(
    place: JoinPlace, error: RubiconError, wish: JoinWish, name: str, colours: Sequence[str]
) -> EmailContent:
    """What they asked for cannot be done, and why; `colours` can be chosen, `name` is proposed."""
    blocks = (
        Paragraph(f"{error.message} {_hint(error, wish, colours)}".strip()),
        *_unclear(wish.unclear_colour),
        *_try_again(error, wish, name, colours),
        Paragraph(f"[{error.code}]", quiet=True),
    )
    return _email(place, "That did not work", "Nothing was done", blocks)


def _hint(error: RubiconError, wish: JoinWish, colours: Sequence[str]) -> str:
    """What can be done about an error, by somebody who has only a mail program."""
    if error.code == "lobby/full":  # nobody watches by e-mail
        return "Somebody may leave before the game begins: then a seat is free again."
    if error.code == "lobby/colour" and colours:
        return f"Free at present: {listed(colours)}."
    if error.code == "lobby/begun" and wish.verb is JoinVerb.JOIN:
        # RESIGN is for LEAVE alone: nobody who wants a colour shall leave the game.
        kept = "The seats and colours of the game stay as they are."
        return kept if wish.colour else "Ask the host for a seat in another game."
    return error.suggestion.replace("`", "")


def _try_again(
    error: RubiconError, wish: JoinWish, name: str, colours: Sequence[str]
) -> tuple[Block, ...]:
    """The lines to send next; none once the game has begun, as they would be refused again."""
    if error.code == "lobby/begun":
        return (Paragraph("Nothing was done."),)
    colour = wish.colour
    if error.code == "lobby/colour":
        colour = next(iter(colours), "")
    lines = (f"{JOIN} {name}", f"{COLOUR} {colour}") if colour else (f"{JOIN} {name}",)
    these = "this line" if len(lines) == 1 else "these lines"
    return (Paragraph(f"Nothing was done. To try again, reply with {these}:"), Code(lines))


def unclear_email(
    place: JoinPlace, name: str, colours: Sequence[str] = (), *, unclear_colour: bool = False
) -> EmailContent:
    """The answer has neither word in it; `colours` can be chosen."""
    blocks = (
        Paragraph("Your e-mail does not say what is to be done, so nothing was done."),
        *_unclear(unclear_colour),
        Paragraph("To take a seat, reply with this line at the top:"),
        Code((f"{JOIN} {name}",)),
        *(_choice(colours) if unclear_colour else ()),
    )
    return _email(place, "What do you want to do?", "Nothing was done", blocks)


def _unclear(unclear_colour: bool) -> tuple[Block, ...]:
    return (Paragraph(UNCLEAR_COLOUR),) if unclear_colour else ()


def _email(place: JoinPlace, heading: str, news: str, blocks: tuple[Block, ...]) -> EmailContent:
    return EmailContent(
        subject=f"{heading} (a game of RISK at Rubicon)",
        news=news,
        greeting="Hello,",
        panels=(Panel((Heading(heading), *blocks)),),
        why=WHY,
        url=place.site,
        token_line=body_line(place.token),
        reply_mark=MARK,
    )
