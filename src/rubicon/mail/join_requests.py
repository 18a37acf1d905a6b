"""Strangers who write to an invite: what they ask for, what is kept until they answer, the
e-mails to them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from sqlalchemy import Connection, delete, insert, select

from rubicon.errors import RubiconError
from rubicon.mail.authority import same_mailbox
from rubicon.mail.reading.incoming_mail import HOUR
from rubicon.mail.tokens import FoundToken, TokenKeys, TokenScope, body_line, token_digest
from rubicon.mail.writing import document
from rubicon.mail.writing.layout import MARK
from rubicon.rules.board.board import COLOURS
from rubicon.table.lobby.changes import free_colours
from rubicon.table.lobby.listing import TableView
from rubicon.table.lobby.seats import LOBBY, RUNNING, seats_of
from rubicon.table.storage import schema
from rubicon.wording import listed, numbered

# What someone asks for before the game: `JOIN NAME`, `yes`, `COLOUR red` or `LEAVE`.

JOIN, LEAVE, COLOUR = "JOIN", "LEAVE", "COLOUR"
FALLBACK_NAME = "Player"
MOST_NAME = 24  # letters of a name that we propose
_ASKED = re.compile(rf"\s*({JOIN}|{LEAVE})\b[ \t:]*(.*)", re.IGNORECASE)
_SPELLINGS = {"gray": "grey"}
_POLITE = (
    r"(?:[ \t,]+(?:please|pls|thanks|thank you|if possible|if (?:it is |it's |still )?free))*"
    r"[ \t.,;:!]*"
)
_KNOWN = "|".join([*COLOURS, *_SPELLINGS])
# `My colour is red, please`; nothing else follows the colour, so that prose is no wish.
_COLOUR = re.compile(
    rf"\s*(?:(?:my|in|and) )?colou?r\b[ \t:=]*(?:is\b[ \t]*)?({_KNOWN})\b{_POLITE}", re.IGNORECASE
)
# In capitals, as our e-mails write it, a word that is no colour is a wish too: it is refused, and
# the answer lists the free ones. `Color Printing` in a signature is none.
_EXACTLY = re.compile(rf"\s*COLOU?R[ \t:=]+([^\W\d_]+(?: [^\W\d_]+)??){_POLITE}")
_NAMED = re.compile(r"\bcolou?r\b", re.IGNORECASE)
_NAME_AND_COLOUR = re.compile(r"(.*?)[ \t,;]+(?:(?:in|and|my) )*(colou?r\b.*)", re.IGNORECASE)
# The question is "Do you want to play?", so people answer it.
_YES = re.compile(r"\s*(?:yes|yeah|yep|ok|okay|sure)\b(?: please)?[ \t,.;:!]*(.*)", re.IGNORECASE)
# Only letters: an address or a sentence of someone else must not reach a mailbox through us.
_NAME = re.compile(r"[^\W\d_]+(?:[ '-][^\W\d_]+){0,2}")


class JoinVerb(Enum):
    """The two things that can be asked for."""

    JOIN = JOIN
    LEAVE = LEAVE


@dataclass(frozen=True, slots=True)
class JoinWish:
    """What a message asks for; `name` and `colour` are "" where none is given.

    `unclear_colour` says that a colour is spoken of in words that are not understood.
    """

    verb: JoinVerb
    name: str = ""
    colour: str = ""
    unclear_colour: bool = False


def read_wish(own_text: str) -> JoinWish | None:
    """The wish of the first line that has one; None where no one asks for anything."""
    lines = [line for line in own_text.splitlines() if line.strip()]
    wish = _asked(lines)
    if wish is None or wish.colour or wish.verb is JoinVerb.LEAVE:
        return wish
    return replace(wish, unclear_colour=names_colour(own_text))


def names_colour(own_text: str) -> bool:
    """Whether the word "colour" is in a text."""
    return _NAMED.search(own_text) is not None


def _asked(lines: Sequence[str]) -> JoinWish | None:
    colour = next(filter(None, map(_colour, lines)), "")
    for line in lines:
        found = _ASKED.fullmatch(line)
        if found is not None:
            return _wish(JoinVerb(found[1].upper()), " ".join(found[2].split()), colour)
    yes = _YES.fullmatch(lines[0]) if lines else None
    if colour or yes:
        return JoinWish(JoinVerb.JOIN, colour=colour or (_colour(yes[1]) if yes else ""))
    return None


def _wish(verb: JoinVerb, words: str, colour: str) -> JoinWish:
    """The wish; the words after its verb may have the colour in them too."""
    name = words
    if here := _colour(words):
        name, colour = "", colour or here
    elif both := _NAME_AND_COLOUR.fullmatch(words):
        name, colour = both[1], colour or _colour(both[2])
    return JoinWish(verb, name.rstrip(".,;:!"), colour)


def _colour(line: str) -> str:
    """The colour that a line asks for, in the spelling of the game; "" where it is another line."""
    found = _COLOUR.fullmatch(line) or _EXACTLY.fullmatch(line)
    word = found[1].casefold() if found is not None else ""
    return _SPELLINGS.get(word, word)


def proposed_name(sender_name: str, address: str) -> str:
    """A name for a stranger, from their own e-mail: their first name, or that of the mailbox."""
    for text in (sender_name, re.sub(r"[._+-]+", " ", address.partition("@")[0]).title()):
        found = _NAME.match(text.strip())
        if found is not None and len(found[0]) <= MOST_NAME:
            return found[0].split()[0]
    return FALLBACK_NAME


# Invites that strangers wrote to, and what was asked of them: kept until they answer.
#
# The secret of a table's invite link is also an address, `play+SECRET@domain`. Whoever writes
# there gets an e-mail with their own token. Only an answer with that token takes the seat,
# so no one takes one in the name of someone else's mailbox.

JOINING = "joining"  # where other tokens have the colour of a seat
LIFETIME = 30 * 24 * HOUR
MOST_OF_ADDRESS = 3  # requests an hour: no one fills the mailbox of someone else through us
MOST_OF_GAME = 20  # requests an hour: one table does not use up what others need
MOST_REQUESTS = 60  # an hour, of all strangers


@dataclass(frozen=True, slots=True)
class InvitedTable:
    """The table of an invite: nothing that its host wrote, as a stranger sees it."""

    game: str
    invite: str
    ruleset: str
    seats: int
    free: int
    colours: tuple[str, ...]  # that can be chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest:
    """Someone who was asked whether they want to join; `message` is the number of their e-mail."""

    game: str
    invite: str
    address: str
    name: str
    message: int

    @property
    def scope(self) -> TokenScope:
        """What the token of this request is for."""
        return TokenScope(game=self.game, seat=JOINING, decision=-1, notification=self.message)


def find_table(connection: Connection, found: Sequence[FoundToken]) -> InvitedTable | None:
    """The table of the first token that is the secret of an invite."""
    for candidate in found:
        for game in _games_with(connection, candidate.token):
            return _invited(connection, game, candidate.token)
    return None


def store_request(connection: Connection, request: JoinRequest, token: str, at: int) -> None:
    """Keep a request; a repeat of its e-mail has the same token."""
    columns = schema.mail_join.c
    lapsed = (columns.expires <= at) | (columns.digest == token_digest(token))
    connection.execute(delete(schema.mail_join).where(lapsed))
    row = {
        "digest": token_digest(token),
        "game": request.game,
        "invite": request.invite,
        "address": request.address,
        "name": request.name,
        "message": request.message,
        "at": at,
        "expires": at + LIFETIME,
    }
    connection.execute(insert(schema.mail_join), row)


def find_request(
    connection: Connection, keys: TokenKeys, found: Sequence[FoundToken], at: int
) -> tuple[JoinRequest, str] | None:
    """The request of the first token that this server has issued, and the token."""
    columns = schema.mail_join.c
    for candidate in found:
        digest = token_digest(candidate.token)
        wanted = select(schema.mail_join).where(columns.digest == digest, columns.expires > at)
        row = connection.execute(wanted).one_or_none()
        if row is None:
            continue
        request = JoinRequest(
            game=row.game,
            invite=row.invite,
            address=row.address,
            name=row.name,
            message=row.message,
        )
        if keys.verify(candidate.token, request.scope):
            return request, candidate.token
    return None


def may_ask(connection: Connection, game: str, address: str, at: int) -> bool:
    """Whether an address may be asked now whether it wants to join a game."""
    columns = schema.mail_join.c
    lately = select(columns.game, columns.address).where(columns.at > at - HOUR)
    rows = connection.execute(lately).all()
    of_game = sum(row.game == game for row in rows)
    of_address = sum(same_mailbox(row.address, address) for row in rows)
    return len(rows) < MOST_REQUESTS and of_game < MOST_OF_GAME and of_address < MOST_OF_ADDRESS


def _games_with(connection: Connection, invite: str) -> list[str]:
    """The games of an invite of a whole table, or of one free seat."""
    game, seat = schema.game.c, schema.seat.c
    whole = select(game.id).where(game.invite == invite, game.state == LOBBY)
    one = select(seat.game).join(schema.game, game.id == seat.game)
    one = one.where(seat.invite == invite, game.state.in_((LOBBY, RUNNING)))
    return [row[0] for wanted in (whole, one) for row in connection.execute(wanted)]


def _invited(connection: Connection, game: str, invite: str) -> InvitedTable:
    columns = schema.game.c
    chosen = select(columns.ruleset, columns.state).where(columns.id == game)
    row = connection.execute(chosen).one()
    seats = seats_of(connection, game)
    free = sum(seat.free for seat in seats)
    preset = json.loads(row.ruleset).get("Ruleset", "").partition(" ")[0]
    return InvitedTable(
        game=game,
        invite=invite,
        ruleset=preset,
        seats=len(seats),
        free=free,
        colours=free_colours(seats) if row.state == LOBBY else (),
    )


def choosable_colours(connection: Connection, game: str) -> tuple[str, ...]:
    """The colours that someone at the table can choose; none once the game has begun."""
    state = connection.execute(select(schema.game.c.state).where(schema.game.c.id == game))
    return free_colours(seats_of(connection, game)) if state.scalar_one() == LOBBY else ()


# The e-mails to someone who takes a seat by e-mail: asked, seated, gone again, refused.

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


def asked_email(place: JoinPlace, table: InvitedTable, name: str) -> document.EmailContent:
    """To a stranger: do you want to join? It repeats nothing that a host has written."""
    free = numbered(table.free, "free seat") if table.free else "no free seat at present"
    lead = (
        f"An e-mail from this address asks for a seat in a game of RISK (rules: {table.ruleset}; "
        f"{numbered(table.seats, 'player')}, {free}). Nothing has happened yet."
    )
    take = "To take the seat, reply with this line and any name you like:"
    if not table.free:
        take = "To take a seat when someone has left, reply with this line and any name you like:"
    then = (
        "You then have an account with this address. You get an e-mail whenever something is due "
        "from you, and you play by answering. It needs nothing but a mail program."
    )
    return _email(
        place,
        "Do you want to play?",
        "Nothing has happened yet",
        (
            document.Paragraph(lead),
            document.Paragraph(document.Strong("You did not ask for it? Then do nothing.")),
            document.Paragraph(take),
            document.Code((f"{JOIN} {name}",)),
            *_choice(table.colours),
            document.Paragraph(then),
        ),
    )


def _choice(colours: Sequence[str]) -> tuple[document.Block, ...]:
    """How a colour is chosen, if one can be."""
    if not colours:
        return ()
    choice = (
        f"To choose your colour too, add a line such as {COLOUR} {colours[0]}. "
        f"Free at present: {listed(colours)}."
    )
    return (document.Paragraph(choice),)


def seated_email(
    place: JoinPlace,
    table: TableView,
    colour: str,
    colours: Sequence[str],
    *,
    unclear_colour: bool = False,
) -> document.EmailContent:
    """They have a seat: who else is there, and what comes next; `colours` can be chosen.

    `unclear_colour`: they wrote about a colour, and it was not understood.
    """
    others = [
        document.harmless(seat.name) for seat in table.seats if seat.name and seat.colour != colour
    ]
    name = next(document.harmless(seat.name) for seat in table.seats if seat.colour == colour)
    title = document.harmless(table.title)
    play = "plays" if len(others) == 1 else "play"
    with_you = f"{listed(others)} {play} too." if others else "You are the first one there."
    free = sum(seat.free for seat in table.seats)
    waits = f" {numbered(free, 'seat')} {'is' if free == 1 else 'are'} still free." if free else ""
    begun = table.state == "running"
    then = "The game has begun: you get an e-mail when something is due from you."
    if not begun:
        then = "When the host starts the game, you get an e-mail with what is due from you."
    blocks: tuple[document.Block, ...] = (
        document.Paragraph(
            ("You play ", document.Strong(colour), f' in "{title}". {with_you}{waits}')
        ),
        *_unclear(unclear_colour),
        document.Paragraph(f"{then} Reply to that e-mail with your orders."),
        document.Buttons((document.Button("Look at the table", place.url),)),
    )
    if not begun:
        leave = (
            f"To give the seat back before the game begins, reply {LEAVE}. For another name, reply "
            f"{LEAVE}, and then {JOIN} and the name."
        )
        blocks = (*blocks, *_another_colour(colours), document.Paragraph(leave, quiet=True))
    content = _email(place, "You have a seat", f"You play {colour}", blocks)
    return replace(content, greeting=f"Hello {name},")


def _another_colour(colours: Sequence[str]) -> tuple[document.Block, ...]:
    if not colours:
        return ()
    text = f"For another colour, reply with a line such as {COLOUR} {colours[0]}. "
    return (document.Paragraph(f"{text}Free at present: {listed(colours)}.", quiet=True),)


def left_email(place: JoinPlace) -> document.EmailContent:
    """They have given the seat back."""
    back = f"You get no further e-mails from this game. To come back, reply {JOIN} and a name."
    return _email(
        place, "You have left the table", "Your seat is free again", (document.Paragraph(back),)
    )


def refused_email(
    place: JoinPlace, error: RubiconError, wish: JoinWish, name: str, colours: Sequence[str]
) -> document.EmailContent:
    """What they asked for cannot be done, and why; `colours` can be chosen, `name` is proposed."""
    blocks = (
        document.Paragraph(f"{error.message} {_hint(error, wish, colours)}".strip()),
        *_unclear(wish.unclear_colour),
        *_try_again(error, wish, name, colours),
        document.Paragraph(f"[{error.code}]", quiet=True),
    )
    return _email(place, "That did not work", "Nothing was done", blocks)


def _hint(error: RubiconError, wish: JoinWish, colours: Sequence[str]) -> str:
    """What a person who has only a mail program can do about an error."""
    if error.code == "lobby/full":  # no one watches by e-mail
        return "A player may leave before the game begins: then a seat is free again."
    if error.code == "lobby/colour" and colours:
        return f"Free at present: {listed(colours)}."
    if error.code == "lobby/begun" and wish.verb is JoinVerb.JOIN:
        # RESIGN is for LEAVE alone: no one who wants a colour shall leave the game.
        kept = "The seats and colours of the game stay as they are."
        return kept if wish.colour else "Ask the host for a seat in another game."
    return error.suggestion.replace("`", "")


def _try_again(
    error: RubiconError, wish: JoinWish, name: str, colours: Sequence[str]
) -> tuple[document.Block, ...]:
    """The lines to send next; none once the game has begun, as they would be refused again."""
    if error.code == "lobby/begun":
        return (document.Paragraph("Nothing was done."),)
    colour = wish.colour
    if error.code == "lobby/colour":
        colour = next(iter(colours), "")
    lines = (f"{JOIN} {name}", f"{COLOUR} {colour}") if colour else (f"{JOIN} {name}",)
    these = "this line" if len(lines) == 1 else "these lines"
    return (
        document.Paragraph(f"Nothing was done. To try again, reply with {these}:"),
        document.Code(lines),
    )


def unclear_email(
    place: JoinPlace, name: str, colours: Sequence[str] = (), *, unclear_colour: bool = False
) -> document.EmailContent:
    """The answer has neither word in it; `colours` can be chosen."""
    blocks = (
        document.Paragraph("Your e-mail does not say what is to be done, so nothing was done."),
        *_unclear(unclear_colour),
        document.Paragraph("To take a seat, reply with this line at the top:"),
        document.Code((f"{JOIN} {name}",)),
        *(_choice(colours) if unclear_colour else ()),
    )
    return _email(place, "What do you want to do?", "Nothing was done", blocks)


def _unclear(unclear_colour: bool) -> tuple[document.Block, ...]:
    return (document.Paragraph(UNCLEAR_COLOUR),) if unclear_colour else ()


def _email(
    place: JoinPlace, heading: str, news: str, blocks: tuple[document.Block, ...]
) -> document.EmailContent:
    return document.EmailContent(
        subject=f"{heading} (a game of RISK at Rubicon)",
        news=news,
        greeting="Hello,",
        panels=(document.Panel((document.Heading(heading), *blocks)),),
        why=WHY,
        url=place.site,
        token_line=body_line(place.token),
        reply_mark=MARK,
    )
