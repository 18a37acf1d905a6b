"""The database: schema, one way to write, one way to read."""
