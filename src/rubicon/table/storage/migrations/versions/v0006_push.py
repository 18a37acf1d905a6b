"""Devices that get push messages, and the messages that wait; accounts are found by their name."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Come from the version before to this one."""
    op.create_index("ix_account_name", "account", ["name"])
    op.add_column("notification", sa.Column("pushed", sa.BigInteger(), nullable=True))
    op.create_table(
        "push_subscription",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("account", sa.String(length=16), nullable=False),
        sa.Column("endpoint", sa.String(length=1000), nullable=False),
        sa.Column("p256dh", sa.String(length=100), nullable=False),
        sa.Column("auth", sa.String(length=30), nullable=False),
        sa.Column("label", sa.String(length=40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["account.id"], name=op.f("fk_push_subscription_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_subscription")),
        sa.UniqueConstraint("endpoint", name=op.f("uq_push_subscription_endpoint")),
    )
    op.create_index("ix_push_subscription_account", "push_subscription", ["account"])
    op.create_table(
        "push_message",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("notification", NUMBER, nullable=False),
        sa.Column("subscription", NUMBER, nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_message")),
    )
    op.create_index("ix_push_message_due", "push_message", ["due"])
    op.create_index("ix_push_message_subscription", "push_message", ["subscription"])
