"""What programs send: each form is checked when it is read, and described in the API's schema."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

Short = Annotated[str, Meta(max_length=60)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
LARGEST = 2**31 - 1  # that every store can hold
Number = Annotated[int, Meta(ge=-1, le=LARGEST)]
Words = Annotated[str, Meta(max_length=65_536)]


class Form(Struct, forbid_unknown_fields=True):
    """A form in which nothing is misspelt in silence."""


class GuestForm(Form):
    """Play at once."""

    name: Short


class MeForm(Form):
    """Be called otherwise, from the next table on; have letters, or none."""

    name: Short | None = None
    letters: bool | None = None


class EmailForm(Form):
    """An address for a letter."""

    email: Annotated[str, Meta(max_length=254)]


class LetterLinkForm(Form):
    """The token of a link that came by letter: its last 26 letters."""

    token: Annotated[str, Meta(max_length=64)]


class TokenForm(Form):
    """A token for a program."""

    label: Short


class TableForm(Form):
    """A table to be opened: a ruleset, its options, who sits there, how time is kept."""

    ruleset: Short = "classic"
    options: dict[str, Any] = {}
    board: Short = "world"
    seats: Annotated[int, Meta(ge=0, le=100)] | list[Short] = 3
    bots: dict[Annotated[str, Meta(pattern="^[0-9]$")], Short] = {}
    access: Short = "open"
    title: Short = ""
    settings: dict[str, Any] = {}


class JoinForm(Form):
    """Sit down."""

    colour: Short | None = None
    invite: Annotated[str, Meta(max_length=64)] | None = None


class ColourForm(Form):
    """A seat that is meant."""

    colour: Short


class SwapForm(Form):
    """Two seats that change places."""

    one: Short
    other: Short


class BotForm(Form):
    """A bot for a seat."""

    colour: Short
    bot: Short


class InviteForm(Form):
    """Whose invite is made anew; none for the table's own link."""

    colour: Short | None = None


class SubmitForm(Form):
    """A decision in the words of docs/notation.md, or (`orders`) a text of docs/orders.md."""

    duty: Number
    text: Words
    orders: bool = False


class DutyForm(Form):
    """A duty."""

    duty: Number


class TextForm(Form):
    """A text."""

    text: Words


class DiceForm(Form):
    """What real dice showed, for the request at an entry."""

    entry: Number
    outcome: Annotated[str, Meta(max_length=200)]


class EntropyForm(Form):
    """The end of a hash chain that the seat's own program keeps, and how many links it has."""

    link: Hash
    length: Number


class LinkForm(Form):
    """The next link of the own chain, for the request that asks for it."""

    request: Hash
    link: Hash


class VoteForm(Form):
    """A motion."""

    motion: Short
    withdrawn: bool = False


class ChatForm(Form):
    """Something to say, to a colour or to all."""

    text: Annotated[str, Meta(max_length=500)]
    to: Short = ""
