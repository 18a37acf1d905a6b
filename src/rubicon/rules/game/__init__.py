"""A game: a position under a ruleset with its history, checked at every step."""
