"""Panels of e-mails: the state of the game, the news, messages."""
