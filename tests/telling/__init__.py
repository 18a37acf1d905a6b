"""Sentences of what happens in a game."""
