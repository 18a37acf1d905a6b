"""A whole game by e-mail alone, through real processes: `make demo-mail`."""
