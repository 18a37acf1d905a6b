"""Seats that are taken by e-mail."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Come from the version before to this one."""
    op.create_table(
        "mail_join",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("invite", sa.String(length=40), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("message", NUMBER, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_mail_join_game")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_mail_join")),
    )
    op.create_index("ix_mail_join_at", "mail_join", ["at"])
    op.create_index("ix_mail_join_expires", "mail_join", ["expires"])
