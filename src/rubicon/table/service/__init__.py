"""The interface of the table that the server calls."""
