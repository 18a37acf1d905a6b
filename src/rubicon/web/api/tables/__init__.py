"""Tables for a browser: search, invite links, changes in the lobby, and live news of tables."""
