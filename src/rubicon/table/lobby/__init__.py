"""A table before its game and after it."""
