"""The database schema as SQLAlchemy Core tables; the migrations create exactly these.

Times are whole milliseconds since 1970 in UTC, by the database's clock. Names and addresses are in
`account`, `token` and `seat` only, never in the log, so that an account can be erased.
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
WAITING = text("sent <= 0")  # pending e-mails; a query with this text uses the partial index
NUMBER = BigInteger().with_variant(Integer, "sqlite")  # autoincrements on both databases


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
    Column("head", Integer, nullable=False),  # the last log index; -1 in the lobby
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("ended", BigInteger),
    Column("void", BigInteger),  # when it is closed unless something happens before
    Column("host", String(16)),  # the account of the table's host
    Column("master", String(16)),  # the account of the game master whom the host has named
    Column("invite", String(40), unique=True),  # the secret of the link
    Column("before", String(16)),  # the game that this one is a rematch or a fork of
    # Over all lines and notifications, and over the owners of the seats: see `digest`.
    Column("digest", String(64), nullable=False, server_default=""),
    Column("seats_digest", String(64), nullable=False, server_default=""),
    Index("ix_game_state_changed", "state", "changed"),
    Index("ix_game_state_void", "state", "void"),
)

# The games that have begun, numbered without gaps; no foreign key, so that it outlives a game.
checkpoint = Table(
    "checkpoint",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("game", String(16), nullable=False, unique=True),
    Column("hash", String(64), nullable=False),  # of this row and all before: see `checkpoints`
)

seat = Table(
    "seat",
    metadata,
    _game(),
    Column("number", Integer, nullable=False),
    Column("colour", String(12), nullable=False),
    Column("account", String(16), ForeignKey("account.id")),
    Column("bot", String(20)),  # the bot that owns the seat
    Column("name", String(40), nullable=False),
    Column(
        "invite", String(40), unique=True
    ),  # the secret for one person, where the seat is reserved
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
    Column("log_index", Integer, nullable=False),
    Column("kind", String(12), nullable=False),
    Column("seat", String(12), nullable=False),  # "" for lines without a seat
    Column("decision", Integer, nullable=False),  # the one that it answers; -1 for none
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("game", "log_index"),
)

dice = Table(
    "dice",
    metadata,
    _game(),
    Column("seq", Integer, nullable=False),
    Column("log_index", Integer, nullable=False),  # the last log line when it was written
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("game", "seq"),
)

dice_secrets = Table(
    "dice_secrets",
    metadata,
    _game(),
    Column("seed", LargeBinary(32), nullable=False),
    Column("links", LargeBinary(2080), nullable=False),
    Column("nonce", LargeBinary(16), nullable=False),
    Column("private_key", LargeBinary(32), nullable=False),
    PrimaryKeyConstraint("game"),
)

dice_client = Table(
    "dice_client",
    metadata,
    _game(),
    Column("seat", String(12), nullable=False),
    Column("account", String(16)),  # that has deposited it: seats change hands in the lobby
    Column("deposit", Text, nullable=False),  # of the lobby, as JSON
    Column("seen", BigInteger, nullable=False),  # when its connection was last heard of
    PrimaryKeyConstraint("game", "seat"),
)

notification = Table(
    "notification",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    _game(),
    Column("log_index", Integer, nullable=False),
    Column("seat", String(12), nullable=False),  # "" for spectators, "*" for everyone
    Column("kind", String(10), nullable=False),  # facts, decision, over, …
    Column("body", Text, nullable=False),  # JSON, as the seat may see it
    Column("at", BigInteger, nullable=False),
    Column("sent", BigInteger),  # when an e-mail was sent; None for no e-mail
    Column("pushed", BigInteger),  # when its push messages were queued
    Index("ix_notification_game_seat_log_index", "game", "seat", "log_index"),
    Index("ix_notification_waiting", "sent", "at", sqlite_where=WAITING, postgresql_where=WAITING),
)

clock = Table(
    "clock",
    metadata,
    _game(),
    Column("seat", String(12), nullable=False),  # "" for the table's own
    Column("kind", String(10), nullable=False),  # move, warning, absence, expiry, …
    Column("log_index", Integer, nullable=False),  # at which it was set
    Column("due", BigInteger, nullable=False),
    PrimaryKeyConstraint("game", "seat", "kind"),
    Index("ix_clock_due", "due"),
)

chat = Table(
    "chat",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    _game(),
    Column("account", String(16), nullable=False),  # its author, who may change seats later
    Column("seat", String(12), nullable=False),  # "" if its author has left the table
    Column("to", String(12), nullable=False),  # "" for all
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("reported", String(16)),  # the account that reported it
    Index("ix_chat_game", "game", "id"),
    Index("ix_chat_account", "account"),
)

mute = Table(
    "mute",
    metadata,
    _game(),
    Column("seat", String(12), nullable=False),  # that does not see …
    Column("muted", String(12), nullable=False),  # … the lines of this one
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
    Column("settings", Text, nullable=False),  # e-mails, blocked accounts …, as JSON
    Column("unreachable", BigInteger),  # when the address refused an e-mail for good
    Index("ix_account_name", "name"),
)

push_subscription = Table(
    "push_subscription",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("account", String(16), ForeignKey("account.id"), nullable=False),
    Column("endpoint", String(1000), nullable=False, unique=True),  # of the device's push service
    Column("p256dh", String(100), nullable=False),  # the device's public key, base64url
    Column("auth", String(30), nullable=False),  # the secret that it shares with us, base64url
    Column("label", String(40), nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("ix_push_subscription_account", "account"),
)

# Push messages that are not delivered yet: a row is deleted when nothing is left to do.
push_message = Table(
    "push_message",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("notification", NUMBER, nullable=False),
    Column("subscription", NUMBER, nullable=False),
    Column("due", BigInteger, nullable=False),  # when it is sent, or tried again
    Index("ix_push_message_due", "due"),
    Index("ix_push_message_subscription", "subscription"),
)

# News of awards and dice that waits to be sent by e-mail, one row a reader: deleted when sent.
news = Table(
    "news",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("notification", NUMBER, nullable=False),
    _game(),
    Column("seat", String(12), nullable=False),
    Column("account", String(16), ForeignKey("account.id"), nullable=False),
    Column("kind", String(10), nullable=False),  # award, dice, digest
    Column("at", BigInteger, nullable=False),  # of the notification
    Column("due", BigInteger, nullable=False),  # when it is sent, or tried again
    Column("email", NUMBER),  # the first row of the e-mail that was tried with this row
    Index("ix_news_due", "due"),
    Index("ix_news_game_seat", "game", "seat"),
    Index("ix_news_account", "account"),
)

webhook = Table(
    "webhook",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("account", String(16), ForeignKey("account.id"), nullable=False),
    Column("url", String(1000), nullable=False),
    Column("form", String(10), nullable=False),  # json, discord
    Column("secret", String(64), nullable=False),  # the key of the signatures, hex digits
    Column("label", String(40), nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("ix_webhook_account", "account"),
)

# Messages to webhooks that are not delivered yet: a row is deleted when nothing is left to do.
webhook_message = Table(
    "webhook_message",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("notification", NUMBER, nullable=False),
    Column("webhook", NUMBER, nullable=False),
    Column("seat", String(12), nullable=False),
    Column("due", BigInteger, nullable=False),  # when it is sent, or tried again
    Index("ix_webhook_message_due", "due"),
    Index("ix_webhook_message_webhook", "webhook"),
)

# The reply tokens of e-mails: who has one may play the seat's orders of one decision.
mail_token = Table(
    "mail_token",
    metadata,
    Column("digest", String(64), primary_key=True),  # SHA-256 of the token, which is not stored
    _game(),
    Column("seat", String(12), nullable=False),
    Column("decision", Integer, nullable=False),  # that the e-mail was about; -1 for none
    Column("notification", BigInteger, nullable=False),  # the e-mail that carries it
    Column("account", String(16), nullable=False),  # that the e-mail went to
    Column("form", Text, nullable=False),  # of the e-mail, as JSON; "" for none
    Column("expires", BigInteger, nullable=False),
    Index("ix_mail_token_expires", "expires"),
    Index("ix_mail_token_account", "account"),
)

# E-mails that came in: a row is written before the mail server learns that we have the e-mail.
mail_message = Table(
    "mail_message",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("identity", String(64), nullable=False, unique=True),  # by which a repeat is recognised
    Column("sender", String(64), nullable=False),  # a keyed digest of the address in From
    Column("envelope", Text, nullable=False),  # of the SMTP dialogue, as JSON; "" when answered
    Column("content", LargeBinary, nullable=False),  # as it came; empty when answered
    Column("at", BigInteger, nullable=False),
    Column("due", BigInteger),  # when it is looked at, or again; None when all is done
    Column("game", String(16), nullable=False),  # "" where it belongs to none
    Column("seat", String(12), nullable=False),
    Column("decision", Integer, nullable=False),  # the one that its token names; -1 for none
    Column("orders", String(64), nullable=False),  # a digest of what it asks for; "" for nothing
    Column("done", Text, nullable=False),  # what has been carried out, as JSON
    Column("result", String(12), nullable=False),  # of its answer, or why it has none
    Column("answer", Text, nullable=False),  # what was answered, as JSON; "" for nothing
    Index("ix_mail_message_due", "due"),
    Index("ix_mail_message_sender", "sender", "at"),
    Index("ix_mail_message_game_seat", "game", "seat"),
)

# One-time codes that went to the registered address, and what each confirms.
mail_code = Table(
    "mail_code",
    metadata,
    _game(),
    Column("seat", String(12), nullable=False),
    Column("purpose", String(10), nullable=False),  # of identity.one_time_code
    Column("account", String(16), nullable=False),
    Column("subject", Text, nullable=False),  # what exactly is confirmed: orders, an address
    Column("decision", Integer, nullable=False),  # that the orders are for; -1 for none
    Column("digest", String(64), nullable=False),  # of the code, which is not stored
    Column("expires", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    PrimaryKeyConstraint("game", "seat", "purpose"),
    Index("ix_mail_code_account", "account"),
)

# Answers to e-mails that are not delivered yet: a row is deleted when nothing is left to do.
mail_answer = Table(
    "mail_answer",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("message", NUMBER, nullable=False),  # that is answered
    Column("account", String(16), nullable=False),  # "" for a stranger
    Column("address", String(254), nullable=False),
    Column("content", LargeBinary, nullable=False),  # the whole e-mail
    Column("at", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),  # when it is sent, or tried again
    Index("ix_mail_answer_due", "due"),
    Index("ix_mail_answer_account", "account"),
)

# Strangers who wrote to an invite and were asked whether they want to join.
mail_join = Table(
    "mail_join",
    metadata,
    Column("digest", String(64), primary_key=True),  # SHA-256 of the token, which is not stored
    _game(),
    Column("invite", String(40), nullable=False),  # the secret that they wrote to
    Column("address", String(254), nullable=False),
    Column("name", String(40), nullable=False),  # that was proposed to them
    Column("message", NUMBER, nullable=False),  # with which they asked
    Column("at", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Index("ix_mail_join_at", "at"),
    Index("ix_mail_join_expires", "expires"),
)

token = Table(
    "token",
    metadata,
    Column(
        "digest", LargeBinary(32), primary_key=True
    ),  # SHA-256 of the token, which is not stored
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

passkey = Table(
    "passkey",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("account", String(16), ForeignKey("account.id"), nullable=False),
    Column("credential", LargeBinary(1023), nullable=False, unique=True),  # its authenticator's id
    Column("key", LargeBinary(2000), nullable=False),  # the public key, as COSE
    Column("counter", BigInteger, nullable=False),  # of signatures; 0 where none are counted
    Column("name", String(40), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger),
    Index("ix_passkey_account", "account"),
)

used_challenge = Table(
    "used_challenge",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("expires", BigInteger, nullable=False),  # when it is too old to be used again anyway
    Index("ix_used_challenge_expires", "expires"),
)

secret = Table(
    "secret",
    metadata,
    Column("name", String(40), primary_key=True),  # of the server; created at its first start
    Column("value", LargeBinary, nullable=False),
)
