"""News by e-mail, webhooks, and accounts whose address refuses e-mails."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Come from the version before to this one."""
    op.add_column("account", sa.Column("unreachable", sa.BigInteger(), nullable=True))
    op.create_table(
        "news",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("notification", NUMBER, nullable=False),
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=12), nullable=False),
        sa.Column("account", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("email", NUMBER, nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_news_game")),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_news_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_news")),
    )
    op.create_index("ix_news_due", "news", ["due"])
    op.create_index("ix_news_game_seat", "news", ["game", "seat"])
    op.create_index("ix_news_account", "news", ["account"])
    op.create_table(
        "webhook",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("account", sa.String(length=16), nullable=False),
        sa.Column("url", sa.String(length=1000), nullable=False),
        sa.Column("form", sa.String(length=10), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_webhook_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
    )
    op.create_index("ix_webhook_account", "webhook", ["account"])
    op.create_table(
        "webhook_message",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("notification", NUMBER, nullable=False),
        sa.Column("webhook", NUMBER, nullable=False),
        sa.Column("seat", sa.String(length=12), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_message")),
    )
    op.create_index("ix_webhook_message_due", "webhook_message", ["due"])
    op.create_index("ix_webhook_message_webhook", "webhook_message", ["webhook"])
