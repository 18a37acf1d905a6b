"""Sealed dice: a chain of entries that proves what was rolled, and how to check it."""
