"""Orders that another player wrote: their messages stand in our e-mails, and in what quotes them.

Without this, a message that looks like a form would be taken for one in a reply that keeps little
more of the e-mail than the message.
"""

from __future__ import annotations

from sqlalchemy import Connection, or_, select

from rubicon.mail.commands.filled_form import plain_line
from rubicon.mail.commands.mail_commands import CommandPlace, MailCommands
from rubicon.mail.service.issued_tokens import MailSeat
from rubicon.mail.writing.seats import harmless
from rubicon.table.storage import schema

MOST_READ = 500  # messages, the newest


def has_words_of_others(connection: Connection, seat: MailSeat, commands: MailCommands) -> bool:
    """Whether an order below the player's own words is in a message that others wrote to the seat.

    What the player writes above the quotation counts, wherever it comes from.
    """
    if commands.place in (CommandPlace.ABOVE, CommandPlace.NOWHERE):
        return False
    known = {plain_line(line) for line in (seat.form.lines if seat.form else ())}
    lines = {plain_line(line) for line in commands.text.splitlines()} - known - {""}
    if not lines:
        return False
    columns = schema.chat.c
    heard = (columns.game == seat.game) & (columns.seat != seat.seat)
    wanted = select(columns.text).where(heard, or_(columns.to == "", columns.to == seat.seat))
    texts = connection.execute(wanted.order_by(columns.id.desc()).limit(MOST_READ)).scalars()
    said = "\n".join(plain_line(harmless(text)) for text in texts)
    return any(line in said for line in lines)
