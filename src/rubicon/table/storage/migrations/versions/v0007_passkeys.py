"""Passkeys of accounts, and the challenges that were used a short time ago."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Come from the version before to this one."""
    op.create_table(
        "passkey",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("account", sa.String(length=16), nullable=False),
        sa.Column("credential", sa.LargeBinary(length=1023), nullable=False),
        sa.Column("key", sa.LargeBinary(length=2000), nullable=False),
        sa.Column("counter", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_passkey_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkey")),
        sa.UniqueConstraint("credential", name=op.f("uq_passkey_credential")),
    )
    op.create_index("ix_passkey_account", "passkey", ["account"])
    op.create_table(
        "used_challenge",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_used_challenge")),
    )
    op.create_index("ix_used_challenge_expires", "used_challenge", ["expires"])
