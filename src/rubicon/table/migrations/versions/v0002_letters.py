"""Letters that wait, and the addresses that links are sent to."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Come from the version before to this one."""
    waiting = sa.text("sent <= 0")
    with op.batch_alter_table("notice", schema=None) as batch_op:
        batch_op.create_index(
            "ix_notice_waiting",
            ["sent", "at"],
            unique=False,
            sqlite_where=waiting,
            postgresql_where=waiting,
        )

    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.add_column(sa.Column("email", sa.String(length=254), nullable=True))
        batch_op.create_index("ix_token_email", ["email"], unique=False)
        batch_op.create_index("ix_token_expires", ["expires"], unique=False)
