"""`rubicon dice serve`: an independent dice server, which knows chains and no games."""
