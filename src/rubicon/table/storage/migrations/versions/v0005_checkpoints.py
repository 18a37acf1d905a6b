"""Digests of the stored rows of each game, and the numbered list of games that have begun."""

import sqlalchemy as sa
from alembic import op

from rubicon.table.storage import event_log

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Come from the version before to this one."""
    for name in ("digest", "seats_digest"):
        column = sa.Column(name, sa.String(length=64), nullable=False, server_default="")
        op.add_column("game", column)
    op.create_table(
        "checkpoint",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_checkpoint")),
        sa.UniqueConstraint("game", name=op.f("uq_checkpoint_game")),
    )
    _add_digests(op.get_bind())


def _add_digests(connection: sa.Connection) -> None:
    """Those of the games that have begun, in the order of their beginning."""
    begun = event_log.beginnings(connection)
    for game, begin in sorted(begun.items(), key=lambda item: (item[1]["at"], item[0])):
        event_log.add_checkpoint(connection, begin)
        rows = []
        for table, names in (("log", event_log.LINE), ("notification", event_log.NOTIFICATION)):
            wanted = sa.text(f"SELECT {', '.join(_quoted(names))} FROM {table} WHERE game = :game")
            found = connection.execute(wanted, {"game": game})
            rows.append([dict(zip(names, row, strict=True)) for row in found])
        change = sa.text("UPDATE game SET digest = :digest WHERE id = :game")
        connection.execute(change, {"digest": event_log.with_rows("", *rows), "game": game})
    event_log.seal_seats(connection, list(begun))


def _quoted(names: tuple[str, ...]) -> list[str]:
    return [f'"{name}"' for name in names]
