"""Attacks on the dice by an operator who has patched his server, against honest clients."""
