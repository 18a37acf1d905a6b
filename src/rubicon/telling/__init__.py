"""Sentences of what happens in a game, for the terminal, e-mails, reviews and the API."""
