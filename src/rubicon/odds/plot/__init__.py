"""Odds as bars: in a terminal, and as a picture."""
