"""What is stored, as SQLAlchemy Core tables; the migrations make exactly these.

Times are whole milliseconds since 1970 in UTC, by the database's clock. Names and addresses stand
in `account` and `seat` alone, never in the log, so that an account can be erased.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMING)
WAITING = text("sent <= 0")  # a letter is to tell of it: written as here, the index serves it
NUMBER = BigInteger().with_variant(Integer, "sqlite")  # counts up by itself on both


def _game() -> Column[str]:
    return Column("game", String(16), ForeignKey("game.id"), nullable=False)


game = Table(
    "game",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("state", String(10), nullable=False),  # lobby, running, over, closed
    Column("title", Text, nullable=False),
    Column("access", String(10), nullable=False),  # open, link, private
    Column("ruleset", Text, nullable=False),  # the record's headers, as JSON
    Column("settings", Text, nullable=False),  # of the table, as JSON
    Column("head", Integer, nullable=False),  # the number of the log's last entry; -1 in the lobby
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("ended", BigInteger),
    Column("void", BigInteger),  # when it is closed if nothing happens before
    Column("host", String(16)),  # the account that opened the table
    Column("invite", String(40), unique=True),  # the secret of the link
    Column("before", String(16)),  # the game that this one is a rematch or a fork of
    Index("ix_game_state_changed", "state", "changed"),
    Index("ix_game_state_void", "state", "void"),
)

seat = Table(
    "seat",
    metadata,
    _game(),
    Column("number", Integer, nullable=False),
    Column("colour", String(12), nullable=False),
    Column("account", String(16), ForeignKey("account.id")),
    Column("bot", String(20)),  # the house bot that plays here
    Column("name", String(40), nullable=False),
    Column("invite", String(40), unique=True),  # for one person, where the table asks for one
    PrimaryKeyConstraint("game", "number"),
    UniqueConstraint("game", "colour"),
    Index("ix_seat_account", "account"),
)

kicked = Table(
    "kicked",
    metadata,
    _game(),
    Column("account", String(16), nullable=False),
    PrimaryKeyConstraint("game", "account"),
)

log = Table(
    "log",
    metadata,
    _game(),
    Column("entry", Integer, nullable=False),
    Column("kind", String(12), nullable=False),
    Column("seat", String(12), nullable=False),  # "" where nobody's
    Column("duty", Integer, nullable=False),  # that it answers; -1 for none
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("game", "entry"),
)

dice = Table(
    "dice",
    metadata,
    _game(),
    Column("seq", Integer, nullable=False),
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("game", "seq"),
)

seeds = Table(
    "seeds",
    metadata,
    _game(),
    Column("dice", LargeBinary(32), nullable=False),
    Column("table", LargeBinary(32), nullable=False),
    PrimaryKeyConstraint("game"),
)

notice = Table(
    "notice",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    _game(),
    Column("entry", Integer, nullable=False),
    Column("seat", String(12), nullable=False),  # "" for spectators
    Column("kind", String(10), nullable=False),  # facts, duty, over, …
    Column("body", Text, nullable=False),  # JSON, as that seat may see it
    Column("at", BigInteger, nullable=False),
    Column("sent", BigInteger),  # when a letter told of it; None where none shall: letters.py
    Index("ix_notice_game_seat_entry", "game", "seat", "entry"),
    Index("ix_notice_waiting", "sent", "at", sqlite_where=WAITING, postgresql_where=WAITING),
)

clock = Table(
    "clock",
    metadata,
    _game(),
    Column("seat", String(12), nullable=False),  # "" for the table's own
    Column("kind", String(10), nullable=False),  # move, warning, absence, expiry, …
    Column("entry", Integer, nullable=False),  # that it was set for
    Column("due", BigInteger, nullable=False),
    PrimaryKeyConstraint("game", "seat", "kind"),
    Index("ix_clock_due", "due"),
)

chat = Table(
    "chat",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    _game(),
    Column("account", String(16), nullable=False),  # who said it, wherever they sit later
    Column("seat", String(12), nullable=False),  # "" of somebody who has left the table
    Column("to", String(12), nullable=False),  # "" for all
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("reported", String(16)),  # the account that complained
    Index("ix_chat_game", "game", "id"),
    Index("ix_chat_account", "account"),
)

mute = Table(
    "mute",
    metadata,
    _game(),
    Column("seat", String(12), nullable=False),  # who does not want to hear …
    Column("muted", String(12), nullable=False),  # … whom
    PrimaryKeyConstraint("game", "seat", "muted"),
)

account = Table(
    "account",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("email", String(254), unique=True),  # None for a guest
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("settings", Text, nullable=False),  # letters, blocked accounts …, as JSON
)

token = Table(
    "token",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),  # of the secret; itself never stored
    Column("account", String(16), ForeignKey("account.id"), nullable=False),
    Column("kind", String(10), nullable=False),  # cookie, api, admin, link, used
    Column("label", String(40), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger),
    Column("email", String(254)),  # the address that a link was sent to
    Index("ix_token_account", "account"),
    Index("ix_token_email", "email"),
    Index("ix_token_expires", "expires"),
)

secret = Table(
    "secret",
    metadata,
    Column("name", String(40), primary_key=True),  # of the house: made at first start
    Column("value", LargeBinary, nullable=False),
)
