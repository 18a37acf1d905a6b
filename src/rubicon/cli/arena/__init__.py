"""`rubicon arena`: play many games between players, and measure how strong each is."""

from rubicon.cli.arena.arena_command import command

__all__ = ["command"]
