"""Bots: compiled policies over what a seat may see."""
