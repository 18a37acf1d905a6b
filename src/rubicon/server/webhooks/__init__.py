"""Notifications to a URL that a player names, signed."""
