"""`rubicon review`: who was likely to win when, and what decided a finished game."""

from rubicon.cli.review.review_command import command

__all__ = ["command"]
