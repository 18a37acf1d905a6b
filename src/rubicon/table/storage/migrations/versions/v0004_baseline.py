"""The baseline: the first schema with the names of today."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Come from the version before to this one."""
    op.create_table(
        "account",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("email", name=op.f("uq_account_email")),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("access", sa.String(length=10), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("void", sa.BigInteger(), nullable=True),
        sa.Column("host", sa.String(length=16), nullable=True),
        sa.Column("invite", sa.String(length=40), nullable=True),
        sa.Column("before", sa.String(length=16), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("invite", name=op.f("uq_game_invite")),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index("ix_game_state_changed", ["state", "changed"], unique=False)
        batch_op.create_index("ix_game_state_void", ["state", "void"], unique=False)

    op.create_table(
        "secret",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secret")),
    )
    op.create_table(
        "chat",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("account", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=12), nullable=False),
        sa.Column("to", sa.String(length=12), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("reported", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_chat_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat")),
    )
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.create_index("ix_chat_account", ["account"], unique=False)
        batch_op.create_index("ix_chat_game", ["game", "id"], unique=False)

    op.create_table(
        "clock",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=12), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("log_index", sa.Integer(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_clock_game")),
        sa.PrimaryKeyConstraint("game", "seat", "kind", name=op.f("pk_clock")),
    )
    with op.batch_alter_table("clock", schema=None) as batch_op:
        batch_op.create_index("ix_clock_due", ["due"], unique=False)

    op.create_table(
        "dice",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("log_index", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_dice_game")),
        sa.PrimaryKeyConstraint("game", "seq", name=op.f("pk_dice")),
    )
    op.create_table(
        "kicked",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("account", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_kicked_game")),
        sa.PrimaryKeyConstraint("game", "account", name=op.f("pk_kicked")),
    )
    op.create_table(
        "log",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("log_index", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=12), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_log_game")),
        sa.PrimaryKeyConstraint("game", "log_index", name=op.f("pk_log")),
    )
    op.create_table(
        "mute",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=12), nullable=False),
        sa.Column("muted", sa.String(length=12), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_mute_game")),
        sa.PrimaryKeyConstraint("game", "seat", "muted", name=op.f("pk_mute")),
    )
    op.create_table(
        "notification",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("log_index", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=12), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("sent", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_notification_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notification")),
    )
    with op.batch_alter_table("notification", schema=None) as batch_op:
        batch_op.create_index(
            "ix_notification_game_seat_log_index", ["game", "seat", "log_index"], unique=False
        )
        batch_op.create_index(
            "ix_notification_waiting",
            ["sent", "at"],
            unique=False,
            sqlite_where=sa.text("sent <= 0"),
            postgresql_where=sa.text("sent <= 0"),
        )

    op.create_table(
        "seat",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("colour", sa.String(length=12), nullable=False),
        sa.Column("account", sa.String(length=16), nullable=True),
        sa.Column("bot", sa.String(length=20), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("invite", sa.String(length=40), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_seat_account")),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_seat_game")),
        sa.PrimaryKeyConstraint("game", "number", name=op.f("pk_seat")),
        sa.UniqueConstraint("game", "colour", name=op.f("uq_seat_game")),
        sa.UniqueConstraint("invite", name=op.f("uq_seat_invite")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index("ix_seat_account", ["account"], unique=False)

    op.create_table(
        "dice_secrets",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("links", sa.LargeBinary(length=2080), nullable=False),
        sa.Column("nonce", sa.LargeBinary(length=16), nullable=False),
        sa.Column("private_key", sa.LargeBinary(length=32), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_dice_secrets_game")),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_dice_secrets")),
    )
    op.create_table(
        "dice_client",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=12), nullable=False),
        sa.Column("account", sa.String(length=16), nullable=True),
        sa.Column("deposit", sa.Text(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("fk_dice_client_game")),
        sa.PrimaryKeyConstraint("game", "seat", name=op.f("pk_dice_client")),
    )
    op.create_table(
        "token",
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("account", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("label", sa.String(length=40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=True),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_token_account")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_token")),
    )
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.create_index("ix_token_account", ["account"], unique=False)
        batch_op.create_index("ix_token_email", ["email"], unique=False)
        batch_op.create_index("ix_token_expires", ["expires"], unique=False)
