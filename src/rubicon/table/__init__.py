"""The table: hosted games that lose nothing. The only authority over a hosted game."""
