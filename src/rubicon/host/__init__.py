"""The host: one running service that composes tables, clocks, bots and accounts."""
