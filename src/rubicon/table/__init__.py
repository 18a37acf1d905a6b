"""Hosted games that lose nothing. The only authority over a hosted game."""
