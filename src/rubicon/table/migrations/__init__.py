"""How a store comes from one version of the schema to the next: one file a version.

A change of `schema.py` is followed by `python -m rubicon.table.migrations 0003 what_changes`, which
writes the next file; look it over, and let it be formatted.
"""
