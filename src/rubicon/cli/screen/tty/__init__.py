"""What the full screen says to a terminal, and hears of it."""
