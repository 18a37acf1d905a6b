"""The game master whom the host of a table has named."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Come from the version before to this one."""
    op.add_column("game", sa.Column("master", sa.String(length=16), nullable=True))
