"""Write the next version of the schema: `python -m rubicon.table.storage.migrations 0004 name`."""

import sys

from alembic import command
from sqlalchemy import create_engine

from rubicon.table.storage.database import alembic_config


def main(number: str, what: str) -> None:
    """Compare the schema with what the versions so far make, and write the difference."""
    with create_engine("sqlite://").connect() as connection:
        config = alembic_config(connection)
        command.upgrade(config, "head")
        command.revision(config, what.replace("_", " "), autogenerate=True, rev_id=number)


if __name__ == "__main__":
    main(*sys.argv[1:])
