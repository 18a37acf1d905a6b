"""Every question that the rules leave open, with its values and sources."""
