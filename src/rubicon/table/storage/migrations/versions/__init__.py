"""The versions of the schema, the first one first."""
