"""RISK, exactly: the rules of the board game as a fast engine."""

__version__ = "0.1.0"
