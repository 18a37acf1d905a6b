"""Accounts, tokens and who sits where."""
