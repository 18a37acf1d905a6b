"""E-mails of players: their tokens, what came in, one-time codes, and the answers."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Come from the version before to this one."""
    _mail_token()
    _mail_message()
    _mail_code()
    _mail_answer()


def _mail_token() -> None:
    op.create_table(
        "mail_token",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=12), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("notification", sa.BigInteger(), nullable=False),
        sa.Column("account", sa.String(length=16), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_mail_token_game")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_mail_token")),
    )
    op.create_index("ix_mail_token_expires", "mail_token", ["expires"])
    op.create_index("ix_mail_token_account", "mail_token", ["account"])


def _mail_message() -> None:
    op.create_table(
        "mail_message",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("identity", sa.String(length=64), nullable=False),
        sa.Column("sender", sa.String(length=64), nullable=False),
        sa.Column("envelope", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=12), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("orders", sa.String(length=64), nullable=False),
        sa.Column("done", sa.Text(), nullable=False),
        sa.Column("result", sa.String(length=12), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_message")),
        sa.UniqueConstraint("identity", name=op.f("uq_mail_message_identity")),
    )
    op.create_index("ix_mail_message_due", "mail_message", ["due"])
    op.create_index("ix_mail_message_sender", "mail_message", ["sender", "at"])
    op.create_index("ix_mail_message_game_seat", "mail_message", ["game", "seat"])


def _mail_code() -> None:
    op.create_table(
        "mail_code",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=12), nullable=False),
        sa.Column("purpose", sa.String(length=10), nullable=False),
        sa.Column("account", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_mail_code_game")),
        sa.PrimaryKeyConstraint("game", "seat", "purpose", name=op.f("pk_mail_code")),
    )
    op.create_index("ix_mail_code_account", "mail_code", ["account"])


def _mail_answer() -> None:
    op.create_table(
        "mail_answer",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("message", NUMBER, nullable=False),
        sa.Column("account", sa.String(length=16), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_answer")),
    )
    op.create_index("ix_mail_answer_due", "mail_answer", ["due"])
    op.create_index("ix_mail_answer_account", "mail_answer", ["account"])
