"""How a database comes from one version of the schema to the next: one file a version.

After a change of `schema.py`, `python -m rubicon.table.storage.migrations 0004 what_changes` writes
the next file. Read it, and format it with ruff.
"""
